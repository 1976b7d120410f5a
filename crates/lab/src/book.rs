//! `tune book`: creates an opening book from an engine's own searches.
//!
//! The start position is searched for its best moves, then the positions after these moves, and so on, ply by ply.
//! Positions that are equal up to symmetry are searched once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Parser;
use engine::{Book, BookLine, Playable, PlayerOptions, Resources};
use game::{Record, fold, self_images};
use games::{Game, GameId, Visitor, dispatch};
use measure::progress::Bar;
use search::{Control, side_by_side};

/// The options of `tune book`.
#[derive(Parser)]
#[command(name = "book")]
pub struct MakeBook {
    /// The game
    #[arg(value_parser = crate::game())]
    game: GameId,
    /// Squares per side
    #[arg(long)]
    size: Option<usize>,
    /// The engine that searches each position
    #[arg(long, default_value = "nodes=4000000", value_parser = crate::words)]
    player: String,
    /// Number of best moves of each position, up to symmetry
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    width: u16,
    /// Number of plies from the start to the last positions
    #[arg(long, default_value_t = 3)]
    plies: u32,
    /// Seed of the random part of the searches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of concurrent searches; this does not change the file
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// The file. If it exists, the positions that it contains are not searched again
    #[arg(long)]
    out: PathBuf,
}

impl MakeBook {
    /// Creates the book or completes it.
    ///
    /// # Errors
    /// Returns an error if the game has no such board, the file is a different book, or the file cannot be written.
    pub fn run(&self) -> anyhow::Result<()> {
        dispatch(self.game, self)
    }

    /// Returns the first line of the file, which contains the parameters of the other lines.
    fn heading(&self, size: usize) -> String {
        let Self { game, player, width, seed, .. } = self;
        format!("# tune book {game} --size {size} --player {player} --width {width} --seed {seed}")
    }

    /// Searches a position. Returns `None` if the game is over or the result is proven; such a position has no entry in
    /// a book.
    fn search<P: Playable>(&self, position: &str) -> anyhow::Result<Option<BookLine>> {
        let p: P = position.parse().ok().context("invariant: texts of positions are read")?;
        let width = usize::from(self.width);
        // The search treats symmetric images of a move as different moves, so each image needs its own line.
        let lines = NonZeroUsize::MIN.saturating_add(width * self_images(position, P::SYMMETRIES) - 1);
        let options = PlayerOptions { lines, book: false, ..self.player.parse()? };
        let mut player = options.make(&p, &Resources::default())?;
        player.engine.new_game(self.seed);
        let game = Record::new(p.clone());
        let Some(choice) = player.engine.choose(&game, &player.limits, &mut Control::unattended()) else {
            return Ok(None);
        };
        let first = (choice.best, choice.score);
        let others = choice.others.iter().filter_map(|other| Some((*other.pv.first()?, other.score)));
        let (mut moves, mut seen) = (Vec::new(), BTreeSet::new());
        for (m, score) in [first].into_iter().chain(others) {
            let Some(value) = score.as_units() else { break };
            if seen.insert(fold(&p.child(m).to_string(), P::SYMMETRIES)) && moves.len() < width {
                moves.push((m.to_string(), value));
            }
        }
        let line = BookLine { position: position.to_owned(), depth: choice.depth, moves };
        Ok(Some(line).filter(|line| !line.moves.is_empty()))
    }
}

impl Visitor for &MakeBook {
    type Output = anyhow::Result<()>;

    fn visit<P: Game>(self) -> Self::Output {
        let start = P::start(self.size)?;
        let mut file = BookFile::open(&self.out, &self.heading(P::size(&start)))?;
        let mut frontier = BTreeSet::from([fold(&start.to_string(), P::SYMMETRIES)]);
        for ply in 0..=self.plies {
            let missing: Vec<String> =
                frontier.iter().filter(|position| !file.lines.contains_key(*position)).cloned().collect();
            let (bar, mut done) = (Bar::new(false, 0), 0);
            for chunk in missing.chunks(self.jobs.into()) {
                let found = side_by_side(search::SYSTEM.threads, chunk.len(), |i| self.search::<P>(&chunk[i]));
                for line in found {
                    line?.map(|line| file.add(line)).transpose()?;
                }
                done += chunk.len();
                bar.show(done as u64, missing.len() as u64, &format!("ply {ply}: {done}/{} positions", missing.len()));
            }
            bar.clear();
            frontier =
                frontier.iter().filter_map(|position| file.lines.get(position)).flat_map(children::<P>).collect();
        }
        // Check that players can read the book.
        Book::read::<P>(&fs::read_to_string(&self.out)?)?;
        Ok(())
    }
}

/// Returns the positions after the moves of a line.
fn children<P: Game>(line: &BookLine) -> Vec<String> {
    let Ok(p) = line.position.parse::<P>() else { return Vec::new() };
    let child = |(text, _): &(String, i32)| {
        let child = p.child(p.parse_move(text).ok()?);
        Some(fold(&child.to_string(), P::SYMMETRIES))
    };
    line.moves.iter().filter_map(child).collect()
}

/// A book under construction.
struct BookFile {
    file: File,
    lines: BTreeMap<String, BookLine>,
}

impl BookFile {
    /// Opens a book to continue it. An incomplete last line is removed.
    fn open(path: &Path, heading: &str) -> anyhow::Result<Self> {
        let shown = || path.display().to_string();
        let text = if path.exists() { fs::read_to_string(path).with_context(shown)? } else { String::new() };
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        if whole.is_empty() && !heading.starts_with(&text) {
            bail!("{}: not a book: expected `{heading}` first", path.display());
        }
        let mut lines = BTreeMap::new();
        for (number, text) in whole.lines().enumerate() {
            if number == 0 {
                if text != heading {
                    bail!("{}: another book: `{text}` found, expected `{heading}`", path.display());
                }
                continue;
            }
            let line: BookLine = text.parse().map_err(anyhow::Error::msg).with_context(shown)?;
            lines.insert(line.position.clone(), line);
        }
        let mut file = File::options().append(true).create(true).open(path).with_context(shown)?;
        file.set_len(whole.len() as u64)?;
        if whole.is_empty() {
            writeln!(file, "{heading}")?;
        }
        Ok(Self { file, lines })
    }

    fn add(&mut self, line: BookLine) -> anyhow::Result<()> {
        writeln!(self.file, "{line}")?;
        self.lines.insert(line.position.clone(), line);
        Ok(())
    }
}
