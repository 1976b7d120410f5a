//! What the page must know of the games, as JSON. The page itself has no list of games.

use std::sync::LazyLock;

use games::GameId;
use serde::Serialize;

/// A document at a path; the page asks for the lessons and puzzles of a game when it shows them.
pub(crate) fn at(path: &str) -> Option<String> {
    /// Asked for whenever a page is loaded.
    static GAMES: LazyLock<String> = LazyLock::new(|| json(&GameId::ALL.map(GameId::about)));
    if path == "games.json" {
        return Some(GAMES.clone());
    }
    let (game, what) = path.strip_prefix("games/")?.split_once('/')?;
    let game: GameId = game.parse().ok()?;
    match what {
        "lessons.json" => Some(json(&game.lessons())),
        "puzzles.json" => Some(json(&game.puzzles())),
        _ => None,
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("invariant: plain data has a JSON form")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read(path: &str) -> Value {
        at(path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    #[test]
    fn the_page_is_told_of_every_game() {
        let games = read("games.json");
        assert_eq!(games.as_array().map(Vec::len), Some(GameId::ALL.len()));
        assert_eq!((&games[0]["name"], &games[0]["title"]), (&"loa".into(), &"Lines of Action".into()));
        for game in GameId::ALL {
            assert!(read(&format!("games/{game}/lessons.json"))[0]["title"].is_string());
            assert!(read(&format!("games/{game}/puzzles.json"))[0][0].is_string());
        }
        for path in ["games/chess/lessons.json", "games/loa/moves.json", "games/loa", "games"] {
            assert_eq!(at(path), None);
        }
        // Part of the first load, for which the page has a budget.
        assert!(at("games.json").is_some_and(|text| text.len() < 6_000));
    }
}
