//! The page in a real browser.

mod analysis;
#[cfg(target_os = "linux")]
mod course;
mod display;
mod endings;
mod home;
mod keyboard;
mod ladder;
mod languages;
mod motion;
mod new_game;
mod past;
mod playing;
mod premoves;
mod puzzles;
mod review;
mod rules;
mod server;
mod sharing;
mod site;
mod sizes;
mod static_site;
mod typed;
mod views;
#[cfg(target_os = "linux")]
mod watch;
