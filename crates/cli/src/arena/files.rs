//! `plyhouse arena export` and `plyhouse arena import`.

use std::fs::File;
use std::io::{BufReader, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use arena::{Damaged, GameLog, ImportError, Imported, ResultLog, Spec, Store, StoreError, Tournament};
use clap::{Args, ValueEnum};
use protocol::sgf;

use super::escaping::EscapingWriter;
use super::notices::note_damaged;
use super::options::{StoreOption, TournamentOption};

/// Write the games of a tournament as text
#[derive(Args)]
pub(super) struct ExportOptions {
    #[command(flatten)]
    target: TournamentOption,
    /// Format of the text
    #[arg(long, value_enum, default_value = "json")]
    format: ExportFormat,
    /// Output file; defaults to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One line of JSON for the tournament, then one for each game, with all data
    Json,
    /// Smart Game Format; only for Lines of Action
    Sgf,
}

/// Import a tournament that `export` has written as JSON, and check every move and the chain of hashes
#[derive(Args)]
pub(super) struct ImportOptions {
    /// JSON file written by `export`
    file: PathBuf,
    #[command(flatten)]
    store: StoreOption,
}

pub(super) fn export(options: &ExportOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let (store, tournament) = options.target.open()?;
    let damaged = match &options.out {
        // Control characters from agents must not reach a terminal. In a file they stay unescaped, because the hashes
        // cover them.
        None if std::io::stdout().is_terminal() => {
            write(&store, &tournament, options.format, &mut EscapingWriter::new(&mut *out))?
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

fn write(
    store: &Store,
    tournament: &Tournament,
    format: ExportFormat,
    out: &mut dyn Write,
) -> anyhow::Result<Vec<Damaged>> {
    let spec = &tournament.spec;
    match format {
        ExportFormat::Json => Ok(store.export(tournament.id, out)?),
        ExportFormat::Sgf => {
            ensure!(spec.game == "loa", "--format sgf: {} found, expected loa; use --format json", spec.game);
            store.each(tournament.id, |game| Ok(write!(out, "{}", as_sgf(spec, &game))?))
        }
    }
}

fn as_sgf(spec: &Spec, game: &GameLog) -> sgf::Game {
    let by_rules = game.ended().is_some_and(|ending| matches!(ending, referee::Ending::Rules(_)));
    let reason = if by_rules { String::new() } else { game.ending.clone() };
    let opening = match game.opening.len() {
        1 => "opening of 1 move".to_owned(),
        count => format!("opening of {count} moves"),
    };
    let result = match game.result {
        ResultLog::First => format!("B+{reason}"),
        ResultLog::Second => format!("W+{reason}"),
        ResultLog::Draw => "0".to_owned(),
        ResultLog::Void => "Void".to_owned(),
    };
    sgf::Game {
        players: game.planned.agents.map(|agent| spec.agents[agent].name.clone()),
        event: spec.name.clone(),
        date: game.began.chars().take(10).collect(),
        result,
        comment: format!("game {}, {}, {opening}", game.planned.number, game.ending),
        start: Some(game.start.clone()),
        nodes: sgf::line(game.all_moves()),
        left_out: None,
    }
}

pub(super) fn import(options: &ImportOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let named = || format!("file {}", options.file.display());
    let file = BufReader::new(File::open(&options.file).with_context(named)?);
    let file_of_store = options.store.location.file().filter(|path| !path.exists());
    let found = Store::open(&options.store.location)?.import(file);
    if let (Some(path), Err(_)) = (file_of_store, &found) {
        // The store was created for this import, so it is empty.
        let _ = std::fs::remove_file(path);
    }
    let found = match found {
        // Errors of the store do not name the imported file.
        Err(ImportError::Store(error)) => return Err(StoreError::into(error)),
        found => found.with_context(named)?,
    };
    let Imported { id, planned, by_rules, claimed, damaged, head } = found;
    writeln!(out, "tournament {id}: {} of {planned} games", by_rules + claimed)?;
    writeln!(out, "{by_rules} confirmed by the rules")?;
    if claimed > 0 {
        writeln!(
            out,
            "{claimed} ended by a fault or by a proof: the moves agree, but only the file attests the fault or proof"
        )?;
    }
    if !damaged.is_empty() {
        writeln!(out, "damaged when the file was written, and left out: {damaged:?}")?;
    }
    match head {
        Some(head) => writeln!(out, "the chain of hashes is intact; head {head}")?,
        None => writeln!(out, "not chained: the file has no hashes, so changes cannot be detected")?,
    }
    Ok(())
}
