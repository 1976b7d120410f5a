//! The jobs of a proof, for workers.

use std::collections::HashMap;

use anyhow::{Context, bail};
use engine::Resources;
use ledger::{Address, Desk, Failure, Jobs};
use measure::bench;
use measure::jobs::{Hand, Kind};
use proof::{Agenda, Job, Log, NextJob, Question, Tree};
use search::Stop;
use serde::{Deserialize, Serialize};

use crate::options::free_memory;
use crate::work::status::note_alone;

/// The largest table of a job, in MiB.
pub(super) const LARGEST_TABLE: u64 = 1 << 20;

/// The searches of a proof. A job is one search; its output is its line of the log. `effort` and `ahead` determine the
/// number of each job.
#[derive(Serialize, Deserialize)]
pub(crate) struct Searches {
    /// The question to prove.
    pub(super) question: Question,
    /// Expansions of a position's first job.
    pub(super) effort: u64,
    /// Maximum number of open jobs.
    pub(super) ahead: usize,
    /// Size of each job's table, in MiB.
    pub(super) mib: usize,
}

/// The input of a job.
#[derive(Serialize, Deserialize)]
struct Search {
    position: String,
    /// Maximum number of expansions.
    budget: u64,
}

impl Kind for Searches {
    const NAME: &'static str = "proof";
    type Output = Job;

    fn hand<'a>(&'a self, _: &'a Resources) -> Result<Hand<'a, Job>, Failure> {
        let Self { question, mib, .. } = self;
        question.root().map_err(Failure::of)?;
        let choices = question.choices().map_err(Failure::of)?;
        if !(1..=LARGEST_TABLE).contains(&(*mib as u64)) {
            return Err(Failure(format!("a table of {mib} MiB: expected 1 to {LARGEST_TABLE}")));
        }
        Ok(Box::new(move |_, input| {
            let search: Search =
                serde_json::from_str(input).map_err(|error| Failure(format!("invalid search: {error}")))?;
            let about = Question::about(&search.position, &[]).ok().filter(|about| about.size == question.size);
            let p = about.and_then(|about| about.root().ok()).ok_or_else(|| {
                let (found, size) = (game::text::excerpt(&search.position), question.size);
                Failure(format!("`{found}`: expected an undecided position of size {size}"))
            })?;
            if let Some(free) = free_memory()
                && free < *mib as u64
            {
                return Err(Failure(format!("a table of {mib} MiB: {free} MiB are free on this machine")));
            }
            let perform = || Job::perform(&p, choices, search.budget, *mib, search::SYSTEM.clock, &Stop::new());
            search::with_large_stack(perform).map_err(Failure::of)
        }))
    }
}

impl Searches {
    /// Distributes the jobs of an agenda to workers until the agenda is over. Adds each finished job to the log and
    /// passes it to `report`.
    pub(super) fn hand_out(
        &self,
        store: &Address,
        agenda: &mut Agenda,
        log: &mut Log,
        report: &mut dyn FnMut(&Job, &Tree),
    ) -> anyhow::Result<()> {
        if agenda.is_over() {
            return Ok(());
        }
        let desk = Desk::open(store, Self::NAME, &serde_json::to_string(self)?, &bench::build())?;
        let mut jobs = HandedOut { searches: self, agenda, log, report, early: HashMap::new() };
        desk.hand_out(&mut jobs, &mut || note_alone(store))
    }
}

/// An agenda whose jobs workers execute.
struct HandedOut<'a> {
    searches: &'a Searches,
    agenda: &'a mut Agenda,
    log: &'a mut Log,
    report: &'a mut dyn FnMut(&Job, &Tree),
    /// Outputs that an earlier run has left, for jobs that the agenda has not chosen yet.
    early: HashMap<u64, Job>,
}

impl HandedOut<'_> {
    /// Records the output of a job that the agenda waits for.
    fn record(&mut self, number: u64, job: &Job) -> anyhow::Result<()> {
        let expected = self.agenda.asked(number).filter(|expected| expected.is_answered_by(job));
        if expected.is_none() || job.mib != self.searches.mib {
            bail!(
                "job {number} of the ledger searched `{}` with {} expansions and {} MiB, which is not the expected search: \
                 the work was begun with another log",
                job.position,
                job.budget,
                job.mib
            );
        }
        self.log.add(job)?;
        self.agenda.finish(number, job.clone())?;
        (self.report)(job, self.agenda.tree());
        Ok(())
    }
}

impl Jobs for HandedOut<'_> {
    type Error = anyhow::Error;

    fn next(&mut self) -> anyhow::Result<Option<(u64, String)>> {
        while let Some(NextJob { number, position, budget }) = self.agenda.take() {
            match self.early.remove(&number) {
                Some(job) => self.record(number, &job)?,
                None => {
                    let input = Search { position: position.to_string(), budget };
                    return Ok(Some((number, serde_json::to_string(&input)?)));
                }
            }
        }
        Ok(None)
    }

    fn take(&mut self, number: u64, output: &str) -> anyhow::Result<()> {
        let job: Job = serde_json::from_str(output).with_context(|| format!("the output of job {number}"))?;
        if self.agenda.asked(number).is_some() {
            return self.record(number, &job);
        }
        if number >= self.agenda.done().len() as u64 {
            self.early.insert(number, job);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.agenda.is_over()
    }
}
