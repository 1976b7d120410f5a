//! Results of engines: scores, lines, choices, facts.

use games::Source;
use pyo3::prelude::*;

/// A score for the side to move.
#[pyclass(module = "plyhouse", frozen, eq, from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Score(search::Score);

#[pymethods]
#[allow(clippy::trivially_copy_pass_by_ref)] // pyo3 hands out references
impl Score {
    /// Returns the plies to a proven win.
    #[getter]
    fn win_in(&self) -> Option<u32> {
        self.0.win_distance()
    }

    /// Returns the plies to a proven loss.
    #[getter]
    fn loss_in(&self) -> Option<u32> {
        self.0.loss_distance()
    }

    /// Returns the score in hundredths of a piece, if nothing is proven.
    #[getter]
    fn units(&self) -> Option<i32> {
        self.0.as_units()
    }

    /// Returns `true` if the score is a win or a loss that a search has proven.
    #[getter]
    fn is_proven(&self) -> bool {
        self.0.as_units().is_none()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.0)
    }
}

/// A line of best play for both sides, with its score.
#[pyclass(module = "plyhouse", frozen, from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct Line {
    #[pyo3(get)]
    pub(crate) score: Score,
    #[pyo3(get)]
    pub(crate) moves: Vec<String>,
}

#[pymethods]
impl Line {
    pub(crate) fn __repr__(&self) -> String {
        format!("<Line {}: {}>", self.score.0, self.moves.join(" "))
    }
}

/// A move chosen by an engine, with the lines of its search.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct Choice {
    #[pyo3(get, name = "move")]
    best: String,
    #[pyo3(get)]
    pub(crate) lines: Vec<Line>,
    #[pyo3(get)]
    pub(crate) depth: u32,
    #[pyo3(get)]
    pub(crate) nodes: u64,
}

impl Choice {
    /// Converts a choice, with moves as texts.
    pub(crate) fn of<M: ToString + Copy>(choice: &search::Choice<M>) -> Self {
        let texts = |moves: &[M]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        let best = choice.best.to_string();
        let mut moves = texts(&choice.pv);
        if moves.is_empty() {
            moves.push(best.clone());
        }
        let mut lines = vec![Line { score: Score(choice.score), moves }];
        lines.extend(choice.others.iter().map(|other| Line { score: Score(other.score), moves: texts(&other.pv) }));
        Self { best, lines, depth: choice.depth, nodes: choice.nodes }
    }
}

#[pymethods]
impl Choice {
    /// Returns the score of the move.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    fn __repr__(&self) -> String {
        let score = self.lines.first().map(|line| line.score.0.to_string()).unwrap_or_default();
        format!("<Choice {}: {score}>", self.best)
    }
}

/// A result of perfect play that is known without a search.
#[pyclass(module = "plyhouse", frozen, get_all)]
pub(crate) struct Fact {
    winner: Option<usize>,
    plies: u32,
    best: Option<String>,
    source: &'static str,
}

impl Fact {
    /// Converts a fact, with moves as texts.
    pub(crate) fn of<M: ToString>(fact: &games::Fact<M>) -> Self {
        Self {
            winner: fact.winner.map(game::Side::index),
            plies: fact.plies,
            best: fact.best.as_ref().map(ToString::to_string),
            source: word(fact.source),
        }
    }
}

#[pymethods]
impl Fact {
    fn __repr__(&self) -> String {
        match self.winner {
            Some(winner) => {
                let plies = if self.plies == 1 { "ply" } else { "plies" };
                format!("<Fact: player {winner} wins within {} {plies} ({})>", self.plies, self.source)
            }
            None => format!("<Fact: a draw ({})>", self.source),
        }
    }
}

/// Returns the word for a source of knowledge.
pub(crate) const fn word(source: Source) -> &'static str {
    match source {
        Source::Book => "book",
        Source::Tables => "tables",
        Source::Search => "search",
    }
}
