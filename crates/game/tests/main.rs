//! What all games have in common, on the example game.

mod fold;
mod nim;
mod plies_left;
mod record;
mod rng;
