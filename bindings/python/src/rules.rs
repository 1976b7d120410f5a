//! The rules for draws: conditions that end a game without a decision on the board.

use game::{MatchDraws, Position, Record};
use games::Game;

use crate::error::Wrong;

/// The move limit of OpenSpiel's `lines_of_action`.
const OPENSPIEL_LIMIT: u32 = 1000;

/// The draw rules of a game, in addition to the rules of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Number of moves of both sides after which the game ends. The game is then drawn, or truncated in a batch.
    pub(crate) move_limit: Option<u32>,
    /// Conditions under which a game without progress is drawn.
    pub(crate) draws: Option<MatchDraws>,
    /// Set for the rules of OpenSpiel.
    pub(crate) openspiel: bool,
}

impl Rules {
    /// Returns the rules with this name, for boards of this size.
    ///
    /// # Errors
    /// If the game has no such rules on this size, if a number is out of range, or if `repetitions` is given for rules
    /// that fix it.
    pub(crate) fn new<P: Game>(
        name: &str,
        size: usize,
        repetitions: Option<u32>,
        move_limit: Option<u32>,
    ) -> Result<Self, Wrong> {
        let own = P::MATCH_DRAWS;
        let quiet_plies = own.map_or(u32::MAX, |draws| draws.quiet_plies);
        if move_limit == Some(0) {
            return Err(Wrong::Value("move_limit 0: expected 1 or more, or None".to_owned()));
        }
        match (name, repetitions) {
            ("plyhouse", None) => Ok(Self { move_limit, draws: own, openspiel: false }),
            ("plyhouse", Some(repetitions)) if repetitions >= 2 => {
                let draws = Some(MatchDraws { repetitions, quiet_plies, by_board: false });
                Ok(Self { move_limit, draws, openspiel: false })
            }
            ("plyhouse", Some(found)) => Err(Wrong::Value(format!("repetitions {found}: expected 2 or more, or None"))),
            ("openspiel", Some(_)) => {
                Err(Wrong::Value("repetitions: the rules \"openspiel\" have their own; expected None".to_owned()))
            }
            ("openspiel", None) if P::OPENSPIEL_SIZE == Some(size) => {
                let draws = Some(MatchDraws { repetitions: 2, quiet_plies, by_board: true });
                Ok(Self { move_limit: move_limit.or(Some(OPENSPIEL_LIMIT)), draws, openspiel: true })
            }
            ("openspiel", None) => Err(Wrong::Value(format!(
                "rules \"openspiel\" for {} on {size} squares per side: expected loa on 8 squares per side",
                P::NAME
            ))),
            _ => Err(Wrong::Value(format!(
                "rules \"{}\": expected \"plyhouse\" or \"openspiel\"",
                game::text::excerpt(name)
            ))),
        }
    }

    /// Starts a game under these rules.
    pub(crate) fn record<P: Position>(self, start: P) -> Record<P> {
        let record = Record::new(start).with_draws(self.draws);
        match self.move_limit {
            Some(limit) => record.with_move_limit(limit),
            None => record,
        }
    }
}
