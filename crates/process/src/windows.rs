//! Processes and files of Windows.

pub(crate) mod interrupt;
mod start;
pub mod system;
