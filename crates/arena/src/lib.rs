//! Matches and tournaments: which games are played, by whom, what came of them and what that says.
//!
//! * [`Spec`], [`games`], [`run()`]: a tournament as its file describes it, its games, and playing them with a referee.
//! * [`Store`], [`GameLog`]: tournaments and games in a SQLite file.
//! * [`report()`]: a tournament as a static site.
//! * [`Standings`]: points, faults and [`ratings`] of everybody.
//! * [`Pairing`] and [`match_pairings`]: who plays whom, from which opening, with which colour.
//! * [`Tally`]: results counted in pairs of games from the same opening, Elo with its error, likelihood of superiority.
//! * [`Sprt`]: the sequential probability ratio test, in normalised Elo over pairs.
//!
//! Not here: any game, and how programs are spoken to. A [`House`] knows them.
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
mod log;
mod machine;
mod pairing;
mod plan;
mod rating;
mod report;
mod run;
mod spec;
mod sprt;
mod standings;
mod store;

pub use elo::{Estimate, Tally};
pub use log::{Begun, FaultLog, GameLog, MoveLog, ResultLog};
pub use machine::hash;
pub use pairing::{GameScore, Pairing, match_pairings};
pub use plan::{Agenda, Planned, TooFewOpenings, plan};
pub use rating::{Meeting, ratings};
pub use report::{ReportError, report};
pub use run::{House, RunError, games, run};
pub use spec::{AgentSpec, Format, OnFault, Spec, SpecError, Times, Words, read_agent};
pub use sprt::{Sprt, SprtError, Verdict};
pub use standings::{Standing, Standings};
pub use store::{Entrant, Hold, Store, StoreError, Tournament};
