//! Openings from files: position texts, move lists, and games in a game's own file format.

use std::collections::BTreeSet;

use game::text::without_mark;
use game::{Record, TextGame};
use thiserror::Error;

use crate::files::read_files;
use crate::movetext::split;
use crate::tree::main_line;
use crate::{Entry, GameFile, Setting, SettingError, Visitor, dispatch};

/// Openings of one file.
const MOST: usize = 100_000;

/// A file of openings is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// An opening is not.
    #[error("{place}: {error}")]
    At {
        /// `line 3`, or `game 3` of a file in a game's own format.
        place: String,
        /// Why not.
        error: SettingError,
    },
    /// The file is not in its format.
    #[error("{0}")]
    Form(String),
    /// There is no opening in it.
    #[error("no opening found, expected a position text or moves in each line")]
    Empty,
    /// There are too many.
    #[error("{0} openings found, expected at most {MOST}")]
    TooMany(usize),
}

impl Setting {
    /// Reads a file of openings, one a line: moves from the usual start, or a position text, or a position text with
    /// ` moves ` and moves. Numbers of moves and results may stand between moves. Empty lines and lines that begin with
    /// `#` are skipped. A file in the game's own format has one opening for each game, its main line. `plies` cuts off
    /// what follows after so many moves.
    ///
    /// Returns each opening as such a line. Openings that lead to the same position count once.
    ///
    /// # Errors
    /// If an opening is not legal, or the game is over after it. The error says which.
    pub fn openings(self, text: &str, plies: Option<usize>) -> Result<Vec<String>, OpeningError> {
        let (mut seen, mut lines) = (BTreeSet::new(), Vec::new());
        let mut add = |place: String, start: Option<&str>, moves: &[&str]| {
            let moves = &moves[..moves.len().min(plies.unwrap_or(usize::MAX))];
            let opened = dispatch(self.game, Open { setting: self, start, moves });
            let Opened { game, line } = opened.map_err(|error| OpeningError::At { place, error })?;
            if seen.insert(game.position()) {
                lines.push(line);
            }
            Ok(())
        };
        let text = without_mark(text);
        if let Some(files) = read_files(text) {
            let files: Vec<GameFile> = files.map_err(OpeningError::Form)?;
            for (number, file) in (1..).zip(&files) {
                if file.game != self.game {
                    let (found, expected) = (file.game.title(), self.game.title());
                    return Err(OpeningError::Form(format!("a file of {found} found, expected {expected}")));
                }
                add(format!("game {number}"), file.start.as_deref(), &main_line(&file.nodes))?;
            }
        } else {
            let lines = (1..).zip(text.lines().map(str::trim));
            for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
                let Written { start, moves } = written(line);
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                add(format!("line {number}"), start, &moves)?;
            }
        }
        match lines.len() {
            0 => Err(OpeningError::Empty),
            1..=MOST => Ok(lines),
            found => Err(OpeningError::TooMany(found)),
        }
    }

    /// A game after an opening that is written as in a line of [`openings`](Self::openings).
    ///
    /// # Errors
    /// If the opening is not legal, or the game is over after it.
    pub fn opened(self, line: &str) -> Result<Box<dyn TextGame>, SettingError> {
        let Written { start, moves } = written(line);
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        dispatch(self.game, Open { setting: self, start, moves: &moves }).map(|opened| opened.game)
    }
}

/// An opening as a line has it.
struct Written<'a> {
    start: Option<&'a str>,
    moves: Vec<String>,
}

fn written(line: &str) -> Written<'_> {
    let moves = |text: &str| text.split_whitespace().filter_map(split).map(|(text, _)| text).collect();
    // All position texts have slashes between their rows, and no move has one.
    let is_position = line.split_whitespace().next().is_some_and(|word| word.contains('/') && split(word).is_some());
    match line.split_once(" moves ") {
        Some((start, rest)) if is_position => Written { start: Some(start.trim()), moves: moves(rest) },
        _ if is_position => Written { start: Some(line), moves: Vec::new() },
        _ => Written { start: None, moves: moves(line) },
    }
}

struct Open<'a> {
    setting: Setting,
    start: Option<&'a str>,
    moves: &'a [&'a str],
}

struct Opened {
    game: Box<dyn TextGame>,
    /// The opening in full.
    line: String,
}

impl Visitor for Open<'_> {
    type Output = Result<Opened, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        let mut record: Record<E::Position> = self.setting.record::<E>(self.start, self.moves)?;
        let start = record.steps()[0].position.clone();
        let (found, expected) = (E::size(&start), self.setting.board_size()?);
        if found != expected {
            return Err(SettingError::OtherBoard { found, expected });
        }
        if record.finish().is_some() || record.judge().is_some() {
            return Err(SettingError::Decided);
        }
        let moves: Vec<String> = record.moves().map(|m| m.to_string()).collect();
        let line = match (start == E::start(self.setting.size)?, moves.is_empty()) {
            (true, false) => moves.join(" "),
            (false, false) => format!("{start} moves {}", moves.join(" ")),
            (_, true) => start.to_string(),
        };
        Ok(Opened { game: Box::new(record), line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameId;

    fn setting(game: GameId, size: Option<usize>) -> Setting {
        Setting { game, size, move_limit: 60, repetitions: None }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_opening() {
        let loa = setting(GameId::Loa, None);
        for text in
            ["b1-b3 a2-c2", "# moves\nb1-b3 a2-c2", "(;GM[9];B[b1-b3];W[a2-c2])", "\n (;GM[9];B[b1-b3];W[a2-c2])"]
        {
            let marked = format!("\u{feff}{text}");
            assert_eq!(loa.openings(&marked, None), Ok(vec!["b1-b3 a2-c2".to_owned()]), "{text}");
            assert_eq!(crate::decode_file(marked.as_bytes()).as_deref(), Ok(text));
        }
        let latin_1 = b"(;GM[9]CA[ISO-8859-1]PB[J\xf6rg];B[b1-b3])";
        assert!(crate::decode_file(latin_1).is_ok_and(|text| text.contains("J\u{f6}rg")));
        assert!(crate::decode_file(b"b1-b3 \xf6").is_err_and(|error| error.contains("byte 7")));
    }

    #[test]
    fn positions_moves_and_both() {
        let loa = setting(GameId::Loa, Some(4));
        let error = loa.openings("# moves\n\nb1-b3 a2-c2\n-bb-/w--w/w--w/-bb- w moves b1-b3", None);
        let error = error.expect_err("White is to move").to_string();
        assert!(error.starts_with("line 4: move 1: illegal move b1-b3"), "{error}");
        let first = loa.game(0, 0).expect("a game");
        let moves = first.legal_moves();
        let m = &moves[0];
        let text =
            format!("# two of the same\n\n{m}\n 1. {m}! *\r\n-bb-/w--w/w--w/-bb- w\n{} moves {m}\n", first.start());
        let lines = loa.openings(&text, None).expect("openings");
        assert_eq!(lines, [m.clone(), "-bb-/w--w/w--w/-bb- w".to_owned()]);
        for line in &lines {
            let game = loa.opened(line).expect("an opening");
            assert_eq!((game.finish(), game.side_to_move()), (None, game::Side::Second), "{line}");
        }
        assert_eq!(loa.openings(&text, Some(0)).map(|lines| lines.len()), Ok(2), "the start and the other position");
    }

    #[test]
    fn what_is_no_opening_is_refused_with_its_line() {
        for (text, part) in [
            ("", "no opening found"),
            ("b1-b3\nb1-b4", "line 2: move 1: illegal move b1-b4"),
            ("b1-b3 hello", "line 1: move 2: "),
            (
                "--------/--------/--------/-bb--w--/-----w--/--------/--------/-------- b",
                "the game is over after this opening",
            ),
            ("-bb-/w--w/w--w/-bb- b", "line 1: a board of 4 squares a side found, expected 8"),
            ("(;FF[4]GM[9]SZ[8];B[b1-b3]", "SGF, line 1"),
        ] {
            let error = setting(GameId::Loa, None).openings(text, None).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let short = Setting { move_limit: 2, ..setting(GameId::Loa, None) };
        let error = short.openings("b1-b3 a2-c2", None).expect_err("the limit").to_string();
        assert_eq!(error, "line 1: the game is over after this opening");
    }

    #[test]
    fn every_game_has_openings_of_its_own_moves() {
        for game in GameId::ALL {
            let setting = setting(game, None);
            let opened = setting.game(5, 3).expect("a game");
            let moves = opened.moves().join(" ");
            let text = format!("{moves}\n{}\n{}", opened.position(), opened.start());
            let lines = setting.openings(&text, None).unwrap_or_else(|error| panic!("{game}: {error}"));
            assert_eq!(lines, [moves, opened.start()], "{game}");
            let again = setting.opened(&lines[0]).expect("an opening");
            assert_eq!((again.position(), again.start()), (opened.position(), opened.start()), "{game}");
        }
    }

    #[test]
    fn each_game_of_a_collection_is_an_opening() {
        let text = "\n(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2](;B[d1-d3])(;B[e1-e3]))(;FF[4]GM[9]SZ[8];B[d1-d3])";
        let loa = setting(GameId::Loa, None);
        assert_eq!(loa.openings(text, None), Ok(vec!["b1-b3 a2-c2 d1-d3".to_owned(), "d1-d3".to_owned()]));
        assert_eq!(loa.openings(text, Some(2)), Ok(vec!["b1-b3 a2-c2".to_owned(), "d1-d3".to_owned()]));
        let jump61 = setting(GameId::Jump61, None);
        assert!(matches!(jump61.openings(text, None), Err(OpeningError::Form(_))), "another game's file");
    }
}
