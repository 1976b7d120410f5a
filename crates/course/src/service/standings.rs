//! The scoreboard.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, TryLockError};
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::ladder::LadderRow;
use crate::service::course::{Service, Who, lock};
use crate::service::pulse::Topic;
use crate::service::refusal::Refused;
use crate::service::shown::{Board, Shown};
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::players::Kind;
use crate::views::{BoardKind, StandingRow, StandingsView};

/// Number of rows of a page.
const PAGE: usize = 50;
/// Minimum time between two computations.
const INTERVAL: Duration = Duration::from_secs(1);

impl Service {
    /// Returns a page of the scoreboard. Without a kind, it is that of the final if the caller may see it.
    ///
    /// # Errors
    /// If the caller asks for a final that is not public.
    pub fn standings(&self, who: Who<'_>, kind: Option<BoardKind>, page: usize) -> Result<StandingsView, Refused> {
        let may_see_final = self.may_see_final(who);
        let kind = match kind {
            Some(BoardKind::Final) if !may_see_final => return Err(Refused::not_public()),
            Some(kind) => kind,
            None if may_see_final => BoardKind::Final,
            None => BoardKind::Ladder,
        };
        let board = self.board(kind)?;
        let pages = board.rows.len().div_ceil(PAGE).max(1);
        let page = page.clamp(1, pages);
        let rows = board.rows.iter().skip((page - 1) * PAGE).take(PAGE).cloned().collect();
        Ok(StandingsView { kind, page, pages, rows, updated: board.updated.clone() })
    }

    /// Returns a number that changes with each computation of a scoreboard.
    pub(super) fn standings_number(&self) -> u64 {
        let numbers = [BoardKind::Ladder, BoardKind::Final].map(|kind| {
            let is_shown = kind == BoardKind::Ladder || self.phase() >= Phase::Final;
            if is_shown { self.board(kind).map_or(0, |board| board.number) } else { 0 }
        });
        numbers.into_iter().max().unwrap_or(0)
    }

    /// Returns a scoreboard, which is computed at most once a second, and only after a change.
    pub(super) fn board(&self, kind: BoardKind) -> Result<Arc<Board>, CourseError> {
        let mut shown = lock(match kind {
            BoardKind::Ladder => &self.boards.ladder,
            BoardKind::Final => &self.boards.last,
        });
        let mut changes = self.pulse.of(Topic::Standings) + self.pulse.of(Topic::Live);
        if kind == BoardKind::Final {
            // The standings of the final are computed after a pause, and no other change may follow.
            changes += self.final_changes();
        }
        if let Some(shown) = &*shown
            && (shown.seen == changes || shown.at.elapsed() < INTERVAL || self.is_saving(kind))
        {
            return Ok(Arc::clone(&shown.board));
        }
        // Other callers wait here instead of computing the same.
        let rows = match kind {
            BoardKind::Ladder => self.ladder_rows()?,
            BoardKind::Final => self.final_rows()?,
        };
        let number = 1 + self.boards.count.fetch_add(1, Ordering::Relaxed);
        let board = Arc::new(Board { rows, updated: self.clock.now().to_string(), number });
        *shown = Some(Shown { board: Arc::clone(&board), at: Instant::now(), seen: changes });
        drop(shown);
        if kind == BoardKind::Ladder {
            self.record_history(&board)?;
        }
        Ok(board)
    }

    /// Returns a scoreboard with all games that are stored now.
    pub(super) fn fresh_board(&self, kind: BoardKind) -> Result<Arc<Board>, CourseError> {
        match kind {
            BoardKind::Ladder => *lock(&self.boards.ladder) = None,
            BoardKind::Final => {
                *lock(&self.boards.last) = None;
                lock(&self.last).at = None;
            }
        }
        self.board(kind)
    }

    /// Returns `true` while a series is being saved, which may wait for large uploads. Readers then see the last
    /// scoreboard.
    fn is_saving(&self, kind: BoardKind) -> bool {
        kind == BoardKind::Ladder && matches!(self.field.try_lock(), Err(TryLockError::WouldBlock))
    }

    fn record_history(&self, board: &Board) -> Result<(), CourseError> {
        let mut history = lock(&self.history);
        let elo = board.rows.iter().filter_map(|row| Some((row.team.as_str(), row.elo?)));
        if history.add(self.clock.now(), elo) {
            let (key, text) = history.stored()?;
            drop(history);
            self.write(|store| store.set_meta(key, &text))?;
        }
        Ok(())
    }

    fn ladder_rows(&self) -> Result<Vec<StandingRow>, CourseError> {
        let (table, in_play) = {
            let mut field = lock(&self.field);
            (field.ladder.table(), field.versions_in_play())
        };
        let in_play: BTreeSet<i64> = in_play.into_iter().collect();
        let mut faults = lock(&self.faults);
        let missing: Vec<i64> =
            table.iter().map(|row| row.player).filter(|version| !faults.contains_key(version)).collect();
        let found = self.read(|store| {
            missing
                .iter()
                .map(|&version| Ok((version, store.faults(version, Kind::Ladder)?)))
                .collect::<Result<Vec<_>, _>>()
        })?;
        faults.extend(found);
        let row = |row: &LadderRow| {
            let info = self.info(row.player)?;
            let [won, drawn, lost] = row.games;
            let error = row.elo.map(|elo| elo.error).filter(|error| error.is_finite());
            Ok(StandingRow {
                rank: row.rank,
                team: row.team.clone(),
                name: self.team_name(&row.team),
                agent: info.introduction.name.clone(),
                tagline: info.introduction.tagline.clone(),
                url: info.introduction.url.clone(),
                elo: row.elo.map(|elo| elo.value).filter(|elo| elo.is_finite()),
                error,
                games: won + drawn + lost,
                won,
                drawn,
                lost,
                points: row.points,
                faults: faults.get(&row.player).cloned().unwrap_or_default(),
                version: info.number,
                live: in_play.contains(&row.player),
            })
        };
        table.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::tests::open;
    use crate::store::audit::Actor;
    use crate::store::tests::setup::{Setup, game};
    use crate::tokens::Role;
    use arena::{GameLog, Planned, ResultLog, Spec, Store};

    /// Makes the next look at the scoreboard of the final happen as after a pause.
    fn skip_pauses(service: &Service) {
        lock(&service.last).at = None;
        if let Some(shown) = &mut *lock(&service.boards.last) {
            shown.at = Instant::now().checked_sub(INTERVAL).expect("a time");
        }
    }

    #[test]
    fn the_scoreboard_of_the_final_and_the_grades_follow_its_games() {
        let mut setup = Setup::new(2);
        let versions = ["t0", "t1"].map(|team| setup.version(team));
        for phase in [Phase::Closing, Phase::Final, Phase::Done] {
            let _ = if phase == Phase::Final {
                setup.store.freeze_all(&Actor::STAFF).expect("frozen")
            } else {
                setup.store.advance(phase, &Actor::STAFF).expect("advanced")
            };
        }
        let mut store = Store::open(&setup.path.clone().into()).expect("the file");
        let agents = "agent = [{ name = 'a', builtin = '' }, { name = 'b', builtin = '' }]";
        let spec = Spec::read(&format!("game = 'loa'\ngames = 4\n{agents}"), setup.folder.path());
        let id = store.begin(&spec.expect("a tournament"), 4, &[]).expect("begun");
        setup.store.set_final_tournament(id).expect("recorded");
        setup.store.set_meta("final versions", &format!("{versions:?}")).expect("recorded");
        let service = open(&setup, "t0,A\nt1,B\n", "");
        let mut save = |number: u32| {
            let game = game([number as usize % 2, 1 - number as usize % 2], ResultLog::First, 0);
            let planned = Planned { number, round: number / 2, ..game.planned.clone() };
            store.save(id, &GameLog { planned, ..game }).expect("saved");
        };
        let staff = Role::Staff;
        let shown = || {
            let view = service.standings(Some(&staff), Some(BoardKind::Final), 1).expect("a scoreboard");
            view.rows.iter().map(|row| row.games).collect::<Vec<_>>()
        };
        assert_eq!(shown(), [0, 0]);
        save(0);
        skip_pauses(&service);
        assert_eq!(shown(), [1, 1], "although nothing else has changed");
        save(1);
        let grades = service.grades(Some(&staff)).expect("grades");
        assert_eq!(grades.iter().map(|grade| grade.games).collect::<Vec<_>>(), [2, 2], "without a pause");
        service.stop();
    }
}
