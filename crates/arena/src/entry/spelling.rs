//! Finds the word that a misspelt word was probably meant to be.

/// Maximum number of wrong, missing, additional or exchanged letters in a misspelt word.
const MAX_ERRORS: usize = 2;

/// Returns the most similar of the known words, ignoring case; `None` if all differ too much.
pub(crate) fn similar<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    let distances = known.map(|word| (distance(&found, word), word));
    // Of a short word, more letters must be right than wrong.
    let near = distances.filter(|&(errors, word)| errors <= MAX_ERRORS && 2 * errors < word.chars().count());
    near.min_by_key(|&(errors, _)| errors).map(|(_, word)| word)
}

/// Returns the minimum number of changes that turn `a` into `b`. A change replaces, inserts or deletes a letter, or
/// exchanges two neighbouring letters.
///
/// Source: "optimal string alignment", the restricted Damerau-Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(table[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(table[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        table.push(row);
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found() {
        let fields = ["name", "command", "dialect", "directory", "build", "build_time"];
        for (found, meant) in [
            ("comand", Some("command")),
            ("commnad", Some("command")),
            ("Dialect", Some("dialect")),
            ("build-time", Some("build_time")),
            ("nmae", Some("name")),
            ("author", None),
            ("game", Some("name")),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(similar(found, fields.into_iter()), meant, "{found}");
        }
        assert_eq!(similar("nsu", ["cs61b", "nus", "ugi"].into_iter()), Some("nus"));
        assert_eq!(similar("xyz", ["cs61b", "nus", "ugi"].into_iter()), None);
    }
}
