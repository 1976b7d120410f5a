//! The rules for draws: conditions that end a game without a decision on the board.

use game::{MatchDraws, Record};
use games::{Game, Repetitions, RuleSet};

use crate::error::Wrong;

/// The draw rules of a game, in addition to the rules of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Number of moves of both sides after which the game ends. The game is then drawn, or truncated in a batch.
    pub(crate) move_limit: Option<u32>,
    /// Conditions under which a game without progress is drawn.
    pub(crate) draws: Option<MatchDraws>,
    /// The rule set; Plyhouse's usual rules if unset.
    pub(crate) set: Option<&'static RuleSet>,
}

impl Rules {
    /// Returns the rules with this name, for a game from this start.
    ///
    /// # Errors
    /// If the game has no such rules on this size, if a number is out of range, or if `repetitions` is given for rules
    /// that fix it.
    pub(crate) fn new<P: Game>(
        name: &str,
        start: &P,
        repetitions: Option<u32>,
        move_limit: Option<u32>,
    ) -> Result<Self, Wrong> {
        let (own, size) = (P::MATCH_DRAWS, P::size(start));
        let quiet_plies = own.map_or(u32::MAX, |draws| draws.quiet_plies);
        if move_limit == Some(0) {
            return Err(Wrong::Value("move_limit 0: expected 1 or more, or None".to_owned()));
        }
        // The text of the start may name the rules.
        let named = P::rule_set(start).filter(|_| name == "plyhouse" && repetitions.is_none());
        let (set, repetitions) = match (named.map_or(name, |set| set.name), repetitions) {
            ("plyhouse", None) => return Ok(Self { move_limit, draws: own, set: None }),
            ("plyhouse", Some(repetitions)) if repetitions >= 2 => (None, Some(Repetitions::Times(repetitions))),
            ("plyhouse", Some(found)) => {
                return Err(Wrong::Value(format!("repetitions {found}: expected 2 or more, or None")));
            }
            (name, repetitions) => {
                let set = Self::set::<P>(name, size)?;
                if repetitions.is_some() {
                    let text = format!("repetitions: the rules \"{name}\" have their own; expected None");
                    return Err(Wrong::Value(text));
                }
                (Some(set), set.repetitions)
            }
        };
        let draws = match repetitions {
            Some(Repetitions::Times(repetitions)) => Some(MatchDraws { repetitions, quiet_plies, by_board: false }),
            Some(Repetitions::OpenSpiel) => Some(MatchDraws { repetitions: 2, quiet_plies, by_board: true }),
            None => own,
        };
        Ok(Self { move_limit: move_limit.or(set.and_then(|set| set.move_limit)), draws, set })
    }

    /// Returns the rule set with this name.
    ///
    /// # Errors
    /// If the game has no such rule set, or not on this size.
    fn set<P: Game>(name: &str, size: usize) -> Result<&'static RuleSet, Wrong> {
        let Some(set) = P::RULE_SETS.iter().find(|set| set.name == name) else {
            let known: Vec<String> = P::RULE_SETS.iter().map(|set| format!(", \"{}\"", set.name)).collect();
            let name = game::text::excerpt(name);
            return Err(Wrong::Value(format!(
                "rules \"{name}\" for {}: expected \"plyhouse\"{}",
                P::NAME,
                known.concat()
            )));
        };
        match set.size {
            Some(only) if only != size => Err(Wrong::Value(format!(
                "rules \"{name}\" for {game} on {size} squares per side: expected {game} on {only} squares per side",
                game = P::NAME
            ))),
            _ => Ok(set),
        }
    }

    /// Returns the name of the rules.
    pub(crate) fn name(self) -> &'static str {
        self.set.map_or("plyhouse", |set| set.name)
    }

    /// Returns the argument `repetitions` of these rules. `own` are the draw rules in matches of the game.
    pub(crate) fn repetitions(self, own: Option<MatchDraws>) -> Option<u32> {
        self.draws.filter(|_| self.set.is_none() && self.draws != own).map(|draws| draws.repetitions)
    }

    /// Returns `true` if the move limit is a rule of the game, so that it does not truncate the game.
    pub(crate) fn has_limit(self) -> bool {
        self.draws.is_some_and(|draws| draws.by_board)
    }

    /// Returns the position under these rules.
    pub(crate) fn apply<P: Game>(self, p: P) -> P {
        p.under(self.set)
    }

    /// Starts a game under these rules.
    pub(crate) fn record<P: Game>(self, start: P) -> Record<P> {
        let record = Record::new(self.apply(start)).with_draws(self.draws);
        match self.move_limit {
            Some(limit) => record.with_move_limit(limit),
            None => record,
        }
    }
}
