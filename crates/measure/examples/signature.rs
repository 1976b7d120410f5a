//! Prints the signature of the bench and whether it matches the committed one. `make portable` runs it.

use std::io::{Write, stdout};
use std::process::ExitCode;

use measure::bench::{COMMITTED, run, signature};

fn main() -> std::io::Result<ExitCode> {
    let found = signature(&run(|_| ()));
    let same = found == COMMITTED;
    writeln!(stdout(), "{found}{}", if same { "the committed signature" } else { "not the committed signature" })?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
