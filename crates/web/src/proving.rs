//! Proofs for the pages: one search at a time on this machine; each result is kept for as long as its page wants it.

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

/// What a proof may cost: some minutes, and 256 MiB for each side.
const LIMIT: Limit = Limit { nodes: 400_000_000, table_mib: 256 };

/// The place where proofs are searched.
#[derive(Clone)]
pub(crate) struct Proofs {
    place: Arc<Semaphore>,
    resources: Resources,
}

/// What was proven, if anything was.
type Found = Arc<Mutex<Option<Box<dyn Proof>>>>;

/// A page's proof, searched for or found. It ends when this is dropped.
pub(crate) struct Proving {
    found: Found,
    _search: Thinking,
}

impl Proofs {
    pub(crate) fn new(resources: Resources) -> Self {
        Self { place: Arc::new(Semaphore::new(1)), resources }
    }

    /// Begins to prove who wins a game.
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
            // The place is given back before the answer is sent, because a page may read nothing.
            let search = move || {
                let _permit = permit;
                // A page that reads slowly misses some of the reports.
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
    /// How the losing side's replies after a line from the proven position are found.
    pub(crate) fn replies(&self, id: u32, line: Vec<String>) -> impl FnOnce() -> Result<Answer, String> + use<> {
        let found = Arc::clone(&self.found);
        move || {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            let proof = found.as_mut().ok_or("Nothing is proven yet.")?;
            proving::replies(&mut **proof, id, &line)
        }
    }
}
