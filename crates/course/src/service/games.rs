//! Finished games.

use arena::{GameLog, ResultLog};
use house::messages::Game;
use serde::Deserialize;

use crate::service::course::{Service, Who, team_of};
use crate::service::refusal::Refused;
use crate::store::error::CourseError;
use crate::store::games::GameRow;
use crate::store::players::{Kind, PlayerKey};
use crate::tokens::Role;
use crate::views::{FaultView, GameHead, GameSummary, GameView, GamesView, MoveView, PlayerView};

/// Number of games of a page.
const PAGE: u32 = 50;

/// A query of games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct GamesQuery {
    /// Id of a team that played.
    pub team: Option<String>,
    /// Kind: `ladder`, `practice` or `final`; if unset, all that the caller may see.
    pub kind: Option<String>,
    /// Key of a game; earlier ones are returned.
    pub before: Option<String>,
}

/// The key of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GameKey {
    /// A game of the ladder or of practice.
    Course(i64),
    /// A game of the final.
    Final(u32),
}

impl GameKey {
    fn parse(text: &str) -> Result<Self, Refused> {
        let parsed = match text.strip_prefix('f') {
            Some(number) => number.parse().ok().map(Self::Final),
            None => text.parse().ok().filter(|id| *id > 0).map(Self::Course),
        };
        parsed.ok_or_else(|| Refused::unknown("game", text))
    }
}

/// Returns the key of a game of the final.
pub(super) fn final_key(number: u32) -> String {
    format!("f{number}")
}

pub(super) fn result_name(result: ResultLog) -> &'static str {
    match result {
        ResultLog::First => "first",
        ResultLog::Second => "second",
        ResultLog::Draw => "draw",
        ResultLog::Void => "void",
    }
}

impl Service {
    /// Returns a page of games: those of the final, and then the others, the latest first. Visitors see those of the
    /// ladder, and of the final when it is public, unless the course keeps games private.
    ///
    /// # Errors
    /// If the caller must not see these games, or the query is invalid.
    pub fn games(&self, who: Who<'_>, query: &GamesQuery) -> Result<GamesView, Refused> {
        let wanted = |kind: &str| query.kind.as_deref().is_none_or(|wanted| wanted == kind);
        if !["ladder", "practice", "final"].into_iter().any(wanted) {
            let found = query.kind.as_deref().unwrap_or_default();
            return Err(Refused::invalid("kind", found, "ladder, practice or final"));
        }
        let before = query.before.as_deref().map(GameKey::parse).transpose()?;
        let own = team_of(who);
        let is_private = query.kind.as_deref() == Some("practice") || !self.config.about.public_games;
        let team = query.team.as_deref().or(own.filter(|_| is_private));
        let is_own = |team: &str| who == Some(&Role::Staff) || own.is_some_and(|own| team.eq_ignore_ascii_case(own));
        let sees_practice = team.is_some_and(is_own) || (who == Some(&Role::Staff) && query.kind.is_some());
        let may_see_final = self.may_see_final(who);
        let is_hidden_final = query.kind.as_deref() == Some("final") && !may_see_final;
        if is_hidden_final || (is_private && !sees_practice && who != Some(&Role::Staff)) {
            return Err(Refused::not_public());
        }
        let mut games = Vec::new();
        if wanted("final") && may_see_final && !matches!(before, Some(GameKey::Course(_))) {
            let before = if let Some(GameKey::Final(number)) = before { Some(number) } else { None };
            for log in self.final_logs(team, before, PAGE + 1)? {
                games.push(self.final_summary(&log)?);
            }
        }
        let id = if let Some(GameKey::Course(id)) = before { Some(id) } else { None };
        let mut rows = self.read(|store| {
            let team = team.map(|team| store.team(team)).transpose()?.map(|row| row.team.id);
            let mut rows = Vec::new();
            for kind in [Kind::Ladder, Kind::Practice] {
                if wanted(kind.name()) && (kind == Kind::Ladder || sees_practice) {
                    rows.extend(match &team {
                        Some(team) => store.games_of(team, kind, id, PAGE + 1)?,
                        None => store.games(kind, id, PAGE + 1)?,
                    });
                }
            }
            Ok(rows)
        })?;
        rows.sort_by_key(|row| std::cmp::Reverse(row.id));
        for row in rows.iter().take((PAGE as usize + 1).saturating_sub(games.len())) {
            games.push(self.summary(row)?);
        }
        let more = games.len() > PAGE as usize;
        games.truncate(PAGE as usize);
        Ok(GamesView { games, more })
    }

    /// Returns a finished game with its moves. Times, standard error and details of faults are those of the caller's
    /// side; the staff receives those of both sides.
    ///
    /// # Errors
    /// If there is no such game, or the caller must not see it.
    pub fn game(&self, who: Who<'_>, key: &str) -> Result<GameView, Refused> {
        let (GameSummary { head, .. }, log) = match GameKey::parse(key)? {
            GameKey::Final(number) => {
                if !self.may_see_final(who) {
                    return Err(Refused::not_public());
                }
                let log = self.final_log(number)?.ok_or_else(|| Refused::unknown("game", key))?;
                (self.final_summary(&log)?, log)
            }
            GameKey::Course(id) => {
                let (row, log) = self.read(|store| store.game(id))?;
                (self.summary(&row)?, log)
            }
        };
        let is_own = |player: &PlayerView| match player {
            PlayerView::Version { team, .. } => Self::owns(who, team),
            PlayerView::Level { .. } => who == Some(&Role::Staff),
        };
        let own = [is_own(&head.players[0]), is_own(&head.players[1])];
        let is_practice = head.kind == Kind::Practice.name();
        if own == [false, false] && is_practice {
            // Others do not learn how much a team practises: the answer is that for a game that does not exist.
            return Err(Refused::unknown("game", &head.id));
        }
        if own == [false, false] && !self.config.about.public_games {
            return Err(Refused::not_public());
        }
        // Our engine's times are no secret, and a team compares its own with them.
        Ok(self.game_view(head, &log, own, is_practice))
    }

    fn game_view(&self, head: GameHead, log: &GameLog, own: [bool; 2], has_times: bool) -> GameView {
        let opening = log.opening.iter().enumerate().map(|(number, text)| MoveView {
            text: text.clone(),
            side: number % 2,
            seconds: None,
        });
        let played = log.moves.iter().enumerate().map(|(number, played)| {
            let side = log.side_of(number);
            let seconds = Some(played.seconds).filter(|_| own[side] || has_times);
            MoveView { text: played.text.clone(), side, seconds }
        });
        let fault = |fault: &arena::FaultLog| FaultView {
            side: fault.side,
            kind: fault.kind.clone(),
            ply: fault.ply,
            detail: Some(fault.detail.clone()).filter(|_| own[fault.side.min(1)]),
        };
        let stderr = [0, 1].map(|side| own[side].then(|| log.stderr[side].clone()));
        GameView {
            head: GameHead { began: log.began.clone(), ..head },
            record: self.record(log.start.clone(), log.all_moves().map(str::to_owned).collect()),
            moves: opening.chain(played).collect(),
            faults: log.faults.iter().map(fault).collect(),
            stderr,
        }
    }

    /// Returns a game as the page's board needs it.
    pub(super) fn record(&self, start: String, moves: Vec<String>) -> Game {
        Game { game: self.spec.game.clone(), size: self.spec.size, start: Some(start), moves, limit: None }
    }

    fn summary(&self, row: &GameRow) -> Result<GameSummary, CourseError> {
        let [first, second] = row.players;
        let head = GameHead {
            id: row.id.to_string(),
            kind: row.kind.name(),
            began: row.saved.to_string(),
            players: [self.player(first)?, self.player(second)?],
            result: if row.is_void { "void" } else { result_name(row.result) },
            ending: row.ending.clone(),
            plies: row.plies,
        };
        Ok(GameSummary { head, faults: row.faults })
    }

    fn final_summary(&self, log: &GameLog) -> Result<GameSummary, CourseError> {
        let versions = self.entered()?;
        let player = |side: usize| {
            let version = versions.get(log.planned.agents[side]).copied().unwrap_or_default();
            self.player(PlayerKey::Version(version))
        };
        let faults = [0, 1].map(|side| log.faults.iter().filter(|fault| fault.side == side).count() as u32);
        let head = GameHead {
            id: final_key(log.planned.number),
            kind: "final",
            began: log.began.clone(),
            players: [player(0)?, player(1)?],
            result: result_name(log.result),
            ending: log.ending.clone(),
            plies: log.all_moves().count() as u32,
        };
        Ok(GameSummary { head, faults })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_games_of_the_course_and_of_the_final() {
        assert_eq!(GameKey::parse("17"), Ok(GameKey::Course(17)));
        assert_eq!(GameKey::parse("f0"), Ok(GameKey::Final(0)));
        for text in ["", "0", "-1", "f", "f-1", "x", "1.5", "f1x", "99999999999999999999"] {
            assert!(GameKey::parse(text).is_err(), "{text}");
        }
    }
}
