//! Processes and files of Unix.

pub(crate) mod interrupt;
mod start;
pub mod system;
pub(crate) mod tree;
