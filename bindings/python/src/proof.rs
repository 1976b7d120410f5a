//! `prove`: proves which side wins, and how, against every defense.

use std::sync::{Mutex, PoisonError};

use engine::Resources;
use games::{Attempt, Budget, Reply, Rules, Setting};
use pyo3::prelude::*;

use crate::attend::attend;
use crate::error::Wrong;
use crate::position::PyPosition;
use crate::thought::word;

/// The result of a proof attempt.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct Proof {
    /// Status: `won`, `no win`, `open` or `over`.
    #[pyo3(get)]
    status: &'static str,
    #[pyo3(get)]
    winner: Option<usize>,
    #[pyo3(get)]
    plies: Option<u32>,
    #[pyo3(get)]
    best: Option<String>,
    #[pyo3(get)]
    source: Option<&'static str>,
    won: Option<Mutex<Box<dyn games::Proof>>>,
}

/// A reply of the losing side, and the winner's answer.
#[pyclass(module = "plyhouse", frozen, get_all, name = "Reply")]
pub(crate) struct PyReply {
    r#move: String,
    answer: Option<String>,
    plies: Option<u32>,
    ends: bool,
}

#[pymethods]
impl PyReply {
    fn __repr__(&self) -> String {
        let answer = self.answer.as_deref().unwrap_or("the game is over");
        format!("<Reply {}: {answer}>", self.r#move)
    }
}

#[pymethods]
impl Proof {
    /// Returns the losing side's replies after a line from the proven position, longest resistance first.
    #[pyo3(signature = (line=None))]
    fn replies(&self, py: Python<'_>, line: Option<Vec<String>>) -> PyResult<Vec<PyReply>> {
        let Some(won) = &self.won else {
            let error = format!("nothing is proven: the status is \"{}\"", self.status);
            return Err(Wrong::Value(error).into());
        };
        let line = line.unwrap_or_default();
        let replies = attend(py, |_| {
            let texts: Vec<&str> = line.iter().map(String::as_str).collect();
            won.lock().unwrap_or_else(PoisonError::into_inner).replies(&texts)
        })?;
        let replies = replies.map_err(Wrong::value)?.into_iter();
        Ok(replies.map(|Reply { text, answer, plies, ends }| PyReply { r#move: text, answer, plies, ends }).collect())
    }

    fn __repr__(&self) -> String {
        match (self.winner, self.plies) {
            (Some(winner), Some(1)) => format!("<Proof: player {winner} wins within 1 ply>"),
            (Some(winner), Some(plies)) => format!("<Proof: player {winner} wins within {plies} plies>"),
            _ => format!("<Proof: {}>", self.status),
        }
    }
}

/// Tries to prove that one side wins a position.
#[pyfunction]
#[pyo3(signature = (position, *, nodes=1_000_000, table=64))]
pub(crate) fn prove(py: Python<'_>, position: &Bound<'_, PyPosition>, nodes: u64, table: usize) -> PyResult<Proof> {
    if nodes == 0 || !(1..=1 << 20).contains(&table) {
        let error = format!("nodes {nodes}, table {table}: expected 1 or more nodes and 1 to 1048576 MiB");
        return Err(Wrong::Value(error).into());
    }
    let held = &position.get().0;
    let nothing = |status| Proof { status, winner: None, plies: None, best: None, source: None, won: None };
    if held.outcome().is_some() {
        return Ok(nothing("over"));
    }
    let (text, budget) = (held.text(), Budget { nodes, table_mib: table, host: search::SYSTEM });
    let setting = Setting {
        game: held.id(),
        size: Some(held.size()),
        move_limit: u32::MAX,
        repetitions: None,
        rules: Rules::default(),
    };
    let record = setting.record(Some(&text), &[]).map_err(Wrong::value)?;
    let attempt = attend(py, |stop| record.prove(&Resources::default(), budget, stop, &mut |_| ()))?;
    Ok(match attempt {
        Attempt::Over => nothing("over"),
        Attempt::Open => nothing("open"),
        Attempt::NoWin(known) => Proof { source: Some(word(known.source)), ..nothing("no win") },
        Attempt::Won(won) => {
            let known = won.known();
            Proof {
                status: "won",
                winner: known.winner,
                plies: Some(known.plies),
                best: known.best,
                source: Some(word(known.source)),
                won: Some(Mutex::new(won)),
            }
        }
    })
}
