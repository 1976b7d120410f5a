//! The program `loa`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use console::loa::Console;
use games::GameId;

use crate::options::StrengthOptions;
use crate::streams::{Log, Setup, open_log, open_output};
use crate::terminal::Boards;
use crate::text_program::{self, TextProgram};

/// Lines of Action on 8x8, with the text interface of CS61B.
///
/// Type `help` in the program to list its commands. You play Black and move first, and the program plays White; `auto`
/// and `manual` change that.
#[derive(Parser)]
#[command(name = "loa", version)]
pub(crate) struct Options {
    /// Also open a page in the browser: the page and standard input control the same game
    #[arg(long)]
    display: bool,
    /// Write all commands and the program's moves to a file
    #[arg(long, value_name = "LOGFILE")]
    log: Option<PathBuf>,
    /// Exit with code 2 at the first error
    #[arg(long)]
    strict: bool,
    /// Draw the board after every move; the default on a terminal
    #[arg(long)]
    board: bool,
    #[command(flatten)]
    strength: StrengthOptions,
    /// File of commands; `-` is standard input
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    input: PathBuf,
    /// File for the output; `-` is standard output
    #[arg(value_name = "OUTPUT-FILE")]
    output: Option<PathBuf>,
}

pub(crate) const GREETING: &str = "\
Lines of Action: bring all your pieces together. A piece moves exactly as
many squares as there are pieces on its line. You are Black, on ranks 1 and 8.
Type a move such as b1-b3, `hint`, `moves b1`, `help`, or `quit` to exit.";

/// Runs the program.
pub fn main() -> ExitCode {
    text_program::main::<Options>()
}

impl TextProgram for Options {
    type Console = Console;
    const GAME: GameId = GameId::LOA;

    fn wants_display(&self) -> bool {
        self.display
    }

    fn console(&self) -> anyhow::Result<Console> {
        let console = Console::new(&self.strength.player())?.on(search::SYSTEM);
        Ok(console.with_full_budget(self.strength.names_level()))
    }

    fn setup(&self) -> anyhow::Result<Setup> {
        let to_file = self.output.as_ref().is_some_and(|path| path.as_os_str() != "-");
        let boards = match (to_file, self.board) {
            (true, true) => Boards::Plain,
            (true, false) => Boards::OnRequest,
            (false, always) => Boards::for_stdout(always),
        };
        Ok(Setup {
            inputs: vec![self.input.clone()],
            log: self.log.as_deref().map_or(Ok(Log::None), open_log)?,
            output: open_output(self.output.as_deref())?,
            boards,
            strict: self.strict.then_some(2),
            edits: false,
            greeting: (!to_file).then_some(GREETING),
        })
    }
}
