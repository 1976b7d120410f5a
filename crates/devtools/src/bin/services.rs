//! Runs a command with a browser and a PostgreSQL server that all tests of the command share, such as `services cargo
//! nextest run`. Both stop when this program ends for any reason. Without this program, each test process starts its
//! own.

use std::env;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use devtools::{Chromium, Database, Postgres};

fn main() -> Result<ExitCode> {
    let mut words = env::args_os().skip(1);
    let program = words.next().context("expected a command: services PROGRAM [ARGUMENT…]")?;
    // Without a browser, each test that needs one reports what to install.
    let browser = Chromium::start().ok();
    let database = Database::server()?;
    let mut command = Command::new(&program);
    command.args(words).envs(browser.as_ref().map(Chromium::variable)).envs(database.as_ref().map(Postgres::variable));
    let status = command.status().with_context(|| program.display().to_string())?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
