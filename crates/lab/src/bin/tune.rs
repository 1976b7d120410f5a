//! Tunes evaluations: plays games of an engine against itself, fits weights to them, and prints the weights as source
//! code. Also tunes numbers of the search, and creates opening books.
//!
//! `docs/engine.md` has the recipe for the current weights.

use std::fs::File;
use std::io::{BufReader, IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use engine::{Playable, Resources};
use games::{Game, Visitor, dispatch};
use lab::book::MakeBook;
use lab::generate::Generate;
use lab::learn::{Compare, Learn};
use lab::openings::MakeOpenings;
use lab::spsa::Spsa;
use lab::tune::{Fit, fit, rows};
use measure::samples::read;

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
    /// Train a learned evaluation
    Learn(Learn),
    /// Play a match between two learned evaluations
    Compare(Compare),
    /// Make an opening book
    Book(MakeBook),
    /// Play games between two engines and write their beginnings
    Openings(MakeOpenings),
    /// Tune numbers of the search by matches between engines with slightly different numbers
    Spsa(Spsa),
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
        Command::Generate(options) => options.run(),
        Command::Learn(options) => options.run(),
        Command::Compare(options) => options.run(),
        Command::Book(options) => Ok(options.run()?),
        Command::Openings(options) => Ok(options.run()?),
        Command::Spsa(options) => Ok(options.run()?),
        // The default policy of these games is learned. Only the terms are fitted.
        Command::Fit(options) if options.evaluation == "loa" => {
            print_fit::<loa::Position>(&options, &loa::player::LoaPolicy::terms())
        }
        Command::Fit(options) if options.evaluation == "loa-reference" => {
            print_fit::<loa::Position>(&options, &loa::player::LoaPolicy::reference())
        }
        Command::Fit(options) if options.evaluation == "jump61" => {
            print_fit::<jump61::Position>(&options, &jump61::player::Jump61Policy::terms())
        }
        Command::Fit(options) if options.evaluation == "breakthrough" => {
            print_fit::<breakthrough::Position>(&options, &breakthrough::player::BreakthroughPolicy::terms())
        }
        Command::Fit(options) if options.evaluation == "checkers" => {
            print_fit::<checkers::Position>(&options, &checkers::player::CheckersPolicy::terms())
        }
        Command::Fit(options) => dispatch(options.evaluation.parse()?, options),
    }
}

/// Fits the current evaluation of a game.
impl Visitor for FitOptions {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<P: Game>(self) -> Self::Output {
        print_fit::<P>(&self, &P::policy(&Resources::default()))
    }
}

/// Fits the weights of a policy, beginning with its current weights, and prints them as rows of source code.
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
