//! `plyhouse script`.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use protocol::cs61b::CourseGame;
use script::{Options as Suite, RecordOptions, record, run_main};

/// Run test scripts for programs with a CS61B text interface, or record a script
#[derive(Args)]
pub(crate) struct Options {
    /// Scripts `X-1.in` (with `X-2.in` beside it for two programs), or folders of them
    #[arg(required_unless_present = "record")]
    paths: Vec<PathBuf>,
    /// The game; by default it is detected from the command lines
    #[arg(long, value_name = "loa|jump61")]
    game: Option<CourseGame>,
    /// Run this command instead of the script's; repeat the option for the second program
    #[arg(long = "command", value_name = "CMD")]
    commands: Vec<String>,
    /// Accept a missing newline at the end of a .std file or of a program's output
    #[arg(long)]
    lenient: bool,
    /// Print everything that is sent to the programs and received from them
    #[arg(long)]
    verbose: bool,
    /// Run the programs in this folder
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a results.json for Gradescope
    #[arg(long, value_name = "FILE")]
    gradescope: Option<PathBuf>,
    /// Write a transcript of each test, with times, into this folder
    #[arg(long, value_name = "DIR")]
    transcripts: Option<PathBuf>,
    /// Record a game, typed or from standard input, as the test NAME-1.in and NAME-1.std
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["paths", "junit", "gradescope", "transcripts", "lenient", "verbose"]
    )]
    record: Option<PathBuf>,
    /// Let --record overwrite existing files
    #[arg(long, requires = "record")]
    force: bool,
}

pub(crate) fn run(options: Options) -> ExitCode {
    // If the handler cannot be installed, an interrupt ends this program but not its children.
    let _ = process::interrupt::end_children_on_interrupt();
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let kind = if let Some(name) = options.record {
        let recording = RecordOptions {
            name,
            command: options.commands.into_iter().next().unwrap_or_else(|| own_program(options.game)),
            game: options.game,
            cwd: options.cwd,
            force: options.force,
            interactive: io::stdin().is_terminal(),
        };
        record(&recording, &mut io::stdin().lock(), &mut out, &mut err)
    } else {
        let suite = Suite {
            paths: options.paths,
            game: options.game,
            commands: options.commands,
            lenient: options.lenient,
            verbose: options.verbose,
            cwd: options.cwd,
            junit: options.junit,
            gradescope: options.gradescope,
            transcripts: options.transcripts,
        };
        run_main(&suite, &mut out, &mut err)
    };
    ExitCode::from(kind as u8)
}

/// Returns the path of our program for a game, next to this program, or its name if it is not there.
fn own_program(game: Option<CourseGame>) -> String {
    let name = game.unwrap_or(CourseGame::Loa).to_string();
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name(&name)).filter(|path| path.exists());
    beside.map_or(name, |path| path.display().to_string())
}
