//! Proofs for the pages: one search at a time on this machine; each result is kept for as long as its page wants it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use engine::Resources;
use games::{Attempt, Budget, Known, Proof, Setting};
use search::Stop;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::engines::Thinking;
use crate::errands::aside;
use crate::messages::{Answer, Game, ProofState};
use crate::room::{setting, texts};

/// What a proof may cost: some minutes, and 256 MiB for each side.
const BUDGET: Budget = Budget { nodes: 400_000_000, table_mib: 256, host: machine::SYSTEM };

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

/// A search for a proof.
struct Search {
    id: u32,
    setting: Setting,
    game: Game,
    resources: Resources,
    stop: Stop,
    found: Found,
    out: mpsc::Sender<Answer>,
}

impl Proofs {
    pub(crate) fn new(resources: Resources) -> Self {
        Self { place: Arc::new(Semaphore::new(1)), resources }
    }

    /// Begins to prove who wins a game.
    pub(crate) fn prove(&self, id: u32, game: Game, out: mpsc::Sender<Answer>) -> Result<Proving, String> {
        let (stop, found) = (Stop::new(), Found::default());
        let search = Search {
            id,
            setting: setting(&game)?,
            game,
            resources: self.resources.clone(),
            stop: stop.clone(),
            found: Arc::clone(&found),
            out,
        };
        let place = Arc::clone(&self.place);
        let task = async move {
            if place.available_permits() == 0 {
                let _ = search.out.send(search.answer(0, 0.0, ProofState::Waiting, None)).await;
            }
            let Ok(permit) = place.acquire_owned().await else { return };
            let out = search.out.clone();
            // The place is given back before the answer is sent, because a page may read nothing.
            if let Some(Some(answer)) = aside(move || search.run(permit)).await {
                let _ = out.send(answer).await;
            }
        };
        Ok(Proving { found, _search: Thinking::begin(stop, task) })
    }
}

impl Search {
    fn answer(&self, nodes: u64, seconds: f64, state: ProofState, known: Option<Known>) -> Answer {
        Answer::Proof { id: self.id, nodes, seconds, state, known }
    }

    /// The result; none if nobody wants it any more.
    fn run(self, _permit: OwnedSemaphorePermit) -> Option<Answer> {
        let began = Instant::now();
        let seconds = || began.elapsed().as_secs_f64();
        let mut visited = 0;
        // A page that reads slowly misses some of the reports.
        let mut tell = |nodes| {
            visited = nodes;
            let _ = self.out.try_send(self.answer(nodes, seconds(), ProofState::Searching, None));
        };
        tell(0);
        let (start, moves) = (self.game.start.as_deref(), texts(&self.game.moves));
        let attempt = self.setting.prove(start, &moves, &self.resources, BUDGET, self.stop.clone(), &mut tell);
        if self.stop.check(0).is_err() {
            return None;
        }
        let (state, known) = match attempt {
            Ok(Attempt::Won(proof)) => {
                let known = proof.known();
                *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(proof);
                (ProofState::Won, Some(known))
            }
            Ok(Attempt::NoWin(known)) => (ProofState::Drawn, Some(known)),
            Ok(Attempt::Open | Attempt::Over) | Err(_) => (ProofState::Open, None),
        };
        Some(self.answer(visited, seconds(), state, known))
    }
}

impl Proving {
    /// How the losing side's replies after a line from the proven position are found. What was not kept is searched
    /// anew, which may take seconds.
    pub(crate) fn replies(&self, id: u32, line: Vec<String>) -> impl FnOnce() -> Result<Answer, String> + use<> {
        let found = Arc::clone(&self.found);
        move || {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            let proof = found.as_mut().ok_or("Nothing is proven yet.")?;
            let replies = proof.replies(&texts(&line)).map_err(|error| error.to_string())?;
            Ok(Answer::Replies { id, replies })
        }
    }
}
