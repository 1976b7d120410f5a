//! A request of the 6×6 Lines of Action competition (CS3243, 2007).
//!
//! ```
//! use console::loa6::{Request, RequestReader};
//!
//! let mut reader = RequestReader::default();
//! assert_eq!(reader.line(b"identify\r"), Ok(Some(Request::Identify)));
//! ```

use core::time::Duration;

use engine::{Built, PlayerOptions, Resources};
use game::text::excerpt;
use game::{Position as _, Record};
use loa::{Move, Position};
use search::{Control, Host, Stop};
use thiserror::Error;

/// Response to `identify`: at most 80 printable ASCII characters.
pub const NAME: &str = concat!("Plyhouse loa6 ", env!("CARGO_PKG_VERSION"));

const SIZE: usize = 6;
/// Maximum random change of an evaluation, in hundredths of a piece: enough to choose among similar moves.
const NOISE: u32 = 8;

/// A request to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A request for the agent's name.
    Identify,
    /// A request for a move of Black (`X`) in a position in which Black can move.
    Move(Position),
}

/// Errors in a request.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RequestError {
    /// A line is invalid.
    #[error("line {line}: `{found}` found, expected {expected}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Text of the line.
        found: String,
        /// Expected text.
        expected: String,
    },
    /// The input ended.
    #[error("line {line}: end of input, expected {expected}")]
    End {
        /// Number of the missing line, from 1.
        line: usize,
        /// Expected text.
        expected: String,
    },
    /// Black has no legal move.
    #[error("line {line}: X has no legal move on this board, expected a board where it has one")]
    Stuck {
        /// Number of the board's last line, from 1.
        line: usize,
    },
}

/// A reader of a request, line by line.
#[derive(Clone, Debug, Default)]
pub struct RequestReader {
    lines: Vec<String>,
}

impl RequestReader {
    /// Processes the next line, without its line end; the first may begin with a byte-order mark. Returns the request
    /// once it is complete.
    ///
    /// # Errors
    /// If the line is invalid.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Request>, RequestError> {
        let line = if self.lines.is_empty() { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches(|c: char| c.is_ascii_whitespace());
        if !fits(self.lines.len(), text) {
            let (line, found) = (self.lines.len() + 1, excerpt(text));
            return Err(RequestError::Line { line, found, expected: self.expected() });
        }
        if self.lines.is_empty() && text == "identify" {
            return Ok(Some(Request::Identify));
        }
        self.lines.push(text.to_owned());
        if self.lines.len() < 3 + SIZE { Ok(None) } else { self.position().map(|p| Some(Request::Move(p))) }
    }

    /// Returns the error for an input that ended before the request was complete.
    pub fn end(&self) -> RequestError {
        RequestError::End { line: self.lines.len() + 1, expected: self.expected() }
    }

    fn expected(&self) -> String {
        match self.lines.len() {
            0 => "`identify` or `move`".to_owned(),
            1 => "the number of turns elapsed".to_owned(),
            2 => "the board size, `6`".to_owned(),
            n => format!("row {} of the board, six characters `.`, `X` or `O`", n - 2),
        }
    }

    fn position(&self) -> Result<Position, RequestError> {
        let letter = |c| match c {
            'X' => 'b',
            'O' => 'w',
            _ => '-',
        };
        let rows: Vec<String> = self.lines[3..].iter().map(|row| row.chars().map(letter).collect()).collect();
        let position: Position = (rows.join("/") + " b").parse().expect("invariant: every row was checked");
        if position.is_stuck() { Err(RequestError::Stuck { line: self.lines.len() }) } else { Ok(position) }
    }
}

/// Returns `true` if a text is valid as the line after `lines_before` lines.
fn fits(lines_before: usize, text: &str) -> bool {
    match lines_before {
        0 => text == "identify" || text == "move",
        1 => is_integer(text.trim()),
        2 => text.trim().parse() == Ok(SIZE),
        _ => text.len() == SIZE && text.bytes().all(|b| matches!(b, b'.' | b'X' | b'O')),
    }
}

/// Returns `true` if the text is an integer of any size. Its value is not used.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Formats a move in the competition's notation: capitals, rows counted from the top.
pub fn answer(m: Move) -> String {
    let square = |square: loa::Square| format!("{}{}", char::from(b'A' + square.file()), SIZE as u8 - square.rank());
    square(m.from) + &square(m.to)
}

/// Chooses Black's move, within about this time on the host's clock; `None` if there is no legal move. In positions
/// that the shipped proof covers, the move is known to win. In other positions the agent may repeat moves, because a
/// request does not contain the earlier positions of the game. A seed that changes from turn to turn prevents this.
pub fn choose(p: &Position, time: Duration, seed: u64, host: Host) -> Option<Move> {
    if let Some(m) = proven(p, time, host) {
        return Some(m);
    }
    let mut player = player(p, time, seed);
    let choice = player.engine.choose(&Record::new(*p), &player.limits, &mut Control::on(host));
    choice.map(|choice| choice.best)
}

fn player(p: &Position, time: Duration, seed: u64) -> Built<Position> {
    let options = PlayerOptions { noise: Some(NOISE), movetime: Some(time), ..PlayerOptions::default() };
    let mut player = options.make(p, &Resources::default()).expect("invariant: every game has a present player");
    player.engine.new_game(seed);
    player
}

/// Returns a move of the shipped proof. The search beyond the end of the proof may take up to half of the time, but
/// usually takes far less.
fn proven(p: &Position, time: Duration, host: Host) -> Option<Move> {
    let stop = Stop::new();
    let stop = host.clock.map_or(stop.clone(), |clock| stop.after(clock, time / 2));
    proof::shipped().winning_move(p, stop).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request, RequestError> {
        let mut reader = RequestReader::default();
        for line in text.lines() {
            if let Some(request) = reader.line(line.as_bytes())? {
                return Ok(request);
            }
        }
        Err(reader.end())
    }

    /// Plays a game from the start in which the agent is Black. Returns the number of plies.
    fn plies_to_win(time: Duration, mut white: impl FnMut(&Record<Position>) -> Move) -> u32 {
        let mut game = Record::new(Position::start(6).expect("a size"));
        while game.finish().is_none() {
            let m = match game.position().side_to_move() {
                game::Side::First => choose(game.position(), time, 1, search::SYSTEM).expect("a move"),
                game::Side::Second => white(&game),
            };
            game.play(m);
        }
        let outcome = game.finish().map(|finish| finish.outcome);
        assert_eq!(outcome, Some(game::Outcome::Win(game::Side::First)), "{}", game.position());
        game.moves_made()
    }

    #[test]
    fn black_wins_from_the_start_against_random_moves() {
        for seed in 0..20 {
            let mut rng = game::SplitMix64::new(seed);
            let plies = plies_to_win(Duration::from_mins(1), |game| {
                *rng.choose(&game.position().legal_moves()).expect("a move")
            });
            assert!(plies <= 49, "{plies}");
        }
    }

    /// Run with `cargo test --release -p plyhouse-console ten_times -- --ignored --nocapture`.
    #[test]
    #[ignore = "takes minutes"]
    fn black_wins_against_the_engine_with_ten_times_the_time() {
        for seed in 0..3 {
            let mut player = player(&Position::start(6).expect("a size"), Duration::from_secs(15), seed);
            let white = |game: &Record<Position>| {
                player.engine.choose(game, &player.limits, &mut Control::on(search::SYSTEM)).expect("a move").best
            };
            let plies = plies_to_win(Duration::from_millis(1500), white);
            assert!(plies <= 49, "{plies}");
        }
    }

    #[test]
    fn rows_count_from_the_top_in_the_competition() {
        let start = read("move\n1\n6\n.XXXX.\nO....O\nO....O\nO....O\nO....O\n.XXXX.\n");
        let start_position = Position::start(6).expect("a size");
        assert_eq!(start, Ok(Request::Move(start_position)));
        let m = start_position.parse_move("b6-b4").expect("a legal move");
        assert_eq!(answer(m), "B1B3");
    }

    #[test]
    fn blanks_at_line_ends_and_any_number_of_turns() {
        let text = "move \r\n-99999999999999999999\r\n6 \n.XXXX. \r\nO....O\t\nO....O\nO....O\nO....O\n.XXXX.";
        assert!(matches!(read(text), Ok(Request::Move(_))));
        assert_eq!(read("identify"), Ok(Request::Identify));
        assert_eq!(read(&format!("\u{feff}{text}")), read(text));
        assert!(read("move\n\u{feff}1\n").is_err_and(|error| error.to_string().starts_with("line 2: ")));
        assert!(NAME.len() <= 80 && NAME.bytes().all(|b| (b' '..=b'~').contains(&b)));
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        for (text, expected) in [
            ("", "line 1: end of input, expected `identify` or `move`"),
            ("Move\n", "line 1: `Move` found, expected `identify` or `move`"),
            ("move\nx\n", "line 2: `x` found, expected the number of turns elapsed"),
            ("move\n1\n8\n", "line 3: `8` found, expected the board size, `6`"),
            (
                "move\n1\n6\n.XXXX\n",
                "line 4: `.XXXX` found, expected row 1 of the board, six characters `.`, `X` or `O`",
            ),
            (
                "move\n1\n6\n.XXXX.\nO....o",
                "line 5: `O....o` found, expected row 2 of the board, six characters `.`, `X` or `O`",
            ),
            (
                "move\n1\n6\n.XXXX.\n",
                "line 5: end of input, expected row 2 of the board, six characters `.`, `X` or `O`",
            ),
            (
                "move\n1\n6\n......\nO....O\nO....O\nO....O\nO....O\n......\n",
                "line 9: X has no legal move on this board, expected a board where it has one",
            ),
        ] {
            assert_eq!(read(text).map_err(|error| error.to_string()), Err(expected.to_owned()), "{text}");
        }
    }
}
