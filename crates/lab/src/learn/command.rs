//! `tune learn`: trains the learned evaluation from files of positions.

use core::fmt::Write as _;
use std::fs;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;

use arena::sha256;
use clap::Parser;
use games::GameId;
use measure::samples::{Sample, read};
use search::Policy as _;

use super::{Learning, Loss, held_back_loss, learn};
use crate::learn::learnable::Learnable;

/// The options of `tune learn`.
#[derive(Parser)]
#[command(name = "learn")]
pub struct Learn {
    /// The game: `loa`, `jump61`, `breakthrough` or `checkers`
    #[arg(value_parser = crate::game())]
    game: GameId,
    /// Files of positions, as written by `tune generate`
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// The file of the evaluation; the recipe is written to another file beside it
    #[arg(long)]
    out: PathBuf,
    /// Passes over all positions
    #[arg(long, default_value_t = Learning::default().epochs)]
    epochs: u32,
    /// Share of the search's score in the target; the rest is the game's result
    #[arg(long, default_value_t = Learning::default().score_share)]
    score_share: f32,
    /// Seed of the initial weights and of the order of the positions
    #[arg(long, default_value_t = Learning::default().seed)]
    seed: u64,
}

impl Learn {
    /// Trains the evaluation, writes it and its recipe, and prints the losses on the held-back positions.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written, or the training fails.
    pub fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let game = self.game;
        if game == GameId::LOA {
            self.train::<loa::Position>()
        } else if game == GameId::JUMP61 {
            self.train::<jump61::Position>()
        } else if game == GameId::BREAKTHROUGH {
            self.train::<breakthrough::Position>()
        } else if game == GameId::CHECKERS {
            self.train::<checkers::Position>()
        } else {
            Err(format!("{game} has no learned evaluation; expected loa, jump61, breakthrough or checkers").into())
        }
    }

    fn train<P: Learnable>(&self) -> Result<(), Box<dyn std::error::Error>> {
        let how =
            Learning { epochs: self.epochs, score_share: self.score_share, seed: self.seed, ..Learning::default() };
        let Learning { epochs, score_share, rate, decay, seed } = how;
        let mut recipe = format!(
            "tune learn {} --epochs {epochs} --score-share {score_share} --seed {seed} (rate {rate}, decay {decay})\n",
            self.game
        );
        let mut samples: Vec<Sample<P>> = Vec::new();
        for path in &self.samples {
            let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            writeln!(recipe, "{} {name}", sha256([&bytes[..]]))?;
            samples.extend(read::<P>(&bytes[..]).map_err(|error| format!("{}: {error}", path.display()))?);
        }
        let terms = P::terms();
        let before = held_back_loss(&samples, how, |p| terms.evaluate(p));
        let numbers = learn(&samples, how, show)?;
        let evaluate = P::evaluation(&numbers).ok_or("the trained numbers could overflow")?;
        let after = held_back_loss(&samples, how, evaluate);
        fs::write(&self.out, numbers.to_bytes(&P::LAYOUT, &sha256([recipe.as_bytes()])))?;
        fs::write(self.out.with_extension("recipe"), recipe)?;
        let mut out = stdout().lock();
        writeln!(out, "{} positions; bits of those held back, against results and targets:", samples.len())?;
        writeln!(
            out,
            "terms   {:.4} {:.4}\nlearned {:.4} {:.4}",
            before.results, before.targets, after.results, after.targets
        )?;
        Ok(())
    }
}

fn show(epoch: u32, loss: Loss) {
    let end = if stderr().is_terminal() { "\r" } else { "\n" };
    let _: io::Result<()> = write!(stderr(), "pass {epoch}: {:.4} {:.4} bits{end}", loss.results, loss.targets);
}
