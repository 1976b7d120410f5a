//! The program `checkers`.

use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use clap::Parser;
use console::checkers::{Computer, Program};
use games::GameId;

use crate::endgames;
use crate::options::{StrengthOptions, parse_or_exit};

/// The checkers variant of COMP10002: reads and checks actions, prints the board, and plays.
///
/// Each line of standard input is an action such as `G6-F5`. If the last line is `A`, the program computes one action;
/// if it is `P`, the program plays ten.
#[derive(Parser)]
#[command(name = "checkers", version)]
pub(crate) struct Options {
    /// Depth of the minimax search, in plies
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Compute actions with the strong player instead of minimax
    #[arg(long, conflicts_with = "depth")]
    engine: bool,
    #[command(flatten)]
    strength: StrengthOptions,
}

/// Hint for a user at a terminal, on standard error.
const HINT: &str = "checkers: type actions such as G6-F5, one per line; end with `A` to compute one action or `P` to play \
                    ten; Ctrl-D ends the input";

/// Runs the program.
pub fn main() -> ExitCode {
    let options: Options = match parse_or_exit() {
        Ok(options) => options,
        Err(code) => return code,
    };
    let player = match player(&options) {
        Ok(player) => player,
        Err(error) => {
            let _ = writeln!(io::stderr(), "checkers: {error:#}");
            return ExitCode::from(1);
        }
    };
    match run(Program::new(player).on(search::SYSTEM)) {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "checkers: {error}");
            ExitCode::from(1)
        }
    }
}

fn player(options: &Options) -> anyhow::Result<Computer> {
    if !options.engine {
        return Ok(Computer::Minimax { depth: options.depth });
    }
    let resources = endgames::load(GameId::CHECKERS)?;
    Ok(Computer::engine(&options.strength.player(), &resources)?)
}

fn run(mut program: Program) -> io::Result<u8> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    if input.is_terminal() {
        output.write_all(program.take_output().as_bytes())?;
        output.flush()?;
        let _ = writeln!(io::stderr(), "{HINT}");
    }
    let mut chunk = [0; 8 << 10];
    while !program.is_done() {
        match input.read(&mut chunk) {
            Ok(0) => program.finish(),
            Ok(count) => program.feed(&chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
        output.write_all(program.take_output().as_bytes())?;
        output.flush()?;
    }
    if let Some(complaint) = program.complaint() {
        let _ = writeln!(io::stderr(), "checkers: {complaint}");
    }
    Ok(program.exit_code())
}
