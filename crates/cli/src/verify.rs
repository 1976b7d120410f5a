//! `plyhouse verify`.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use games::check_win;
use measure::progress::Bar;
use proof::win::{WinFile, is_win_file};
use proof::{Details, HELD, Team, verify, verify_in_detail};

use crate::analyse::counted;
use crate::options::processors;

/// Check a certificate record by record, with the reference implementation of the rules and without search
#[derive(Args)]
pub(crate) struct Options {
    /// The certificate
    file: PathBuf,
    /// Also print the length of the longest line in plies, and how games end; this needs about 25 bytes of memory per
    /// record
    #[arg(long)]
    details: bool,
    /// Threads; the number of processors if unset
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    match win_file(&options.file)? {
        Some(bytes) => check_win_file(options, &bytes, out),
        None => check_solution(options, out),
    }
}

/// Checks a certificate of `plyhouse solve`.
fn check_solution(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let bar = Bar::with_lines(options.quiet || options.json, 0);
    let mut progress = |done: u64, all: u64| bar.show(done, all, &format!("{done} of {all} records"));
    let team = Team { size: processors(options.threads), threads: &search::SystemThreads };
    let open = || -> io::Result<Box<dyn Read>> { Ok(Box::new(File::open(&options.file)?)) };
    let checked = if options.details {
        verify_in_detail(&open, team, &mut progress).map(|(verified, details)| (verified, Some(details)))
    } else {
        verify(&open, team, &mut progress).map(|verified| (verified, None))
    };
    bar.clear();
    let (verified, details) = checked.with_context(|| format!("certificate {}", options.file.display()))?;
    let rank = (verified.rank != HELD).then_some(verified.rank);
    if options.json {
        let mut report = serde_json::json!({
            "position": verified.position, "records": verified.records, "replies": verified.replies,
            "wins": verified.wins, "rank": rank, "hash": verified.hash,
        });
        if let Some(Details { plies, ended, alone, both, stuck }) = details {
            report["details"] =
                serde_json::json!({ "plies": plies, "ended": ended, "alone": alone, "both": both, "stuck": stuck });
        }
        writeln!(out, "{report}")?;
        return Ok(());
    }
    let claim = match rank {
        None => "does not lose",
        Some(0) => "wins at once",
        Some(_) => "wins",
    };
    let with_rank = rank.map_or(String::new(), |rank| format!(", rank {rank}"));
    writeln!(
        out,
        "Black {claim} from {}: {} records, {} replies, {} wins at once{with_rank}, sha256 {}",
        verified.position, verified.records, verified.replies, verified.wins, verified.hash
    )?;
    if let Some(Details { plies, ended, alone, both, stuck }) = details {
        if rank.is_some() {
            writeln!(out, "the longest line takes {}", counted(plies))?;
        }
        writeln!(
            out,
            "wins at once: {alone} connect Black alone, {both} only both sides, {stuck} only leave White without a \
             move; {ended} replies connect Black"
        )?;
        if rank.is_some() && details.is_some_and(|details| details.is_alone()) {
            writeln!(out, "Black alone is connected at the end of every game")?;
        }
    }
    Ok(())
}

/// Returns the bytes of a file if it is a certificate of `plyhouse prove`. Returns `None` if it cannot be opened, so
/// that the caller reports the error.
fn win_file(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    let Ok(mut file) = File::open(path) else { return Ok(None) };
    let named = || format!("certificate {}", path.display());
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(100).read_to_end(&mut bytes).with_context(named)?;
    if !is_win_file(&bytes) {
        return Ok(None);
    }
    file.read_to_end(&mut bytes).with_context(named)?;
    Ok(Some(bytes))
}

/// Checks a certificate of `plyhouse prove`.
fn check_win_file(options: &Options, bytes: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
    if options.details {
        bail!("{} is a certificate of `prove`; `--details` is for certificates of `solve`", options.file.display());
    }
    let named = || format!("certificate {}", options.file.display());
    let bar = Bar::with_lines(options.quiet || options.json, 0);
    let mut progress = |done: u64, all: u64| bar.show(done, all, &format!("{done} of {all} steps"));
    let team = Team { size: processors(options.threads), threads: &search::SystemThreads };
    let file = WinFile::read(bytes).with_context(named)?;
    let checked = check_win(&file, team, &mut progress);
    bar.clear();
    let (checked, winner) = checked.with_context(named)?;
    let header = &file.header;
    if options.json {
        let report = serde_json::json!({
            "game": header.game, "position": header.position, "winner": winner.to_lowercase(), "steps": checked.steps,
            "replies": checked.replies, "wins": checked.wins, "rank": checked.rank, "hash": file.hash,
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{winner} wins {}: {}, {} steps, {} replies, {} wins at once, rank {}, sha256 {}",
        header.game, header.position, checked.steps, checked.replies, checked.wins, checked.rank, file.hash
    )?;
    Ok(())
}
