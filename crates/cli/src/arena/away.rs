//! Games of tournaments that other machines hand out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use arena::{Away, BundleCache, Cores, Planned, Showcase, Terms, Venue, play_away};
use engine::Resources;
use etcetera::BaseStrategy;
use ledger::{Address, Job, Ledger, Work};

use super::confined;
use crate::endgames;

/// The games of tournaments that a worker plays.
pub(crate) struct AwayGames {
    address: Address,
    /// Nodes a second of this machine.
    speed: f64,
    /// Games at the same time.
    jobs: usize,
    cache: BundleCache,
    /// What has been prepared for tournaments, by the number of the work.
    prepared: Mutex<BTreeMap<i64, Arc<Prepared>>>,
    /// The games in progress.
    showcase: Showcase,
    /// When they were published, and the number of changes by then.
    published: Mutex<Option<(Instant, u64)>>,
}

/// What the games of a tournament need on this machine.
struct Prepared {
    terms: Terms,
    venue: Venue,
    /// The sets of processor cores that no game uses; `None` if games run on any.
    cores: Option<Mutex<Vec<Cores>>>,
    freed: Condvar,
}

/// The tournaments that stay prepared.
const MOST_PREPARED: usize = 8;

impl AwayGames {
    /// A place for this many games at the same time.
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

    /// The games in progress as a text, if it should be published again.
    pub(crate) fn shown(&self) -> Option<String> {
        /// Changes wait so long, so that many of them are one; games without a change are shown again after a while,
        /// with the time that their players have been thinking.
        const SOONEST: Duration = Duration::from_millis(500);
        const LATEST: Duration = Duration::from_secs(2);
        let (mut published, changes) = (lock(&self.published), self.showcase.changes());
        let pause = match *published {
            None if changes == 0 => return None,
            None => Duration::ZERO,
            Some((_, before)) => {
                if before == changes {
                    LATEST
                } else {
                    SOONEST
                }
            }
        };
        let now = Instant::now();
        if published.is_some_and(|(at, _)| now < at + pause) {
            return None;
        }
        *published = Some((now, changes));
        serde_json::to_string(&self.showcase.games()).ok()
    }

    /// Plays a game and returns its log.
    ///
    /// # Errors
    /// If this machine cannot play it. That is no fault of an agent.
    pub(crate) fn perform(&self, work: &Work, job: &Job) -> anyhow::Result<String> {
        /// A program that two machines could not start is at fault itself.
        const DOUBTS: u32 = 2;
        let prepared = self.prepared(work)?;
        let planned: Planned = serde_json::from_str(&job.input).context("it describes no game")?;
        let cores = prepared.take_cores();
        let away = Away {
            terms: &prepared.terms,
            venue: &prepared.venue,
            cache: &self.cache,
            cores: cores.as_ref(),
            at: job.taken.clone(),
            blames_start: job.failures >= DOUBTS,
            showcase: &self.showcase,
        };
        let fetch = |hash: &str| {
            let fetched = Ledger::open(&self.address).and_then(|mut ledger| ledger.bundle(hash));
            fetched.map_err(|error| error.to_string())
        };
        let played = play_away(away, planned, &fetch).map_err(anyhow::Error::msg);
        prepared.give_back(cores);
        Ok(serde_json::to_string(&played?)?)
    }

    /// What has been prepared for a tournament.
    fn prepared(&self, work: &Work) -> anyhow::Result<Arc<Prepared>> {
        let mut known = lock(&self.prepared);
        if let Some(prepared) = known.get(&work.id) {
            return Ok(Arc::clone(prepared));
        }
        let prepared = Arc::new(Prepared::prepare(&work.spec, self.speed, self.jobs)?);
        if known.len() >= MOST_PREPARED {
            known.pop_first();
        }
        known.insert(work.id, Arc::clone(&prepared));
        Ok(prepared)
    }
}

impl Prepared {
    fn prepare(terms: &str, speed: f64, jobs: usize) -> anyhow::Result<Self> {
        let terms: Terms = serde_json::from_str(terms).context("it describes no tournament")?;
        terms.check_system().map_err(anyhow::Error::msg)?;
        let resources = match (terms.endgames, terms.spec.game.parse()) {
            (true, Ok(game)) => endgames::load(game)?,
            _ => Resources::default(),
        };
        if terms.endgames && !resources.has_endgames() {
            bail!("this machine has no endgame tables: `plyhouse endgames` makes them");
        }
        let mut spec = terms.spec.clone();
        let venue = Venue { speed: Some(speed), ..confined::venue(&mut spec, resources, Vec::<PathBuf>::new())? };
        let cores = arena::cores(&spec.affinity, jobs).map_err(anyhow::Error::msg)?.map(Mutex::new);
        Ok(Self { terms, venue, cores, freed: Condvar::new() })
    }

    /// Cores for a game; `None` if games run on any.
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
