//! `prove`: proves which side wins, and how, against every defense.

use core::hash::{Hash, Hasher};
use std::collections::hash_map::DefaultHasher;

use engine::Resources;
use games::{Attempt, Budget, Known, Reply, Setting};
use pyo3::prelude::*;
use pyo3::types::PyType;
use search::Stop;

use crate::attend::attend;
use crate::encode::dispatch;
use crate::engine::FillTables;
use crate::error::Wrong;
use crate::notation::{Moves, written};
use crate::position::PyPosition;
use crate::slot::Slot;
use crate::thought::{known_word, player, word};
use crate::whole::Whole;

/// Maximum size of the table of a proof search, in MiB.
const MOST_TABLE: usize = 1 << 20;

/// Results of a proof attempt.
const STATUS: [&str; 4] = ["won", "no win", "open", "over"];

/// The budget of a proof attempt.
#[derive(Clone, Copy)]
struct Effort {
    nodes: u64,
    table_mib: usize,
}

impl Effort {
    fn new(nodes: Whole, table: Whole) -> Result<Self, Wrong> {
        Ok(Self {
            nodes: nodes.within("nodes", 1..=u64::MAX, "")?,
            table_mib: table.within("table", 1..=MOST_TABLE, " MiB")?,
        })
    }

    /// Tries to prove that one side wins the position.
    fn attempt(self, position: &PyPosition, stop: &Stop) -> Result<Attempt, Wrong> {
        let held = &position.0;
        let setting = Setting { size: Some(held.size()), ..Setting::new(held.id(), u32::MAX) };
        let record = setting.record(Some(&held.text()), &[]).map_err(Wrong::value)?;
        let budget = Budget { nodes: self.nodes, table_mib: self.table_mib, host: search::SYSTEM };
        Ok(record.prove(&Resources::default(), budget, stop.clone(), &mut |_| ()))
    }
}

/// The result of a proof attempt. `replies` shows how a win continues after each reply.
///
/// `prove` makes proofs; the constructor is for pickles. A pickled proof contains the result, but not the tree: the
/// first `replies` then repeats the attempt.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct Proof {
    /// `"won"`: one side wins; `"no win"`: neither can; `"open"`: budget exhausted; `"over"`: game over.
    #[pyo3(get)]
    status: &'static str,
    /// The player who wins, if a win is proven.
    #[pyo3(get)]
    winner: Option<usize>,
    /// Maximum number of plies until the win.
    #[pyo3(get)]
    plies: Option<u32>,
    /// The winner's move, if the winner is to move.
    #[pyo3(get)]
    best: Option<String>,
    /// Source of the result: `"book"`, `"tables"` or `"search"`.
    #[pyo3(get)]
    source: Option<&'static str>,
    /// The position of the attempt.
    #[pyo3(get)]
    position: PyPosition,
    effort: Effort,
    won: Slot<Box<dyn games::Proof>>,
}

impl Proof {
    fn of(position: PyPosition, effort: Effort, attempt: Attempt) -> Self {
        let nothing = Known { winner: None, plies: 0, best: None, source: games::Source::Search };
        let (status, known, won) = match attempt {
            Attempt::Over => ("over", None, None),
            Attempt::Open => ("open", None, None),
            Attempt::NoWin(known) => ("no win", Some(Known { source: known.source, ..nothing }), None),
            Attempt::Won(won) => ("won", Some(won.known()), Some(won)),
        };
        let is_won = won.is_some();
        let turn = position.0.turn();
        Self {
            status,
            winner: known.as_ref().and_then(|known| known.winner),
            plies: known.as_ref().filter(|_| is_won).map(|known| known.plies),
            // Tables also name a move for the losing side.
            best: known
                .as_ref()
                .filter(|known| known.winner == Some(turn))
                .and_then(|it| it.best.as_ref().map(written)),
            source: known.map(|known| word(known.source)),
            position,
            effort,
            won: Slot::new(won),
        }
    }

    /// Returns everything that pickles contain, except the position and the effort.
    fn fields(&self) -> (&'static str, Option<usize>, Option<u32>, Option<&str>, Option<&'static str>) {
        (self.status, self.winner, self.plies, self.best.as_deref(), self.source)
    }
}

/// A reply of the losing side, and the winner's answer.
#[pyclass(module = "plyhouse", frozen, eq, hash, get_all, name = "Reply")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyReply {
    /// The losing side's move.
    r#move: String,
    /// The winner's answer; `None` if the reply ends the game.
    answer: Option<String>,
    /// Maximum number of plies until the win; `None` if the budget was too small to prove it again.
    plies: Option<u32>,
    /// `True` if the answer ends the game.
    ends: bool,
}

#[pymethods]
impl PyReply {
    #[new]
    fn new(r#move: String, answer: Option<String>, plies: Option<Whole>, ends: bool) -> PyResult<Self> {
        let plies = plies.map(|plies| plies.within("plies", 0..=u32::MAX, ", or None")).transpose()?;
        Ok(Self { r#move, answer, plies, ends })
    }

    fn __repr__(&self) -> String {
        let answer = self.answer.as_deref().unwrap_or("the game is over");
        format!("<Reply {}: {answer}>", self.r#move)
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    #[allow(clippy::type_complexity)] // Python's types
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, Option<String>, Option<u32>, bool)) {
        (py.get_type::<Self>(), (self.r#move.clone(), self.answer.clone(), self.plies, self.ends))
    }
}

#[pymethods]
impl Proof {
    #[new]
    #[allow(clippy::too_many_arguments)] // Python's pickles name them
    fn new(
        position: PyPosition,
        status: &str,
        winner: Option<Whole>,
        plies: Option<Whole>,
        best: Option<String>,
        source: Option<&str>,
        nodes: Whole,
        table: Whole,
    ) -> PyResult<Self> {
        let status = STATUS.into_iter().find(|&known| known == status).ok_or_else(|| {
            let found = game::text::excerpt(status);
            Wrong::Value(format!(
                "status \"{found}\": expected {}",
                STATUS.map(|known| format!("\"{known}\"")).join(", ")
            ))
        })?;
        Ok(Self {
            status,
            winner: player(winner)?,
            plies: plies.map(|plies| plies.within("plies", 0..=u32::MAX, ", or None")).transpose()?,
            best,
            source: source.map(known_word).transpose()?,
            position,
            effort: Effort::new(nodes, table)?,
            won: Slot::new(None),
        })
    }

    /// Returns the losing side's replies after a line from the proven position, longest resistance first.
    ///
    /// The line is a list of moves of both sides, by default empty.
    #[pyo3(signature = (line=None))]
    fn replies(&self, py: Python<'_>, line: Option<Moves>) -> PyResult<Vec<PyReply>> {
        if self.status != "won" {
            let error = format!("nothing is proven: the status is \"{}\"", self.status);
            return Err(Wrong::Value(error).into());
        }
        // The moves are checked first, because other spellings are accepted here.
        let (mut at, mut moves) = (self.position.0.clone(), Vec::new());
        for text in line.map_or_else(Vec::new, |Moves(moves)| moves) {
            let action = at.action(&text)?;
            moves.push(at.named(action as i64)?);
            at = at.play(&text)?;
        }
        let again = |stop: &Stop| match self.effort.attempt(&self.position, stop)? {
            Attempt::Won(won) => Ok(won),
            _ => Err(Wrong::Value("the win could not be proven again".to_owned())),
        };
        let replies = self.won.attend(py, again, |won, _| {
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            won.replies(&texts).map_err(Wrong::value)
        })???;
        let replies = replies.into_iter().map(|Reply { text, answer, plies, ends }| PyReply {
            r#move: written(text),
            answer: answer.map(written),
            plies,
            ends,
        });
        Ok(replies.collect())
    }

    fn __repr__(&self) -> String {
        match (self.winner, self.plies) {
            (Some(winner), Some(1)) => format!("<Proof: player {winner} wins within 1 ply>"),
            (Some(winner), Some(plies)) => format!("<Proof: player {winner} wins within {plies} plies>"),
            _ => format!("<Proof: {}>", self.status),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.fields() == other.fields() && self.position == other.position
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.fields(), self.position.0.key()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the proof itself, which is immutable.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Returns the proof itself, which is immutable.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// Returns the class and its arguments, for `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyAny>)> {
        let (status, winner, plies, best, source) = self.fields();
        let (nodes, table) = (self.effort.nodes, self.effort.table_mib);
        let arguments = (self.position.clone(), status, winner, plies, best, source, nodes, table);
        Ok((py.get_type::<Self>(), arguments.into_pyobject(py)?.into_any()))
    }
}

/// Tries to prove that one side wins a position, within `nodes` positions and a `table` in MiB.
///
/// Move limits and repetitions do not count. Other threads continue during the attempt, and Ctrl-C stops it.
#[pyfunction]
#[pyo3(
    signature = (position, *, nodes=Whole::small(1_000_000), table=Whole::small(64)),
    text_signature = "(position, *, nodes=1000000, table=64)"
)]
pub(crate) fn prove(py: Python<'_>, position: PyPosition, nodes: Whole, table: Whole) -> PyResult<Proof> {
    let effort = Effort::new(nodes, table)?;
    if position.0.outcome().is_some() {
        return Ok(Proof::of(position, effort, Attempt::Over));
    }
    dispatch(position.0.id(), FillTables(position.0.size()));
    let attempt = attend(py, |stop| effort.attempt(&position, &stop))??;
    Ok(Proof::of(position, effort, attempt))
}
