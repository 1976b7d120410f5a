//! The rules of Jump61 (`KJumpingCube` without chance), on boards of 2×2 to 10×10.
//!
//! Each rule has a number, which is used in the comments and in the names of its tests:
//!
//! 1. The board has N×N squares, with row 1 at the top. Every square starts neutral with one spot. Red moves first.
//! 2. A move adds one spot to a square that is not the opponent's, and colours the square. A square with more spots
//!    than orthogonal neighbours is overfull: it gives one spot to each neighbour, and the neighbours take its colour.
//!    This repeats until no square is overfull or one colour has every square.
//! 3. A side wins when it has every square. A side without squares has not lost while there are neutral squares.
//! 4. The winner does not depend on the order of topples, but the final board may. Here all squares that are overfull
//!    at the same time topple at the same time, in waves, so that a mirrored position gives the mirrored result.
//! 5. The side to move follows from the board: it is Red if (spots − N²) is even.
//!
//! The engine is in the module `player`, which needs the feature `engine`.
//!
//! ```
//! use game::Position as _;
//! use jump61::Position;
//!
//! let mut p = Position::start(2)?;
//! for m in ["1:1", "1:2", "2:1"] {
//!     p.play(p.parse_move(m)?);
//! }
//! assert_eq!(p.to_string(), "2r2b/2r1-");
//! p.play(p.parse_move("1:2")?);
//! assert_eq!(p.decided(), Some(game::Outcome::Win(game::Side::Second)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod code;
mod diagram;
mod geometry;
mod moves;
#[cfg(feature = "engine")]
pub mod player;
mod position;
mod refusal;
mod rules;
mod spots;
mod squares;
mod text;

pub use moves::Move;
pub use position::{OffBoard, Pile, Position, SetupError, SizeError};
pub use refusal::Refusal;
pub use squares::{Iter, Square, Squares};
