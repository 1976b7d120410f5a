//! Positions from which searches begin, and the encoding of their leaves.

use core::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

use game::Record;

use crate::encode::{ActionSpace, Encoded, MoveOf, Standard};
use crate::planes::Planes;
use crate::rules::Rules;
use crate::table::{Settings, Setup};

/// The action ids and planes of a batch.
pub(crate) trait Encoding<P: Encoded>: Send + Sync {
    /// Returns the number of action ids.
    fn actions(&self) -> usize;

    /// Returns the selection of planes.
    fn planes(&self) -> Planes;

    /// Returns the id of a legal move.
    fn id_of(&self, p: &P, m: MoveOf<P>) -> i32;
}

impl<P: Encoded, A: ActionSpace<P>> Encoding<P> for Setup<P, A> {
    fn actions(&self) -> usize {
        self.actions
    }

    fn planes(&self) -> Planes {
        self.settings.planes
    }

    fn id_of(&self, p: &P, m: MoveOf<P>) -> i32 {
        self.id(p, m)
    }
}

/// Returns the encoding of batches with these planes. `compact` selects the action space.
pub(crate) fn encoding<P: Encoded>(compact: bool, planes: Planes) -> Arc<dyn Encoding<P>> {
    let rules = Rules { move_limit: None, draws: None, set: None };
    let settings = Settings { rules, planes, auto_reset: false, rewards_mover: false, threads: 1 };
    if compact {
        Arc::new(Setup::<P, P::Compact>::new(settings))
    } else {
        Arc::new(Setup::<P, Standard>::new(settings))
    }
}

/// A game to search.
pub(crate) struct Root<P: Encoded> {
    /// Number of the game in its batch.
    pub(crate) number: usize,
    /// The game since its last irreversible move.
    pub(crate) record: Record<P>,
    /// Earlier positions for the planes, the latest first.
    pub(crate) recent: VecDeque<P>,
    /// Number that distinguishes this game from all other games of the batch, also from earlier ones. It is added to
    /// the seed.
    pub(crate) stream: u64,
}

/// Games of a batch to search.
pub(crate) struct Roots<P: Encoded> {
    /// The games, in the order of their numbers.
    pub(crate) games: Vec<Root<P>>,
    /// The encoding of the batch.
    pub(crate) encoding: Arc<dyn Encoding<P>>,
    /// Number of games of the batch.
    pub(crate) count: usize,
    /// Maximum number of threads.
    pub(crate) threads: usize,
}

impl<P: Encoded> Roots<P> {
    /// Downcasts roots to this position type.
    ///
    /// # Panics
    /// Panics if they are those of another game.
    pub(crate) fn of(roots: Box<dyn Any + Send>) -> Self {
        *roots.downcast().expect("invariant: the caller has compared the games")
    }
}
