//! `Batch`: many games in `NumPy` arrays that Python and Rust share.

use games::GameId;
use numpy::{
    AllowTypeChange, Element, PyArray, PyArray1, PyArray2, PyArray4, PyArrayLike1, PyArrayMethods, PyReadwriteArray,
    ndarray,
};
use pyo3::prelude::*;

use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;
use crate::rules::Rules;
use crate::table::{AnyTables, Outputs, Tables};

/// Maximum number of games. On most machines, the masks of this many games exceed the memory.
const MOST_GAMES: usize = 1 << 20;

/// The arrays of a batch. Python can read them; each step overwrites them.
struct Arrays {
    observations: Option<Py<PyArray4<f32>>>,
    masks: Option<Py<PyArray2<bool>>>,
    rewards: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    players: Py<PyArray1<i8>>,
    plies: Py<PyArray1<i32>>,
    /// The actions chosen by `sample`.
    actions: Py<PyArray1<i32>>,
}

/// Many games of one kind that are played in parallel.
#[pyclass(module = "plyhouse")]
pub(crate) struct Batch {
    tables: Box<dyn AnyTables>,
    arrays: Arrays,
    #[pyo3(get)]
    game: &'static str,
    #[pyo3(get)]
    size: usize,
    #[pyo3(get)]
    num_actions: usize,
    #[pyo3(get)]
    auto_reset: bool,
    #[pyo3(get)]
    move_limit: Option<u32>,
    count: usize,
}

/// The arguments of a new batch.
struct Make<'a> {
    count: usize,
    size: Option<usize>,
    start: Option<&'a str>,
    rules: &'a str,
    repetitions: Option<u32>,
    move_limit: Option<u32>,
    auto_reset: bool,
    seed: u64,
}

/// The games of a batch and the shape of its arrays.
struct Made {
    tables: Box<dyn AnyTables>,
    game: &'static str,
    size: usize,
    planes: usize,
    actions: usize,
    move_limit: Option<u32>,
}

impl Visitor for Make<'_> {
    type Output = Result<Made, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let start = crate::position::start::<P>(self.size, self.start)?;
        if game::Position::outcome(&start).is_some() {
            return Err(Wrong::Value(format!("start {start}: the game is over there; expected a position to play on")));
        }
        let size = P::size(&start);
        let rules = Rules::new(self.rules, &start, self.repetitions, self.move_limit)?;
        let tables = Box::new(Tables::<P>::new(rules.apply(start), self.count, rules, self.auto_reset, self.seed));
        let actions = P::action_count(size);
        Ok(Made { tables, game: P::NAME, size, planes: P::PLANES.len(), actions, move_limit: rules.move_limit })
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(
        signature = (
            game, count, *, size=None, start=None, rules="plyhouse", repetitions=None, move_limit=Some(1000),
            auto_reset=true, observations=true, masks=true, seed=0
        ),
        text_signature = "(game, count, *, size=None, start=None, rules='plyhouse', repetitions=None, \
            move_limit=1000, auto_reset=True, observations=True, masks=True, seed=0)"
    )]
    #[allow(clippy::too_many_arguments)] // Python names them
    #[allow(clippy::fn_params_excessive_bools)] // Python names them
    fn new(
        py: Python<'_>,
        game: &str,
        count: usize,
        size: Option<usize>,
        start: Option<&str>,
        rules: &str,
        repetitions: Option<u32>,
        move_limit: Option<u32>,
        auto_reset: bool,
        observations: bool,
        masks: bool,
        seed: u64,
    ) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        if !(1..=MOST_GAMES).contains(&count) {
            return Err(Wrong::Value(format!("{count} games: expected 1 to {MOST_GAMES}")).into());
        }
        let made = dispatch(id, Make { count, size, start, rules, repetitions, move_limit, auto_reset, seed })?;
        let Made { tables, game, size, planes, actions: num_actions, move_limit } = made;
        let arrays = Arrays {
            observations: observations.then(|| zeros(py, (count, planes, size, size))).transpose()?,
            masks: masks.then(|| zeros(py, (count, num_actions))).transpose()?,
            rewards: zeros(py, (count, 2))?,
            terminated: zeros(py, (count,))?,
            truncated: zeros(py, (count,))?,
            players: zeros(py, (count,))?,
            plies: zeros(py, (count,))?,
            actions: zeros(py, (count,))?,
        };
        let mut batch = Self { tables, arrays, game, size, num_actions, auto_reset, move_limit, count };
        batch.write(py, |tables, outputs| tables.reset(None, outputs))?;
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("Batch({:?}, {}, size={})", self.game, self.count, self.size)
    }

    /// Plays one action in each game.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let play = |tables: &mut dyn AnyTables, actions: &[i32], outputs: &mut Outputs<'_>| {
            tables.check(actions)?;
            tables.step(actions, outputs);
            Ok::<_, Wrong>(())
        };
        if let Ok(array) = actions.cast::<PyArray1<i32>>()
            && let array = array.try_readonly().map_err(in_use)?
            && let Ok(actions) = array.as_slice()
        {
            return Ok(self.write(py, |tables, outputs| play(tables, actions, outputs))??);
        }
        let actions = self.integers(py, actions)?;
        Ok(self.write(py, |tables, outputs| play(tables, &actions, outputs))??)
    }

    /// Returns a random legal action for each game, in an array that the next call overwrites.
    fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyArray1<i32>>> {
        let mut actions = self.arrays.actions.bind(py).try_readwrite().map_err(in_use)?;
        let actions = slice(&mut actions)?;
        let tables = &mut self.tables;
        py.detach(|| tables.sample(actions));
        Ok(self.arrays.actions.clone_ref(py))
    }

    /// Plays random moves without returning to Python. Returns the number of games that ended during the call.
    fn rollout(&mut self, py: Python<'_>, steps: usize) -> PyResult<u64> {
        self.write(py, |tables, outputs| tables.rollout(steps, outputs))
    }

    /// Restarts all games, or those marked in `which`. A `seed` restarts the random numbers.
    #[pyo3(signature = (which=None, *, seed=None))]
    fn reset(&mut self, py: Python<'_>, which: Option<PyArrayLike1<'_, bool>>, seed: Option<u64>) -> PyResult<()> {
        let which = which.map(|which| which.as_array().to_vec());
        if let Some(found) = which.as_ref().map(Vec::len).filter(|&found| found != self.count) {
            let expected = self.count;
            return Err(Wrong::Value(format!("{found} marks: expected {expected}, one for each game")).into());
        }
        if let Some(seed) = seed {
            self.tables.seed(seed);
        }
        self.write(py, |tables, outputs| tables.reset(which.as_deref(), outputs))
    }

    /// Returns the position of one game.
    fn position(&self, number: usize) -> PyResult<crate::position::PyPosition> {
        let text = self.tables.position(number);
        let text = text.ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!("game {number}: expected 0 to {}", self.count - 1))
        })?;
        crate::position::PyPosition::read(self.game, &text)
    }

    #[getter]
    fn observations(&self, py: Python<'_>) -> Option<Py<PyArray4<f32>>> {
        self.arrays.observations.as_ref().map(|array| array.clone_ref(py))
    }

    #[getter]
    fn action_masks(&self, py: Python<'_>) -> Option<Py<PyArray2<bool>>> {
        self.arrays.masks.as_ref().map(|array| array.clone_ref(py))
    }

    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.arrays.rewards.clone_ref(py)
    }

    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.arrays.terminated.clone_ref(py)
    }

    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.arrays.truncated.clone_ref(py)
    }

    #[getter]
    fn players(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.arrays.players.clone_ref(py)
    }

    #[getter]
    fn plies(&self, py: Python<'_>) -> Py<PyArray1<i32>> {
        self.arrays.plies.clone_ref(py)
    }
}

impl Batch {
    /// Runs a function that writes the arrays, while other Python threads continue.
    fn write<T: Send>(
        &mut self,
        py: Python<'_>,
        run: impl FnOnce(&mut dyn AnyTables, &mut Outputs<'_>) -> T + Send,
    ) -> PyResult<T> {
        let arrays = &self.arrays;
        let mut observations =
            arrays.observations.as_ref().map(|a| a.bind(py).try_readwrite()).transpose().map_err(in_use)?;
        let mut masks = arrays.masks.as_ref().map(|a| a.bind(py).try_readwrite()).transpose().map_err(in_use)?;
        let mut rewards = arrays.rewards.bind(py).try_readwrite().map_err(in_use)?;
        let mut terminated = arrays.terminated.bind(py).try_readwrite().map_err(in_use)?;
        let mut truncated = arrays.truncated.bind(py).try_readwrite().map_err(in_use)?;
        let mut players = arrays.players.bind(py).try_readwrite().map_err(in_use)?;
        let mut plies = arrays.plies.bind(py).try_readwrite().map_err(in_use)?;
        let mut outputs = Outputs {
            observations: observations.as_mut().map(slice).transpose()?,
            masks: masks.as_mut().map(slice).transpose()?,
            rewards: slice(&mut rewards)?,
            terminated: slice(&mut terminated)?,
            truncated: slice(&mut truncated)?,
            players: slice(&mut players)?,
            plies: slice(&mut plies)?,
        };
        let tables = &mut *self.tables;
        Ok(py.detach(|| run(tables, &mut outputs)))
    }
}

impl Batch {
    /// Converts any array or list of integers to actions.
    fn integers(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Vec<i32>> {
        let wrong =
            |found: String| Wrong::Type(format!("actions: {found} found, expected whole numbers, one for each game"));
        let array = py.import("numpy")?.call_method1("asarray", (actions,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        if kind != "i" && kind != "u" {
            return Err(wrong(array.getattr("dtype")?.str()?.to_string()).into());
        }
        let numbers: PyArrayLike1<'_, i64, AllowTypeChange> =
            array.extract().map_err(|_| wrong("an array of another shape".to_owned()))?;
        let narrow = |(number, &action): (usize, &i64)| {
            let most = self.num_actions - 1;
            i32::try_from(action)
                .map_err(|_| Wrong::Value(format!("game {number}: action {action}: expected 0 to {most}")))
        };
        Ok(numbers.as_array().iter().enumerate().map(narrow).collect::<Result<_, _>>()?)
    }
}

/// Creates an array of zeros. Raises Python's `MemoryError` if there is not enough memory.
fn zeros<'py, T: Element, D: ndarray::Dimension>(
    py: Python<'py>,
    shape: impl IntoPyObject<'py>,
) -> PyResult<Py<PyArray<T, D>>> {
    let array = py.import("numpy")?.call_method1("zeros", (shape, T::get_dtype(py)))?;
    Ok(array.cast_into::<PyArray<T, D>>().map_err(PyErr::from)?.unbind())
}

/// Returns the whole array as a slice.
fn slice<'a, T: Element, D: ndarray::Dimension>(array: &'a mut PyReadwriteArray<'_, T, D>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|error| Wrong::Value(format!("an array of the batch was changed: {error}")).into())
}

/// Converts the error of an array that another thread is using.
fn in_use(error: numpy::BorrowError) -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err(format!("an array of the batch is in use or read-only: {error}"))
}
