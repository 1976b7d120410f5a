//! The games and players that a specification names.

use std::path::Path;

use engine::{PlayerOptions, Resources};
use game::Diagram;
use games::{AnyRecord, GameId, Repetitions, Setting};
use process::Command;
use protocol::dialects::{Speaks, Variant};
use referee::{Agent, Player};
use sandbox::{Access, Confinement};

use crate::{AgentSpec, Rules, Spec, builtin};

/// Where a tournament is played: what our engines may use, and how agents that are programs are confined.
#[derive(Clone, Debug, Default)]
pub struct Venue {
    /// Large data for our engines.
    pub resources: Resources,
    /// How agents are confined. If unset, they are children of this process with all its rights.
    pub confinement: Option<Confinement>,
    /// Nodes a second of this machine, for tournaments that scale times by it.
    pub speed: Option<f64>,
}

impl Venue {
    /// A place for the processes of an agent.
    ///
    /// # Errors
    /// If its folder cannot be shown to it; the text says why.
    pub fn host(&self, agent: &AgentSpec, access: Access) -> Result<Box<dyn process::Host>, String> {
        let Some(confinement) = &self.confinement else { return Ok(Box::new(process::Bare)) };
        let folder = agent.directory.as_deref().unwrap_or(Path::new("."));
        let sandbox = confinement.sandbox(folder, access).map_err(|error| error.to_string())?;
        Ok(Box::new(if agent.submitted { sandbox.own_programs_only() } else { sandbox }))
    }

    /// The most bytes that an agent may write in a game.
    fn most_output(&self) -> u64 {
        self.confinement.as_ref().map_or(u64::MAX, |confinement| confinement.limits.output.0)
    }
}

impl Spec {
    /// The game with its settings.
    ///
    /// # Errors
    /// If there is no such game; the text says so.
    pub fn setting(&self) -> Result<Setting, String> {
        let game: GameId = self.game.parse().map_err(|error| format!("{error}"))?;
        let repetitions = match self.rules {
            Some(Rules::OpenSpiel) => Some(Repetitions::OpenSpiel),
            None => self.repetitions.map(Repetitions::Times),
        };
        let setting = Setting { game, size: self.size, move_limit: self.move_limit, repetitions };
        if self.rules == Some(Rules::OpenSpiel) && game.openspiel_size() != game.board_size(self.size).ok() {
            return Err(match game.openspiel_size() {
                Some(size) => format!("rules: OpenSpiel plays {} on {size} squares a side only", game.title()),
                None if game == GameId::BREAKTHROUGH => {
                    "rules: Breakthrough has the same rules in OpenSpiel, but Black \
                    begins there, from the top: leave `rules` out, and turn the ranks (`a7b6` is `a2-b3`)"
                        .to_owned()
                }
                None => format!("rules: there are no rules of OpenSpiel's own for {}", game.title()),
            });
        }
        Ok(setting)
    }

    /// A new game after its opening, which is given by its seed, or by its number among the openings of a file.
    ///
    /// # Errors
    /// If there is no such game; the text says so.
    pub fn new_game(&self, opening_seed: u64) -> Result<Box<dyn AnyRecord>, String> {
        let setting = self.setting()?;
        match &self.openings {
            None => setting.random(self.opening, opening_seed).map_err(|error| error.to_string()),
            Some(openings) => openings.open(setting, opening_seed),
        }
    }

    /// A game from its start with these moves.
    ///
    /// # Errors
    /// If one of them is illegal; the text says which.
    pub fn replay(&self, start: &str, moves: &[&str]) -> Result<Box<dyn AnyRecord>, String> {
        self.setting()?.record(Some(start), moves).map_err(|error| error.to_string())
    }

    /// The boards of a game with these moves, the start first, each with its last move marked.
    ///
    /// # Errors
    /// If a move is illegal; the text says which.
    pub fn boards(&self, start: &str, moves: &[&str]) -> Result<Vec<Diagram>, String> {
        Ok(self.replay(start, moves)?.diagrams())
    }

    /// The names of the first and the second side; empty if there is no such game.
    pub fn side_names(&self) -> [&'static str; 2] {
        self.setting().map_or(["", ""], |setting| setting.game.side_names())
    }

    /// Makes a player for one game.
    ///
    /// # Errors
    /// If the agent cannot play this game; the text says why.
    pub fn player(&self, agent: &AgentSpec, venue: &Venue) -> Result<Box<dyn Player>, String> {
        let setting = self.setting()?;
        if let Some(words) = &agent.builtin {
            let options: PlayerOptions = words.parse().map_err(|error| format!("{error}"))?;
            return builtin(setting, &options, &venue.resources).map_err(|error| error.to_string());
        }
        let speaks: Speaks =
            agent.dialect.as_deref().unwrap_or_default().parse().map_err(|error| format!("{error}"))?;
        let variant = variant(setting).map_err(|error| error.to_string())?;
        let dialect = speaks.dialect(&variant).map_err(|error| error.to_string())?;
        if !speaks.limits_searches()
            && let Some(limit) = agent.nodes.map(|_| "nodes").or(agent.depth.map(|_| "depth"))
        {
            return Err(format!("{limit}: programs that speak `{speaks}` cannot be told; those that speak `ugi` can"));
        }
        if speaks == Speaks::Cs61b && self.move_limit % 2 == 1 {
            return Err(format!("move_limit {} is odd: `limit` counts moves of each side", self.move_limit));
        }
        let words = agent.command.as_ref().map(crate::Words::words).unwrap_or_default();
        let command = Command { words, directory: agent.directory.clone() };
        let host = venue.host(agent, Access::Read)?;
        Ok(Box::new(Agent::hosted(command, dialect, host, venue.most_output())))
    }
}

/// A setting in the form that dialects need.
///
/// # Errors
/// If the game is not played on this size.
pub fn variant(setting: Setting) -> Result<Variant, games::SettingError> {
    Ok(Variant {
        game: setting.game.to_string(),
        title: setting.game.title().to_owned(),
        size: setting.game.board_size(setting.size)?,
        usual_start: setting.game.start(None)?.start(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_their_sizes() {
        let name = |game, size| {
            variant(Setting { game, size, move_limit: 9, repetitions: None }).map(|variant| variant.to_string())
        };
        assert_eq!(name(GameId::LOA, Some(6)), Ok("6x6 Lines of Action".to_owned()));
        assert_eq!(name(GameId::JUMP61, None), Ok("6x6 Jump61".to_owned()));
        assert_eq!(name(GameId::JUMP61, Some(10)), Ok("10x10 Jump61".to_owned()));
        assert!(name(GameId::CHECKERS, Some(6)).is_err());
    }
}
