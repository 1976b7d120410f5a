//! `plyhouse moves`.

use std::io::{BufRead, Write};

use anyhow::bail;
use clap::Args;
use game::Outcome;
use games::{AnyRecord, GameId};

use crate::input::Lines;

/// Read position texts, one per line, and print the legal moves or the result of each; the exit code is 1 if a line is
/// not a position
#[derive(Args)]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::game())]
    game: GameId,
    /// Accept only boards of this size, in squares per side
    #[arg(long, value_name = "N")]
    size: Option<usize>,
}

pub(crate) fn run(options: &Options, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
    let Options { game, size } = *options;
    // Reports a wrong size once, not for each line.
    game.start(size)?;
    let mut lines = Lines::trimmed(input);
    let mut refused = 0_u64;
    while let Some(line) = lines.next()? {
        let text = String::from_utf8_lossy(line);
        match game.position(Some(&text), size) {
            Ok(position) => writeln!(out, "{}", answer(&*position))?,
            Err(error) => {
                refused += 1;
                writeln!(out, "error: {error:#}")?;
            }
        }
        // A caller may wait for this answer before it sends the next position.
        out.flush()?;
    }
    match refused {
        0 => Ok(()),
        1 => bail!("1 line is not a position"),
        _ => bail!("{refused} lines are not positions"),
    }
}

/// Returns the result, or the moves in alphabetical order.
fn answer(position: &dyn AnyRecord) -> String {
    if let Some(outcome) = position.outcome() {
        return result(position, outcome);
    }
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    moves.join(" ")
}

/// Returns a result in words: `black wins`.
pub(crate) fn result(record: &dyn AnyRecord, outcome: Outcome) -> String {
    match outcome.winner() {
        Some(side) => format!("{} wins", record.side_name(side).to_lowercase()),
        None => "draw".to_owned(),
    }
}
