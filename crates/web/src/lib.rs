//! The page: a server for this machine, and the files that it serves.
//!
//! [`Server`] listens on the loopback address. It serves the files in `page/`, which are inside the program, describes
//! the games to the page (`games.json`), and speaks JSON over one WebSocket for each page ([`messages`] has every
//! message). Rules, results and evaluations come from here: a page shows a [`Scene`](games::Scene) and sends what its
//! user wants. Each page is in a room. A room outlives its pages, so that a reload or a lost connection loses nothing.
//! If a page and its room disagree, the room is right.
//!
//! Other machines get in only after [`Server::share`], and only with the token in its link. Requests whose `Host` or
//! `Origin` is not this server are refused. Finished games go into the [`Archive`].
//!
//! Not here: rules.
//!
//! ```no_run
//! let server = web::Server::bind(None, engine::Resources::default())?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod about;
mod archive;
mod clock;
mod crowd;
mod desk;
mod display;
mod doors;
mod engines;
mod errands;
mod explorer;
mod files;
mod gauge;
pub mod messages;
mod network;
mod open_room;
mod proving;
mod room;
mod rooms;
mod running;
mod server;
mod socket;
mod stage;
mod table;
mod terminal;
mod texts;

pub use archive::{Archive, Report, games_in};
pub use display::Display;
pub use gauge::Gauge;
pub use network::{Link, own_address};
pub use running::{Running, USUAL_PORT};
pub use server::Server;
pub use stage::Stage;
pub use terminal::Commands;
