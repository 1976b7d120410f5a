//! The tasks of a house: running tasks, and tasks that wait for a slot, in order of arrival.

use core::num::NonZeroUsize;
use std::collections::{BTreeMap, VecDeque};

use search::Stop;

use crate::effect::Start;
use crate::limits::Limits;
use crate::task::{Goal, Slot, Task};

/// The running and waiting tasks.
pub(crate) struct Queue {
    slots: [usize; Slot::ALL.len()],
    taken: [usize; Slot::ALL.len()],
    threads: NonZeroUsize,
    waiting: [VecDeque<u32>; Slot::ALL.len()],
    tasks: BTreeMap<u32, Entry>,
    /// Number of the next task.
    next: u32,
}

/// The receiver of a task's results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Page(u32),
    Room(String),
    None,
}

struct Entry {
    owner: Owner,
    stop: Stop,
    state: State,
}

enum State {
    /// Waiting for a free slot, or for its page to receive the earlier answers.
    Waiting(Slot, Box<Task>),
    /// Running. It occupies this number of slots of this kind.
    Running(Slot, usize),
    /// Still running, but its results are no longer needed.
    Cancelled(Slot, usize),
}

impl Queue {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            slots: limits.slots,
            taken: Default::default(),
            threads: limits.threads,
            waiting: Default::default(),
            tasks: BTreeMap::new(),
            next: 1,
        }
    }

    /// Adds a task, which waits for a slot. Returns its number.
    pub(crate) fn add(&mut self, owner: Owner, task: Task) -> u32 {
        let number = self.next;
        self.next += 1;
        let slot = task.slot();
        self.tasks.insert(number, Entry { owner, stop: Stop::new(), state: State::Waiting(slot, Box::new(task)) });
        self.waiting[slot as usize].push_back(number);
        number
    }

    /// Keeps the rest of a task until [`resume`](Self::resume) queues it.
    pub(crate) fn put_aside(&mut self, number: u32, owner: Owner, rest: Box<Task>) {
        let state = State::Waiting(rest.slot(), rest);
        self.tasks.insert(number, Entry { owner, stop: Stop::new(), state });
    }

    /// Queues a task that was put aside. Returns the task if it has to wait.
    pub(crate) fn resume(&mut self, number: u32) -> Option<&Task> {
        let State::Waiting(slot, task) = &self.tasks.get(&number)?.state else { return None };
        let at = *slot as usize;
        if !self.waiting[at].contains(&number) {
            self.waiting[at].push_back(number);
        }
        (self.taken[at] >= self.slots[at]).then_some(task)
    }

    /// Ends a task. Returns `true` if it was running.
    pub(crate) fn cancel(&mut self, number: u32) -> bool {
        let Some(entry) = self.tasks.get_mut(&number) else { return false };
        entry.stop.stop();
        match entry.state {
            State::Waiting(slot, _) => {
                self.tasks.remove(&number);
                self.waiting[slot as usize].retain(|&other| other != number);
                false
            }
            State::Running(slot, held) => {
                entry.state = State::Cancelled(slot, held);
                true
            }
            State::Cancelled(..) => false,
        }
    }

    /// Starts the next task that waits for a free slot.
    pub(crate) fn start(&mut self) -> Option<Start> {
        let at = (0..Slot::ALL.len()).find(|&at| self.taken[at] < self.slots[at] && !self.waiting[at].is_empty())?;
        let (slot, number) = (Slot::ALL[at], self.waiting[at].pop_front()?);
        let entry = self.tasks.get_mut(&number)?;
        // An analysis uses all threads if no other analysis or evaluation is running.
        let is_analysis = |task: &Task| matches!(task, Task::Search { goal: Goal::Analyse(_), .. });
        let is_alone = slot == Slot::Analysis
            && self.taken[at] == 0
            && matches!(&entry.state, State::Waiting(_, task) if is_analysis(task));
        let threads = if is_alone { self.threads } else { NonZeroUsize::MIN };
        let state = core::mem::replace(&mut entry.state, State::Running(slot, threads.get()));
        let State::Waiting(_, task) = state else { return None };
        self.taken[at] += threads.get();
        let is_brief = threads < self.threads && self.taken[at] >= self.slots[at];
        let page = if let Owner::Page(page) = entry.owner { Some(page) } else { None };
        Some(Start { number, page, task: *task, threads, is_brief, stop: entry.stop.clone() })
    }

    /// Returns the page that receives the results of a running task.
    pub(crate) fn page(&self, number: u32) -> Option<u32> {
        match self.tasks.get(&number)? {
            Entry { owner: Owner::Page(page), state: State::Running(..), .. } => Some(*page),
            _ => None,
        }
    }

    /// Frees the slots of a task whose step has ended. Returns its owner, unless the task was cancelled.
    pub(crate) fn ended(&mut self, number: u32) -> Option<Owner> {
        let entry = self.tasks.remove(&number)?;
        match entry.state {
            State::Running(slot, held) => {
                self.taken[slot as usize] -= held;
                Some(entry.owner)
            }
            State::Cancelled(slot, held) => {
                self.taken[slot as usize] -= held;
                None
            }
            State::Waiting(..) => {
                self.tasks.insert(number, entry);
                None
            }
        }
    }

    /// Returns the number of slots that are in use by moves and analyses.
    pub(crate) fn searches(&self) -> usize {
        self.taken[Slot::Move as usize] + self.taken[Slot::Analysis as usize]
    }
}
