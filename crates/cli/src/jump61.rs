//! The program `jump61`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use protocol::jump61::Console;

use crate::options::{NO_DISPLAY, StrengthOptions, parse_or_exit, usage_error};
use crate::terminal::Boards;
use crate::text_program::{Log, Setup, fail, open_log, open_output, run};

/// Jump61, the game of chain reactions, with the text interface of CS61B.
///
/// Type `help` in the program for its commands. Red (you) moves first, the program plays Blue; `auto` and `manual` change
/// that.
#[derive(Parser)]
#[command(name = "jump61", version)]
struct Options {
    /// Play in the browser (not in this version)
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
    let log = match &options.log {
        None => Log::None,
        Some(None) => Log::Echo,
        Some(Some(path)) => open_log(path)?,
    };
    Ok(Setup {
        inputs: options.inputs.clone(),
        log,
        output: open_output(None)?,
        boards: Boards::for_stdout(options.board),
        strict: options.strict.then_some(1),
        greeting: Some(GREETING),
    })
}
