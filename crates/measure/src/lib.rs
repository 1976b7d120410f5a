//! Measuring engines against each other and against known results.
//!
//! * [`matches`](mod@matches): matches between two engines, in pairs of games.
//! * [`clock`]: their clocks.
//! * [`suite`]: positions with known results, sampled from games and given to players to solve.
//! * [`puzzles`]: positions in which something is to be found, from games between levels, with a rating of each.
//! * [`samples`]: positions of an engine's games against itself, with their results, for the tuner.
//! * [`jobs`]: how all of these are done by this program, or by workers on other machines.
//! * [`progress`]: the progress bar of all long work.
//! * [`bench`](mod@bench): fixed searches whose nodes are the engines' signature.
//!
//! Not here: the arithmetic of results (crate `rating`), other people's programs (crate `arena`), fits and fuzzing
//! (crate `lab`).
//!
//! ```
//! let problems = measure::suite::read::<loa::Position>("------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1")?;
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
