//! Results of engines: scores, lines, choices, facts, analyses.

use games::Source;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::error::Wrong;
use crate::notation::{Moves, written};
use crate::whole::Whole;

/// Maximum distance of a proven win or loss, in plies.
const LONGEST: u32 = 1_000;

/// The value of a position for the player to move.
///
/// The constructor takes one of the three numbers. Scores can be compared and hashed:
/// `Score(win_in=1) > Score(win_in=3) > Score(25) > Score(loss_in=2)`.
#[pyclass(module = "plyhouse", frozen, eq, ord, hash, from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Score(search::Score);

#[pymethods]
#[allow(clippy::trivially_copy_pass_by_ref)] // pyo3 hands out references
impl Score {
    #[new]
    #[pyo3(signature = (units=None, win_in=None, loss_in=None))]
    fn new(units: Option<Whole>, win_in: Option<Whole>, loss_in: Option<Whole>) -> PyResult<Self> {
        const MOST: i32 = search::Score::MOST_UNITS;
        Ok(Self(match (units, win_in, loss_in) {
            (Some(units), None, None) => search::Score::units(units.within("units", -MOST..=MOST, "")?),
            (None, Some(plies), None) => search::Score::win_in(plies.within("win_in", 0..=LONGEST, "")?),
            (None, None, Some(plies)) => search::Score::loss_in(plies.within("loss_in", 0..=LONGEST, "")?),
            _ => return Err(Wrong::Type("expected one of units, win_in and loss_in".to_owned()).into()),
        }))
    }

    /// Plies to a proven win.
    #[getter]
    fn win_in(&self) -> Option<u32> {
        self.0.win_distance()
    }

    /// Plies to a proven loss.
    #[getter]
    fn loss_in(&self) -> Option<u32> {
        self.0.loss_distance()
    }

    /// Hundredths of a piece, if nothing is proven.
    #[getter]
    fn units(&self) -> Option<i32> {
        self.0.as_units()
    }

    /// `True` if the score is a proven win or loss.
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

    /// Returns the class and its arguments, for `pickle` and `copy`.
    #[allow(clippy::type_complexity)] // Python's types
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Option<i32>, Option<u32>, Option<u32>)) {
        (py.get_type::<Self>(), (self.units(), self.win_in(), self.loss_in()))
    }
}

/// A line of best play for both sides, with its value.
#[pyclass(module = "plyhouse", frozen, eq, hash, from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    /// The value for the player to move.
    #[pyo3(get)]
    score: Score,
    /// The moves of both sides.
    #[pyo3(get)]
    moves: Vec<String>,
}

#[pymethods]
impl Line {
    #[new]
    fn new(score: Score, moves: Moves) -> Self {
        Self { score, moves: moves.0 }
    }

    fn __repr__(&self) -> String {
        format!("<Line {}: {}>", self.score.0, self.moves.join(" "))
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Score, Vec<String>)) {
        (py.get_type::<Self>(), (self.score, self.moves.clone()))
    }
}

/// A move chosen by an engine, with the results of its search.
#[pyclass(module = "plyhouse", frozen, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Choice {
    /// The move.
    #[pyo3(get, name = "move")]
    best: String,
    /// The best lines, best first: at most as many as the option `lines` of the engine.
    #[pyo3(get)]
    pub(crate) lines: Vec<Line>,
    /// Finished depth, in plies.
    #[pyo3(get)]
    pub(crate) depth: u32,
    /// Visited positions.
    #[pyo3(get)]
    pub(crate) nodes: u64,
}

impl Choice {
    /// Converts a choice, with moves as texts.
    pub(crate) fn of<M: ToString + Copy>(choice: &search::Choice<M>) -> Self {
        let texts = |moves: &[M]| moves.iter().map(|m| written(m.to_string())).collect::<Vec<_>>();
        let best = written(choice.best.to_string());
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
    #[new]
    #[pyo3(
        signature = (r#move, lines, depth=Whole::small(0), nodes=Whole::small(0)),
        text_signature = "(move, lines, depth=0, nodes=0)"
    )]
    fn new(r#move: String, lines: Vec<Line>, depth: Whole, nodes: Whole) -> PyResult<Self> {
        let (depth, nodes) = (depth.within("depth", 0..=u32::MAX, "")?, nodes.within("nodes", 0..=u64::MAX, "")?);
        Ok(Self { best: r#move, lines, depth, nodes })
    }

    /// The value of the move.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    fn __repr__(&self) -> String {
        let score = self.lines.first().map(|line| line.score.0.to_string()).unwrap_or_default();
        format!("<Choice {}: {score}>", self.best)
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, Vec<Line>, u32, u64)) {
        (py.get_type::<Self>(), (self.best.clone(), self.lines.clone(), self.depth, self.nodes))
    }
}

/// A result of perfect play that is known without a search.
#[pyclass(module = "plyhouse", frozen, eq, hash, get_all, from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fact {
    /// The player who wins; `None` for a draw.
    winner: Option<usize>,
    /// Maximum number of plies until the win.
    plies: u32,
    /// A move that keeps the result, if one is known.
    best: Option<String>,
    /// Source of the result: `"book"`, `"tables"` or `"search"`.
    source: &'static str,
}

impl Fact {
    /// Converts a fact, with moves as texts.
    pub(crate) fn of<M: ToString>(fact: &games::Fact<M>) -> Self {
        Self {
            winner: fact.winner.map(game::Side::index),
            plies: fact.plies,
            best: fact.best.as_ref().map(|m| written(m.to_string())),
            source: word(fact.source),
        }
    }
}

#[pymethods]
impl Fact {
    #[new]
    fn new(winner: Option<Whole>, plies: Whole, best: Option<String>, source: &str) -> PyResult<Self> {
        let (winner, plies) = (player(winner)?, plies.within("plies", 0..=u32::MAX, "")?);
        Ok(Self { winner, plies, best, source: known_word(source)? })
    }

    fn __repr__(&self) -> String {
        match self.winner {
            Some(winner) => {
                let plies = if self.plies == 1 { "ply" } else { "plies" };
                format!("<Fact: player {winner} wins within {} {plies} ({})>", self.plies, self.source)
            }
            None => format!("<Fact: a draw ({})>", self.source),
        }
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    #[allow(clippy::type_complexity)] // Python's types
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (Option<usize>, u32, Option<String>, &'static str)) {
        (py.get_type::<Self>(), (self.winner, self.plies, self.best.clone(), self.source))
    }
}

/// The evaluation of a position by the engine at full strength.
#[pyclass(module = "plyhouse", frozen, eq, hash, get_all)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Analysis {
    /// The best lines, best first.
    lines: Vec<Line>,
    /// Finished depth, in plies.
    depth: u32,
    /// Visited positions.
    nodes: u64,
    /// The result of perfect play, if it is known without a search.
    known: Option<Fact>,
}

impl Analysis {
    /// Combines the results of a search with a known result.
    pub(crate) fn of(choice: Choice, known: Option<Fact>) -> Self {
        Self { lines: choice.lines, depth: choice.depth, nodes: choice.nodes, known }
    }
}

#[pymethods]
impl Analysis {
    #[new]
    #[pyo3(
        signature = (lines, depth=Whole::small(0), nodes=Whole::small(0), known=None),
        text_signature = "(lines, depth=0, nodes=0, known=None)"
    )]
    fn new(lines: Vec<Line>, depth: Whole, nodes: Whole, known: Option<Fact>) -> PyResult<Self> {
        let (depth, nodes) = (depth.within("depth", 0..=u32::MAX, "")?, nodes.within("nodes", 0..=u64::MAX, "")?);
        Ok(Self { lines, depth, nodes, known })
    }

    /// The best move.
    #[getter]
    fn best(&self) -> Option<String> {
        self.lines.first().and_then(|line| line.moves.first().cloned())
    }

    /// The value of the best line.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    fn __repr__(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(Line::__repr__).collect();
        format!("Analysis(depth={}, nodes={}, lines=[{}])", self.depth, self.nodes, lines.join(", "))
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    #[allow(clippy::type_complexity)] // Python's types
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Vec<Line>, u32, u64, Option<Fact>)) {
        (py.get_type::<Self>(), (self.lines.clone(), self.depth, self.nodes, self.known.clone()))
    }
}

/// Converts the argument `winner`.
///
/// # Errors
/// If it is not a player.
pub(crate) fn player(winner: Option<Whole>) -> Result<Option<usize>, Wrong> {
    winner.map(|winner| winner.within("winner", 0..=1, ", or None")).transpose()
}

/// Returns the word for a source of knowledge.
pub(crate) const fn word(source: Source) -> &'static str {
    match source {
        Source::Book => "book",
        Source::Tables => "tables",
        Source::Search => "search",
    }
}

/// Converts the argument `source`.
///
/// # Errors
/// If no source has this word.
pub(crate) fn known_word(text: &str) -> Result<&'static str, Wrong> {
    let words = [Source::Book, Source::Tables, Source::Search].map(word);
    words.into_iter().find(|&known| known == text).ok_or_else(|| {
        let found = game::text::excerpt(text);
        Wrong::Value(format!("source \"{found}\": expected {}", words.map(|word| format!("\"{word}\"")).join(", ")))
    })
}
