//! Winning strategies of any game, read from a search.

use core::ops::ControlFlow;
use std::collections::{BTreeMap, HashSet};

use game::{Outcome, Position, Side, Symmetries, fold};
use search::{Stop, Stopped};
use thiserror::Error;

use super::prover::Prover;

/// A winning strategy: one move of the winner for each position that can occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Name of the game.
    pub game: String,
    /// Text of the position that is won.
    pub position: String,
    /// Winning side.
    pub winner: Side,
    /// Symmetries under which positions share one step.
    pub symmetries: Symmetries,
    /// Move and rank, by the smallest text of a position's images.
    pub steps: BTreeMap<String, (String, u32)>,
    /// Maximum length of the win, in plies.
    pub plies: u32,
}

/// Errors of reading a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoStrategy {
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The moves of the search lead back to the same position.
    #[error("the proof leads in a circle")]
    Circle,
    /// The position is not won, or its proof was not found again.
    #[error("no proof was found for {0}")]
    NotWon(String),
}

impl Strategy {
    /// Reads the strategy of `winner` from a search that has proven the win of `root`, which must be undecided. `tell`
    /// receives the number of steps. The recursion is as deep as a game is long, so the caller's thread needs a large
    /// stack.
    ///
    /// # Errors
    /// Returns an error if the search is stopped, if the position is not won, or if the moves of the search lead in
    /// circles.
    pub fn read<P: Position>(
        game: &str,
        root: &P,
        winner: Side,
        symmetries: Symmetries,
        prover: &mut dyn Prover<P>,
        stop: &Stop,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Self, NoStrategy> {
        let mut reader =
            Reader { winner, symmetries, prover, stop, tell, steps: BTreeMap::new(), path: HashSet::new() };
        // With rank 0 the next move wins, and each further rank takes one more move of both sides. The root has a step
        // even if it is won immediately.
        let plies = if root.side_to_move() == winner {
            let rank = reader.step(root)?;
            if reader.wins_at_once(root).is_some() { 1 } else { 2 * rank + 1 }
        } else {
            2 * reader.defence(root)? + 2
        };
        let steps = reader.steps;
        Ok(Self { game: game.to_owned(), position: root.to_string(), winner, symmetries, steps, plies })
    }
}

struct Reader<'a, P: Position> {
    winner: Side,
    symmetries: Symmetries,
    prover: &'a mut dyn Prover<P>,
    stop: &'a Stop,
    tell: &'a mut dyn FnMut(u64),
    steps: BTreeMap<String, (String, u32)>,
    /// Positions on the path to the current one in which the winner is to move.
    path: HashSet<String>,
}

impl<P: Position> Reader<'_, P> {
    /// Returns the rank of a position with the winner to move.
    fn attack(&mut self, p: &P) -> Result<u32, NoStrategy> {
        if self.wins_at_once(p).is_some() { Ok(0) } else { self.step(p) }
    }

    /// Creates the step of a position with the winner to move, and returns its rank.
    fn step(&mut self, p: &P) -> Result<u32, NoStrategy> {
        let text = p.to_string();
        let folded = fold(&text, self.symmetries);
        if let Some((_, rank)) = self.steps.get(&folded) {
            return Ok(*rank);
        }
        if !self.path.insert(folded.clone()) {
            return Err(NoStrategy::Circle);
        }
        let found = self.choose(p);
        self.path.remove(&folded);
        let (m, rank) = found?;
        let text = if text == folded { Some(m.to_string()) } else { self.image(p, m, &folded) };
        let text = text.ok_or_else(|| NoStrategy::NotWon(folded.clone()))?;
        self.steps.insert(folded, (text, rank + 1));
        let steps = self.steps.len() as u64;
        if steps.is_multiple_of(1 << 10) {
            self.stop.check(0)?;
            (self.tell)(steps);
        }
        Ok(rank + 1)
    }

    /// Returns the first move from which a strategy can be read, and the maximum rank that can follow.
    fn choose(&mut self, p: &P) -> Result<(P::Move, u32), NoStrategy> {
        if let Some(m) = self.wins_at_once(p) {
            return Ok((m, 0));
        }
        let mut trouble = NoStrategy::NotWon(p.to_string());
        for m in self.prover.winning_moves(p, self.winner)? {
            match self.defence(&p.child(m)) {
                Ok(rank) => return Ok((m, rank)),
                Err(NoStrategy::Circle) => trouble = NoStrategy::Circle,
                Err(other) => return Err(other),
            }
        }
        Err(trouble)
    }

    /// Returns the maximum rank that can follow a position with the opponent to move.
    fn defence(&mut self, p: &P) -> Result<u32, NoStrategy> {
        let mut most = 0;
        for m in p.movable() {
            let child = p.child(m);
            match child.outcome() {
                Some(outcome) if outcome == Outcome::Win(self.winner) => (),
                Some(_) => return Err(NoStrategy::NotWon(p.to_string())),
                None => most = most.max(self.attack(&child)?),
            }
        }
        Ok(most)
    }

    fn wins_at_once(&self, p: &P) -> Option<P::Move> {
        let found = p.visit_moves(|m| match p.child(m).outcome() {
            Some(outcome) if outcome == Outcome::Win(self.winner) => ControlFlow::Break(m),
            _ => ControlFlow::Continue(()),
        });
        found.break_value()
    }

    /// Translates the move `m` in the position `p` to the symmetric position `image`, and returns the translated move.
    fn image(&self, p: &P, m: P::Move, image: &str) -> Option<String> {
        let after = fold(&p.child(m).to_string(), self.symmetries);
        let image: P = image.parse().ok()?;
        let same = |m: &P::Move| fold(&image.child(*m).to_string(), self.symmetries) == after;
        image.movable().into_iter().find(same).map(|m| m.to_string())
    }
}
