//! The common part of the Universal Game Interface and of the Universal Chess Interface.

use core::time::Duration;
use std::collections::BTreeMap;

use game::{Side, TextGame};

use crate::dialect::{Heard, Info, Score, TimeLeft};

/// Options of an engine, by name.
pub type EngineOptions = BTreeMap<String, String>;

/// Returns the line that sets an option.
pub(super) fn set_option(name: &str, value: &str) -> String {
    format!("setoption name {name} value {value}")
}

/// Returns the lines that set these options, in alphabetical order.
pub(super) fn set_options(options: &EngineOptions) -> impl Iterator<Item = String> {
    options.iter().map(|(name, value)| set_option(name, value))
}

/// Notation of positions and moves in an interface, as functions from Plyhouse notation.
pub(super) struct Notation {
    /// Converts a position text.
    pub(super) position: fn(&str) -> String,
    /// Converts a move.
    pub(super) written: fn(&str) -> String,
}

/// Returns the line that sends a game. `startpos` stands for `usual_start`.
pub(super) fn position(game: &dyn TextGame, usual_start: &str, notation: &Notation) -> String {
    let start = game.start();
    let mut line = if start == usual_start {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", (notation.position)(&start))
    };
    let moves = game.moves();
    if !moves.is_empty() {
        line += " moves";
    }
    for text in moves {
        line.extend([" ", &(notation.written)(&text)]);
    }
    line
}

/// Interprets the lines that both interfaces have.
pub(super) fn hear(line: &str) -> Heard {
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some("readyok"), _) => Heard::Ready,
        (Some("bestmove"), Some(text @ ("0000" | "(none)"))) => {
            Heard::Unreadable(format!("`bestmove {text}`: it has no move for the position, or has refused it"))
        }
        (Some("bestmove"), Some(text)) => Heard::Move(text.to_owned()),
        (Some("bestmove"), None) => Heard::Unreadable("`bestmove` without a move".to_owned()),
        (Some("info"), Some(_)) => info(line).map_or(Heard::Nothing, Heard::Info),
        _ => Heard::Nothing,
    }
}

/// Returns the time to send to an engine. It is slightly less than the actual time, because sending the request and the
/// answer takes time, too.
fn told(time: Duration) -> u128 {
    (time * 95 / 100).saturating_sub(Duration::from_millis(20)).as_millis().max(1)
}

/// Returns the line that requests a move. `sides` are the interface's prefixes of the clocks of both sides.
pub(super) fn go(clock: &TimeLeft, side: Side, sides: [&str; 2]) -> String {
    let mut words = vec!["go".to_owned()];
    if clock.left[side.index()].is_some() {
        let times = clock.left.into_iter().zip(sides);
        words.extend(times.filter_map(|(left, side)| Some(format!("{side}time {}", told(left?)))));
        let increments = clock.increment.into_iter().zip(sides);
        words.extend(increments.map(|(time, side)| format!("{side}inc {}", time.as_millis())));
    } else {
        words.extend(clock.limit.map(|limit| format!("movetime {}", told(limit))));
    }
    words.extend(clock.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(clock.depth.map(|depth| format!("depth {depth}")));
    if words.len() == 1 {
        words.push("movetime 1000".to_owned());
    }
    words.join(" ")
}

/// Maximum number of stored moves of a principal variation, and maximum length of each move in bytes.
pub(super) const LONGEST_LINE: (usize, usize) = (64, 16);

/// Parses the parts of an `info` line that the record keeps. Returns `None` if there are none, or if the line does not
/// describe the best variation.
fn info(line: &str) -> Option<Info> {
    let mut info = Info::default();
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        match word {
            // The rest of the line is text for users.
            "string" => break,
            "multipv" if words.next()? != "1" => return None,
            "depth" => info.depth = words.next()?.parse().ok(),
            "nodes" => info.nodes = words.next()?.parse().ok(),
            "score" => info.score = score(words.next()?, words.next()?),
            "pv" => {
                let (most, longest) = LONGEST_LINE;
                let is_move = |word: &&str| word.len() <= longest && word.chars().all(|c| c.is_ascii_graphic());
                info.pv = words.by_ref().take_while(is_move).take(most).map(str::to_owned).collect();
            }
            _ => (),
        }
    }
    (info != Info::default()).then_some(info)
}

/// Parses `cp 37`, `win 5` and `loss 8` in plies, or `mate 3` in moves as in UCI.
fn score(kind: &str, value: &str) -> Option<Score> {
    match kind {
        "cp" => value.parse().ok().map(Score::Units),
        "win" => value.parse().ok().map(Score::Win),
        "loss" => value.parse().ok().map(Score::Loss),
        "mate" => match value.parse::<i32>().ok()? {
            moves @ 1.. => Some(Score::Win(moves.unsigned_abs().saturating_mul(2) - 1)),
            moves => Some(Score::Loss(moves.unsigned_abs().saturating_mul(2))),
        },
        _ => None,
    }
}
