//! `plyhouse perft`.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use games::{Entry, GameId, Visitor, dispatch, position};

/// Count the leaves of the game tree, to check and to time move generation
#[derive(Args)]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::game())]
    game: GameId,
    /// Squares a side
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Position text to start from, instead of the start position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Largest depth, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// For the largest depth, also print the count below each first move
    #[arg(long)]
    divide: bool,
}

struct Perft<'a> {
    options: &'a Options,
    out: &'a mut dyn Write,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    dispatch(options.game, Perft { options, out })
}

impl Visitor for Perft<'_> {
    type Output = anyhow::Result<()>;

    fn visit<E: Entry>(self) -> anyhow::Result<()> {
        let position = position::<E>(self.options.position.as_deref(), self.options.size)?;
        let start = Instant::now();
        let mut leaves = 0_u64;
        for depth in 1..=self.options.depth {
            let count = game::perft(&position, depth);
            leaves = leaves.saturating_add(count);
            writeln!(self.out, "{depth} {count}")?;
            self.out.flush()?;
        }
        let seconds = start.elapsed().as_secs_f64();
        if self.options.divide {
            for (m, count) in game::perft_divide(&position, self.options.depth) {
                writeln!(self.out, "{m} {count}")?;
            }
        }
        writeln!(self.out, "{:.0} leaves/s", leaves as f64 / seconds.max(1e-9))?;
        Ok(())
    }
}
