//! A check that `docs/engine.md` and the code describe the words for players in the same way.

use engine::{PlayerOptions, Word};

#[test]
fn the_table_of_the_words_is_that_of_the_code() {
    let head = "| word | value | default | meaning |\n| --- | --- | --- | --- |\n";
    let text = include_str!("../../../docs/engine.md");
    let (_, rest) = text.split_once(head).expect("a table of words");
    let (table, _) = rest.split_once("\n\n").expect("an end of the table");
    let row = |word: &Word| {
        let Word { name, value, values, default, meaning } = word;
        format!("| `{name}={value}` | {values} | {default} | {meaning} |")
    };
    let expected: Vec<String> = PlayerOptions::WORDS.iter().map(row).collect();
    assert_eq!(table, expected.join("\n"), "write this into docs/engine.md:\n{}", expected.join("\n"));
}
