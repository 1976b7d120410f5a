//! The program `jump61`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use console::jump61::Console;
use games::GameId;

use crate::options::StrengthOptions;
use crate::streams::{Log, Setup, open_log, open_output};
use crate::terminal::Boards;
use crate::text_program::{self, TextProgram};

/// Jump61, the game of chain reactions, with the text interface of CS61B.
///
/// Type `help` in the program to list its commands. You play Red and move first, and the program plays Blue; `auto` and
/// `manual` change that.
#[derive(Parser)]
#[command(name = "jump61", version)]
pub(crate) struct Options {
    /// Also open a page in the browser: the page and standard input control the same game
    #[arg(long)]
    display: bool,
    /// Echo commands after the prompt, or write them to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option)] // clap's type for an option that is absent, has no value, or has one
    log: Option<Option<PathBuf>>,
    /// Exit with code 1 at the first error
    #[arg(long)]
    strict: bool,
    /// Draw the board after every move; the default on a terminal
    #[arg(long)]
    board: bool,
    #[command(flatten)]
    strength: StrengthOptions,
    /// Files of commands, read one after the other; `-` is standard input
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    inputs: Vec<PathBuf>,
}

pub(crate) const GREETING: &str = "\
Jump61: add a spot to a square that is not Blue's. A square with more spots than neighbours
spills over and takes them. You are Red; the owner of all squares wins.
Type row and column such as 1 2, `hint`, `help`, or `quit` to exit.";

/// Runs the program.
pub fn main() -> ExitCode {
    text_program::main::<Options>()
}

impl TextProgram for Options {
    type Console = Console;
    const GAME: GameId = GameId::JUMP61;

    fn wants_display(&self) -> bool {
        self.display
    }

    fn console(&self) -> anyhow::Result<Console> {
        let console = Console::new(&self.strength.player())?.on(search::SYSTEM);
        Ok(console.with_full_budget(self.strength.names_level()))
    }

    fn setup(&self) -> anyhow::Result<Setup> {
        let log = match &self.log {
            None => Log::None,
            Some(None) => Log::Echo,
            Some(Some(path)) => open_log(path)?,
        };
        Ok(Setup {
            inputs: self.inputs.clone(),
            log,
            output: open_output(None)?,
            boards: Boards::for_stdout(self.board),
            strict: self.strict.then_some(1),
            edits: false,
            greeting: Some(GREETING),
        })
    }
}
