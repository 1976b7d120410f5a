//! Samples positions with forced wins from strong self-play, for test suites.
//!
//! The first lines of each suite in `testdata/suites/` have the command that made it.

use std::io::{IsTerminal, Write, stderr, stdout};

use clap::Parser;
use engine::{Built, PlayerOptions, Resources};
use games::{Game, GameId, Visitor, dispatch};
use lab::sampling::{Sampling, sample};
use search::Blind;

/// Sample positions with forced wins from games of an engine against itself
#[derive(Parser)]
#[command(name = "wins")]
struct Options {
    /// The game
    #[arg(value_parser = lab::game())]
    game: GameId,
    /// The engine, such as `nodes=5000`
    #[arg(long, default_value = "nodes=20000,horizon=0/0")]
    player: PlayerOptions,
    /// Squares per side
    #[arg(long)]
    size: Option<usize>,
    /// Number of positions
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Leave out wins within this many plies
    #[arg(long, default_value_t = 3)]
    easy: u32,
    /// Maximum length of the wins that the exact search looks for, in plies
    #[arg(long, default_value_t = 7)]
    exact: u32,
    /// Maximum length of the wins that the proof-number search looks for, in plies
    #[arg(long, default_value_t = 7)]
    longest: u32,
    /// Node limit of each proof search
    #[arg(long, default_value_t = 10_000_000)]
    proof_nodes: u64,
    /// Random moves of each opening
    #[arg(long, default_value_t = 8)]
    opening: u32,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    dispatch(options.game, options)
}

impl Visitor for Options {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<P: Game>(self) -> Self::Output {
        let start = P::start(self.size)?;
        let Built { mut engine, limits, .. } = self.player.make(&start, &Resources::default())?;
        let sampling = Sampling {
            easy: self.easy,
            exact: self.exact,
            longest: self.longest,
            proof_nodes: self.proof_nodes,
            opening_plies: self.opening,
        };
        let mut found = 0;
        for seed in self.seed.. {
            if found == self.count {
                break;
            }
            if let Some(problem) = sample(&start, (&mut *engine, &limits), &Blind, sampling, seed) {
                found += 1;
                writeln!(stdout(), "{problem}")?;
            }
            if stderr().is_terminal() {
                write!(stderr(), "\r{found} of {} positions in {} games ", self.count, seed + 1 - self.seed)?;
            }
        }
        Ok(())
    }
}
