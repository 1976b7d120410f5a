//! Large tournaments on one machine: the real ledger, store and coordinator, with simulated workers.
//!
//! * [`claims`] measures how many empty jobs per second the ledger hands out.
//! * [`simulate`] plays a tournament through [`arena::hand_out`]. Its workers are processes that run [`ledger::serve`]
//!   like real ones, but answer with recorded games after their accelerated time, and are killed at random times.

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

/// Build name of the simulated workers and their desks, so that real workers ignore their jobs.
const BUILD: &str = "cluster";

/// A callback that shows progress. Its arguments are the completed work, the total work, and a description.
pub type Progress<'a> = &'a dyn Fn(u64, u64, &str);
