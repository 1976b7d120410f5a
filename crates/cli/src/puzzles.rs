//! `plyhouse puzzles`.

use std::fs::{File, OpenOptions, read_to_string, rename};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use etcetera::BaseStrategy;
use game::plural;
use games::{Game, GameId, Puzzle, Task, Visitor, dispatch, read_puzzles};
use measure::puzzles::{Depths, Maker, is_sound, sorted};

use measure::progress::Bar;

/// Generate puzzles: play games between levels of medium strength, keep positions with a forced win or with a single
/// saving move, and rate each by the levels that solve it
///
/// New puzzles are added to those in the file. To resume an interrupted run, repeat the same command.
#[derive(Args)]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::built_in_game())]
    game: GameId,
    /// Output file, one puzzle per line; defaults to the user's own puzzle file, which the page's server loads at
    /// startup in addition to the built-in puzzles
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Use the positions in this file instead of games: each line begins with a position, which ends at the first
    /// semicolon
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "seed", "size"])]
    positions: Option<PathBuf>,
    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Squares per side
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Maximum length of a win, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=15))]
    win: Option<u32>,
    /// Number of plies within which all moves but the saving one must lose
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(2..=15))]
    save: Option<u32>,
    /// Prove the puzzles of the file again instead of generating new ones
    #[arg(long)]
    check: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = match &options.out {
        Some(path) => path.clone(),
        None => usual_path(options.game).context("no home directory: give the file with --out")?,
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("folder {}", folder.display()))?;
    }
    dispatch(options.game, Make { options, path: &path, out })
}

/// Returns the puzzles that the user has made for the page.
///
/// # Errors
/// Returns an error if the file exists and cannot be read.
pub(crate) fn own(game: GameId) -> anyhow::Result<Vec<Puzzle>> {
    usual_path(game).map_or(Ok(Vec::new()), |path| read(&path))
}

/// Returns the path from which the page reads the user's puzzles: in the folder `PLYHOUSE_PUZZLES` if it is set, or in
/// the user's data folder.
fn usual_path(game: GameId) -> Option<PathBuf> {
    let name = format!("{game}.txt");
    if let Some(folder) = std::env::var_os("PLYHOUSE_PUZZLES") {
        return Some(PathBuf::from(folder).join(name));
    }
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("plyhouse").join("puzzles").join(name))
}

struct Make<'a> {
    options: &'a Options,
    path: &'a Path,
    out: &'a mut dyn Write,
}

impl Visitor for Make<'_> {
    type Output = anyhow::Result<()>;

    fn visit<P: Game>(self) -> anyhow::Result<()> {
        let Self { options, path, out } = self;
        if options.check { check::<P>(options, path, out) } else { make::<P>(options, path, out) }
    }
}

fn make<P: Game>(options: &Options, path: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let start = P::start(options.size)?;
    let usual = Depths::usual(&start);
    let depths = Depths { win: options.win.unwrap_or(usual.win), save: options.save.unwrap_or(usual.save) };
    let mut maker = Maker::<P>::new(start, depths)?;
    let positions = options.positions.as_deref().map(positions::<P>).transpose()?;
    let (all, what) = match &positions {
        None => (options.games, "games"),
        Some(positions) => (positions.len() as u64, "positions"),
    };
    let mut part =
        Part::open(path, &command(options, depths)).with_context(|| format!("puzzles {}", path.display()))?;
    let bar = Bar::new(options.quiet, part.done);
    while part.done < all {
        bar.show(part.done, all, &format!("{} of {all} {what}, {} puzzles", part.done, part.puzzles.len()));
        let puzzles = match &positions {
            None => maker.from_game(options.seed, part.done),
            Some(positions) => maker.from_position(&positions[part.done as usize]).into_iter().collect(),
        };
        part.add(puzzles).with_context(|| format!("puzzles {}", part.path.display()))?;
    }
    bar.clear();
    let old = read(path)?;
    let (before, made) = (old.len(), part.puzzles.len());
    let puzzles = sorted(old.into_iter().chain(part.puzzles.iter().cloned()).collect());
    write(path, &comments(path, (made > 0).then(|| command(options, depths)))?, &puzzles)
        .with_context(|| format!("puzzles {}", path.display()))?;
    std::fs::remove_file(&part.path).with_context(|| format!("puzzles {}", part.path.display()))?;
    let saves = puzzles.iter().filter(|puzzle| matches!(puzzle.task, Task::Save(_))).count();
    writeln!(
        out,
        "{}: {} puzzle{}, {saves} of them to save the game; {made} found in {all} {what}, {before} in the old file",
        path.display(),
        puzzles.len(),
        plural(puzzles.len()),
    )?;
    Ok(())
}

/// Reads the positions of a file.
fn positions<P: Game>(path: &Path) -> anyhow::Result<Vec<P>> {
    let named = || format!("positions {}", path.display());
    let text = read_to_string(path).with_context(named)?;
    let lines =
        game::text::without_mark(&text).lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let position = |line: &str| {
        let text = line.split(';').next().unwrap_or(line).trim();
        games::position::<P>(Some(text), None).with_context(named)
    };
    lines.map(position).collect()
}

/// Reads the puzzles of a file. Returns none if the file does not exist.
fn read(path: &Path) -> anyhow::Result<Vec<Puzzle>> {
    match read_to_string(path) {
        Ok(text) => read_puzzles(&text).with_context(|| format!("puzzles {}", path.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("puzzles {}", path.display())),
    }
}

/// Prefix of a comment that names a command with which puzzles were added.
const ADDED: &str = "# Added by: ";

/// Returns a file's comments about the commands with which its puzzles were added. Appends a comment about `command`.
fn comments(path: &Path, command: Option<String>) -> anyhow::Result<Vec<String>> {
    let old = if path.exists() { read_to_string(path)? } else { String::new() };
    let mut comments: Vec<String> = old.lines().filter(|line| line.starts_with(ADDED)).map(str::to_owned).collect();
    let new = command.map(|command| format!("{ADDED}{command}")).filter(|line| !comments.contains(line));
    comments.extend(new);
    Ok(comments)
}

/// Replaces the file with one that contains all puzzles. If this fails, the old file is unchanged.
fn write(path: &Path, comments: &[String], puzzles: &[Puzzle]) -> anyhow::Result<()> {
    let new = path.with_extension("new");
    let mut file = BufWriter::new(File::create(&new)?);
    writeln!(
        file,
        "# {} puzzles, the easiest first. `crates/games/src/puzzles.rs` explains the format.",
        puzzles.len()
    )?;
    for comment in comments {
        writeln!(file, "{comment}")?;
    }
    for puzzle in puzzles {
        writeln!(file, "{puzzle}")?;
    }
    file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    Ok(rename(&new, path)?)
}

/// Returns the text of the command, without the name of the output file.
fn command(options: &Options, depths: Depths) -> String {
    let size = options.size.map_or_else(String::new, |size| format!(" --size {size}"));
    let Options { game, games, seed, positions, .. } = options;
    let from = match positions {
        None => format!("--games {games} --seed {seed}{size}"),
        Some(path) => format!("--positions {}", path.display()),
    };
    let Depths { win, save } = depths;
    format!("plyhouse puzzles {game} {from} --win {win} --save {save}")
}

/// The progress of an unfinished run. It is stored in a file beside the output file, from which the same command
/// resumes.
struct Part {
    path: PathBuf,
    file: File,
    /// Number of games or positions that have been searched.
    done: u64,
    puzzles: Vec<Puzzle>,
}

impl Part {
    fn open(path: &Path, command: &str) -> anyhow::Result<Self> {
        let path = path.with_extension("part");
        let head = format!("# {command}\n");
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let text = read_to_string(&path)?;
        if text.is_empty() {
            file.write_all(head.as_bytes())?;
            return Ok(Self { path, file, done: 0, puzzles: Vec::new() });
        }
        if !text.starts_with(&head) {
            bail!("{} belongs to another command; remove it to start over", path.display());
        }
        // If a run was killed, the last line may be incomplete.
        let whole = text.rfind("# done ").and_then(|at| Some(at + text[at..].find('\n')? + 1)).unwrap_or(head.len());
        file.set_len(whole as u64)?;
        let text = &text[..whole];
        let done = text.lines().filter(|line| line.starts_with("# done ")).count() as u64;
        Ok(Self { path, file, done, puzzles: read_puzzles(text)? })
    }

    /// Adds the puzzles of the next game or position.
    fn add(&mut self, puzzles: Vec<Puzzle>) -> anyhow::Result<()> {
        let lines = puzzles.iter().map(ToString::to_string).chain([format!("# done {}\n", self.done)]);
        self.file.write_all(lines.collect::<Vec<_>>().join("\n").as_bytes())?;
        self.done += 1;
        self.puzzles.extend(puzzles);
        Ok(())
    }
}

fn check<P: Game>(options: &Options, path: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let puzzles = read(path)?;
    let bar = Bar::new(options.quiet, 0);
    for (i, puzzle) in puzzles.iter().enumerate() {
        let is_sound = is_sound::<P>(puzzle).with_context(|| format!("`{puzzle}`"))?;
        if !is_sound {
            bail!("the proof failed: `{puzzle}`");
        }
        bar.show(i as u64 + 1, puzzles.len() as u64, &format!("{}/{} puzzles", i + 1, puzzles.len()));
    }
    bar.clear();
    writeln!(out, "{}: {} puzzle{}, all proven", path.display(), puzzles.len(), plural(puzzles.len()))?;
    Ok(())
}
