//! Incomplete tournament specifications.

use std::collections::BTreeSet;
use std::path::Path;

use process::sandbox::Limits;
use protocol::dialects::Speaks;

use crate::adjudicate::Adjudicate;
use crate::format::Format;
use crate::openings::OpeningOrder;
use crate::spec::{Affinity, OnFault, Scale, Spec};
use crate::spec::{one, two, two_hundred, unnamed};
use crate::spec_error::SpecError;
use crate::times::Times;

/// The settings that a file or a command line has set explicitly. [`Draft::adopt`] does not change them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The time for a move or for a game.
    pub time: bool,
    /// The consequence of a fault.
    pub after_fault: bool,
    /// The move limit.
    pub move_limit: bool,
}

/// An incomplete tournament specification.
///
/// ```
/// let mut draft = arena::Draft::new("loa");
/// draft.adopt("nus"); // the rules of the competition of CS3243
/// assert_eq!((draft.spec.time.per_move, draft.spec.after_fault), (Some(3.0), arena::OnFault::Random));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The tournament so far.
    pub spec: Spec,
    /// The settings that [`adopt`](Self::adopt) does not change.
    pub named: Named,
}

impl Draft {
    /// Creates a tournament with default settings and without agents.
    pub fn new(game: &str) -> Self {
        let spec = Spec {
            name: unnamed(),
            game: game.to_owned(),
            size: None,
            format: Format::default(),
            games: two(),
            rounds: None,
            opening: 0,
            openings: None,
            openings_order: OpeningOrder::default(),
            openings_plies: None,
            seed: one(),
            move_limit: two_hundred(),
            repetitions: None,
            rules: None,
            start: None,
            after_fault: OnFault::default(),
            jobs: None,
            log: None,
            affinity: Affinity::default(),
            adjudicate: Adjudicate::default(),
            time: Times::default(),
            scale: Scale::default(),
            sandbox: None,
            limits: Limits::default(),
            readable: Vec::new(),
            sprt: None,
            agents: Vec::new(),
        };
        Self { spec, named: Named::default() }
    }

    /// Reads a tournament file. Agents' directories are relative to `here`, the file's directory.
    ///
    /// # Errors
    /// If the file is not TOML or has the wrong fields.
    pub fn read(text: &str, here: &Path) -> Result<Self, SpecError> {
        let mut spec: Spec = toml::from_str(text).map_err(SpecError::Toml)?;
        for agent in &mut spec.agents {
            if agent.builtin.is_none() {
                agent.directory = Some(here.join(agent.directory.as_deref().unwrap_or(Path::new(""))));
            }
        }
        spec.log = spec.log.map(|folder| here.join(folder));
        for path in &mut spec.readable {
            *path = here.join(&path);
        }
        spec.openings = spec.openings.map(|openings| openings.relative_to(here));
        let file: toml::Table = toml::from_str(text).map_err(SpecError::Toml)?;
        let names = |key| file.get("time").and_then(|times| times.get(key)).is_some();
        let named = Named {
            time: names("move") || names("game"),
            after_fault: file.contains_key("after_fault"),
            move_limit: file.contains_key("move_limit"),
        };
        Ok(Self { spec, named })
    }

    /// Adopts the board size and rules of the competition that uses a dialect, except for settings that were set
    /// explicitly. Does nothing if the competition is about another game.
    pub fn adopt(&mut self, dialect: &str) {
        let Some(rules) =
            dialect.parse().ok().and_then(Speaks::competition).filter(|rules| rules.game == self.spec.game)
        else {
            return;
        };
        self.spec.size = self.spec.size.or(Some(rules.size));
        if !self.named.time {
            self.spec.time.per_move = Some(rules.move_time.as_secs_f64());
        }
        if !self.named.after_fault {
            self.spec.after_fault = if rules.random_moves { OnFault::Random } else { OnFault::Lose };
        }
    }

    /// Adopts the rules of the agents' competition, checks the tournament, and replaces the path of the openings file
    /// with its content.
    ///
    /// # Errors
    /// If a field has an invalid value, or an opening is illegal.
    pub fn finish(mut self) -> Result<Spec, SpecError> {
        let dialects: BTreeSet<String> = self.spec.agents.iter().filter_map(|agent| agent.dialect.clone()).collect();
        for dialect in dialects {
            self.adopt(&dialect);
        }
        if let (Some(limit), false) = (self.spec.rule_set().and_then(|set| set.move_limit), self.named.move_limit) {
            self.spec.move_limit = limit;
        }
        self.spec.check()?;
        // Checked only here, because stores of earlier versions may hold tournaments with more jobs.
        if let Some(jobs) = self.spec.jobs.filter(|jobs| *jobs > Spec::MOST_JOBS) {
            let expected = format!("at most {}", Spec::MOST_JOBS);
            return Err(SpecError::Value { field: "jobs".to_owned(), found: jobs.to_string(), expected });
        }
        if let Some(openings) = &self.spec.openings {
            let setting = self.spec.setting().map_err(SpecError::Openings)?;
            let listed = openings.read(setting, self.spec.openings_plies).map_err(SpecError::Openings)?;
            (self.spec.openings, self.spec.openings_plies) = (Some(listed), None);
        }
        Ok(self.spec)
    }
}

impl Spec {
    /// Reads a tournament file. Agents' directories are relative to `here`, the file's directory.
    ///
    /// # Errors
    /// If the file is not a valid specification.
    pub fn read(text: &str, here: &Path) -> Result<Self, SpecError> {
        Draft::read(text, here)?.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_sets_the_size_of_its_own_game_only() {
        let size = |game: &str| {
            let mut draft = Draft::new(game);
            draft.adopt("nus");
            (draft.spec.size, draft.spec.time.per_move)
        };
        assert_eq!(size("loa"), (Some(6), Some(3.0)));
        assert_eq!(size("breakthrough"), (None, Some(5.0)));
    }
}
