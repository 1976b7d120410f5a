//! Tools that check and measure the house itself.
//!
//! * [`fuzz`]: a seeded driver that throws broken input at everything that parses. `make fuzz` runs it for a minute a target.
//! * [`bench`](mod@bench): fixed searches whose nodes are the player's signature.
//! * [`duel`]: matches between two engines in one process.
//! * [`suite`]: positions with known results, sampled and solved.
//! * [`tune`]: weights of evaluations, fitted to games.
//! * `benches/programs.rs`: whole-process timings of the courses' programs. `make bench` runs it.
//! * `tests/`: the fast rules against the slow second implementation, and the fixtures with known answers.
//!
//! Not here: anything that a player or a course's program needs.
//!
//! ```
//! let target = lab::fuzz::Target::ALL[0];
//! let mut fuzzer = lab::fuzz::Fuzzer::new(target, 1);
//! for _ in 0..10 {
//!     fuzzer.step(); // panics on a finding, naming the input
//! }
//! ```

pub mod bench;
pub mod duel;
pub mod fuzz;
pub mod suite;
pub mod tune;
