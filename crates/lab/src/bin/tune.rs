//! Tunes evaluations: plays games of an engine against itself, fits weights to them, prints them as source code.
//!
//! `docs/engine.md` has the recipe of the weights in use.

use std::fs::File;
use std::io::{BufReader, BufWriter, IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::{Parser, Subcommand};
use engine::{Built, Playable, PlayerOptions, Resources};
use game::SplitMix64;
use games::{Entry, GameId, Visitor, dispatch};
use lab::tune::{Fit, Recipe, fit, play, read, rows, write};

/// Tune an evaluation
#[derive(Parser)]
#[command(name = "tune")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of an engine against itself and write their positions
    Generate(Generate),
    /// Fit weights to positions and print them
    Fit(FitOptions),
}

#[derive(Parser)]
struct Generate {
    /// The game
    #[arg(value_parser = lab::game())]
    game: GameId,
    /// The engine, such as `nodes=5000`
    #[arg(long, default_value = "nodes=3000,horizon=0/0")]
    player: PlayerOptions,
    /// Squares a side
    #[arg(long)]
    size: Option<usize>,
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Random moves of each opening
    #[arg(long, default_value_t = 8)]
    opening: u32,
    /// A game is a draw after this many moves of both sides together
    #[arg(long, default_value_t = 200)]
    move_limit: u32,
    /// Fixes the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time; this changes their order in the file, not the games
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The file of positions
    #[arg(long)]
    out: PathBuf,
}

#[derive(Parser)]
struct FitOptions {
    /// A game, or `loa-reference`
    evaluation: String,
    /// Files of positions
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Passes over all positions
    #[arg(long, default_value_t = 30)]
    epochs: u32,
    /// Share of the search's score in the target; the rest is the game's result
    #[arg(long, default_value_t = 0.3)]
    score_share: f32,
    /// Weight decay
    #[arg(long, default_value_t = 1e-6)]
    decay: f32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match Options::parse().command {
        Command::Generate(options) => dispatch(options.game, options),
        // The only evaluation that is not a game's present one.
        Command::Fit(options) if options.evaluation == "loa-reference" => {
            print_fit::<loa::Position>(&options, &engine::loa::LoaPolicy::reference())
        }
        Command::Fit(options) => dispatch(options.evaluation.parse()?, options),
    }
}

impl Visitor for Generate {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<E: Entry>(self) -> Self::Output {
        let start = E::start(self.size)?;
        let out = Mutex::new(BufWriter::new(File::create(&self.out)?));
        let (next, positions) = (AtomicU64::new(0), AtomicU64::new(0));
        let work = || -> std::io::Result<()> {
            let Built { mut engine, limits, .. } =
                self.player.make(&start, &Resources::default()).map_err(std::io::Error::other)?;
            let recipe = Recipe { opening_plies: self.opening, move_limit: self.move_limit, limits };
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games {
                    return Ok(());
                }
                let seed = SplitMix64::new(self.seed.wrapping_add(number)).next_u64();
                let samples = play(&start, &mut *engine, recipe, seed);
                let count = positions.fetch_add(samples.len() as u64, Ordering::Relaxed) + samples.len() as u64;
                write(&samples, &mut *out.lock().unwrap_or_else(PoisonError::into_inner))?;
                if number % 100 == 99 && stderr().is_terminal() {
                    write!(stderr(), "\r{}/{} games, {count} positions ", number + 1, self.games)?;
                }
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })?;
        out.lock().unwrap_or_else(PoisonError::into_inner).flush()?;
        writeln!(stderr(), "\r{} games, {} positions", self.games, positions.load(Ordering::Relaxed))?;
        Ok(())
    }
}

/// Fits the present evaluation of a game.
impl Visitor for FitOptions {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<E: Entry>(self) -> Self::Output {
        print_fit::<E::Position>(&self, &E::Position::policy(&Resources::default()))
    }
}

/// Fits the weights of a policy, beginning with those it has, and prints them as rows of the source.
fn print_fit<P: Playable>(options: &FitOptions, policy: &P::Policy) -> Result<(), Box<dyn std::error::Error>> {
    let mut samples = Vec::new();
    for path in &options.samples {
        samples.extend(read::<P>(BufReader::new(File::open(path)?))?);
    }
    let how = Fit { epochs: options.epochs, score_share: options.score_share, decay: options.decay };
    let fitted = fit(
        &samples,
        |p| p.breakdown(policy),
        how,
        |epoch, loss| {
            if stderr().is_terminal() {
                let _ = write!(stderr(), "\rpass {epoch}: {loss:.5} bits ");
            }
        },
    );
    let mut out = stdout().lock();
    writeln!(out, "// {} positions; {:.5} bits before, {:.5} after", samples.len(), fitted.loss[0], fitted.loss[1])?;
    write!(out, "{}", rows(&fitted.weights))?;
    Ok(())
}
