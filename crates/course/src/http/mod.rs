//! The HTTP server of a course.
//!
//! [`Server`] serves the page, the course's views and actions as JSON below `/course/`, and personal links below `/t/`.
//! The role of a request follows from its cookie; [`Service`](crate::Service) checks what the role may do. The server
//! checks what only HTTP has: hosts and origins, sizes and durations, and guessed links.
//!
//! [`Console`] is the way of the commands to a course: to the running server, or to the file of a stopped course.

mod actions;
mod answer;
mod checks;
mod console;
mod door_file;
mod download;
mod entrance;
mod failure;
mod gate;
mod guesses;
mod pace;
mod page;
mod query;
mod router;
mod serve_error;
mod server;
#[cfg_attr(unix, path = "signals/unix.rs")]
#[cfg_attr(windows, path = "signals/windows.rs")]
mod signals;
mod site;
mod tls;
mod upload;
mod views;

pub use console::{Console, ConsoleError};
pub use pace::Pace;
pub use serve_error::ServeError;
pub use server::{Server, ServerOptions, Stopper};
