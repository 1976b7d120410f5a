//! Tests of the harness with well-behaved and misbehaving programs. The programs are small shell scripts in
//! `tests/mocks/`.

mod common;
mod directives;
mod exits;
mod limits;
mod output;
mod record;
mod suite;
mod two_programs;
