//! A running course, without HTTP.

#![cfg(unix)]

mod crashes;
mod deadline;
mod rights;
mod support;
mod whole;
