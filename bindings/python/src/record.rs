//! `Game`: a game being played.

use core::any::Any;
use std::sync::Arc;

use game::{Finish, Outcome, Reason, Record, plural};
use games::{Game as _, GameId};
use protocol::sgf;
use pyo3::prelude::*;

use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;
use crate::position::{AnyPosition, Held, PyPosition, find, start};
use crate::rules::Rules;

/// A game being played, of any kind.
pub(crate) trait AnyGame: Any + Send + Sync {
    fn id(&self) -> GameId;
    fn rules(&self) -> Rules;
    fn position(&self) -> Arc<dyn AnyPosition>;
    fn positions(&self) -> Vec<Arc<dyn AnyPosition>>;
    fn moves(&self) -> Vec<String>;
    fn actions(&self) -> Vec<usize>;
    fn finish(&self) -> Option<Finish>;
    fn diagram(&self) -> String;
    fn play(&mut self, text: &str) -> Result<String, Wrong>;
    fn play_action(&mut self, action: i64) -> Result<String, Wrong>;
    fn undo(&mut self) -> Option<String>;
    fn fork(&self) -> Box<dyn AnyGame>;
    fn as_any(&self) -> &dyn Any;
}

/// A game being played, with the types of its kind.
pub(crate) struct Playing<P: Encoded> {
    pub(crate) record: Record<P>,
    pub(crate) rules: Rules,
}

impl<P: Encoded> AnyGame for Playing<P> {
    fn id(&self) -> GameId {
        GameId::of::<P>()
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn position(&self) -> Arc<dyn AnyPosition> {
        Arc::new(Held::<P>(self.record.position().clone()))
    }

    fn positions(&self) -> Vec<Arc<dyn AnyPosition>> {
        let held = |p: &P| -> Arc<dyn AnyPosition> { Arc::new(Held::<P>(p.clone())) };
        self.record.steps().iter().map(|step| held(&step.position)).collect()
    }

    fn moves(&self) -> Vec<String> {
        self.record.moves().map(|m| m.to_string()).collect()
    }

    fn actions(&self) -> Vec<usize> {
        let steps = self.record.steps().windows(2);
        steps.filter_map(|pair| Some(P::action(&pair[0].position, pair[1].origin.made()?))).collect()
    }

    fn finish(&self) -> Option<Finish> {
        self.record.finish()
    }

    fn diagram(&self) -> String {
        self.record.diagram().to_string()
    }

    fn play(&mut self, text: &str) -> Result<String, Wrong> {
        let m = self.record.position().parse_move(text).map_err(|error| Wrong::value(error.in_words()))?;
        self.record.try_play(m).map_err(Wrong::value)?;
        Ok(m.to_string())
    }

    fn play_action(&mut self, action: i64) -> Result<String, Wrong> {
        let m = find::<P>(self.record.position(), action)?;
        self.record.try_play(m).map_err(Wrong::value)?;
        Ok(m.to_string())
    }

    fn undo(&mut self) -> Option<String> {
        self.record.undo()?.made().map(|m| m.to_string())
    }

    fn fork(&self) -> Box<dyn AnyGame> {
        Box::new(Self { record: self.record.clone(), rules: self.rules })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The arguments of a new game.
pub(crate) struct Open<'a> {
    pub(crate) size: Option<usize>,
    pub(crate) start: Option<&'a str>,
    pub(crate) moves: &'a [String],
    pub(crate) rules: &'a str,
    pub(crate) repetitions: Option<u32>,
    pub(crate) move_limit: Option<u32>,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn AnyGame>, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let start = start::<P>(self.size, self.start)?;
        let rules = Rules::new(self.rules, &start, self.repetitions, self.move_limit)?;
        let mut game = Playing::<P> { record: rules.record(start), rules };
        for (ply, text) in (1..).zip(self.moves) {
            game.play(text).map_err(|wrong| Wrong::Value(format!("move {ply}: {wrong}")))?;
        }
        Ok(Box::new(game))
    }
}

/// A game being played.
#[pyclass(module = "plyhouse", name = "Game")]
pub(crate) struct PyGame(pub(crate) Box<dyn AnyGame>);

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (
        game, *, size=None, start=None, moves=None, rules="plyhouse", repetitions=None, move_limit=None
    ))]
    fn new(
        game: &str,
        size: Option<usize>,
        start: Option<&str>,
        moves: Option<Vec<String>>,
        rules: &str,
        repetitions: Option<u32>,
        move_limit: Option<u32>,
    ) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        let moves = moves.unwrap_or_default();
        Ok(Self(dispatch(id, Open { size, start, moves: &moves, rules, repetitions, move_limit })?))
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.0.id().name()
    }

    #[getter]
    fn size(&self) -> usize {
        self.0.position().size()
    }

    #[getter]
    fn rules(&self) -> &'static str {
        self.0.rules().name()
    }

    #[getter]
    fn move_limit(&self) -> Option<u32> {
        self.0.rules().move_limit
    }

    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.0.position())
    }

    #[getter]
    fn positions(&self) -> Vec<PyPosition> {
        self.0.positions().into_iter().map(PyPosition).collect()
    }

    #[getter]
    fn turn(&self) -> usize {
        self.0.position().turn()
    }

    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    #[getter]
    fn actions(&self) -> Vec<usize> {
        self.0.actions()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.finish().is_some()
    }

    #[getter]
    fn winner(&self) -> Option<usize> {
        self.0.finish().and_then(|finish| finish.outcome.winner()).map(game::Side::index)
    }

    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.0.finish().map(|finish| match finish.reason {
            Reason::Board => "board",
            Reason::MoveLimit => "move limit",
            Reason::Stuck => "stuck",
            Reason::Repetition => "repetition",
            Reason::QuietPlies => "quiet plies",
        })
    }

    #[getter]
    fn returns(&self) -> (f64, f64) {
        match self.0.finish().map(|finish| finish.outcome) {
            Some(Outcome::Win(game::Side::First)) => (1.0, -1.0),
            Some(Outcome::Win(game::Side::Second)) => (-1.0, 1.0),
            Some(Outcome::Draw) | None => (0.0, 0.0),
        }
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.is_over() { Vec::new() } else { self.0.position().moves() }
    }

    fn legal_actions(&self) -> Vec<usize> {
        if self.is_over() { Vec::new() } else { self.0.position().actions() }
    }

    fn play(&mut self, r#move: &str) -> PyResult<String> {
        Ok(self.0.play(r#move)?)
    }

    fn play_action(&mut self, action: i64) -> PyResult<String> {
        Ok(self.0.play_action(action)?)
    }

    fn undo(&mut self) -> Option<String> {
        self.0.undo()
    }

    fn copy(&self) -> Self {
        Self(self.0.fork())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn diagram(&self) -> String {
        self.0.diagram()
    }

    #[pyo3(
        signature = (*, players=(String::new(), String::new()), event="", date="", result=None, comment=""),
        text_signature = "($self, *, players=('', ''), event='', date='', result=None, comment='')"
    )]
    fn sgf(
        &self,
        players: (String, String),
        event: &str,
        date: &str,
        result: Option<String>,
        comment: &str,
    ) -> PyResult<String> {
        if self.0.id() != GameId::LOA {
            let error = format!("{} has no SGF: expected a game of loa", self.game());
            return Err(Wrong::Value(error).into());
        }
        let positions = self.0.positions();
        let first = positions.first().map(|p| p.text()).unwrap_or_default();
        let usual = loa::Position::start_on(loa::Position::USUAL_SIZE).to_string();
        let by_outcome = || match self.0.finish().map(|finish| finish.outcome) {
            Some(Outcome::Win(game::Side::First)) => "B+".to_owned(),
            Some(Outcome::Win(game::Side::Second)) => "W+".to_owned(),
            Some(Outcome::Draw) => "0".to_owned(),
            None => String::new(),
        };
        let file = sgf::Game {
            players: players.into(),
            event: event.to_owned(),
            date: date.to_owned(),
            result: result.unwrap_or_else(by_outcome),
            comment: comment.to_owned(),
            start: (first != usual).then_some(first),
            nodes: sgf::line(self.0.moves()),
            left_out: None,
        };
        Ok(file.to_string())
    }

    fn __len__(&self) -> usize {
        self.0.moves().len()
    }

    fn __str__(&self) -> String {
        self.0.moves().join(" ")
    }

    fn __repr__(&self) -> String {
        format!(
            "<Game {} on {} after {} move{}: {}>",
            self.game(),
            self.size(),
            self.__len__(),
            plural(self.__len__()),
            self.0.position().text()
        )
    }
}
