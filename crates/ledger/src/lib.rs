//! Distribution of work to many machines.
//!
//! One program offers independent jobs at a [`Desk`], in a PostgreSQL database, and collects their outputs. Any number
//! of workers on any number of machines perform the jobs: [`serve`] repeatedly claims a job, performs it, and reports
//! its output.
//!
//! * A job is claimed under a **lease**, which the worker renews while it works. If the lease expires, because the
//!   worker was killed or lost its connection, the job is handed out again. A worker that fails at a job does not
//!   receive it again while there are others. After three failures the job is set aside with the reason.
//! * The output and the end of the lease are written in one transaction. A repeated output is recorded once.
//! * All times are those of the server, so the clocks of the machines do not matter.
//! * Only programs of the same **build** work together: a program that offers work names its build, and workers of
//!   other builds ignore the work.
//!
//! Not here: the meaning of a job. In this crate a job is a number and a text, and its output is a text.
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
mod state;
mod tls;
mod unfinished;
mod work;

pub use address::{Address, AddressError};
pub use desk::{Desk, Waited};
pub use error::{LedgerError, is_lost, why};
pub use jobs::{Done, Job, Ledger, News, Progress, Recorded, Work, Worker};
pub use offers::{InOrder, Jobs};
pub use state::MOST_FAILURES;
pub use unfinished::Leased;
pub use work::{Failure, Note, Shift, serve};
