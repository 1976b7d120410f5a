//! What a match or a tournament needs to know about numbers: which games are played, what the results say, when to stop.
//!
//! * [`Pairing`] and [`match_pairings`]: who plays whom, from which opening, with which colour.
//! * [`Tally`]: results counted in pairs of games from the same opening, Elo with its error, likelihood of superiority.
//! * [`Sprt`]: the sequential probability ratio test, in normalised Elo over pairs.
//!
//! Not here: any game, clocks, processes, files. All of it is arithmetic that can be checked with known answers.
//!
//! ```
//! use arena::{Sprt, Tally};
//!
//! // Pairs by points of the first player: 0, ½, 1, 1½, 2 (an LTC test of fishtest).
//! let tally = Tally::from_pairs([379, 10_170, 21_828, 10_640, 343]);
//! let nelo = tally.normalised_elo();
//! assert_eq!(format!("{:.2} ± {:.2}", nelo.value, nelo.error), "3.05 ± 2.31");
//! let llr = Sprt::new(0.0, 2.0, 0.05, 0.05).expect("bounds").llr(&tally);
//! assert!((llr - 2.945_98).abs() < 1e-3);
//! ```

mod elo;
mod pairing;
mod sprt;

pub use elo::{Estimate, Tally};
pub use pairing::{GameScore, Pairing, match_pairings};
pub use sprt::{Sprt, SprtError, Verdict};
