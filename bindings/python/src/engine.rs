//! `Engine` and `analyse`: the engines of Plyhouse, described by options.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use engine::{Build, Built, PlayerOptions, Resources};
use game::Record;
use game::text::excerpt;
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
use crate::slot::Slot;
use crate::thought::{Analysis, Choice, Fact};
use crate::whole::{Whole, board_size};

/// A player of one game.
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

/// Options of a player.
#[derive(Clone)]
struct Words {
    /// The options as text: `level=3,nodes=2000`.
    text: String,
    lines: usize,
    options: PlayerOptions,
}

/// Options that apply in order. Every other option may occur once.
const REPEATABLE: [&str; 3] = ["with", "without", "set"];

impl Words {
    /// Parses options given as text (`"level=3"`) or as named arguments (`level=3`).
    fn new(words: &str, lines: Whole, named: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let words = words.split(',').map(str::trim).filter(|option| !option.is_empty());
        let mut all: Vec<String> = words.map(str::to_owned).collect();
        for (name, value) in named.into_iter().flatten() {
            let name: String = name.extract()?;
            let value = match value.cast::<PyBool>() {
                Ok(answer) => if answer.is_true() { "yes" } else { "no" }.to_owned(),
                Err(_) => value.str()?.to_string(),
            };
            // The names of arguments and options are the same, except that `with` is a Python keyword.
            let option = if name == "with_" { "with" } else { name.as_str() };
            if option.contains(['=', ',']) || value.contains(',') {
                let found = excerpt(&format!("{name}={value}"));
                return Err(Wrong::Value(format!("player option `{found}`: expected one option")).into());
            }
            all.push(format!("{option}={value}"));
        }
        let mut names: Vec<&str> = Vec::new();
        for option in &all {
            let name = option.split_once('=').map_or(option.as_str(), |(name, _)| name);
            if names.contains(&name) && !REPEATABLE.contains(&name) {
                let found = excerpt(name);
                return Err(Wrong::Value(format!("player option `{found}`: given twice, expected once")).into());
            }
            names.push(name);
        }
        let text = all.join(",");
        let mut options: PlayerOptions = text.parse().map_err(Wrong::value)?;
        let lines = lines.within("lines", 1..=usize::MAX, "")?;
        options.lines = lines.try_into().unwrap_or(NonZeroUsize::MIN);
        Ok(Self { text, lines, options })
    }
}

/// Fills the tables that searches of this game share, by a tiny search. Python calls it in an attached thread, in which
/// no fork can happen. Without it, a child process could wait for a table that a thread of its parent was filling.
fn fill_tables<P: Encoded>(start: &P, build: Build) {
    static DONE: Mutex<Vec<(GameId, usize, Build)>> = Mutex::new(Vec::new());
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (GameId::of::<P>(), P::size(start), build);
    if done.contains(&key) {
        return;
    }
    let resources = Resources::default();
    let tiny = PlayerOptions { build, nodes: Some(1), horizon: Some((3, 2)), book: false, ..PlayerOptions::default() };
    if let Ok(mut built) = tiny.make(start, &resources) {
        let record = Record::new(start.clone());
        built.engine.choose(&record, &built.limits, &mut Control::on(search::SYSTEM));
    }
    start.book().map(LazyLock::force);
    P::known(start, &P::policy(&resources));
    done.push(key);
}

/// A visitor that fills the tables of a game on a board of this size.
pub(crate) struct FillTables(pub(crate) usize);

impl Visitor for FillTables {
    type Output = ();

    fn visit<P: Encoded>(self) {
        if let Ok(start) = P::start(Some(self.0)) {
            fill_tables(&start, Build::Current);
        }
    }
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
        fill_tables(&start, self.options.build);
        Ok((Box::new(Seat::<P> { built, size }), size))
    }
}

/// Builds a player that begins with this seed.
fn build(id: GameId, options: &PlayerOptions, size: usize, seed: u64) -> Result<Box<dyn AnyEngine>, Wrong> {
    let (mut engine, _) = dispatch(id, Make { options, size: Some(size) })?;
    engine.new_game(seed);
    Ok(engine)
}

/// A player of one game on one board size.
///
/// Engines can be copied and pickled. A copy has the same options and seed, and begins as after `new_game(seed)`.
/// Several threads may use an engine: each call waits for the previous one. After a `fork` during a search, the engine
/// of the child process begins as a copy does.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct Engine {
    slot: Slot<Box<dyn AnyEngine>>,
    id: GameId,
    /// Board size, in squares per side.
    #[pyo3(get)]
    size: usize,
    words: Words,
    seed: AtomicU64,
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
        return Ok(game.get().get().fork());
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
    #[pyo3(
        signature = (game, words="", *, size=None, lines=Whole::small(1), seed=None, **named),
        text_signature = "(game, words='', *, size=None, lines=1, seed=None, **named)"
    )]
    fn new(
        py: Python<'_>,
        game: &str,
        words: &str,
        size: Option<Whole>,
        lines: Whole,
        seed: Option<Whole>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        let words = Words::new(words, lines, named)?;
        let seed = crate::seed::seed(py, seed)?;
        let (mut engine, size) = dispatch(id, Make { options: &words.options, size: board_size(size)? })?;
        engine.new_game(seed);
        Ok(Self { slot: Slot::new(Some(engine)), id, size, words, seed: AtomicU64::new(seed) })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.id.name()
    }

    /// The options as a text, such as `"level=3"`.
    #[getter]
    fn words(&self) -> &str {
        &self.words.text
    }

    /// Number of best moves that get a score and a line.
    #[getter]
    fn lines(&self) -> usize {
        self.words.lines
    }

    /// The seed of the current game. If the constructor or `new_game` received none, it is random.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed.load(Ordering::Relaxed)
    }

    /// Chooses a move. Other threads continue during the search, and Ctrl-C stops it.
    fn choose(&self, py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<Choice> {
        let game = game_of(game)?;
        let again = |_: &Stop| build(self.id, &self.words.options, self.size, self.seed());
        let choice = self.slot.attend(py, again, |engine, stop| engine.choose(&*game, stop))???;
        Ok(choice.ok_or_else(|| Wrong::Value(format!("the game is over in {}", game.position().text())))?)
    }

    /// Resets the engine for a new game. The seed determines its random choices; without one they are random.
    #[pyo3(signature = (seed=None))]
    fn new_game(&self, py: Python<'_>, seed: Option<Whole>) -> PyResult<()> {
        let seed = crate::seed::seed(py, seed)?;
        // Waiting for a search could block the program, so this is an error.
        if !self.slot.change(|engine| engine.new_game(seed)) {
            return Err(PyRuntimeError::new_err("the engine is searching in another thread: expected an idle engine"));
        }
        self.seed.store(seed, Ordering::Relaxed);
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<Engine for {} on {}>", self.id, self.size)
    }

    /// Returns a function and its arguments, for `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, &str))> {
        let options = PyDict::new(py);
        options.set_item("size", self.size)?;
        options.set_item("lines", self.words.lines)?;
        options.set_item("seed", self.seed())?;
        let make = py.import("functools")?.call_method("partial", (py.get_type::<Self>(),), Some(&options))?;
        Ok((make, (self.game(), self.words())))
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

/// Finds the best lines of a position and their values. A win or a loss in a score is proven.
///
/// The options are those of `Engine`. Other threads continue during the analysis, and Ctrl-C stops it.
#[pyfunction]
#[pyo3(
    signature = (game, words="", *, lines=Whole::small(1), **named),
    text_signature = "(game, words='', *, lines=1, **named)"
)]
pub(crate) fn analyse(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    words: &str,
    lines: Whole,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Analysis> {
    let game = game_of(game)?;
    let mut options = Words::new(words, lines, named)?.options;
    options.noise = options.noise.or(Some(0));
    options.book = false;
    let (mut engine, _) = dispatch(game.id(), Make { options: &options, size: Some(game.position().size()) })?;
    let thought = attend(py, |stop| (dispatch(game.id(), Known(&*game)), engine.choose(&*game, stop)))?;
    let (known, choice) = (thought.0, thought.1?);
    let choice = choice.ok_or_else(|| Wrong::Value(format!("the game is over in {}", game.position().text())))?;
    Ok(Analysis::of(choice, known))
}
