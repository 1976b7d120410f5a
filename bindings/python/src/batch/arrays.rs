//! The `NumPy` arrays of a batch: Rust writes them, Python reads them through read-only views.

use numpy::ndarray::{self, Ix1, Ix2, Ix4, IxDyn};
use numpy::{Element, PyArray, PyArrayMethods, PyReadwriteArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Wrong;
use crate::table::Outputs;

/// An array and its read-only view.
pub(super) struct Shared<T: Element, D: ndarray::Dimension> {
    array: Py<PyArray<T, D>>,
    view: Py<PyAny>,
}

impl<T: Element, D: ndarray::Dimension> Shared<T, D> {
    /// Creates an array of zeros. Raises Python's `MemoryError` if there is not enough memory.
    fn zeros<'py>(py: Python<'py>, shape: impl IntoPyObject<'py>) -> PyResult<Self> {
        let array = py.import("numpy")?.call_method1("zeros", (shape, T::get_dtype(py)))?;
        let view = array.call_method0("view")?;
        view.call_method1("setflags", (false,))?;
        Ok(Self { array: array.cast_into::<PyArray<T, D>>().map_err(PyErr::from)?.unbind(), view: view.unbind() })
    }

    /// Returns the read-only view.
    pub(super) fn view(&self, py: Python<'_>) -> Py<PyAny> {
        self.view.clone_ref(py)
    }

    fn write<'py>(&self, py: Python<'py>) -> PyResult<PyReadwriteArray<'py, T, D>> {
        let in_use = |error| PyRuntimeError::new_err(format!("an array of the batch is in use or read-only: {error}"));
        self.array.bind(py).try_readwrite().map_err(in_use)
    }

    /// Copies the values of another array of the same shape.
    fn copy_from(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = other.py();
        py.import("numpy")?.call_method1("copyto", (&self.array, other))?;
        Ok(())
    }
}

/// Returns the whole array as a slice.
fn slice<'a, T: Element, D: ndarray::Dimension>(array: &'a mut PyReadwriteArray<'_, T, D>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|error| Wrong::Value(format!("an array of the batch was changed: {error}")).into())
}

/// The shape and selection of the arrays.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each selects an array")]
pub(super) struct Shape {
    /// Number of games.
    pub(super) count: usize,
    /// Board size, in squares per side.
    pub(super) size: usize,
    /// Number of planes of an observation.
    pub(super) planes: usize,
    /// Number of action ids.
    pub(super) actions: usize,
    /// Selects `observations`.
    pub(super) observations: bool,
    /// Selects `final_observations`.
    pub(super) final_observations: bool,
    /// Selects `action_masks`.
    pub(super) masks: bool,
    /// `true` if each game has one reward instead of one for each player.
    pub(super) rewards_mover: bool,
}

/// The arrays of a batch. Each step overwrites them.
pub(super) struct Arrays {
    pub(super) observations: Option<Shared<f32, Ix4>>,
    pub(super) final_observations: Option<Shared<f32, Ix4>>,
    pub(super) masks: Option<Shared<bool, Ix2>>,
    pub(super) rewards: Shared<f32, IxDyn>,
    pub(super) terminated: Shared<bool, Ix1>,
    pub(super) truncated: Shared<bool, Ix1>,
    pub(super) finished: Shared<bool, Ix1>,
    pub(super) players: Shared<i8, Ix1>,
    pub(super) plies: Shared<i32, Ix1>,
}

impl Arrays {
    /// Creates arrays of zeros.
    pub(super) fn new(py: Python<'_>, shape: Shape) -> PyResult<Self> {
        let Shape { count, size, planes, actions, .. } = shape;
        let boards = || Shared::zeros(py, (count, planes, size, size));
        Ok(Self {
            observations: shape.observations.then(boards).transpose()?,
            final_observations: shape.final_observations.then(boards).transpose()?,
            masks: shape.masks.then(|| Shared::zeros(py, (count, actions))).transpose()?,
            rewards: if shape.rewards_mover { Shared::zeros(py, (count,))? } else { Shared::zeros(py, (count, 2))? },
            terminated: Shared::zeros(py, (count,))?,
            truncated: Shared::zeros(py, (count,))?,
            finished: Shared::zeros(py, (count,))?,
            players: Shared::zeros(py, (count,))?,
            plies: Shared::zeros(py, (count,))?,
        })
    }

    /// Runs a function that writes the arrays, while other Python threads continue.
    pub(super) fn write<T: Send>(&self, py: Python<'_>, run: impl FnOnce(Outputs<'_>) -> T + Send) -> PyResult<T> {
        let mut observations = self.observations.as_ref().map(|array| array.write(py)).transpose()?;
        let mut final_observations = self.final_observations.as_ref().map(|array| array.write(py)).transpose()?;
        let mut masks = self.masks.as_ref().map(|array| array.write(py)).transpose()?;
        let mut rewards = self.rewards.write(py)?;
        let mut terminated = self.terminated.write(py)?;
        let mut truncated = self.truncated.write(py)?;
        let mut finished = self.finished.write(py)?;
        let mut players = self.players.write(py)?;
        let mut plies = self.plies.write(py)?;
        let outputs = Outputs {
            observations: observations.as_mut().map(slice).transpose()?,
            final_observations: final_observations.as_mut().map(slice).transpose()?,
            masks: masks.as_mut().map(slice).transpose()?,
            rewards: slice(&mut rewards)?,
            terminated: slice(&mut terminated)?,
            truncated: slice(&mut truncated)?,
            finished: slice(&mut finished)?,
            players: slice(&mut players)?,
            plies: slice(&mut plies)?,
        };
        Ok(py.detach(|| run(outputs)))
    }

    /// Returns copies of the results of the last step, which the games themselves do not determine. With `games`, only
    /// those of these games.
    pub(super) fn results<'py>(&self, py: Python<'py>, games: Option<&[usize]>) -> PyResult<Bound<'py, PyDict>> {
        let results = PyDict::new(py);
        for (name, view) in self.result_views() {
            let copy = match games {
                Some(games) => view.bind(py).call_method1("take", (games, 0))?,
                None => view.bind(py).call_method0("copy")?,
            };
            results.set_item(name, copy)?;
        }
        Ok(results)
    }

    /// Writes results that [`results`](Self::results) has returned.
    pub(super) fn set_results(&self, results: &Bound<'_, PyAny>) -> PyResult<()> {
        self.rewards.copy_from(&results.get_item("rewards")?)?;
        self.terminated.copy_from(&results.get_item("terminated")?)?;
        self.truncated.copy_from(&results.get_item("truncated")?)?;
        if let Some(array) = &self.final_observations {
            array.copy_from(&results.get_item("final_observations")?)?;
        }
        Ok(())
    }

    fn result_views(&self) -> Vec<(&'static str, &Py<PyAny>)> {
        let mut views = vec![
            ("rewards", &self.rewards.view),
            ("terminated", &self.terminated.view),
            ("truncated", &self.truncated.view),
        ];
        views.extend(self.final_observations.as_ref().map(|array| ("final_observations", &array.view)));
        views
    }
}
