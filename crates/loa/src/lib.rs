//! The rules of Lines of Action, on boards of 4×4 to 8×8.
//!
//! The rules are those of the courses CS61B (Berkeley) and CS3243 (NUS). Each rule has a number, which is used in the
//! comments and in the names of its tests:
//!
//! 1. Columns count from `a` on the left, ranks from 1 at the bottom. Black's pieces start on the first and last rank,
//!    White's on the first and last file; the corners are empty. Black moves first.
//! 2. A piece moves along a file, rank or diagonal exactly as many squares as there are pieces of both colours on that
//!    whole line. It may jump over its own pieces but not over enemy pieces. It may not land on its own pieces; landing
//!    on an enemy piece captures it.
//! 3. A side whose pieces are all connected (eight neighbours) has won. A single piece is connected. A side without
//!    pieces is not connected.
//! 4. If both sides are connected, the side that has just moved wins.
//! 5. A side to move without a legal move loses.
//!
//! The rules of the Mind Sports Olympiad and of the Computer Olympiads, [`Rules::Olympiad`], replace two
//! of these rules:
//!
//! * 4a. If both sides are connected, the game is drawn.
//! * 5a. A side to move without a legal move passes.
//!
//! The move limit is a property of a [`Record`](game::Record). The engine is in the module `player`, which needs the
//! feature `engine`.
//!
//! ```
//! use game::Position as _;
//! use loa::Position;
//!
//! let mut p = Position::start(8)?;
//! assert_eq!(p.legal_moves().len(), 36);
//! p.play(p.parse_move("b1-d3")?);
//! assert_eq!(p.to_string(), "-bbbbbb-/w------w/w------w/w------w/w------w/w--b---w/w------w/--bbbbb- w");
//!
//! let too_far = p.parse_move("a3-e3").unwrap_err().to_string();
//! assert_eq!(too_far, "illegal move a3-e3: 3 pieces on the rank, so the piece moves exactly 3 squares along it, not 4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod connect;
mod explain;
mod geometry;
mod lines;
mod moves;
mod patterns;
#[cfg(feature = "engine")]
pub mod player;
mod position;
mod replies;
mod rules;
mod threats;

#[doc(inline)]
pub use board::{Bitboard, SetupError, SizeError, Square, Squares};
pub use connect::{fill, group_of, groups_and_joints, is_connected};
pub use explain::Refusal;
pub use geometry::Direction;
pub use lines::{MoveTable, MoveWeights};
pub use moves::Move;
pub use patterns::{LineSums, LineTable};
pub use position::{Position, Rules};
