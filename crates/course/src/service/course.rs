//! The state of a running course, and what all its parts use.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use arena::{BundleCache, Cores, Hold, RemoteState, Showcase, Spec, Venue};
use jiff::Timestamp;

use crate::check::command;
use crate::clock::{Clock, SteadyClock};
use crate::config::Course;
use crate::config::sections::{Late, Publish};
use crate::service::copy_views::Computed;
use crate::service::field::{Field, Job};
use crate::service::history::History;
use crate::service::options::Options;
use crate::service::pulse::{Pulse, Topic};
use crate::service::refusal::Refused;
use crate::service::shown::{Boards, FinalView, Info, Problem, ShownGame, ShownScene};
use crate::store::audit::Announcement;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::players::Kind;
use crate::tokens::{Role, Token};
use crate::views::{AboutView, AnnouncementView, PracticeView};

/// A caller; `None` is a visitor.
pub type Who<'a> = Option<&'a Role>;

/// Maximum number of open connections for reading that are kept.
const READERS: usize = 8;
/// Maximum number of problems that are kept for the staff.
const PROBLEMS: usize = 50;
/// Time between two changes of the etag of [`AboutView`] for a team, whose number of practice games grows with time, in
/// seconds.
const ABOUT_SECONDS: i64 = 60;

/// A running course.
pub struct Service {
    pub(super) config: Course,
    pub(super) options: Options,
    /// File of the course.
    pub(super) path: PathBuf,
    /// Folder of temporary files.
    pub(super) work: PathBuf,
    pub(super) clock: SteadyClock<Arc<dyn Clock>>,
    pub(super) raw_clock: Arc<dyn Clock>,
    /// The only connection that writes, except that of the final.
    pub(super) writer: Mutex<CourseStore>,
    pub(super) readers: Mutex<Vec<CourseStore>>,
    pub(super) hold: Mutex<Hold>,
    pub(super) pulse: Pulse,
    /// Number of the run, which distinguishes etags of different runs.
    pub(super) run: u64,
    pub(super) phase: AtomicU8,
    pub(super) field: Mutex<Field>,
    /// Number of ladder games that count.
    pub(super) played: AtomicU64,
    /// Games on the boards, by their kinds and numbers. The boards need no other lock, so that they do not wait for the
    /// file.
    pub(super) shown: Mutex<BTreeMap<(i64, u32), ShownGame>>,
    /// Positions of the boards.
    pub(super) scenes: Mutex<BTreeMap<String, ShownScene>>,
    /// Number of accepted versions.
    pub(super) versions: AtomicU64,
    /// Names of the teams by id.
    pub(super) names: BTreeMap<String, String>,
    pub(super) infos: Mutex<BTreeMap<i64, Arc<Info>>>,
    /// Locked before `field`, and `field` before `faults`.
    pub(super) boards: Boards,
    /// Faults of the versions on the ladder; an entry is removed when its version has played.
    pub(super) faults: Mutex<BTreeMap<i64, BTreeMap<String, u32>>>,
    pub(super) history: Mutex<History>,
    pub(super) last: Mutex<FinalView>,
    pub(super) copies: Mutex<Option<Arc<Computed>>>,
    /// Rules of ladder, checks and practice games.
    pub(super) spec: Spec,
    pub(super) venue: Venue,
    pub(super) cache: BundleCache,
    pub(super) cores: Option<Vec<Cores>>,
    /// Number of threads that play games here.
    pub(super) slots: usize,
    /// Games that workers did not play, for the threads that play games here.
    pub(super) returned: Mutex<VecDeque<Job>>,
    /// State of the workers on other machines.
    pub(super) workers: Mutex<RemoteState>,
    pub(super) showcase: Showcase,
    /// Set while no game of the ladder and no practice game may be in play.
    pub(super) halt: AtomicBool,
    /// Set if an upload may wait for a check.
    pub(super) has_uploads: AtomicBool,
    /// Set if a practice game may wait.
    pub(super) has_practice: AtomicBool,
    /// Set if staff asks to try the final again at once.
    pub(super) retry_final: AtomicBool,
    /// Numbers of uploads in progress by team.
    pub(super) receiving: Mutex<BTreeMap<String, u32>>,
    /// Number of received uploads that are not yet stored.
    pub(super) storing: Mutex<u32>,
    pub(super) problems: Mutex<VecDeque<Problem>>,
    pub(super) threads: Mutex<Vec<JoinHandle<()>>>,
}

/// Locks a mutex, also after a panic of another thread: all guarded values are valid at every moment.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Service {
    /// Ends the threads, and waits for them. Checks and games in play begin again at the next start.
    pub fn stop(&self) {
        self.pulse.stop();
        {
            let _field = lock(&self.field);
            self.halt.store(true, Ordering::SeqCst);
        }
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in threads {
            if thread.join().is_err() {
                (self.options.log)("a thread of the course has ended with a panic");
            }
        }
    }

    /// Returns the course file.
    pub fn config(&self) -> &Course {
        &self.config
    }

    /// Returns the beginning of links, such as `https://course.example.org`.
    pub fn origin(&self) -> String {
        let server = &self.config.server;
        match &server.public {
            Some(public) => public.clone(),
            None => {
                let scheme = if server.certificate.is_some() { "https" } else { "http" };
                format!("{scheme}://{}", std::net::SocketAddr::new(server.address, server.port))
            }
        }
    }

    /// Returns the role of the text of a link or a cookie; `None` if it is unknown or revoked.
    ///
    /// # Errors
    /// If the course's file cannot be read.
    pub fn role(&self, token: &str) -> Result<Option<Role>, Refused> {
        match Token::parse(token) {
            Some(token) => Ok(self.read(|store| store.role(&token))?),
            None => Ok(None),
        }
    }

    /// Records that a link was opened, if it is the first time.
    ///
    /// # Errors
    /// If the course's file cannot be written.
    pub fn mark_used(&self, token: &str) -> Result<(), Refused> {
        if let Some(token) = Token::parse(token) {
            self.write(|store| store.mark_used(&token))?;
            self.pulse.tell(&[Topic::Staff]);
        }
        Ok(())
    }

    /// Returns the current time of the course.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the current phase.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::SeqCst) {
            0 => Phase::Open,
            1 => Phase::Closing,
            2 => Phase::Final,
            3 => Phase::Done,
            _ => Phase::Published,
        }
    }

    /// Reads the phase from the file, and wakes all threads if it is another one.
    pub(super) fn refresh_phase(&self) -> Result<Phase, CourseError> {
        let phase = self.read(CourseStore::phase)?;
        if self.phase.swap(phase as u8, Ordering::SeqCst) != phase as u8 {
            self.has_uploads.store(true, Ordering::SeqCst);
            self.pulse.tell(&[Topic::About, Topic::Standings, Topic::Games, Topic::Live, Topic::Own, Topic::Staff]);
        }
        Ok(phase)
    }

    /// Returns a number that grows with every change.
    pub fn changes(&self) -> u64 {
        self.pulse.all()
    }

    /// Waits until the number of changes exceeds `seen`, the course stops, or the time is over. Returns the number.
    pub fn wait_for_change(&self, seen: u64, timeout: Duration) -> u64 {
        self.pulse.wait(seen, timeout)
    }

    /// Returns the etag of the views of a topic for a caller, in quotation marks. A view that is read afterwards is not
    /// older.
    pub fn etag(&self, topic: Topic, who: Who<'_>) -> String {
        let mut number = self.pulse.of(topic);
        match topic {
            Topic::About if team_of(who).is_some() => {
                number = number.wrapping_add((self.now().as_second() / ABOUT_SECONDS) as u64);
            }
            Topic::Live => number = number.wrapping_add(self.showcase.changes()).wrapping_add(self.final_changes()),
            Topic::Standings => number = self.standings_number(),
            Topic::Team => number = self.standings_number().wrapping_add(self.pulse.of(Topic::Own)),
            Topic::Staff => number = number.wrapping_add(self.pulse.of(Topic::Standings)),
            _ => (),
        }
        let role = match who {
            None => "v".to_owned(),
            Some(Role::Staff) => "s".to_owned(),
            Some(Role::Team(id)) => format!("t{id}"),
        };
        format!("\"{:x}-{topic:?}-{number}-{role}\"", self.run)
    }

    /// Returns the course as a whole.
    ///
    /// # Errors
    /// If the course's file cannot be read.
    pub fn about(&self, who: Who<'_>) -> Result<AboutView, Refused> {
        let (announcements, extension, left) = self.read(|store| {
            let announcements = store.announcements()?;
            let Some(Role::Team(id)) = who else { return Ok((announcements, None, 0)) };
            let asked = store.practice_of(id, self.config.practice.per_hour)?;
            let since = self.now().as_second() - 3600;
            let recent = asked.iter().filter(|request| request.asked.as_second() > since).count() as u32;
            let left = self.config.practice.per_hour.saturating_sub(recent);
            Ok((announcements, store.team(id)?.extension, left))
        })?;
        let deadline = self.config.deadline.timestamp();
        let shown = |each: Announcement| AnnouncementView { id: each.id, at: each.at.to_string(), text: each.text };
        Ok(AboutView {
            name: self.config.about.name.clone(),
            game: self.spec.game.clone(),
            size: self.spec.size,
            phase: self.phase(),
            deadline: extension.map_or(deadline, |extension| extension.max(deadline)).to_string(),
            time_zone: self.config.about.time_zone.clone(),
            now: self.now().to_string(),
            rehearsal: self.clock.speed(),
            teams: self.names.len(),
            versions: self.versions.load(Ordering::Relaxed),
            games: self.played.load(Ordering::Relaxed),
            role: match who {
                None => "visitor",
                Some(Role::Team(_)) => "team",
                Some(Role::Staff) => "staff",
            },
            team: team_of(who).map(str::to_owned),
            upload_limit: self.config.uploads.size.0,
            check_command: command::of(&self.config, &self.spec),
            practice: PracticeView {
                per_hour: self.config.practice.per_hour,
                levels: self.config.practice.levels.iter().map(|level| level.0.name().to_owned()).collect(),
                left,
            },
            announcements: announcements.into_iter().map(shown).collect(),
            public_games: self.config.about.public_games,
            late_uploads: self.late_allowed(),
        })
    }

    /// Passes the store to `read`, on a connection that blocks no other caller.
    pub(super) fn read<T>(&self, read: impl FnOnce(&CourseStore) -> Result<T, CourseError>) -> Result<T, CourseError> {
        let kept = lock(&self.readers).pop();
        let reader = match kept {
            Some(reader) => reader,
            None => CourseStore::open(&self.path, Arc::clone(&self.raw_clock))?,
        };
        let result = read(&reader);
        let mut readers = lock(&self.readers);
        if readers.len() < READERS {
            readers.push(reader);
        }
        result
    }

    /// Passes the store to `write`, one caller after the other.
    pub(super) fn write<T>(
        &self,
        write: impl FnOnce(&mut CourseStore) -> Result<T, CourseError>,
    ) -> Result<T, CourseError> {
        write(&mut lock(&self.writer))
    }

    pub(super) fn late_allowed(&self) -> bool {
        self.config.about.late == Late::OpenLadder
    }

    /// Returns `true` while games of the ladder and practice games are played.
    pub(super) fn is_ladder_open(&self) -> bool {
        match self.phase() {
            Phase::Open | Phase::Closing => true,
            Phase::Final => false,
            Phase::Done | Phase::Published => self.late_allowed(),
        }
    }

    /// Returns `true` if a caller may see the final.
    pub(super) fn may_see_final(&self, who: Who<'_>) -> bool {
        let phase = self.phase();
        let is_public = phase == Phase::Published || self.config.last.publish == Publish::AtOnce;
        phase >= Phase::Final && (is_public || who == Some(&Role::Staff))
    }

    /// Records a problem for the staff and the log.
    pub(super) fn report(&self, text: &str) {
        (self.options.log)(text);
        let mut problems = lock(&self.problems);
        problems.truncate(PROBLEMS - 1);
        problems.push_front(Problem { at: self.now().to_string(), text: text.to_owned() });
        drop(problems);
        self.pulse.tell(&[Topic::Staff]);
    }

    /// Sets the versions that play on the ladder to those of the teams.
    pub(super) fn refresh_field(&self) -> Result<(), CourseError> {
        let mut field = lock(&self.field);
        let teams = self.read(CourseStore::teams)?;
        field.set_playing(&teams);
        drop(field);
        self.pulse.tell(&[Topic::Standings, Topic::About, Topic::Staff, Topic::Own]);
        Ok(())
    }

    /// Computes the ladder again from the file, because results have been cancelled or do not count any more.
    pub(super) fn rebuild_field(&self) -> Result<(), CourseError> {
        let mut field = lock(&self.field);
        self.rebuild(&mut field)?;
        drop(field);
        self.pulse.tell(&[Topic::Standings, Topic::Games, Topic::About, Topic::Staff, Topic::Own]);
        Ok(())
    }

    pub(super) fn rebuild(&self, field: &mut Field) -> Result<(), CourseError> {
        let (pairs, teams) =
            self.read(|store| store.snapshot(|store| Ok((store.pairs(Kind::Ladder)?, store.teams()?))))?;
        field.rebuild(pairs, &teams);
        self.played.store(u64::from(field.played), Ordering::Relaxed);
        lock(&self.faults).clear();
        Ok(())
    }
}

/// Returns the team of a caller.
pub(super) fn team_of(who: Who<'_>) -> Option<&str> {
    match who {
        Some(Role::Team(id)) => Some(id),
        _ => None,
    }
}

/// Returns the team of a caller.
///
/// # Errors
/// If the caller is no team.
pub(super) fn expect_team(who: Who<'_>) -> Result<&str, Refused> {
    team_of(who).ok_or_else(Refused::not_team)
}

/// Checks that the caller is staff.
pub(super) fn expect_staff(who: Who<'_>) -> Result<(), Refused> {
    if who == Some(&Role::Staff) { Ok(()) } else { Err(Refused::not_staff()) }
}
