//! `Batch`: many games in `NumPy` arrays that Python and Rust share.

pub(crate) mod arguments;
mod arrays;
pub(crate) mod options;

use core::any::Any;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use self::arguments::{actions, game_number, game_numbers, is_second, logits, marks, positions, starts};
use self::arrays::{Arrays, Shape};
use self::options::{ACTIONS, MOST_GAMES, MOST_HISTORY, Made, Options, PERSPECTIVES, REWARDS};
use crate::error::Wrong;
use crate::position::PyPosition;
use crate::seed::seed as seed_or_random;
use crate::table::Outputs;
use crate::tables::{AnyTables, Logits, Saved};
use crate::whole::{Whole, board_size};

/// Maximum number of threads.
const MOST_THREADS: usize = 1024;
/// Duration after which `rollout` no longer doubles the number of moves between its checks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

/// Offsets and ids of legal actions.
type Offsets<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>);
/// A function that makes a batch, its arguments, and the state to restore.
type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Bound<'py, PyDict>);

/// Many games of one kind that are played in parallel, in `NumPy` arrays.
///
/// The arrays that are properties belong to the batch. Each `step`, `rollout`, `reset` and `set_positions` overwrites
/// them. They are read-only: copy values that must be kept or changed.
///
/// The methods release Python's global lock: threads can run several batches in parallel. Only one thread at a time may
/// use a batch; otherwise a `RuntimeError` is raised. Batches can be copied and pickled.
///
/// Each game has random numbers of its own, which depend only on the seed and the number of the game. Results therefore
/// do not depend on the number of threads. Without a seed, the random numbers differ in every batch.
///
/// `start` is a position or its text for all games, or a list with one for all games or one for each. Finished
/// positions are refused. For `rules`, `repetitions` and `move_limit` see `Game`. A game that reaches the move limit is
/// truncated. With the rules `"openspiel"` it is drawn instead, and `move_limit=None` means 1000.
///
/// With `auto_reset`, a finished game restarts in the same step: `rewards`, `terminated` and `truncated` are those of
/// the finished game, `observations` and `action_masks` those of the new one. Without it, a finished game has an empty
/// mask and waits for `reset`; its actions are ignored. `observations=False` and `masks=False` save the time for
/// writing those arrays; `final_observations=True` adds an array.
///
/// `actions="compact"` selects the action space with the fewest ids. In Lines of Action these are 8·N² ids instead of
/// 2·N⁴: 8·(N·rank + file) + direction, with the square that the piece leaves, and directions clockwise from the north.
/// A pass has the id of a move to the north. The other games keep their ids.
///
/// An observation has the planes that `about` describes. `history` adds the planes of this number of earlier boards,
/// the latest first, and `turn_plane` a plane of ones if player 1 is to move, otherwise of zeros. With
/// `perspective="mover"` the planes of the player to move come first. In checkers and Breakthrough, observations and
/// action ids are then those of the board turned by 180 degrees if player 1 is to move. `planes` describes all planes.
///
/// A call uses up to `threads` threads, by default one for each core, if there are at least 1024 games for each.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct Batch {
    tables: Mutex<Box<dyn AnyTables>>,
    arrays: Arrays,
    /// The actions chosen by `sample`.
    sampled: Py<PyArray1<i32>>,
    options: Options,
    shape: Shape,
    game: &'static str,
    planes: Vec<String>,
    threads: usize,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(
        signature = (
            game, count, *, size=None, start=None, rules="plyhouse", repetitions=None,
            move_limit=Some(Whole::small(1000)), auto_reset=true, observations=true, masks=true, seed=None,
            actions="standard", perspective="board", history=Whole::small(0), turn_plane=false, rewards="players",
            final_observations=false, threads=None
        ),
        text_signature = "(game, count, *, size=None, start=None, rules='plyhouse', repetitions=None, \
            move_limit=1000, auto_reset=True, observations=True, masks=True, seed=None, actions='standard', \
            perspective='board', history=0, turn_plane=False, rewards='players', final_observations=False, \
            threads=None)"
    )]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        game: &str,
        count: Whole,
        size: Option<Whole>,
        start: Option<&Bound<'_, PyAny>>,
        rules: &str,
        repetitions: Option<Whole>,
        move_limit: Option<Whole>,
        auto_reset: bool,
        observations: bool,
        masks: bool,
        seed: Option<Whole>,
        actions: &str,
        perspective: &str,
        history: Whole,
        turn_plane: bool,
        rewards: &str,
        final_observations: bool,
        threads: Option<Whole>,
    ) -> PyResult<Self> {
        let at_least = |number: Option<Whole>, name, least| {
            number.map(|number| number.within(name, least..=u32::MAX, ", or None")).transpose()
        };
        let options = Options {
            size: board_size(size)?,
            rules: rules.to_owned(),
            repetitions: at_least(repetitions, "repetitions", 2)?,
            move_limit: at_least(move_limit, "move_limit", 1)?,
            auto_reset,
            observations,
            final_observations,
            masks,
            compact: is_second("actions", actions, ACTIONS)?,
            of_mover: is_second("perspective", perspective, PERSPECTIVES)?,
            history: history.within("history", 0..=MOST_HISTORY, "")?,
            turn_plane,
            rewards_mover: is_second("rewards", rewards, REWARDS)?,
            threads: threads.map(|threads| threads.within("threads", 1..=MOST_THREADS, ", or None")).transpose()?,
        };
        let count = count.within("count", 1..=MOST_GAMES, "")?;
        let starts = start.map_or(Ok(Vec::new()), |start| starts(start, count, game))?;
        let made = options.make(game, count, &starts, seed_or_random(py, seed)?)?;
        let batch = Self::of(py, options, made)?;
        batch.write(py, |tables, outputs| tables.show(outputs))?;
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.shape.count
    }

    fn __repr__(&self) -> String {
        format!("Batch({:?}, {}, size={})", self.game, self.shape.count, self.shape.size)
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game
    }

    /// Board size, in squares per side.
    #[getter]
    fn size(&self) -> usize {
        self.shape.size
    }

    /// Number of action ids. Every id is below it.
    #[getter]
    fn num_actions(&self) -> usize {
        self.shape.actions
    }

    /// The name of the rules.
    #[getter]
    fn rules(&self) -> &str {
        &self.options.rules
    }

    /// The action space: `"standard"` or `"compact"`.
    #[getter]
    fn actions(&self) -> &'static str {
        ACTIONS[usize::from(self.options.compact)]
    }

    /// The point of view of observations: `"board"` or `"mover"`.
    #[getter]
    fn perspective(&self) -> &'static str {
        PERSPECTIVES[usize::from(self.options.of_mover)]
    }

    /// Number of earlier boards in an observation.
    #[getter]
    fn history(&self) -> usize {
        self.options.history
    }

    /// `True` if finished games restart in the same step.
    #[getter]
    fn auto_reset(&self) -> bool {
        self.options.auto_reset
    }

    /// Number of moves of both sides after which a game is truncated; with the rules `"openspiel"`, drawn.
    #[getter]
    fn move_limit(&self) -> Option<u32> {
        self.options.move_limit
    }

    /// Maximum number of threads of a call.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// A description of each plane of an observation.
    #[getter]
    fn planes(&self) -> Vec<String> {
        self.planes.clone()
    }

    /// Boards as planes: an array [game, plane, row, column]; `None` if switched off.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.arrays.observations.as_ref().map(|array| array.view(py))
    }

    /// Like `observations`, the final positions of the games that the last step has ended.
    ///
    /// The planes of the other games are zeros. `None` if not switched on.
    #[getter]
    fn final_observations(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.arrays.final_observations.as_ref().map(|array| array.view(py))
    }

    /// The legal ids: an array [game, id]; `None` if switched off.
    #[getter]
    fn action_masks(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.arrays.masks.as_ref().map(|array| array.view(py))
    }

    /// Rewards of the last step: an array [game, player]; 1 for a win, -1 for a loss, otherwise 0.
    ///
    /// With `rewards="mover"`, an array [game] with the reward of the player who has moved.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.rewards.view(py)
    }

    /// Games that the last step has ended by their rules.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.terminated.view(py)
    }

    /// Games that the last step has ended by a move limit that is not part of the rules.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.truncated.view(py)
    }

    /// Games that are over and wait for `reset`. With `auto_reset` there are none.
    #[getter]
    fn finished(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.finished.view(py)
    }

    /// The player to move in each game.
    #[getter]
    fn players(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.players.view(py)
    }

    /// Number of plies played in each game.
    #[getter]
    fn plies(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.plies.view(py)
    }

    /// Plays one action in each game, or in each game that `where` marks; the other actions are ignored.
    ///
    /// If one is illegal, a `ValueError` names it and nothing changes. Games in which no action is played have no
    /// reward, and are not in `terminated` and `truncated`.
    #[pyo3(signature = (actions, *, r#where=None))]
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, r#where: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let marked = marks("where", r#where, self.shape.count)?;
        let play = |ids: &[i32]| {
            self.write(py, |tables, outputs| {
                tables.check(ids, marked.as_deref())?;
                tables.step(ids, marked.as_deref(), outputs);
                Ok::<_, Wrong>(())
            })
        };
        if let Ok(array) = actions.cast::<PyArray1<i32>>()
            && let array = array.try_readonly().map_err(in_use)?
            && let Ok(ids) = array.as_slice()
        {
            return Ok(play(ids)??);
        }
        Ok(play(&self::actions(actions, self.shape.actions - 1)?)??)
    }

    /// Returns a random legal action for each game (-1 if over), in an array that the next `sample` overwrites.
    ///
    /// Without logits, each legal action has the same probability. With logits, an array [game, id], the probability is
    /// proportional to e^(logit / temperature). At the temperature 0, the legal action with the greatest logit is
    /// chosen, of several the one with the smallest id.
    ///
    /// Logits may be floats or integers of any width, and are converted to float32. A logit of -inf gives an action the
    /// probability 0. A `ValueError` is raised if a legal action has NaN or +inf, or if all have -inf. Logits of
    /// illegal actions are ignored.
    #[pyo3(signature = (logits=None, *, temperature=1.0))]
    fn sample(
        &self,
        py: Python<'_>,
        logits: Option<&Bound<'_, PyAny>>,
        temperature: f64,
    ) -> PyResult<Py<PyArray1<i32>>> {
        if !(0.0..f64::INFINITY).contains(&temperature) {
            return Err(Wrong::Value(format!("temperature {temperature}: expected a finite number, 0 or more")).into());
        }
        let logits = logits.map(|found| self::logits(found, self.shape.count, self.shape.actions)).transpose()?;
        let values = logits.as_ref().map(|logits| logits.as_slice()).transpose().map_err(Wrong::value)?;
        let mut sampled = self.sampled.bind(py).try_readwrite().map_err(in_use)?;
        let sampled = sampled.as_slice_mut().map_err(Wrong::value)?;
        let width = self.shape.actions;
        self.with(py, |tables| match values {
            Some(values) => tables.draw(&Logits { values, width }, temperature as f32, sampled),
            None => {
                tables.sample(sampled);
                Ok(())
            }
        })??;
        Ok(self.sampled.clone_ref(py))
    }

    /// Returns the legal actions as new arrays `(offsets, ids)`.
    ///
    /// `ids[offsets[i]:offsets[i + 1]]` are those of game `i` in ascending order. A finished game has none.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Offsets<'py>> {
        let legal = self.with(py, |tables| tables.legal())?;
        Ok((PyArray1::from_vec(py, legal.offsets), PyArray1::from_vec(py, legal.ids)))
    }

    /// Returns the logarithms of the probabilities of the legal actions, in the order of `legal_actions`.
    ///
    /// The probability of an action is proportional to e^logit. The logits are those of `sample`.
    fn log_softmax<'py>(&self, py: Python<'py>, logits: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let width = self.shape.actions;
        let logits = self::logits(logits, self.shape.count, width)?;
        let values = logits.as_slice().map_err(Wrong::value)?;
        let logs = self.with(py, |tables| tables.log_softmax(&Logits { values, width }))??;
        Ok(PyArray1::from_vec(py, logs))
    }

    /// Plays this many random moves in each game in one call. Returns the number of games that ended during it.
    ///
    /// `rewards`, `terminated`, `truncated` and `final_observations` are those of the last move in each game, and zeros
    /// in games without a move. Ctrl-C stops the call.
    fn rollout(&self, py: Python<'_>, steps: Whole) -> PyResult<u64> {
        let mut left = steps.within("steps", 0..=u64::MAX, "")?;
        let mut tables = self.lock()?;
        let tables = &mut **tables;
        self.arrays.write(py, |outputs| tables.clear(outputs))?;
        let (mut ended, mut plies, mut interrupted) = (0, 1, Ok(()));
        while left > 0 && interrupted.is_ok() {
            let (now, start) = (left.min(plies), Instant::now());
            ended += self.arrays.write(py, |outputs| tables.rollout(now, outputs))?;
            left -= now;
            if start.elapsed() < PATIENCE {
                plies *= 2;
            }
            interrupted = py.check_signals();
        }
        self.arrays.write(py, |outputs| tables.show(outputs))?;
        interrupted?;
        Ok(ended)
    }

    /// Restarts all games, or the marked ones.
    ///
    /// A seed restarts their random numbers and the count of their restarts, which the seeds of engines depend on.
    #[pyo3(signature = (which=None, *, seed=None))]
    fn reset(&self, py: Python<'_>, which: Option<&Bound<'_, PyAny>>, seed: Option<Whole>) -> PyResult<()> {
        let marked = marks("which", which, self.shape.count)?;
        let seed = seed.map(|seed| seed_or_random(py, Some(seed))).transpose()?;
        self.write(py, |tables, outputs| tables.reset(marked.as_deref(), seed, outputs))
    }

    /// Continues each game, or each game that `where` marks, from a position without earlier moves.
    ///
    /// There is a position or its text for each game. Entries of unmarked games are ignored, and may be `None`. `plies`
    /// is 0 then. A restart still returns to the start of the game. Finished positions are refused. After a
    /// `ValueError` nothing has changed.
    #[pyo3(signature = (positions, *, r#where=None))]
    fn set_positions(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        r#where: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let marked = marks("where", r#where, self.shape.count)?;
        let texts = self::positions(positions, self.shape.count, marked.as_deref(), self.game)?;
        Ok(self.write(py, |tables, outputs| tables.place(&texts, outputs))??)
    }

    /// Returns a new batch with copies of the games with these numbers, or of all games.
    ///
    /// A number may occur several times. Each copy has random numbers of its own, so that copies of the same game
    /// differ in their samples, also those of several clones. Cloning therefore advances the random numbers of the
    /// copied games. `copy.copy` keeps the random numbers and changes nothing.
    #[pyo3(signature = (indices=None))]
    fn clone(&self, py: Python<'_>, indices: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let count = self.shape.count;
        let games = indices.map_or_else(|| Ok((0..count).collect()), |indices| game_numbers(indices, count))?;
        let results = self.arrays.results(py, Some(&games))?;
        let tables = self.with(py, |tables| tables.copies(&games))?;
        let shape = Shape { count: games.len(), ..self.shape };
        let batch = Self {
            tables: Mutex::new(tables),
            arrays: Arrays::new(py, shape)?,
            sampled: PyArray1::zeros(py, games.len(), false).unbind(),
            options: self.options.clone(),
            shape,
            planes: self.planes.clone(),
            ..*self
        };
        batch.write(py, |tables, outputs| tables.show(outputs))?;
        batch.arrays.set_results(&results)?;
        Ok(batch)
    }

    /// Returns the position of one game.
    fn position(&self, number: Whole) -> PyResult<PyPosition> {
        let game = game_number(number.action(), self.shape.count)?;
        PyPosition::read(self.game, &self.lock()?.position(game))
    }

    /// Returns the notation of a legal action of one game.
    fn move_of(&self, number: Whole, action: Whole) -> PyResult<String> {
        let game = game_number(number.action(), self.shape.count)?;
        let action = action.within("action", 0..=(self.shape.actions - 1) as i32, "")?;
        Ok(self.lock()?.move_of(game, action)?)
    }

    /// Returns the id of a legal move of one game. A `ValueError` names the rule that an illegal move breaks.
    fn action_of(&self, number: Whole, r#move: &str) -> PyResult<i32> {
        let game = game_number(number.action(), self.shape.count)?;
        Ok(self.lock()?.action_of(game, r#move)?)
    }

    /// Returns the symmetries of the game as index permutations `(squares, actions)`. The first is the identity.
    ///
    /// After symmetry `i`, the observation `planes` is `planes.reshape(-1, size * size)[:, squares[i]]` in the same
    /// shape, and `logits` are `logits[..., actions[i]]`. Lines of Action and Jump61 have eight symmetries,
    /// Breakthrough has two, and checkers one. The id of a pass is not mapped.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let found = self.with(py, |tables| tables.symmetries())?;
        let array = py.import("numpy")?.getattr("array")?;
        PyTuple::new(py, [array.call1((found.squares,))?, array.call1((found.actions,))?])
    }

    /// Returns the values that `pickle` and `copy` need.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (py, batch) = (slf.py(), slf.get());
        let games = batch.with(py, |tables| tables.save())?;
        let state = batch.arrays.results(py, None)?;
        state.set_item("games", games)?;
        let named = batch.options.named(py)?;
        let make = py
            .import("functools")?
            .getattr("partial")?
            .call((slf.get_type(), batch.game, batch.shape.count), Some(&named))?;
        Ok((make, PyTuple::empty(py), state))
    }

    /// Restores the values that `__reduce__` has returned.
    fn __setstate__(&self, py: Python<'_>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        let games: Saved = state.as_any().get_item("games")?.extract()?;
        self.write(py, |tables, outputs| {
            tables.load(games)?;
            tables.show(outputs);
            Ok::<_, Wrong>(())
        })??;
        self.arrays.set_results(state)
    }
}

impl Batch {
    /// Creates a batch whose arrays are not written yet.
    fn of(py: Python<'_>, options: Options, made: Made) -> PyResult<Self> {
        let Made { tables, game, shape, rules, planes, threads } = made;
        let options =
            Options { size: Some(shape.size), rules: rules.name().to_owned(), move_limit: rules.move_limit, ..options };
        let arrays = Arrays::new(py, shape)?;
        let sampled = PyArray1::zeros(py, shape.count, false).unbind();
        Ok(Self { tables: Mutex::new(tables), arrays, sampled, options, shape, game, planes, threads })
    }

    /// Returns the games.
    ///
    /// # Errors
    /// If another thread is using them.
    fn lock(&self) -> PyResult<MutexGuard<'_, Box<dyn AnyTables>>> {
        let in_use = |_| PyRuntimeError::new_err("the batch is in use: only one thread at a time may use a batch");
        self.tables.try_lock().map_err(in_use)
    }

    /// Returns the games to search as [`Roots`](crate::roots::Roots) of the position type of `game`: the marked games
    /// that are not over.
    ///
    /// # Errors
    /// If the batch has another game or another size, or if the marks are invalid.
    pub(crate) fn roots(
        &self,
        py: Python<'_>,
        game: &str,
        size: usize,
        marked: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Box<dyn Any + Send>> {
        if self.game != game {
            return Err(Wrong::Value(format!("a batch of {} found, expected {game}", self.game)).into());
        }
        let found = self.shape.size;
        if found != size {
            return Err(Wrong::Value(format!("a batch with {found} squares per side found, expected {size}")).into());
        }
        let marked = marks("where", marked, self.shape.count)?;
        self.with(py, |tables| tables.roots(marked.as_deref()))
    }

    /// Runs a function on the games, while other Python threads continue.
    fn with<T: Send>(&self, py: Python<'_>, run: impl FnOnce(&mut dyn AnyTables) -> T + Send) -> PyResult<T> {
        let mut tables = self.lock()?;
        let tables = &mut **tables;
        Ok(py.detach(|| run(tables)))
    }

    /// Like [`with`](Self::with), and also passes the arrays, to write them.
    fn write<T: Send>(
        &self,
        py: Python<'_>,
        run: impl FnOnce(&mut dyn AnyTables, Outputs<'_>) -> T + Send,
    ) -> PyResult<T> {
        let mut tables = self.lock()?;
        let tables = &mut **tables;
        self.arrays.write(py, |outputs| run(tables, outputs))
    }
}

/// Converts the error of an array that another thread is using.
fn in_use(error: numpy::BorrowError) -> PyErr {
    PyRuntimeError::new_err(format!("an array is in use or read-only: {error}"))
}
