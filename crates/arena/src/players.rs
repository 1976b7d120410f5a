//! Creation of the games and players of a specification.

use std::path::Path;

use engine::{PlayerOptions, Resources};
use game::Diagram;
use games::{AnyRecord, GameId, Repetitions, RuleSet, Rules, Setting};
use process::Command;
use process::sandbox::{Access, Confinement};
use protocol::Dialect;
use protocol::dialects::{Speaks, UnknownDialect, Variant};
use referee::{Agent, Player};

use crate::agent_spec::{AgentSpec, Words};
use crate::builtin;
use crate::spec::Spec;

/// The environment of a tournament: data for our engines, the sandbox of external programs, and the machine's speed.
#[derive(Clone, Debug, Default)]
pub struct Venue {
    /// Books and tables for our engines.
    pub resources: Resources,
    /// The sandbox of agents. If unset, agents run as child processes with the same privileges as this process.
    pub confinement: Option<Confinement>,
    /// Speed of this machine in nodes per second, for tournaments that scale their time limits.
    pub speed: Option<f64>,
}

impl Venue {
    /// Returns the host that runs the agent's processes.
    ///
    /// # Errors
    /// If the sandbox cannot give the agent access to its folder; the text gives the reason.
    pub fn host(&self, agent: &AgentSpec, access: Access) -> Result<Box<dyn process::Host>, String> {
        let Some(confinement) = &self.confinement else { return Ok(Box::new(process::Bare)) };
        let folder = agent.directory.as_deref().unwrap_or(Path::new("."));
        let sandbox = confinement.sandbox(folder, access).map_err(|error| error.to_string())?;
        Ok(Box::new(if agent.submitted { sandbox.own_programs_only() } else { sandbox }))
    }

    /// Returns the maximum number of bytes that an agent may write in a game.
    fn max_output(&self) -> u64 {
        self.confinement.as_ref().map_or(u64::MAX, |confinement| confinement.limits.output.0)
    }
}

impl Spec {
    /// Returns the game with its size, move limit and rules.
    ///
    /// # Errors
    /// If the game does not exist, or not with this combination of rules and size; the text gives the reason.
    pub fn setting(&self) -> Result<Setting, String> {
        let game: GameId = self.game.parse().map_err(|error| format!("{error}"))?;
        if game == GameId::BREAKTHROUGH && self.rules.as_deref() == Some("openspiel") {
            return Err(
                "rules: Breakthrough has the same rules in OpenSpiel, but Black begins there, from the top: omit \
                        `rules`, and reverse the order of the ranks (`a7b6` is `a2-b3`)"
                    .to_owned(),
            );
        }
        let rules = Rules::named(game, self.size, self.rules.as_deref(), self.start.as_deref());
        let rules = rules.map_err(|error| error.to_string())?;
        let repetitions = self.repetitions.map(Repetitions::Times);
        Ok(Setting { game, size: self.size, move_limit: self.move_limit, repetitions, rules })
    }

    /// Returns the rule set, if one is named and the game has it.
    pub fn rule_set(&self) -> Option<&'static RuleSet> {
        self.game.parse::<GameId>().ok()?.rule_set(self.rules.as_deref()?, self.size).ok()
    }

    /// Starts a game and plays its opening. `opening_seed` is the seed of the random moves, or the index in the list of
    /// openings.
    ///
    /// # Errors
    /// If the game or the opening does not exist; the text gives the reason.
    pub fn new_game(&self, opening_seed: u64) -> Result<Box<dyn AnyRecord>, String> {
        let setting = self.setting()?;
        match &self.openings {
            None => setting.random(self.opening, opening_seed).map_err(|error| error.to_string()),
            Some(openings) => openings.open(setting, opening_seed),
        }
    }

    /// Plays `moves` from the position `start`.
    ///
    /// # Errors
    /// If a move is illegal; the text names it.
    pub fn replay(&self, start: &str, moves: &[&str]) -> Result<Box<dyn AnyRecord>, String> {
        self.setting()?.record(Some(start), moves).map_err(|error| error.to_string())
    }

    /// Returns the board before the first move and after each move, with the last move marked.
    ///
    /// # Errors
    /// If a move is illegal; the text names it.
    pub fn boards(&self, start: &str, moves: &[&str]) -> Result<Vec<Diagram>, String> {
        Ok(self.replay(start, moves)?.diagrams())
    }

    /// Returns the names of the first and the second side; empty if the game does not exist.
    pub fn side_names(&self) -> [&'static str; 2] {
        self.setting().map_or(["", ""], |setting| setting.game.side_names())
    }

    /// Creates the dialect of an agent that is a program, for one game.
    ///
    /// # Errors
    /// If the dialect does not exist or cannot express the game; the text gives the reason.
    pub(crate) fn dialect(&self, agent: &AgentSpec) -> Result<Box<dyn Dialect>, String> {
        let speaks = speaks(agent)?;
        let variant = variant(self.setting()?).map_err(|error| error.to_string())?;
        speaks.dialect_with(&variant, &agent.engine_options()).map_err(|error| error.to_string())
    }

    /// Creates a player for one game.
    ///
    /// # Errors
    /// If the agent cannot play this game; the text gives the reason.
    pub fn player(&self, agent: &AgentSpec, venue: &Venue) -> Result<Box<dyn Player>, String> {
        let setting = self.setting()?;
        if let Some(words) = &agent.builtin {
            let options: PlayerOptions = words.parse().map_err(|error| format!("{error}"))?;
            return builtin(setting, &options, &venue.resources).map_err(|error| error.to_string());
        }
        let speaks = speaks(agent)?;
        let dialect = self.dialect(agent)?;
        if !speaks.limits_searches()
            && let Some(limit) = agent.nodes.map(|_| "nodes").or(agent.depth.map(|_| "depth"))
        {
            return Err(format!(
                "{limit}: the dialect `{speaks}` cannot send this limit to programs; only `ugi` and `uci` can"
            ));
        }
        if speaks == Speaks::Cs61b && self.move_limit % 2 == 1 {
            return Err(format!(
                "move_limit {} is odd, expected an even number: `limit` of dialect `cs61b` counts each side's moves",
                self.move_limit
            ));
        }
        let words = agent.command.as_ref().map(Words::words).unwrap_or_default();
        let command = Command { words, directory: agent.directory.clone() };
        let host = venue.host(agent, Access::Read)?;
        Ok(Box::new(Agent::hosted(command, dialect, host, venue.max_output())))
    }
}

fn speaks(agent: &AgentSpec) -> Result<Speaks, String> {
    agent.dialect.as_deref().unwrap_or_default().parse().map_err(|error: UnknownDialect| error.to_string())
}

/// Converts a setting to the form that dialects need.
///
/// # Errors
/// If the game does not support the size.
pub fn variant(setting: Setting) -> Result<Variant, games::SettingError> {
    let set = setting.rules.set;
    let usual = Setting { size: None, rules: Rules { set, start: None }, ..setting };
    Ok(Variant {
        game: setting.game.to_string(),
        title: setting.game.title().to_owned(),
        size: setting.game.board_size(setting.size)?,
        usual_start: usual.record(None, &[])?.start(),
        rules: set.filter(|set| set.on_board).map(|set| set.name.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_their_sizes() {
        let name = |game, size| variant(Setting { size, ..Setting::new(game, 9) }).map(|variant| variant.to_string());
        assert_eq!(name(GameId::LOA, Some(6)), Ok("6x6 Lines of Action".to_owned()));
        assert_eq!(name(GameId::JUMP61, None), Ok("6x6 Jump61".to_owned()));
        assert_eq!(name(GameId::JUMP61, Some(10)), Ok("10x10 Jump61".to_owned()));
        assert!(name(GameId::CHECKERS, Some(6)).is_err());
        let rules = Rules::named(GameId::LOA, None, Some("mso"), Some("scrambled-eggs")).expect("rules");
        let mso = Setting { game: GameId::LOA, size: Some(6), move_limit: 9, repetitions: None, rules };
        let mso = variant(mso).expect("a variant");
        assert_eq!(
            (mso.to_string().as_str(), mso.rules.as_deref()),
            ("6x6 Lines of Action by the rules mso", Some("mso"))
        );
        assert!(mso.usual_start.starts_with("-bbbbbb-/") && mso.usual_start.ends_with(" b mso"), "{}", mso.usual_start);
    }
}
