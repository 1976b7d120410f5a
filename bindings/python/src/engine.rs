//! `Engine` and `analyse`: the engines of Plyhouse, described by options.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use engine::{Build, PlayerOptions, Resources};
use game::Record;
use game::text::excerpt;
use games::GameId;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use pyo3::{PyTraverseError, PyVisit};
use search::{Control, Limits, Stop};

use crate::attend::attend;
use crate::batch::Batch;
use crate::chosen::ChosenArrays;
use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;
use crate::network::{ChooseMany, ChooseOne, Network, NetworkArguments, NetworkOptions, ShapeOf};
use crate::onnx::{Onnx, Shape};
use crate::position::{Held, PyPosition};
use crate::record::{AnyGame, Playing, PyGame};
use crate::rules::Rules;
use crate::seat::{AnyEngine, Seat};
use crate::slot::Slot;
use crate::thought::{Analysis, Choice, Fact};
use crate::whole::{Whole, board_size};

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
/// Options of an engine with an evaluator.
const OF_NETWORK: [&str; 3] = ["nodes", "movetime", "depth"];

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

    /// Checks that the options are those of an engine with an evaluator.
    fn check_network(&self) -> Result<(), Wrong> {
        let name = |option: &str| option.split_once('=').map_or("", |(name, _)| name.trim()).to_owned();
        match self.text.split(',').map(name).find(|name| !name.is_empty() && !OF_NETWORK.contains(&name.as_str())) {
            Some(found) => {
                let expected = "nodes, movetime or depth with an evaluator";
                Err(Wrong::Value(format!("player option `{found}`: expected {expected}")))
            }
            None => Ok(()),
        }
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

/// A visitor that returns the size of a board, by default the usual one.
struct SizeOf(Option<usize>);

impl Visitor for SizeOf {
    type Output = Result<usize, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        Ok(P::size(&P::start(self.0).map_err(Wrong::value)?))
    }
}

struct Make<'a> {
    options: &'a PlayerOptions,
    size: usize,
}

impl Visitor for Make<'_> {
    type Output = Result<Box<dyn AnyEngine>, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let start = P::start(Some(self.size)).map_err(Wrong::value)?;
        let seat = Seat::new(self.options, start.clone())?;
        fill_tables(&start, self.options.build);
        Ok(Box::new(seat))
    }
}

/// Builds a player that begins with this seed.
fn build(id: GameId, options: &PlayerOptions, size: usize, seed: u64) -> Result<Box<dyn AnyEngine>, Wrong> {
    let mut engine = dispatch(id, Make { options, size })?;
    engine.new_game(seed);
    Ok(engine)
}

/// A player of one game on one board size.
///
/// Its options are words such as `"level=3"` or `"nodes=20000,without=lmr+null"`. Each option can also be a named
/// argument: `level=3`, `nodes=20000`, `book=False`, `with_="lmr"`. Frequent options are:
///
/// * `level`: strength, 1 to 10 or `"gentle1"` to `"gentle3"`, by default 10;
/// * `nodes`: number of positions to search for a move; `movetime`: time for a move in seconds; `depth`: maximum depth
///   in plies; `threads`: number of threads of the search, by default 1;
/// * `book`: `False` switches the opening book off;
/// * `build`: version of the engine, for example `"mcts"` for Monte Carlo tree search or `"random"` for random moves.
///
/// `docs/engine.md` in the repository describes all options. `lines` is the number of best moves that get a score and a
/// line.
///
/// The same seed gives the same moves, except with `movetime` or several threads. An engine therefore repeats its games
/// unless `new_game()` is called between them. Without a seed, random choices differ from engine to engine.
///
/// Engines can be copied and pickled. A copy has the same options and seed, and begins as after `new_game(seed)`.
/// Several threads may use an engine: without an evaluator, each call waits for the previous one. After a `fork` during
/// a search, the engine of the child process begins as a copy does.
///
/// With an evaluator, the engine is a Monte Carlo tree search: PUCT, or the Gumbel rule for few simulations. Positions
/// with forced results are proven. The evaluator is a function or the path of an ONNX file. Calls from several threads
/// run concurrently.
///
/// A function `evaluator(planes, offsets, ids)` receives positions of undecided games:
///
/// * `planes`: an array [position, plane, row, column] of float32, as the observations of a batch with the options
///   `perspective`, `history` and `turn_plane`. Only `perspective="mover"` or a turn plane shows who is to move;
/// * `offsets` and `ids`: the legal actions of each position, as those of `Batch.legal_actions`, with the option
///   `actions`.
///
/// It returns a tuple `(logits, values)` of arrays or lists: a logit for each of `ids`, or an array [position, id], and
/// for each position the expected result for the player to move, from -1 to 1. Their numbers may be floats or integers
/// of any width, and are converted to float32. As in `Batch.sample`, a logit of -inf gives an action the probability 0.
/// The function runs in the thread that calls the engine. Its exceptions pass through.
///
/// An ONNX file, whose name ends in `.onnx`, has one input, `planes` with a dynamic first dimension, and two outputs in
/// this order: logits [position, id], and values [position] or [position, 1]. Their names do not matter. The network
/// runs without Python: in `choose` on one thread, in `choose_batch` on as many as the batch has. Results do not depend
/// on the number of threads. The file is read by the constructor, by copies, and by child processes after a `fork`.
///
/// With an evaluator, the options are `nodes` (the number of simulations, by default 800), `movetime` and `depth`.
/// `actions`, `perspective`, `history` and `turn_plane` are those of a batch, and:
///
/// * `leaves`: maximum number of positions of one search in a call of the evaluator. They are selected under virtual
///   loss, before any of them is evaluated. More leaves make calls larger, and the search slightly weaker;
/// * `root`: `"puct"`, `"gumbel"`, or `"auto"`, which is `"gumbel"` up to 64 simulations;
/// * `considered`: maximum number of moves that the Gumbel rule searches;
/// * `gumbel_noise`: factor of the random numbers of the Gumbel rule. With 1, as in self-play, it samples moves from
///   the logits; with 0 it searches those with the greatest logits. The samples repeat until `new_game()`;
/// * `exploration`: weight of the priors in PUCT.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct Engine {
    player: Player,
    id: GameId,
    /// Board size, in squares per side.
    #[pyo3(get)]
    size: usize,
    words: Words,
    seed: AtomicU64,
}

/// The player of an engine.
enum Player {
    /// A player of Plyhouse.
    House(Slot<Box<dyn AnyEngine>>),
    /// A search with an evaluator: a function, or the path of an ONNX file.
    Network { evaluator: Py<PyAny>, onnx: Option<Onnx>, options: NetworkOptions },
}

/// Loads the ONNX file of an evaluator that is a path. Returns `None` for a function.
fn onnx_of(evaluator: &Bound<'_, PyAny>, shape: impl FnOnce() -> Shape) -> PyResult<Option<Onnx>> {
    if evaluator.is_callable() {
        return Ok(None);
    }
    let path = evaluator.extract().map_err(|_| {
        let found = evaluator.get_type().to_string();
        Wrong::Type(format!("evaluator: {found} found, expected a function or the path of an ONNX file"))
    })?;
    Onnx::load(evaluator.py(), path, shape()).map(Some)
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
        signature = (
            game, words="", *, size=None, lines=Whole::small(1), seed=None, evaluator=None, actions="standard",
            perspective="board", history=Whole::small(0), turn_plane=false, leaves=Whole::small(8), root="auto",
            considered=Whole::small(16), gumbel_noise=0.0, exploration=1.25, **named
        ),
        text_signature = "(game, words='', *, size=None, lines=1, seed=None, evaluator=None, actions='standard', \
            perspective='board', history=0, turn_plane=False, leaves=8, root='auto', considered=16, gumbel_noise=0.0, \
            exploration=1.25, **named)"
    )]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        game: &str,
        words: &str,
        size: Option<Whole>,
        lines: Whole,
        seed: Option<Whole>,
        evaluator: Option<Bound<'_, PyAny>>,
        actions: &str,
        perspective: &str,
        history: Whole,
        turn_plane: bool,
        leaves: Whole,
        root: &str,
        considered: Whole,
        gumbel_noise: f64,
        exploration: f64,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        let words = Words::new(words, lines, named)?;
        let seed = crate::seed::seed(py, seed)?;
        let size = dispatch(id, SizeOf(board_size(size)?))?;
        let given = NetworkArguments {
            actions,
            perspective,
            history,
            turn_plane,
            leaves,
            root,
            considered,
            gumbel_noise,
            exploration,
        };
        let options = NetworkOptions::new(given)?;
        let player = match evaluator {
            Some(evaluator) => {
                words.check_network()?;
                let onnx = onnx_of(&evaluator, || dispatch(id, ShapeOf { options: &options, size }))?;
                Player::Network { evaluator: evaluator.unbind(), onnx, options }
            }
            None if options == NetworkOptions::default() => {
                Player::House(Slot::new(Some(build(id, &words.options, size, seed)?)))
            }
            None => {
                let text =
                    "evaluator None: expected an evaluator, because another argument applies only with an evaluator";
                return Err(Wrong::Value(text.to_owned()).into());
            }
        };
        Ok(Self { player, id, size, words, seed: AtomicU64::new(seed) })
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

    /// The seed of the current game, random unless the constructor or `new_game` received one.
    ///
    /// Games with the same seed and the same moves get the same choices.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed.load(Ordering::Relaxed)
    }

    /// The evaluator, a function or a path; `None` for the engines of Plyhouse.
    #[getter]
    fn evaluator(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &self.player {
            Player::House(_) => None,
            Player::Network { evaluator, .. } => Some(evaluator.clone_ref(py)),
        }
    }

    /// The options of a batch with the encoding of the evaluator; empty without an evaluator.
    #[getter]
    fn _encoding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        if let Player::Network { options, .. } = &self.player {
            options.name_encoding(&named)?;
        }
        Ok(named)
    }

    /// Chooses a move.
    ///
    /// Calls repeat each other: until `new_game()`, the same game gets the same move, also with `gumbel_noise` and at
    /// low levels. Call `new_game()` before each game of self-play, with a seed if it has to be reproducible. Searches
    /// with `movetime` or several threads may differ.
    ///
    /// Other threads continue during the search, and Ctrl-C stops it.
    fn choose(&self, py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<Choice> {
        let game = game_of(game)?;
        let choice = match &self.player {
            Player::House(slot) => slot.attend(py, self.again(), |engine, stop| engine.choose(&*game, stop))???,
            Player::Network { evaluator, onnx, options } => {
                let network = self.network(evaluator.bind(py), onnx.as_ref(), options);
                let (size, lines) = (self.size, self.words.lines);
                dispatch(self.id, ChooseOne { network, game: &*game, size, lines })?
            }
        };
        Ok(choice.ok_or_else(|| Wrong::Value(format!("the game is over in {}", game.position().text())))?)
    }

    /// Chooses an action in each game of a batch, or in each game that `where` marks.
    ///
    /// Returns `(actions, values, (offsets, ids, weights))`. `actions` has the ids for `Batch.step`, and -1 for games
    /// that are over or not marked. `values` has the expected results for the player to move, from -1 to 1, and 0 for
    /// those games. `ids[offsets[i]:offsets[i + 1]]` are the legal actions of game `i`, as those of
    /// `Batch.legal_actions`, and `weights` their probabilities: with an evaluator, the share of the simulations, or
    /// under the Gumbel rule the improved policy; otherwise 1 for the chosen action.
    ///
    /// The seed of game `i` is the seed of the engine plus `i`. After `k` restarts of the game it is larger by
    /// `k * len(batch)`, so that games differ from each other. A new batch, and one after `reset` with a seed, count
    /// restarts from 0. They get the same choices in the same positions until `new_game()` changes the seed of the
    /// engine. Searches know the game since its last irreversible move, and the move limit.
    ///
    /// With an evaluator, all games are searched together: a call of a function has leaves of all games, and the runs
    /// of an ONNX file share the threads of the batch. `movetime` is the time for all games together. Without an
    /// evaluator, the games are searched one by one, on as many threads as the batch has. Choices do not depend on the
    /// number of threads. Other threads continue during the search, and Ctrl-C stops it.
    #[pyo3(signature = (batch, *, r#where=None))]
    fn choose_batch<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, Batch>,
        r#where: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<ChosenArrays<'py>> {
        let roots = batch.get().roots(py, self.game(), self.size, r#where)?;
        let seed = self.seed();
        let chosen = match &self.player {
            Player::House(slot) => {
                slot.attend(py, self.again(), |engine, stop| engine.choose_batch(roots, seed, &stop))???
            }
            Player::Network { evaluator, onnx, options } => {
                let network = self.network(evaluator.bind(py), onnx.as_ref(), options);
                dispatch(self.id, ChooseMany { network, roots })?
            }
        };
        Ok(chosen.into_arrays(py))
    }

    /// Resets the engine for a new game. The seed determines its random choices; `None` draws a new seed.
    #[pyo3(signature = (seed=None))]
    fn new_game(&self, py: Python<'_>, seed: Option<Whole>) -> PyResult<()> {
        let seed = crate::seed::seed(py, seed)?;
        // Waiting for a search could block the program, so this is an error.
        if let Player::House(slot) = &self.player
            && !slot.change(|engine| engine.new_game(seed))
        {
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
        if let Player::Network { evaluator, options: network, .. } = &self.player {
            options.set_item("evaluator", evaluator)?;
            network.name_all(&options)?;
        }
        let make = py.import("functools")?.call_method("partial", (py.get_type::<Self>(),), Some(&options))?;
        Ok((make, (self.game(), self.words())))
    }

    /// Shows the evaluator to the garbage collector.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.player {
            Player::House(_) => Ok(()),
            Player::Network { evaluator, .. } => visit.call(evaluator),
        }
    }
}

impl Engine {
    /// Returns a function that makes the player again.
    fn again(&self) -> impl FnOnce(&Stop) -> Result<Box<dyn AnyEngine>, Wrong> + Send {
        |_| build(self.id, &self.words.options, self.size, self.seed())
    }

    /// Returns a search with an evaluator.
    fn network<'a, 'py>(
        &self,
        evaluator: &'a Bound<'py, PyAny>,
        onnx: Option<&'a Onnx>,
        options: &'a NetworkOptions,
    ) -> Network<'a, 'py> {
        let PlayerOptions { nodes, depth, movetime, .. } = self.words.options;
        let limits = Limits { nodes, depth, movetime, optimum: None };
        Network { evaluator, onnx, options, limits, seed: self.seed() }
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
    let mut engine = dispatch(game.id(), Make { options: &options, size: game.position().size() })?;
    let thought = attend(py, |stop| (dispatch(game.id(), Known(&*game)), engine.choose(&*game, stop)))?;
    let (known, choice) = (thought.0, thought.1?);
    let choice = choice.ok_or_else(|| Wrong::Value(format!("the game is over in {}", game.position().text())))?;
    Ok(Analysis::of(choice, known))
}
