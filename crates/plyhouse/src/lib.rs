//! Two-player board games with perfect information: rules, game records, searches and engines.
//!
//! The games are Lines of Action ([`loa`]), the Melbourne variant of checkers ([`checkers`]), Jump61 ([`jump61`]) and
//! Breakthrough ([`breakthrough`]). This crate reexports the libraries of Plyhouse under one name and has no code of
//! its own.
//!
//! # Positions and moves
//!
//! Each game has a `Position`. All of them implement [`game::Position`], so they have the same interface. Positions are
//! parsed from and written as one line of text.
//!
//! ```
//! use plyhouse::prelude::*;
//!
//! let start = loa::Position::start(8)?;
//! assert_eq!(start.side_to_move(), Side::First); // Black
//! assert_eq!(start.legal_moves().len(), 36);
//! assert_eq!(start.to_string(), "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `parse_move` parses a move and checks it. `play` plays a move that is known to be legal. `try_play` checks the move
//! first. If the move is illegal, it returns an error with the move and the reason, which has a type and a text.
//!
//! ```
//! use plyhouse::prelude::*;
//!
//! let mut position = checkers::Position::start();
//! position.play(position.parse_move("G6-F5")?);
//! position.play(position.parse_move("H3-G4")?);
//!
//! let jump = position.parse_move("F5-H3")?;
//! position.play(jump);
//! let refused = position.try_play(jump).unwrap_err();
//! assert_eq!((refused.m, refused.refusal), (jump, checkers::Refusal::SourceEmpty));
//! assert_eq!(refused.to_string(), "illegal move F5-H3: source cell is empty");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Boards
//!
//! The games share methods that read a board and change it: `pieces`, `at`, `with`, `with_turn`. [`game`] lists them.
//!
//! ```
//! use plyhouse::prelude::*;
//!
//! let square = |text| loa::Square::parse(text).expect("a square");
//! let position = loa::Position::empty(5)?
//!     .with(square("a1"), Some(Side::First))?
//!     .with(square("c3"), Some(Side::Second))?
//!     .with_turn(Side::Second);
//! assert_eq!(position.to_string(), "-----/-----/--w--/-----/b---- w");
//! assert_eq!(position.at(square("c3")), Some(Side::Second));
//! assert_eq!(position.pieces(Side::First).count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Games
//!
//! A [`Record`](game::Record) is a game being played. It keeps every position and move, takes moves back, and detects
//! the end of the game: on the board, by a move limit, or because a side has no move.
//!
//! ```
//! use plyhouse::prelude::*;
//!
//! let mut game = Record::new(jump61::Position::start(2)?);
//! for text in ["1:1", "1:2", "2:1", "1:2"] {
//!     game.try_play(game.position().parse_move(text)?)?;
//! }
//! let finish = game.finish().expect("every square is Blue's");
//! assert_eq!((finish.outcome, finish.reason), (Outcome::Win(Side::Second), Reason::Board));
//!
//! game.undo();
//! assert_eq!((game.finish(), game.moves().count()), (None, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Best moves
//!
//! [`engine`] has an engine for each game, described by a text such as `nodes=10000` or `level=3`. With a budget of
//! nodes it chooses the same moves on every machine. Wins and losses in scores are proven.
//!
//! ```
//! use plyhouse::prelude::*;
//!
//! let game = Record::new("2r3r1-/2b3b2b/1-2b1-".parse::<jump61::Position>()?);
//! let mut player = "nodes=10000".parse::<PlayerOptions>()?.make(game.position(), &Resources::default())?;
//! let choice = player.engine.choose(&game, &player.limits, &mut Control::unattended()).expect("a move");
//! assert_eq!((choice.best.to_string(), choice.score.to_string()), ("1:1".to_owned(), "win in 5".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Custom engines and games
//!
//! A custom engine implements [`search::Engine`], or is a [`search::AlphaBeta`] with a custom evaluation, a
//! [`search::Policy`]. A game implements [`game::Position`]. Then [`game::conformance`] checks it,
//! [`game::perft`](fn@game::perft) counts its move sequences, and every search supports it. The example `new_game` is a
//! game in one file that works with all programs: the page, matches, tournaments and proofs.
//!
//! The folder `examples` has a program for each topic: `moves`, `play`, `end`, `best_move`, `own_engine` and
//! `new_game`. The example `ugi` is an engine for other programs, and `playstrategy_bot` plays on a website. Run one
//! with `cargo run -p plyhouse --example own_engine`.
//!
//! # Features
//!
//! | feature | default | contents |
//! | --- | --- | --- |
//! | `loa`, `checkers`, `jump61`, `breakthrough` | yes | the rules of one game each |
//! | `engine` | yes | the engines of the enabled games |
//! | `sgf` | yes | game files of Lines of Action |
//! | `proof` | no | proofs for small boards of Lines of Action, and their verification |
//!
//! [`game`] and [`search`] are always included. With `default-features = false` and one game, `thiserror` is the only
//! external dependency.
//!
//! The text programs, tournaments, the test harness and the page are programs of the same workspace, not parts of this
//! crate.

pub use game;
pub use search;

#[cfg(feature = "breakthrough")]
pub use breakthrough;
#[cfg(feature = "checkers")]
pub use checkers;
#[cfg(feature = "engine")]
pub use engine;
#[cfg(feature = "jump61")]
pub use jump61;
#[cfg(feature = "loa")]
pub use loa;
#[cfg(feature = "proof")]
pub use proof;
#[cfg(feature = "sgf")]
pub use protocol::sgf;

pub mod prelude;

/// Runs the example of this crate's README.
#[cfg(all(doctest, feature = "engine"))]
#[doc = include_str!("../README.md")]
struct Readme;
