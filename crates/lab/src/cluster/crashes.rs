//! The machines of a simulated cluster. They crash at random times and are replaced by others.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use game::SplitMix64;
use serde::Serialize;

use super::machine::{Machine, Order, Tally, lock};

/// Losses due to crashes, in real seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Losses {
    /// Number of crashes.
    pub crashes: u64,
    /// Number of aborted games.
    pub games: u64,
    /// Total time spent on the aborted games, in seconds.
    pub played: f64,
    /// Total time before crashed machines were replaced, in seconds.
    pub absent: f64,
}

/// Times of the crashes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weather {
    /// Mean time between crashes, over all machines; if unset, no machine crashes.
    pub(super) crash_every: Option<Duration>,
    /// Time until another machine replaces a crashed one.
    pub(super) absent: Duration,
    pub(super) seed: u64,
}

/// A flag that is set at the end of the tournament. Threads can wait for it.
#[derive(Default)]
pub(super) struct Evening {
    is_there: Mutex<bool>,
    bell: Condvar,
}

impl Evening {
    pub(super) fn begin(&self) {
        *lock(&self.is_there) = true;
        self.bell.notify_all();
    }

    /// Waits for at most this time. Returns `true` if the tournament is over.
    fn wait(&self, time: Duration) -> bool {
        let waited = self.bell.wait_timeout_while(lock(&self.is_there), time, |is_there| !*is_there);
        waited.is_ok_and(|(is_there, _)| *is_there)
    }
}

/// Starts and runs the machines.
pub(super) struct Park<'a> {
    pub(super) program: &'a Path,
    pub(super) order: &'a Order,
    /// Recorded games, one per line.
    pub(super) games: &'a str,
    pub(super) tally: &'a Arc<Mutex<Tally>>,
}

impl Park<'_> {
    fn start(&self, number: usize) -> Result<Machine> {
        let order = Order { name: format!("machine {number}"), ..self.order.clone() };
        Machine::start(self.program, &order, self.games, self.tally)
    }

    /// Starts this many machines.
    pub(super) fn open(&self, machines: usize) -> Result<Vec<Machine>> {
        (0..machines).map(|number| self.start(number)).collect()
    }

    /// Runs the machines and replaces crashed ones until the tournament is over, then stops all machines.
    pub(super) fn run(&self, machines: Vec<Machine>, weather: Weather, evening: &Evening) -> Result<Losses> {
        /// Delay before the next attempt to start a machine that failed to start.
        const AGAIN: Duration = Duration::from_secs(1);
        let mut losses = Losses::default();
        let mut rng = SplitMix64::new(weather.seed);
        let mut started = machines.len();
        let mut places: Vec<Place> = machines.into_iter().map(Place::Running).collect();
        let mut crash = next_crash(weather.crash_every, &mut rng);
        loop {
            let back = places.iter().filter_map(Place::back).min();
            let next = [crash, back].into_iter().flatten().min();
            let pause = next.map_or(Duration::from_secs(1), |next| next.saturating_duration_since(Instant::now()));
            if evening.wait(pause) {
                break;
            }
            let now = Instant::now();
            for place in &mut places {
                if let Place::Empty { since, until } = *place
                    && until <= now
                {
                    *place = match self.start(started) {
                        Ok(machine) => {
                            losses.absent += since.elapsed().as_secs_f64();
                            started += 1;
                            Place::Running(machine)
                        }
                        Err(_) => Place::Empty { since, until: now + AGAIN },
                    };
                }
            }
            if crash.is_some_and(|crash| crash <= now) {
                crash = next_crash(weather.crash_every, &mut rng);
                let place = rng.below(places.len());
                let empty = Place::Empty { since: now, until: now + weather.absent };
                match std::mem::replace(&mut places[place], empty) {
                    Place::Running(machine) => losses.add(&machine.crash()?),
                    // The place is already empty, so there is no machine to crash.
                    still @ Place::Empty { .. } => places[place] = still,
                }
            }
        }
        for place in places {
            match place {
                Place::Running(machine) => machine.end()?,
                Place::Empty { since, .. } => losses.absent += since.elapsed().as_secs_f64(),
            }
        }
        Ok(losses)
    }
}

impl Losses {
    fn add(&mut self, games: &[Duration]) {
        self.crashes += 1;
        self.games += games.len() as u64;
        self.played += games.iter().sum::<Duration>().as_secs_f64();
    }
}

/// A place for a machine.
enum Place {
    Running(Machine),
    Empty { since: Instant, until: Instant },
}

impl Place {
    fn back(&self) -> Option<Instant> {
        match self {
            Self::Running(_) => None,
            Self::Empty { until, .. } => Some(*until),
        }
    }
}

/// Returns the time of the next crash. Crashes are independent, so the times between them are exponentially
/// distributed.
fn next_crash(mean: Option<Duration>, rng: &mut SplitMix64) -> Option<Instant> {
    let at_most_one = 1.0 - rng.fraction();
    Some(Instant::now() + mean?.mul_f64(-at_most_one.ln()))
}
