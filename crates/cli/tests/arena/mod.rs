//! `plyhouse arena` as a process.

mod command;
mod games;
mod postgres;
mod rounds;
mod starts;
mod statistics;
#[cfg(unix)]
mod stopping;
mod uci;
