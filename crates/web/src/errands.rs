//! Runs work for pages, such as searches and file access, in threads that do not serve sockets.

use std::sync::Arc;
use std::thread::Builder;

use tokio::sync::{Semaphore, oneshot};

/// Slots for one kind of work, which is done in order of arrival.
#[derive(Clone)]
pub(crate) struct Errands(Arc<Semaphore>);

impl Errands {
    pub(crate) fn new(places: usize) -> Self {
        Self(Arc::new(Semaphore::new(places)))
    }

    /// Runs `work` when a slot is free. Returns `None` if it panics.
    pub(crate) async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let place = self.0.acquire_owned().await.ok()?;
        let work = move || {
            let _place = place;
            work()
        };
        aside(work).await
    }
}

/// Runs `work` in a thread with a lower priority than the threads that serve pages. Returns `None` if it panics or if
/// the system cannot start a thread.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (tell, told) = oneshot::channel();
    let thread = Builder::new().name("aside".into()).spawn(move || {
        give_way();
        let _ = tell.send(work());
    });
    thread.ok()?;
    told.await.ok()
}

/// Lowers the priority of the current thread. On Linux a nice value applies to a thread and to the threads it starts;
/// on other systems it applies to the whole process, so the priority remains unchanged there.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

/// About a third of the weight of threads with nice value 0 (`sched(7)`, table `sched_prio_to_weight` of the kernel).
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;
