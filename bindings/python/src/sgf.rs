//! `SgfGame` and `read_sgf`: files of Lines of Action with variations, comments and marks.

use std::ffi::CString;

use game::plural;
use games::GameId;
use protocol::sgf::{self, Mark};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::encode::dispatch;
use crate::error::Wrong;
use crate::record::{Open, PyGame};

/// A game of a file.
#[pyclass(module = "plyhouse", frozen)]
pub(crate) struct SgfGame(sgf::Game);

/// A node of a game in a file: a move, or the start.
#[pyclass(module = "plyhouse", frozen, get_all)]
pub(crate) struct SgfNode {
    parent: Option<usize>,
    r#move: Option<String>,
    comment: String,
    mark: Option<&'static str>,
}

#[pymethods]
impl SgfNode {
    fn __repr__(&self) -> String {
        format!("<SgfNode {}{}>", self.r#move.as_deref().unwrap_or("start"), self.mark.unwrap_or_default())
    }
}

#[pymethods]
impl SgfGame {
    #[getter]
    fn players(&self) -> (String, String) {
        self.0.players.clone().into()
    }

    #[getter]
    fn event(&self) -> &str {
        &self.0.event
    }

    #[getter]
    fn date(&self) -> &str {
        &self.0.date
    }

    #[getter]
    fn result(&self) -> &str {
        &self.0.result
    }

    #[getter]
    fn comment(&self) -> &str {
        &self.0.comment
    }

    #[getter]
    fn start(&self) -> Option<&str> {
        self.0.start.as_deref()
    }

    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.0.main_line()
    }

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
        Ok(PyGame(dispatch(GameId::LOA, open)?))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let [black, white] = &self.0.players;
        let moves = self.0.main_line().len();
        format!("<SgfGame {black:?} against {white:?}, {moves} move{}>", plural(moves))
    }
}

/// The content of a file, as text or bytes.
#[derive(FromPyObject)]
pub(crate) enum Content {
    #[pyo3(transparent, annotation = "str")]
    Text(String),
    #[pyo3(transparent, annotation = "bytes")]
    Bytes(PyBackedBytes),
}

/// Reads the games of a file. Each invalid game is skipped with a warning, unless no game is valid. A variation is cut
/// before its first illegal move with a warning.
#[pyfunction]
pub(crate) fn read_sgf(py: Python<'_>, text: Content) -> PyResult<Vec<SgfGame>> {
    let text = match text {
        Content::Text(text) => text,
        Content::Bytes(bytes) => sgf::decode(&bytes).map_err(Wrong::value)?,
    };
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in sgf::read_each(&text) {
        match game {
            Ok(game) => games.push(SgfGame(game)),
            Err(error) => errors.push(error),
        }
    }
    if let (true, Some(error)) = (games.is_empty(), errors.first()) {
        return Err(Wrong::value(error).into());
    }
    let left_out = errors.iter().map(|error| format!("a game was left out: {error}"));
    let cut = games.iter().filter_map(|game| game.0.left_out.as_ref());
    let cut = cut.map(|cut| format!("moves of variations were left out ({}): {}", cut.count, cut.first));
    let category = py.get_type::<PyUserWarning>();
    for warning in left_out.chain(cut) {
        let text = CString::new(warning).map_err(Wrong::value)?;
        PyErr::warn(py, &category, &text, 1)?;
    }
    Ok(games)
}
