//! Work for pages away from the sockets: searches, files. It never keeps the sockets from being served.

use std::sync::Arc;
use std::thread::Builder;

use tokio::sync::{Semaphore, oneshot};

/// Places for work of one kind, which is done in order of arrival.
#[derive(Clone)]
pub(crate) struct Errands(Arc<Semaphore>);

impl Errands {
    pub(crate) fn new(places: usize) -> Self {
        Self(Arc::new(Semaphore::new(places)))
    }

    /// Does something when there is a place for it; `None` if it panics.
    pub(crate) async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let place = self.0.acquire_owned().await.ok()?;
        let work = move || {
            let _place = place;
            work()
        };
        aside(work).await
    }
}

/// Does something in a thread of its own, which gives way to those that serve pages. `None` if it panics, or if the
/// system has no more threads.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (tell, told) = oneshot::channel();
    let thread = Builder::new().name("aside".into()).spawn(move || {
        give_way();
        let _ = tell.send(work());
    });
    thread.ok()?;
    told.await.ok()
}

/// From now on other threads go first. On Linux a niceness belongs to a thread and those that it starts; elsewhere to
/// the whole program, which must keep its own.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

/// A tenth of the weight that other threads have (`sched(7)`, table `sched_prio_to_weight` of the kernel).
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;
