use game::{Position, Record, SplitMix64};

use crate::control::{Control, Limits};
use crate::engine::{Choice, Engine};
use crate::score::Score;

/// A player that chooses each legal move with equal probability: the weakest opponent for measurements.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomMover {
    seed: u64,
}

impl<P: Position> Engine<P> for RandomMover {
    fn choose(&mut self, game: &Record<P>, _: &Limits, _: &mut Control<'_, P::Move>) -> Option<Choice<P::Move>> {
        // Derived from the seed and the move number alone, so that earlier calls have no effect.
        let mut rng = SplitMix64::new(self.seed.wrapping_add(u64::from(game.moves_made()) << 32));
        let best = game.position().random_move(&mut rng)?;
        Some(Choice::of_line(vec![best], Score::DRAW, 0, 0))
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = SplitMix64::new(seed).next_u64();
    }
}
