//! The program `loa6`: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    plyhouse_cli::loa6::main()
}
