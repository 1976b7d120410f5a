//! The rules of the Melbourne checkers variant (COMP10002, 2021).
//!
//! Each rule has a number, which is used in the comments and in the names of its tests:
//!
//! 1. The board has 8×8 cells: rows 1 (top) to 8, columns A–H. Play is on the dark cells. White's men start on the dark
//!    cells of rows 1–3, Black's on those of rows 6–8. Black moves first.
//! 2. A man moves one cell diagonally forward onto an empty cell: Black moves up (north), White down.
//! 3. A tower also moves backward.
//! 4. A piece jumps over an adjacent enemy in a direction in which it may move, onto the empty cell behind it, and
//!    captures the enemy. A turn has at most one jump; capturing is never compulsory.
//! 5. A man that reaches the far row, by a move or a jump, becomes a tower immediately.
//! 6. A side that cannot act on its turn has lost.
//! 7. A match is drawn when a position occurs for the third time, or after 80 consecutive plies without a capture or a
//!    move of a man. There are no other draws.
//!
//! The course's text program and its minimax are in the crate `console`. The engine is in the module `player`, which
//! needs the feature `engine`.
//!
//! ```
//! use checkers::Position;
//! use game::Position as _;
//!
//! let mut p = Position::start();
//! for action in ["G6-F5", "H3-G4", "F5-H3"] {
//!     p.play(p.parse_move(action)?);
//! }
//! assert_eq!(p.cost(), 1);
//! assert_eq!(p.parse_move("F3-H5").unwrap_err().to_string(), "illegal move F3-H5: illegal action");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod cells;
mod diagram;
mod moves;
#[cfg(feature = "engine")]
pub mod player;
mod position;
mod refusal;
mod rules;
mod text;

pub use cell::{Cell, Direction};
pub use cells::{Cells, Iter};
pub use moves::Move;
pub use position::{Piece, Position, SetupError};
pub use refusal::Refusal;
