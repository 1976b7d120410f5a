//! Tools for developers of Plyhouse: fuzzing, tuning, model checks, timings.
//!
//! * [`book`]: opening books from an engine's own searches.
//! * [`openings`]: beginnings of games between engines, for the opening explorer.
//! * [`cluster`]: a large tournament on one machine, with simulated workers that crash.
//! * [`coverage`]: how often the 95 % intervals of ratings contain the true values, by simulation.
//! * [`fuzz`]: a seeded driver that runs every parser with malformed input. `make fuzz` runs it for a minute on each
//!   target.
//! * [`sampling`]: positions with forced wins from an engine's games, for test suites.
//! * [`generate`]: games from which weights of evaluations are fitted. [`tune`]: fits the weights.
//! * [`spsa`]: tunes numbers of the search.
//! * `src/bin/proofs.rs`: a comparison of variants of the proof search. `growth.rs`: how the work of a proof grows with
//!   the size of the board. `threads.rs`: the speed-up of a search to a given depth with several threads.
//! * `benches/programs.rs`: whole-process timings of the courses' programs. `make bench` runs it.
//! * `tests/`: comparisons of the rules with the reference implementation, and fixtures with known answers.
//!
//! Not here: anything that users run. Matches, suites and the benchmark are in crate `measure`.
//!
//! ```
//! let target = lab::fuzz::Target::ALL[0];
//! let mut fuzzer = lab::fuzz::Fuzzer::new(target, 1);
//! for _ in 0..10 {
//!     fuzzer.step(); // panics on a finding, naming the input
//! }
//! ```

pub mod book;
#[cfg(unix)]
pub mod cluster;
pub mod coverage;
pub mod fuzz;
pub mod generate;
pub mod learn;
pub mod openings;
pub mod sampling;
pub mod spsa;
pub mod tune;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use engine::{PlayerOptions, PlayerOptionsError};
use games::GameId;

/// Returns a parser for the name of a game on a command line. Help and errors list all games.
pub fn game() -> impl TypedValueParser<Value = GameId> {
    let names = GameId::BUILT_IN.map(|game| PossibleValue::new(game.name()).help(game.title()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<GameId>())
}

/// Checks the description of a player.
fn words(text: &str) -> Result<String, PlayerOptionsError> {
    text.parse::<PlayerOptions>().map(|_| text.to_owned())
}

/// Runs the example of the project's README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
