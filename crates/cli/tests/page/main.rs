//! The page in a real browser.

mod analysis;
mod display;
mod home;
mod keyboard;
mod languages;
mod motion;
mod playing;
mod puzzles;
mod server;
mod site;
mod static_site;
#[cfg(target_os = "linux")]
#[path = "../tournaments/mod.rs"]
mod tournaments;
mod views;
#[cfg(target_os = "linux")]
mod watch;
