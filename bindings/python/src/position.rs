//! `Position`: an immutable position of a game.

use core::any::Any;
use core::hash::{Hash, Hasher};
use std::collections::hash_map::DefaultHasher;
use std::sync::Arc;

use game::{Outcome, perft, perft_divide};
use games::{Game, GameId};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;

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
    fn play(&self, text: &str) -> Result<Arc<dyn AnyPosition>, Wrong>;
    fn outcome(&self) -> Option<Outcome>;
    fn diagram(&self) -> String;
    fn key(&self) -> u64;
    fn perft(&self, depth: u32) -> u64;
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
    fn planes(&self) -> (Vec<f32>, usize);
    fn action_count(&self) -> usize;
    fn as_any(&self) -> &dyn Any;
}

/// A position with the types of its game.
pub(crate) struct Held<P: Encoded>(pub(crate) P);

/// Returns the move with this id.
pub(crate) fn find<P: Encoded>(p: &P, action: i64) -> Result<crate::encode::MoveOf<P>, Wrong> {
    let found = usize::try_from(action).ok().and_then(|action| P::find(p, action));
    found.ok_or_else(|| {
        Wrong::Value(format!("action {action} is not legal in {p}: legal_actions() lists those that are"))
    })
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
        self.0.legal_moves().iter().map(ToString::to_string).collect()
    }

    fn actions(&self) -> Vec<usize> {
        let mut actions: Vec<usize> = self.0.legal_moves().into_iter().map(|m| P::action(&self.0, m)).collect();
        actions.sort_unstable();
        actions
    }

    fn action(&self, text: &str) -> Result<usize, Wrong> {
        let m = self.0.parse_move(text).map_err(|error| Wrong::value(error.in_words()))?;
        Ok(P::action(&self.0, m))
    }

    fn named(&self, action: i64) -> Result<String, Wrong> {
        find::<P>(&self.0, action).map(|m| m.to_string())
    }

    fn play(&self, text: &str) -> Result<Arc<dyn AnyPosition>, Wrong> {
        let m = self.0.parse_move(text).map_err(|error| Wrong::value(error.in_words()))?;
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

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.0, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        perft_divide(&self.0, depth).into_iter().map(|(m, count)| (m.to_string(), count)).collect()
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

/// An immutable position of a game.
#[pyclass(module = "plyhouse", name = "Position", frozen)]
pub(crate) struct PyPosition(pub(crate) Arc<dyn AnyPosition>);

impl PyPosition {
    /// Parses a position of the game with this name.
    pub(crate) fn read(game: &str, text: &str) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        Ok(Self(dispatch(id, Start(None, Some(text)))?))
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (game, text=None, *, size=None))]
    fn new(game: &str, text: Option<&str>, size: Option<usize>) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        Ok(Self(dispatch(id, Start(size, text))?))
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.0.id().name()
    }

    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    #[getter]
    fn turn(&self) -> usize {
        self.0.turn()
    }

    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.0.side_names()[self.0.turn()]
    }

    #[getter]
    fn side_names(&self) -> (&'static str, &'static str) {
        self.0.side_names().into()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    #[getter]
    fn winner(&self) -> Option<usize> {
        self.0.outcome().and_then(Outcome::winner).map(game::Side::index)
    }

    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    #[getter]
    fn num_actions(&self) -> usize {
        self.0.action_count()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.0.moves()
    }

    fn legal_actions(&self) -> Vec<usize> {
        self.0.actions()
    }

    fn is_legal(&self, r#move: &str) -> bool {
        self.0.action(r#move).is_ok()
    }

    fn action_of(&self, r#move: &str) -> PyResult<usize> {
        Ok(self.0.action(r#move)?)
    }

    fn move_of(&self, action: i64) -> PyResult<String> {
        Ok(self.0.named(action)?)
    }

    fn play(&self, r#move: &str) -> PyResult<Self> {
        Ok(Self(self.0.play(r#move)?))
    }

    fn play_action(&self, action: i64) -> PyResult<Self> {
        Ok(Self(self.0.play(&self.0.named(action)?)?))
    }

    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.0.perft(depth))
    }

    fn perft_divide<'py>(&self, py: Python<'py>, depth: u32) -> PyResult<Bound<'py, PyDict>> {
        if depth == 0 {
            return Err(Wrong::Value("depth 0: expected 1 or more".to_owned()).into());
        }
        let counts = PyDict::new(py);
        for (m, count) in py.detach(|| self.0.divide(depth)) {
            counts.set_item(m, count)?;
        }
        Ok(counts)
    }

    fn diagram(&self) -> String {
        self.0.diagram()
    }

    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (planes, count) = self.0.planes();
        PyArray1::from_vec(py, planes).reshape([count, self.0.size(), self.0.size()])
    }

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
        self.0.id() == other.0.id() && self.0.key() == other.0.key() && self.0.text() == other.0.text()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.id(), self.0.key()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let arguments = PyTuple::new(py, [self.game().to_owned(), self.0.text()])?;
        Ok((py.get_type::<Self>(), arguments))
    }
}
