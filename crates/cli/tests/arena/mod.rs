//! `plyhouse arena`, from outside.

mod command;
mod games;
mod postgres;
mod rounds;
mod statistics;
#[cfg(unix)]
mod stopping;
