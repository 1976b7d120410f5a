//! `tune compare`: plays two learned evaluations against each other.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Parser;
use engine::{PlayerOptions, Resources};
use games::{GameId, Setting};
use measure::matches::Match;
use measure::progress::Bar;
use rating::Tally;

use crate::generate::learned;

/// The options of `tune compare`.
#[derive(Parser)]
#[command(name = "compare")]
pub struct Compare {
    /// The game
    #[arg(value_parser = crate::game())]
    game: GameId,
    /// File of the first evaluation, as written by `tune learn`
    first: PathBuf,
    /// File of the second evaluation; defaults to the built-in evaluation
    second: Option<PathBuf>,
    /// The engine that plays with both evaluations
    #[arg(long, default_value = "nodes=8000,horizon=0/0", value_parser = crate::words)]
    player: String,
    /// Squares per side
    #[arg(long)]
    size: Option<usize>,
    /// Number of pairs of games; the two games of a pair have the same opening
    #[arg(long, default_value_t = 200)]
    pairs: u64,
    /// Random moves of each opening
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// Number of moves after which a game is drawn, counting both sides
    #[arg(long, default_value_t = 200)]
    move_limit: u32,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games; this does not change the result
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
}

impl Compare {
    /// Plays the games and prints the score of the first evaluation.
    ///
    /// # Errors
    /// Returns an error if a file is not a learned evaluation of the game, or the player does not exist.
    pub fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let given = |path: &PathBuf| learned(self.game, self.size, path, &self.player);
        let first = given(&self.first)?;
        let second = self.second.as_ref().map_or_else(|| Ok(Resources::default()), given)?;
        let options: PlayerOptions = self.player.parse()?;
        let planned = Match {
            setting: Setting { size: self.size, ..Setting::new(self.game, self.move_limit) },
            opening_plies: self.opening,
            seed: self.seed,
            clock: None,
            players: [first, second].map(|resources| (options.clone(), resources)),
        };
        let (mut tally, bar) = (Tally::new(), Bar::new(false, 0));
        planned.run(0, self.pairs, usize::from(self.jobs), |games| {
            tally.add([games[0].score, games[1].score]);
            let (done, all) = (tally.count(), self.pairs);
            bar.show(done, all, &format!("{done}/{all} pairs  Elo {}", tally.elo()));
            true
        })?;
        bar.clear();
        let [wins, draws, losses] = tally.wins_draws_losses();
        let mut out = stdout().lock();
        writeln!(out, "games   {wins} won, {draws} drawn, {losses} lost by the first evaluation")?;
        writeln!(out, "Elo     {} (95 %)", tally.elo())?;
        Ok(())
    }
}
