//! The page: a server for this machine, and the files that it serves.
//!
//! [`Server`] listens on the loopback address. It serves the files in `page/`, which are inside the program, and speaks JSON over one
//! WebSocket a page ([`messages`] has every message). Rules, results and evaluations come from here: a page shows a
//! [`Scene`](games::Scene) and sends what its person wants. Each page sits at a table; tables outlive pages, so that a reload or
//! a lost connection loses nothing, and what the table says wins over what the page believes.
//!
//! Not here: rules, and any access from other machines: requests whose `Host` or `Origin` is not this server are refused.
//!
//! ```no_run
//! let server = web::Server::bind(None)?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod engines;
mod exchange;
mod files;
pub mod messages;
mod rooms;
mod server;
mod socket;
mod table;
mod terminal;

pub use server::Server;
pub use terminal::{Commands, Display};
