//! Checks of all games and of the workspace itself.

mod book;
#[cfg(target_os = "linux")]
mod cluster;
mod coverage;
mod figures;
mod fuzz_briefly;
mod house_rules;
mod imports;
mod learning;
mod levels;
mod notices;
mod packages;
mod positions;
mod signature;
mod spsa;
mod tune;
