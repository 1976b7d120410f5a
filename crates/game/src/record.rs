use thiserror::Error;

use crate::diagram::Diagram;
use crate::message;
use crate::message::{Explain, Message};
use crate::outcome::{Finish, MatchDraws, Outcome, Reason};
use crate::plies_left::PliesLeft;
use crate::position::{IllegalMove, Position};
use crate::side::Side;

/// The origin of a position of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<M> {
    /// The start position.
    Start,
    /// The board was edited.
    SetUp,
    /// This move was played.
    Move(M),
}

impl<M> Origin<M> {
    /// Returns the move; `None` for the start and for an edited board.
    pub fn made(self) -> Option<M> {
        if let Self::Move(m) = self { Some(m) } else { None }
    }
}

/// One position of a record, with its origin.
#[derive(Clone, Debug)]
pub struct Step<P: Position> {
    /// The origin of the position.
    pub origin: Origin<P::Move>,
    /// The position.
    pub position: P,
    /// The result, if the game ended here.
    pub finish: Option<Finish>,
}

/// The error of a move limit that is too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct LimitError {
    /// Requested limit, in moves of both sides.
    pub limit: u32,
    /// Number of moves already made, by both sides.
    pub made: u32,
}

impl Explain for LimitError {
    fn message(&self) -> Message {
        let Self { limit, made } = self;
        message!("move.limit", "move limit {limit}: expected more than {made}, the number of moves made", limit, made)
    }
}

/// The error of [`Record::try_play`]: a move that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError<P: Position> {
    /// The game is over.
    #[error("move {m} after the end of the game")]
    Finished {
        /// The move.
        m: P::Move,
        /// Outcome of the game and the rule that ended it.
        finish: Finish,
    },
    /// The move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<P>),
}

/// A game in progress: every position since its start, the move limit and the result.
///
/// Each move checks whether the game is over, in this order: the board, the move limit, a stuck opponent, the draw
/// rules of a match. A set-up skips this check, so that play can continue from a decided board; [`judge`](Self::judge)
/// performs it on request.
///
/// ```
/// use game::{Position, Record, Side, examples::Nim};
///
/// let mut game = Record::new("5 a".parse::<Nim>()?);
/// game.play(game.position().parse_move("3")?);
/// game.play(game.position().parse_move("2")?);
/// assert_eq!(game.finish().map(|f| f.outcome.winner()), Some(Some(Side::Second)));
/// game.undo();
/// assert_eq!(game.position().to_string(), "2 b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record<P: Position> {
    /// Positions in order, beginning with the start. Never empty.
    steps: Vec<Step<P>>,
    moves_made: [u32; 2],
    move_limit: Option<u32>,
    match_draws: Option<MatchDraws>,
}

impl<P: Position> Record<P> {
    /// Creates a game that begins with `start`, without a move limit. It does not check whether the start is decided.
    pub fn new(start: P) -> Self {
        let first = Step { origin: Origin::Start, position: start, finish: None };
        Self { steps: vec![first], moves_made: [0, 0], move_limit: None, match_draws: None }
    }

    /// Sets a move limit: the game is drawn if it is undecided after this many moves of both sides together.
    #[must_use]
    pub fn with_move_limit(mut self, limit: u32) -> Self {
        self.move_limit = Some(limit);
        self
    }

    /// Adds moves that both sides together made before the start. The record does not contain them, but they count
    /// towards the move limit.
    #[must_use]
    pub fn with_earlier_moves(mut self, made: u32) -> Self {
        let mover = self.position().side_to_move();
        self.moves_made[mover.index()] += made / 2;
        self.moves_made[mover.other().index()] += made.div_ceil(2);
        self
    }

    /// Adds the draw rules of a match, if the game has any; see [`Position::MATCH_DRAWS`].
    #[must_use]
    pub fn with_match_draws(self) -> Self {
        self.with_draws(P::MATCH_DRAWS)
    }

    /// Sets the draw rules of a match; `None` removes them.
    #[must_use]
    pub fn with_draws(mut self, draws: Option<MatchDraws>) -> Self {
        self.match_draws = draws;
        self
    }

    /// Returns the draw rules of a match, if any apply.
    pub fn match_draws(&self) -> Option<MatchDraws> {
        self.match_draws
    }

    /// Returns the current position.
    pub fn position(&self) -> &P {
        &self.last().position
    }

    /// Returns the position with which the game began.
    pub fn start_position(&self) -> &P {
        &self.steps[0].position
    }

    /// Returns every position so far, in order, beginning with the start.
    pub fn steps(&self) -> &[Step<P>] {
        &self.steps
    }

    /// Returns the moves so far, without set-ups.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = P::Move> + '_ {
        self.steps.iter().filter_map(|step| step.origin.made())
    }

    /// Returns the move that led to the current position; `None` at the start and after a set-up.
    pub fn last_move(&self) -> Option<P::Move> {
        self.last().origin.made()
    }

    /// Returns the board as shown to players, with the last move marked.
    pub fn diagram(&self) -> Diagram {
        self.position().diagram(self.last_move())
    }

    /// Returns the result if the game is over.
    pub fn finish(&self) -> Option<Finish> {
        self.last().finish
    }

    /// Returns the number of moves that both sides have made since the start.
    pub fn moves_made(&self) -> u32 {
        self.moves_made[0] + self.moves_made[1]
    }

    /// Returns the number of moves that one side has made since the start.
    pub fn moves_made_by(&self, side: Side) -> u32 {
        self.moves_made[side.index()]
    }

    /// Returns the limit on the moves of both sides together.
    pub fn move_limit(&self) -> Option<u32> {
        self.move_limit
    }

    /// Returns the number of plies left until the move limit.
    pub fn plies_left(&self) -> PliesLeft {
        PliesLeft::from(self.move_limit).after(self.moves_made())
    }

    /// Changes the move limit.
    ///
    /// # Errors
    /// If the number of moves already made reaches or exceeds the limit.
    pub fn set_move_limit(&mut self, limit: Option<u32>) -> Result<(), LimitError> {
        match limit {
            Some(limit) if limit <= self.moves_made() => Err(LimitError { limit, made: self.moves_made() }),
            _ => {
                self.move_limit = limit;
                Ok(())
            }
        }
    }

    /// Checks a move, plays it and checks whether the game is over.
    ///
    /// # Errors
    /// If the game is over or the move is illegal. The error returns the move, and the record is unchanged.
    pub fn try_play(&mut self, m: P::Move) -> Result<(), PlayError<P>> {
        if let Some(finish) = self.finish() {
            return Err(PlayError::Finished { m, finish });
        }
        if let Some(refusal) = self.position().refusal(m) {
            return Err(IllegalMove { m, refusal }.into());
        }
        self.play(m);
        Ok(())
    }

    /// Plays a move that must be legal, as for [`Position::play`], and checks whether the game is over.
    ///
    /// # Panics
    /// If the game is over.
    pub fn play(&mut self, m: P::Move) {
        assert!(self.finish().is_none(), "invariant: no move is played in a finished game\n{}", self.position());
        self.moves_made[self.position().side_to_move().index()] += 1;
        let position = self.position().child(m);
        self.steps.push(Step { origin: Origin::Move(m), position, finish: None });
        self.judge();
    }

    /// Takes back the last move or set-up and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Origin<P::Move>> {
        if self.steps.len() < 2 {
            return None;
        }
        let undone = self.steps.pop()?;
        if let Origin::Move(_) = undone.origin {
            self.moves_made[self.position().side_to_move().index()] -= 1;
        }
        Some(undone.origin)
    }

    /// Edits the board. This is not a move: the move counts stay the same, and a finished game stays finished.
    /// Consecutive edits form a single entry.
    pub fn set_up(&mut self, position: P) {
        let step = Step { origin: Origin::SetUp, position, finish: self.finish() };
        match self.steps.last_mut() {
            Some(last) if last.origin == Origin::SetUp => *last = step,
            _ => self.steps.push(step),
        }
    }

    /// Checks whether the game is over as after a move, and returns the result if it is.
    pub fn judge(&mut self) -> Option<Finish> {
        let left = self.plies_left();
        let finish = || left.finish(self.position());
        let finish = if self.match_draws.is_some_and(|draws| draws.by_board) {
            let limit = Finish { outcome: Outcome::Draw, reason: Reason::MoveLimit };
            (!left.allows(1)).then_some(limit).or_else(|| self.drawn_by_match()).or_else(finish)
        } else {
            finish().or_else(|| self.drawn_by_match())
        };
        self.finish_now(finish);
        finish
    }

    /// Ends the game for a reason outside the rules of play: a side resigned, or a set-up left it without a move.
    pub fn declare(&mut self, finish: Finish) {
        self.finish_now(Some(finish));
    }

    fn finish_now(&mut self, finish: Option<Finish>) {
        if let Some(step) = self.steps.last_mut() {
            step.finish = finish;
        }
    }

    /// Checks the draw rules of a match. Only positions since the last irreversible move count.
    fn drawn_by_match(&self) -> Option<Finish> {
        let draws = self.match_draws?;
        let (mut quiet, mut times) = (0, 1);
        for pair in self.steps.windows(2).rev() {
            let [before, after] = pair else { break };
            match after.origin {
                Origin::Move(m) if !before.position.is_irreversible(m) => (),
                _ => break,
            }
            quiet += 1;
            let same = if draws.by_board {
                before.position.same_board(self.position())
            } else {
                before.position == *self.position()
            };
            times += u32::from(same);
        }
        let reason = if times >= draws.repetitions {
            Reason::Repetition
        } else if quiet >= draws.quiet_plies {
            Reason::QuietPlies
        } else {
            return None;
        };
        Some(Finish { outcome: Outcome::Draw, reason })
    }

    fn last(&self) -> &Step<P> {
        self.steps.last().expect("invariant: a record has a start")
    }
}
