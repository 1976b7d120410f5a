//! Tests of the page's server through its clients.

mod abuse;
mod client;
mod sentences;
mod server;
mod sharing;
