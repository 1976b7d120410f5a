//! `plyhouse moves`.

use std::io::{BufRead, Write};

use anyhow::ensure;
use clap::Args;
use game::{Outcome, Position};
use games::{Entry, GameId, Visitor, dispatch, position};

use crate::input::Lines;

/// Read position texts, one a line, and print the legal moves of each, or who has won; the exit code is 1 if a line was
/// not a position
#[derive(Args)]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::game())]
    game: GameId,
    /// Accept only boards of this size, in squares a side
    #[arg(long, value_name = "N")]
    size: Option<usize>,
}

struct Moves<'a> {
    size: Option<usize>,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

pub(crate) fn run(options: &Options, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
    dispatch(options.game, Moves { size: options.size, input, out })
}

impl Visitor for Moves<'_> {
    type Output = anyhow::Result<()>;

    fn visit<E: Entry>(self) -> anyhow::Result<()> {
        // A wrong size is one error, not one for each line.
        E::start(self.size)?;
        let mut lines = Lines::trimmed(self.input);
        let mut refused = 0_u64;
        while let Some(line) = lines.next()? {
            let text = String::from_utf8_lossy(line);
            match position::<E>(Some(&text), self.size) {
                Ok(position) => writeln!(self.out, "{}", answer(&position))?,
                Err(error) => {
                    refused += 1;
                    writeln!(self.out, "error: {error:#}")?;
                }
            }
            // A caller may wait for this answer before it sends the next position.
            self.out.flush()?;
        }
        ensure!(refused == 0, "lines without a position: {refused}");
        Ok(())
    }
}

/// The sorted moves of an undecided position, or `black wins`.
fn answer<P: Position>(position: &P) -> String {
    if let Some(outcome) = position.outcome() {
        return result::<P>(outcome);
    }
    let mut moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    moves.sort_unstable();
    moves.join(" ")
}

/// `black wins`, `draw`.
pub(crate) fn result<P: Position>(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(side) => format!("{} wins", P::side_name(side).to_lowercase()),
        None => "draw".to_owned(),
    }
}
