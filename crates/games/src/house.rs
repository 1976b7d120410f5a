//! The games and players that tournaments name.

use arena::{AgentSpec, Spec};
use engine::PlayerOptions;
use protocol::dialects::Speaks;
use referee::process::Command;
use referee::{Agent, Diagram, Game, Player};

use crate::Setting;

/// Plays every game of the house, and speaks every dialect.
#[derive(Clone, Copy, Debug, Default)]
pub struct House;

impl House {
    /// The setting of a tournament.
    ///
    /// # Errors
    /// If there is no such game, in words.
    pub fn setting(spec: &Spec) -> Result<Setting, String> {
        let game = spec.game.parse().map_err(|error| format!("{error}"))?;
        Ok(Setting { game, size: spec.size, move_limit: spec.move_limit, repetitions: spec.repetitions })
    }
}

impl arena::House for House {
    fn game(&self, spec: &Spec, opening_seed: u64) -> Result<Box<dyn Game>, String> {
        Self::setting(spec)?.game(spec.opening, opening_seed).map_err(|error| error.to_string())
    }

    fn replay(&self, spec: &Spec, start: &str, moves: &[&str]) -> Result<Box<dyn Game>, String> {
        Self::setting(spec)?.replay(start, moves).map_err(|error| error.to_string())
    }

    fn boards(&self, spec: &Spec, start: &str, moves: &[&str]) -> Result<Vec<Diagram>, String> {
        Self::setting(spec)?.boards(start, moves).map_err(|error| error.to_string())
    }

    fn side_names(&self, spec: &Spec) -> [&'static str; 2] {
        Self::setting(spec).map_or(["", ""], Setting::side_names)
    }

    fn player(&self, spec: &Spec, agent: &AgentSpec) -> Result<Box<dyn Player>, String> {
        let setting = Self::setting(spec)?;
        if let Some(words) = &agent.builtin {
            let options: PlayerOptions = words.parse().map_err(|error| format!("{error}"))?;
            return setting.builtin(&options).map_err(|error| error.to_string());
        }
        let speaks: Speaks =
            agent.dialect.as_deref().unwrap_or_default().parse().map_err(|error| format!("{error}"))?;
        let format = setting.format().map_err(|error| error.to_string())?;
        let dialect = speaks.dialect(format).map_err(|error| error.to_string())?;
        if speaks == Speaks::Cs61b && spec.move_limit % 2 == 1 {
            return Err(format!("move_limit {} is odd: `limit` counts moves of each side", spec.move_limit));
        }
        let words = agent.command.as_ref().map(arena::Words::words).unwrap_or_default();
        Ok(Box::new(Agent::new(Command { words, directory: agent.directory.clone() }, dialect)))
    }
}
