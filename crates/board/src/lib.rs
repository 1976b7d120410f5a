//! Boards of 4×4 to 8×8 with men of two colours.
//!
//! [`Men`] is the state of such a board: the men of both sides, the side to move and the Zobrist key. It parses and
//! writes position texts and draws diagrams. [`Square`] and [`Bitboard`] are squares and sets of squares on boards of
//! any size. The rules crates of Lines of Action and Breakthrough wrap [`Men`] in their `Position`.
//!
//! Not here: legal moves, start positions, and winning conditions. Boards on which a side has more than one kind of
//! piece have their own crates.
//!
//! # The position text
//!
//! A position text consists of the rows from the top joined by `/`, a blank, and the side to move:
//! `-bb-/w--w/w--w/-bb- b`. Black's men are `b`, White's men are `w`, and an empty square is `-`. The game determines
//! which colour is the [first side](game::Side::First). If the rules are those of a [variant](Kind::VARIANTS), its word
//! follows after another blank.
//!
//! # Adding a game
//!
//! A game describes its properties in a [`Kind`] and keeps its [`Men`] in a private field, so that only its rules can
//! move a man.
//!
//! ```
//! use board::{Bitboard, Colour, Kind, Men, Seeds, Square};
//! use game::Side;
//!
//! #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
//! struct Checkerboard;
//!
//! impl Kind for Checkerboard {
//!     const SEEDS: Seeds = Seeds { board: 0x100, men: 0x200, turn: 0x300 };
//!     const FIRST: Colour = Colour::White;
//!     const FORM: &'static str = "rows from the top joined by `/`, then the side to move";
//! }
//!
//! let mut men: Men<Checkerboard> = "--b-/----/-w--/---- w".parse()?;
//! let [from, to] = ["b2", "c3"].map(|name| Square::parse(name).expect("a square"));
//! men.toggle(from, Side::First);
//! men.toggle(to, Side::First);
//! men.pass_turn();
//! assert_eq!(men.to_string(), "--b-/--w-/----/---- b");
//! assert_eq!(men.pieces(Side::First), Bitboard::of(to));
//! assert_eq!(men.key(), men.to_string().parse::<Men<Checkerboard>>()?.key());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitboard;
mod diagram;
mod men;
pub mod messages;
mod square;
mod text;

pub use bitboard::{Bitboard, Squares};
pub use men::{Colour, Kind, Men, Seeds, SetupError, SizeError};
pub use square::Square;
