//! Winning plans: one move of Black for each position that can occur, read from the table of a search.

use core::ops::ControlFlow;
use std::collections::HashMap;

use game::{Position as _, Side};
use loa::{Move, Position};
use search::Stopped;
use thiserror::Error;

use crate::code::Code;
use crate::numbers::INFINITE;
use crate::search::Search;
use crate::wins::Wins;

/// Rank of a position in which Black does not lose, and need not win: every position that can follow has a planned move
/// of any rank, or Black wins it immediately.
pub const HELD: u16 = u16::MAX;

/// The planned move of Black in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedMove {
    /// Move in the standard position of the code.
    pub m: Move,
    /// Maximum number of Black's moves from here on, including this one, to which White can reply. The rank is larger
    /// than that of every position that can follow. Positions in which Black wins immediately have rank 0 and no
    /// planned move. [`HELD`] claims no win.
    pub rank: u16,
}

/// A plan: Black's moves by position code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    steps: HashMap<Code, PlannedMove>,
}

/// Errors of plan construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoPlan {
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The moves of the table lead back to the same position.
    #[error("the proof leads in a circle")]
    Circle,
    /// The position does not have the claimed result, or its proof was not found again.
    #[error("no proof was found for {0}")]
    NotWon(Position),
}

impl Plan {
    /// Returns the planned move in the position with this code.
    pub fn step(&self, code: Code) -> Option<PlannedMove> {
        self.steps.get(&code).copied()
    }

    /// Returns the number of planned moves.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns `true` if the plan is empty.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns `true` if the plan has moves that claim no win, so that Black does not lose by it, but need not win.
    pub fn is_defence(&self) -> bool {
        self.steps.values().any(|step| step.rank == HELD)
    }

    /// Returns all planned moves, sorted by code.
    pub fn sorted(&self) -> Vec<(Code, PlannedMove)> {
        let mut steps: Vec<(Code, PlannedMove)> = self.steps.iter().map(|(code, step)| (*code, *step)).collect();
        steps.sort_by_key(|(code, _)| *code);
        steps
    }

    /// Adds a planned move. If the position already has one, the move with the smaller rank is kept, so that ranks
    /// still decrease along every line.
    pub fn add(&mut self, code: Code, step: PlannedMove) {
        let known = self.steps.entry(code).or_insert(step);
        if step.rank < known.rank {
            *known = step;
        }
    }

    /// Adds all moves of another plan.
    pub fn merge(&mut self, other: Self) {
        for (code, step) in other.steps {
            self.add(code, step);
        }
    }

    /// Returns Black's move in a position, in any orientation of the board: an immediate win, or the planned move.
    pub fn reply(&self, p: &Position) -> Option<Move> {
        if let Some(m) = wins_at_once(p) {
            return Some(m);
        }
        Code::of(&Code::standing(p).child(self.step(Code::of(p))?.m)).move_to(p)
    }

    /// Returns the part of the plan that is reachable from a position.
    #[must_use]
    pub fn reachable(&self, start: &Position) -> Self {
        let mut reached = Self::default();
        let mut next = vec![*start];
        while let Some(p) = next.pop() {
            let after_black = match (p.side_to_move(), self.step(Code::of(&p))) {
                (Side::Second, _) => p,
                (Side::First, Some(step)) if !reached.steps.contains_key(&Code::of(&p)) => {
                    reached.steps.insert(Code::of(&p), step);
                    Code::standing(&p).child(step.m)
                }
                _ => continue,
            };
            if after_black.outcome().is_none() {
                next.extend(after_black.movable().into_iter().map(|m| after_black.child(m)));
            }
        }
        reached
    }

    /// Returns the rank of a position with Black to move, if Black wins immediately or the plan has a move.
    pub fn rank(&self, p: &Position) -> Option<u16> {
        self.rank_by(p, Wins::All)
    }

    /// Like [`rank`](Self::rank), with another definition of a win.
    pub(crate) fn rank_by(&self, p: &Position, wins: Wins) -> Option<u16> {
        if wins.at_once(p).is_some() { Some(0) } else { self.step(Code::of(p)).map(|step| step.rank) }
    }
}

/// Returns a move with which Black, to move, wins immediately, if there is one.
pub fn wins_at_once(p: &Position) -> Option<Move> {
    Wins::All.at_once(p)
}

/// Returns the maximum rank that can follow a position with White to move. `rank` returns the rank of an undecided
/// position.
pub(crate) fn largest_rank(
    p: &Position,
    wins: Wins,
    mut rank: impl FnMut(&Position) -> Result<u16, NoPlan>,
) -> Result<u16, NoPlan> {
    let mut most = 0;
    for m in p.movable() {
        match wins.after(p, m) {
            Some(Side::First) => (),
            Some(Side::Second) => return Err(NoPlan::NotWon(*p)),
            None => most = most.max(rank(&p.child(m))?),
        }
    }
    Ok(most)
}

impl Search {
    /// Reads the plan for a position that [`solve`](Self::solve) has proven, and adds it to `plan`. Positions that the
    /// table has lost are proven again. Returns the rank of the position if Black is to move, otherwise the maximum
    /// rank that can follow.
    ///
    /// # Errors
    /// Returns an error if the search is stopped, if the position is not won, or if the moves of the table lead in a
    /// circle.
    pub fn plan(&mut self, p: &Position, plan: &mut Plan) -> Result<u16, NoPlan> {
        let mut path = Vec::new();
        match p.side_to_move() {
            Side::First => self.plan_black(Code::of(p), p.size(), plan, &mut path),
            Side::Second => self.plan_white(p, plan, &mut path),
        }
    }

    fn plan_black(&mut self, code: Code, size: usize, plan: &mut Plan, path: &mut Vec<Code>) -> Result<u16, NoPlan> {
        if let Some(step) = plan.step(code) {
            return Ok(step.rank);
        }
        let p = code.known(size);
        if self.wins().at_once(&p).is_some() {
            return Ok(0);
        }
        if path.contains(&code) {
            return Err(NoPlan::Circle);
        }
        path.push(code);
        let found = self.choose(&p, plan, path);
        path.pop();
        let (m, rank) = found?;
        plan.add(code, PlannedMove { m, rank: rank + 1 });
        Ok(rank + 1)
    }

    /// Returns the move whose proof is the shortest that yields a plan, and the maximum rank that can follow.
    fn choose(&mut self, p: &Position, plan: &mut Plan, path: &mut Vec<Code>) -> Result<(Move, u16), NoPlan> {
        let mut proven = self.proven_moves(p);
        if proven.is_empty() {
            self.prove(p)?;
            proven = self.proven_moves(p);
        }
        let mut trouble = NoPlan::NotWon(*p);
        for m in proven {
            match self.plan_white(&p.child(m), plan, path) {
                Ok(rank) => return Ok((m, rank)),
                Err(NoPlan::Circle) => trouble = NoPlan::Circle,
                Err(other) => return Err(other),
            }
        }
        Err(trouble)
    }

    fn plan_white(&mut self, p: &Position, plan: &mut Plan, path: &mut Vec<Code>) -> Result<u16, NoPlan> {
        largest_rank(p, self.wins(), |child| self.plan_black(Code::of(child), p.size(), plan, path))
    }

    /// Returns Black's moves that win according to the table, shortest win first.
    fn proven_moves(&self, p: &Position) -> Vec<Move> {
        let (mut proven, wins) = (Vec::<(u16, Move)>::new(), self.wins());
        let _ = p.visit_moves(|m| {
            let entry = if wins.after(p, m).is_none() { self.table().get(Code::of(&p.child(m))) } else { None };
            if let Some(entry) = entry.filter(|entry| entry.numbers.proof == 0) {
                proven.push((entry.numbers.plies, m));
            }
            ControlFlow::<()>::Continue(())
        });
        proven.sort_by_key(|&(plies, _)| plies);
        proven.into_iter().map(|(_, m)| m).collect()
    }

    /// Proves a position again if its entry in the table has been overwritten.
    fn prove(&mut self, p: &Position) -> Result<(), NoPlan> {
        let finding = self.solve(p, u64::from(INFINITE))?;
        if finding.numbers.proof == 0 { Ok(()) } else { Err(NoPlan::NotWon(*p)) }
    }
}
