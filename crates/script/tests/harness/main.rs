//! The harness with programs that behave and programs that misbehave. The programs are small shell scripts in
//! `tests/mocks/`.

mod common;
mod directives;
mod exits;
mod limits;
mod output;
mod record;
mod suite;
mod two_programs;
