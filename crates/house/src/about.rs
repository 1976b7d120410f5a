//! Information about the games for the page, as JSON. The page itself has no list of games.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use games::{About, GameId, Puzzle};
use serde::Serialize;

/// The JSON documents about the games. The puzzles include the user's own.
#[derive(Default)]
pub struct Documents {
    own: HashMap<GameId, Vec<Puzzle>>,
    /// Cached `games.json`, because every page load requests it.
    games: OnceLock<String>,
}

impl Documents {
    /// Adds puzzles that are not part of the program.
    pub fn add_puzzles(&mut self, game: GameId, puzzles: Vec<Puzzle>) {
        let known: HashSet<String> = game.puzzles().into_iter().map(|puzzle| puzzle.start).collect();
        let new = puzzles.into_iter().filter(|puzzle| !known.contains(&puzzle.start));
        self.own.entry(game).or_default().extend(new);
        self.games = OnceLock::new();
    }

    /// Returns the document at a path. The page requests lessons and puzzles only when it shows them.
    pub fn at(&self, path: &str) -> Option<String> {
        if path == "games.json" {
            let all = || GameId::all().iter().map(|&game| self.about(game)).collect::<Vec<_>>();
            return Some(self.games.get_or_init(|| json(&all())).clone());
        }
        let (game, what) = path.strip_prefix("games/")?.split_once('/')?;
        let game: GameId = game.parse().ok()?;
        match what.split_once('/') {
            None if what == "puzzles.json" => Some(json(&self.puzzles(game))),
            Some(("lessons", file)) => file.strip_suffix(".json").map(|language| json(&game.lessons(language))),
            _ => None,
        }
    }

    fn own(&self, game: GameId) -> &[Puzzle] {
        self.own.get(&game).map_or(&[], Vec::as_slice)
    }

    fn about(&self, game: GameId) -> About {
        let about = game.about();
        About { puzzles: about.puzzles + self.own(game).len(), ..about }
    }

    /// Returns all puzzles of a game, in order of increasing difficulty.
    fn puzzles(&self, game: GameId) -> Vec<Puzzle> {
        let mut puzzles = [&game.puzzles(), self.own(game)].concat();
        puzzles.sort_by_key(|puzzle| puzzle.rating);
        puzzles
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("invariant: plain data has a JSON form")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn at(path: &str) -> Option<String> {
        Documents::default().at(path)
    }

    fn read(path: &str) -> Value {
        at(path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    #[test]
    fn the_documents_describe_every_game() {
        let games = read("games.json");
        assert_eq!(games.as_array().map(Vec::len), Some(GameId::BUILT_IN.len()));
        assert_eq!((&games[0]["name"], &games[0]["title"]), (&"loa".into(), &"Lines of Action".into()));
        for game in GameId::BUILT_IN {
            let lesson = &read(&format!("games/{game}/lessons/en.json"))[0];
            assert!(lesson["title"].is_string() && lesson["steps"][0]["text"].is_string(), "{lesson}");
            let puzzle = &read(&format!("games/{game}/puzzles.json"))[0];
            assert!(puzzle["start"].is_string() && puzzle["task"][1].is_number(), "{puzzle}");
            assert!(puzzle["rating"].is_number() && puzzle["solution"][0].is_string(), "{puzzle}");
        }
        for path in ["games/chess/lessons/en.json", "games/loa/lessons", "games/loa/moves.json", "games/loa", "games"] {
            assert_eq!(at(path), None);
        }
        // The page downloads this document before its first view, so the size is limited.
        let length = at("games.json").map_or(0, |text| text.len());
        assert!((1..6_200).contains(&length), "{length} bytes");
    }

    #[test]
    fn own_puzzles_are_merged_without_duplicates() {
        let game = GameId::LOA;
        let before = game.puzzles();
        let own = Puzzle { start: "-b/w- b".to_owned(), rating: before[9].rating, ..before[0].clone() };
        let mut documents = Documents::default();
        documents.add_puzzles(game, vec![own.clone(), before[3].clone()]);
        let all = documents.puzzles(game);
        assert_eq!(all.len(), before.len() + 1);
        assert!(all.contains(&own) && all.is_sorted_by_key(|puzzle| puzzle.rating));
        assert_eq!(documents.about(game).puzzles, all.len());
    }
}
