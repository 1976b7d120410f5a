//! The test-script harness: drives one or two text programs by scripts and compares what they print.
//!
//! The language is that of the test programs of two CS61B courses. [`parse()`] reads a script, a suite is found by [`run_main`],
//! which runs it and reports; [`record()`] writes a script from a game that was played.
//!
//! What is not here: rules. A move that a program prints must be well-formed; whether it is legal is for the other program to
//! say.
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

mod compare;
mod failure;
mod listen;
mod parse;
mod record;
mod report;
mod run;
mod suite;
mod transcript;

pub use failure::Failure;
pub use parse::{Directive, ParseError, Script, Step, parse};
pub use record::{RecordOptions, record};
pub use suite::{ExitKind, Options, run_main};
