//! Construction of a plan from the jobs of a proven tree.

use game::{Position as _, Side};
use loa::Position;
use search::Stop;
use thiserror::Error;

use crate::code::Code;
use crate::plan::{NoPlan, Plan, PlannedMove, largest_rank};
use crate::question::{Question, QuestionError};
use crate::search::{Choices, Search};
use crate::tree::Proof;

/// Errors of the certifier.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// The plan is incomplete.
    #[error(transparent)]
    NoPlan(#[from] NoPlan),
    /// The question is invalid.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

/// A certifier creates the plan of a whole game from a proof. It repeats the jobs, which are deterministic, and reads
/// the plan from the proofs.
pub struct Certifier {
    proof: Proof,
    question: Question,
    plan: Plan,
    next: usize,
}

impl Certifier {
    /// Creates a certifier for the jobs of this proof.
    pub fn new(question: Question, proof: Proof) -> Self {
        Self { proof, question, plan: Plan::default(), next: 0 }
    }

    /// Repeats the next job. Returns `false` if there was none. The recursion is as deep as a game is long, so the
    /// caller's thread needs a large stack.
    ///
    /// # Errors
    /// Returns [`NoPlan`] if the job is stopped, or does not find the proof again.
    ///
    /// # Panics
    /// Never panics: the tree has parsed the position of every job.
    pub fn step(&mut self, stop: &Stop) -> Result<bool, NoPlan> {
        let Some(job) = self.proof.jobs.get(self.next) else { return Ok(false) };
        self.next += 1;
        let p: Position = job.position.parse().expect("invariant: the tree has read it");
        let mut search =
            Search::new(Choices { wins: self.question.wins, ..Choices::default() }, p.size(), job.mib, stop.clone());
        let finding = search.solve(&p, job.budget)?;
        if finding.numbers.proof != 0 {
            return Err(NoPlan::NotWon(p));
        }
        let mut plan = Plan::default();
        search.plan(&p, &mut plan)?;
        self.plan.merge(plan);
        Ok(true)
    }

    /// Returns the number of records so far.
    pub fn records(&self) -> usize {
        self.plan.len()
    }

    /// Adds the moves of the tree above the jobs, and the move that leads to the tree's root, if there is one. Returns
    /// the certified position and the plan.
    ///
    /// # Errors
    /// Returns an error if a position has no move.
    pub fn finish(mut self) -> Result<(Position, Plan), CertifyError> {
        let (start, root) = (self.question.certified()?, self.question.root()?);
        let mut steps = std::mem::take(&mut self.proof.steps);
        if start != root {
            steps.extend(self.question.moves.iter().filter_map(|text| Some((start, start.parse_move(text).ok()?))));
        }
        for (p, m) in steps {
            let rank = self.rank_after(&p.child(m))?;
            // The plan stores moves of standard positions.
            let m = Code::of(&p.child(m)).move_to(&Code::standing(&p)).ok_or(NoPlan::NotWon(p))?;
            self.plan.add(Code::of(&p), PlannedMove { m, rank: rank + 1 });
        }
        match start.side_to_move() {
            Side::First => self.plan.rank_by(&start, self.question.wins).map(drop).ok_or(NoPlan::NotWon(start))?,
            Side::Second => self.rank_after(&start).map(drop)?,
        }
        let plan = self.plan.reachable(&start);
        Ok((start, plan))
    }

    /// Returns the maximum rank that can follow a position with White to move.
    fn rank_after(&self, p: &Position) -> Result<u16, NoPlan> {
        let wins = self.question.wins;
        largest_rank(p, wins, |child| self.plan.rank_by(child, wins).ok_or(NoPlan::NotWon(*child)))
    }
}
