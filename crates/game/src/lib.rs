//! The common interface of all board games of Plyhouse.
//!
//! A [`Position`] is one state of a two-player game with perfect information: the side to move, the legal moves, the
//! effect of a move, and whether the game is decided. A [`Record`] is a game in progress: its positions and moves, a
//! move limit, and its result. [`perft`](fn@perft) counts move sequences. [`conformance`] checks that a game satisfies
//! the contract of [`Position`].
//!
//! Not here: particular games, searches, clocks and text protocols.
//!
//! ```
//! use game::{Position, Side};
//! use game::examples::Nim; // a heap of stones, one to three are taken in turn, the player who takes the last one wins
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
//!
//! # Common interface of the rules crates
//!
//! Each crate with the rules of a game has a `Position`, a `Move`, a `Refusal`, and a type for a place on its board.
//! The `Display` text of a place is its notation. A type for sets of places has `is_empty`, `has`, `count` and
//! `into_iter`. The functions of a `Position` in this table have the same name and the same meaning in every crate. The
//! `Position` of a new game should have them, too. The functions from `parse::<Position>()` on belong to the trait
//! [`Position`], and [`conformance`] checks them.
//!
//! | function | meaning |
//! | --- | --- |
//! | `start(size)`, `empty(size)` | the start position; a board without pieces. An invalid size is returned as a `SizeError`. A game with a single board size takes no argument; a Jump61 board starts empty |
//! | `pieces(side)` | the set of places of a side's pieces |
//! | `at(place)` | the content of a place, or `None` |
//! | `with(place, content)` | the position with this content on the place; an invalid content is returned as a `SetupError` |
//! | `with_turn(side)` | the position with this side to move; not in Jump61, where the side to move follows from the spots |
//! | `check(from, to)` | the legal move between two places (in Jump61: on a place), or the `Refusal` |
//! | `parse::<Position>()`, `to_string` | the position text; [`PositionError`] reports the error and its place |
//! | [`legal_moves`](Position::legal_moves), [`visit_moves`](Position::visit_moves) | the moves as a list; the moves one by one, without a list |
//! | [`random_move`](Position::random_move) | a random move, for random games |
//! | [`parse_move`](Position::parse_move) | the legal move for a text; [`MoveError`] keeps the text and the `Refusal` |
//! | [`read_move`](Position::read_move) | like `parse_move`, for moves from users and from other programs, which may write `C1xA3` for `c1-a3` |
//! | [`is_legal`](Position::is_legal), [`refusal`](Position::refusal) | whether a move is legal; the rule that an illegal move breaks |
//! | [`try_play`](Position::try_play), [`play`](Position::play) | plays a move: with a check, without a check |

pub mod conformance;
mod diagram;
mod error;
pub mod examples;
mod fold;
mod key;
mod message;
mod outcome;
mod perft;
mod plies_left;
mod position;
mod quote;
mod record;
mod rng;
mod side;
mod spelling;
pub mod text;
mod text_game;

pub use diagram::{Diagram, Mark, Tone};
pub use error::{MoveError, NoSuchMove, PositionError};
pub use fold::{Symmetries, fold, self_images};
pub use key::Key;
pub use message::{Argument, Explain, Message, ToArgument, plural};
pub use outcome::{Finish, MatchDraws, Outcome, Reason, Stuck};
pub use perft::{perft, perft_divide};
pub use plies_left::PliesLeft;
pub use position::{IllegalMove, Position};
pub use record::{LimitError, Origin, PlayError, Record, Step};
pub use rng::SplitMix64;
pub use side::Side;
pub use text_game::TextGame;
