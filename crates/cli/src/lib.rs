//! The programs of Plyhouse. Most modules are one program or one command of `plyhouse`, the umbrella program; the
//! others are helpers. A command parses options, connects a text interface (crate `console`) or a library to files and
//! terminals, and returns an exit code.
//!
//! Exit codes of the umbrella program: 0 done, 1 failed, 2 wrong usage. The courses' programs follow their
//! specifications: 1 for wrong options.
//!
//! Not here: rules, search, protocols, refereeing.

mod analyse;
mod arena;
mod bench;
pub mod checkers;
mod course;
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
mod verify;
mod work;

use std::process::ExitCode;

pub use games;
use games::GameId;

/// Runs the program `plyhouse` with additional games. The page opens with the first of them. A program must call this
/// function first in `main`; an example is `new_game` in the package `plyhouse`.
pub fn run_with(more: &[GameId]) -> ExitCode {
    // The sandboxes of agents start this program as their supervisor.
    process::sandbox::serve_if_asked().unwrap_or_else(|| match games::register(more) {
        Ok(()) => umbrella::main(),
        Err(error) => streams::fail(&error.into()),
    })
}
