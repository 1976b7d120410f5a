//! Tests of proofs, certificates and their checks.

mod agenda;
mod breakthrough;
mod certificates;
mod exact;
mod logs;
mod whole_games;
