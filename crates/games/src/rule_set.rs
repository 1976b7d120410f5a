//! Rule sets: the rules of a game as they differ between courses, tournaments and programs.

use game::text::excerpt;
use game::{Explain, Message, message};
use thiserror::Error;

use crate::play::{Repetitions, Setting, SettingError};
use crate::registry::GameId;

/// A set of rules under which a game is played somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Name that commands and files use, in lower case.
    pub name: &'static str,
    /// Differences from the other sets, in a few words.
    pub summary: &'static str,
    /// Rule for draws by repetition. If unset, the game's usual rules for matches apply.
    pub repetitions: Option<Repetitions>,
    /// The only board size of these rules, in squares per side; all sizes of the game if unset.
    pub size: Option<usize>,
    /// Move limit if none is given, in moves of both sides.
    pub move_limit: Option<u32>,
    /// `true` if the rules on the board differ from the game's usual rules, not only the rules for draws in a match.
    pub on_board: bool,
}

impl RuleSet {
    /// A set without any difference from the game's usual rules.
    pub const USUAL: Self =
        Self { name: "", summary: "", repetitions: None, size: None, move_limit: None, on_board: false };

    /// Returns `true` if the set does not differ from the game's usual rules, whatever its name.
    fn is_usual(&self) -> bool {
        Self { name: self.name, summary: self.summary, ..Self::USUAL } == *self
    }
}

/// The rule sets and start positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Rule sets, the usual one first; empty if there is no choice.
    pub rule_sets: &'static [RuleSet],
    /// Names of the start positions other than the usual one.
    pub starts: &'static [&'static str],
}

/// The rules of a game where there is a choice: the rule set and the start. The default is the game's usual rules and
/// its usual start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Rule set. If unset, the rules are the usual ones, or those that the text of the start position names.
    pub set: Option<&'static RuleSet>,
    /// Name of the start position, one of [`Game::STARTS`](crate::definition::Game::STARTS); the usual start if unset.
    pub start: Option<&'static str>,
}

impl Rules {
    /// Returns the rule set and the start with these names.
    ///
    /// # Errors
    /// If the game has no such rule set, or not on this board size, or no such start.
    pub fn named(
        game: GameId,
        size: Option<usize>,
        set: Option<&str>,
        start: Option<&str>,
    ) -> Result<Self, UnknownRules> {
        let set = set.map(|name| game.rule_set(name, size)).transpose()?;
        Ok(Self { set, start: start.map(|name| game.start_name(name)).transpose()? })
    }

    /// Returns the names of the start and the rule set, as in `scrambled-eggs mso`; empty for the usual ones.
    pub fn variant(self) -> String {
        let set = self.set.filter(|set| !set.is_usual()).map(|set| set.name);
        let names: Vec<&str> = self.start.into_iter().chain(set).collect();
        names.join(" ")
    }

    /// Returns the text of a position under these rules, or of the start position if `text` is unset. The default rules
    /// change nothing.
    ///
    /// # Errors
    /// If the text is not a position of the game, or the game is not played on this size.
    pub fn position(
        self,
        game: GameId,
        size: Option<usize>,
        text: Option<&str>,
    ) -> Result<Option<String>, SettingError> {
        if self == Self::default() {
            return Ok(text.map(str::to_owned));
        }
        let setting = Setting { game, size, move_limit: u32::MAX, repetitions: None, rules: self };
        Ok(Some(setting.record(text, &[])?.start()))
    }
}

impl GameId {
    /// Returns the rule set with this name.
    ///
    /// # Errors
    /// If the game has no such rule set, or not on this board size.
    pub fn rule_set(self, name: &str, size: Option<usize>) -> Result<&'static RuleSet, UnknownRules> {
        let sets = self.choices().rule_sets;
        let Some(set) = sets.iter().find(|set| set.name == name) else {
            let known = sets.iter().map(|set| set.name).collect();
            return Err(UnknownRules::Set { game: self, name: excerpt(name), known });
        };
        match set.size {
            Some(only) if self.board_size(size) != Ok(only) => Err(UnknownRules::Size { game: self, set, only }),
            _ => Ok(set),
        }
    }

    /// Returns the name of a start position.
    ///
    /// # Errors
    /// If the game has no start with this name.
    pub fn start_name(self, name: &str) -> Result<&'static str, UnknownRules> {
        let known = self.choices().starts;
        let found = known.iter().find(|start| **start == name);
        found.copied().ok_or_else(|| UnknownRules::Start { game: self, name: excerpt(name), known: known.to_vec() })
    }
}

/// The error for an unknown rule set or start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum UnknownRules {
    /// The game has no such rule set.
    Set {
        /// The game.
        game: GameId,
        /// Name that was found.
        name: String,
        /// Names of the game's rule sets.
        known: Vec<&'static str>,
    },
    /// The rule set is not for this board size.
    Size {
        /// The game.
        game: GameId,
        /// The rule set.
        set: &'static RuleSet,
        /// Its only board size, in squares per side.
        only: usize,
    },
    /// The game has no such start.
    Start {
        /// The game.
        game: GameId,
        /// Name that was found.
        name: String,
        /// Names of the game's starts.
        known: Vec<&'static str>,
    },
}

/// Returns names as a list for an error message: "`a`, `b` or `c`".
pub(crate) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        all => all.concat(),
    }
}

impl Explain for UnknownRules {
    fn message(&self) -> Message {
        match self {
            Self::Set { game, name, known } if known.is_empty() => {
                let game = Message::name(game.title());
                message!("game.no_rule_sets", "rules `{name}`: {game} has only one rule set", name, game)
            }
            Self::Set { name, known, .. } => {
                message!("game.rule_set", "rules `{name}`: expected {known}", name, known = listed(known))
            }
            Self::Size { game, set, only } => message!(
                "game.rule_set_size",
                "rules `{name}`: {game} is played by them on {only} squares per side only",
                name = set.name,
                game = Message::name(game.title()),
                only
            ),
            Self::Start { game, name, known } if known.is_empty() => {
                let game = Message::name(game.title());
                message!("game.no_starts", "start `{name}`: {game} has only one start", name, game)
            }
            Self::Start { name, known, .. } => {
                message!("game.start", "start `{name}`: expected {known}", name, known = listed(known))
            }
        }
    }
}
