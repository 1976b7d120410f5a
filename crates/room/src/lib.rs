//! Games on the page, independent of the transport: the [`messages`] between a page and its games, [`Room`]s with
//! seats, clocks and a shared table, requests about games outside rooms ([`desk`]), the finished games ([`archive`]),
//! the opening [`explorer`], the searches for pages ([`thinking`], [`proving`]), and information about each game for
//! the page ([`about`]).
//!
//! Two programs use this crate: the server of the crate `web`, with sockets and threads, and the crate `house`, which
//! runs inside a browser. Callers pass the time, in milliseconds since a fixed moment, and provide the clock and the
//! threads of a search.
//!
//! Not here: sockets, files, threads, the rules of any game.
//!
//! ```
//! use room::{Room, messages::Act};
//!
//! let mut room = Room::usual(); // a game against the engine
//! room.act(0, &Act::Play { text: "b1-b3".into() }, "a page", 0)?;
//! let turn = room.turn().expect("the engine is to move");
//! assert_eq!(turn.game.moves, ["b1-b3"]);
//! assert!(room.act(1, &Act::Play { text: "b1-b3".into() }, "a page", 0).is_err());
//! # Ok::<(), String>(())
//! ```

pub mod about;
pub mod archive;
mod clock;
pub mod desk;
pub mod explorer;
pub mod messages;
pub mod proving;
mod room;
mod table;
mod texts;
pub mod thinking;

pub use room::{Room, Turn, USUAL_PACE, scene, setting, texts};
