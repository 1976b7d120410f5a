//! Writes a tournament as a static site that opens from disk, without a server or a network.

mod chunk;
mod data;
mod evidence;
mod folder;
mod html;
mod pages;
mod replay;
mod rounds;
mod site;
mod versus;

use std::path::{Path, PathBuf};

use crate::rounds::Rounds;
use crate::standings::Standings;
use crate::store::{Damaged, Store, Tournament};
use chunk::Chunks;
use folder::Folder;
pub use folder::ReportError;
use site::{GameRow, Site};

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
