//! `plyhouse endgames`, and loading of the file that it makes.

use std::fs::{File, OpenOptions, rename};
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use checkers::player::endgame::{Making, Tables};
use clap::Args;
use engine::Resources;
use etcetera::BaseStrategy;
use games::GameId;
use measure::progress::Bar;

use crate::options::processors;

/// Make the endgame tables of the checkers variant, which full-strength checkers players use if they exist
#[derive(Args)]
pub(crate) struct Options {
    /// Maximum number of pieces, 2 to 5
    #[arg(long, value_name = "N", default_value_t = 5)]
    pieces: usize,
    /// Threads; the number of processors if unset
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
    /// The file; by default the file that players load
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print nothing
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = match &options.out {
        Some(path) => path.clone(),
        None => default_path().context("no home directory: set the file with --out")?,
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("folder {}", folder.display()))?;
    }
    let part = path.with_extension("part");
    make(options, &part).with_context(|| format!("endgames {}", part.display()))?;
    rename(&part, &path).with_context(|| format!("endgames {}", path.display()))?;
    if !options.quiet {
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

/// Makes the file, or completes it if a part of it exists.
fn make(options: &Options, part: &Path) -> anyhow::Result<()> {
    let (tables, file) = open_part(options.pieces, part)?;
    let mut file = BufWriter::new(file);
    let threads = processors(options.threads);
    let mut making = Making::new(tables);
    let bar = Bar::new(options.quiet, making.progress().0);
    loop {
        let (done, all) = making.progress();
        bar.show(done, all, &format!("{:.1} of {:.1} M positions", done as f64 / 1e6, all as f64 / 1e6));
        let slices = making.step(threads, &search::SystemThreads);
        if slices.is_empty() {
            break;
        }
        for slice in slices {
            slice.write(&mut file)?;
        }
        file.flush()?;
    }
    bar.clear();
    Ok(file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?)
}

/// Opens or creates the file. Returns the tables that it already has, and the file for appending.
fn open_part(pieces: usize, part: &Path) -> anyhow::Result<(Tables, File)> {
    let none = Tables::none(pieces)?;
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(part)?;
    if file.metadata()?.len() == 0 {
        none.write_header(&mut file)?;
        return Ok((none, file));
    }
    let (tables, length) = Tables::read_part(&mut BufReader::new(&file))?;
    if tables.pieces() != pieces {
        bail!("the file is for {} pieces, expected {pieces}; remove it to start over", tables.pieces());
    }
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok((tables, file))
}

/// Returns the path from which players load the tables: `PLYHOUSE_ENDGAMES`, or a file in the user's data folder.
fn default_path() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PLYHOUSE_ENDGAMES") {
        return Some(path.into());
    }
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("plyhouse").join("checkers.endgames"))
}

/// Loads the resources of a game's players: the endgame tables, if the game is checkers and their file exists.
///
/// # Errors
/// Returns an error if the file exists and cannot be used.
pub(crate) fn load(game: GameId) -> anyhow::Result<Resources> {
    let Some(path) = default_path().filter(|path| game == GameId::CHECKERS && path.exists()) else {
        return Ok(Resources::default());
    };
    let read = || anyhow::Ok(Tables::read(&mut BufReader::with_capacity(1 << 20, File::open(&path)?))?);
    let tables = read().with_context(|| format!("endgames {} (`plyhouse endgames` makes new ones)", path.display()))?;
    Ok(Resources::default().with_endgames(Arc::new(tables)))
}

/// Returns the endgame tables of a game for a job. They are read once, not for each job.
///
/// # Errors
/// Returns an error if they are missing or cannot be used.
pub(crate) fn loaded(game: GameId) -> anyhow::Result<Resources> {
    static LOADED: Mutex<Option<Resources>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if loaded.is_none() {
        // If the tables are missing, the next job looks for them again.
        *loaded = Some(load(game)?).filter(Resources::has_endgames);
    }
    loaded.clone().context("this machine has no endgame tables: `plyhouse endgames` creates them")
}
