//! The archive of finished games, a file that survives restarts of browsers and servers.
//!
//! The file is in JSON Lines format: one line for each game, in the order in which the games ended. To add games, a
//! server appends whole lines with one write; to delete a game, it replaces the file. A lock file orders these changes,
//! so several servers may use the same archive. If a game continues after its end, its new line replaces the earlier
//! line with the same id. Lines that are not games, such as a line that was cut off by a power failure, are reported
//! and skipped, and remain in the file.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde::Deserialize;

use game::{Message, message};
use house::messages::Archived;
use house::{Store, no_game};

/// Callback that shows a problem with a file to users.
pub type Report = Box<dyn Fn(&str) + Send + Sync>;

/// An archive of a user's finished games.
pub struct Archive {
    path: PathBuf,
    report: Report,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Games in the order of the file, each id once.
    games: Vec<Arc<Archived>>,
    /// Length and modification time of the file when it was last read.
    stamp: Option<(u64, Option<SystemTime>)>,
    /// Games that are not yet written.
    waiting: Vec<Arc<Archived>>,
    /// Lines and errors that were already reported.
    told: HashSet<Vec<u8>>,
}

impl Archive {
    /// Opens the archive in a file, which is created with the first game. An unusable file is reported; new games are
    /// then kept in memory and written as soon as possible.
    pub fn open(path: PathBuf, report: Report) -> Self {
        let archive = Self { path, report, state: Mutex::default() };
        archive.refresh(&mut archive.state());
        archive
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports a problem with the file to users.
    fn complain(&self, what: impl core::fmt::Display) {
        (self.report)(&format!("archive {}: {what}", self.path.display()));
    }

    fn write_waiting(&self, state: &mut State) {
        if state.waiting.is_empty() {
            return;
        }
        let as_line = |game: &Arc<Archived>| {
            serde_json::to_string(&**game).expect("invariant: plain data has a JSON form") + "\n"
        };
        let lines: String = state.waiting.iter().map(as_line).collect();
        if let Err(error) = self.append(state, &lines) {
            self.complain(format_args!("{error}; the game is kept in memory and written later"));
            return;
        }
        let written = core::mem::take(&mut state.waiting);
        // If the stamp is set, no other program has changed the file since it was read. Otherwise the file is read
        // again.
        if state.stamp.is_some() {
            state.games.extend(written);
            state.games = without_earlier(core::mem::take(&mut state.games));
        } else {
            self.refresh(state);
        }
    }

    /// Appends lines with one write. Sets the stamp to that of the file, or to `None` if another program has changed
    /// the file.
    fn append(&self, state: &mut State, lines: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let _lock = self.lock()?;
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&self.path)?;
        let before = stamp(&file)?;
        let known = state.stamp == Some(before) || (state.stamp.is_none() && before.0 == 0);
        // A last line without a line break is terminated first.
        let torn = before.0 > 0 && last_byte(&mut file)? != b'\n';
        let text = format!("{}{lines}", if torn { "\n" } else { "" });
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        state.stamp = if known { Some(stamp(&file)?) } else { None };
        Ok(())
    }

    /// Rewrites the file without the game with this id. Returns `false` if there is no such game.
    fn rewrite_without(&self, id: &str) -> io::Result<bool> {
        let _lock = self.lock()?;
        let bytes = match fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            read => read?,
        };
        let lines = || bytes.split_inclusive(|&byte| byte == b'\n');
        let is_it = |line: &[u8]| parsed(line).is_ok_and(|game| game.is_some_and(|game| game.id == id));
        if !lines().any(is_it) {
            return Ok(false);
        }
        let kept: Vec<u8> = lines().filter(|line| !is_it(line)).flatten().copied().collect();
        let part = self.path.with_extension("part");
        let mut file = File::create(&part)?;
        file.write_all(&kept)?;
        file.sync_all()?;
        fs::rename(&part, &self.path)?;
        Ok(true)
    }

    /// Locks the file against other servers. The lock file is a separate file, because deleting a game replaces the
    /// archive file itself. Returns `None` on systems without file locks.
    fn lock(&self) -> io::Result<Option<File>> {
        let file =
            OpenOptions::new().write(true).create(true).truncate(false).open(self.path.with_extension("lock"))?;
        match file.lock() {
            Ok(()) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads the file if it has changed.
    fn refresh(&self, state: &mut State) {
        match self.read(state) {
            Ok(()) => (),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                state.games.clear();
                state.stamp = None;
            }
            Err(error) => {
                let text = error.to_string();
                if state.told.insert(text.clone().into_bytes()) {
                    self.complain(text);
                }
            }
        }
    }

    fn read(&self, state: &mut State) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        if state.stamp == Some(stamp(&file)?) {
            return Ok(());
        }
        // The lock prevents reading half a line. In a folder without write permission, the file is read without it.
        let _lock = self.lock().ok();
        file = File::open(&self.path)?;
        let now = stamp(&file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut games = Vec::new();
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            match parsed(line) {
                Ok(None) => (),
                Ok(Some(game)) => games.push(Arc::new(game)),
                Err(error) => {
                    if state.told.insert(line.to_vec()) {
                        self.complain(format_args!("line {number} is not a game and is skipped: {error}"));
                    }
                }
            }
        }
        state.games = without_earlier(games);
        state.stamp = (bytes.len() as u64 == now.0).then_some(now);
        Ok(())
    }
}

impl Store for Archive {
    fn all(&self) -> Vec<Arc<Archived>> {
        let mut state = self.state();
        self.refresh(&mut state);
        state.games.iter().chain(&state.waiting).cloned().collect()
    }

    fn add_all(&self, games: Vec<Archived>) {
        let mut state = self.state();
        state.waiting.extend(games.into_iter().map(Arc::new));
        state.waiting = without_earlier(core::mem::take(&mut state.waiting));
        self.write_waiting(&mut state);
    }

    /// Removes a game from the file. A complete new file replaces the old one by a rename.
    fn remove(&self, id: &str) -> Result<(), Message> {
        let mut state = self.state();
        let waiting = state.waiting.len();
        state.waiting.retain(|game| game.id != id);
        let waited = state.waiting.len() < waiting;
        let failed = |error: io::Error| {
            message!("archive.not_deleted", "The game cannot be deleted: {error}.", error = error.to_string())
        };
        let removed = self.rewrite_without(id).map_err(failed)?;
        state.stamp = None;
        self.refresh(&mut state);
        if removed || waited { Ok(()) } else { Err(no_game()) }
    }

    fn flush(&self) {
        self.write_waiting(&mut self.state());
    }
}

/// Parses the game in a line. Returns `None` if the line is empty.
fn parsed(line: &[u8]) -> serde_json::Result<Option<Archived>> {
    if line.trim_ascii().is_empty() { Ok(None) } else { serde_json::from_slice(line).map(Some) }
}

/// Removes every game that is followed by a game with the same id.
fn without_earlier(mut games: Vec<Arc<Archived>>) -> Vec<Arc<Archived>> {
    let mut seen = HashSet::new();
    games.reverse();
    games.retain(|game| seen.insert(game.id.clone()));
    games.reverse();
    games
}

fn stamp(file: &File) -> io::Result<(u64, Option<SystemTime>)> {
    let about = file.metadata()?;
    Ok((about.len(), about.modified().ok()))
}

fn last_byte(file: &mut File) -> io::Result<u8> {
    let mut byte = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// Reads the games of a file from another source: an arena export or an archive.
///
/// # Errors
/// Returns an error if the file cannot be read or has no game. The text states what was expected.
pub fn games_in(path: &Path) -> Result<Vec<Archived>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut tournament = None;
    let mut games = Vec::new();
    for line in text.lines() {
        if let Ok(header) = serde_json::from_str::<Header>(line) {
            tournament = Some(header.tournament);
        } else if let Ok(Some(game)) = parsed(line.as_bytes()) {
            games.push(game);
        } else if let (Some(of), Ok(game)) = (&tournament, serde_json::from_str::<Exported>(line)) {
            games.push(game.archived(of));
        }
    }
    if games.is_empty() {
        return Err("no games: expected an output of `plyhouse arena export`, or an archive".into());
    }
    Ok(games)
}

/// First line of an arena export.
#[derive(Deserialize)]
struct Header {
    tournament: Tournament,
}

#[derive(Deserialize)]
struct Tournament {
    game: String,
    #[serde(default)]
    size: Option<usize>,
}

/// A game of an arena export, with the fields that are used here.
#[derive(Deserialize)]
struct Exported {
    number: u64,
    start: String,
    opening: Vec<String>,
    moves: Vec<Ply>,
    result: String,
    ending: String,
    began: String,
}

#[derive(Deserialize)]
struct Ply {
    text: String,
}

impl Exported {
    fn archived(self, of: &Tournament) -> Archived {
        use house::messages::Who;
        let moves = self.opening.into_iter().chain(self.moves.into_iter().map(|ply| ply.text));
        Archived {
            id: self.number.to_string(),
            date: self.began,
            game: of.game.clone(),
            size: of.size,
            start: Some(self.start),
            moves: moves.collect(),
            limit: None,
            clock: None,
            seats: [Who::Engine { level: None, budget: false }, Who::Engine { level: None, budget: false }],
            winner: ["first", "second"].iter().position(|side| *side == self.result),
            reason: self.ending,
            helped: false,
        }
    }
}

#[cfg(test)]
mod tests;
