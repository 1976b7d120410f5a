//! From the jobs of a proven tree to one plan.

use std::thread;

use game::{Position as _, Side};
use loa::Position;
use search::Stop;
use thiserror::Error;

use crate::fold::Code;
use crate::log::{LogError, Question};
use crate::plan::{NoPlan, Plan, Step, largest_rank};
use crate::search::{Choices, Search};
use crate::tree::Proof;

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// There is no plan.
    #[error(transparent)]
    NoPlan(#[from] NoPlan),
    /// The question makes no sense.
    #[error(transparent)]
    Question(#[from] LogError),
}

/// Makes the plan of a whole game from a proof: does its jobs once more, which gives the same proofs again, and reads them.
pub struct Certifier {
    proof: Proof,
    question: Question,
    plan: Plan,
    next: usize,
}

impl Certifier {
    /// Begins.
    pub fn new(question: Question, proof: Proof) -> Self {
        Self { proof, question, plan: Plan::default(), next: 0 }
    }

    /// Does the next job again. Whether there was one.
    ///
    /// # Errors
    /// If it is stopped, or does not prove what it did.
    ///
    /// # Panics
    /// If no thread can be started.
    pub fn step(&mut self, stop: &Stop) -> Result<bool, NoPlan> {
        let Some(job) = self.proof.jobs.get(self.next) else { return Ok(false) };
        self.next += 1;
        let p: Position = job.position.parse().expect("invariant: the tree has read it");
        // Recursion goes as deep as a game is long.
        let run = || {
            let mut search = Search::new(Choices::default(), p.size(), job.mib, stop.clone());
            let finding = search.solve(&p, job.budget)?;
            let mut plan = Plan::default();
            match finding.numbers.proof {
                0 => search.plan(&p, &mut plan).map(|_| plan),
                _ => Err(NoPlan::NotWon(p)),
            }
        };
        let plan = thread::scope(|scope| {
            let worker = thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, run);
            worker.expect("invariant: a thread can be started").join().expect("invariant: a search does not panic")
        })?;
        self.plan.merge(plan);
        Ok(true)
    }

    /// How many records there are so far.
    pub fn records(&self) -> usize {
        self.plan.len()
    }

    /// Adds the moves of the tree above the jobs, and the one that leads to it.
    ///
    /// # Errors
    /// If something is missing.
    pub fn finish(mut self) -> Result<(Position, Plan), CertifyError> {
        let (start, root) = (self.question.certified()?, self.question.root()?);
        let mut steps = std::mem::take(&mut self.proof.steps);
        if start != root {
            steps.extend(self.question.moves.iter().filter_map(|text| Some((start, start.parse_move(text).ok()?))));
        }
        for (p, m) in steps {
            let rank = self.rank_after(&p.child(m))?;
            // The plan is about the position as its code has it.
            let m = Code::of(&p.child(m)).move_to(&Code::standing(&p)).ok_or(NoPlan::NotWon(p))?;
            self.plan.add(Code::of(&p), Step { m, rank: rank + 1 });
        }
        match start.side_to_move() {
            Side::First => self.plan.rank(&start).map(drop).ok_or(NoPlan::NotWon(start))?,
            Side::Second => self.rank_after(&start).map(drop)?,
        }
        let plan = self.plan.reachable(&start);
        Ok((start, plan))
    }

    /// The largest rank that can follow a position in which White is to move.
    fn rank_after(&self, p: &Position) -> Result<u16, NoPlan> {
        largest_rank(p, |child| self.plan.rank(child).ok_or(NoPlan::NotWon(*child)))
    }
}
