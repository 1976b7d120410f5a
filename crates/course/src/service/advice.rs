//! Advice to teams, from their latest games.

use std::collections::BTreeMap;

use arena::{GameLog, ScoreLog};

use crate::service::course::{Service, Who, expect_team};
use crate::service::refusal::Refused;
use crate::store::games::GameRow;
use crate::store::players::{Kind, PlayerKey};
use crate::views::{AdviceFault, AdviceView, LostGame, SlowMove};

/// Number of games of each kind that are read.
const GAMES: u32 = 50;
/// Number of slowest moves and of lost games.
const SHOWN: usize = 10;
/// Value from which on our engine counts a position as won, in hundredths of a piece. A guess.
const WON: i32 = 300;

impl Service {
    /// Returns advice to the caller's team from its latest games: its faults, its slowest moves, and its lost practice
    /// games.
    ///
    /// # Errors
    /// If the caller is no team.
    pub fn advice(&self, who: Who<'_>) -> Result<AdviceView, Refused> {
        let team = expect_team(who)?;
        let games = self.read(|store| {
            let mut rows = store.games_of(team, Kind::Ladder, None, GAMES)?;
            rows.extend(store.games_of(team, Kind::Practice, None, GAMES)?);
            rows.sort_by_key(|row| std::cmp::Reverse(row.id));
            rows.into_iter().map(|row| store.game(row.id)).collect::<Result<Vec<_>, _>>()
        })?;
        let mut faults: BTreeMap<String, AdviceFault> = BTreeMap::new();
        let mut advice = AdviceView::default();
        for (row, log) in &games {
            let Some(side) = self.side_of(team, row)? else { continue };
            for fault in log.faults.iter().filter(|fault| fault.side == side) {
                let (kind, game) = (fault.kind.clone(), row.id.to_string());
                let first = AdviceFault { kind: kind.clone(), count: 0, game, ply: fault.ply };
                faults.entry(kind).or_insert(first).count += 1;
            }
            let opening = log.opening.len();
            let own = log.moves.iter().enumerate().filter(|(number, _)| log.side_of(*number) == side);
            advice.slowest.extend(own.map(|(number, played)| SlowMove {
                game: row.id.to_string(),
                ply: (opening + number + 1) as u32,
                seconds: played.seconds,
            }));
            // Of each game only few moves are among the slowest of all.
            advice.slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
            advice.slowest.truncate(SHOWN);
            if row.kind == Kind::Practice && advice.lost.len() < SHOWN {
                advice.lost.extend(self.lost(row, log, 1 - side));
            }
        }
        advice.faults = faults.into_values().collect();
        advice.faults.sort_by_key(|fault| std::cmp::Reverse(fault.count));
        Ok(advice)
    }

    /// Returns the side of a team's version.
    fn side_of(&self, team: &str, row: &GameRow) -> Result<Option<usize>, Refused> {
        for (side, player) in row.players.into_iter().enumerate() {
            if let PlayerKey::Version(version) = player
                && self.info(version)?.team == team
            {
                return Ok(Some(side));
            }
        }
        Ok(None)
    }

    /// Returns the move of a practice game after which our engine, which has the side `ours`, always reported a win;
    /// `None` if it did not win.
    fn lost(&self, row: &GameRow, log: &GameLog, ours: usize) -> Option<LostGame> {
        if log.result.score(ours) != Some(rating::GameScore::Win) {
            return None;
        }
        let reported: Vec<(usize, ScoreLog)> = log
            .moves
            .iter()
            .enumerate()
            .filter(|(number, _)| log.side_of(*number) == ours)
            .filter_map(|(number, played)| Some((number, played.score?)))
            .collect();
        let last_open = reported.iter().rposition(|(_, score)| !is_won(*score));
        let &(number, after) = reported.get(last_open.map_or(0, |last| last + 1))?;
        let lost = (0..number).rev().find(|&number| log.side_of(number) != ours)?;
        let ply = log.opening.len() + lost;
        let moves = log.all_moves().take(ply).map(str::to_owned).collect();
        Some(LostGame {
            game: row.id.to_string(),
            ply: ply as u32,
            position: self.record(log.start.clone(), moves),
            before: last_open.map_or(0.5, |last| 1.0 - chance(reported[last].1)),
            after: 1.0 - chance(after),
        })
    }
}

/// Returns the chance of winning by a value, as the page's analyses do.
fn chance(score: ScoreLog) -> f64 {
    match score {
        ScoreLog::Cp(units) => 1.0 / (1.0 + 10_f64.powf(-f64::from(units) / 400.0)),
        ScoreLog::Win(_) => 1.0,
        ScoreLog::Loss(_) => 0.0,
    }
}

fn is_won(score: ScoreLog) -> bool {
    match score {
        ScoreLog::Cp(units) => units >= WON,
        ScoreLog::Win(_) => true,
        ScoreLog::Loss(_) => false,
    }
}
