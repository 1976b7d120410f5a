//! The rules of the Melbourne checkers variant (COMP10002, 2021).
//!
//! Each rule has a number, used in the comments and in the names of its tests:
//!
//! 1. 8×8 cells, rows 1 (top) to 8, columns A–H, play on the dark cells. White men on the dark cells of rows 1–3,
//!    Black's on rows 6–8. Black opens.
//! 2. A man moves one cell diagonally forward onto an empty cell: Black goes up (north), White down.
//! 3. A tower moves backward, too.
//! 4. A piece jumps over an adjacent enemy in a direction in which it may move, onto the empty cell behind, and removes
//!    it. One jump a turn; capturing is never compulsory.
//! 5. A man that reaches the far row, by a move or a jump, becomes a tower immediately.
//! 6. A side that cannot act on its turn has lost.
//! 7. A match is drawn when a position occurs for the third time, or after 80 plies in a row without a capture or a
//!    move of a man. No other game is drawn.
//!
//! Not here: the course program's text and its minimax (crate `console`). The game has no other draws than those of
//! rule 7.
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
mod position;
mod text;

pub use cell::{Cell, Direction};
pub use cells::{Cells, Iter};
pub use position::{Move, Piece, Position, Refusal, SetupError};
