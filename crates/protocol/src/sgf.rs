//! Lines of Action in the Smart Game Format, FF\[4\] GM\[9\] (<https://www.red-bean.com/sgf/loa.html>).
//!
//! ```
//! use protocol::sgf::{Game, read};
//!
//! let games = read("(;FF[4]GM[9]SZ[8]PB[Ann]PW[Bob];B[b1-b3];W[a2:c2++])")?;
//! assert_eq!(games[0].players, ["Ann", "Bob"]);
//! assert_eq!(games[0].moves, ["b1-b3", "a2-c2"]);
//! assert_eq!(read(&games[0].to_string())?, games);
//! # Ok::<(), protocol::sgf::SgfError>(())
//! ```

use core::fmt;

use game::text::excerpt;
use game::{Position as _, Side};
use loa::{Position, Square};
use thiserror::Error;

/// A game with its main line; other variations are dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Names of Black and White.
    pub players: [String; 2],
    /// Name of the event.
    pub event: String,
    /// The day, as in `2026-11-21`.
    pub date: String,
    /// `B+`, `W+`, `0` for a draw, or something like `B+Time`.
    pub result: String,
    /// A comment on the game.
    pub comment: String,
    /// Position text of the start, if it is not the usual one of 8×8.
    pub start: Option<String>,
    /// The moves in Plyhouse notation, each of which is legal.
    pub moves: Vec<String>,
}

/// The text is not a valid file in this format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SgfError {
    /// The form is wrong.
    #[error("SGF, byte {at}: {found} found, expected {expected}")]
    Form {
        /// Offset in bytes, from 0.
        at: usize,
        /// The text found there.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The file holds another game.
    #[error("SGF: GM[{0}] found, expected GM[9], Lines of Action")]
    OtherGame(String),
    /// A property has an invalid value.
    #[error("SGF: {name}[{value}]: {why}")]
    Value {
        /// The property.
        name: String,
        /// Its value.
        value: String,
        /// Why it is invalid.
        why: String,
    },
}

impl Game {
    /// The position before the first move.
    ///
    /// # Panics
    /// If `start` is not a valid position text.
    pub fn position(&self) -> Position {
        match &self.start {
            None => Position::start(8).expect("invariant: the game is played on 8x8"),
            Some(text) => text.parse().expect("a position text"),
        }
    }
}

impl Game {
    /// What a property tells about the game.
    fn info(&mut self, property: &str) -> Option<&mut String> {
        let [black, white] = &mut self.players;
        match property {
            "PB" => Some(black),
            "PW" => Some(white),
            "EV" => Some(&mut self.event),
            "DT" => Some(&mut self.date),
            "RE" => Some(&mut self.result),
            "GC" => Some(&mut self.comment),
            _ => None,
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.position();
        write!(f, "(;FF[4]GM[9]CA[UTF-8]AP[Plyhouse:{}]SZ[{}]", env!("CARGO_PKG_VERSION"), start.size())?;
        let [black, white] = &self.players;
        let info = [("PB", black), ("PW", white), ("EV", &self.event), ("DT", &self.date), ("RE", &self.result)];
        for (name, value) in info.into_iter().chain([("GC", &self.comment)]) {
            if !value.is_empty() {
                write!(f, "{name}[{}]", escaped(value))?;
            }
        }
        if Position::start(start.size()) != Ok(start) {
            for side in Side::BOTH {
                let name = ["AB", "AW"][side.index()];
                let squares: Vec<String> = squares(start.size())
                    .filter(|&square| start.at(square) == Some(side))
                    .map(|square| format!("[{square}]"))
                    .collect();
                if !squares.is_empty() {
                    write!(f, "{name}{}", squares.concat())?;
                }
            }
            if squares(start.size()).all(|square| start.at(square).is_none()) {
                // A set-up without pieces would look like no set-up.
                f.write_str("AE[a1]")?;
            }
            write!(f, "PL[{}]", ["B", "W"][start.side_to_move().index()])?;
        }
        let mut p = start;
        for (i, text) in self.moves.iter().enumerate() {
            let side = ["B", "W"][p.side_to_move().index()];
            let m = p.parse_move(text).map_err(|_| fmt::Error)?;
            let capture = p.at(m.to).is_some();
            let text = if capture { text.replace('-', ":") } else { text.clone() };
            let line_end = if i % 10 == 0 { "\n" } else { "" };
            write!(f, "{line_end};{side}[{text}]")?;
            p.play(m);
        }
        writeln!(f, ")")
    }
}

fn squares(size: usize) -> impl Iterator<Item = Square> {
    let size = size as u8;
    (0..size).flat_map(move |rank| (0..size).filter_map(move |file| Square::new(file, rank)))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Reads every game of a file.
///
/// # Errors
/// If it is not in this format, or a move is not legal.
pub fn read(text: &str) -> Result<Vec<Game>, SgfError> {
    let mut reader = Reader { text: text.trim_start_matches('\u{feff}'), at: 0 };
    let mut games = Vec::new();
    loop {
        reader.blanks();
        if reader.at == reader.text.len() {
            return if games.is_empty() { Err(reader.expected("`(;`")) } else { Ok(games) };
        }
        games.push(game(reader.tree()?)?);
    }
}

/// A property and its values.
type Property = (String, Vec<String>);
type Node = Vec<Property>;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn expected(&self, expected: &'static str) -> SgfError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("`{}`", excerpt(&c.to_string())));
        SgfError::Form { at: self.at, found, expected }
    }

    /// The nodes of a tree's main line.
    fn tree(&mut self) -> Result<Vec<Node>, SgfError> {
        if self.peek() != Some('(') {
            return Err(self.expected("`(`"));
        }
        self.next();
        let (mut nodes, mut depth, mut on_main_line) = (Vec::new(), 1_u32, true);
        while depth > 0 {
            self.blanks();
            match self.peek() {
                Some(';') => {
                    self.next();
                    let node = self.node()?;
                    if on_main_line {
                        nodes.push(node);
                    }
                }
                Some('(') => {
                    self.next();
                    depth += 1;
                }
                // The main line ends at the first closing bracket.
                Some(')') => {
                    self.next();
                    depth -= 1;
                    on_main_line = false;
                }
                _ => return Err(self.expected("`;`, `(` or `)`")),
            }
        }
        if nodes.is_empty() { Err(self.expected("a node before `)`")) } else { Ok(nodes) }
    }

    fn node(&mut self) -> Result<Node, SgfError> {
        let mut node = Vec::new();
        loop {
            self.blanks();
            let mut name = String::new();
            while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
                // Lower-case letters of older versions are ignored.
                if c.is_ascii_uppercase() {
                    name.push(c);
                }
                self.next();
            }
            if name.is_empty() {
                return Ok(node);
            }
            let mut values = Vec::new();
            loop {
                self.blanks();
                if self.peek() != Some('[') {
                    break;
                }
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.expected("`[` after the name of a property"));
            }
            node.push((name, values));
        }
    }

    fn value(&mut self) -> Result<String, SgfError> {
        self.next();
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    // An escaped line end is dropped.
                    Some('\n') => (),
                    Some(c) => value.push(c),
                    None => return Err(self.expected("`]`")),
                },
                Some(c) => value.push(c),
                None => return Err(self.expected("`]`")),
            }
        }
    }
}

fn wrong(name: &str, value: &str, why: &dyn ToString) -> SgfError {
    SgfError::Value { name: name.to_owned(), value: excerpt(value), why: why.to_string() }
}

fn game(nodes: Vec<Node>) -> Result<Game, SgfError> {
    let mut found = Game::default();
    let mut setup = Setup::default();
    let mut position = None;
    for (name, values) in nodes.into_iter().flatten() {
        let value = values[0].trim();
        match name.as_str() {
            "GM" if value != "9" => return Err(SgfError::OtherGame(excerpt(value))),
            "SZ" => {
                let size = value.parse().ok().filter(|size| (4..=8).contains(size));
                setup.size = Some(size.ok_or_else(|| wrong("SZ", value, &"expected 4 to 8"))?);
            }
            "AB" | "AW" | "AE" if position.is_none() => setup.add(&name, &values)?,
            "PL" if position.is_none() => setup.side = Some(value.to_ascii_lowercase()),
            // Resignations and the like are not moves on the board.
            "B" | "W" if !value.starts_with(|c: char| c.is_ascii_alphabetic()) || !value.contains(['-', ':']) => (),
            "B" | "W" => {
                if position.is_none() {
                    let start = setup.position()?;
                    found.start = (Position::start(8) != Ok(start)).then(|| start.to_string());
                    position = Some(start);
                }
                let p = position.as_mut().expect("invariant: it was just set");
                let side = if name == "B" { Side::First } else { Side::Second };
                if p.side_to_move() != side {
                    return Err(wrong(&name, value, &"it is the other side's turn"));
                }
                let text: String = value.chars().take(5).collect::<String>().to_ascii_lowercase().replace(':', "-");
                let m = p.parse_move(&text).map_err(|error| wrong(&name, value, &error))?;
                found.moves.push(m.to_string());
                p.play(m);
            }
            _ => {
                if let Some(info) = found.info(&name) {
                    value.clone_into(info);
                }
            }
        }
    }
    if position.is_none() {
        let start = setup.position()?;
        found.start = (Position::start(8) != Ok(start)).then(|| start.to_string());
    }
    Ok(found)
}

/// A board that the file sets up piece by piece.
#[derive(Default)]
struct Setup {
    size: Option<usize>,
    side: Option<String>,
    pieces: Vec<(Square, char)>,
}

impl Setup {
    fn add(&mut self, name: &str, values: &[String]) -> Result<(), SgfError> {
        let letter = match name {
            "AB" => 'b',
            "AW" => 'w',
            _ => '-',
        };
        for value in values {
            let text = value.trim().to_ascii_lowercase();
            let square = match text.as_bytes() {
                &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Square::new(file - b'a', rank - b'1'),
                _ => None,
            };
            self.pieces.push((square.ok_or_else(|| wrong(name, value, &"expected a square such as c4"))?, letter));
        }
        Ok(())
    }

    fn position(&self) -> Result<Position, SgfError> {
        let size = self.size.unwrap_or(8);
        let start = Position::start(size).map_err(|error| wrong("SZ", &size.to_string(), &error))?;
        if self.pieces.is_empty() && self.side.is_none() {
            return Ok(start);
        }
        let mut rows = vec![vec!['-'; size]; size];
        if self.pieces.is_empty() {
            let text = start.to_string();
            rows = text[..text.find(' ').unwrap_or(text.len())].split('/').map(|row| row.chars().collect()).collect();
        }
        for &(square, letter) in &self.pieces {
            let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
            if file >= size || rank >= size {
                return Err(wrong("SZ", &size.to_string(), &format!("{square} is not on this board")));
            }
            rows[size - 1 - rank][file] = letter;
        }
        let to_move = match self.side.as_deref() {
            None | Some("b" | "black") => "b",
            Some("w" | "white") => "w",
            Some(other) => return Err(wrong("PL", other, &"expected B or W")),
        };
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let text = format!("{} {to_move}", rows.join("/"));
        text.parse().map_err(|error| wrong("AB", &text, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    #[test]
    fn random_games_come_back_as_they_were() {
        for seed in 0..40 {
            let mut rng = SplitMix64::new(seed);
            let mut start = Position::start(4 + rng.below(5)).expect("a size");
            for _ in 0..7 {
                let legal = start.legal_moves();
                let Some(&m) = rng.choose(&legal) else { break };
                start.play(m);
            }
            if start.decided().is_some() {
                continue;
            }
            let (mut p, mut moves) = (start, Vec::new());
            for _ in 0..50 {
                let legal = p.legal_moves();
                let Some(&m) = rng.choose(&legal) else { break };
                moves.push(m.to_string());
                p.play(m);
            }
            let game = Game {
                players: ["A \\ ] [b]".to_owned(), "W".to_owned()],
                result: "B+".to_owned(),
                start: Some(start.to_string()),
                moves,
                ..Game::default()
            };
            assert_eq!(read(&game.to_string()), Ok(vec![game]));
        }
    }

    #[test]
    fn an_empty_board_comes_back() {
        let game = Game { start: Some("----/----/----/---- w".to_owned()), ..Game::default() };
        assert_eq!(read(&game.to_string()), Ok(vec![game]));
    }

    #[test]
    fn the_main_line_is_read_and_variations_are_not() {
        let text = "(;GM[9]C[a (b] ;B[b1-b3] (;W[a2:c2++];B[resign]) (;W[a3-d3]))\n(;GM[9])";
        let games = read(text).expect("two games");
        assert_eq!(games[0].moves, ["b1-b3", "a2-c2"]);
        assert_eq!(games[1], Game::default());
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, part) in [
            ("", "the end found, expected `(;`"),
            ("hello", "byte 0: `h` found"),
            ("é(;GM[9])", "byte 0: `é` found"),
            ("(;GM[1])", "GM[1]"),
            ("(;GM[9];B[b1-b4])", "B[b1-b4]: illegal move b1-b4"),
            ("(;GM[9];W[a2-c2])", "other side's turn"),
            ("(;GM[9]SZ[9])", "expected 4 to 8"),
            ("(;GM[9]AB[i1])", "square"),
            ("(;GM[9]SZ[4]AB[h8])", "not on this board"),
            ("(;GM[9]B[b1", "expected `]`"),
            ("(;GM[9]", "expected"),
            ("()", "a node"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
