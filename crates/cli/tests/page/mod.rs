//! The page in a real browser.

mod analysis;
mod display;
mod home;
mod keyboard;
mod languages;
mod motion;
mod new_game;
mod playing;
mod premoves;
mod puzzles;
mod server;
mod site;
mod static_site;
mod views;
#[cfg(target_os = "linux")]
mod watch;
