//! When a game that is not decided on its board ends.

use game::{MatchDraws, Position, Record};
use games::Game;

use crate::error::Wrong;

/// The move limit of OpenSpiel's `lines_of_action`.
const OPENSPIEL_LIMIT: u32 = 1000;

/// The rules under which a game is played, beside those of its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Moves of both sides after which the game is drawn.
    pub(crate) move_limit: Option<u32>,
    /// When a game without progress is drawn.
    pub(crate) draws: Option<MatchDraws>,
    /// Whether they are those of OpenSpiel.
    pub(crate) openspiel: bool,
}

impl Rules {
    /// Rules by their name, for boards of this size.
    ///
    /// # Errors
    /// If the game has no such rules on this size, or both names and numbers say how repetitions count.
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
                "rules \"openspiel\" for {} on {size} squares a side: expected loa on 8 squares a side",
                P::NAME
            ))),
            _ => Err(Wrong::Value(format!(
                "rules \"{}\": expected \"plyhouse\" or \"openspiel\"",
                game::text::excerpt(name)
            ))),
        }
    }

    /// A game under these rules.
    pub(crate) fn record<P: Position>(self, start: P) -> Record<P> {
        let record = Record::new(start).with_draws(self.draws);
        match self.move_limit {
            Some(limit) => record.with_move_limit(limit),
            None => record,
        }
    }
}
