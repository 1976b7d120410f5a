//! Engines of Plyhouse with the types of their game.

use core::any::Any;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use engine::{Build, Built, PlayerOptions, Resources};
use search::{Control, Stop, side_by_side};

use crate::chosen::{Chosen, Decision};
use crate::encode::Encoded;
use crate::error::Wrong;
use crate::record::{AnyGame, Playing};
use crate::roots::{Encoding, Root, Roots};
use crate::thought::Choice;

/// A player of one game.
pub(crate) trait AnyEngine: Send {
    /// Chooses a move. Returns `None` if the game is over.
    fn choose(&mut self, game: &dyn AnyGame, stop: Stop) -> Result<Option<Choice>, Wrong>;

    /// Chooses an action in each game of [`Roots`], which must be those of the engine's game and size. Each game has a
    /// seed of its own, derived from this one. If the search is stopped, the remaining games have no choice.
    fn choose_batch(&mut self, roots: Box<dyn Any + Send>, seed: u64, stop: &Stop) -> Result<Chosen, Wrong>;

    /// Resets the player for a new game. The seed determines its random choices.
    fn new_game(&mut self, seed: u64);
}

/// A player with the types of its game.
pub(crate) struct Seat<P: Encoded> {
    built: Built<P>,
    options: PlayerOptions,
    start: P,
    /// The players of a batch, one for each thread.
    helpers: Vec<Mutex<Built<P>>>,
}

impl<P: Encoded> Seat<P> {
    /// Creates a player for boards of the same size as the start's.
    ///
    /// # Errors
    /// If the game has no player of this build.
    pub(crate) fn new(options: &PlayerOptions, start: P) -> Result<Self, Wrong> {
        let built = make(options, &start)?;
        Ok(Self { built, options: options.clone(), start, helpers: Vec::new() })
    }
}

fn make<P: Encoded>(options: &PlayerOptions, start: &P) -> Result<Built<P>, Wrong> {
    options.make(start, &Resources::default()).map_err(|error| Wrong::Value(format!("{}: {error}", P::NAME)))
}

/// Chooses an action in a game of a batch.
fn decide<P: Encoded>(
    built: &mut Built<P>,
    root: &Root<P>,
    encoding: &dyn Encoding<P>,
    stop: &Stop,
) -> Option<Decision> {
    let mut control = Control { stop: stop.clone(), ..Control::on(search::SYSTEM) };
    let choice = built.engine.choose(&root.record, &built.limits, &mut control)?;
    let p = root.record.position();
    let moves = p.movable().into_iter().map(|m| (m, if m == choice.best { 1.0 } else { 0.0 }));
    Some(Decision::new(encoding, p, choice.best, choice.score.expected_result(), moves))
}

impl<P: Encoded> AnyEngine for Seat<P> {
    fn choose(&mut self, game: &dyn AnyGame, stop: Stop) -> Result<Option<Choice>, Wrong> {
        let playing = Playing::<P>::of(game, P::size(&self.start))?;
        if playing.record.finish().is_some() {
            return Ok(None);
        }
        let mut control = Control { stop, ..Control::on(search::SYSTEM) };
        let choice = self.built.engine.choose(&playing.record, &self.built.limits, &mut control);
        Ok(choice.map(|choice| Choice::of(&choice)))
    }

    fn choose_batch(&mut self, roots: Box<dyn Any + Send>, seed: u64, stop: &Stop) -> Result<Chosen, Wrong> {
        let roots = Roots::<P>::of(roots);
        let threads = roots.threads.min(roots.games.len()).max(1);
        while self.helpers.len() < threads {
            self.helpers.push(Mutex::new(make(&self.options, &self.start)?));
        }
        let is_random = self.options.build == Build::Random;
        let next = AtomicUsize::new(0);
        let run = |thread: usize| {
            let mut built = self.helpers[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut found = Vec::new();
            while let Some(root) = roots.games.get(next.fetch_add(1, Ordering::Relaxed))
                && stop.check(0).is_ok()
            {
                // The choices of the random player depend on its seed alone, so the seed also contains the ply.
                let plies = u64::from(root.record.moves_made());
                let stream = if is_random { root.stream ^ plies << 40 } else { root.stream };
                built.engine.new_game(seed.wrapping_add(stream));
                found.extend(decide(&mut built, root, &*roots.encoding, stop).map(|decision| (root.number, decision)));
            }
            found
        };
        let mut decisions: Vec<_> = side_by_side(search::SYSTEM.threads, threads, run).into_iter().flatten().collect();
        decisions.sort_unstable_by_key(|&(number, _)| number);
        Ok(Chosen::new(roots.count, decisions))
    }

    fn new_game(&mut self, seed: u64) {
        self.built.engine.new_game(seed);
    }
}
