//! `plyhouse script`.

use std::env::consts::EXE_SUFFIX;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use protocol::cs61b::CourseGame;
use script::{
    ExitKind, Grading, Options as Suite, Package, Points, RecordOptions, Rule, Service, Visibility, record, run_main,
    write_package,
};

use crate::streams::fail;

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
    /// Build the programs with this shell command first, in their folder; if it fails, every test fails
    #[arg(long, value_name = "CMD")]
    build: Option<String>,
    /// Run the programs in this folder
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a results.json for Gradescope
    #[arg(long, value_name = "FILE")]
    gradescope: Option<PathBuf>,
    #[command(flatten)]
    grading: GradingOptions,
    /// Write a transcript of each test, with times, into this folder
    #[arg(long, value_name = "DIR")]
    transcripts: Option<PathBuf>,
    /// Record a game, typed or from standard input, as the test NAME-1.in and NAME-1.std
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["paths", "junit", "gradescope", "autograder", "transcripts", "lenient", "verbose", "build"]
    )]
    record: Option<PathBuf>,
    /// Let --record overwrite existing files
    #[arg(long, requires = "record")]
    force: bool,
}

/// Options for grading services.
#[derive(Args)]
struct GradingOptions {
    /// Points for each test in the results for a grading service, such as 2 for all or 'advanced-*=5'; the last match
    /// applies
    #[arg(long, value_name = "[PATTERN=]POINTS")]
    points: Vec<Rule<Points>>,
    /// Visibility of tests on Gradescope: `visible`, `hidden`, `after_due_date` or `after_published`, such as
    /// 'secret-*=hidden'
    #[arg(long, value_name = "[PATTERN=]VISIBILITY")]
    visibility: Vec<Rule<Visibility>>,
    /// Maximum size of each test's output in a results.json
    #[arg(long, value_name = "BYTES")]
    max_output: Option<usize>,
    /// Do not run the tests: write a folder with them, this program and the scripts that a grading service expects
    #[arg(long, value_name = "DIR", conflicts_with_all = ["junit", "gradescope", "transcripts", "verbose"])]
    autograder: Option<PathBuf>,
    /// Grading service for --autograder: gradescope or github-classroom
    #[arg(long, value_name = "NAME", default_value = "gradescope", requires = "autograder")]
    service: Service,
    /// Shell command with which --autograder installs what the students' programs need, such as a compiler
    #[arg(long, value_name = "CMD", requires = "autograder")]
    setup: Option<String>,
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
            build: options.build,
            junit: options.junit,
            gradescope: options.gradescope,
            grading: Grading {
                points: options.grading.points,
                visibility: options.grading.visibility,
                max_output: options.grading.max_output,
            },
            transcripts: options.transcripts,
        };
        match options.grading.autograder {
            Some(folder) => {
                let (service, setup) = (options.grading.service, options.grading.setup);
                return package(folder, service, setup, &suite).unwrap_or_else(|error| {
                    fail(&error);
                    ExitCode::from(ExitKind::NotRun as u8)
                });
            }
            None => run_main(&suite, &mut out, &mut err),
        }
    };
    ExitCode::from(kind as u8)
}

/// Writes the package of a suite for a grading service.
fn package(folder: PathBuf, service: Service, setup: Option<String>, suite: &Suite) -> anyhow::Result<ExitCode> {
    if cfg!(windows) {
        bail!("packages for grading services need Linux or macOS: they contain this program and shell scripts");
    }
    let program = std::env::current_exe().context("the path of this program, which the package contains")?;
    let upload = match service {
        Service::Gradescope => "zip its files and upload them as the autograder",
        Service::GithubClassroom => "copy its files into the assignment's template repository",
    };
    let shown = folder.display().to_string();
    write_package(&Package { service, folder, program, setup }, suite)?;
    writeln!(io::stdout(), "{shown}: {upload}")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the path of our program for a game, next to this program, or its name if it is not there.
fn own_program(game: Option<CourseGame>) -> String {
    let name = format!("{}{EXE_SUFFIX}", game.unwrap_or(CourseGame::Loa));
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name(&name)).filter(|path| path.exists());
    beside.map_or(name, |path| path.display().to_string())
}
