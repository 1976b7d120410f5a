//! Positions with known results, for engines to solve.
//!
//! A file has one position on each line: `position;win N` if the shortest forced win of the side to move takes `N`
//! plies, or `position;win <=N` if a shorter one may exist. Lines that begin with `#` are comments.

use core::fmt;
use std::time::{Duration, Instant};

use engine::{PlayerOptions, Resources};
use games::{AnyEngine, AnyRecord, GameId};
use ledger::Failure;
use search::{Control, Limits};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::jobs::{Hand, Kind};

/// A position in which the side to move wins by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Position text.
    pub position: String,
    /// Length of the known win, in plies.
    pub plies: u32,
    /// `true` if no shorter win exists.
    pub is_shortest: bool,
}

/// The error for a line that is not a problem.
#[derive(Debug, Error)]
#[error("line {line}: expected `position;win N`, found `{text}`")]
pub struct ProblemError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line's text.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};win {}{}", self.position, if self.is_shortest { "" } else { "<=" }, self.plies)
    }
}

/// Reads a file of problems of a game.
///
/// # Errors
/// Returns an error if a line is not a problem; the error is for the first such line.
pub fn read(game: GameId, text: &str) -> Result<Vec<Problem>, ProblemError> {
    let lines = (1..)
        .zip(game::text::without_mark(text).lines())
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|(line, text)| parse(game, line, text).map(|(problem, _)| problem)).collect()
}

/// Parses a line: a problem, and the game that begins at its position.
fn parse(game: GameId, line: usize, text: &str) -> Result<(Problem, Box<dyn AnyRecord>), ProblemError> {
    let parsed = || {
        let (position, result) = text.split_once(';')?;
        let plies = result.trim().strip_prefix("win ")?;
        let bound = plies.strip_prefix("<=");
        let plies = bound.unwrap_or(plies).parse().ok()?;
        let record = game.position(Some(position), None).ok()?;
        Some((Problem { position: record.position(), plies, is_shortest: bound.is_none() }, record))
    };
    parsed().ok_or_else(|| ProblemError { line, text: game::text::excerpt(text) })
}

/// The result of an engine on a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// `true` if the engine announced a proven win.
    pub solved: bool,
    /// Number of visited nodes.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Searches a position with an engine. It is solved if the engine announces a win; such scores are proofs.
fn attempt(record: &dyn AnyRecord, engine: &mut dyn AnyEngine, limits: &Limits) -> Attempt {
    let start = Instant::now();
    let choice = engine.choose(record, limits, &mut Control::on(search::SYSTEM));
    let solved = choice.as_ref().is_some_and(|choice| choice.score.win_distance().is_some());
    Attempt { solved, nodes: choice.map_or(0, |choice| choice.nodes), time: start.elapsed() }
}

/// An engine that solves problems. Each job solves one problem, whose text is the job's input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exam {
    /// Name of the game.
    pub game: String,
    /// Description of the engine.
    pub player: String,
    /// `true` if the engine has endgame tables.
    pub endgames: bool,
    /// Identifier of the problems, for example a hash of them all.
    pub problems: String,
}

impl Kind for Exam {
    const NAME: &'static str = "suite";
    type Output = Attempt;

    fn endgames(&self) -> Option<GameId> {
        self.game.parse().ok().filter(|_| self.endgames)
    }

    fn hand<'a>(&'a self, resources: &'a Resources) -> Result<Hand<'a, Attempt>, Failure> {
        let game: GameId = self.game.parse().map_err(Failure::of)?;
        let player: PlayerOptions = self.player.parse().map_err(Failure::of)?;
        // An engine supports boards of one size.
        let mut made: Option<(usize, Box<dyn AnyEngine>)> = None;
        Ok(Box::new(move |_, text| {
            let (_, record) = parse(game, 1, text).map_err(Failure::of)?;
            let engine = match &mut made {
                Some((size, engine)) if *size == record.size() => engine,
                made => &mut made.insert((record.size(), record.engine(&player, resources).map_err(Failure::of)?)).1,
            };
            let limits = engine.limits();
            Ok(attempt(&*record, &mut **engine, &limits))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_read_back() {
        let line = "------/--b---/--b---/-b-ww-/-----w/w-b--- b;win <=3";
        let problems = read(GameId::LOA, &format!("# wins\n\n{line}\n")).expect("a problem");
        let [problem] = &problems[..] else { panic!("one problem") };
        assert_eq!((problem.plies, problem.is_shortest, problem.to_string()), (3, false, line.to_owned()));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = read(GameId::LOA, "# fine\nbb--/----/----/--ww b;loss 3").expect_err("no win").to_string();
        assert!(error.contains("line 2") && error.contains("loss 3"), "{error}");
    }

    #[test]
    fn an_attempt_does_not_depend_on_those_before_it() {
        let exam = Exam {
            game: "loa".to_owned(),
            player: "nodes=300,horizon=1/0,table=1".to_owned(),
            endgames: false,
            problems: String::new(),
        };
        let resources = Resources::default();
        let one = "------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1";
        let problems = [one, "-bbb-/w---w/w---w/w---w/-bbb- b;win 11", one];
        let mut hand = exam.hand(&resources).expect("a hand");
        let all =
            problems.map(|text| hand(0, text).map(|attempt| (attempt.solved, attempt.nodes)).expect("an attempt"));
        assert!(all[0] == all[2] && all[0].0 && !all[1].0, "{all:?}");
        let alone = exam.hand(&resources).expect("a hand")(1, problems[1]).expect("an attempt");
        assert_eq!((alone.solved, alone.nodes), all[1]);
        for text in ["", "nonsense", "bb b;win 1", "----/----/----/--ww b;win x"] {
            assert!(hand(0, text).expect_err(text).0.contains("expected `position;win N`"), "{text}");
        }
    }
}
