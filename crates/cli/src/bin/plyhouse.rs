//! The program `plyhouse`: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
<<<<<<< HEAD
    plyhouse_cli::run_with(&[])
=======
    // This program also serves as the supervisor of agents' sandboxes.
    sandbox::serve_if_asked().unwrap_or_else(plyhouse_cli::umbrella::main)
>>>>>>> main
}
