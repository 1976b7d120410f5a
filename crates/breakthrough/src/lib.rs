//! The rules of Breakthrough, on boards of 4×4 to 8×8.
//!
//! Dan Troyka invented Breakthrough in 2000. It won the 8×8 Game Design Competition of 2001. Each rule has a number,
//! which is used in the comments and in the names of its tests:
//!
//! 1. Columns count from `a` on the left, ranks from 1 at the bottom. White fills the two bottom ranks, Black the two
//!    top ranks. White moves first.
//! 2. A piece moves one square forward, straight or diagonally, onto an empty square. White moves up the board, Black
//!    down.
//! 3. A piece captures by moving one square diagonally forward onto an opponent's piece. It never captures straight
//!    ahead, and capturing is never compulsory.
//! 4. A side with a piece on its far rank has won: White on the top rank, Black on the bottom rank.
//! 5. A side whose opponent has no piece left has won.
//! 6. There is no draw, and an undecided position always has a move.
//!
//! ```text
//! 8  b b b b b b b b      The start on 8×8. A position text has the same rows from the top, joined by `/`,
//! 7  b b b b b b b b      then the side to move: `bbbbbbbb/bbbbbbbb/--------/…/wwwwwwww/wwwwwwww w`.
//! 6  - - - - - - - -
//! 5  - - - - - - - -
//! 4  - - - - - - - -
//! 3  - - - - - - - -
//! 2  w w w w w w w w
//! 1  w w w w w w w w
//!    a b c d e f g h
//! ```
//!
//! # Proof of rule 6
//!
//! In an undecided position the side to move has a piece (rule 5). Take one of its pieces that are furthest forward.
//! The piece is not on the far rank (rule 4), so there is a rank ahead of it, and on that rank at least one square is
//! diagonally ahead. This square holds no piece of the same side, because no such piece is further forward. So the
//! square is empty and the piece can move there (rule 2), or the square holds an opponent's piece and the piece can
//! capture it (rule 3).
//!
//! Every move brings a piece one rank forward, so every game ends. A game on 8×8 takes at most 208 plies: each side has
//! eight pieces with seven ranks ahead of them and eight pieces with six.
//!
//! # Conventions
//!
//! * White at the bottom moves first, as on Little Golem and `PlayStrategy`. In `OpenSpiel` Black moves first, from the
//!   top. It is the same game with top and bottom exchanged.
//! * Moves are written as on Little Golem: `a2-a3`, and `b4xa3` for a capture. The parser also accepts `a2a3`, `b4a3`,
//!   `b4-a3` and, as in `OpenSpiel`, `b4a3*`.
//! * The inventor's own file for Zillions of Games has boards from 5×5 to 8×8. 4×4 follows the same rule: two full
//!   ranks for each side, so the first move is a capture. A 3×3 board has no room for two ranks for each side.
//! * A position that was set up may satisfy rule 4 or 5 for both sides. Then the side that has just moved has won.
//!
//! # Known results
//!
//! The second player wins on 4×4 in 14 plies and on 5×5 in 26 plies; `docs/solving-breakthrough.md` has certificates.
//! `tests/small_boards.rs` also proves 4×4, by another search. The result on 5×5 agrees with a program by "Tasmanian
//! Devil" (Little Golem forum, "5x5 solved", 2006). Saffidine, Jouandeau and Cazenave, "Solving Breakthrough with Race
//! Patterns and Job-Level Proof Number Search" (2011), describe how 6×5 boards are solved.
//!
//! The engine is in the module `player`, which needs the feature `engine`.
//!
//! ```
//! use breakthrough::Position;
//! use game::Position as _;
//!
//! let mut p = Position::start(6)?;
//! assert_eq!(p.legal_moves().len(), 16);
//! p.play(p.parse_move("b2-b3")?);
//! p.play(p.parse_move("c5-c4")?);
//! p.play(p.parse_move("b3xc4")?);
//! assert_eq!(p.to_string(), "bbbbbb/bb-bbb/--w---/------/w-wwww/wwwwww b");
//!
//! let too_far = p.parse_move("a5-a3").unwrap_err().to_string();
//! assert_eq!(too_far, "illegal move a5-a3: a piece moves exactly one square forward, straight or diagonally");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod moves;
#[cfg(feature = "engine")]
pub mod player;
mod position;
mod refusal;
mod rules;
mod text;

#[doc(inline)]
pub use board::{Bitboard, SetupError, SizeError, Square, Squares};
pub use moves::Move;
pub use position::Position;
pub use refusal::Refusal;
