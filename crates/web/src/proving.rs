//! Proofs for the pages: one search at a time on this machine. Each result is kept as long as its page needs it.

use core::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use engine::Resources;
use games::Proof;
use room::messages::{Answer, ProofState};
use room::proving::{self, Attempted, Limit};
use room::thinking::Place;
use search::Stop;
use tokio::sync::{Semaphore, mpsc};

use crate::engines::Thinking;
use crate::errands::aside;

/// Limit of a proof search: some minutes, and 256 MiB for each side.
const LIMIT: Limit = Limit { nodes: 400_000_000, table_mib: 256 };

/// The slot for proof searches.
#[derive(Clone)]
pub(crate) struct Proofs {
    place: Arc<Semaphore>,
    resources: Resources,
}

/// The proof, once it is found.
type Found = Arc<Mutex<Option<Box<dyn Proof>>>>;

/// A page's proof, searched or found; stopped and removed on drop.
pub(crate) struct Proving {
    found: Found,
    _search: Thinking,
}

impl Proofs {
    pub(crate) fn new(resources: Resources) -> Self {
        Self { place: Arc::new(Semaphore::new(1)), resources }
    }

    /// Starts to prove which side wins a game.
    pub(crate) fn prove(&self, attempted: Attempted, out: mpsc::Sender<Answer>) -> Proving {
        let (stop, found) = (Stop::new(), Found::default());
        let (resources, threads, told) = (self.resources.clone(), NonZeroUsize::MIN, stop.clone());
        let here = Place { resources, host: machine::SYSTEM, threads, stop: told };
        let (place, keep) = (Arc::clone(&self.place), Arc::clone(&found));
        let task = async move {
            if place.available_permits() == 0 {
                let _ = out.send(attempted.report(0, 0.0, ProofState::Waiting, None)).await;
            }
            let Ok(permit) = place.acquire_owned().await else { return };
            let hear = out.clone();
            // The slot is freed before the answer is sent, because a page may read slowly.
            let search = move || {
                let _permit = permit;
                // A page that reads slowly misses some reports.
                let (answer, proof) = attempted.run(LIMIT, &here, &mut |report| {
                    let _ = hear.try_send(report);
                })?;
                *keep.lock().unwrap_or_else(PoisonError::into_inner) = proof;
                Some(answer)
            };
            if let Some(Some(answer)) = aside(search).await {
                let _ = out.send(answer).await;
            }
        };
        Proving { found, _search: Thinking::begin(stop, task) }
    }
}

impl Proving {
    /// Returns a function that finds the losing side's replies after a line from the proven position.
    pub(crate) fn replies(&self, id: u32, line: Vec<String>) -> impl FnOnce() -> Result<Answer, String> + use<> {
        let found = Arc::clone(&self.found);
        move || {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            let proof = found.as_mut().ok_or("Nothing is proven yet.")?;
            proving::replies(&mut **proof, id, &line)
        }
    }
}
