//! Tests of the slow rules against the rule texts and the fast rules.

mod breakthrough;
mod checkers;
mod common;
mod jump61;
mod loa;
mod model_check;
