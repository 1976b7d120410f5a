//! `Game`: a game being played.

use core::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game::{Finish, MatchDraws, Outcome, Reason, Record, plural};
use games::{Game as _, GameId};
use protocol::sgf;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;
use crate::notation::{Moves, read, written};
use crate::position::{AnyPosition, Held, PyPosition, action_id, find, start};
use crate::rules::Rules;
use crate::whole::{Whole, board_size};

/// A game being played, of any kind.
pub(crate) trait AnyGame: Any + Send + Sync {
    fn id(&self) -> GameId;
    fn rules(&self) -> Rules;
    /// Returns the draw rules in matches of this game.
    fn own_draws(&self) -> Option<MatchDraws>;
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
    /// Returns `true` if both games have the same rules, start and moves.
    fn same(&self, other: &dyn AnyGame) -> bool;
    fn as_any(&self) -> &dyn Any;
}

/// A game being played, with the types of its kind.
pub(crate) struct Playing<P: Encoded> {
    pub(crate) record: Record<P>,
    pub(crate) rules: Rules,
}

impl<P: Encoded> Playing<P> {
    /// Returns the game with its type.
    ///
    /// # Errors
    /// If it is another game, or if its board has another size.
    pub(crate) fn of(game: &dyn AnyGame, size: usize) -> Result<&Self, Wrong> {
        let Some(playing) = game.as_any().downcast_ref::<Self>() else {
            return Err(Wrong::Value(format!("a game of {} found, expected {}", game.id(), P::NAME)));
        };
        let found = P::size(playing.record.position());
        if found != size {
            return Err(Wrong::Value(format!("a board of {found} squares per side found, expected {size}")));
        }
        Ok(playing)
    }
}

impl<P: Encoded> AnyGame for Playing<P> {
    fn id(&self) -> GameId {
        GameId::of::<P>()
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn own_draws(&self) -> Option<MatchDraws> {
        P::MATCH_DRAWS
    }

    fn position(&self) -> Arc<dyn AnyPosition> {
        Arc::new(Held::<P>(self.record.position().clone()))
    }

    fn positions(&self) -> Vec<Arc<dyn AnyPosition>> {
        let held = |p: &P| -> Arc<dyn AnyPosition> { Arc::new(Held::<P>(p.clone())) };
        self.record.steps().iter().map(|step| held(&step.position)).collect()
    }

    fn moves(&self) -> Vec<String> {
        self.record.moves().map(written).collect()
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
        let m = read(self.record.position(), text)?;
        self.record.try_play(m).map_err(Wrong::value)?;
        Ok(written(m))
    }

    fn play_action(&mut self, action: i64) -> Result<String, Wrong> {
        let m = find::<P>(self.record.position(), action)?;
        self.record.try_play(m).map_err(Wrong::value)?;
        Ok(written(m))
    }

    fn undo(&mut self) -> Option<String> {
        self.record.undo()?.made().map(written)
    }

    fn fork(&self) -> Box<dyn AnyGame> {
        Box::new(Self { record: self.record.clone(), rules: self.rules })
    }

    fn same(&self, other: &dyn AnyGame) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Self>() else { return false };
        self.rules == other.rules
            && self.record.start_position() == other.record.start_position()
            && self.record.moves().eq(other.record.moves())
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

/// A game being played: its positions and moves, its draw rules, and its result.
///
/// The constructor starts a game and plays `moves`. `start` is a position text or the name of a start
/// (`"scrambled-eggs"` in Lines of Action), by default the usual start on a board of this `size`.
///
/// `rules` is the name of the rules. Under `"plyhouse"` a game without progress is drawn as in matches of this game
/// (checkers: the third occurrence of a position, 80 plies without a capture or a move of a man; other games: never).
/// `repetitions` sets the number of occurrences of a position that draws the game. A game is also drawn after
/// `move_limit` moves of both sides, by default never.
///
/// The rules `"openspiel"` exist for Lines of Action on the usual board. A repeated board draws the game, even if the
/// side to move is different. So does the move limit (by default 1000). Both apply even if the last move wins.
///
/// Lines of Action also has the rules `"mso"` of the Mind Sports Olympiad: a move that connects both sides and a third
/// occurrence of a position draw, and a side without a move passes (`pass`). `"cs61b"` and `"nus"` are other names of
/// the usual rules.
///
/// Games are equal if their rules, starts and moves are equal. They can be copied and pickled, but not hashed, because
/// they change. Several threads may use a game; each call is atomic.
#[pyclass(module = "plyhouse", name = "Game", frozen)]
pub(crate) struct PyGame(Mutex<Box<dyn AnyGame>>);

impl PyGame {
    pub(crate) fn of(game: Box<dyn AnyGame>) -> Self {
        Self(Mutex::new(game))
    }

    /// Locks the game. No caller waits for Python while it holds the lock.
    pub(crate) fn get(&self) -> MutexGuard<'_, Box<dyn AnyGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (
        game, *, size=None, start=None, moves=None, rules="plyhouse", repetitions=None, move_limit=None
    ))]
    fn new(
        game: &str,
        size: Option<Whole>,
        start: Option<&str>,
        moves: Option<Moves>,
        rules: &str,
        repetitions: Option<Whole>,
        move_limit: Option<Whole>,
    ) -> PyResult<Self> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        let moves = moves.map_or_else(Vec::new, |Moves(moves)| moves);
        let count = |number: Option<Whole>, name, least| {
            number.map(|number| number.within(name, least..=u32::MAX, ", or None")).transpose()
        };
        let (repetitions, move_limit) = (count(repetitions, "repetitions", 2)?, count(move_limit, "move_limit", 1)?);
        let size = board_size(size)?;
        Ok(Self::of(dispatch(id, Open { size, start, moves: &moves, rules, repetitions, move_limit })?))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.get().id().name()
    }

    /// Board size, in squares per side.
    #[getter]
    fn size(&self) -> usize {
        self.get().position().size()
    }

    /// The name of the rules: `"plyhouse"`, `"openspiel"`, `"mso"`, `"cs61b"` or `"nus"`.
    #[getter]
    fn rules(&self) -> &'static str {
        self.get().rules().name()
    }

    /// Number of moves of both sides after which the game is drawn.
    #[getter]
    fn move_limit(&self) -> Option<u32> {
        self.get().rules().move_limit
    }

    /// The current position.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.get().position())
    }

    /// All positions so far, from the start on.
    #[getter]
    fn positions(&self) -> Vec<PyPosition> {
        self.get().positions().into_iter().map(PyPosition).collect()
    }

    /// The player to move: 0 or 1.
    #[getter]
    fn turn(&self) -> usize {
        self.get().position().turn()
    }

    /// The moves so far.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.get().moves()
    }

    /// The ids of the moves so far.
    #[getter]
    fn actions(&self) -> Vec<usize> {
        self.get().actions()
    }

    /// `True` if the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.get().finish().is_some()
    }

    /// The player who has won; `None` after a draw and during the game.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.get().finish().and_then(|finish| finish.outcome.winner()).map(game::Side::index)
    }

    /// The rule that ended the game: `"board"`, `"move limit"`, `"stuck"`, `"repetition"` or `"quiet plies"`.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.get().finish().map(|finish| match finish.reason {
            Reason::Board => "board",
            Reason::MoveLimit => "move limit",
            Reason::Stuck => "stuck",
            Reason::Repetition => "repetition",
            Reason::QuietPlies => "quiet plies",
        })
    }

    /// The players' rewards: 1 for a win, -1 for a loss, otherwise 0.
    #[getter]
    fn returns(&self) -> (f64, f64) {
        match self.get().finish().map(|finish| finish.outcome) {
            Some(Outcome::Win(game::Side::First)) => (1.0, -1.0),
            Some(Outcome::Win(game::Side::Second)) => (-1.0, 1.0),
            Some(Outcome::Draw) | None => (0.0, 0.0),
        }
    }

    /// Returns the legal moves. A finished game has none.
    fn legal_moves(&self) -> Vec<String> {
        let game = self.get();
        if game.finish().is_some() { Vec::new() } else { game.position().moves() }
    }

    /// Returns the ids of the legal moves in ascending order. A finished game has none.
    fn legal_actions(&self) -> Vec<usize> {
        let game = self.get();
        if game.finish().is_some() { Vec::new() } else { game.position().actions() }
    }

    /// Plays a move, and returns it in its usual notation. After a `ValueError` the game is unchanged.
    fn play(&self, r#move: &str) -> PyResult<String> {
        Ok(self.get().play(r#move)?)
    }

    /// Plays the move with this id, and returns its notation.
    fn play_action(&self, action: Whole) -> PyResult<String> {
        let mut game = self.get();
        let action = action_id(action, &*game.position())?;
        Ok(game.play_action(action)?)
    }

    /// Takes back the last move, and returns it. Returns `None` at the start.
    fn undo(&self) -> Option<String> {
        self.get().undo()
    }

    /// Returns a copy that can be played independently.
    fn copy(&self) -> Self {
        Self::of(self.get().fork())
    }

    /// Returns `copy()`.
    fn __copy__(&self) -> Self {
        self.copy()
    }

    /// Returns `copy()`.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    /// Returns a drawing of the board with its coordinates and the last move.
    fn diagram(&self) -> String {
        self.get().diagram()
    }

    /// Returns the game as an SGF file. Only Lines of Action has SGF files.
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
        let game = self.get();
        if game.id() != GameId::LOA {
            let error = format!("{} has no SGF: expected a game of loa", game.id());
            return Err(Wrong::Value(error).into());
        }
        let first = start_text(&**game);
        let usual = loa::Position::start_on(loa::Position::USUAL_SIZE).to_string();
        let by_outcome = || match game.finish().map(|finish| finish.outcome) {
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
            nodes: sgf::line(game.moves()),
            left_out: None,
        };
        Ok(file.to_string())
    }

    fn __len__(&self) -> usize {
        self.get().moves().len()
    }

    fn __str__(&self) -> String {
        self.get().moves().join(" ")
    }

    fn __repr__(&self) -> String {
        let game = self.get();
        let (position, count) = (game.position(), game.moves().len());
        format!("<Game {} on {} after {count} move{}: {}>", game.id(), position.size(), plural(count), position.text())
    }

    fn __eq__(&self, other: &Self) -> bool {
        // The two games may be one object, so their locks are not held at the same time.
        let other = other.get().fork();
        self.get().same(&*other)
    }

    /// Returns a function and its arguments, for `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        let game = self.copy();
        let game = game.get();
        let rules = game.rules();
        let options = PyDict::new(py);
        options.set_item("start", start_text(&**game))?;
        options.set_item("moves", game.moves())?;
        options.set_item("rules", rules.name())?;
        options.set_item("repetitions", rules.repetitions(game.own_draws()))?;
        options.set_item("move_limit", rules.move_limit)?;
        let make = py.import("functools")?.call_method("partial", (py.get_type::<Self>(),), Some(&options))?;
        Ok((make, (game.id().name(),)))
    }
}

/// Returns the position text of the start.
fn start_text(game: &dyn AnyGame) -> String {
    game.positions().first().map(|p| p.text()).unwrap_or_default()
}
