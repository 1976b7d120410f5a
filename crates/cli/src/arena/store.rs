//! `plyhouse arena store`.

use std::io::Write;

use anyhow::{Context, anyhow};
use arena::Store;
use clap::{Args, Subcommand};
use ledger::Ledger;

use super::options::StoreOption;

/// Prepare a store
#[derive(Args)]
pub(super) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Init(InitOptions),
}

/// Create the tables of a store, and optionally a database user for workers
#[derive(Args)]
pub(super) struct InitOptions {
    #[command(flatten)]
    store: StoreOption,
    /// Create this database user for workers, or set a new password if the user exists. The user can only take jobs and
    /// report results. The last line of the output is the command of a worker, with the password in a variable, which
    /// `ps` does not show. The password is not shown again
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let Command::Init(options) = &options.command;
    let location = &options.store.location;
    let address = location.address();
    if options.worker.is_some() && address.is_none() {
        return Err(anyhow!("--worker: the store {location} is a file, expected `--store postgres://…`"));
    }
    Store::open(location)?;
    let mut ledger = address.map(Ledger::open).transpose()?;
    let user = match (&options.worker, &mut ledger, address) {
        (Some(worker), Some(ledger), Some(address)) => {
            let password = password()?;
            ledger.admit(worker, &password)?;
            Some((address, worker, password))
        }
        _ => None,
    };
    if options.json {
        let store = location.to_string();
        let url = user.map(|(address, worker, password)| address.for_user(worker, Some(&password)));
        writeln!(out, "{}", serde_json::json!({ "store": store, "worker": options.worker, "url": url }))?;
        return Ok(());
    }
    writeln!(out, "store {location} is ready")?;
    if let Some((address, worker, password)) = user {
        let url = address.for_user(worker, None);
        writeln!(
            out,
            "user {} may take jobs and report them; workers start with\n\
             PGPASSWORD={password} plyhouse work --store '{url}'",
            game::text::printable(worker)
        )?;
    }
    Ok(())
}

/// Returns a random password of 128 bits.
fn password() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("random bytes for a password")?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}
