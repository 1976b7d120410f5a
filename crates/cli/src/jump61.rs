//! The program `jump61`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use console::jump61::Console;
use games::GameId;

use crate::options::StrengthOptions;
use crate::terminal::Boards;
use crate::text_program::{self, Log, Setup, TextProgram, open_log, open_output};

/// Jump61, the game of chain reactions, with the text interface of CS61B.
///
/// Type `help` in the program for its commands. Red (you) moves first, the program plays Blue; `auto` and `manual` change
/// that.
#[derive(Parser)]
#[command(name = "jump61", version)]
struct Options {
    /// Play in the browser, too: the page and standard input drive the same game
    #[arg(long)]
    display: bool,
    /// Echo commands after the prompt, or write them to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option)] // clap's way to say: absent, without a value, with one
    log: Option<Option<PathBuf>>,
    /// End with exit code 1 at the first error
    #[arg(long)]
    strict: bool,
    /// Draw the board after every move, as on a terminal
    #[arg(long)]
    board: bool,
    #[command(flatten)]
    strength: StrengthOptions,
    /// Commands are read from these files, one after the other; `-` is standard input
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    inputs: Vec<PathBuf>,
}

pub(crate) const GREETING: &str = "\
Jump61: add a spot to a square that is not Blue's. A square with more spots than neighbours
spills over and takes them. You are Red; who owns every square wins.
Type row and column such as 1 2, `hint`, or `help`; `quit` leaves.";

/// Runs the program.
pub fn main() -> ExitCode {
    text_program::main::<Options>()
}

impl TextProgram for Options {
    type Console = Console;
    const GAME: GameId = GameId::Jump61;

    fn wants_display(&self) -> bool {
        self.display
    }

    fn console(&self) -> Console {
        Console::new(self.strength.strength())
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
            greeting: Some(GREETING),
        })
    }
}
