//! Measurements of engines against each other and against known results.
//!
//! * [`matches`](mod@matches): matches between two engines, in pairs of games.
//! * [`clock`]: time controls of matches.
//! * [`suite`]: positions with known results, for engines to solve.
//! * [`puzzles`]: positions with a task and a rating, from games between levels.
//! * [`samples`]: positions of an engine's games against itself, with their results, for the tuner.
//! * [`jobs`]: execution of all of these by this program, or by workers on other machines.
//! * [`progress`]: the progress bar of all long work.
//! * [`bench`](mod@bench): fixed searches whose node counts are the signature of the engines.
//!
//! Not here: the arithmetic of results (crate `rating`), third-party programs (crate `arena`), fits and fuzzing (crate
//! `lab`).
//!
//! ```
//! let problems = measure::suite::read(games::GameId::LOA, "------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1")?;
//! assert_eq!((problems.len(), problems[0].plies), (1, 1));
//! # Ok::<(), measure::suite::ProblemError>(())
//! ```

pub mod bench;
pub mod clock;
pub mod jobs;
pub mod matches;
pub mod progress;
pub mod puzzles;
pub mod samples;
pub mod suite;
