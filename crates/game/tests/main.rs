//! Tests of the common game code, with the example game.

mod fold;
mod nim;
mod plies_left;
mod record;
mod rng;
