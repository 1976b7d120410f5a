//! Random actions with kills at random moments. A copy of an open database's files has the content that a
//! killed process would leave.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use game::SplitMix64;

use super::setup::{DEADLINE, Setup, accept, new_upload, roster, series};
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::players::Kind;
use crate::store::teams::Standing;
use crate::store::uploads::{Outcome, Step, StepState, UploadState};
use crate::tokens::{Role, Token};

/// The moment of a kill, relative to an action.
#[derive(Clone, Copy, PartialEq)]
enum Kill {
    Never,
    /// While the first pieces of an upload are copied.
    Inside,
    /// After all changes, before their commit.
    Before,
    /// After the action was acknowledged.
    After,
}

/// Everything that was acknowledged, as far as it can be checked without the store's own queries.
#[derive(Clone, Default)]
struct Acknowledged {
    uploads: BTreeMap<i64, Vec<u8>>,
    accepted: BTreeSet<i64>,
    tokens: Vec<(Token, Role)>,
    announcements: Vec<i64>,
    games: usize,
    /// Actions in the audit log.
    logged: usize,
}

impl Acknowledged {
    fn check(&self, store: &CourseStore) {
        let rows = store.uploads().expect("readable");
        assert_eq!(
            rows.iter().rev().map(|row| row.id).collect::<Vec<_>>(),
            self.uploads.keys().copied().collect::<Vec<_>>()
        );
        for row in rows {
            let mut bytes = Vec::new();
            store.copy_upload(row.id, &mut bytes).expect("its bytes");
            assert!(bytes == self.uploads[&row.id]);
            assert_eq!(row.state == UploadState::Accepted, self.accepted.contains(&row.id));
        }
        for (token, role) in &self.tokens {
            assert_eq!(store.role(token).expect("readable").as_ref(), Some(role));
        }
        let shown = store.announcements().expect("readable");
        assert_eq!(shown.iter().rev().map(|shown| shown.id).collect::<Vec<_>>(), self.announcements);
        assert_eq!(store.games(Kind::Ladder, None, u32::MAX).expect("readable").len(), self.games);
        assert_eq!(store.audit_log(None, u32::MAX).expect("readable").len(), self.logged);
        assert_eq!(store.check().expect("readable"), Vec::<String>::new());
    }
}

/// Returns everything that the store's queries return.
fn dump(store: &CourseStore) -> String {
    let uploads = store.uploads().expect("readable");
    let steps: Vec<_> = uploads.iter().map(|row| store.steps(row.id).expect("readable")).collect();
    format!(
        "{:#?}",
        (
            (store.teams().expect("readable"), uploads, steps, store.phase().expect("readable")),
            [Kind::Ladder, Kind::Practice].map(|kind| {
                (store.pairs(kind).expect("readable"), store.games(kind, None, u32::MAX).expect("readable"))
            }),
            (store.announcements().expect("readable"), store.audit_log(None, u32::MAX).expect("readable")),
            (0..4).map(|n| store.practice_of(&format!("t{n}"), 99).expect("readable")).collect::<Vec<_>>(),
            store.head().expect("readable"),
        )
    )
}

/// Copies the files of an open database, without the index of its log, which the next connection builds again.
fn copy(from: &Path, to: &Path) {
    let [source, target] = [from, to].map(CourseStore::files);
    for index in 0..2 {
        std::fs::copy(&source[index], &target[index]).expect("a copy");
    }
}

/// A file that copies the database when part of the file has been read.
struct Spy<'a> {
    bytes: &'a [u8],
    copy: Option<(PathBuf, PathBuf)>,
}

impl Read for Spy<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(8 << 10);
        let count = self.bytes.read(&mut buffer[..most])?;
        if self.bytes.len() < 20 << 10
            && let Some((from, to)) = self.copy.take()
        {
            copy(&from, &to);
        }
        Ok(count)
    }
}

struct Run {
    setup: Setup,
    known: Acknowledged,
    rng: SplitMix64,
    /// Number of kills so far.
    kills: usize,
    counts: BTreeMap<&'static str, usize>,
}

impl Run {
    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.rng.below(from.len())])
    }

    fn team(&mut self) -> String {
        format!("t{}", self.rng.below(4))
    }

    fn uploads_in(&self, state: UploadState) -> Vec<i64> {
        let rows = self.setup.store.uploads().expect("readable");
        rows.iter().filter(|row| row.state == state).map(|row| row.id).collect()
    }

    /// Performs a random action. `spied` is the path of a copy of the database that is made while an upload is
    /// received.
    fn act(&mut self, spied: Option<PathBuf>) -> Result<&'static str, CourseError> {
        let (team, other, choice) = (self.team(), self.team(), self.rng.below(16));
        let staff = Actor::STAFF;
        match choice {
            0..=2 => self.send(&team, spied)?,
            3 | 4 => drop(self.setup.store.claim()?),
            5 | 6 => self.check()?,
            7 => {
                let version = self.pick(&self.uploads_in(UploadState::Accepted));
                self.setup.store.choose(&team, version, &Actor::team(&team))?;
                self.known.logged += 1;
            }
            8 => {
                let standing = [Standing::Active, Standing::Active, Standing::Withdrawn][self.rng.below(3)];
                self.setup.store.set_standing(&team, standing, "", &staff)?;
                self.known.logged += 1;
            }
            9..=11 => {
                let [one, two] = [&team, &other].map(|team| self.setup.store.team(team).expect("a team").playing());
                let Some(players) = one.zip(two).map(|(one, two)| [one, two]) else { return Ok("nobody") };
                self.setup.store.save_series(players, &series(self.rng.below(5)))?;
                self.known.games += 2;
            }
            12 => {
                let token = self.setup.store.renew_token(&Role::Team(team.clone()), &staff)?;
                self.known.tokens.retain(|(_, role)| *role != Role::Team(team.clone()));
                self.known.tokens.push((token, Role::Team(team)));
                self.known.logged += 1;
            }
            13 => {
                self.known.announcements.push(self.setup.store.announce("hello", &staff)?);
                self.known.logged += 1;
            }
            14 => self.practise(&team)?,
            _ => self.govern()?,
        }
        Ok([
            "send", "send", "send", "claim", "claim", "check", "check", "choose", "standing", "play", "play", "play",
            "token", "announce", "practise", "govern",
        ][choice])
    }

    fn send(&mut self, team: &str, spied: Option<PathBuf>) -> Result<(), CourseError> {
        let bytes: Vec<u8> = (0..30_000 + self.rng.below(50_000)).map(|_| self.rng.below(256) as u8).collect();
        let copy = spied.map(|to| (self.setup.path.clone(), to));
        let mut file = Spy { bytes: &bytes, copy };
        let upload = self.setup.store.receive(&new_upload(&self.setup.store, team, bytes.len()), &mut file)?;
        self.known.uploads.insert(upload, bytes);
        self.known.logged += 1;
        Ok(())
    }

    fn check(&mut self) -> Result<(), CourseError> {
        let Some(upload) = self.pick(&self.uploads_in(UploadState::Checking)) else { return Ok(()) };
        match self.rng.below(4) {
            0 => {
                let step = Step {
                    number: self.rng.below(3) as u32,
                    name: "start".to_owned(),
                    state: StepState::Passed,
                    detail: String::new(),
                    remedy: String::new(),
                    position: None,
                };
                self.setup.store.record_step(upload, &step)?;
            }
            1 => {
                self.setup.store.decide(upload, &Outcome::Refused { notes: &[] })?;
                self.known.logged += 1;
            }
            _ => {
                accept(&mut self.setup.store, upload)?;
                self.known.accepted.insert(upload);
                self.known.logged += 1;
            }
        }
        Ok(())
    }

    fn practise(&mut self, team: &str) -> Result<(), CourseError> {
        let store = &mut self.setup.store;
        let playing: Vec<i64> = (0..4)
            .flat_map(|n| store.practice_of(&format!("t{n}"), 9).expect("readable"))
            .filter(|request| request.state == "playing")
            .map(|request| request.id)
            .collect();
        match (self.rng.below(3), playing.first()) {
            (0, _) => store.ask_practice(team, engine::Level::FULL, 5).map(drop),
            (1, Some(&id)) => store.end_practice(id, Ok(&series(self.rng.below(5)))),
            _ => store.claim_practice().map(drop),
        }
    }

    fn govern(&mut self) -> Result<(), CourseError> {
        let store = &mut self.setup.store;
        let staff = Actor::STAFF;
        let is_changed = match self.rng.below(6) {
            0 => store.advance(Phase::Closing, &staff)?,
            1 => store.reopen(&staff)?,
            2 => store.freeze_all(&staff)?,
            3 => store.cancel_games(None, &staff).map(|_| true)?,
            4 => {
                let mut teams = roster(4);
                teams[1].name = format!("Name {}", self.rng.below(3));
                let change = store.adopt_roster(&teams, &staff)?;
                !change.changed.is_empty()
            }
            _ => {
                let refused = self.uploads_in(UploadState::Refused);
                let Some(upload) = self.pick(&refused) else { return Ok(()) };
                self.setup.store.check_again(upload, &staff)?;
                true
            }
        };
        self.known.logged += usize::from(is_changed);
        Ok(())
    }

    /// Performs a random action with a kill, and continues with what the kill has left.
    fn step(&mut self) {
        let kill = [Kill::Inside, Kill::Before, Kill::After].get(self.rng.below(10)).copied().unwrap_or(Kill::Never);
        self.setup.clock.skip(self.rng.below(3000) as i64);
        let left = self.setup.folder.path().join(format!("killed-{}.sqlite", self.kills));
        let before = dump(&self.setup.store);
        if kill == Kill::Before {
            let (from, to) = (self.setup.path.clone(), left.clone());
            self.setup.store.before_commit = Some(Box::new(move || copy(&from, &to)));
        }
        let known = self.known.clone();
        let done = self.act((kill == Kill::Inside).then(|| left.clone()));
        match &done {
            Ok(name) => *self.counts.entry(name).or_default() += 1,
            Err(CourseError::Conflict { .. } | CourseError::Unknown { .. } | CourseError::TooMany { .. }) => {
                assert_eq!(dump(&self.setup.store), before, "a refused action changes nothing");
            }
            Err(error) => panic!("{error}"),
        }
        self.setup.store.before_commit = None;
        let after = dump(&self.setup.store);
        if kill == Kill::After {
            copy(&self.setup.path, &left);
        }
        if !left.exists() {
            return;
        }
        self.kills += 1;
        self.setup.store = self.setup.open(&left);
        self.setup.path = left;
        if kill == Kill::After {
            assert_eq!(dump(&self.setup.store), after);
        } else {
            assert_eq!(dump(&self.setup.store), before);
            self.known = known;
        }
        self.setup.store.requeue_interrupted().expect("requeued");
        self.known.check(&self.setup.store);
    }
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_else_stays() {
    let mut counts = BTreeMap::new();
    let mut kills = 0;
    for seed in 0..3 {
        let setup = Setup::new(4);
        let logged = setup.store.audit_log(None, u32::MAX).expect("readable").len();
        let known = Acknowledged { logged, ..Acknowledged::default() };
        let mut run = Run { setup, known, rng: SplitMix64::new(seed), kills: 0, counts: BTreeMap::new() };
        for n in 0..250 {
            if n == 200 {
                run.setup.clock.set(DEADLINE);
            }
            // A small cache writes unfinished transactions to the files, as large uploads do.
            run.setup.store.connection.pragma_update(None, "cache_size", 5).expect("set");
            run.step();
        }
        run.known.check(&run.setup.store);
        kills += run.kills;
        for (name, count) in run.counts {
            *counts.entry(name).or_insert(0) += count;
        }
    }
    assert!(kills > 80, "{kills} kills");
    for name in ["send", "claim", "check", "choose", "standing", "play", "token", "announce", "practise", "govern"] {
        assert!(counts.get(name).is_some_and(|&count| count > 4), "{name}: {counts:?}");
    }
}

#[test]
fn a_kill_before_the_commit_leaves_nothing_of_an_action() {
    type Action = fn(&mut CourseStore) -> Result<(), CourseError>;
    let actions: [(&str, Action); 5] = [
        ("series", |store| store.save_series([1, 2], &series(3)).map(drop)),
        ("accept", |store| accept(store, 3)),
        ("standing", |store| store.set_standing("t0", Standing::Withdrawn, "", &Actor::STAFF)),
        ("cancel", |store| store.cancel_games(None, &Actor::STAFF).map(drop)),
        ("upload", |store| store.receive(&new_upload(store, "t2", 90_000), &mut &*vec![5; 90_000]).map(drop)),
    ];
    for (name, action) in actions {
        let mut setup = Setup::new(3);
        let versions = ["t0", "t1"].map(|team| setup.version(team));
        setup.store.save_series(versions, &series(4)).expect("saved");
        setup.send("t2", b"x").expect("received");
        setup.store.claim().expect("readable").expect("an upload");
        setup.clock.skip(7200);
        let before = dump(&setup.store);
        let (from, left) = (setup.path.clone(), setup.folder.path().join("killed.sqlite"));
        let to = left.clone();
        setup.store.before_commit = Some(Box::new(move || copy(&from, &to)));
        action(&mut setup.store).expect(name);
        assert_ne!(dump(&setup.store), before, "{name}");
        let killed = setup.open(&left);
        assert_eq!(dump(&killed), before, "{name}");
        assert_eq!(killed.check().expect("readable"), Vec::<String>::new());
    }
}
