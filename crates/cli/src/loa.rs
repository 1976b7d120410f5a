//! The program `loa`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use protocol::loa::Console;

use crate::options::{NO_DISPLAY, StrengthOptions, parse_or_exit, usage_error};
use crate::terminal::Boards;
use crate::text_program::{Log, Setup, fail, open_log, open_output, run};

/// Lines of Action on 8x8, with the text interface of CS61B.
///
/// Type `help` in the program for its commands. Black (you) moves first, the program plays White; `auto` and `manual` change
/// that.
#[derive(Parser)]
#[command(name = "loa", version)]
struct Options {
    /// Play in the browser (not in this version)
    #[arg(long)]
    display: bool,
    /// Write all commands and the program's moves to a file
    #[arg(long, value_name = "LOGFILE")]
    log: Option<PathBuf>,
    /// End with exit code 2 at the first error
    #[arg(long)]
    strict: bool,
    /// Draw the board after every move, as on a terminal
    #[arg(long)]
    board: bool,
    #[command(flatten)]
    strength: StrengthOptions,
    /// Commands are read from here; `-` is standard input
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    input: PathBuf,
    /// Output goes here; `-` is standard output
    #[arg(value_name = "OUTPUT-FILE")]
    output: Option<PathBuf>,
}

pub(crate) const GREETING: &str = "\
Lines of Action: bring all your pieces together. A piece moves exactly as far
as there are pieces on its line. You are Black (the dark discs).
Type a move such as b1-b3, `hint`, `moves b1`, or `help`; `quit` leaves.";

/// Runs the program.
pub fn main() -> ExitCode {
    let options: Options = match parse_or_exit() {
        Ok(options) => options,
        Err(code) => return code,
    };
    if options.display {
        return usage_error::<Options>(NO_DISPLAY);
    }
    match setup(&options) {
        Ok(setup) => run(&mut Console::new(options.strength.strength()), setup),
        Err(error) => fail(&error),
    }
}

fn setup(options: &Options) -> anyhow::Result<Setup> {
    let to_file = options.output.as_ref().is_some_and(|path| path.as_os_str() != "-");
    let boards = match (to_file, options.board) {
        (true, true) => Boards::Plain,
        (true, false) => Boards::Asked,
        (false, always) => Boards::for_stdout(always),
    };
    Ok(Setup {
        inputs: vec![options.input.clone()],
        log: options.log.as_deref().map_or(Ok(Log::None), open_log)?,
        output: open_output(options.output.as_deref())?,
        boards,
        strict: options.strict.then_some(2),
        greeting: (!to_file).then_some(GREETING),
    })
}
