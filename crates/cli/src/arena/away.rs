//! Plays games that tournaments on other machines hand out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use arena::{Away, BundleCache, Cores, GameJob, Showcase, Terms, Venue, play_away};
use engine::Resources;
use etcetera::BaseStrategy;
use ledger::{Address, Job, Ledger, Work};

use super::confined;
use crate::endgames;

/// The part of a worker that plays games of tournaments.
pub(crate) struct AwayGames {
    address: Address,
    /// Speed of this machine, in nodes per second.
    speed: f64,
    /// Maximum number of games at the same time.
    jobs: usize,
    cache: BundleCache,
    /// Prepared tournaments, by [`Work::id`].
    prepared: Mutex<BTreeMap<i64, Arc<Prepared>>>,
    /// Games in progress.
    showcase: Showcase,
    /// Time of the last publication of the games, and the number of changes at that time.
    published: Mutex<Option<(Instant, u64)>>,
}

/// A tournament that is prepared on this machine.
struct Prepared {
    terms: Terms,
    venue: Venue,
    /// Unused sets of processor cores; `None` if games run on any core.
    cores: Option<Mutex<Vec<Cores>>>,
    freed: Condvar,
}

/// Maximum number of prepared tournaments.
const MAX_PREPARED: usize = 8;

impl AwayGames {
    /// Prepares to play at most `jobs` games at the same time.
    pub(crate) fn new(address: &Address, speed: f64, jobs: usize) -> Self {
        let folder = etcetera::choose_base_strategy()
            .map_or_else(|_| std::env::temp_dir(), |folders| folders.cache_dir())
            .join("plyhouse/agents");
        Self {
            address: address.clone(),
            speed,
            jobs,
            cache: BundleCache::new(folder),
            prepared: Mutex::default(),
            showcase: Showcase::default(),
            published: Mutex::default(),
        }
    }

    /// Returns the games in progress as JSON if they should be published now.
    pub(crate) fn shown(&self) -> Option<String> {
        /// Minimum time between two publications, which combines several changes.
        const MIN_INTERVAL: Duration = Duration::from_millis(500);
        /// Time after which unchanged games are published again, with the current thinking times.
        const MAX_INTERVAL: Duration = Duration::from_secs(2);
        let (mut published, changes) = (lock(&self.published), self.showcase.changes());
        let interval = match *published {
            None if changes == 0 => return None,
            None => Duration::ZERO,
            Some((_, before)) => {
                if before == changes {
                    MAX_INTERVAL
                } else {
                    MIN_INTERVAL
                }
            }
        };
        let now = Instant::now();
        if published.is_some_and(|(at, _)| now < at + interval) {
            return None;
        }
        *published = Some((now, changes));
        serde_json::to_string(&self.showcase.games()).ok()
    }

    /// Plays a game and returns its log.
    ///
    /// # Errors
    /// Returns an error if this machine cannot play the game, which is not a fault of an agent.
    pub(crate) fn perform(&self, work: &Work, job: &Job) -> anyhow::Result<String> {
        /// Number of failures on other machines after which a failed start counts as the agent's fault.
        const MIN_FAILURES_TO_BLAME: u32 = 2;
        let prepared = self.prepared(work)?;
        let game: GameJob = serde_json::from_str(&job.input).context("the job does not describe a game")?;
        let cores = prepared.take_cores();
        let away = Away {
            terms: &game.terms(&prepared.terms),
            venue: &prepared.venue,
            cache: &self.cache,
            cores: cores.as_ref(),
            at: job.taken.clone(),
            blames_start: job.failures >= MIN_FAILURES_TO_BLAME,
            showcase: &self.showcase,
        };
        let fetch = |hash: &str| {
            let fetched = Ledger::open(&self.address).and_then(|mut ledger| ledger.bundle(hash));
            fetched.map_err(|error| error.to_string())
        };
        let played = play_away(away, game.planned.clone(), &fetch).map_err(anyhow::Error::msg);
        prepared.give_back(cores);
        Ok(serde_json::to_string(&played?)?)
    }

    /// Returns the prepared tournament of a [`Work`], from the cache if possible.
    fn prepared(&self, work: &Work) -> anyhow::Result<Arc<Prepared>> {
        let mut cache = lock(&self.prepared);
        if let Some(prepared) = cache.get(&work.id) {
            return Ok(Arc::clone(prepared));
        }
        let prepared = Arc::new(Prepared::prepare(&work.spec, self.speed, self.jobs)?);
        if cache.len() >= MAX_PREPARED {
            cache.pop_first();
        }
        cache.insert(work.id, Arc::clone(&prepared));
        Ok(prepared)
    }
}

impl Prepared {
    fn prepare(terms: &str, speed: f64, jobs: usize) -> anyhow::Result<Self> {
        let terms: Terms = serde_json::from_str(terms).context("the work does not describe a tournament")?;
        terms.check_system().map_err(anyhow::Error::msg)?;
        let resources = match (terms.endgames, terms.spec.game.parse()) {
            (true, Ok(game)) => endgames::load(game)?,
            _ => Resources::default(),
        };
        if terms.endgames && !resources.has_endgames() {
            bail!("this machine has no endgame tables: `plyhouse endgames` creates them");
        }
        let mut spec = terms.spec.clone();
        let venue = Venue { speed: Some(speed), ..confined::venue(&mut spec, resources, Vec::<PathBuf>::new())? };
        let cores = arena::cores(&spec.affinity, jobs).map_err(anyhow::Error::msg)?.map(Mutex::new);
        Ok(Self { terms, venue, cores, freed: Condvar::new() })
    }

    /// Waits for a set of cores and takes it; returns `None` if games run on any core.
    fn take_cores(&self) -> Option<Cores> {
        let mut free = lock(self.cores.as_ref()?);
        loop {
            match free.pop() {
                Some(cores) => return Some(cores),
                None => free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn give_back(&self, taken: Option<Cores>) {
        if let (Some(free), Some(taken)) = (&self.cores, taken) {
            lock(free).push(taken);
            self.freed.notify_one();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
