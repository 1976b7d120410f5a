//! A small course for tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena::{AgentSpec, Bundle, FaultLog, GameLog, MoveLog, Planned, ResultLog};
use jiff::Timestamp;
use tempfile::TempDir;

use crate::clock::tests::HandClock;
use crate::roster::Team;
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::uploads::{NewUpload, Outcome};

/// Deadline of the course.
pub(crate) const DEADLINE: &str = "2026-11-30T10:00:00Z";

/// A course in a folder of its own, with a clock that is set by hand.
pub(crate) struct Setup {
    pub(crate) store: CourseStore,
    pub(crate) clock: HandClock,
    pub(crate) path: PathBuf,
    pub(crate) folder: TempDir,
}

impl Setup {
    /// Creates a course with the teams `t0`, `t1`, ….
    pub(crate) fn new(teams: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("course.sqlite");
        let clock = HandClock::new("2026-11-01T00:00:00Z");
        let mut store = CourseStore::create(&path, "Course", Arc::new(clock.clone())).expect("a course");
        store.adopt_roster(&roster(teams), &Actor::STAFF).expect("a roster");
        Self { store, clock, path, folder }
    }

    /// Opens the course again.
    pub(crate) fn open(&self, path: &Path) -> CourseStore {
        CourseStore::open(path, Arc::new(self.clock.clone())).expect("a course")
    }

    /// Sends a file, half an hour after the one before.
    pub(crate) fn send(&mut self, team: &str, bytes: &[u8]) -> Result<i64, CourseError> {
        self.clock.skip(1800);
        self.store.receive(&new_upload(&self.store, team, bytes.len()), &mut &*bytes)
    }

    /// Sends a file of one byte at the time of the clock.
    pub(crate) fn send_now(&mut self, team: &str) -> Result<i64, CourseError> {
        self.store.receive(&new_upload(&self.store, team, 1), &mut &b"x"[..])
    }

    /// Sends a file that becomes a version.
    pub(crate) fn version(&mut self, team: &str) -> i64 {
        let upload = self.send(team, team.as_bytes()).expect("received");
        let claimed = self.store.claim().expect("readable").expect("an upload");
        assert_eq!(claimed.upload, upload);
        accept(&mut self.store, upload).expect("accepted");
        upload
    }
}

pub(crate) fn roster(teams: usize) -> Vec<Team> {
    let team = |n: usize| Team { id: format!("t{n}"), name: format!("Team {n}"), mail: String::new() };
    (0..teams).map(team).collect()
}

/// Returns an upload that is received now.
pub(crate) fn new_upload<'a>(store: &CourseStore, team: &'a str, size: usize) -> NewUpload<'a> {
    let (received, deadline): (_, Timestamp) = (store.now(), DEADLINE.parse().expect("a time"));
    NewUpload { team, file_name: "agent.zip", size: size as u64, received, deadline, late_allowed: true, per_hour: 3 }
}

pub(crate) fn accept(store: &mut CourseStore, upload: i64) -> Result<(), CourseError> {
    let agent = AgentSpec { name: "Agent".to_owned(), dialect: Some("ugi".to_owned()), ..AgentSpec::default() };
    let (bundle, notes) = (Bundle::empty(), ["flattened".to_owned()]);
    let outcome = Outcome::Accepted { agent: &agent, bundle: &bundle, identify: Some("I am"), notes: &notes };
    store.decide(upload, &outcome)
}

/// Returns a game in which the agent with the first side had `faults` illegal moves.
pub(crate) fn game(agents: [usize; 2], result: ResultLog, faults: usize) -> GameLog {
    let fault = FaultLog { ply: 1, side: 0, kind: "illegal move".to_owned(), detail: "a1-a9".to_owned() };
    let text = |text: &str| MoveLog { text: text.to_owned(), side: Some(0), ..MoveLog::default() };
    GameLog {
        planned: Planned { number: 0, agents, round: 0, opening_seed: 1, seed: 1 },
        start: String::new(),
        opening: Vec::new(),
        moves: vec![text("b1-b3"), text("a2-c2")],
        result,
        ending: "win".to_owned(),
        faults: vec![fault; faults],
        stderr: [String::new(), String::new()],
        cpu: [None; 2],
        began: "2026-11-01T00:00:00Z".to_owned(),
        seconds: 1.5,
        version: "0.5.0".to_owned(),
        machine: "a machine".to_owned(),
    }
}

/// Returns a series in which the first player scores `half_points` half points.
pub(crate) fn series(half_points: usize) -> [GameLog; 2] {
    use ResultLog::{Draw, First, Second};
    let [one, other] = [[Second, First], [Second, Draw], [Draw, Draw], [First, Draw], [First, Second]][half_points];
    [game([0, 1], one, 0), game([1, 0], other, 0)]
}
