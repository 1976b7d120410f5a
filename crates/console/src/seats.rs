use engine::Strength;
use game::{Finish, Origin, Outcome, Position, Reason, Record, Side};
use search::{Control, Engine, Limits};

use crate::words::{number, operand};
use game::Diagram;

use crate::{CommandError, Shown, Sink};

/// A game in a text interface: the record, who sits where, and the engine that plays for the automated sides.
pub(crate) struct Match<P: Position> {
    pub(crate) record: Record<P>,
    automated: [bool; 2],
    engine: Box<dyn Engine<P>>,
    limits: Limits,
    seed: Option<u64>,
}

/// How a game is shown: what differs from one text interface to the other.
pub(crate) trait Show<P: Position> {
    /// An automated player's move as its message shows it, without the leading `* `.
    fn message(&self, m: P::Move) -> String;
    /// The move as the log shows it, if automated moves are logged.
    fn logged(&self, m: P::Move) -> Option<String>;
    /// The board with the last move marked.
    fn diagram(&self, record: &Record<P>) -> Diagram;
    /// Whether somebody asked for the board after every move.
    fn is_verbose(&self) -> bool {
        false
    }
}

impl<P: Position> Match<P> {
    /// A game with the second side automated, as both courses begin.
    pub(crate) fn new(record: Record<P>, engine: Box<dyn Engine<P>>, limits: Limits) -> Self {
        Self { record, automated: [false, true], engine, limits, seed: None }
    }

    /// Puts another engine in, for another board size, say; it is seeded like the last.
    pub(crate) fn set_engine(&mut self, engine: Box<dyn Engine<P>>, limits: Limits) {
        (self.engine, self.limits) = (engine, limits);
        if let Some(seed) = self.seed {
            self.engine.new_game(seed);
        }
    }

    /// `seed N`.
    pub(crate) fn set_seed(&mut self, words: &[&str]) -> Result<(), CommandError> {
        let seed = number(operand(words, 1, "seed N")?, i64::MIN..=i64::MAX, "seed")? as u64;
        self.seed = Some(seed);
        self.engine.new_game(seed);
        Ok(())
    }

    pub(crate) fn set_automated(&mut self, side: Side, automated: bool) {
        self.automated[side.index()] = automated;
    }

    /// The side whose move is read from the input; `None` when the game is over.
    pub(crate) fn to_move(&self) -> Option<Side> {
        self.record.finish().is_none().then(|| self.record.position().side_to_move())
    }

    /// A move that was read.
    pub(crate) fn play(&mut self, m: P::Move, show: &impl Show<P>, out: &mut dyn Sink) {
        self.record.play(m);
        out.board(&show.diagram(&self.record), show.is_verbose());
        self.announce(out);
    }

    /// # Errors
    /// If the game is over.
    pub(crate) fn check_open(&self) -> Result<(), CommandError> {
        match self.record.finish() {
            None => Ok(()),
            Some(_) => Err(CommandError("the game is over: expected `new` before another move".to_owned())),
        }
    }

    /// Lets automated players move until a person is to move or the game is over.
    pub(crate) fn run_automated(&mut self, show: &impl Show<P>, out: &mut dyn Sink) {
        while let Some(side) = self.to_move().filter(|side| self.automated[side.index()]) {
            let Some(choice) = self.engine.choose(&self.record, &self.limits, &mut Control::unattended()) else {
                // Only a position set up by hand gets here: after a move a stuck side has been judged.
                self.record.declare(Finish { outcome: Outcome::Win(!side), reason: Reason::Stuck });
                self.announce(out);
                return;
            };
            out.print(&format!("* {}", show.message(choice.best)));
            if let Some(line) = show.logged(choice.best) {
                out.log(&line);
            }
            self.play(choice.best, show, out);
        }
    }

    /// What the engine would play now.
    pub(crate) fn hint(&mut self) -> Option<P::Move> {
        self.engine.choose(&self.record, &self.limits, &mut Control::unattended()).map(|choice| choice.best)
    }

    /// Takes moves back until a person is to move again.
    ///
    /// # Errors
    /// If there is nothing to take back.
    pub(crate) fn undo(&mut self) -> Result<(), CommandError> {
        let is_persons = |this: &Self| this.to_move().is_some_and(|side| !this.automated[side.index()]);
        let reachable = self
            .record
            .steps()
            .iter()
            .rev()
            .skip(1)
            .any(|step| step.finish.is_none() && !self.automated[step.position.side_to_move().index()]);
        while reachable && self.record.undo().is_some() {
            if is_persons(self) {
                return Ok(());
            }
        }
        Err(CommandError("nothing to undo".to_owned()))
    }

    /// The game for somebody who looks on.
    pub(crate) fn shown(&self) -> Shown {
        let steps = self.record.steps();
        let begin = steps.iter().rposition(|step| !matches!(step.origin, Origin::Move(_))).unwrap_or(0);
        let moves = steps[begin + 1..].iter().filter_map(|step| match step.origin {
            Origin::Move(m) => Some(m.to_string()),
            _ => None,
        });
        let moves: Vec<String> = moves.collect();
        let before = self.record.moves_made().saturating_sub(moves.len() as u32);
        Shown {
            start: steps[begin].position.to_string(),
            moves,
            limit: self.record.move_limit().map(|limit| limit.saturating_sub(before)),
            automated: self.automated,
        }
    }

    /// Says how the game finished, if it has.
    pub(crate) fn announce(&self, out: &mut dyn Sink) {
        match self.record.finish().map(|finish| finish.outcome) {
            Some(Outcome::Win(side)) => out.print(&format!("* {} wins.", P::side_name(side))),
            Some(Outcome::Draw) => out.print("* Tie game."),
            None => (),
        }
    }
}

/// An engine with the limits that a strength gives it.
pub(crate) fn strengthened<P, L>(
    strength: &Strength,
    profile: &engine::Profile,
    player: impl FnOnce(search::Settings) -> search::AlphaBeta<P, L>,
) -> (Box<dyn Engine<P>>, Limits)
where
    P: Position,
    L: search::Policy<P> + 'static,
{
    (Box::new(player(strength.apply(profile))), strength.limits(profile))
}
