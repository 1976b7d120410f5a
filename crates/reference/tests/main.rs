//! The slow rules against the rule texts.

mod breakthrough;
mod checkers;
mod common;
mod jump61;
mod loa;
mod model_check;
