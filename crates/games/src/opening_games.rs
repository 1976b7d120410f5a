//! The beginnings of games between our engines, for an opening explorer.
//!
//! A file has one game on each line: the result, then the first moves from the usual start. `+` is a win for the first
//! side, `-` a win for the second side, and `=` a draw. Lines that begin with `#` are comments. The tool `tune
//! openings` generates such files.
//!
//! ```text
//! + b1-b3 a4-c2 c1-c3
//! ```

/// The beginning of a game, and the game's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningGame {
    /// Winner, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// First moves from the usual start.
    pub moves: Vec<&'static str>,
}

/// Results, by the first character of a line.
const RESULTS: [(&str, Option<usize>); 3] = [("+", Some(0)), ("-", Some(1)), ("=", None)];

/// Returns the character for a result: the winner, or `None` for a draw.
pub fn opening_result(winner: Option<usize>) -> &'static str {
    RESULTS.iter().find(|(_, result)| *result == winner).map_or("=", |(text, _)| text)
}

/// Returns the games of a file. Lines without a valid result are skipped.
pub(crate) fn read(text: &'static str) -> Vec<OpeningGame> {
    let game = |line: &'static str| {
        let mut words = line.split(' ');
        let result = words.next()?;
        let &(_, winner) = RESULTS.iter().find(|(text, _)| *text == result)?;
        Some(OpeningGame { winner, moves: words.collect() })
    };
    text.lines().filter_map(game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Setting;
    use crate::registry::GameId;

    #[test]
    fn a_line_has_a_result_and_moves() {
        let games = read("# a comment\n+ b1-b3 a4-c2\n= c1-c3\nnonsense\n");
        let expected = [(Some(0), vec!["b1-b3", "a4-c2"]), (None, vec!["c1-c3"])];
        assert_eq!(games, expected.map(|(winner, moves)| OpeningGame { winner, moves }));
        for (text, winner) in RESULTS {
            assert_eq!(opening_result(winner), text);
        }
    }

    #[test]
    fn every_game_has_openings_whose_moves_are_legal_and_whose_results_differ() {
        for game in GameId::BUILT_IN {
            let games = game.opening_games();
            assert!(games.len() >= 200, "{game}: {}", games.len());
            let setting = Setting {
                game,
                size: None,
                move_limit: u32::MAX,
                repetitions: None,
                rules: crate::rule_set::Rules::default(),
            };
            for OpeningGame { moves, .. } in &games {
                let record = setting.record(None, moves).unwrap_or_else(|error| panic!("{game}: {moves:?}: {error}"));
                assert_eq!(record.plies() as usize, moves.len());
            }
            for winner in [Some(0), Some(1)] {
                assert!(games.iter().any(|game| game.winner == winner), "{game}: {winner:?}");
            }
        }
    }
}
