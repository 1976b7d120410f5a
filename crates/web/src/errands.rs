//! Work for pages that reads files or takes its time: away from the sockets, a few at a time, in order of arrival.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Places for work of one kind.
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
        spawn_blocking(work).await.ok()
    }
}
