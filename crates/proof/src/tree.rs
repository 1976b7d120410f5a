//! The tree above the jobs. It selects the next job and derives the proven positions.

use std::collections::{HashMap, HashSet};

use game::{Position as _, Side};
use loa::{Move, Position};

use crate::code::Code;
use crate::job::{Job, Outcome};
use crate::numbers::{Adding, INFINITE, Numbers, gather_black, gather_white};
use crate::question::{Question, QuestionError};
use crate::search::{Choices, settled};

/// Growth factor of the budget from one job on a position to the next. Guessed.
const GROWTH: u64 = 8;
/// Number of jobs on a position before its children get their own jobs. Guessed.
const ATTEMPTS: u32 = 3;
/// Factors of the proof numbers of Black's moves: 1 for the first four moves, 4 for the next four, 16 for all others.
/// If the first moves fail, the search widens. Guessed.
const WIDER: [(usize, u32); 3] = [(4, 1), (8, 4), (usize::MAX, 16)];
/// Maximum depth of the tree, in plies. Guessed.
const DEEPEST: usize = 60;

/// A best-first proof-number tree (V. Allis, M. van der Meulen and J. van den Herik, "Proof-number search", 1994) whose
/// leaves are jobs (I-C. Wu and others, "Job-level proof number search", 2013). The tree depends only on the finished
/// jobs. Transpositions share their jobs. If White is to move at the root, each reply has its own jobs from the
/// beginning.
pub struct Tree {
    /// Root position of the question, in its own orientation.
    asked: Position,
    /// Standard position of the code of `asked`.
    root: Position,
    choices: Choices,
    first_budget: u64,
    jobs: HashMap<Code, Job>,
}

/// The parts of a settled tree that its result needs.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The side whose claim is proven: that Black wins, or that White prevents it.
    pub side: Side,
    /// Jobs whose results the proof needs.
    pub jobs: Vec<Job>,
    /// Moves of the side above the jobs. Later moves of a line come before earlier ones.
    pub steps: Vec<(Position, Move)>,
}

/// A child of a position in the tree.
struct Child {
    m: Move,
    /// Code of the position; `None` if the game is over or Black wins immediately.
    code: Option<Code>,
    numbers: Numbers,
}

impl Tree {
    /// Creates the tree of a question, without any job. A position's first job has `first_budget` expansions.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn new(question: &Question, first_budget: u64) -> Result<Self, QuestionError> {
        let asked = question.root()?;
        Ok(Self {
            asked,
            root: Code::standing(&asked),
            choices: question.choices()?,
            first_budget: first_budget.max(1),
            jobs: HashMap::new(),
        })
    }

    /// Adds a finished job. A settled position stays settled.
    ///
    /// # Errors
    /// Returns an error if the job's position is not a position of this board.
    pub fn add(&mut self, job: Job) -> Result<(), QuestionError> {
        let p = self.position_of(&job)?;
        let settled = |old: &Job| old.outcome.numbers().is_settled();
        if !self.jobs.get(&Code::of(&p)).is_some_and(settled) {
            self.jobs.insert(Code::of(&p), job);
        }
        Ok(())
    }

    /// Returns the position of a job.
    pub(crate) fn position_of(&self, job: &Job) -> Result<Position, QuestionError> {
        let p = job.position.parse::<Position>().ok().filter(|p| p.size() == self.root.size());
        p.ok_or_else(|| QuestionError(format!("a job on `{}`, not a position of this board", job.position)))
    }

    /// Returns the options of the search.
    pub(crate) fn choices(&self) -> Choices {
        self.choices
    }

    /// Returns the numbers of the root.
    pub fn numbers(&self) -> Numbers {
        self.of(Code::of(&self.root), Numbers::open(1, 1), &mut Vec::new())
    }

    /// Returns the moves of the question's root position with their numbers, one for each class of symmetric moves.
    pub fn branches(&self) -> Vec<(Move, Numbers)> {
        let mut seen = HashSet::new();
        let children = self.children(&self.root, &mut vec![]).into_iter();
        let coded = children.map(|child| (Code::of(&self.root.child(child.m)), child.numbers));
        let fresh = coded.filter(|(code, _)| seen.insert(*code));
        fresh.filter_map(|(code, numbers)| Some((code.move_to(&self.asked)?, numbers))).collect()
    }

    /// Returns the most promising position that is neither settled nor taken, with the budget of its next job; `None`
    /// if there is none.
    pub(crate) fn next(&self, taken: &HashSet<Code>) -> Option<(Position, u64)> {
        self.find(Code::of(&self.root), taken, &mut Vec::new())
    }

    /// Returns the proof that Black wins the root, if it is proven.
    pub fn proof(&self) -> Option<Proof> {
        (self.numbers().proof == 0).then(|| self.collected(Side::First))
    }

    /// Returns the proof that Black does not win the root, if it is refuted.
    pub fn refutation(&self) -> Option<Proof> {
        (self.numbers().disproof == 0).then(|| self.collected(Side::Second))
    }

    fn collected(&self, side: Side) -> Proof {
        let mut proof = Proof { side, jobs: Vec::new(), steps: Vec::new() };
        self.collect(Code::of(&self.root), &mut Vec::new(), &mut HashSet::new(), &mut proof);
        proof
    }

    /// Returns `true` if a position's children have jobs instead of the position itself.
    fn is_inner(&self, p: &Position, job: Option<&Job>) -> bool {
        let last = self.first_budget.saturating_mul(GROWTH.pow(ATTEMPTS - 1));
        match job {
            Some(job) if job.outcome.numbers().is_settled() => false,
            Some(job) if job.budget >= last => true,
            _ => *p == self.root && p.side_to_move() == Side::Second,
        }
    }

    /// Returns the numbers of an undecided position; `guess` if it has no job.
    fn of(&self, code: Code, guess: Numbers, path: &mut Vec<Code>) -> Numbers {
        if path.contains(&code) {
            return Numbers::REFUTED_HERE;
        }
        if path.len() > DEEPEST {
            return Numbers::open(INFINITE - 1, INFINITE - 1);
        }
        let (p, job) = (code.known(self.root.size()), self.jobs.get(&code));
        if !self.is_inner(&p, job) {
            return job.map_or(guess, |job| job.outcome.numbers());
        }
        let children = self.children(&p, path);
        let numbers = children.iter().map(|child| &child.numbers);
        match p.side_to_move() {
            Side::First => gather_black(numbers, Adding::Weak),
            Side::Second => gather_white(numbers, Adding::Weak),
        }
    }

    /// Returns the children of an inner position, most promising first. Factors increase the proof numbers of Black's
    /// later moves.
    fn children(&self, p: &Position, path: &mut Vec<Code>) -> Vec<Child> {
        let code = Code::of(p);
        let (mut moves, guess) = match self.jobs.get(&code).map(|job| &job.outcome) {
            Some(outcome @ Outcome::Open { order, .. }) => {
                (order.iter().filter_map(|text| p.parse_move(text).ok()).collect(), outcome.numbers())
            }
            _ => (Vec::new(), Numbers::open(1, 1)),
        };
        let others: Vec<Move> = p.movable().into_iter().filter(|m| !moves.contains(m)).collect();
        moves.extend(others);
        path.push(code);
        let black = p.side_to_move() == Side::First;
        let child = |(i, m): (usize, Move)| {
            let position = p.child(m);
            if let Some(winner) = self.choices.wins.after(p, m) {
                return Child { m, code: None, numbers: settled(winner) };
            }
            if !black && self.choices.wins.at_once(&position).is_some() {
                return Child { m, code: None, numbers: Numbers::won(1) };
            }
            let code = Code::of(&position);
            let mut numbers = self.of(code, guess, path);
            if black && !numbers.is_settled() {
                let dearer = WIDER.iter().find(|(below, _)| i < *below).map_or(1, |(_, dearer)| *dearer);
                numbers.proof = numbers.proof.saturating_mul(dearer).min(INFINITE - 1);
            }
            Child { m, code: Some(code), numbers }
        };
        let children = moves.into_iter().enumerate().map(child).collect();
        path.pop();
        children
    }

    fn find(&self, code: Code, taken: &HashSet<Code>, path: &mut Vec<Code>) -> Option<(Position, u64)> {
        if path.contains(&code) || path.len() > DEEPEST {
            return None;
        }
        let (p, job) = (code.known(self.root.size()), self.jobs.get(&code));
        if !self.is_inner(&p, job) {
            if taken.contains(&code) || job.is_some_and(|job| job.outcome.numbers().is_settled()) {
                return None;
            }
            let budget = job.map_or(self.first_budget, |job| job.budget.saturating_mul(GROWTH));
            return Some((p, budget));
        }
        let mut children = self.children(&p, path);
        children.retain(|child| !child.numbers.is_settled());
        let black = p.side_to_move() == Side::First;
        children.sort_by_key(|child| if black { child.numbers.proof } else { child.numbers.disproof });
        path.push(code);
        let found = children.iter().filter_map(|child| child.code).find_map(|code| self.find(code, taken, path));
        path.pop();
        found
    }

    fn collect(&self, code: Code, path: &mut Vec<Code>, seen: &mut HashSet<Code>, proof: &mut Proof) {
        if !seen.insert(code) {
            return;
        }
        let (p, job) = (code.known(self.root.size()), self.jobs.get(&code));
        if !self.is_inner(&p, job) {
            proof.jobs.extend(job.cloned());
            return;
        }
        let mut children = self.children(&p, path);
        if p.side_to_move() == proof.side {
            children.retain(|child| match proof.side {
                Side::First => child.numbers.proof == 0,
                Side::Second => child.numbers.disproof == 0,
            });
            children.sort_by_key(|child| child.numbers.plies);
            children.truncate(1);
        }
        path.push(code);
        for code in children.iter().filter_map(|child| child.code) {
            self.collect(code, path, seen, proof);
        }
        path.pop();
        if p.side_to_move() == proof.side {
            proof.steps.extend(children.first().map(|child| (p, child.m)));
        }
    }
}
