//! Test runner: runs the tests of a suite, judges their output and reports the results.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use game::text::printable;
use protocol::cs61b::CourseGame;

use crate::blocks::{is_block_script, parse_blocks};
use crate::build::{FailedBuild, build};
use crate::compare::{Difference, compare};
use crate::excerpt::Excerpt;
use crate::failure::Failure;
use crate::files::{Expected, Test, create, expected, expected_of_two, find, read, write};
use crate::grading::Grading;
use crate::parse::{ParseError, Script, parse};
use crate::report;
use crate::result::TestResult;
use crate::run::{Run, run};
use crate::transcript::Transcript;

/// The options of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Paths of scripts, or of folders with scripts.
    pub paths: Vec<PathBuf>,
    /// Game; if unset, it is derived from the command lines.
    pub game: Option<CourseGame>,
    /// Replacements for the commands in the scripts: the n-th for program n, or one for both programs.
    pub commands: Vec<String>,
    /// `true` to accept a missing newline at the end of a `.std` file or of a program's output. In the course's script
    /// it is a failure.
    pub lenient: bool,
    /// `true` to print all input and output of the programs.
    pub verbose: bool,
    /// Working directory of the programs; the caller's directory if unset.
    pub cwd: Option<PathBuf>,
    /// Shell command that builds the programs, in their working directory. If it fails, every test fails.
    pub build: Option<String>,
    /// Path of the JUnit report.
    pub junit: Option<PathBuf>,
    /// Path of the Gradescope `results.json`.
    pub gradescope: Option<PathBuf>,
    /// Rules of the Gradescope `results.json`.
    pub grading: Grading,
    /// Folder for transcripts: one per test, with times.
    pub transcripts: Option<PathBuf>,
}

/// The result of a whole run. The number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// Every test passed.
    Passed = 0,
    /// A test failed.
    Failed = 1,
    /// A script could not be run.
    NotRun = 2,
}

/// Runs the tests and reports on them to `out`. Errors about paths and reports go to `err`.
pub fn run_main(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> ExitKind {
    match run_all(options, out) {
        Ok(kind) => kind,
        Err(error) => {
            // A closed pipe is not an error: a reader such as `head` closes it early.
            if error.kind() != io::ErrorKind::BrokenPipe {
                let _ = writeln!(err, "Error: {error}");
            }
            ExitKind::NotRun
        }
    }
}

fn run_all(options: &Options, out: &mut dyn Write) -> io::Result<ExitKind> {
    let tests = find(&options.paths)?;
    options.grading.check(&tests)?;
    let command = options.build.as_deref();
    let failed_build = command.map(|command| build(command, options.cwd.as_deref())).transpose()?.flatten();
    if let Some(FailedBuild { reason, output }) = &failed_build {
        write!(out, "{}\n{output}", printable(reason))?;
    }
    let mut results: Vec<TestResult> = Vec::new();
    for test in &tests {
        if failed_build.is_some() {
            let failure = Some("the build failed".to_owned());
            results.push(TestResult { failure, ..TestResult::new(&test.name) });
            continue;
        }
        let file = options.transcripts.as_ref().map(|folder| create(folder, &transcript_name(&test.name, &results)));
        let result = run_test(test, options, file.transpose()?, out)?;
        report::test(&result, out)?;
        out.flush()?;
        results.push(result);
    }
    report::summary(&results, out)?;
    if let Some(path) = &options.junit {
        write(path, &report::junit(&results)?)?;
    }
    if let Some(path) = &options.gradescope {
        write(path, &report::gradescope(&results, &options.grading, failed_build.as_ref())?)?;
    }
    Ok(if results.iter().any(|result| !result.was_run) {
        ExitKind::NotRun
    } else if results.iter().any(|result| result.failure.is_some()) {
        ExitKind::Failed
    } else {
        ExitKind::Passed
    })
}

fn run_test(test: &Test, options: &Options, transcript: Option<File>, out: &mut dyn Write) -> io::Result<TestResult> {
    let start = Instant::now();
    let mut result = TestResult::new(&test.name);
    match prepare(test, options) {
        Err(reason) => (result.failure, result.was_run) = (Some(reason), false),
        Ok(Prepared { scripts, expected, course_game, are_blocks }) => {
            let (reader, lines) = channel();
            let transcript = Transcript::new(options.verbose.then_some(reader), transcript);
            let runs = thread::scope(|scope| {
                let running = scope.spawn(|| {
                    let runs = run(&scripts, course_game, options.cwd.as_ref(), &transcript);
                    transcript.close();
                    runs
                });
                // Print each line immediately, because a test may take a minute.
                for line in lines {
                    out.write_all(line.as_bytes())?;
                    out.flush()?;
                }
                Ok::<_, io::Error>(running.join().expect("invariant: running a script does not panic"))
            })?;
            judge(&mut result, runs, &expected, options.lenient || are_blocks);
            result.transcript = transcript.finish()?;
        }
    }
    result.time = start.elapsed();
    Ok(result)
}

/// The scripts of a test with the expected output.
struct Prepared {
    scripts: Vec<Script>,
    expected: Vec<Expected>,
    course_game: CourseGame,
    /// `true` if the files have the format of 2010 to 2016, whose `.out` files may lack a newline at the end.
    are_blocks: bool,
}

/// Reads the scripts of a test, and replaces their commands.
fn prepare(test: &Test, options: &Options) -> Result<Prepared, String> {
    let (mut scripts, mut outputs, mut are_blocks) = (Vec::new(), Vec::new(), false);
    for path in &test.scripts {
        let bytes = read(path).map_err(|error| error.to_string())?;
        let in_file = |error: ParseError| format!("{}: {error}", path.display());
        if is_block_script(&bytes) {
            are_blocks = true;
            scripts.extend(parse_blocks(&bytes).map_err(in_file)?);
            outputs.extend(expected_of_two(path).map_err(|error| error.to_string())?);
        } else {
            scripts.push(parse(&bytes).map_err(in_file)?);
            outputs.push(expected(path).map_err(|error| error.to_string())?);
        }
    }
    let (mut mentions_loa, mut mentions_jump61) = (false, false);
    for (index, script) in scripts.iter_mut().enumerate() {
        let command = script.command.join(" ");
        mentions_jump61 |= command.contains("jump61");
        mentions_loa |= command.contains("loa") && !command.contains("jump61");
        let replacement = match &options.commands[..] {
            [one] => Some(one),
            commands => commands.get(index),
        };
        if let Some(command) = replacement {
            script.command = command.split_ascii_whitespace().map(str::to_owned).collect();
            // If the script names `loa.Main`, a folder named `jump61` in the replacement does not change the game.
            mentions_jump61 |= command.contains("jump61") && !mentions_loa;
        }
    }
    let guess = if mentions_jump61 { CourseGame::Jump61 } else { CourseGame::Loa };
    Ok(Prepared { scripts, expected: outputs, course_game: options.game.unwrap_or(guess), are_blocks })
}

/// Sets the failure, the remarks and the diff of a test. If both programs failed, the failure with the lower rank is
/// reported.
fn judge(result: &mut TestResult, runs: Vec<Run>, expected: &[Expected], lenient: bool) {
    let is_pair = runs.len() > 1;
    let named = |number: usize, text: &dyn ToString| {
        if is_pair { format!("program {number}: {}", text.to_string()) } else { text.to_string() }
    };
    let mut failures: Vec<(usize, Failure)> = Vec::new();
    let mut errors = String::new();
    for (number, (run, expected)) in (1..).zip(runs.into_iter().zip(expected)) {
        let failure = run.failure.or_else(|| wrong_output(expected, &run.copied.into_texts(), lenient));
        if let Some(Failure::WrongOutput(diff)) = &failure {
            result.diff.push_str(&Excerpt::of(diff).text());
            let remark = "bytes outside ASCII that the program printed were dropped, as in the courses' script";
            result.remarks.extend(run.dropped_bytes.then(|| named(number, &remark)));
        }
        if let (Some(Failure::NoStandard(file)), false) = (&failure, is_pair)
            && let Some(script) = file.strip_suffix(".std")
        {
            result.remarks.push(format!(
                "`plyhouse script --record NAME --command CMD < {script}.in` writes a test with the output of CMD"
            ));
        }
        if !run.errors.is_empty() {
            errors.extend([named(number, &"standard error:\n"), run.errors]);
        }
        failures.extend(failure.map(|failure| (number, failure)));
        result.remarks.extend(run.remark.map(|remark| named(number, &remark)));
    }
    if let Some((number, failure)) = failures.iter().min_by_key(|(_, failure)| rank(failure)) {
        result.failure = Some(named(*number, failure));
        result.was_run = !failure.is_no_run();
        result.errors = errors;
    }
}

fn wrong_output(expected: &Expected, outputs: &[String; 2], lenient: bool) -> Option<Failure> {
    Some(match compare(&expected.text, outputs, lenient)? {
        _ if expected.is_missing => Failure::NoStandard(expected.file.clone()),
        Difference::Lines(diff) => Failure::WrongOutput(diff),
        Difference::ExpectedLacksNewline => Failure::NoNewline(expected.file.clone()),
        Difference::CommentBlanks => Failure::CommentBlanks(expected.file.clone()),
        Difference::OutputLacksNewline => Failure::NoNewline("the program's output".to_owned()),
    })
}

/// Returns the rank of a failure. Of two failures, the one with the lower rank is the cause.
fn rank(failure: &Failure) -> u8 {
    match failure {
        // Without both programs, nothing was tested.
        failure if failure.is_no_run() => 0,
        // The opponent caused this failure when it exceeded its own time.
        Failure::OpponentTime(_) => 2,
        Failure::WrongOutput(_) | Failure::NoStandard(_) => 3,
        Failure::NoNewline(_) | Failure::CommentBlanks(_) => 4,
        Failure::OpponentFailed => 5,
        _ => 1,
    }
}

/// Returns the file name of a transcript. Tests of the same name, from several folders, get different file names.
fn transcript_name(name: &str, before: &[TestResult]) -> String {
    match before.iter().filter(|result| result.name == name).count() {
        0 => format!("{name}.transcript"),
        others => format!("{name}.{}.transcript", others + 1),
    }
}
