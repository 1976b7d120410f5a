//! Starts a course.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use arena::{AgentSpec, BundleCache, Hold, Location, Spec, Venue, Words, entry};
use process::sandbox;

use crate::clock::{Clock, SteadyClock};
use crate::config::Course;
use crate::config::sections::Cores;
use crate::roster::read_roster;
use crate::service::course::{Service, lock};
use crate::service::field::Field;
use crate::service::history::History;
use crate::service::options::{Options, cores};
use crate::service::pulse::Pulse;
use crate::service::refusal::OpenError;
use crate::service::shown::{Boards, FinalView};
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::players::Kind;
use crate::store::teams::TeamRow;
use crate::store::uploads::UploadState;

/// Folder of uploads in progress.
pub(super) const UPLOADS: &str = "uploads";
/// Folder of checks in progress.
pub(super) const CHECKS: &str = "checks";
/// File with which commands on this machine reach the server.
const CONSOLE: &str = "console.json";
/// Key of the deadline at which the course was closed.
pub(super) const CLOSED_AT: &str = "closed at";
/// Key of the game that the accepted versions play.
const GAME: &str = "game";

/// The work of a thread.
type Thread = Box<dyn FnOnce(&Arc<Service>) + Send>;

/// Contents of the database at the start.
struct Stored {
    teams: Vec<TeamRow>,
    field: Field,
    versions: u64,
    phase: Phase,
    history: History,
}

impl Service {
    /// Starts a course: reserves and opens its file, which is created if it does not exist, adopts the roster, and
    /// starts the threads. Temporary files are in a folder beside the file, `NAME.work` for `NAME.sqlite`.
    ///
    /// # Errors
    /// If the roster is invalid, another process runs the course, the file cannot be used, or the machine has no
    /// sandbox and the options do not choose to run without one.
    pub fn open(config: Course, store: &Path, clock: Arc<dyn Clock>, options: Options) -> Result<Arc<Self>, OpenError> {
        let hold = Hold::take(&Location::from(store.to_owned()))?;
        let mut writer = open_store(&config, store, &clock)?;
        let work = prepare_work(store)?;
        writer.requeue_interrupted()?;
        reopen_if_moved(&config, &mut writer)?;
        let (spec, venue) = rules(&config, store, &options)?;
        let slots = Cores::count(config.ladder.cores.as_ref(), cores());
        let pinned = arena::cores(&spec.affinity, slots).map_err(OpenError::Setting)?;
        let stored = Stored::read(&writer)?;
        keep_game(&mut writer, &spec, stored.versions > 0)?;
        let steady = SteadyClock::new(Arc::clone(&clock));
        steady.advance(writer.now());
        let service = Arc::new(Self {
            path: store.to_owned(),
            clock: steady,
            raw_clock: clock,
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            hold: Mutex::new(hold),
            pulse: Pulse::default(),
            run: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64,
            phase: AtomicU8::new(stored.phase as u8),
            played: AtomicU64::new(u64::from(stored.field.played)),
            field: Mutex::new(stored.field),
            shown: Mutex::default(),
            scenes: Mutex::default(),
            versions: AtomicU64::new(stored.versions),
            names: stored.teams.into_iter().map(|row| (row.team.id, row.team.name)).collect(),
            infos: Mutex::default(),
            boards: Boards::default(),
            faults: Mutex::default(),
            history: Mutex::new(stored.history),
            last: Mutex::new(FinalView::default()),
            copies: Mutex::default(),
            cache: BundleCache::new(work.join("bundles")),
            work,
            spec,
            venue,
            cores: pinned,
            slots,
            returned: Mutex::default(),
            workers: Mutex::default(),
            showcase: arena::Showcase::default(),
            halt: AtomicBool::new(stored.phase == Phase::Final),
            has_uploads: AtomicBool::new(true),
            has_practice: AtomicBool::new(true),
            retry_final: AtomicBool::new(false),
            receiving: Mutex::new(BTreeMap::new()),
            storing: Mutex::new(0),
            problems: Mutex::new(VecDeque::new()),
            threads: Mutex::default(),
            config,
            options,
        });
        if service.options.threads {
            service.start()?;
        }
        Ok(service)
    }

    /// Starts the threads.
    fn start(self: &Arc<Self>) -> Result<(), OpenError> {
        let slots = self.slots;
        let checkers = self.options.checkers.unwrap_or_else(|| cores() / 2).max(1);
        let mut threads = lock(&self.threads);
        let mut spawn = |name: String, run: Thread| {
            let service = Arc::clone(self);
            let thread = thread::Builder::new().name(name).spawn(move || run(&service));
            let thread = thread.map_err(|error| OpenError::Work { path: self.work.clone(), error });
            thread.map(|thread| threads.push(thread))
        };
        let started = (|| {
            for number in 0..checkers {
                spawn(format!("check {number}"), Box::new(Self::check_uploads))?;
            }
            for number in 0..slots {
                spawn(format!("games {number}"), Box::new(move |service| service.play_games(number, slots)))?;
            }
            if self.config.server.workers.is_some() {
                spawn("workers".to_owned(), Box::new(Self::play_on_workers))?;
            }
            spawn("timekeeper".to_owned(), Box::new(Self::keep_time))
        })();
        drop(threads);
        if started.is_err() {
            self.stop();
        }
        started
    }
}

impl Stored {
    fn read(store: &CourseStore) -> Result<Self, OpenError> {
        let teams = store.teams()?;
        let latest = [Kind::Ladder, Kind::Practice].map(|kind| store.games(kind, None, 1));
        let next = latest.into_iter().flatten().flatten().map(|game| game.id).max().unwrap_or(0);
        let accepted = store.uploads()?.iter().filter(|upload| upload.state == UploadState::Accepted).count();
        Ok(Self {
            field: Field::new(store.pairs(Kind::Ladder)?, &teams, next as u32),
            versions: accepted as u64,
            phase: store.phase()?,
            history: History::read(store)?,
            teams,
        })
    }
}

/// Opens or creates the file, and adopts the roster.
fn open_store(config: &Course, path: &Path, clock: &Arc<dyn Clock>) -> Result<CourseStore, OpenError> {
    let file = config.roster();
    let roster = fs::read(file).map_err(|error| OpenError::Roster { path: file.to_owned(), error })?;
    let roster = read_roster(&roster)?;
    let mut store = match CourseStore::open(path, Arc::clone(clock)) {
        Err(CourseError::Missing(_) | CourseError::NoCourse(_)) => {
            CourseStore::create(path, &config.about.name, Arc::clone(clock))?
        }
        opened => opened?,
    };
    store.adopt_roster(&roster, &Actor::Course)?;
    Ok(store)
}

/// Creates the folder of temporary files, and removes what an earlier run has left in it, except unpacked bundles.
/// Returns its path.
fn prepare_work(store: &Path) -> Result<PathBuf, OpenError> {
    let work = store.with_extension("work");
    for folder in [UPLOADS, CHECKS] {
        let path = work.join(folder);
        let removed = match fs::remove_dir_all(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            other => other,
        };
        removed.and_then(|()| fs::create_dir_all(&path)).map_err(|error| OpenError::Work { path, error })?;
    }
    Ok(work)
}

/// Opens a closed course again if the deadline in the course file was moved since then.
fn reopen_if_moved(config: &Course, store: &mut CourseStore) -> Result<(), OpenError> {
    let deadline = config.deadline.timestamp();
    if store.phase()? == Phase::Closing
        && deadline > store.now()
        && store.meta(CLOSED_AT)?.is_some_and(|closed| closed != deadline.to_string())
    {
        store.reopen(&Actor::Course)?;
    }
    Ok(())
}

/// Checks that the accepted versions play the game of the course file. Records the game while there are none.
fn keep_game(store: &mut CourseStore, spec: &Spec, has_versions: bool) -> Result<(), OpenError> {
    let size = spec.size.map_or_else(String::new, |size| format!(", size {size}"));
    let game = format!("{}{size}", spec.game);
    match store.meta(GAME)? {
        Some(before) if before == game => Ok(()),
        Some(before) if has_versions => Err(OpenError::Setting(format!(
            "game: {game} found, but the agents in {} play {before}; expected the same game and size; if these agents \
             were a trial, delete the file, otherwise use a course file with another name",
            store.path().display()
        ))),
        _ => Ok(store.set_meta(GAME, &game)?),
    }
}

/// Returns the rules of the ladder, and the sandbox of all programs.
fn rules(config: &Course, store: &Path, options: &Options) -> Result<(Spec, Venue), OpenError> {
    // Rules need agents, and a sandbox is only prepared for a program.
    let dummy = |name: &str| AgentSpec {
        name: name.to_owned(),
        command: Some(Words::Text("true".to_owned())),
        dialect: Some(config.agent.dialect.clone().unwrap_or_else(|| "ugi".to_owned())),
        directory: Some(store.with_extension("work").join(CHECKS)),
        submitted: true,
        ..AgentSpec::default()
    };
    let spec = config.ladder_spec(vec![dummy("a"), dummy("b")]);
    let mut spec = spec.map_err(|error| OpenError::Setting(error.to_string()))?;
    let Some(launcher) = options.launcher.as_ref().filter(|_| options.threads) else {
        return Ok((spec, Venue { resources: options.resources.clone(), ..Venue::default() }));
    };
    spec.sandbox = Some(options.sandbox.unwrap_or_else(|| sandbox::best(launcher)));
    if options.sandbox.is_none() && spec.sandbox == Some(sandbox::Tier::None) {
        return Err(entry::EntryError::NoSandbox.into());
    }
    expect_own_place(store)?;
    let hidden = hidden(config, store);
    let agents = std::mem::replace(&mut spec.agents, vec![dummy("a")]);
    let (venue, warnings) = entry::venue(&mut spec, options.resources.clone(), hidden, launcher)?;
    spec.agents = agents;
    for warning in &warnings {
        (options.log)(&warning.what);
    }
    Ok((spec, venue))
}

/// Checks that programs in a sandbox cannot read the folder of the course, with the submissions of all teams.
fn expect_own_place(store: &Path) -> Result<(), OpenError> {
    let path = store.canonicalize().unwrap_or_else(|_| store.to_owned());
    if !sandbox::is_of_system(&path) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(&path).display();
    Err(OpenError::Setting(format!(
        "folder {folder}: programs in the sandbox can read it; move the course, for example to /srv"
    )))
}

/// Returns the files that programs must not read.
pub(super) fn hidden(config: &Course, store: &Path) -> Vec<PathBuf> {
    let mut hidden = CourseStore::files(store).to_vec();
    hidden.push(config.roster().to_owned());
    hidden.push(store.with_extension("work").join(CONSOLE));
    hidden.extend(config.server.key.clone());
    // It may have the password of the workers' database.
    hidden.extend(config.file.clone());
    hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_lies_outside_the_folders_that_programs_can_read() {
        for (path, is_own) in [("/opt/x/x.sqlite", false), ("/usr/local/x.sqlite", false), ("/srv/x/x.sqlite", true)] {
            let checked = expect_own_place(Path::new(path)).map_err(|error| error.to_string());
            assert_eq!(checked.is_ok(), is_own, "{path}");
            assert!(checked.is_ok() || checked.is_err_and(|text| text.starts_with("folder /")), "{path}");
        }
    }
}
