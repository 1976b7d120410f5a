//! `plyhouse endgames`, and finding the file that it makes.

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

use crate::options::processors;
use crate::progress::Bar;

/// Make the endgame tables of the checkers variant; every full-strength checkers player uses them if they exist
#[derive(Args)]
pub(crate) struct Options {
    /// For positions with up to this many pieces, 2 to 5
    #[arg(long, value_name = "N", default_value_t = 5)]
    pieces: usize,
    /// Threads; the number of processors if unset
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
    /// The file; by default the one that players look for
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print nothing
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = match &options.out {
        Some(path) => path.clone(),
        None => usual_path().context("no home directory: give the file with --out")?,
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

/// Makes the file, or continues it.
fn make(options: &Options, part: &Path) -> anyhow::Result<()> {
    let (tables, file) = begin(options.pieces, part)?;
    let mut file = BufWriter::new(file);
    let threads = processors(options.threads);
    let mut making = Making::new(tables);
    let bar = Bar::new(options.quiet, making.progress().0);
    loop {
        let (done, all) = making.progress();
        bar.show(done, all, &format!("{:.1} of {:.1} M positions", done as f64 / 1e6, all as f64 / 1e6));
        let slices = making.step(threads, &machine::SystemThreads);
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

/// The tables that a file already has, and the file to append to.
fn begin(pieces: usize, part: &Path) -> anyhow::Result<(Tables, File)> {
    let none = Tables::none(pieces)?;
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(part)?;
    if file.metadata()?.len() == 0 {
        none.write_header(&mut file)?;
        return Ok((none, file));
    }
    let (tables, length) = Tables::read_part(&mut BufReader::new(&file))?;
    if tables.pieces() != pieces {
        bail!("begun for {} pieces, not {pieces}; remove it to begin anew", tables.pieces());
    }
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok((tables, file))
}

/// Where players look for the tables: `PLYHOUSE_ENDGAMES` if it is set, or in the user's data folder.
fn usual_path() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PLYHOUSE_ENDGAMES") {
        return Some(path.into());
    }
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("plyhouse").join("checkers.endgames"))
}

/// What players of this game may use: the endgame tables, if the game is checkers and their file exists.
///
/// # Errors
/// If there is a file that cannot be used.
pub(crate) fn load(game: GameId) -> anyhow::Result<Resources> {
    let Some(path) = usual_path().filter(|path| game == GameId::CHECKERS && path.exists()) else {
        return Ok(Resources::default());
    };
    let read = || anyhow::Ok(Tables::read(&mut BufReader::with_capacity(1 << 20, File::open(&path)?))?);
    let tables =
        read().with_context(|| format!("endgames {} (`plyhouse endgames` makes them anew)", path.display()))?;
    Ok(Resources::default().with_endgames(Arc::new(tables)))
}

/// The tables of a game that a job needs. They are read once, not for each job.
///
/// # Errors
/// If they are not there, or cannot be used.
pub(crate) fn loaded(game: GameId) -> anyhow::Result<Resources> {
    static LOADED: Mutex<Option<Resources>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if loaded.is_none() {
        // Those that are missing may be there later.
        *loaded = Some(load(game)?).filter(Resources::has_endgames);
    }
    loaded.clone().context("this machine has no endgame tables: `plyhouse endgames` makes them")
}
