//! Boards of the games in play.

use std::sync::Arc;

use arena::{LiveGame, ResultLog};
use games::Scene;
use house::messages::Game;

use crate::play::{LADDER, PRACTICE};
use crate::service::course::{Service, Who, lock};
use crate::service::refusal::Refused;
use crate::service::shown::{ShownGame, ShownScene};
use crate::store::error::CourseError;
use crate::store::players::PlayerKey;
use crate::tokens::Role;
use crate::views::{BoardEnd, BoardView, LiveView, PlayerView};

/// Maximum number of boards that are shown.
const BOARDS: usize = 24;
/// Maximum number of games whose players are remembered.
const SHOWN: usize = 1024;

impl Service {
    /// Returns the boards of the games in play: those of the ladder, those of the final if it is public, and the
    /// caller's own practice game.
    ///
    /// # Errors
    /// If the course's file cannot be read.
    pub fn live(&self, who: Who<'_>) -> Result<LiveView, Refused> {
        let mut boards = Vec::new();
        for (place, game) in self.showcase.games().into_iter().enumerate() {
            let Some(game) = game else { continue };
            let Some(shown) = self.shown(game.tournament, game.number) else { continue };
            let players = game.agents.map(|agent| shown.players[agent.min(1)]);
            let is_shown = match game.tournament {
                LADDER => true,
                PRACTICE => self.is_shown_practice(who, players)?,
                _ => false,
            };
            if is_shown {
                let board = self.board_view(place.to_string(), players, &game)?;
                let id = shown.id.map(|id| id.to_string());
                boards.extend(board.map(|board| BoardView { game: id, ..board }));
            }
        }
        if self.may_see_final(who) {
            let entered = self.entered()?;
            for board in self.final_boards() {
                let version = |agent: usize| entered.get(agent).copied().map(PlayerKey::Version);
                let [Some(one), Some(other)] = board.game.agents.map(version) else { continue };
                let key = format!("f{}-{}", board.worker, board.place);
                boards.extend(self.board_view(key, [one, other], &board.game)?);
            }
        }
        // A caller's own games come first, then those in play.
        boards.sort_by_key(|board| (!is_own(who, board), board.end.is_some()));
        boards.truncate(BOARDS);
        Ok(LiveView { boards })
    }

    /// Remembers the players of a game, in the order of its agents.
    pub(super) fn show(&self, kind: i64, number: u32, players: [PlayerKey; 2]) {
        let mut shown = lock(&self.shown);
        while shown.len() >= SHOWN {
            shown.pop_first();
        }
        shown.insert((kind, number), ShownGame { players, id: None });
    }

    /// Records the number in the store of a game that was played on a board.
    pub(super) fn mark_stored(&self, kind: i64, number: u32, id: i64) {
        if let Some(game) = lock(&self.shown).get_mut(&(kind, number)) {
            game.id = Some(id);
        }
    }

    fn shown(&self, kind: i64, number: u32) -> Option<ShownGame> {
        lock(&self.shown).get(&(kind, number)).copied()
    }

    fn is_shown_practice(&self, who: Who<'_>, players: [PlayerKey; 2]) -> Result<bool, CourseError> {
        let Some(version) = players.into_iter().find_map(PlayerKey::version) else { return Ok(false) };
        Ok(Self::owns(who, &self.info(version)?.team))
    }

    /// Returns the position on a board, which is computed once per change.
    fn scene(&self, key: &str, game: Game) -> Option<Arc<Scene>> {
        // Other callers wait here instead of computing the same.
        let mut scenes = lock(&self.scenes);
        if let Some(known) = scenes.get(key).filter(|known| known.game == game) {
            return Some(Arc::clone(&known.scene));
        }
        let scene = Arc::new(house::still(&game)?);
        scenes.insert(key.to_owned(), ShownScene { game, scene: Arc::clone(&scene) });
        Some(scene)
    }

    /// Returns a board; `None` if its game cannot be shown.
    fn board_view(
        &self,
        key: String,
        [first, second]: [PlayerKey; 2],
        game: &LiveGame,
    ) -> Result<Option<BoardView>, CourseError> {
        let Some(scene) = self.scene(&key, self.record(game.start.clone(), game.moves.clone())) else {
            return Ok(None);
        };
        let milliseconds = |seconds: f64| (seconds.max(0.0) * 1000.0) as u64;
        let mut left = game.clocks.map(|clock| clock.map(milliseconds));
        let running = if game.end.is_none() { Some(game.turn.min(1)) } else { None };
        if let Some(clock) = running.and_then(|side| left[side].as_mut()) {
            *clock = clock.saturating_sub(milliseconds(game.thinking));
        }
        let end = game.end.as_ref().map(|(result, ending)| BoardEnd {
            winner: match result {
                ResultLog::First => Some(0),
                ResultLog::Second => Some(1),
                ResultLog::Draw | ResultLog::Void => None,
            },
            ending: ending.clone(),
        });
        Ok(Some(BoardView {
            key,
            players: [self.player(first)?, self.player(second)?],
            scene,
            plies: game.plies,
            left,
            running,
            end,
            game: None,
        }))
    }
}

/// Returns `true` if the caller's team plays on a board.
fn is_own(who: Who<'_>, board: &BoardView) -> bool {
    let Some(Role::Team(own)) = who else { return false };
    board.players.iter().any(|player| matches!(player, PlayerView::Version { team, .. } if team == own))
}
