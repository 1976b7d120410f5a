//! The machines of a simulated cluster: they crash at random moments, and others take their places.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use game::SplitMix64;
use serde::Serialize;

use super::machine::{Machine, Order, Tally, lock};

/// What crashes cost, in real seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Losses {
    /// Machines that crashed.
    pub crashes: u64,
    /// Games that were broken off.
    pub games: u64,
    /// For how long they had been played, altogether.
    pub played: f64,
    /// For how long places of crashed machines were empty, altogether.
    pub absent: f64,
}

/// When machines crash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weather {
    /// The mean time between two crashes of any machines; none crashes if unset.
    pub(super) crash_every: Option<Duration>,
    /// How long the place of a crashed machine stays empty.
    pub(super) absent: Duration,
    pub(super) seed: u64,
}

/// Rung when the tournament is over.
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

    /// Waits for a while. Says whether it has come.
    fn wait(&self, time: Duration) -> bool {
        let waited = self.bell.wait_timeout_while(lock(&self.is_there), time, |is_there| !*is_there);
        waited.is_ok_and(|(is_there, _)| *is_there)
    }
}

/// The machines.
pub(super) struct Park<'a> {
    pub(super) program: &'a Path,
    pub(super) order: &'a Order,
    /// Recorded games, as lines.
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

    /// Keeps machines running, apart from their crashes, until the evening. Then it ends them.
    pub(super) fn run(&self, machines: Vec<Machine>, weather: Weather, evening: &Evening) -> Result<Losses> {
        /// A machine that does not start is tried again after this time.
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
                    // It cannot crash twice.
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

/// Where a machine stands.
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

/// The moment of the next crash. As crashes do not depend on each other, the times between them are exponential.
fn next_crash(mean: Option<Duration>, rng: &mut SplitMix64) -> Option<Instant> {
    // In (0, 1], from 53 bits.
    let uniform = ((rng.next_u64() >> 11) + 1) as f64 / 2_f64.powi(53);
    Some(Instant::now() + mean?.mul_f64(-uniform.ln()))
}
