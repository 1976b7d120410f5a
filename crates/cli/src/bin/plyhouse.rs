//! The program `plyhouse`: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Agents' sandboxes are supervised by this program, started anew.
    sandbox::serve_if_asked().unwrap_or_else(plyhouse_cli::umbrella::main)
}
