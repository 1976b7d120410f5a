//! `SgfGame` and `read_sgf`: files of Lines of Action with variations, comments and marks.

use core::hash::{Hash, Hasher};
use std::collections::hash_map::DefaultHasher;
use std::ffi::CString;

use game::plural;
use games::GameId;
use protocol::sgf::{self, Mark};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyString, PyType};

use crate::encode::dispatch;
use crate::error::Wrong;
use crate::record::{Open, PyGame};
use crate::whole::Whole;

/// A game of Lines of Action from an SGF file. `str` returns it as SGF with its variations.
///
/// The constructor reads a file with one game; `read_sgf` reads files with any number. A variation is cut before its
/// first illegal move, with a `UserWarning`.
///
/// Games are equal if their SGF texts are equal. They can be hashed, copied and pickled.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct SgfGame(sgf::Game);

/// A node of a game in a file: a move, or the start.
#[pyclass(module = "plyhouse", frozen, eq, hash, get_all)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SgfNode {
    /// The number of the preceding node; `None` at the start.
    parent: Option<usize>,
    /// The move; `None` at the start.
    r#move: Option<String>,
    /// A comment on the move.
    comment: String,
    /// The annotation of the move's quality, such as `"!"` or `"?!"`.
    mark: Option<&'static str>,
}

#[pymethods]
impl SgfNode {
    #[new]
    #[pyo3(
        signature = (parent=None, r#move=None, comment=String::new(), mark=None),
        text_signature = "(parent=None, move=None, comment='', mark=None)"
    )]
    fn new(parent: Option<Whole>, r#move: Option<String>, comment: String, mark: Option<&str>) -> PyResult<Self> {
        let parent = parent.map(|parent| parent.within("parent", 0..=usize::MAX, ", or None")).transpose()?;
        let glyph = |found: &str| {
            let wrong = || format!("mark {found:?}: expected one of {}", Mark::ALL.map(|(_, glyph)| glyph).join(" "));
            Mark::of_glyph(found).map(Mark::glyph).ok_or_else(|| Wrong::Value(wrong()))
        };
        Ok(Self { parent, r#move, comment, mark: mark.map(glyph).transpose()? })
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    #[allow(clippy::type_complexity)] // Python's types
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (Option<usize>, Option<String>, String, Option<&'static str>)) {
        (py.get_type::<Self>(), (self.parent, self.r#move.clone(), self.comment.clone(), self.mark))
    }

    fn __repr__(&self) -> String {
        format!("<SgfNode {}{}>", self.r#move.as_deref().unwrap_or("start"), self.mark.unwrap_or_default())
    }
}

#[pymethods]
impl SgfGame {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        let mut games = sgf::read(text).map_err(Wrong::value)?;
        match (games.pop(), games.len()) {
            (Some(game), 0) => {
                warn(py, cut_of(&game))?;
                Ok(Self(game))
            }
            (_, others) => Err(Wrong::Value(format!("a file of {} games: expected one game", others + 1)).into()),
        }
    }

    /// The names of Black and White.
    #[getter]
    fn players(&self) -> (String, String) {
        self.0.players.clone().into()
    }

    /// The name of the event.
    #[getter]
    fn event(&self) -> &str {
        &self.0.event
    }

    /// The date of the game.
    #[getter]
    fn date(&self) -> &str {
        &self.0.date
    }

    /// `B+`, `W+`, `0` for a draw, or a result with a reason, such as `B+Time`.
    #[getter]
    fn result(&self) -> &str {
        &self.0.result
    }

    /// A comment on the game.
    #[getter]
    fn comment(&self) -> &str {
        &self.0.comment
    }

    /// The position text of the start, if it is not the usual one.
    #[getter]
    fn start(&self) -> Option<&str> {
        self.0.start.as_deref()
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.0.main_line()
    }

    /// The start and all moves, each after its parent. The first child of a node continues the main line.
    #[getter]
    fn nodes(&self) -> Vec<SgfNode> {
        let nodes = self.0.nodes.iter().enumerate();
        let node = |(number, node): (usize, &sgf::Node)| SgfNode {
            parent: (number > 0).then_some(node.parent),
            r#move: (number > 0).then(|| node.text.clone()),
            comment: node.comment.clone(),
            mark: node.mark.map(Mark::glyph),
        };
        nodes.map(node).collect()
    }

    /// Returns the main line as a game that can be continued.
    fn game(&self) -> PyResult<PyGame> {
        let moves: Vec<String> = self.0.main_line().into_iter().map(str::to_owned).collect();
        let open = Open {
            size: None,
            start: self.0.start.as_deref(),
            moves: &moves,
            rules: "plyhouse",
            repetitions: None,
            move_limit: None,
        };
        Ok(PyGame::of(dispatch(GameId::LOA, open)?))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let [black, white] = &self.0.players;
        let moves = self.0.main_line().len();
        format!("<SgfGame {black:?} against {white:?}, {moves} move{}>", plural(moves))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.__str__() == other.__str__()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.__str__().hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the class and its arguments, for `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.__str__(),))
    }
}

/// The text of a file, given as `str` or as bytes.
pub(crate) struct Content(String);

impl<'py> FromPyObject<'_, 'py> for Content {
    type Error = PyErr;

    fn extract(found: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = found.cast::<PyString>() {
            return Ok(Self(text.extract()?));
        }
        let Ok(bytes) = found.extract::<PyBackedBytes>() else {
            let kind = found.get_type().name()?;
            return Err(Wrong::Type(format!("{kind} found, expected str or bytes")).into());
        };
        Ok(Self(sgf::decode(&bytes).map_err(Wrong::value)?))
    }
}

/// Returns the warning for the moves of variations that were left out.
fn cut_of(game: &sgf::Game) -> Option<String> {
    let cut = game.left_out.as_ref()?;
    Some(format!("moves of variations were left out ({}): {}", cut.count, cut.first))
}

/// Issues each text as a `UserWarning`.
fn warn(py: Python<'_>, texts: impl IntoIterator<Item = String>) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    for text in texts {
        PyErr::warn(py, &category, &CString::new(text).map_err(Wrong::value)?, 1)?;
    }
    Ok(())
}

/// Reads the games of an SGF file. The property `CA` of the file determines how bytes are decoded.
///
/// Each invalid game is skipped with a `UserWarning` that describes the error and its place. If no game is valid, a
/// `ValueError` is raised. A variation is cut before its first illegal move, with a warning.
#[pyfunction]
pub(crate) fn read_sgf(py: Python<'_>, text: Content) -> PyResult<Vec<SgfGame>> {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in sgf::read_each(&text.0) {
        match game {
            Ok(game) => games.push(SgfGame(game)),
            Err(error) => errors.push(error),
        }
    }
    if let (true, Some(error)) = (games.is_empty(), errors.first()) {
        return Err(Wrong::value(error).into());
    }
    let left_out = errors.iter().map(|error| format!("a game was left out: {error}"));
    warn(py, left_out.chain(games.iter().filter_map(|game| cut_of(&game.0))))?;
    Ok(games)
}
