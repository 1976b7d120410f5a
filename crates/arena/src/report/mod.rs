//! A tournament as a static site that opens from disk: no server, no network, no rules in the page.

mod pages;
mod replay;
mod rounds;

use std::fs::{create_dir_all, write};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{Damaged, GameLog, ResultLog, Rounds, Standing, Standings, Store, StoreError, Tournament};

/// The report cannot be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be written.
    #[error("file {path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// The data of a game that the tables need.
struct Line {
    number: u32,
    agents: [usize; 2],
    result: ResultLog,
    ending: String,
    plies: usize,
    seconds: f64,
    faults: Vec<(usize, String, String)>,
}

impl From<&GameLog> for Line {
    fn from(game: &GameLog) -> Self {
        let faults = game.faults.iter().map(|fault| (fault.side, fault.kind.clone(), fault.detail.clone()));
        Self {
            number: game.planned.number,
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
    /// The standings' table, when all games are counted.
    table: Vec<Standing>,
    games: Vec<Line>,
    /// Who met whom; `None` if the specification is invalid.
    rounds: Option<Rounds>,
}

impl Site<'_> {
    fn name(&self, agent: usize) -> &str {
        &self.tournament.spec.agents[agent].name
    }
}

const STYLE: &str = include_str!("style.css");
const TABLE: &str = include_str!("table.js");
const REPLAY: &str = include_str!("replay.js");

/// Writes the site into a folder, which is created, and returns the path of its first page and the damaged games, which
/// it leaves out. `progress` gets the number of finished games.
///
/// # Errors
/// If something cannot be read or written.
pub fn report(
    store: &Store,
    tournament: &Tournament,
    folder: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(PathBuf, Vec<Damaged>), ReportError> {
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        write(&path, text).map_err(|error| ReportError::File { path, error })
    };
    create_dir_all(folder).map_err(|error| ReportError::File { path: folder.to_owned(), error })?;
    for (name, text) in [("style.css", STYLE), ("table.js", TABLE), ("replay.js", REPLAY)] {
        file(name, text)?;
    }
    let agents = tournament.spec.agents.len();
    let (table, games) = (Vec::new(), Vec::new());
    let mut site = Site { tournament, standings: Standings::new(agents), table, games, rounds: None };
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
        site.standings.add(&game);
        site.games.push(Line::from(&game));
        let sides = tournament.spec.side_names();
        let page = replay::page_of(tournament, &game, &boards, sides);
        file(&format!("game-{}.html", game.planned.number), &page.into_string())?;
        progress(site.games.len() as u64);
        Ok::<_, ReportError>(())
    })?;
    damaged.append(&mut impossible);
    site.table = site.standings.table();
    site.rounds = Rounds::after(&tournament.spec, site.standings.results().clone()).ok();
    for agent in 0..agents {
        file(&format!("agent-{agent}.html"), &pages::agent(&site, agent).into_string())?;
    }
    file("index.html", &pages::index(&site).into_string())?;
    Ok((folder.join("index.html"), damaged))
}
