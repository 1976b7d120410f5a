//! Searches over any two-player game with perfect information.
//!
//! * [`AlphaBeta`] is the playing engine. It first runs an exact search for forced wins ([`ForcedWins`]) up to a
//!   horizon. Only a time limit can cut this search short. It then runs an iterative deepening principal variation
//!   search with a transposition table.
//! * [`Mcts`] is a Monte Carlo tree search with an [`Evaluator`], such as a neural network, instead of playouts.
//!   [`MctsPlayer`] is a playing engine with this search and a [`Policy`].
//! * [`ProofSearch`] looks for forced wins of any length.
//! * [`minimax`](fn@minimax) is the plain reference implementation that the searches are tested against.
//!
//! The rules of a game come from [`game::Position`]. Knowledge beyond the rules comes from a [`Policy`]. This crate has
//! no particular games and no text.
//!
//! A search uses only the clock and the threads of the [`Host`] that its caller passes; [`SYSTEM`] has those of the
//! operating system. With a node budget and one thread, the same seed gives the same moves on every machine.
//!
//! ```
//! use game::{Position, Record, examples::Nim};
//! use search::{AlphaBeta, Control, Engine, Limits, Policy, Settings};
//!
//! struct Novice; // knows only the rules
//! impl Policy<Nim> for Novice {
//!     type Accumulator = ();
//!     const SLOTS: usize = 4;
//!     fn evaluate(&self, _: &Nim) -> i32 { 0 }
//!     fn slot(&self, _: &Nim, m: <Nim as Position>::Move) -> usize { usize::from(Nim::pack(m)) }
//! }
//!
//! let game = Record::new("7 a".parse::<Nim>()?);
//! let mut player = AlphaBeta::new(Novice, Settings::default());
//! let choice = player.choose(&game, &Limits::depth(6), &mut Control::unattended()).expect("a move");
//! assert_eq!(choice.best.to_string(), "3"); // leaves four: every reply loses
//! assert_eq!(choice.score.win_distance(), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abdada;
mod alphabeta;
mod blind;
mod control;
mod deepen;
mod engine;
mod forced;
mod horizon;
mod host;
mod job;
mod key;
mod mcts;
mod memory;
mod minimax;
mod ordering;
mod params;
mod policy;
mod proof_search;
mod random;
mod root;
mod score;
mod settings;
mod system;
mod technique;
mod time_manager;
mod transposition;
mod tuning;
mod win_search;
mod window;
mod worker;

pub use alphabeta::AlphaBeta;
pub use blind::Blind;
pub use control::{Control, Limits, Listener, Progress, Stop, Stopped};
pub use engine::{Choice, Engine, Variation};
pub use forced::ForcedWins;
pub use host::{Clock, Host, Sequential, Threads, side_by_side};
pub use mcts::evaluator::{Evaluator, Leaf};
pub use mcts::plan::{Plan, PlannedMove};
pub use mcts::planning::Planning;
pub use mcts::player::MctsPlayer;
pub use mcts::policy_evaluator::PolicyEvaluator;
pub use mcts::search::Mcts;
pub use mcts::settings::{Gumbel, MctsSettings, RootRule};
pub use minimax::minimax;
pub use params::LONGEST_FORCED_WIN;
pub use policy::{Known, Policy};
pub use proof_search::{ProofSearch, Verdict};
pub use random::RandomMover;
pub use score::Score;
pub use settings::Settings;
pub use system::{SYSTEM, SystemThreads, now, with_large_stack};
pub use technique::{Technique, Techniques, UnknownTechnique};
pub use transposition::{Bound, Entry, TranspositionTable};
pub use tuning::Tuning;
