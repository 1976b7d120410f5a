//! Type-erased engines.

use core::time::Duration;

use engine::{Built, PlayerOptions, Resources};
use game::Record;
use search::{Choice, Control, Limits, Progress, Variation};

use crate::any::AnyRecord;
use crate::definition::Game;
use crate::play::SettingError;
use crate::registry::GameId;

/// A type-erased player for one game on boards of one size. Moves are texts.
pub trait AnyEngine: Send {
    /// Clears all state and reseeds the random number generator.
    fn new_game(&mut self, seed: u64);

    /// Returns the player's limits for each move.
    fn limits(&self) -> Limits;

    /// Returns the limits for a move that must take at most `time`.
    fn limits_within(&self, time: Duration) -> Limits;

    /// Chooses a move for the side to move; `None` only if there is no legal move.
    ///
    /// # Panics
    /// If the record is of another game.
    fn choose(
        &mut self,
        record: &dyn AnyRecord,
        limits: &Limits,
        control: &mut Control<'_, String>,
    ) -> Option<Choice<String>>;
}

impl<P: Game> AnyEngine for Built<P> {
    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn limits_within(&self, time: Duration) -> Limits {
        Self::limits_within(self, time)
    }

    fn choose(
        &mut self,
        record: &dyn AnyRecord,
        limits: &Limits,
        control: &mut Control<'_, String>,
    ) -> Option<Choice<String>> {
        let record: &Record<P> =
            record.as_any().downcast_ref().expect("invariant: an engine gets records of its own game");
        let Control { stop, progress, host } = control;
        let mut report = |report: &Progress<P::Move>| {
            if let Some(progress) = progress {
                let Progress { depth, score, nodes, .. } = *report;
                progress(&Progress { depth, score, nodes, pv: texts(&report.pv) });
            }
        };
        let mut control = Control { stop: stop.clone(), progress: Some(&mut report), host: *host };
        let Choice { best, score, pv, depth, nodes, others } = self.engine.choose(record, limits, &mut control)?;
        let others = others.iter().map(|other| Variation { score: other.score, pv: texts(&other.pv) }).collect();
        Some(Choice { best: best.to_string(), score, pv: texts(&pv), depth, nodes, others })
    }
}

/// Builds a player for boards of the record's size.
pub(crate) fn built<P: Game>(
    record: &Record<P>,
    options: &PlayerOptions,
    resources: &Resources,
) -> Result<Built<P>, SettingError> {
    let built = options.make(record.position(), resources);
    built.map_err(|error| SettingError::NoBuild(GameId::of::<P>(), error))
}

pub(crate) fn texts<M: ToString>(line: &[M]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}
