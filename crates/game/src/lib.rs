//! What every board game of the house has in common.
//!
//! A [`Position`] is one state of a two-player game with perfect information: who is to move, which moves there are,
//! what a move does and whether the game is decided. A [`Record`] is a game being played: its positions and moves, a
//! move limit, and how it finished. [`perft`](fn@perft) counts move sequences, [`conformance`] checks that a game keeps the
//! contract.
//!
//! What this crate is not: it knows no particular game, no search, no clock and no text protocol.
//!
//! ```
//! use game::{Position, Side};
//! use game::examples::Nim; // a heap of stones, one to three are taken in turn, who takes the last one wins
//!
//! let mut heap: Nim = "7 a".parse()?;
//! assert_eq!(heap.legal_moves().len(), 3);
//! let take_three = heap.parse_move("3")?;
//! heap.play(take_three);
//! assert_eq!(heap.to_string(), "4 b");
//! assert_eq!(heap.side_to_move(), Side::Second);
//! assert_eq!(game::perft(&heap, 2), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod conformance;
mod diagram;
mod error;
pub mod examples;
mod key;
mod outcome;
mod perft;
mod position;
mod record;
mod rng;
mod side;
pub mod text;
mod text_game;

pub use diagram::{Diagram, Mark, Tone};
pub use error::{MoveError, PositionError};
pub use key::Key;
pub use outcome::{Finish, MatchDraws, Outcome, Reason, Stuck};
pub use perft::{perft, perft_divide};
pub use position::Position;
pub use record::{LimitError, Origin, Record, Step};
pub use rng::SplitMix64;
pub use side::Side;
pub use text_game::TextGame;
