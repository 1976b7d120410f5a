//! Statistics and pairings of matches and tournaments.
//!
//! * [`Pairing`] and [`match_pairings`]: the games of a match, in pairs from the same opening with colours exchanged.
//! * [`Tally`]: results counted in such pairs, Elo with its error, and the likelihood of superiority.
//! * [`Sprt`]: the sequential probability ratio test, over pairs.
//! * [`Ratings`]: Elo of several players from the results between them, with errors.
//! * [`LadderRatings`]: ratings of a ladder, in which players are replaced by newer versions.
//! * [`Groups`]: the groups of players whose ratings are comparable.
//! * [`performance`], [`estimate`]: the rating of one player, or of a puzzle, from results against known ratings.
//! * [`swiss`], [`knockout`]: the pairings of the next round.
//!
//! Not here: playing, storing, printing.
//!
//! ```
//! use rating::{Sprt, Tally};
//!
//! // Pairs by points of the first player: 0, ½, 1, 1½, 2 (an LTC test of fishtest).
//! let tally = Tally::from_pairs([379, 10_170, 21_828, 10_640, 343]);
//! let nelo = tally.normalised_elo().expect("pairs differ");
//! assert_eq!(format!("{:.2} ± {:.2}", nelo.value, nelo.error), "3.05 ± 2.31");
//! let llr = Sprt::new(0.0, 2.0, 0.05, 0.05).expect("bounds").llr(&tally);
//! assert!((llr - 2.945_98).abs() < 1e-3);
//! ```

mod elo;
mod groups;
pub mod knockout;
mod ladder;
mod linear;
mod pairing;
mod performance;
mod ratings;
mod sprt;
pub mod swiss;

pub use elo::{Estimate, Tally, Z95, signed};
pub use groups::Groups;
pub use ladder::{LadderRatings, Results};
pub use pairing::{GameScore, Pairing, match_pairings};
pub use performance::{Guess, estimate, performance};
pub use ratings::{Meeting, Ratings};
pub use sprt::{Model, Sprt, SprtError, Verdict};
