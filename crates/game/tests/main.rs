//! Tests of the parts that all games share, with the example game.

mod fold;
mod nim;
mod plies_left;
mod record;
mod rng;
