//! Searches over any two-player game with perfect information.
//!
//! * [`AlphaBeta`] is the playing engine: iterative deepening principal variation search with a transposition table.
//!   Before it runs an exact search for forced wins ([`ForcedWins`]) up to a horizon that is always finished.
//! * [`ProofSearch`] looks for forced wins of any length.
//! * [`minimax`](fn@minimax) is the plain reference that the searches are tested against.
//!
//! A search knows the rules of a game through [`game::Position`], and what a player knows beyond them through
//! [`Policy`].
//!
//! Not here: any particular game, any text, any clock and any thread. A [`Host`] hands in the last two. With a node
//! budget and one thread, the same seed gives the same moves on every machine.
//!
//! ```
//! use game::{Position, Record, examples::Nim};
//! use search::{AlphaBeta, Control, Engine, Limits, Policy, Settings};
//!
//! struct Blind; // knows nothing but the rules
//! impl Policy<Nim> for Blind {
//!     const SLOTS: usize = 4;
//!     fn evaluate(&self, _: &Nim) -> i32 { 0 }
//!     fn slot(&self, _: &Nim, m: <Nim as Position>::Move) -> usize { usize::from(Nim::pack(m)) }
//! }
//!
//! let game = Record::new("7 a".parse::<Nim>()?);
//! let mut player = AlphaBeta::new(Blind, Settings::default());
//! let choice = player.choose(&game, &Limits::depth(6), &mut Control::unattended()).expect("a move");
//! assert_eq!(choice.best.to_string(), "3"); // leaves four
//! assert_eq!(choice.score.win_distance(), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabeta;
mod busy;
mod control;
mod deepen;
mod engine;
mod forced;
mod host;
mod job;
mod key;
mod minimax;
mod ordering;
mod params;
mod policy;
mod proof_search;
mod random;
mod root;
mod score;
mod settings;
mod technique;
mod transposition;
mod window;
mod worker;

pub use alphabeta::AlphaBeta;
pub use control::{Control, Limits, Listener, Progress, Stop, Stopped};
pub use engine::{Choice, Engine, Variation};
pub use forced::ForcedWins;
pub use host::{Clock, Host, Sequential, Threads, side_by_side};
pub use minimax::minimax;
pub use policy::{Known, Policy, Pruning};
pub use proof_search::{ProofSearch, Verdict};
pub use random::RandomMover;
pub use score::Score;
pub use settings::Settings;
pub use technique::{Technique, Techniques, UnknownTechnique};
pub use transposition::{Bound, Entry, TranspositionTable};
