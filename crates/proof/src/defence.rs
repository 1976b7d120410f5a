//! Defences: White's moves against which Black never wins, read from the table of a search that has refuted the win.
//!
//! A defence need not win. It is a set of positions with White to move, each with a move after which every move of
//! Black leads to a position of the set, or to one in which White has won or wins immediately. The game may repeat
//! positions forever.

use std::collections::HashMap;

use game::{Position as _, Side};
use loa::{Move, Position};

use crate::code::Code;
use crate::numbers::INFINITE;
use crate::plan::{HELD, NoPlan, Plan, PlannedMove};
use crate::question::exchanged;
use crate::search::Search;
use crate::wins::Wins;

/// A defence: White's moves by position code. Each move applies to the standard position of the code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defence {
    steps: HashMap<Code, Move>,
}

impl Defence {
    /// Returns the number of moves.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Adds a move, unless White wins immediately.
    pub(crate) fn add(&mut self, p: &Position, m: Move) -> Result<(), NoPlan> {
        if Wins::All.at_once(p).is_none() {
            let m = Code::of(&p.child(m)).move_to(&Code::standing(p)).ok_or(NoPlan::NotWon(*p))?;
            self.steps.insert(Code::of(p), m);
        }
        Ok(())
    }

    /// Exchanges the colours: returns a plan with which Black does not lose.
    pub(crate) fn exchanged(&self, size: usize) -> Plan {
        let mut plan = Plan::default();
        for (code, &m) in &self.steps {
            let p = code.known(size);
            let (before, after) = (exchanged(&p), exchanged(&p.child(m)));
            let m = Code::of(&after).move_to(&Code::standing(&before)).expect("invariant: colours are symmetric");
            plan.add(Code::of(&before), PlannedMove { m, rank: HELD });
        }
        plan
    }
}

impl Search {
    /// Reads the defence against a win that [`solve`](Self::solve) has refuted, and adds it to `defence`. Positions
    /// whose refutations the table does not have are searched again. Such a search counts the positions of the
    /// defence as refuted, so that a repetition of them refutes, too.
    ///
    /// # Errors
    /// Returns an error if the search is stopped, or if Black wins the position.
    pub(crate) fn defend(&mut self, p: &Position, defence: &mut Defence) -> Result<(), NoPlan> {
        let size = p.size();
        self.hold(defence.steps.keys().copied());
        let mut open = match p.side_to_move() {
            Side::First => after_black(p)?,
            Side::Second if Wins::All.at_once(p).is_some() => Vec::new(),
            Side::Second => vec![Code::of(p)],
        };
        while let Some(code) = open.pop() {
            if defence.steps.contains_key(&code) {
                continue;
            }
            self.hold([code]);
            let p = code.known(size);
            let m = self.defending_move(&p)?;
            defence.steps.insert(code, m);
            let next = after_black(&p.child(m))?;
            self.hold(next.iter().copied());
            open.extend(next);
        }
        Ok(())
    }

    /// Returns a move of White after which Black's win is refuted.
    fn defending_move(&mut self, p: &Position) -> Result<Move, NoPlan> {
        if self.refuted_move(p).is_none() {
            self.solve(p, u64::from(INFINITE))?;
        }
        self.refuted_move(p).ok_or(NoPlan::NotWon(*p))
    }

    /// Returns the move whose refutation took the least work, among those whose refutations are stored.
    fn refuted_move(&self, p: &Position) -> Option<Move> {
        let undecided = p.movable().into_iter().filter(|m| Wins::All.after(p, *m).is_none());
        let refuted = undecided.filter_map(|m| Some((self.refutation(Code::of(p), Code::of(&p.child(m)))?, m)));
        refuted.min_by_key(|&(work, _)| work).map(|(_, m)| m)
    }
}

/// Returns the positions after Black's moves that need a move of White: White has not won and does not win immediately.
fn after_black(p: &Position) -> Result<Vec<Code>, NoPlan> {
    let mut next = Vec::new();
    for m in p.movable() {
        match Wins::All.after(p, m) {
            Some(Side::First) => return Err(NoPlan::NotWon(*p)),
            Some(Side::Second) => (),
            None if Wins::All.at_once(&p.child(m)).is_some() => (),
            None => next.push(Code::of(&p.child(m))),
        }
    }
    Ok(next)
}
