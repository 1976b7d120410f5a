use thiserror::Error;

use crate::{Diagram, Finish, IllegalMove, MatchDraws, Outcome, PlayError, PliesLeft, Position, Reason, Side};

/// How a position of a record came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<M> {
    /// The game began with it.
    Start,
    /// The board was changed by hand.
    SetUp,
    /// This move was played.
    Move(M),
}

/// One position of a record and how it came about.
#[derive(Clone, Debug)]
pub struct Step<P: Position> {
    /// How the position was reached.
    pub origin: Origin<P::Move>,
    /// The position.
    pub position: P,
    /// How the game finished here, if it did.
    pub finish: Option<Finish>,
}

/// A move limit that is too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a limit of {limit} moves is not more than the {made} moves made")]
pub struct LimitError {
    /// The limit that was asked for, in moves of both sides.
    pub limit: u32,
    /// Moves made already.
    pub made: u32,
}

/// A game being played: every position since its start, the move limit and the finish.
///
/// After each move the game is judged, in this order: the board, the move limit, a stuck opponent, the draws of a
/// match. Setting up a position judges nothing, so that play can go on from a board that would be decided;
/// [`judge`](Self::judge) does it on request.
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
    /// Never empty: the first is the start.
    steps: Vec<Step<P>>,
    moves_made: [u32; 2],
    move_limit: Option<u32>,
    match_draws: Option<MatchDraws>,
}

impl<P: Position> Record<P> {
    /// A game that begins with `start`, without a move limit. The start is not judged.
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

    /// Adds the draws of a match, if the game has any; see [`Position::MATCH_DRAWS`].
    #[must_use]
    pub fn with_match_draws(self) -> Self {
        self.with_draws(P::MATCH_DRAWS)
    }

    /// Sets the draws of a match; `None` removes them.
    #[must_use]
    pub fn with_draws(mut self, draws: Option<MatchDraws>) -> Self {
        self.match_draws = draws;
        self
    }

    /// Returns the draws of a match, if any apply.
    pub fn match_draws(&self) -> Option<MatchDraws> {
        self.match_draws
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.last().position
    }

    /// Every position so far, the start first.
    pub fn steps(&self) -> &[Step<P>] {
        &self.steps
    }

    /// The moves so far, without set-ups.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = P::Move> + '_ {
        self.steps.iter().filter_map(|step| match step.origin {
            Origin::Move(m) => Some(m),
            Origin::Start | Origin::SetUp => None,
        })
    }

    /// The move that led to the current position; `None` at the start and after a set-up.
    pub fn last_move(&self) -> Option<P::Move> {
        match self.last().origin {
            Origin::Move(m) => Some(m),
            Origin::Start | Origin::SetUp => None,
        }
    }

    /// The board as players see it, with the last move marked.
    pub fn diagram(&self) -> Diagram {
        self.position().diagram(self.last_move())
    }

    /// How the game finished, if it has.
    pub fn finish(&self) -> Option<Finish> {
        self.last().finish
    }

    /// Moves made by both sides since the start.
    pub fn moves_made(&self) -> u32 {
        self.moves_made[0] + self.moves_made[1]
    }

    /// Moves made by one side since the start.
    pub fn moves_made_by(&self, side: Side) -> u32 {
        self.moves_made[side.index()]
    }

    /// The limit on the moves of both sides together.
    pub fn move_limit(&self) -> Option<u32> {
        self.move_limit
    }

    /// Plies that may still be played before the move limit.
    pub fn plies_left(&self) -> PliesLeft {
        PliesLeft::from(self.move_limit).after(self.moves_made())
    }

    /// Changes the move limit.
    ///
    /// # Errors
    /// If that many moves have already been made.
    pub fn set_move_limit(&mut self, limit: Option<u32>) -> Result<(), LimitError> {
        match limit {
            Some(limit) if limit <= self.moves_made() => Err(LimitError { limit, made: self.moves_made() }),
            _ => {
                self.move_limit = limit;
                Ok(())
            }
        }
    }

    /// Checks a move, plays it and judges the position after it.
    ///
    /// # Errors
    /// If the game is finished or the move is not legal. The error gives the move back, and the record is unchanged.
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

    /// Plays a move that is known to be legal, as [`Position::play`] does, and judges the position after it.
    ///
    /// # Panics
    /// If the game is finished.
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

    /// Changes the board by hand. This is not a move: the counts stay, and a game that was over stays over. Several
    /// changes in a row make one entry.
    pub fn set_up(&mut self, position: P) {
        let step = Step { origin: Origin::SetUp, position, finish: self.finish() };
        match self.steps.last_mut() {
            Some(last) if last.origin == Origin::SetUp => *last = step,
            _ => self.steps.push(step),
        }
    }

    /// Judges the current position as after a move, and returns the finish if the game is over.
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

    /// Ends the game for a reason outside the rules of play: a side gave up, or a set-up left it without a move.
    pub fn declare(&mut self, finish: Finish) {
        self.finish_now(Some(finish));
    }

    fn finish_now(&mut self, finish: Option<Finish>) {
        if let Some(step) = self.steps.last_mut() {
            step.finish = finish;
        }
    }

    /// The draws of a match. Only positions since the last irreversible move count.
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
