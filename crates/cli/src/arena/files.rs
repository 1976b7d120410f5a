//! `plyhouse arena export` and `plyhouse arena import`.

use std::fs::File;
use std::io::{BufReader, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use arena::{Damaged, GameLog, ImportError, Imported, ResultLog, Spec, Store, StoreError, Tournament};
use clap::{Args, ValueEnum};
use protocol::sgf;

use super::foreign::Printable;
use super::{StoreOption, Where, note_damaged};

/// Write the games of a tournament as text
#[derive(Args)]
pub(super) struct ExportOptions {
    #[command(flatten)]
    place: Where,
    /// The format
    #[arg(long, value_enum, default_value = "json")]
    format: Form,
    /// The file; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A line of JSON for the tournament, then one for each game, with all data
    Json,
    /// The Smart Game Format, only for Lines of Action
    Sgf,
}

/// Read games that `export` has written as JSON, check every move and the chain, and save them as a tournament
#[derive(Args)]
pub(super) struct ImportOptions {
    /// A file that `export` has written
    file: PathBuf,
    #[command(flatten)]
    store: StoreOption,
}

pub(super) fn export(options: &ExportOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let (store, tournament) = options.place.open()?;
    let damaged = match &options.out {
        // A terminal must not obey what agents have written; a file gets it as it is, because the hashes cover it.
        None if std::io::stdout().is_terminal() => {
            write(&store, &tournament, options.format, &mut Printable::new(&mut *out))?
        }
        None => write(&store, &tournament, options.format, out)?,
        Some(path) => {
            let write = || {
                let mut file = BufWriter::new(File::create(path)?);
                let damaged = write(&store, &tournament, options.format, &mut file)?;
                file.flush()?;
                anyhow::Ok(damaged)
            };
            write().with_context(|| format!("file {}", path.display()))?
        }
    };
    out.flush()?;
    note_damaged(&damaged);
    if let Some(head) = store.head(tournament.id)? {
        let _ = writeln!(std::io::stderr(), "head {head}");
    }
    Ok(())
}

fn write(store: &Store, tournament: &Tournament, form: Form, out: &mut dyn Write) -> anyhow::Result<Vec<Damaged>> {
    let spec = &tournament.spec;
    match form {
        Form::Json => Ok(store.export(tournament.id, out)?),
        Form::Sgf => {
            ensure!(spec.game == "loa", "--format sgf: {} found, expected loa; use json", spec.game);
            store.each(tournament.id, |game| Ok(write!(out, "{}", as_sgf(spec, &game))?))
        }
    }
}

fn as_sgf(spec: &Spec, game: &GameLog) -> sgf::Game {
    let by_rules = game.ended().is_some_and(|ending| matches!(ending, referee::Ending::Rules(_)));
    let how = if by_rules { String::new() } else { game.ending.clone() };
    let result = match game.result {
        ResultLog::First => format!("B+{how}"),
        ResultLog::Second => format!("W+{how}"),
        ResultLog::Draw => "0".to_owned(),
        ResultLog::Void => "Void".to_owned(),
    };
    sgf::Game {
        players: game.planned.agents.map(|agent| spec.agents[agent].name.clone()),
        event: spec.name.clone(),
        date: game.began.chars().take(10).collect(),
        result,
        comment: format!("game {}, {}, opening of {} moves", game.planned.number, game.ending, game.opening.len()),
        start: Some(game.start.clone()),
        nodes: sgf::line(game.all_moves()),
    }
}

pub(super) fn import(options: &ImportOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let named = || format!("file {}", options.file.display());
    let file = BufReader::new(File::open(&options.file).with_context(named)?);
    let file_of_store = options.store.location.file().filter(|path| !path.exists());
    let found = Store::open(&options.store.location)?.import(file);
    if let (Some(path), Err(_)) = (file_of_store, &found) {
        // A store that was made for this file alone would only be empty.
        let _ = std::fs::remove_file(path);
    }
    let found = match found {
        // The store is not the file's fault.
        Err(ImportError::Store(error)) => return Err(StoreError::into(error)),
        found => found.with_context(named)?,
    };
    let Imported { id, planned, by_rules, claimed, damaged, head } = found;
    writeln!(out, "tournament {id}: {} of {planned} games", by_rules + claimed)?;
    writeln!(out, "{by_rules} confirmed by the rules")?;
    if claimed > 0 {
        writeln!(
            out,
            "{claimed} ended by a fault or by a proof: the moves agree, but only the file says that it happened"
        )?;
    }
    if !damaged.is_empty() {
        writeln!(out, "{} were damaged when the file was written, and are not in it: {damaged:?}", damaged.len())?;
    }
    match head {
        Some(head) => writeln!(out, "the chain of hashes is whole; head {head}")?,
        None => writeln!(out, "not chained: the file has no hashes, so nothing shows whether it was changed")?,
    }
    Ok(())
}
