//! Integration tests: the programs as processes, and the page in a real browser.

mod arena;
#[cfg(target_os = "linux")]
mod autograder;
#[cfg(target_os = "linux")]
mod chaos;
#[cfg(target_os = "linux")]
mod cluster;
#[cfg(unix)]
mod course;
#[cfg(target_os = "linux")]
mod course_attacks;
#[cfg(target_os = "linux")]
mod course_load;
#[cfg(target_os = "linux")]
mod course_proxy;
#[cfg(target_os = "linux")]
mod course_workers;
#[cfg(target_os = "linux")]
mod deploy;
#[cfg(target_os = "linux")]
mod dist;
mod golden;
#[cfg(target_os = "linux")]
mod handed_out;
mod integrity;
mod measuring;
mod new_game;
mod page;
mod programs;
mod proving;
mod report;
#[cfg(target_os = "linux")]
mod sandbox;
mod solving;
#[cfg(target_os = "linux")]
mod submissions;
#[cfg(target_os = "linux")]
mod terminal;
mod tournaments;
#[cfg(target_os = "linux")]
mod work;
