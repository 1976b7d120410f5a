//! `plyhouse arena`, from outside.

mod command;
mod games;
mod postgres;
mod rounds;
mod starts;
mod statistics;
#[cfg(unix)]
mod stopping;
