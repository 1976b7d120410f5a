//! The test harness: runs one or two text programs by test scripts and compares their output.
//!
//! The script language is that of the test programs of two CS61B courses. [`run_main`] finds, runs and reports a suite
//! of tests. [`parse()`] parses a script, and [`parse_blocks`] parses a script in the format of 2010 to 2016.
//! [`record()`] writes a script from a game.
//!
//! Not here: the rules of a game. A move that a program prints must be well-formed; its legality is checked by the
//! other program.
//!
//! The files, each of which uses only those above it:
//!
//! | file | contents |
//! | --- | --- |
//! | `clock` | the limits of a move and of a game |
//! | `excerpt` | long texts, shortened for reports |
//! | `failure` | the reasons why a test fails |
//! | `parse` | scripts: the command, and the directive of each line |
//! | `blocks` | scripts in the format of 2010 to 2016 |
//! | `output` | the part of a program's output that is copied: dumps and win lines |
//! | `transcript` | the log of input and output, with times |
//! | `listen` | a running program: sorts its output into dumps, messages and noise; limits on output |
//! | `run` | the execution of one script or two: directives and clocks |
//! | `compare` | the comparison of the expected output with the printed one, as a diff |
//! | `build` | the command that builds the programs |
//! | `files` | the tests of a suite; reading and writing of files |
//! | `grading` | points, visibility and limits of output in a results file for Gradescope |
//! | `result`, `report` | a finished test, and reports on it: text, JUnit, Gradescope |
//! | `suite` | the test runner: runs the tests, judges their output, reports; exit codes |
//! | `autograder` | packages of a suite for Gradescope and GitHub Classroom |
//! | `record` | the recording of a game as a test |
//!
//! `CONTRIBUTING.md` lists the steps to add a directive.
//!
//! ```
//! use script::{Options, ExitKind};
//!
//! let folder = tempfile::tempdir()?;
//! let script = folder.path().join("hello-1.in");
//! std::fs::write(&script, "#* cat\n===\nb - w\n===\n")?;
//! std::fs::write(folder.path().join("hello-1.std"), "===\nb - w\n===\n")?;
//!
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let options = Options { paths: vec![script], ..Options::default() };
//! assert_eq!(script::run_main(&options, &mut out, &mut err), ExitKind::Passed);
//! assert_eq!(String::from_utf8_lossy(&out), "hello PASSED\nPassed all 1 tests.\n");
//! # Ok::<(), std::io::Error>(())
//! ```

mod autograder;
mod blocks;
mod build;
mod clock;
mod compare;
mod excerpt;
mod failure;
mod files;
mod grading;
mod listen;
mod output;
mod parse;
mod percent;
mod record;
mod report;
mod result;
mod run;
mod suite;
mod transcript;

pub use autograder::{Package, Service, write_package};
pub use blocks::{is_block_script, parse_blocks};
pub use clock::TimeUp;
pub use failure::Failure;
pub use grading::{Grading, Points, Rule, RuleError, Visibility};
pub use parse::{Directive, ParseError, Script, ScriptLine, parse};
pub use percent::PercentDirective;
pub use record::{RecordOptions, record};
pub use suite::{ExitKind, Options, run_main};
