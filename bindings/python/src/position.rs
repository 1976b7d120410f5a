//! `Position`: an immutable position of a game.

use core::any::Any;
use core::fmt::Display;
use core::hash::{Hash, Hasher};
use core::ops::ControlFlow;
use std::collections::hash_map::DefaultHasher;
use std::sync::Arc;

use game::{Outcome, Position, perft};
use games::{Game, GameId};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use search::{Stop, Stopped};

use crate::attend::attend;
use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;
use crate::notation::{read, written};
use crate::whole::{Whole, board_size};

/// Maximum depth of a count of leaves, in plies.
const DEEPEST: u32 = 1_000;

/// A position of any game.
pub(crate) trait AnyPosition: Any + Send + Sync {
    fn id(&self) -> GameId;
    fn size(&self) -> usize;
    fn text(&self) -> String;
    fn turn(&self) -> usize;
    fn side_names(&self) -> [&'static str; 2];
    fn moves(&self) -> Vec<String>;
    fn actions(&self) -> Vec<usize>;
    fn action(&self, text: &str) -> Result<usize, Wrong>;
    fn named(&self, action: i64) -> Result<String, Wrong>;
    fn play_action(&self, action: i64) -> Result<Arc<dyn AnyPosition>, Wrong>;
    fn play(&self, text: &str) -> Result<Arc<dyn AnyPosition>, Wrong>;
    fn outcome(&self) -> Option<Outcome>;
    fn diagram(&self) -> String;
    fn key(&self) -> u64;
    fn perft(&self, depth: u32, stop: &Stop) -> Result<u64, Stopped>;
    fn divide(&self, depth: u32, stop: &Stop) -> Result<Vec<(String, u64)>, Stopped>;
    fn planes(&self) -> (Vec<f32>, usize);
    fn action_count(&self) -> usize;
    fn as_any(&self) -> &dyn Any;
}

/// A position with the types of its game.
pub(crate) struct Held<P: Encoded>(pub(crate) P);

/// Counts the leaves as `game::perft` does, until `stop` is set.
fn count<P: Position>(p: &P, depth: u32, stop: &Stop) -> Result<u64, Stopped> {
    if depth <= 2 {
        stop.check(0)?;
        return Ok(perft(p, depth));
    }
    if p.decided().is_some() {
        return Ok(0);
    }
    let mut leaves = 0;
    let stopped = p.visit_moves(|m| match count(&p.child(m), depth - 1, stop) {
        Ok(found) => {
            leaves += found;
            ControlFlow::Continue(())
        }
        Err(stopped) => ControlFlow::Break(stopped),
    });
    stopped.break_value().map_or(Ok(leaves), Err)
}

/// Returns the move with this id.
pub(crate) fn find<P: Encoded>(p: &P, action: i64) -> Result<crate::encode::MoveOf<P>, Wrong> {
    let found = usize::try_from(action).ok().and_then(|action| P::find(p, action));
    found.ok_or_else(|| illegal_action(action, p))
}

fn illegal_action(action: impl Display, p: impl Display) -> Wrong {
    Wrong::Value(format!("action {action} is not legal in {p}: legal_actions() lists those that are"))
}

impl<P: Encoded> AnyPosition for Held<P> {
    fn id(&self) -> GameId {
        GameId::of::<P>()
    }

    fn size(&self) -> usize {
        P::size(&self.0)
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn turn(&self) -> usize {
        self.0.side_to_move().index()
    }

    fn side_names(&self) -> [&'static str; 2] {
        P::SIDE_NAMES
    }

    fn moves(&self) -> Vec<String> {
        self.0.legal_moves().iter().map(written).collect()
    }

    fn actions(&self) -> Vec<usize> {
        let mut actions: Vec<usize> = self.0.legal_moves().into_iter().map(|m| P::action(&self.0, m)).collect();
        actions.sort_unstable();
        actions
    }

    fn action(&self, text: &str) -> Result<usize, Wrong> {
        let m = read(&self.0, text)?;
        Ok(P::action(&self.0, m))
    }

    fn named(&self, action: i64) -> Result<String, Wrong> {
        find::<P>(&self.0, action).map(written)
    }

    fn play_action(&self, action: i64) -> Result<Arc<dyn AnyPosition>, Wrong> {
        let m = find::<P>(&self.0, action)?;
        Ok(Arc::new(Self(self.0.child(m))))
    }

    fn play(&self, text: &str) -> Result<Arc<dyn AnyPosition>, Wrong> {
        let m = read(&self.0, text)?;
        Ok(Arc::new(Self(self.0.child(m))))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn diagram(&self) -> String {
        self.0.diagram(None).to_string()
    }

    fn key(&self) -> u64 {
        self.0.key().0
    }

    fn perft(&self, depth: u32, stop: &Stop) -> Result<u64, Stopped> {
        count(&self.0, depth, stop)
    }

    fn divide(&self, depth: u32, stop: &Stop) -> Result<Vec<(String, u64)>, Stopped> {
        let below = |m| Ok((written(m), count(&self.0.child(m), depth - 1, stop)?));
        self.0.legal_moves().into_iter().map(below).collect()
    }

    fn planes(&self) -> (Vec<f32>, usize) {
        let (count, size) = (P::PLANES.len(), P::size(&self.0));
        let mut planes = vec![0.0; count * size * size];
        P::observe(&self.0, &mut planes);
        (planes, count)
    }

    fn action_count(&self) -> usize {
        P::action_count(P::size(&self.0))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Returns the start position of a game: the position in `text`, or the usual start on a board of this size.
pub(crate) fn start<P: Game>(size: Option<usize>, text: Option<&str>) -> Result<P, Wrong> {
    let Some(text) = text else { return P::start(size).map_err(Wrong::value) };
    if P::STARTS.contains(&text) {
        return games::position(Some(text), size).map_err(Wrong::value);
    }
    let start: P = text.parse().map_err(Wrong::value)?;
    match size {
        Some(expected) if expected != P::size(&start) => {
            let found = P::size(&start);
            Err(Wrong::Value(format!("a position of {found} squares per side found, expected {expected}")))
        }
        _ => Ok(start),
    }
}

struct Start<'a>(Option<usize>, Option<&'a str>);

impl Visitor for Start<'_> {
    type Output = Result<Arc<dyn AnyPosition>, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        Ok(Arc::new(Held::<P>(start::<P>(self.0, self.1)?)))
    }
}

/// A position of a game. It is immutable: `play` returns the position after a move.
///
/// The constructor parses a position text, or returns the start on a board of this `size`, by default the usual one.
///
/// Positions of the same game are equal if their position texts are equal. `str` returns the text. Positions can be
/// hashed, copied and pickled.
///
/// Moves are texts such as `b1-d3` (checkers: `G6-F5`, Jump61: `2:3`). Captures are written like other moves. Other
/// spellings are read, such as `x` for a capture, or capital letters.
#[pyclass(module = "plyhouse", name = "Position", frozen, from_py_object)]
#[derive(Clone)]
pub(crate) struct PyPosition(pub(crate) Arc<dyn AnyPosition>);

impl PyPosition {
    /// Parses a position of the game with this name.
    pub(crate) fn read(game: &str, text: &str) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        Ok(Self(dispatch(id, Start(None, Some(text)))?))
    }
}

impl PartialEq for PyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.0.id() == other.0.id() && self.0.key() == other.0.key() && self.0.text() == other.0.text()
    }
}

/// Converts an action id.
///
/// # Errors
/// If the number is so large that no action has it.
pub(crate) fn action_id(action: Whole, p: &dyn AnyPosition) -> Result<i64, Wrong> {
    action.action().map_err(|found| illegal_action(found, p.text()))
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (game, text=None, *, size=None))]
    fn new(game: &str, text: Option<&str>, size: Option<Whole>) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        Ok(Self(dispatch(id, Start(board_size(size)?, text))?))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.id().name()
    }

    /// Board size, in squares per side.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The player to move: 0 or 1.
    #[getter]
    fn turn(&self) -> usize {
        self.0.turn()
    }

    /// The name of the player to move, such as `"Black"`.
    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.0.side_names()[self.0.turn()]
    }

    /// The names of player 0 and player 1.
    #[getter]
    fn side_names(&self) -> (&'static str, &'static str) {
        self.0.side_names().into()
    }

    /// `True` if the board is decided, or the player to move has no move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    /// The player who has won, if the position is over.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.0.outcome().and_then(Outcome::winner).map(game::Side::index)
    }

    /// A 64-bit hash of the position. It is the same in every run.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// Number of action ids. Every id is below it.
    #[getter]
    fn num_actions(&self) -> usize {
        self.0.action_count()
    }

    /// Returns the legal moves in a fixed order. A decided board has none.
    fn legal_moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// Returns the ids of the legal moves in ascending order.
    fn legal_actions(&self) -> Vec<usize> {
        self.0.actions()
    }

    /// Returns `True` if the rules allow this move. Moves on a decided board are also allowed.
    fn is_legal(&self, r#move: &str) -> bool {
        self.0.action(r#move).is_ok()
    }

    /// Returns the id of a legal move. A `ValueError` names the rule that an illegal move breaks.
    fn action_of(&self, r#move: &str) -> PyResult<usize> {
        Ok(self.0.action(r#move)?)
    }

    /// Returns the legal move with this id.
    fn move_of(&self, action: Whole) -> PyResult<String> {
        Ok(self.0.named(action_id(action, &*self.0)?)?)
    }

    /// Returns the position after a move. A `ValueError` names the rule that an illegal move breaks.
    fn play(&self, r#move: &str) -> PyResult<Self> {
        Ok(Self(self.0.play(r#move)?))
    }

    /// Returns the position after the move with this id.
    fn play_action(&self, action: Whole) -> PyResult<Self> {
        Ok(Self(self.0.play_action(action_id(action, &*self.0)?)?))
    }

    /// Counts the sequences of exactly `depth` legal moves.
    ///
    /// Other threads continue during the count, and Ctrl-C stops it.
    fn perft(&self, py: Python<'_>, depth: Whole) -> PyResult<u64> {
        let depth = depth.within("depth", 0..=DEEPEST, "")?;
        // A thread would take longer than a count of two plies. Before other counts, this fills tables while no fork
        // can happen.
        let count = self.0.perft(depth.min(2), &Stop::new()).map_err(Wrong::value)?;
        if depth <= 2 {
            return Ok(count);
        }
        Ok(attend(py, |stop| self.0.perft(depth, &stop))?.map_err(Wrong::value)?)
    }

    /// Counts the sequences of exactly `depth` legal moves for each first move.
    ///
    /// Other threads continue during the count, and Ctrl-C stops it.
    fn perft_divide<'py>(&self, py: Python<'py>, depth: Whole) -> PyResult<Bound<'py, PyDict>> {
        let depth = depth.within("depth", 1..=DEEPEST, "")?;
        let counts = PyDict::new(py);
        for (m, count) in attend(py, |stop| self.0.divide(depth, &stop))?.map_err(Wrong::value)? {
            counts.set_item(m, count)?;
        }
        Ok(counts)
    }

    /// Returns a drawing of the board with its coordinates.
    fn diagram(&self) -> String {
        self.0.diagram()
    }

    /// Returns the board as planes: an array [plane, row, column]. `about` describes the planes.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (planes, count) = self.0.planes();
        PyArray1::from_vec(py, planes).reshape([count, self.0.size(), self.0.size()])
    }

    /// Returns an array [id] in which the legal moves are `True`.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.0.action_count()];
        for action in self.0.actions() {
            mask[action] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?}, {:?})", self.game(), self.0.text())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self == other
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.id(), self.0.key()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str, String)) {
        (py.get_type::<Self>(), (self.game(), self.0.text()))
    }
}
