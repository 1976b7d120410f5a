//! Construction of a plan from the jobs of a proven tree.

use game::{Position as _, Side};
use loa::Position;
use search::Stop;
use thiserror::Error;

use crate::code::Code;
use crate::defence::Defence;
use crate::numbers::Numbers;
use crate::plan::{NoPlan, Plan, PlannedMove, largest_rank};
use crate::question::{Question, QuestionError, exchanged};
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
/// the plan from the proofs. If White prevents Black's win, the plan is White's defence with the colours exchanged.
pub struct Certifier {
    proof: Proof,
    question: Question,
    choices: Choices,
    plan: Plan,
    defence: Defence,
    next: usize,
}

impl Certifier {
    /// Creates a certifier for the jobs of this proof.
    ///
    /// # Errors
    /// Returns an error if the version of the search does not exist, or if not all wins count and the proof claims that
    /// Black does not win: the plan would not be valid by the rules of the courses.
    pub fn new(question: Question, proof: Proof) -> Result<Self, QuestionError> {
        let choices = question.choices()?;
        if proof.side == Side::Second && !question.wins.is_all() {
            let reason = "a defence is certified only if all wins count";
            return Err(QuestionError(reason.to_owned()));
        }
        Ok(Self { proof, question, choices, plan: Plan::default(), defence: Defence::default(), next: 0 })
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
        let mut search = Search::new(self.choices, p.size(), job.mib, stop.clone());
        let Numbers { proof, disproof, .. } = search.solve(&p, job.budget)?.numbers;
        match self.proof.side {
            Side::First if proof == 0 => {
                let mut plan = Plan::default();
                search.plan(&p, &mut plan)?;
                self.plan.merge(plan);
            }
            Side::Second if disproof == 0 => search.defend(&p, &mut self.defence)?,
            _ => return Err(NoPlan::NotWon(p)),
        }
        Ok(true)
    }

    /// Returns the number of records so far.
    pub fn records(&self) -> usize {
        self.plan.len() + self.defence.len()
    }

    /// Adds the moves of the tree above the jobs, and the move that leads to the tree's root, if there is one. Returns
    /// the certified position and the plan.
    ///
    /// # Errors
    /// Returns an error if a position has no move.
    pub fn finish(mut self) -> Result<(Position, Plan), CertifyError> {
        if self.proof.side == Side::Second {
            return self.finish_defence();
        }
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
        self.finish_from(start)
    }

    /// Adds White's moves of the tree above the jobs, and exchanges the colours. Checks that every position that can
    /// follow has a move.
    fn finish_defence(mut self) -> Result<(Position, Plan), CertifyError> {
        for &(p, m) in &self.proof.steps {
            self.defence.add(&p, m)?;
        }
        let start = exchanged(&self.question.root()?);
        self.plan = self.defence.exchanged(start.size());
        for (code, step) in self.plan.sorted() {
            self.rank_after(&code.known(start.size()).child(step.m))?;
        }
        self.finish_from(start)
    }

    /// Returns the part of the plan that is reachable from the certified position, with this position.
    fn finish_from(self, start: Position) -> Result<(Position, Plan), CertifyError> {
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
