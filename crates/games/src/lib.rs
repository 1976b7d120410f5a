//! All games behind one interface.
//!
//! A game is a position type that implements [`Game`]; each game has a file in this crate. A [`GameId`] refers to a
//! game by its name and dereferences to the type-erased [`AnyGame`]. A game in progress is an [`AnyRecord`]. Each of
//! these two traits has one generic implementation. The only list of games is in `registry.rs`; [`register`] adds games
//! at run time.
//!
//! The crate reads no files and opens no connections. Lessons and puzzles are compiled in.
//!
//! ```
//! use games::{GameId, Setting};
//!
//! let game: GameId = "loa".parse()?;
//! let setting = Setting::new(game, 60);
//! let mut record = setting.record(None, &["b1-b3"])?;
//! record.play("h7-f7")?;
//! assert_eq!(record.undo().as_deref(), Some("h7-f7"));
//! assert_eq!(record.scene().played, ["b1-b3"]);
//!
//! let first_moves = |game: GameId| game.start(None).expect("its usual size").perft(1);
//! assert_eq!(GameId::BUILT_IN.map(first_moves), [36, 7, 36, 22]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod about;
mod any;
mod attempt;
mod breakthrough;
mod checkers;
mod definition;
mod editor;
mod explore;
mod files;
mod highlight;
mod jump61;
mod known;
mod lessons;
mod loa;
mod movetext;
mod opening_games;
mod openings;
mod own_rules;
mod play;
mod player;
mod prove;
mod puzzles;
mod quantity;
mod reasons;
mod registry;
mod rule_set;
mod scene;
mod settle;
mod text;
mod think;
mod tree;
mod win;
mod within;

pub use about::{About, Console, Pieces};
pub use any::{AnyGame, AnyRecord};
pub use definition::{Game, SizeError};
pub use editor::Edit;
pub use explore::{Branches, Visit};
pub use files::{GameFile, LeftOut, decode_file, read_file};
pub use highlight::Highlight;
pub use known::{Fact, Known, Source};
pub use lessons::{Lesson, Step, Taught, TaughtStep};
pub use opening_games::{OpeningGame, opening_result};
pub use openings::OpeningError;
pub use own_rules::OwnRules;
pub use play::{Repetitions, Setting, SettingError};
pub use player::AnyEngine;
pub use prove::{Attempt, Budget, Proof, Reply};
pub use puzzles::{Line, Puzzle, PuzzleError, Task, read_puzzles, themes};
pub use quantity::{Change, Quantity};
pub use registry::{GameId, RegisterError, UnknownGame, Visitor, dispatch, register};
pub use rule_set::{Choices, RuleSet, Rules, UnknownRules};
pub use scene::{Cause, End, MoveLine, Place, Scene, Spot, Way};
pub use settle::Settled;
pub use text::{NoPosition, position};
pub use think::{Asked, Thought, Value, Variation};
pub use tree::{MARKS, Node, Shape, line, main_line};
pub use win::{NoQuestion, Stage, WinAnswer, WinQuestion, WinVerdict, check_win};
pub use within::{MOST_WITHIN, WithinAnswer, WithinProgress, WithinQuestion};
