//! Export and import of the finished games: a text with one game in JSON on each line, as in the archive's file.

use std::collections::HashMap;
use std::sync::Arc;

use game::{Message, message};
use jiff::Timestamp;

use crate::desk::as_json;
use crate::messages::answer::Answer;
use crate::messages::game::{Archived, Game};
use crate::room::record;
use crate::store::Store;

/// Length at which a part of an export ends, in bytes.
const PART: usize = 64 << 10;
/// Maximum length of a game's name in the archive, in bytes.
const LONGEST_NAME: usize = 64;

/// Returns the error for a line that is not a game.
fn not_a_game(line: usize, error: &str) -> Message {
    message!("archive.bad_line", "Line {line} is not a finished game: {error}.", line, error)
}

/// Returns the error for a line with an illegal game.
fn not_legal(line: usize, error: &Message) -> Message {
    message!("archive.bad_game", "Line {line} has a game that cannot be played: {error}", line, error = error.clone())
}

/// Returns the part of the export after the first `skip` games.
pub(crate) fn export(id: u32, games: &[Arc<Archived>], skip: usize) -> Answer {
    let (mut text, mut at) = (String::new(), skip.min(games.len()));
    while at < games.len() && text.len() < PART {
        text.push_str(&as_json(&*games[at]));
        text.push('\n');
        at += 1;
    }
    Answer::Exported { id, text, next: (at < games.len()).then_some(at) }
}

/// Adds the games in a part of an export. `first` is the line number, in the file, of the part's first line.
pub(crate) fn import(id: u32, store: &dyn Store, text: &str, first: usize) -> Answer {
    let present = store.all();
    let mut names: HashMap<String, Arc<Archived>> = present.into_iter().map(|game| (game.id.clone(), game)).collect();
    let (mut new, mut known, mut errors) = (Vec::new(), 0, Vec::new());
    for (number, line) in (first..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        match read(line, number) {
            Ok(game) if names.values().any(|other| is_same(other, &game)) => known += 1,
            Ok(game) => {
                let game = Archived { id: free_name(&game.id, &names), ..game };
                names.insert(game.id.clone(), Arc::new(game.clone()));
                new.push(game);
            }
            Err(error) => errors.push(error),
        }
    }
    let (added, skipped) = (new.len(), errors.len());
    if added > 0 {
        store.add_all(new);
    }
    Answer::Imported { id, added, known, skipped, error: errors.into_iter().next() }
}

/// Parses the game in a line, and checks that its moves are legal.
fn read(line: &str, number: usize) -> Result<Archived, Message> {
    let line = line.trim_start_matches('\u{feff}');
    let game: Archived = serde_json::from_str(line).map_err(|error| not_a_game(number, &error.to_string()))?;
    if game.date.parse::<Timestamp>().is_err() {
        return Err(not_a_game(number, &format!("the date `{}` is not a time", game.date)));
    }
    if game.winner.is_some_and(|winner| winner > 1) {
        return Err(not_a_game(number, "the winner is neither 0 nor 1"));
    }
    let Archived { game: name, size, start, moves, limit, .. } = game.clone();
    record(&Game { game: name, size, start, moves, limit }).map_err(|error| not_legal(number, &error))?;
    Ok(game)
}

/// Returns `true` if two entries are the same apart from their names.
fn is_same(game: &Archived, other: &Archived) -> bool {
    game.date == other.date && Archived { id: other.id.clone(), ..game.clone() } == *other
}

/// Returns an unused name: `name`, or `game` if `name` is invalid, with a number appended if that name is taken.
fn free_name(name: &str, taken: &HashMap<String, Arc<Archived>>) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_valid = !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(is_plain);
    let base = if is_valid { name } else { "game" };
    let numbered = (2..).map(|number: usize| format!("{base}-{number}"));
    let mut names = core::iter::once(base.to_owned()).chain(numbered);
    names.find(|name| !taken.contains_key(name)).expect("invariant: there are more names than games")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::game::Who;
    use crate::store::Memory;

    fn game(id: &str, date: &str, moves: &[&str]) -> Archived {
        Archived {
            id: id.into(),
            date: date.into(),
            game: "loa".into(),
            size: Some(8),
            start: None,
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            limit: None,
            clock: None,
            seats: [Who::PERSON, Who::Engine { level: Some("1".into()), budget: false }],
            winner: Some(0),
            reason: "resigned".into(),
            helped: false,
        }
    }

    const DAY: &str = "2025-11-21T20:14:56Z";

    fn exported(store: &Memory) -> String {
        let (mut all, mut skip) = (String::new(), Some(0));
        while let Some(at) = skip {
            let Answer::Exported { text, next, .. } = export(1, &store.all(), at) else { panic!("no export") };
            assert!(next.is_none_or(|next| next > at));
            all.push_str(&text);
            skip = next;
        }
        all
    }

    /// Imports a text. Returns the numbers of added, known and skipped lines, and the error.
    fn imported(store: &Memory, text: &str, line: usize) -> (usize, usize, usize, Option<String>) {
        let Answer::Imported { added, known, skipped, error, .. } = import(1, store, text, line) else {
            panic!("no import")
        };
        (added, known, skipped, error.map(|error| error.to_string()))
    }

    #[test]
    fn an_export_restores_the_games() {
        let long: Vec<&str> = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"].into_iter().cycle().take(1_000).collect();
        let games: Vec<_> = (0..60).map(|number| game(&number.to_string(), DAY, &long[number..])).collect();
        let legal: Vec<_> = games.into_iter().step_by(4).collect();
        let full = Memory::new(legal.clone());
        let text = exported(&full);
        assert!(text.len() > PART && text.lines().count() == legal.len());
        let empty = Memory::default();
        assert_eq!(imported(&empty, &text, 1), (legal.len(), 0, 0, None));
        assert_eq!(empty.all(), full.all());
        assert_eq!(imported(&empty, &text, 1), (0, legal.len(), 0, None), "no game is added twice");
        assert_eq!(exported(&Memory::default()), "");
    }

    #[test]
    fn names_in_use_are_changed() {
        let store = Memory::new([game("a", DAY, &["b1-b3"]), game("a-2", DAY, &["c1-c3"])]);
        let text = [game("a", DAY, &["d1-d3"]), game("<b>", DAY, &["e1-e3"])].map(|game| as_json(&game)).join("\n");
        assert_eq!(imported(&store, &text, 1), (2, 0, 0, None));
        let names: Vec<_> = store.all().iter().map(|game| game.id.clone()).collect();
        assert_eq!(names, ["a", "a-2", "a-3", "game"]);
        assert_eq!(store.all()[0].moves, ["b1-b3"], "no game is replaced");
        assert_eq!(imported(&store, &text, 1), (0, 2, 0, None));
    }

    #[test]
    fn an_error_names_the_line_and_the_other_games_are_added() {
        let store = Memory::default();
        let good = as_json(&game("a", DAY, &["b1-b3"]));
        let (added, _, skipped, error) = imported(&store, &format!("\u{feff}{good}\n\nnonsense\n"), 10);
        assert_eq!((added, skipped), (1, 1));
        assert!(error.as_ref().is_some_and(|error| error.starts_with("Line 12 is not a finished game: ")), "{error:?}");
        for (bad, part) in [
            (game("b", "yesterday", &["b1-b3"]), "`yesterday`"),
            (game("b", DAY, &["b1-b9"]), "b1-b9"),
            (Archived { game: "chess".into(), ..game("b", DAY, &[]) }, "chess"),
            (Archived { winner: Some(2), ..game("b", DAY, &[]) }, "winner"),
        ] {
            let (added, _, skipped, error) = imported(&store, &as_json(&bad), 1);
            assert!(
                (added, skipped) == (0, 1) && error.as_ref().is_some_and(|error| error.contains(part)),
                "{error:?}"
            );
        }
    }
}
