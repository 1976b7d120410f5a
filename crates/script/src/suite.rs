//! Finds the tests of a suite, runs them and reports.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use protocol::cs61b::Dialect;

use crate::compare::difference;
use crate::report;
use crate::run::{Run, run};
use crate::transcript::Transcript;
use crate::{Failure, Script, parse};

/// What to run and how to report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Folders with scripts, or scripts.
    pub paths: Vec<PathBuf>,
    /// The game; by default told from the command lines.
    pub game: Option<Dialect>,
    /// Instead of the commands in the scripts: the n-th for program n, one alone for both.
    pub commands: Vec<String>,
    /// Show everything that is said.
    pub verbose: bool,
    /// Where the programs run; the caller's directory if none is given.
    pub cwd: Option<PathBuf>,
    /// A JUnit report goes here.
    pub junit: Option<PathBuf>,
    /// A Gradescope `results.json` goes here.
    pub gradescope: Option<PathBuf>,
    /// A transcript with times of each test goes into this folder.
    pub transcripts: Option<PathBuf>,
}

/// What came of it; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// Everything passed.
    Passed = 0,
    /// Something failed.
    Failed = 1,
    /// A script could not be run.
    NotRun = 2,
}

/// A test: one script, or two for programs that play each other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    name: String,
    scripts: Vec<PathBuf>,
}

/// A finished test.
pub(crate) struct TestResult {
    pub(crate) name: String,
    /// `None` for a pass.
    pub(crate) failure: Option<String>,
    /// The diffs of wrong output.
    pub(crate) diff: String,
    pub(crate) was_run: bool,
    pub(crate) time: Duration,
    pub(crate) transcript: String,
}

/// Runs the tests and reports on them to `out`; complaints about paths and reports go to `err`.
pub fn run_main(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> ExitKind {
    match run_all(options, out) {
        Ok(kind) => kind,
        Err(error) => {
            // Whoever read the report and left has seen enough of it.
            if error.kind() != io::ErrorKind::BrokenPipe {
                let _ = writeln!(err, "Error: {error}");
            }
            ExitKind::NotRun
        }
    }
}

fn run_all(options: &Options, out: &mut dyn Write) -> io::Result<ExitKind> {
    let tests = find(&options.paths)?;
    let mut results: Vec<TestResult> = Vec::new();
    for test in &tests {
        let result = run_test(test, options, out)?;
        report::test(&result, out)?;
        out.flush()?;
        if let Some(folder) = &options.transcripts {
            fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
            let path = folder.join(transcript_name(&result.name, &results));
            fs::write(&path, &result.transcript).map_err(|error| named(&path, &error))?;
        }
        results.push(result);
    }
    report::summary(&results, out)?;
    if let Some(path) = &options.junit {
        fs::write(path, report::junit(&results)?).map_err(|error| named(path, &error))?;
    }
    if let Some(path) = &options.gradescope {
        fs::write(path, report::gradescope(&results)?).map_err(|error| named(path, &error))?;
    }
    Ok(if results.iter().any(|result| !result.was_run) {
        ExitKind::NotRun
    } else if results.iter().any(|result| result.failure.is_some()) {
        ExitKind::Failed
    } else {
        ExitKind::Passed
    })
}

/// A file for a transcript; tests of one name, from several folders, get one each.
fn transcript_name(name: &str, before: &[TestResult]) -> String {
    match before.iter().filter(|result| result.name == name).count() {
        0 => format!("{name}.transcript"),
        others => format!("{name}.{}.transcript", others + 1),
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The tests in these places: of a folder every `X-1.in` in the order of names.
fn find(paths: &[PathBuf]) -> io::Result<Vec<Test>> {
    let mut scripts = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| named(path, &error))?;
        if !metadata.is_dir() {
            scripts.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| named(path, &error))? {
            let path = entry?.path();
            if sibling(&path, "-1.in", "-1.in").is_some() {
                found.push(path);
            }
        }
        if found.is_empty() {
            return Err(io::Error::other(format!("{}: no scripts, expected files named X-1.in", path.display())));
        }
        found.sort();
        scripts.append(&mut found);
    }
    if scripts.is_empty() {
        return Err(io::Error::other("no scripts: expected a folder or files named X-1.in"));
    }
    Ok(pair(&scripts))
}

/// Puts `X-2.in` to its `X-1.in`, whether it is named or only lies beside it.
fn pair(scripts: &[PathBuf]) -> Vec<Test> {
    // `./X-2.in` and `X-2.in` are one file.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let seconds: BTreeSet<PathBuf> =
        scripts.iter().filter_map(|path| sibling(path, "-1.in", "-2.in")).map(|path| real(&path)).collect();
    let firsts = scripts.iter().filter(|path| !seconds.contains(&real(path)));
    firsts
        .map(|path| {
            let second = sibling(path, "-1.in", "-2.in").filter(|second| second.exists());
            Test { name: name(path), scripts: std::iter::once(path.clone()).chain(second).collect() }
        })
        .collect()
}

/// The path with another ending, if it has this one.
fn sibling(path: &Path, ending: &str, other: &str) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix(ending)?;
    Some(path.with_file_name(format!("{name}{other}")))
}

/// `X` of `X-1.in`.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix("-1.in").or_else(|| name.strip_suffix(".in")).unwrap_or(&name).to_owned()
}

fn run_test(test: &Test, options: &Options, out: &mut dyn Write) -> io::Result<TestResult> {
    let start = Instant::now();
    let mut result = TestResult {
        name: test.name.clone(),
        failure: None,
        diff: String::new(),
        was_run: true,
        time: Duration::ZERO,
        transcript: String::new(),
    };
    match prepare(test, options) {
        Err(reason) => (result.failure, result.was_run) = (Some(reason), false),
        Ok((scripts, expected, dialect)) => {
            let (reader, lines) = channel();
            let transcript = Transcript::new(options.verbose.then_some(reader));
            let runs = thread::scope(|scope| {
                let running = scope.spawn(|| {
                    let runs = run(&scripts, dialect, options.cwd.as_ref(), &transcript);
                    transcript.close();
                    runs
                });
                // As it happens: a test may take a minute, and whoever asked for this is waiting for a line.
                for line in lines {
                    out.write_all(line.as_bytes())?;
                    out.flush()?;
                }
                Ok::<_, io::Error>(running.join().expect("invariant: running a script does not panic"))
            })?;
            judge(&mut result, &runs, &expected);
            result.transcript = transcript.into_text();
        }
    }
    result.time = start.elapsed();
    Ok(result)
}

/// The scripts with their commands replaced, what they should print, and their game.
fn prepare(test: &Test, options: &Options) -> Result<(Vec<Script>, Vec<String>, Dialect), String> {
    let mut scripts = Vec::new();
    let mut expected = Vec::new();
    let (mut mentions_loa, mut mentions_jump61) = (false, false);
    for (index, path) in test.scripts.iter().enumerate() {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut script = parse(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        let command = script.command.join(" ");
        mentions_jump61 |= command.contains("jump61");
        mentions_loa |= command.contains("loa") && !command.contains("jump61");
        let replacement = match &options.commands[..] {
            [one] => Some(one),
            commands => commands.get(index),
        };
        if let Some(command) = replacement {
            script.command = command.split_ascii_whitespace().map(str::to_owned).collect();
            // The folder of a replacement does not turn a script for `loa.Main` into one for another game.
            mentions_jump61 |= command.contains("jump61") && !mentions_loa;
        }
        scripts.push(script);
        expected.push(expectation(path)?);
    }
    let guess = if mentions_jump61 { Dialect::Jump61 } else { Dialect::Loa };
    Ok((scripts, expected, options.game.unwrap_or(guess)))
}

/// The text of the `.std` beside a script; a missing one is empty.
fn expectation(path: &Path) -> Result<String, String> {
    let path = path.with_extension("std");
    match fs::read(&path) {
        Ok(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// A test fails by the first program that failed by itself; if none did, by the first with wrong output.
fn judge(result: &mut TestResult, runs: &[Run], expected: &[String]) {
    let mut failures: Vec<(usize, Failure)> = Vec::new();
    for (index, (run, expected)) in runs.iter().zip(expected).enumerate() {
        if let Some(failure) = &run.failure {
            failures.push((index + 1, failure.clone()));
        } else if let Some(diff) = difference(expected, &run.output) {
            failures.push((index + 1, Failure::WrongOutput(diff.clone())));
            result.diff.push_str(&diff);
        }
    }
    failures.sort_by_key(|(_, failure)| match failure {
        // What the other program did meanwhile means nothing then, and the exit code says that nothing was tested.
        failure if failure.is_no_run() => -1,
        Failure::OpponentFailed => 3,
        Failure::WrongOutput(_) => 2,
        // If the opponent ran out of its own time, too, that is the cause.
        Failure::OpponentTime(_) => 1,
        _ => 0,
    });
    if let Some((number, failure)) = failures.first() {
        let program = if runs.len() > 1 { format!("program {number}: ") } else { String::new() };
        result.failure = Some(format!("{program}{failure}"));
        result.was_run = !failure.is_no_run();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_script_belongs_to_its_first() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in ["b-1.in", "a-1.in", "a-2.in", "c-2.in", "a-1.std", "notes.txt"] {
            fs::write(folder.path().join(file), "").expect("a file");
        }
        let at = |file: &str| folder.path().join(file);
        let a = Test { name: "a".to_owned(), scripts: vec![at("a-1.in"), at("a-2.in")] };
        let b = Test { name: "b".to_owned(), scripts: vec![at("b-1.in")] };
        assert_eq!(find(&[folder.path().to_owned()]).expect("tests"), [a.clone(), b]);
        assert_eq!(find(&[at("a-1.in"), at("a-2.in")]).expect("tests"), [a]);
        assert!(find(&[at("none-1.in")]).is_err_and(|error| error.to_string().contains("none-1.in")));
        assert!(find(&[]).is_err());
    }
}
