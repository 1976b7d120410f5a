//! Void games: they stay in the store, and do not count.

use rusqlite::{Connection, params};

use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::pairs::{recount, set};
use crate::store::players::Kind;

/// Reason why a game is void: the first side's team takes no part.
pub(super) const FIRST: i64 = 1;
/// Reason why a game is void: the second side's team takes no part.
pub(super) const SECOND: i64 = 2;
/// Reason why a game is void: staff has cancelled it, so that it is played again.
const CANCELLED: i64 = 4;

/// Queries that change games. None of them reads the whole table.
pub(super) const MARK: &str = "UPDATE course_game SET void = (void & ~?3) | ?4 WHERE id IN \
                               (SELECT game FROM course_side WHERE team = ?1 AND kind = ?5 AND side = ?2)";
pub(super) const PAIRS_OF_TEAM: &str = "SELECT DISTINCT p.id, p.a FROM course_pair p \
                                        JOIN course_game g ON g.pair = p.id \
                                        JOIN course_side s ON s.game = g.id WHERE s.team = ?1 AND s.kind = ?2";
pub(super) const CANCEL: &str = "UPDATE course_game SET void = void | ?2 WHERE pair = ?1 AND void & ?2 = 0";

/// Marks the games of a team as void if it takes no part, or removes this mark.
pub(super) fn mark_team(db: &Connection, team: &str, is_out: bool) -> Result<(), CourseError> {
    for kind in [Kind::Ladder, Kind::Practice] {
        for (side, bit) in [(0, FIRST), (1, SECOND)] {
            db.execute(MARK, params![team, side, bit, if is_out { bit } else { 0 }, kind])?;
        }
        let mut query = db.prepare_cached(PAIRS_OF_TEAM)?;
        let pairs = query.query_map(params![team, kind], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (pair, a) in pairs.collect::<Result<Vec<(i64, i64)>, _>>()? {
            set(db, pair, &recount(db, pair, a)?)?;
        }
    }
    Ok(())
}

impl CourseStore {
    /// Cancels the ladder games of two versions, or all ladder games, so that they are played again. Returns the number
    /// of cancelled games.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn cancel_games(&mut self, versions: Option<[i64; 2]>, actor: &Actor) -> Result<usize, CourseError> {
        let change = self.change()?;
        let pairs = {
            let all = "SELECT id, a, b FROM course_pair WHERE kind = 'ladder'";
            let mut query = change.db.prepare(all)?;
            let pairs = query.query_map([], |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?])))?;
            pairs.collect::<Result<Vec<(i64, [i64; 2])>, _>>()?
        };
        let [one, other] = versions.unwrap_or_default();
        let is_meant = |pair: &[i64; 2]| versions.is_none() || *pair == [one, other] || *pair == [other, one];
        let mut cancelled = 0;
        for (pair, players) in pairs.into_iter().filter(|(_, players)| is_meant(players)) {
            cancelled += change.db.execute(CANCEL, params![pair, CANCELLED])?;
            set(&change.db, pair, &recount(&change.db, pair, players[0])?)?;
        }
        let subject = versions.map_or_else(|| "all".to_owned(), |[one, other]| format!("uploads {one} and {other}"));
        change.audit(actor, "cancel games", &subject, &format!("{cancelled} games"))?;
        change.commit()?;
        Ok(cancelled)
    }
}
