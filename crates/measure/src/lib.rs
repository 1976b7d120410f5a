//! Measuring engines against each other and against known results.
//!
//! * [`matches`](mod@matches): matches between two engines in one process, in pairs of games.
//! * [`suite`]: positions with known results, sampled from games and given to players to solve.
//! * [`puzzles`]: positions in which something is to be found, from games between levels, with a rating of each.
//! * [`bench`](mod@bench): fixed searches whose nodes are the engines' signature.
//!
//! Not here: the arithmetic of results (crate `rating`), other people's programs (crate `arena`), tuning and fuzzing
//! (crate `lab`).
//!
//! ```
//! let problems = measure::suite::read::<loa::Position>("------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1")?;
//! assert_eq!((problems.len(), problems[0].plies), (1, 1));
//! # Ok::<(), measure::suite::ProblemError>(())
//! ```

pub mod bench;
pub mod matches;
pub mod puzzles;
pub mod suite;
