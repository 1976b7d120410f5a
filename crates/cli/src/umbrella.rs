//! The program `plyhouse`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use crate::groups::grouped;
use crate::options::StrengthOptions;
use crate::streams::{Log, Setup, fail, open_output};
use crate::terminal::Boards;
use crate::{
    analyse, arena, bench, course, endgames, engine, eval, jump61, loa, manual, matches, moves, page, perft, prove,
    puzzles, script, solve, suite, text_program, verify, work,
};

/// Two-player board games with perfect information.
///
/// Without a command, `plyhouse` opens a page in the browser to play, analyse and learn. The courses' programs are
/// `loa`, `loa6`, `checkers` and `jump61`.
#[derive(Parser)]
#[command(name = "plyhouse", version)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Arena(arena::Options),
    Course(course::Options),
    Perft(perft::Options),
    Moves(moves::Options),
    Analyse(analyse::Options),
    Eval(eval::Options),
    Script(script::Options),
    Match(matches::Options),
    Work(work::Options),
    Suite(suite::Options),
    Puzzles(puzzles::Options),
    Bench(bench::Options),
    Endgames(endgames::Options),
    Engine(engine::Options),
    Page(page::Options),
    Solve(solve::Options),
    Prove(prove::options::Options),
    Verify(verify::Options),
    Book(solve::BookOptions),
    Completions(manual::CompletionsOptions),
    Man(manual::ManOptions),
    /// Play against the engine in the terminal
    Play {
        /// The game
        #[arg(value_enum, default_value = "loa")]
        game: Playable,
        #[command(flatten)]
        strength: StrengthOptions,
    },
}

/// Games that have a text interface.
#[derive(Clone, Copy, ValueEnum)]
enum Playable {
    /// Lines of Action, 8x8
    Loa,
    /// Jump61
    Jump61,
}

/// Runs the program.
pub fn main() -> ExitCode {
    let matches = grouped(Options::command()).get_matches();
    let options = Options::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = match options.command {
        None => page::run(&page::Options::DEFAULT, &mut out),
        Some(Command::Page(options)) => page::run(&options, &mut out),
        Some(Command::Play { game, strength }) => {
            drop(out);
            return play(game, &strength);
        }
        Some(Command::Script(options)) => {
            drop(out);
            return script::run(options);
        }
        Some(Command::Engine(options)) => {
            drop(out);
            return exit_code(engine::run(&options));
        }
        Some(Command::Arena(options)) => {
            let done = arena::run(options, &mut out);
            return own_code(done, &mut out);
        }
        Some(Command::Prove(options)) => {
            let done = prove::run(&options, &mut out);
            return own_code(done, &mut out);
        }
        Some(Command::Course(options)) => course::run(options, &mut out),
        Some(Command::Perft(options)) => perft::run(&options, &mut out),
        Some(Command::Moves(options)) => moves::run(&options, &mut io::stdin().lock(), &mut out),
        Some(Command::Match(options)) => matches::run(&options, &mut out),
        Some(Command::Work(options)) => work::run(&options, &mut out),
        Some(Command::Suite(options)) => suite::run(&options, &mut out),
        Some(Command::Puzzles(options)) => puzzles::run(&options, &mut out),
        Some(Command::Bench(options)) => bench::run(&options, &mut out),
        Some(Command::Endgames(options)) => endgames::run(&options, &mut out),
        Some(Command::Solve(options)) => solve::run(&options, &mut out),
        Some(Command::Verify(options)) => verify::run(&options, &mut out),
        Some(Command::Book(options)) => solve::run_book(&options, &mut out),
        Some(Command::Completions(options)) => manual::print_completions(&options, &Options::command(), &mut out),
        Some(Command::Man(options)) => manual::write_man(&options, &Options::command()),
        Some(Command::Analyse(options)) => analyse::run(&options, &mut out),
        Some(Command::Eval(options)) => eval::run(&options, &mut out),
    };
    exit_code(done.and_then(|()| Ok(out.flush()?)))
}

/// Flushes the output and returns the exit code of a command that defines its own codes.
fn own_code(done: anyhow::Result<ExitCode>, out: &mut impl Write) -> ExitCode {
    match done.and_then(|code| Ok((out.flush()?, code).1)) {
        Ok(code) => code,
        Err(error) => exit_code(Err(error)),
    }
}

fn exit_code(done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closes the pipe is not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn play(game: Playable, strength: &StrengthOptions) -> ExitCode {
    let setup = |greeting| -> anyhow::Result<Setup> {
        Ok(Setup {
            inputs: vec![PathBuf::from("-")],
            output: open_output(None)?,
            log: Log::None,
            boards: Boards::for_stdout(true),
            strict: None,
            edits: true,
            greeting: Some(greeting),
        })
    };
    let (player, full) = (strength.player(), strength.names_level());
    let played = || -> anyhow::Result<ExitCode> {
        Ok(match game {
            Playable::Loa => {
                let mut console =
                    console::loa::Console::new(&player)?.on(search::SYSTEM).with_full_budget(full).with_all_spellings();
                text_program::run(&mut console, setup(loa::GREETING)?)
            }
            Playable::Jump61 => {
                let console = console::jump61::Console::new(&player)?.on(search::SYSTEM).with_full_budget(full);
                text_program::run(&mut console.with_all_spellings(), setup(jump61::GREETING)?)
            }
        })
    };
    played().unwrap_or_else(|error| fail(&error))
}
