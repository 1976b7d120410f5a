//! The program `jump61`: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    plyhouse_cli::jump61::main()
}
