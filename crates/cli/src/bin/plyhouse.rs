//! The program `plyhouse`: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    plyhouse_cli::run_with(&[])
}
