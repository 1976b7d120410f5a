//! Tests of the page's server through its clients.

mod abuse;
mod client;
#[path = "../../house/tests/conformance/mod.rs"]
mod conformance;
mod messages;
mod server;
mod sharing;
mod transcripts;
