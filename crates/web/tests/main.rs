//! The server of the page, by clients.

mod abuse;
mod client;
mod sentences;
mod server;
mod sharing;
