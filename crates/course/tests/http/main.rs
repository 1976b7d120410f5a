//! The HTTP server of a course, through real connections.

#![cfg(unix)]

mod attacks;
mod commands;
mod files;
mod forgery;
mod framing;
mod playing;
mod requests;
mod roles;
mod support;
mod tls;
mod uploads;
