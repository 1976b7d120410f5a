//! Tests of the searches against each other and against plain minimax.

mod alphabeta;
mod common;
mod forced_wins;
mod graph;
mod host;
mod mcts;
mod proof_search;
mod system;
mod techniques;
