//! Plyhouse for Python.
//!
//! This crate is the module `plyhouse._plyhouse`. The folder `python` contains the parts written in Python, and the
//! file `_plyhouse.pyi` with the types of both. The crate exposes the libraries of Plyhouse. Its own code is the
//! encoding of positions and moves for machine learning (`encode`) and the parallel games (`tables`).
//!
//! Rules, searches and file formats are in the other crates.
#![allow(clippy::needless_pass_by_value, reason = "pyo3 passes arguments by value")]

mod attend;
mod batch;
mod chosen;
mod encode;
mod engine;
mod error;
mod network;
mod notation;
mod onnx;
mod parts;
mod planes;
mod policy;
mod position;
mod proof;
mod rating;
mod record;
mod roots;
mod rounds;
mod rules;
mod seat;
mod seed;
mod sgf;
mod slot;
mod table;
mod tables;
mod thought;
mod whole;

/// Board games with perfect information: the part of the package that is written in Rust.
#[pyo3::pymodule]
mod _plyhouse {
    use games::GameId;
    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::engine::{Engine, analyse};
    #[pymodule_export]
    use crate::position::PyPosition;
    #[pymodule_export]
    use crate::proof::{Proof, PyReply, prove};
    #[pymodule_export]
    use crate::rating::{_difference, _level_elo, _openings, _performance};
    #[pymodule_export]
    use crate::record::PyGame;
    #[pymodule_export]
    use crate::sgf::{SgfGame, SgfNode, read_sgf};
    #[pymodule_export]
    use crate::thought::{Analysis, Choice, Fact, Line, Score};

    use crate::encode::{Encoded, Visitor, dispatch};
    use crate::error::Wrong;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("GAMES", GameId::BUILT_IN.map(|game| game.name()))
    }

    struct About<'py>(Python<'py>);

    impl<'py> Visitor for About<'py> {
        type Output = PyResult<Bound<'py, PyDict>>;

        fn visit<P: Encoded>(self) -> Self::Output {
            let about = PyDict::new(self.0);
            about.set_item("name", P::NAME)?;
            about.set_item("title", P::TITLE)?;
            about.set_item("sizes", P::SIZES.collect::<Vec<_>>())?;
            about.set_item("usual_size", P::USUAL_SIZE)?;
            about.set_item("sides", <P as game::Position>::SIDE_NAMES)?;
            about.set_item("planes", P::PLANES)?;
            Ok(about)
        }
    }

    /// Returns the fixed properties of a game: title, board sizes, sides, and the meaning of each plane.
    #[pyfunction]
    fn about<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyDict>> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        dispatch(id, About(py))
    }
}
