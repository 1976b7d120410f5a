//! Writes a tournament as a static site that opens from disk, without a server or a network.

mod chunk;
mod data;
mod evidence;
mod pages;
mod replay;
mod rounds;
mod versus;

use std::fs::{create_dir_all, write};
use std::io;
use std::path::{Path, PathBuf};

use game::text::{capitalised, printable};
use maud::Markup;
use thiserror::Error;

use chunk::Chunks;

use crate::{
    Damaged, Format, GameLog, ResultLog, Rounds, Standing, Standings, Store, StoreError, Tournament, round_name,
};

/// Errors of writing a report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be written.
    #[error("file {path}: {error}")]
    File {
        /// File.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
}

/// The data of a game in the list of games.
struct GameRow {
    number: u32,
    /// As in [`Planned`](crate::Planned).
    round: u32,
    agents: [usize; 2],
    result: ResultLog,
    ending: String,
    plies: usize,
    seconds: f64,
    /// Side, kind and details.
    faults: Vec<(usize, String, String)>,
}

impl From<&GameLog> for GameRow {
    fn from(game: &GameLog) -> Self {
        let faults = game.faults.iter().map(|fault| (fault.side, fault.kind.clone(), fault.detail.clone()));
        Self {
            number: game.planned.number,
            round: game.planned.round,
            agents: game.planned.agents,
            result: game.result,
            ending: game.ending_in_words(),
            plies: game.opening.len() + game.moves.len(),
            seconds: game.seconds,
            faults: faults.collect(),
        }
    }
}

/// The data of all pages.
struct Site<'a> {
    tournament: &'a Tournament,
    standings: Standings,
    /// Rows of the standings, computed after all games are counted.
    table: Vec<Standing>,
    games: Vec<GameRow>,
    /// Pairings; `None` if the specification is invalid.
    rounds: Option<Rounds>,
    /// Damaged games, which do not count.
    damaged: Vec<Damaged>,
    /// Head of the chain of hashes; `None` if the games are not chained.
    head: Option<String>,
}

impl Site<'_> {
    fn name(&self, agent: usize) -> &str {
        &self.tournament.spec.agents[agent].name
    }

    /// Returns the name of a round; `None` if the tournament has no rounds.
    fn round_name(&self, round: u32) -> Option<String> {
        match self.tournament.spec.format {
            Format::Swiss => Some((round + 1).to_string()),
            Format::Knockout => {
                let rounds = self.rounds.as_ref().map_or(0, |rounds| rounds.number_of_rounds() as usize);
                let round = round as usize;
                Some(if round < rounds { capitalised(&round_name(round, rounds)) } else { (round + 1).to_string() })
            }
            Format::RoundRobin | Format::Gauntlet | Format::Match => None,
        }
    }
}

/// Replaces the hyphen of a negative number by a minus sign, which is as wide as a plus.
fn minus(number: &str) -> String {
    number.replace('-', "−")
}

/// The folder of a report.
struct Folder<'a>(&'a Path);

impl Folder<'_> {
    fn create(&self, name: &str) -> Result<(), ReportError> {
        let path = self.0.join(name);
        create_dir_all(&path).map_err(|error| ReportError::File { path, error })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), ReportError> {
        let path = self.0.join(name);
        write(&path, text).map_err(|error| ReportError::File { path, error })
    }

    /// Writes a page. Hidden characters in names and faults are shown escaped.
    fn write_page(&self, name: &str, page: Markup) -> Result<(), ReportError> {
        self.write(name, &printable(&page.into_string()))
    }
}

const STYLE: &str = include_str!("style.css");
const TABLES: &str = include_str!("tables.js");
const REPLAY: &str = include_str!("replay.js");

/// Creates a folder and writes the site into it. Returns the path of the start page, and the damaged games, which are
/// skipped. `progress` receives the number of written games.
///
/// The folder has a page for each agent and a page that replays any game. The games are in data scripts of a thousand
/// games each, because browsers do not let a page from disk read other files.
///
/// # Errors
/// If the store cannot be read, or a file cannot be written.
pub fn report(
    store: &Store,
    tournament: &Tournament,
    folder: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(PathBuf, Vec<Damaged>), ReportError> {
    let folder = Folder(folder);
    folder.create("data")?;
    for (name, text) in [("style.css", STYLE), ("tables.js", TABLES), ("replay.js", REPLAY)] {
        folder.write(name, text)?;
    }
    let agents = tournament.spec.agents.len();
    let (table, games) = (Vec::new(), Vec::new());
    let (standings, damaged, head) = (Standings::new(agents), Vec::new(), store.head(tournament.id)?);
    let mut site = Site { tournament, standings, table, games, rounds: None, damaged, head };
    let mut chunks = Chunks::new(&folder, &tournament.spec);
    let mut impossible = Vec::new();
    let mut damaged = store.each(tournament.id, |game| {
        let moves: Vec<&str> = game.all_moves().collect();
        let boards = match tournament.spec.boards(&game.start, &moves) {
            Ok(boards) => boards,
            Err(why) => {
                impossible.push(Damaged { number: game.planned.number, why });
                return Ok(());
            }
        };
        chunks.add(&game, &boards)?;
        site.standings.add(&game);
        site.games.push(GameRow::from(&game));
        progress(site.games.len() as u64);
        Ok::<_, ReportError>(())
    })?;
    damaged.append(&mut impossible);
    damaged.sort_by_key(|game| game.number);
    site.damaged = damaged;
    site.table = site.standings.table();
    site.rounds = Rounds::after(&tournament.spec, site.standings.results().clone()).ok();
    folder.write("data/tournament.js", &data::tournament(&site, &chunks.finish()?))?;
    folder.write("data/games.js", &data::games(&site))?;
    for agent in 0..agents {
        folder.write_page(&format!("agent-{agent}.html"), pages::agent(&site, agent))?;
    }
    folder.write_page("game.html", replay::replay(&tournament.spec.name))?;
    folder.write_page("index.html", pages::index(&site))?;
    Ok((folder.0.join("index.html"), site.damaged))
}
