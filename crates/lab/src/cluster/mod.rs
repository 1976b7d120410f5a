//! A large tournament on one machine: real ledger, store and program that hands out, with simulated workers.
//!
//! * [`claims`] measures how many jobs of no length the ledger hands out in a second.
//! * [`simulate`] plays a tournament through [`arena::hand_out`]. Its workers are processes that run [`ledger::serve`]
//!   as real ones do, but answer with recorded games after their sped-up time, and are killed at random moments.

mod claims;
mod crashes;
mod figures;
mod machine;
mod recorded;
mod report;
mod server;
mod simulate;

pub use claims::{Claiming, Claims, claims};
pub use crashes::Losses;
pub use figures::Latency;
pub use machine::serve_as_told;
pub use report::{Check, Processors, Simulation, Slots};
pub use server::{Rows, Table};
pub use simulate::{Cluster, simulate};

/// The build that simulated workers and their desks name, so that real workers leave their jobs alone.
const BUILD: &str = "cluster";

/// Shows how much of some work is done: done, all, and what is being done.
pub type Progress<'a> = &'a dyn Fn(u64, u64, &str);
