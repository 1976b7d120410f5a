//! Tests of the reference implementation against the rule texts and the rules crates.

mod breakthrough;
mod checkers;
mod common;
mod jump61;
mod loa;
mod model_check;
