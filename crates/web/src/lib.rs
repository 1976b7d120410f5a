//! The page: a server for this machine, and the files that it serves.
//!
//! [`Server`] listens on the loopback address. It serves the files in `page/`, which are inside the program, describes
//! the games to the page (`games.json`), and speaks JSON over one WebSocket for each page ([`room::messages`] has every
//! message). Rules, results and evaluations come from here: a page shows a [`Scene`](games::Scene) and sends what its
//! user wants. Each page is in a [`Room`](room::Room), which outlives its pages, so that a reload or a lost connection
//! loses nothing. If a page and its room disagree, the room is right.
//!
//! Other machines get in only after [`Server::share`], and only with the token in its link. Requests whose `Host` or
//! `Origin` is not this server are refused. Finished games go into the [`Archive`].
//!
//! Not here: rules, and what happens in a room: that is the crate `room`.
//!
//! ```no_run
//! let server = web::Server::bind(None, engine::Resources::default())?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod archive;
mod crowd;
mod display;
mod doors;
mod engines;
mod errands;
mod files;
mod gauge;
mod network;
mod open_room;
mod proving;
mod rooms;
mod running;
mod server;
mod socket;
mod stage;
mod static_site;
mod terminal;

pub use archive::{Archive, Report, games_in};
pub use display::Display;
pub use gauge::Gauge;
pub use network::{Link, own_address};
pub use running::{Running, USUAL_PORT};
pub use server::Server;
pub use stage::Stage;
pub use static_site::static_site;
pub use terminal::Commands;
