//! `Engine` and `analyse`: the engines of Plyhouse, described by options.

use std::sync::{Mutex, PoisonError};

use engine::{Built, PlayerOptions, Resources};
use game::Record;
use games::GameId;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use search::{Control, Stop};

use crate::attend::attend;
use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;
use crate::position::{Held, PyPosition};
use crate::record::{AnyGame, Playing, PyGame};
use crate::rules::Rules;
use crate::thought::{Choice, Fact, Line, Score};

/// A player of one game on one board size.
trait AnyEngine: Send {
    /// Chooses a move. Returns `None` if the game is over.
    fn choose(&mut self, game: &dyn AnyGame, stop: Stop) -> Result<Option<Choice>, Wrong>;

    /// Resets the player for a new game. The seed determines its random choices.
    fn new_game(&mut self, seed: u64);
}

struct Seat<P: Encoded> {
    built: Built<P>,
    size: usize,
}

impl<P: Encoded> AnyEngine for Seat<P> {
    fn choose(&mut self, game: &dyn AnyGame, stop: Stop) -> Result<Option<Choice>, Wrong> {
        let Some(playing) = game.as_any().downcast_ref::<Playing<P>>() else {
            return Err(Wrong::Value(format!("a game of {} found, expected {}", game.id(), P::NAME)));
        };
        let found = P::size(playing.record.position());
        if found != self.size {
            let expected = self.size;
            return Err(Wrong::Value(format!("a board of {found} squares per side found, expected {expected}")));
        }
        if playing.record.finish().is_some() {
            return Ok(None);
        }
        let mut control = Control { stop, ..Control::on(search::SYSTEM) };
        let choice = self.built.engine.choose(&playing.record, &self.built.limits, &mut control);
        Ok(choice.map(|choice| Choice::of(&choice)))
    }

    fn new_game(&mut self, seed: u64) {
        self.built.engine.new_game(seed);
    }
}

/// Parses options given as text (`"level=3"`) or as named arguments (`level=3`).
fn options(words: &str, lines: usize, named: Option<&Bound<'_, PyDict>>) -> PyResult<PlayerOptions> {
    let mut all: Vec<String> = if words.trim().is_empty() { Vec::new() } else { vec![words.to_owned()] };
    for (name, value) in named.into_iter().flatten() {
        let name: String = name.extract()?;
        let value = match value.cast::<PyBool>() {
            Ok(answer) => if answer.is_true() { "yes" } else { "no" }.to_owned(),
            Err(_) => value.str()?.to_string(),
        };
        // A trailing underscore is removed, because `with` is a Python keyword.
        all.push(format!("{}={value}", name.trim_end_matches('_')));
    }
    let mut options: PlayerOptions = all.join(",").parse().map_err(Wrong::value)?;
    options.lines = lines.try_into().map_err(|_| Wrong::Value("lines 0: expected 1 or more".to_owned()))?;
    Ok(options)
}

struct Make<'a> {
    options: &'a PlayerOptions,
    size: Option<usize>,
}

impl Visitor for Make<'_> {
    type Output = Result<(Box<dyn AnyEngine>, usize), Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let start = P::start(self.size).map_err(Wrong::value)?;
        let built = self.options.make(&start, &Resources::default());
        let built = built.map_err(|error| Wrong::Value(format!("{}: {error}", P::NAME)))?;
        let size = P::size(&start);
        Ok((Box::new(Seat::<P> { built, size }), size))
    }
}

/// An engine of Plyhouse.
#[pyclass(module = "plyhouse")]
pub(crate) struct Engine {
    seat: Mutex<Box<dyn AnyEngine>>,
    #[pyo3(get)]
    game: &'static str,
    #[pyo3(get)]
    size: usize,
}

/// A visitor that starts a game from a position.
struct Begin<'a>(&'a PyPosition);

impl Visitor for Begin<'_> {
    type Output = Option<Box<dyn AnyGame>>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let held = self.0.0.as_any().downcast_ref::<Held<P>>()?;
        let rules = Rules { move_limit: None, draws: P::MATCH_DRAWS, set: None };
        Some(Box::new(Playing::<P> { record: rules.record(held.0.clone()), rules }))
    }
}

/// Converts an argument to a game: copies a game, or starts a new game from a position.
fn game_of(asked: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyGame>> {
    if let Ok(game) = asked.cast::<PyGame>() {
        return Ok(game.try_borrow()?.0.fork());
    }
    let position = asked.cast::<PyPosition>().ok().map(Bound::get);
    let game = position.and_then(|position| dispatch(position.0.id(), Begin(position)));
    Ok(game.ok_or_else(|| {
        let found = asked.get_type().to_string();
        Wrong::Type(format!("{found} found, expected a Game or a Position"))
    })?)
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (game, words="", *, size=None, lines=1, seed=0, **named))]
    fn new(
        game: &str,
        words: &str,
        size: Option<usize>,
        lines: usize,
        seed: u64,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        let options = options(words, lines, named)?;
        let (mut engine, size) = dispatch(id, Make { options: &options, size })?;
        engine.new_game(seed);
        Ok(Self { seat: Mutex::new(engine), game: id.name(), size })
    }

    /// Chooses a move for the side to move.
    fn choose(&self, py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<Choice> {
        let game = game_of(game)?;
        let choice = attend(py, |stop| {
            let mut engine = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
            engine.choose(&*game, stop)
        })??;
        Ok(choice.ok_or_else(|| Wrong::Value(format!("the game is over in {}", game.position().text())))?)
    }

    /// Resets the engine for a new game. `seed` determines its random choices.
    #[pyo3(signature = (seed=0))]
    fn new_game(&self, seed: u64) -> PyResult<()> {
        // A running search holds the lock. Waiting for it would block Python.
        let mut engine = self.seat.try_lock().map_err(|_| PyRuntimeError::new_err("the engine is thinking"))?;
        engine.new_game(seed);
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<Engine for {} on {}>", self.game, self.size)
    }
}

/// A visitor that looks up the result of a position without a search.
struct Known<'a>(&'a dyn AnyGame);

impl Visitor for Known<'_> {
    type Output = Option<Fact>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let record: &Record<P> = &self.0.as_any().downcast_ref::<Playing<P>>()?.record;
        if record.finish().is_some() {
            return None;
        }
        let policy = P::policy(&Resources::default());
        P::known(record.position(), &policy).map(|fact| Fact::of(&fact))
    }
}

/// The evaluation of a position by the engine at full strength.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct Analysis {
    #[pyo3(get)]
    lines: Vec<Py<Line>>,
    #[pyo3(get)]
    depth: u32,
    #[pyo3(get)]
    nodes: u64,
    #[pyo3(get)]
    known: Option<Py<Fact>>,
}

#[pymethods]
impl Analysis {
    /// Returns the best move.
    #[getter]
    fn best(&self, py: Python<'_>) -> Option<String> {
        self.lines.first().and_then(|line| line.borrow(py).moves.first().cloned())
    }

    /// Returns the score of the best line.
    #[getter]
    fn score(&self, py: Python<'_>) -> Option<Score> {
        self.lines.first().map(|line| line.borrow(py).score)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| line.borrow(py).__repr__()).collect();
        format!("Analysis(depth={}, nodes={}, lines=[{}])", self.depth, self.nodes, lines.join(", "))
    }
}

/// Analyses a position: returns the best lines with their scores, and the known result, if there is one.
#[pyfunction]
#[pyo3(signature = (game, words="", *, lines=1, **named))]
pub(crate) fn analyse(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    words: &str,
    lines: usize,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Analysis> {
    let game = game_of(game)?;
    let mut options = options(words, lines, named)?;
    options.noise = options.noise.or(Some(0));
    options.book = false;
    let (mut engine, _) = dispatch(game.id(), Make { options: &options, size: Some(game.position().size()) })?;
    let thought = attend(py, |stop| (dispatch(game.id(), Known(&*game)), engine.choose(&*game, stop)))?;
    let (known, choice) = (thought.0, thought.1?);
    let known = known.map(|fact| Py::new(py, fact)).transpose()?;
    let Some(Choice { lines, depth, nodes, .. }) = choice else {
        return Err(Wrong::Value(format!("the game is over in {}", game.position().text())).into());
    };
    let lines = lines.into_iter().map(|line| Py::new(py, line)).collect::<PyResult<_>>()?;
    Ok(Analysis { lines, depth, nodes, known })
}
