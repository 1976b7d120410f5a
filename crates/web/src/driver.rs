//! Drives the house: performs its effects with threads, a timer and the sockets of the pages.

use core::hash::BuildHasher;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::collections::HashMap;
use std::hash::RandomState;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, available_parallelism};
use std::time::{SystemTime, UNIX_EPOCH};

use engine::Resources;
use house::messages::Answer;
use house::{Effect, House, Library, Limits, Moment, Outcome, Place, Slot, Start};
use search::Stop;
use tokio::sync::{Mutex as AsyncMutex, Notify, mpsc, watch};
use tokio::time::sleep;

/// Memory of each side's table in a proof, in MiB.
const TABLE_MIB: usize = 256;

/// Receives commands for the text program in a terminal.
pub type Commands = Box<dyn Fn(String) + Send + Sync>;

/// The house of a server, with the state that its effects need.
pub(crate) struct Driver {
    house: Mutex<House>,
    pub(crate) library: Arc<Library>,
    /// Environment of every task.
    place: Place,
    /// Signals to the pages, by number, that an answer may be ready.
    ready: Mutex<HashMap<u32, Arc<Notify>>>,
    next_page: AtomicU32,
    /// Time of the next wake-up, in milliseconds.
    alarm: watch::Sender<u64>,
    /// Outcomes of tasks. The threads of tasks have a low priority. They do not lock the house, because the threads
    /// that serve pages would have to wait for them.
    outcomes: mpsc::UnboundedSender<(u32, Outcome)>,
    ended_tasks: AsyncMutex<mpsc::UnboundedReceiver<(u32, Outcome)>>,
    /// Set when the program has ended. Every page subscribes.
    pub(crate) ended: watch::Sender<bool>,
    pub(crate) commands: OnceLock<Commands>,
}

/// A page of the house, closed on drop.
pub(crate) struct Page {
    driver: Arc<Driver>,
    number: u32,
    ready: Arc<Notify>,
}

/// Locks a mutex. Poisoning is ignored, because changes are applied as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the milliseconds since the program started, by a monotonic clock.
pub(crate) fn now() -> u64 {
    search::now().as_millis() as u64
}

fn moment() -> Moment {
    Moment { ms: now(), date: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() }
}

impl Driver {
    pub(crate) fn new(resources: Resources) -> Arc<Self> {
        let library = Arc::<Library>::default();
        let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let mut count = 0_u64;
        // SipHash with random keys. The standard library gets the keys from the system once per thread, and changes
        // them for each `RandomState`.
        let random = move || {
            count += 1;
            RandomState::new().hash_one(count)
        };
        let (outcomes, ended_tasks) = mpsc::unbounded_channel();
        let (threads, stop) = (NonZeroUsize::MIN, Stop::new());
        let place = Place { resources, host: search::SYSTEM, threads, is_brief: false, table_mib: TABLE_MIB, stop };
        Arc::new(Self {
            house: Mutex::new(House::new(Limits::server(processors), Arc::clone(&library), Box::new(random))),
            library,
            place,
            ready: Mutex::default(),
            next_page: AtomicU32::new(1),
            alarm: watch::Sender::new(u64::MAX),
            outcomes,
            ended_tasks: AsyncMutex::new(ended_tasks),
            ended: watch::Sender::new(false),
            commands: OnceLock::new(),
        })
    }

    /// Calls the house and performs its effects. The house stays locked until all effects are done, so that they happen
    /// in order.
    pub(crate) fn with<T>(self: &Arc<Self>, call: impl FnOnce(&mut House, Moment) -> T) -> T {
        let mut house = lock(&self.house);
        let result = call(&mut house, moment());
        loop {
            let effects = house.effects();
            if effects.is_empty() {
                return result;
            }
            for effect in effects {
                match effect {
                    Effect::Ready { page } => {
                        if let Some(ready) = lock(&self.ready).get(&page) {
                            ready.notify_one();
                        }
                    }
                    Effect::Begin(start) => {
                        let number = start.number;
                        if self.begin(*start).is_err() {
                            house.report(number, Outcome::Nothing, moment());
                        }
                    }
                    Effect::Wake { at } => drop(self.alarm.send_replace(at.unwrap_or(u64::MAX))),
                    Effect::Command { text } => {
                        if let Some(commands) = self.commands.get() {
                            commands(text);
                        }
                    }
                    // The house has already set the task's stop signal.
                    Effect::End { .. } => (),
                }
            }
        }
    }

    /// Calls the house and catches a panic, because the caller serves all pages.
    fn try_with(self: &Arc<Self>, call: impl FnOnce(&mut House, Moment)) {
        let _ = catch_unwind(AssertUnwindSafe(|| self.with(call)));
    }

    /// Performs a step of a task in a thread. Searches have a lower priority than the threads that serve pages.
    fn begin(self: &Arc<Self>, start: Start) -> std::io::Result<()> {
        let driver = Arc::clone(self);
        let work = move || {
            let (place, number) = (start.place(&driver.place), start.number);
            if start.task.slot() != Slot::Replay {
                give_way();
            }
            let mut tell = |answer| drop(driver.outcomes.send((number, Outcome::Progress(answer))));
            let step = AssertUnwindSafe(|| start.task.step(&place, &mut tell));
            let outcome = catch_unwind(step).unwrap_or(Outcome::Nothing);
            let _ = driver.outcomes.send((number, outcome));
        };
        Builder::new().name("task".into()).spawn(work).map(drop)
    }

    /// Registers a page.
    pub(crate) fn open(self: &Arc<Self>, is_local: bool) -> Page {
        let number = self.next_page.fetch_add(1, Ordering::Relaxed);
        let ready = Arc::<Notify>::default();
        lock(&self.ready).insert(number, Arc::clone(&ready));
        self.with(|house, _| house.open(number, is_local));
        Page { driver: Arc::clone(self), number, ready }
    }

    /// Passes the outcomes of tasks to the house, and wakes the house at the times that it requests. Runs forever.
    pub(crate) async fn run(self: Arc<Self>) {
        let mut alarm = self.alarm.subscribe();
        let mut ended_tasks = self.ended_tasks.lock().await;
        loop {
            let left = alarm.borrow_and_update().saturating_sub(now());
            tokio::select! {
                Some((number, outcome)) = ended_tasks.recv() => {
                    self.try_with(|house, now| house.report(number, outcome, now));
                }
                () = sleep(Duration::from_millis(left)) => {
                    self.alarm.send_replace(u64::MAX);
                    self.try_with(House::wake);
                }
                _ = alarm.changed() => (),
            }
        }
    }
}

/// Lowers the priority of the current thread. On Linux a nice value applies to a thread and to the threads it starts;
/// on other systems it applies to the whole process, so the priority remains unchanged there.
fn give_way() {
    /// About a third of the weight of threads with nice value 0 (`sched(7)`, table `sched_prio_to_weight` of the
    /// kernel).
    #[cfg(target_os = "linux")]
    const NICENESS: i32 = 5;
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

impl Page {
    /// Calls the house with the number of this page.
    pub(crate) fn with<T>(&self, call: impl FnOnce(&mut House, u32, Moment) -> T) -> T {
        self.driver.with(|house, now| call(house, self.number, now))
    }

    /// Returns the next answer for the page.
    pub(crate) fn next(&self) -> Option<Answer> {
        self.with(House::next)
    }

    /// Returns `true` if the next message of the page must not be handled yet.
    pub(crate) fn is_busy(&self) -> bool {
        self.with(|house, page, _| house.is_busy(page))
    }

    /// Waits for the answer to the only request of the page. Returns `None` if the request has no answer.
    pub(crate) async fn answer(&self) -> Option<Answer> {
        loop {
            let is_busy = self.is_busy();
            match self.next() {
                None if is_busy => self.changed().await,
                answer => return answer,
            }
        }
    }

    /// Waits until an answer for the page may be ready, or the next message of the page may be handled.
    pub(crate) async fn changed(&self) {
        self.ready.notified().await;
    }

    /// Returns a receiver that becomes `true` when the program has ended.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.driver.ended.subscribe()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        lock(&self.driver.ready).remove(&self.number);
        self.with(House::close);
    }
}
