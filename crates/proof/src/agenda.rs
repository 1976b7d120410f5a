//! Which jobs a proof does, in which order.

use std::collections::{HashMap, HashSet, VecDeque};

use loa::Position;

use crate::code::Code;
use crate::job::Job;
use crate::question::{Question, QuestionError};
use crate::tree::Tree;

/// The jobs of a proof. It says which ones are to be done, and takes their results, whoever does them, and in whatever
/// order they end.
///
/// Jobs are numbered, and results count in the order of the numbers. Up to `ahead` jobs are open at the same time; the
/// next one is chosen when the result of the first of them counts, from the results that count by then and from no
/// others. So the jobs and the proof are the same for any number of workers, however fast each of them is, and a proof
/// that is resumed goes on as it would have gone on.
pub struct Agenda {
    tree: Tree,
    ahead: usize,
    /// Results that were there before, by position; those with smaller budgets first.
    known: HashMap<Code, Vec<Job>>,
    /// The results in the tree, in the order of their numbers.
    done: Vec<Job>,
    /// How many of them were there before.
    recalled: usize,
    /// The jobs with the numbers that follow.
    open: VecDeque<Open>,
    /// Those that nobody has taken.
    waiting: VecDeque<NextJob>,
}

/// A job whose result does not count yet.
struct Open {
    next: NextJob,
    /// The result, if it waits for earlier ones.
    result: Option<Job>,
    /// Whether it was there before.
    is_recalled: bool,
}

/// A job to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextJob {
    /// Its number, counted from 0.
    pub number: u64,
    /// The position to search.
    pub position: Position,
    /// The number of expansions.
    pub budget: u64,
}

impl NextJob {
    /// Whether a result is about this job: about its position, within its budget.
    pub fn is_answered_by(&self, job: &Job) -> bool {
        job.position == self.position.to_string() && job.budget == self.budget
    }
}

impl Agenda {
    /// The jobs of a question. A position's first job has `first_budget` expansions. Up to `ahead` jobs may be open at
    /// the same time. What is `known` from before is not done again: a settled result, and one with the budget of the
    /// job or a larger one.
    ///
    /// # Errors
    /// If the question is invalid, or something known is not about a position of its board.
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

    /// The tree with all results that count so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The results that count so far, in the order of their numbers.
    pub fn done(&self) -> &[Job] {
        &self.done
    }

    /// How many of these were known from before.
    pub fn recalled(&self) -> usize {
        self.recalled
    }

    /// Takes the next job; `None` if there is none, or none before other results come.
    pub fn take(&mut self) -> Option<NextJob> {
        self.waiting.pop_front()
    }

    /// Whether the root is settled, or no job can settle it.
    pub fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    /// The open job with this number; `None` if its result has come, or if it is not needed any more.
    pub fn asked(&self, number: u64) -> Option<&NextJob> {
        let index = usize::try_from(number).ok()?.checked_sub(self.done.len())?;
        self.open.get(index).filter(|open| open.result.is_none()).map(|open| &open.next)
    }

    /// Takes the result of the job with this number. Says whether it was waited for: one that comes twice, or too late,
    /// changes nothing.
    ///
    /// # Errors
    /// If the result is about another job.
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

    /// Chooses jobs, and lets results count, as far as that is possible. After each result, jobs are chosen before the
    /// next one counts; otherwise the choice would depend on which results have come already.
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

    /// What is known about a job. The smallest budget that is enough comes first: then what is added to a log does not
    /// change how a resumed proof begins.
    fn recall(&self, next: &NextJob) -> Option<Job> {
        let known = self.known.get(&Code::of(&next.position))?;
        known.iter().find(|job| job.budget >= next.budget || job.outcome.numbers().is_settled()).cloned()
    }
}
