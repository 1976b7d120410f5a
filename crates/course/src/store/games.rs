//! Games of the ladder and of practice.
//!
//! Games are chained: the hash of a game is the SHA-256 of the previous hash and of the game's line, which names the
//! players. The first game continues from the hash of the course's name and beginning.

use std::collections::BTreeMap;

use arena::{GameLog, ResultLog};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::ladder::Counts;
use crate::store::database::{Change, CourseStore, meta, set_meta, time};
use crate::store::error::CourseError;
use crate::store::players::{Kind, PlayerKey, player, result, result_name};
use crate::store::teams::Standing;
use crate::store::{pairs, void};

/// Key of the hash of the last game.
pub(super) const HEAD: &str = "head";

/// The games of two players from one opening.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series<'a> {
    /// Kind.
    pub(super) kind: Kind,
    /// Players. The numbers of agents in the games are indices of this list.
    pub(super) players: [PlayerKey; 2],
    /// Games: one, or two with exchanged colours.
    pub(super) games: &'a [GameLog],
}

/// A game without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// Number, from 1.
    pub id: i64,
    /// Kind.
    pub kind: Kind,
    /// Number of the first game of the same series.
    pub series: i64,
    /// Players of the first and the second side.
    pub players: [PlayerKey; 2],
    /// Result.
    pub result: ResultLog,
    /// Name of the reason for the result.
    pub ending: String,
    /// Numbers of faults of the first and the second side.
    pub faults: [u32; 2],
    /// Number of moves, including the opening.
    pub plies: u32,
    /// Time at which the game was saved.
    pub saved: Timestamp,
    /// Set if the game does not count.
    pub is_void: bool,
}

/// Columns of a [`GameRow`].
macro_rules! columns {
    () => {
        "g.id, g.kind, g.series, g.first, g.second, g.result, g.ending, g.faults_first, g.faults_second, g.plies, \
         g.saved, g.void"
    };
}

/// Queries that the page runs often. None of them reads the whole table of games.
pub(super) const PAGE: &str =
    concat!("SELECT ", columns!(), " FROM course_game g WHERE g.kind = ? AND g.id < ? ORDER BY g.id DESC LIMIT ?");
pub(super) const PAGE_OF_TEAM: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM course_side s JOIN course_game g ON g.id = s.game \
     WHERE s.team = ? AND s.kind = ? AND s.game < ? ORDER BY s.game DESC LIMIT ?"
);
pub(super) const GAME: &str = concat!("SELECT ", columns!(), ", g.log FROM course_game g WHERE g.id = ?");
pub(super) const FAULTS: &str = "SELECT f.name, sum(f.count) FROM course_fault f JOIN course_game g ON g.id = f.game \
                                 WHERE f.upload = ? AND g.void = 0 AND g.kind = ? GROUP BY f.name";
pub(super) const LAST: &str = "SELECT max(id) FROM course_game";

fn game_row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok(GameRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        series: row.get(2)?,
        players: [player(row, 3)?, player(row, 4)?],
        result: result(row, 5)?,
        ending: row.get(6)?,
        faults: [row.get(7)?, row.get(8)?],
        plies: row.get(9)?,
        saved: time(row, 10)?,
        is_void: row.get::<_, i64>(11)? != 0,
    })
}

/// The line of a game, from which the game's hash is computed.
struct Line<'a> {
    id: i64,
    kind: Kind,
    series: i64,
    players: [i64; 2],
    saved: i64,
    /// JSON of the log.
    log: &'a str,
}

impl Line<'_> {
    /// Returns the hash of the game. `before` is the hash of the previous game.
    fn link(&self, before: &str) -> String {
        let Self { id, kind, series, players: [first, second], saved, log } = self;
        let kind = kind.name();
        let header = format!(
            r#"{{"id":{id},"kind":"{kind}","series":{series},"players":[{first},{second}],"saved":{saved},"game":"#
        );
        arena::sha256([before.as_bytes(), header.as_bytes(), log.as_bytes(), b"}"])
    }
}

impl Series<'_> {
    fn check(&self, teams: &[Option<(String, Standing)>; 2]) -> Result<(), CourseError> {
        let wrong = |found: String, expected: &str| Err(CourseError::conflict("series", found, expected));
        let agents: Vec<[usize; 2]> = self.games.iter().map(|game| game.planned.agents).collect();
        let is_exchanged = matches!(agents[..], [[0, 1] | [1, 0]] | [[0, 1], [1, 0]] | [[1, 0], [0, 1]]);
        if !is_exchanged {
            return wrong(format!("games of {agents:?}"), "one game, or two with exchanged colours");
        }
        let versions = self.players.into_iter().filter(|player| player.version().is_some()).count();
        let expected = if self.kind == Kind::Ladder { 2 } else { 1 };
        if versions != expected {
            return wrong(format!("{versions} versions"), &format!("{expected} in {} games", self.kind.name()));
        }
        if let [Some((one, _)), Some((other, _))] = teams
            && one == other
        {
            return wrong(format!("two versions of team {one}"), "versions of different teams");
        }
        self.games.iter().try_for_each(|game| game.check_values(2).or_else(|why| wrong(why, "a possible game")))
    }

    /// Saves the games. Returns the number of the series.
    pub(super) fn save(&self, change: &Change<'_>) -> Result<i64, CourseError> {
        let db = &change.db;
        let teams = [team_of(db, self.players[0])?, team_of(db, self.players[1])?];
        self.check(&teams)?;
        let mut ordered = self.players.map(PlayerKey::number);
        ordered.sort_unstable();
        let (pair, mut counts) = pairs::find(db, self.kind, ordered)?;
        let last: Option<i64> = db.prepare_cached(LAST)?.query_row([], |row| row.get(0))?;
        let series = 1 + last.unwrap_or(0);
        let mut scores = Vec::new();
        for (game, id) in self.games.iter().zip(series..) {
            let sides = game.planned.agents;
            let out = |side: usize| teams[sides[side]].as_ref().is_some_and(|(_, s)| *s != Standing::Active);
            let void = (i64::from(out(0)) * void::FIRST) | (i64::from(out(1)) * void::SECOND);
            let players = sides.map(|agent| self.players[agent].number());
            let line = SavedGame { id, kind: self.kind, series, pair, players, void, log: game };
            line.insert(change)?;
            for (side, agent) in sides.into_iter().enumerate() {
                if let Some((team, _)) = &teams[agent] {
                    let mut insert =
                        db.prepare_cached("INSERT INTO course_side (team, kind, game, side) VALUES (?, ?, ?, ?)")?;
                    insert.execute(params![team, self.kind, id, side as i64])?;
                }
            }
            let side = usize::from(players[0] != ordered[0]);
            scores.extend(game.result.score(side).filter(|_| void == 0).map(|score| (score, !game.is_forfeit())));
        }
        counts.add(&Counts::of_series(&scores));
        pairs::set(db, pair, &counts)?;
        Ok(series)
    }
}

/// Returns the team of a version, and its standing.
fn team_of(db: &Connection, player: PlayerKey) -> Result<Option<(String, Standing)>, CourseError> {
    let Some(version) = player.version() else { return Ok(None) };
    let find = "SELECT t.id, t.standing FROM course_upload u JOIN course_team t ON t.id = u.team \
                WHERE u.id = ? AND u.state = 'accepted'";
    let mut query = db.prepare_cached(find)?;
    let found = query.query_row([version], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    found.map(Some).ok_or_else(|| CourseError::unknown("accepted version", version))
}

/// A game to insert.
struct SavedGame<'a> {
    id: i64,
    kind: Kind,
    series: i64,
    pair: i64,
    players: [i64; 2],
    void: i64,
    log: &'a GameLog,
}

impl SavedGame<'_> {
    fn insert(&self, change: &Change<'_>) -> Result<(), CourseError> {
        let (db, log) = (&change.db, self.log);
        let text = serde_json::to_string(log)?;
        let before = meta(db, HEAD)?.unwrap_or_default();
        let Self { id, kind, series, players, .. } = *self;
        let line = Line { id, kind, series, players, saved: change.at.as_microsecond(), log: &text };
        let hash = line.link(&before);
        let faults = [0, 1].map(|side| log.faults.iter().filter(|fault| fault.side == side).count() as i64);
        let mut insert = db.prepare_cached(
            "INSERT INTO course_game (id, kind, series, pair, first, second, result, ending, rated, faults_first, \
             faults_second, plies, saved, void, before, hash, log) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        insert.execute(params![
            self.id,
            self.kind,
            self.series,
            self.pair,
            self.players[0],
            self.players[1],
            result_name(log.result),
            log.ending,
            !log.is_forfeit(),
            faults[0],
            faults[1],
            log.all_moves().count() as i64,
            change.at.as_microsecond(),
            self.void,
            before,
            hash,
            text,
        ])?;
        for fault in &log.faults {
            if self.players[fault.side] > 0 {
                let mut count = db.prepare_cached(
                    "INSERT INTO course_fault (upload, name, game, count) VALUES (?, ?, ?, 1) \
                     ON CONFLICT (upload, name, game) DO UPDATE SET count = count + 1",
                )?;
                count.execute(params![self.players[fault.side], fault.kind, self.id])?;
            }
        }
        set_meta(db, HEAD, &hash)
    }
}

impl CourseStore {
    /// Saves the games of a series of the ladder, and counts them. Returns the number of the series. See
    /// [`end_practice`](Self::end_practice) for games of practice.
    ///
    /// # Errors
    /// If a player is not an accepted version, both are of one team, the games are not those of one series, or the
    /// store cannot be written.
    pub fn save_series(&mut self, players: [i64; 2], games: &[GameLog]) -> Result<i64, CourseError> {
        let change = self.change()?;
        let players = players.map(PlayerKey::Version);
        let series = Series { kind: Kind::Ladder, players, games }.save(&change)?;
        change.commit()?;
        Ok(series)
    }

    /// Returns at most `limit` games, the latest first; with `before`, only games with smaller numbers.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn games(&self, kind: Kind, before: Option<i64>, limit: u32) -> Result<Vec<GameRow>, CourseError> {
        let mut query = self.connection.prepare_cached(PAGE)?;
        let games = query.query_map(params![kind, before.unwrap_or(i64::MAX), limit], game_row)?;
        Ok(games.collect::<Result<_, _>>()?)
    }

    /// Returns at most `limit` games of a team, the latest first; with `before`, only games with smaller numbers.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn games_of(
        &self,
        team: &str,
        kind: Kind,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<GameRow>, CourseError> {
        let mut query = self.connection.prepare_cached(PAGE_OF_TEAM)?;
        let games = query.query_map(params![team, kind, before.unwrap_or(i64::MAX), limit], game_row)?;
        Ok(games.collect::<Result<_, _>>()?)
    }

    /// Returns a game with its moves.
    ///
    /// # Errors
    /// If there is no such game, or the store cannot be read.
    pub fn game(&self, id: i64) -> Result<(GameRow, GameLog), CourseError> {
        let mut query = self.connection.prepare_cached(GAME)?;
        let found = query.query_row([id], |row| Ok((game_row(row)?, row.get::<_, String>(12)?))).optional()?;
        let (row, log) = found.ok_or_else(|| CourseError::unknown("game", id))?;
        Ok((row, serde_json::from_str(&log)?))
    }

    /// Returns the number of faults of each kind of a version, without void games.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn faults(&self, version: i64, kind: Kind) -> Result<BTreeMap<String, u32>, CourseError> {
        let mut query = self.connection.prepare_cached(FAULTS)?;
        let faults = query.query_map(params![version, kind], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(faults.collect::<Result<_, _>>()?)
    }

    /// Returns the hash of the last game. A copy that is kept elsewhere can later prove that no game was changed.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn head(&self) -> Result<String, CourseError> {
        Ok(self.meta(HEAD)?.unwrap_or_default())
    }

    /// Checks the chain of the games. Returns a sentence for each problem.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn check_games(&self) -> Result<Vec<String>, CourseError> {
        let course = self.meta("course")?.unwrap_or_default();
        let mut head = arena::sha256([course.as_bytes()]);
        let mut problems = Vec::new();
        let all = "SELECT id, kind, series, first, second, saved, before, hash, log FROM course_game ORDER BY id";
        let mut query = self.connection.prepare(all)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            let (before, hash, log): (String, String, String) = (row.get(6)?, row.get(7)?, row.get(8)?);
            let (kind, series, players) = (row.get(1)?, row.get(2)?, [row.get(3)?, row.get(4)?]);
            let line = Line { id, kind, series, players, saved: row.get(5)?, log: &log };
            if line.link(&before) != hash {
                problems.push(format!("game {id}: it was changed after it was saved"));
            }
            if before != head {
                problems.push(format!("game {id}: it does not continue the game before it"));
            }
            head = hash;
        }
        if head != self.head()? {
            problems.push("the last games are missing".to_owned());
        }
        Ok(problems)
    }
}
