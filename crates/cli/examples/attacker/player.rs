//! Two dialects of agents, with random moves.

use std::error::Error;
use std::io::{self, BufRead, Write};

use game::{Position as _, SplitMix64};
use loa::{Move, Position, Square};

/// Chooses a random move. The choice depends only on the position.
fn choose(position: &Position) -> Option<Move> {
    position.random_move(&mut SplitMix64::new(position.key().0))
}

/// Plays a game over UGI. Before each move, calls `before_move` with the number of the move, counted from 1.
pub(crate) fn ugi(mut before_move: impl FnMut(u32)) -> Result<(), Box<dyn Error>> {
    let mut position = Position::start(8)?;
    let mut number = 0;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.split_first() {
            Some((&"ugi", _)) => "id name attacker\nugiok".to_owned(),
            Some((&"isready", _)) => "readyok".to_owned(),
            Some((&"position", rest)) => {
                position = parse(rest)?;
                continue;
            }
            Some((&"go", _)) => {
                number += 1;
                before_move(number);
                choose(&position).map_or_else(|| "bestmove 0000".to_owned(), |m| format!("bestmove {m}"))
            }
            Some((&"quit", _)) => break,
            _ => continue,
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

/// Parses the words after `position`.
fn parse(words: &[&str]) -> Result<Position, Box<dyn Error>> {
    let (start, moves) = words.split_at(words.iter().position(|&word| word == "moves").unwrap_or(words.len()));
    let mut position: Position = match start {
        ["fen", text @ ..] => text.join(" ").parse()?,
        _ => Position::start(8)?,
    };
    for text in moves.iter().skip(1) {
        position.play(position.parse_move(text)?);
    }
    Ok(position)
}

/// Answers a request of the 6×6 competition. Each move has its own process, so the number of the move comes from the
/// request.
pub(crate) fn nus(mut before_move: impl FnMut(u32)) -> Result<(), Box<dyn Error>> {
    let lines: Vec<String> = io::stdin().lock().lines().collect::<Result<_, _>>()?;
    if lines.first().is_some_and(|line| line == "identify") {
        return Ok(writeln!(io::stdout(), "attacker")?);
    }
    let [_, turns, _, rows @ ..] = &lines[..] else { return Err("incomplete request".into()) };
    let letter = |c| match c {
        'X' => 'b',
        'O' => 'w',
        _ => '-',
    };
    let rows: Vec<String> = rows.iter().map(|row| row.trim().chars().map(letter).collect()).collect();
    let position: Position = (rows.join("/") + " b").parse()?;
    before_move(turns.trim().parse::<u32>()?.div_ceil(2));
    let m = choose(&position).ok_or("no legal move")?;
    let square = |square: Square| format!("{}{}", char::from(b'A' + square.file()), 6 - square.rank());
    Ok(writeln!(io::stdout(), "{}{}", square(m.from), square(m.to))?)
}
