//! Monte Carlo tree search.

pub(crate) mod evaluator;
mod halving;
pub(crate) mod numbers;
pub(crate) mod plan;
pub(crate) mod planning;
pub(crate) mod player;
pub(crate) mod policy_evaluator;
pub(crate) mod search;
pub(crate) mod settings;
mod simulation;
mod step;
mod tree;
