//! The programs of Plyhouse. Each module is one program or one command of the umbrella program. It parses options,
//! connects a text interface (crate `console`) or a library to files and terminals, and returns an exit code.
//!
//! Exit codes of the umbrella program: 0 done, 1 failed, 2 wrong usage. The courses' programs follow their
//! specifications: 1 for wrong options.
//!
//! Not here: rules, search, protocols, refereeing.

mod analyse;
mod arena;
mod bench;
pub mod checkers;
mod deferred;
mod display;
mod endgames;
mod engine;
mod eval;
mod groups;
mod input;
pub mod jump61;
pub mod loa;
pub mod loa6;
mod manual;
mod matches;
mod memory;
mod moves;
mod options;
mod page;
mod perft;
mod prove;
mod puzzles;
mod script;
mod solve;
mod streams;
mod suite;
mod terminal;
mod text_program;
pub mod umbrella;
mod work;

use measure::progress;
