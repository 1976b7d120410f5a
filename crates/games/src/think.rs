//! Searches by our engines.

use engine::{Built, PlayerOptions, Resources};
use game::{Record, Side};
use search::{Control, Host, Progress, Score, Stop};
use serde::Serialize;

use crate::definition::Game;
use crate::known::Known;
use crate::play::SettingError;
use crate::player::{built, texts};

/// The options and resources of a search.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Player, or an [analyst](PlayerOptions::analysis).
    pub player: &'a PlayerOptions,
    /// Resources of the player.
    pub resources: &'a Resources,
    /// Clock and threads that the engine may use.
    pub host: Host,
    /// Seed of the player's random choices.
    pub seed: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// Lines, best first.
    pub lines: Vec<Variation>,
    /// Depth of the last finished iteration, in plies.
    pub depth: u32,
    /// Number of visited positions.
    pub nodes: u64,
    /// Result of the position, if it is known without a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

impl Thought {
    /// Returns `true` if the value of the best line is proven, so that a longer search would not change it.
    pub fn is_proven(&self) -> bool {
        self.lines.first().is_some_and(|best| !matches!(best.value, Value::Units(_)))
    }
}

/// A line and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variation {
    /// Value of the line.
    pub value: Value,
    /// Moves of the line.
    pub moves: Vec<String>,
}

/// A value from the first side's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// Value in hundredths of a piece.
    Units(i32),
    /// Proven win for the first side within this many plies.
    Wins(u32),
    /// Proven win for the second side within this many plies.
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

/// Searches the current position with an engine; see [`AnyRecord::think`](crate::any::AnyRecord::think).
pub(crate) fn think<P: Game>(
    record: &Record<P>,
    asked: &Asked<'_>,
    stop: Stop,
    report: &mut dyn FnMut(Thought),
) -> Result<Option<Thought>, SettingError> {
    let Asked { player, resources, host, seed } = *asked;
    if record.finish().is_some() || record.position().is_stuck() {
        return Ok(None);
    }
    let side = record.position().side_to_move();
    let known = P::known(record.position(), &P::policy(resources)).map(|fact| fact.in_words());
    let Built { mut engine, limits, .. } = built(record, player, resources)?;
    engine.new_game(seed);
    let mut on_progress = |progress: &Progress<P::Move>| {
        let best = Variation { value: Value::of(progress.score, side), moves: texts(&progress.pv) };
        report(Thought { lines: vec![best], depth: progress.depth, nodes: progress.nodes, known: known.clone() });
    };
    let mut control = Control { stop, progress: Some(&mut on_progress), host };
    let Some(choice) = engine.choose(record, &limits, &mut control) else { return Ok(None) };
    let mut line = texts(&choice.pv);
    if line.is_empty() {
        line.push(choice.best.to_string());
    }
    let mut lines = vec![Variation { value: Value::of(choice.score, side), moves: line }];
    let others = choice.others.iter();
    lines.extend(others.map(|other| Variation { value: Value::of(other.score, side), moves: texts(&other.pv) }));
    Ok(Some(Thought { lines, depth: choice.depth, nodes: choice.nodes, known: known.clone() }))
}
