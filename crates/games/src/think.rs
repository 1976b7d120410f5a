//! Asking the house's engines about a game given as text.

use core::num::NonZeroUsize;

use engine::{PlayerOptions, Strength};
use game::{Position, Record, Side};
use search::{Control, Limits, Progress, Score, Settings, Stop};
use serde::Serialize;

use crate::{Entry, Setting, SettingError, Task, dispatch};

/// What is asked: about a game after some moves.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Position text of the beginning; the usual one if none is given.
    pub start: Option<&'a str>,
    /// Moves from there.
    pub moves: &'a [&'a str],
    /// How many lines are wanted.
    pub lines: NonZeroUsize,
    /// Of a player's move: his strength; of an analysis, which is always at full strength, nothing.
    pub strength: Option<Strength>,
    /// Threads of an analysis.
    pub threads: NonZeroUsize,
    /// Limits of an analysis.
    pub limits: Limits,
    /// Fixes the small random part of a player.
    pub seed: u64,
}

/// What an engine thinks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// The best lines, best first.
    pub lines: Vec<Variation>,
    /// Finished depth, in plies.
    pub depth: u32,
    /// Visited positions.
    pub nodes: u64,
}

impl Thought {
    /// Whether the best line is proven, so that thinking further finds nothing new.
    pub fn is_proven(&self) -> bool {
        self.lines.first().is_some_and(|best| !matches!(best.value, Value::Units(_)))
    }
}

/// A line and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variation {
    /// What it comes to.
    pub value: Value,
    /// Best play.
    pub moves: Vec<String>,
}

/// A value for the first side, the one that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// Hundredths of a piece.
    Units(i32),
    /// The first side has proven a win within so many plies.
    Wins(u32),
    /// The second side has.
    Loses(u32),
}

impl Value {
    fn of(score: Score, side_to_move: Side) -> Self {
        let first = side_to_move == Side::First;
        match (score.win_distance(), score.loss_distance()) {
            (Some(plies), _) if first => Self::Wins(plies),
            (Some(plies), _) => Self::Loses(plies),
            (_, Some(plies)) if first => Self::Loses(plies),
            (_, Some(plies)) => Self::Wins(plies),
            _ => Self::Units(score.as_units().unwrap_or(0) * if first { 1 } else { -1 }),
        }
    }
}

impl Setting {
    /// What an engine thinks; nothing if the game is over. `tell` hears of every finished iteration.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn think(
        self,
        asked: &Asked<'_>,
        stop: Stop,
        tell: &mut dyn FnMut(Thought),
    ) -> Result<Option<Thought>, SettingError> {
        dispatch(self.game, Think { setting: self, asked, stop, tell })
    }
}

struct Think<'a> {
    setting: Setting,
    asked: &'a Asked<'a>,
    stop: Stop,
    tell: &'a mut dyn FnMut(Thought),
}

impl Task for Think<'_> {
    type Output = Result<Option<Thought>, SettingError>;

    fn run<E: Entry>(self) -> Self::Output {
        let Asked { start, moves, lines, strength, threads, limits, seed } = self.asked.clone();
        let record = self.setting.record::<E>(start, moves)?;
        if record.finish().is_some() || record.position().is_stuck() {
            return Ok(None);
        }
        let size = E::size(record.position());
        let profile = E::profile(size);
        let side = record.position().side_to_move();
        let (mut engine, limits) = match strength {
            None => (E::player(Settings { noise: 0, lines, threads, ..profile.full }), limits),
            Some(strength) => {
                let mut options = PlayerOptions::default();
                options.strength = strength;
                E::build(&options, size).ok_or_else(|| SettingError::NoBuild(E::ID, options.build.to_string()))?
            }
        };
        engine.new_game(seed);
        let tell = self.tell;
        let mut hear = |progress: &Progress<<E::Position as Position>::Move>| {
            let best = Variation { value: Value::of(progress.score, side), moves: texts(&progress.line) };
            tell(Thought { lines: vec![best], depth: progress.depth, nodes: progress.nodes });
        };
        let mut control = Control { stop: self.stop, progress: Some(&mut hear) };
        Ok(chosen::<E>(&mut *engine, &record, &limits, &mut control))
    }
}

fn chosen<E: Entry>(
    engine: &mut dyn search::Engine<E::Position>,
    record: &Record<E::Position>,
    limits: &Limits,
    control: &mut Control<'_, <E::Position as Position>::Move>,
) -> Option<Thought> {
    let side = record.position().side_to_move();
    let choice = engine.choose(record, limits, control)?;
    let mut line = texts(&choice.line);
    if line.is_empty() {
        line.push(choice.best.to_string());
    }
    let mut lines = vec![Variation { value: Value::of(choice.score, side), moves: line }];
    let others = choice.others.iter();
    lines.extend(others.map(|other| Variation { value: Value::of(other.score, side), moves: texts(&other.line) }));
    Some(Thought { lines, depth: choice.depth, nodes: choice.nodes })
}

fn texts<M: ToString>(line: &[M]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameId;

    #[test]
    fn thoughts_are_seen_from_the_first_side() {
        let setting = Setting { game: GameId::Loa, size: None, move_limit: 60, repetitions: None };
        // White, to move, connects at once.
        let start = "b------b/--------/--------/---w----/--------/----w---/--------/b------b w";
        let limits = Limits::nodes(5_000);
        let asked = Asked {
            start: Some(start),
            moves: &[],
            lines: NonZeroUsize::MIN,
            strength: None,
            threads: NonZeroUsize::MIN,
            limits,
            seed: 1,
        };
        let thought = setting.think(&asked, Stop::new(), &mut |_| ()).expect("a game").expect("a thought");
        assert_eq!(thought.lines[0].value, Value::Loses(1), "{thought:?}");
        let game = setting.scene(Some(start), &[&thought.lines[0].moves[0]]).expect("legal");
        assert_eq!(game.end.and_then(|end| end.winner), Some(1));
        let asked = Asked { moves: &[&thought.lines[0].moves[0]], ..asked };
        assert_eq!(setting.think(&asked, Stop::new(), &mut |_| ()), Ok(None));
    }
}
