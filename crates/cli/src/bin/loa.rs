//! The program `loa`: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    plyhouse_cli::loa::main()
}
