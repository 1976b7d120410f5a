//! The page: a server for this machine, and the files that it serves.
//!
//! [`Server`] listens on the loopback address. It serves the files in `page/`, which are inside the program, describes
//! the games to the page (`games.json`), and speaks JSON over one WebSocket for each page ([`messages`] has every
//! message). Rules, results and evaluations come from here: a page shows a [`Scene`](games::Scene) and sends what its
//! user wants. Each page is in a room. A room outlives its pages, so that a reload or a lost connection loses nothing.
//! If a page and its room disagree, the room is right.
//!
//! Not here: rules, and any access from other machines. Requests whose `Host` or `Origin` is not this server are
//! refused.
//!
//! ```no_run
//! let server = web::Server::bind(None, engine::Resources::default())?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod about;
mod display;
mod engines;
mod files;
pub mod messages;
mod room;
mod rooms;
mod server;
mod socket;
mod terminal;
mod texts;

pub use display::Display;
pub use server::Server;
pub use terminal::Commands;
