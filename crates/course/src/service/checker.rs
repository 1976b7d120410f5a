//! Threads that check uploads.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::check::{self, Accepted, CheckError, Job, Verdict};
use crate::service::course::Service;
use crate::service::open::CHECKS;
use crate::service::pulse::Topic;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::uploads::{Claim, Outcome, Step, StepState};

/// Maximum time for which a thread without work waits.
const IDLE: Duration = Duration::from_secs(1);
/// Number of attempts to check an upload if the machine is at fault.
const ATTEMPTS: u32 = 3;
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_secs(5);

impl Service {
    /// Checks uploads until the course stops. During the final, the machine belongs to its games.
    pub(super) fn check_uploads(self: &Arc<Self>) {
        while !self.pulse.is_stopping() {
            let seen = self.pulse.all();
            match self.next_upload() {
                Ok(Some(claim)) => self.check_upload(&claim),
                Ok(None) => {
                    self.pulse.wait(seen, IDLE);
                }
                Err(error) => {
                    self.report(&format!("checks: {error}"));
                    self.has_uploads.store(true, Ordering::SeqCst);
                    self.pulse.pause(PAUSE);
                }
            }
        }
    }

    fn next_upload(&self) -> Result<Option<Claim>, CourseError> {
        // The flag is cleared first, so that an upload that comes meanwhile sets it again.
        if self.phase() == Phase::Final || !self.has_uploads.swap(false, Ordering::SeqCst) {
            return Ok(None);
        }
        let claim = self.write(CourseStore::claim)?;
        if claim.is_some() {
            self.has_uploads.store(true, Ordering::SeqCst);
            self.pulse.tell(&[Topic::Own, Topic::Staff]);
        }
        Ok(claim)
    }

    fn check_upload(&self, claim: &Claim) {
        for attempt in 1..=ATTEMPTS {
            let checked = catch_unwind(AssertUnwindSafe(|| self.attempt(claim)));
            let failure = match checked {
                Ok(Ok(())) => return,
                Ok(Err(error)) => error.to_string(),
                Err(_) => "the check ended with a panic".to_owned(),
            };
            if self.pulse.is_stopping() {
                return;
            }
            self.report(&format!("check of upload {}, attempt {attempt}: {failure}", claim.upload));
            if attempt < ATTEMPTS {
                self.pulse.pause(PAUSE);
            }
        }
        if let Err(error) = self.give_up(claim) {
            self.report(&format!("check of upload {}: {error}", claim.upload));
        }
    }

    /// Refuses an upload that this machine cannot check.
    fn give_up(&self, claim: &Claim) -> Result<(), CourseError> {
        let what = "the server could not check the upload, for a reason that is not in your file";
        let remedy = "ask the staff to have it checked again";
        let steps = self.read(|store| store.steps(claim.upload))?;
        if let Some(step) = steps.into_iter().rfind(|step| step.state == StepState::Running) {
            let (detail, remedy) = (what.to_owned(), remedy.to_owned());
            self.write(|store| {
                store.record_step(claim.upload, &Step { state: StepState::Failed, detail, remedy, ..step })
            })?;
        }
        self.decide(claim, &Outcome::Refused { notes: &[format!("{what}; {remedy}")] })
    }

    /// Checks an upload once, and records the result. Does nothing more if the course stops.
    fn attempt(&self, claim: &Claim) -> Result<(), CheckError> {
        let folder = self.work.join(CHECKS).join(claim.upload.to_string());
        let removed = std::fs::remove_dir_all(&folder);
        removed.or_else(|error| if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
        std::fs::create_dir_all(&folder)?;
        // The space distinguishes the name from that of the team's folder, which is the team's id.
        let file = folder.join("received file");
        let mut copy = std::fs::File::create_new(&file)?;
        self.read(|store| store.copy_upload(claim.upload, &mut copy))?;
        drop(copy);
        let job = Job {
            defaults: &self.config.agent.defaults(),
            size: self.config.uploads.size.0,
            spec: &self.spec,
            venue: &self.venue,
            folder: &folder,
            file: &file,
            file_name: &claim.file_name,
            team: &claim.team,
        };
        let mut failed = None;
        let verdict = check::check(&job, &mut |step| self.record_step(claim, step, &mut failed));
        if let Some(error) = failed {
            return Err(error.into());
        }
        match verdict? {
            Verdict::Stopped => return Ok(()),
            Verdict::Refused(notes) => self.decide(claim, &Outcome::Refused { notes: &notes })?,
            Verdict::Accepted(mut accepted) => {
                self.accept(claim, &mut accepted)?;
                self.versions.fetch_add(1, Ordering::Relaxed);
                self.refresh_field()?;
            }
        }
        // Best effort: the folder is emptied at the next start.
        let _ = std::fs::remove_dir_all(&folder);
        Ok(())
    }

    /// Records a step. Ends the check if the course stops or the step cannot be recorded.
    fn record_step(&self, claim: &Claim, step: &Step, failed: &mut Option<CourseError>) -> ControlFlow<()> {
        if self.pulse.is_stopping() {
            return ControlFlow::Break(());
        }
        match self.write(|store| store.record_step(claim.upload, step)) {
            Ok(()) => {
                self.pulse.tell(&[Topic::Own]);
                ControlFlow::Continue(())
            }
            Err(error) => {
                *failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn decide(&self, claim: &Claim, outcome: &Outcome<'_>) -> Result<(), CourseError> {
        self.decide_by(|store| store.decide(claim.upload, outcome))
    }

    /// Changes the state of an upload, and notifies the pages that show it.
    fn decide_by(&self, change: impl FnOnce(&mut CourseStore) -> Result<(), CourseError>) -> Result<(), CourseError> {
        self.write(change)?;
        self.pulse.tell(&[Topic::Own, Topic::Staff, Topic::About, Topic::Standings]);
        Ok(())
    }

    /// Accepts a version. Its name is compared while no other version can be accepted.
    fn accept(&self, claim: &Claim, accepted: &mut Accepted) -> Result<(), CourseError> {
        self.decide_by(|store| {
            if self.is_taken(&accepted.name(), &claim.team) {
                accepted.rename(&self.team_name(&claim.team));
            }
            let Accepted { agent, bundle, identify, notes } = accepted;
            store.decide(claim.upload, &Outcome::Accepted { agent, bundle, identify: identify.as_deref(), notes })
        })
    }

    /// Returns `true` if the agent of another team that plays has a name that looks alike.
    fn is_taken(&self, name: &str, team: &str) -> bool {
        let looks = arena::looks(name);
        let teams = self.read(CourseStore::teams).unwrap_or_default();
        let others = teams.iter().filter(|row| row.team.id != team).filter_map(|row| self.info(row.playing()?).ok());
        others.into_iter().any(|info| !arena::looks(&info.introduction.name).is_disjoint(&looks))
    }
}

#[cfg(test)]
mod tests {
    use arena::{AgentSpec, Bundle};

    use super::*;
    use crate::service::tests::open;
    use crate::store::tests::setup::Setup;

    #[test]
    fn of_two_checks_that_end_together_the_second_cannot_take_a_similar_name() {
        let mut setup = Setup::new(2);
        let claims = ["t0", "t1"].map(|team| {
            setup.send(team, b"x").expect("received");
            setup.store.claim().expect("readable").expect("an upload")
        });
        let service = open(&setup, "t0,Ann\nt1,Bob\n", "");
        // The start has put the interrupted checks back into the queue.
        for _ in &claims {
            setup.store.claim().expect("readable").expect("an upload");
        }
        for (claim, name) in claims.iter().zip(["Deep Sea", "deep sea"]) {
            let agent = AgentSpec { name: name.to_owned(), dialect: Some("ugi".to_owned()), ..AgentSpec::default() };
            let (bundle, notes) = (Bundle::empty(), Vec::new());
            let mut accepted = Accepted { agent, bundle, identify: Some(name.to_owned()), notes };
            service.accept(claim, &mut accepted).expect("accepted");
        }
        let names = claims.map(|claim| service.info(claim.upload).expect("a version").introduction.name.clone());
        assert_eq!(names, ["Deep Sea", "Bob"]);
        service.stop();
    }
}
