//! Work for many machines.
//!
//! One program offers independent jobs at a [`Desk`], in a PostgreSQL database, and collects their outputs. Any number
//! of workers on any number of machines do the jobs: [`serve`] takes a job, does it, reports its output, and so on.
//!
//! * A job is taken under a **lease**, which the worker renews while it works. If a lease runs out, because the worker
//!   was killed or lost its connection, the job is given out again. A worker that fails at a job does not receive it
//!   again while there are others. After the third failure the job is put aside with the reason.
//! * The output and the end of the lease are written in one transaction. An output that comes twice is recorded once.
//! * All times are those of the server, so that the clocks of the machines do not matter.
//! * Only programs of the same **build** work together: whoever offers work names its build, and workers of another one
//!   leave it alone.
//!
//! Not here: what a job is. To this crate, jobs have a number and a text, and their outputs are texts.
//!
//! ```
//! use ledger::Address;
//!
//! let address: Address = "postgres://ann:secret@db.example/arena".parse()?;
//! assert_eq!(address.to_string(), "postgres://ann@db.example/arena");
//! # Ok::<(), ledger::AddressError>(())
//! ```

mod address;
mod desk;
mod error;
mod jobs;
mod layout;
mod offers;
mod role;
mod unfinished;
mod work;

pub use address::{Address, AddressError};
pub use desk::{Desk, Waited};
pub use error::{LedgerError, is_lost, why};
pub use jobs::{Done, Job, Ledger, MOST_FAILURES, News, Progress, Recorded, Work, Worker};
pub use offers::{InOrder, Jobs};
pub use unfinished::Leased;
pub use work::{Failure, Note, Shift, serve};
