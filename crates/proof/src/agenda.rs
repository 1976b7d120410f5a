//! Choice and order of the jobs of a proof.

use std::collections::{HashMap, HashSet, VecDeque};

use loa::Position;

use crate::code::Code;
use crate::job::Job;
use crate::question::{Question, QuestionError};
use crate::tree::Tree;

/// The jobs of a proof. The agenda selects the jobs to do and receives their results, from any worker and in any order.
///
/// Jobs are numbered, and results count in the order of the numbers. Up to `ahead` jobs are open at the same time. When
/// the result of the first open job counts, the next job is chosen from the results that count at that time. Therefore
/// the jobs and the proof do not depend on the number or the speed of the workers, and a resumed proof continues
/// exactly like an uninterrupted one.
pub struct Agenda {
    tree: Tree,
    ahead: usize,
    /// Results that were known before, by position; smaller budgets first.
    known: HashMap<Code, Vec<Job>>,
    /// Results in the tree, in the order of their numbers.
    done: Vec<Job>,
    /// Number of results in the tree that were taken from `known`.
    recalled: usize,
    /// Jobs with the next numbers, whose results do not count yet.
    open: VecDeque<Open>,
    /// Open jobs that no worker has taken.
    waiting: VecDeque<NextJob>,
}

/// A job whose result does not count yet.
struct Open {
    next: NextJob,
    /// Result, if it has arrived and waits for the results of earlier jobs.
    result: Option<Job>,
    /// `true` if the result was known before the agenda was created.
    is_recalled: bool,
}

/// A job to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextJob {
    /// Number of the job, counted from 0.
    pub number: u64,
    /// Position to search.
    pub position: Position,
    /// Budget, in expansions.
    pub budget: u64,
}

impl NextJob {
    /// Returns `true` if a result belongs to this job: if it has the same position and the same budget.
    pub fn is_answered_by(&self, job: &Job) -> bool {
        job.position == self.position.to_string() && job.budget == self.budget
    }
}

impl Agenda {
    /// Creates the agenda of a question. A position's first job has `first_budget` expansions. Up to `ahead` jobs may
    /// be open at the same time. Results in `known` are reused if they are settled, or if their budget is at least the
    /// budget of the job.
    ///
    /// # Errors
    /// Returns an error if the question is invalid, or if a known result belongs to another board.
    pub fn new(question: &Question, first_budget: u64, ahead: usize, known: &[Job]) -> Result<Self, QuestionError> {
        let tree = Tree::new(question, first_budget)?;
        let mut by_position: HashMap<Code, Vec<Job>> = HashMap::new();
        for job in known {
            by_position.entry(Code::of(&tree.position_of(job)?)).or_default().push(job.clone());
        }
        for jobs in by_position.values_mut() {
            jobs.sort_by_key(|job| job.budget);
        }
        let mut agenda = Self {
            tree,
            ahead: ahead.max(1),
            known: by_position,
            done: Vec::new(),
            recalled: 0,
            open: VecDeque::new(),
            waiting: VecDeque::new(),
        };
        agenda.go_on()?;
        Ok(agenda)
    }

    /// Returns the tree with all results that count so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the results that count so far, in the order of their numbers.
    pub fn done(&self) -> &[Job] {
        &self.done
    }

    /// Returns the number of these results that were known before the agenda was created.
    pub fn recalled(&self) -> usize {
        self.recalled
    }

    /// Takes the next job. Returns `None` if no job is left, or if the next one depends on results that have not
    /// arrived.
    pub fn take(&mut self) -> Option<NextJob> {
        self.waiting.pop_front()
    }

    /// Returns `true` if the root is settled, or if no job can settle it.
    pub fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the open job with this number; `None` if its result has arrived, or if it is no longer needed.
    pub fn asked(&self, number: u64) -> Option<&NextJob> {
        let index = usize::try_from(number).ok()?.checked_sub(self.done.len())?;
        self.open.get(index).filter(|open| open.result.is_none()).map(|open| &open.next)
    }

    /// Records the result of the job with this number. Returns `false` for a duplicate or late result, which has no
    /// effect.
    ///
    /// # Errors
    /// Returns an error if the result belongs to another job.
    pub fn finish(&mut self, number: u64, job: Job) -> Result<bool, QuestionError> {
        let Some(asked) = self.asked(number) else { return Ok(false) };
        if !asked.is_answered_by(&job) {
            let NextJob { position, budget, .. } = asked;
            let Job { position: other, budget: of, .. } = job;
            return Err(QuestionError(format!(
                "job {number}: a result about `{other}` with {of} expansions, expected `{position}` with {budget}"
            )));
        }
        self.open[number as usize - self.done.len()].result = Some(job);
        self.go_on()?;
        Ok(true)
    }

    /// Chooses jobs and counts results, as far as possible. After each result, jobs are chosen before the next result
    /// counts; otherwise the choice would depend on which results have already arrived.
    fn go_on(&mut self) -> Result<(), QuestionError> {
        loop {
            if self.tree.numbers().is_settled() {
                self.open.clear();
                self.waiting.clear();
                return Ok(());
            }
            self.choose();
            let ended = self.open.pop_front_if(|open| open.result.is_some());
            let Some(Open { result: Some(job), is_recalled, .. }) = ended else { return Ok(()) };
            self.tree.add(job.clone())?;
            self.done.push(job);
            self.recalled += usize::from(is_recalled);
        }
    }

    fn choose(&mut self) {
        let mut taken: HashSet<Code> = self.open.iter().map(|open| Code::of(&open.next.position)).collect();
        while self.open.len() < self.ahead
            && let Some((position, budget)) = self.tree.next(&taken)
        {
            let next = NextJob { number: (self.done.len() + self.open.len()) as u64, position, budget };
            taken.insert(Code::of(&position));
            let result = self.recall(&next);
            if result.is_none() {
                self.waiting.push_back(next.clone());
            }
            self.open.push_back(Open { next, is_recalled: result.is_some(), result });
        }
    }

    /// Returns the job's known result with the smallest sufficient budget, so that later additions to a log do not
    /// change the beginning of a resumed proof.
    fn recall(&self, next: &NextJob) -> Option<Job> {
        let known = self.known.get(&Code::of(&next.position))?;
        known.iter().find(|job| job.budget >= next.budget || job.outcome.numbers().is_settled()).cloned()
    }
}
