//! Tests of the store.

mod crashes;
mod games;
pub(crate) mod setup;
mod teams;
mod uploads;
