//! The page: a server for this machine, and the files that it serves.
//!
//! [`Server`] listens on the loopback address. It serves the files in `page/`, which are embedded in the program,
//! describes the games to the page (`games.json`), and exchanges JSON messages over one WebSocket for each page (see
//! [`house::messages`]). A [`House`](house::House) handles the messages; this crate performs its effects with sockets,
//! threads and files. A page shows a [`Scene`](games::Scene) and sends the requests of its user. Each page is in a
//! [`Room`](house::Room), which outlives the page, so a reload or a lost connection loses nothing. If a page and its
//! room disagree, the room is correct.
//!
//! Other machines have access only after [`Server::share`], and only with the token in its link. Requests are refused
//! if their `Host` or `Origin` is not this server. Finished games are added to the [`Archive`].
//!
//! Rooms and the requests of pages are in the crate `house`, and the rules are in the crates of the games.
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
mod driver;
mod files;
mod gauge;
mod headers;
mod joined;
mod network;
mod running;
mod script;
mod server;
mod socket;
mod static_site;

pub use archive::{Archive, Report, games_in};
pub use display::{Display, Stage};
pub use doors::{Connection, Doors, Patient, Plain, Transport};
pub use driver::Commands;
pub use files::{Served, course_file};
pub use gauge::Gauge;
pub use headers::add_security_headers;
pub use network::{Link, own_address};
pub use running::{Running, USUAL_PORT};
pub use server::Server;
pub use static_site::static_site;
