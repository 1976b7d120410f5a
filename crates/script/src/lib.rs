//! The test harness: drives one or two text programs by test scripts and compares what they print.
//!
//! The script language is that of the test programs of two CS61B courses. [`run_main`] finds, runs and reports a suite
//! of tests; [`parse()`] reads a script, and [`parse_blocks`] one of 2010 to 2016; [`record()`] writes one from a game.
//!
//! The harness does not know the rules of a game. A move that a program prints must be well-formed; whether it is legal
//! is up to the other program.
//!
//! The files, each of which uses only those above it:
//!
//! | file | what it has |
//! | --- | --- |
//! | `clock` | the limits of a move and of a game |
//! | `excerpt` | long texts, shortened for reports |
//! | `failure` | the reasons why a test fails |
//! | `parse` | scripts: the command, and what to do for each line |
//! | `blocks` | scripts in the format of 2010 to 2016 |
//! | `output` | what is copied from a program's output: dumps and win lines |
//! | `transcript` | the log of what is sent and received, with times |
//! | `listen` | a running program: sorts its output into dumps, messages and noise; limits on output |
//! | `run` | runs one script or two: what each directive waits for, and the clocks |
//! | `compare` | the expected output against the printed one, as a diff |
//! | `result`, `report` | a finished test, and reports on it: text, JUnit, Gradescope |
//! | `files` | finds the tests of a suite, reads and writes files |
//! | `suite` | runs the tests, judges their output, reports; exit codes |
//! | `record` | records a game as a test |
//!
//! `CONTRIBUTING.md` has the list of what a new directive needs.
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

mod blocks;
mod clock;
mod compare;
mod excerpt;
mod failure;
mod files;
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

pub use blocks::{is_block_script, parse_blocks};
pub use clock::TimeUp;
pub use failure::Failure;
pub use parse::{Directive, ParseError, Script, ScriptLine, parse};
pub use percent::Percent;
pub use record::{RecordOptions, record};
pub use suite::{ExitKind, Options, run_main};
