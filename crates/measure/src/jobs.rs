//! Independent jobs, executed by this program or by workers on other machines. The outputs are the same in both cases.
//!
//! A [`Kind`] holds the shared parameters of its jobs and the code that executes one. [`run`] executes jobs on threads
//! or on the workers of a ledger, and returns their outputs in order. [`perform`] executes a job in a worker.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use engine::Resources;
use games::GameId;
use ledger::{Address, Desk, Failure, InOrder, Job, LedgerError, Work};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bench;

/// A kind of job: parameters that all jobs of the kind share, and the code that executes a job. A `Kind` is sent to
/// workers as JSON, so it must contain everything that an output depends on, except for the job's number and input.
pub trait Kind: Serialize + DeserializeOwned + Sync {
    /// Name of the kind in the ledger.
    const NAME: &'static str;
    /// Output of a job.
    type Output: Serialize + DeserializeOwned + Send;

    /// Returns the game whose endgame tables the jobs use, if any.
    fn endgames(&self) -> Option<GameId> {
        None
    }

    /// Prepares a thread for jobs, for example by creating engines. An output never depends on earlier jobs.
    ///
    /// # Errors
    /// Returns an error if jobs of this kind cannot be executed.
    fn hand<'a>(&'a self, resources: &'a Resources) -> Result<Hand<'a, Self::Output>, Failure>;
}

/// A function that executes a job, given its number and its input.
pub type Hand<'a, T> = Box<dyn FnMut(u64, &str) -> Result<T, Failure> + 'a>;

/// The executor of jobs.
pub enum Hands<'a> {
    /// Threads of this program.
    Own {
        /// Number of threads.
        threads: usize,
        /// Resources of the jobs.
        resources: &'a Resources,
    },
    /// The workers of a ledger.
    Away {
        /// Address of the ledger.
        address: &'a Address,
        /// Function that is called if no worker is connected.
        alone: fn(&Address),
    },
}

impl<'a> Hands<'a> {
    /// Returns the workers of a ledger if there is one, and threads of this program otherwise.
    pub fn new(store: Option<&'a Address>, alone: fn(&Address), threads: usize, resources: &'a Resources) -> Self {
        store.map_or(Self::Own { threads, resources }, |address| Self::Away { address, alone })
    }
}

/// Executes the jobs with these numbers and calls `see` with each output, in the order of the numbers, until `see`
/// returns `false` or no job is left. `input` returns the input of a job. If workers execute the jobs and this program
/// is killed and restarted, outputs that are already in the ledger are not computed again.
///
/// # Errors
/// Returns an error if a job cannot be executed, the ledger cannot be used, or `see` fails.
pub fn run<K: Kind, E: From<Failure> + From<LedgerError>>(
    kind: &K,
    numbers: Range<u64>,
    input: impl Fn(u64) -> String + Sync,
    hands: &Hands<'_>,
    mut see: impl FnMut(K::Output) -> Result<bool, E>,
) -> Result<(), E> {
    match *hands {
        Hands::Own { threads, resources } => {
            let make = || {
                let mut hand = kind.hand(resources);
                let input = &input;
                move |number| hand.as_mut().map_err(|why| why.clone())?(number, &input(number))
            };
            let mut ended = Ok(true);
            in_order(numbers, threads, make, |output| {
                ended = output.map_err(E::from).and_then(&mut see);
                matches!(ended, Ok(true))
            });
            ended.map(drop)
        }
        Hands::Away { address, alone } => {
            let see = |output: &str| {
                let read = serde_json::from_str(output);
                see(read.map_err(|error| Failure(format!("an invalid output of a worker: {error}")))?)
            };
            let desk = Desk::open(address, K::NAME, &text(kind)?, &bench::build())?;
            desk.hand_out(&mut InOrder::new(numbers, input, see), &mut || alone(address))
        }
    }
}

/// Executes a job of another program with the given `resources`. Returns the output.
///
/// # Errors
/// Returns an error if the work or the job does not match this kind, or cannot be executed here.
pub fn perform<K: Kind>(
    work: &Work,
    job: &Job,
    resources: impl FnOnce(GameId) -> Result<Resources, Failure>,
) -> Result<String, Failure> {
    let read = serde_json::from_str(&work.spec);
    let kind: K = read.map_err(|error| Failure(format!("the work does not describe a {}: {error}", K::NAME)))?;
    let resources = kind.endgames().map(resources).transpose()?.unwrap_or_default();
    text(&kind.hand(&resources)?(job.number, &job.input)?)
}

fn text(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure(error.to_string()))
}

/// Returns the message to the user when no worker is connected.
pub fn no_worker(address: &Address) -> String {
    format!("no worker of this version is connected; start `plyhouse work --store {address}`")
}

/// Executes the jobs with these numbers on threads. Each thread calls `make` once to create its own function. Calls
/// `see` with each output in the order of the numbers, and stops when `see` returns `false`.
pub(crate) fn in_order<T: Send, H: FnMut(u64) -> T>(
    numbers: Range<u64>,
    threads: usize,
    make: impl Fn() -> H + Sync,
    mut see: impl FnMut(T) -> bool,
) {
    let (next, done) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let (sender, outputs) = mpsc::channel();
    let work = |sender: &mpsc::Sender<(u64, T)>| {
        let mut hand = make();
        while !done.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || sender.send((number, hand(number))).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work(&sender));
        }
        drop(sender);
        let (mut wanted, mut early) = (numbers.start, BTreeMap::new());
        for (number, output) in outputs {
            early.insert(number, output);
            while let Some(output) = early.remove(&wanted) {
                wanted += 1;
                if !done.load(Ordering::Relaxed) && !see(output) {
                    done.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// Jobs that add a number to their input. A job fails if its number is a multiple of `fails`.
    #[derive(Serialize, Deserialize)]
    struct Sums {
        to: u64,
        fails: u64,
    }

    impl Kind for Sums {
        const NAME: &'static str = "sum";
        type Output = u64;

        fn hand<'a>(&'a self, _: &'a Resources) -> Result<Hand<'a, u64>, Failure> {
            if self.fails == 0 {
                return Err(Failure("fails: 0, expected a number above".to_owned()));
            }
            Ok(Box::new(|number, input| {
                let input: u64 = input.parse().map_err(|_| Failure(format!("`{input}`: expected a number")))?;
                if number % self.fails == 0 { Err(Failure(format!("no {number}"))) } else { Ok(self.to + input) }
            }))
        }
    }

    fn sums(kind: &Sums, threads: usize, most: usize) -> (Vec<u64>, Result<(), String>) {
        struct Told(String);
        impl From<Failure> for Told {
            fn from(Failure(why): Failure) -> Self {
                Self(why)
            }
        }
        impl From<LedgerError> for Told {
            fn from(error: LedgerError) -> Self {
                Self(error.to_string())
            }
        }
        let (mut seen, resources) = (Vec::new(), Resources::default());
        let hands = Hands::new(None, |_| (), threads, &resources);
        let ended = run(
            kind,
            3..50,
            |number| (10 * number).to_string(),
            &hands,
            |sum| {
                seen.push(sum);
                Ok::<bool, Told>(seen.len() < most)
            },
        );
        (seen, ended.map_err(|Told(why)| why))
    }

    #[test]
    fn jobs_are_seen_in_order_until_enough_are_done_or_one_fails() {
        let all: Vec<u64> = (3..50).map(|number| 5 + 10 * number).collect();
        for threads in [1, 4] {
            assert_eq!(sums(&Sums { to: 5, fails: 100 }, threads, 100), (all.clone(), Ok(())));
            assert_eq!(sums(&Sums { to: 5, fails: 100 }, threads, 20), (all[..20].to_vec(), Ok(())));
            assert_eq!(sums(&Sums { to: 5, fails: 40 }, threads, 100), (all[..37].to_vec(), Err("no 40".to_owned())));
            let (seen, ended) = sums(&Sums { to: 5, fails: 0 }, threads, 100);
            assert!(seen.is_empty() && ended == Err("fails: 0, expected a number above".to_owned()), "{ended:?}");
        }
    }

    #[test]
    fn a_worker_says_what_it_cannot_read() {
        let done = |spec: &str, input: &str| {
            let work = Work { id: 1, kind: "sum".to_owned(), spec: spec.to_owned(), is_resumed: true };
            let job = Job { work: 1, number: 7, input: input.to_owned(), failures: 0, taken: String::new() };
            perform::<Sums>(&work, &job, |_| Ok(Resources::default())).map_err(|Failure(why)| why)
        };
        assert_eq!(done(r#"{"to":1,"fails":3}"#, "2"), Ok("3".to_owned()));
        for (spec, input, part) in [
            ("nonsense", "2", "the work does not describe a sum: expected"),
            (r#"{"to":1}"#, "2", "missing field `fails`"),
            (r#"{"to":1,"fails":0}"#, "2", "expected a number above"),
            (r#"{"to":1,"fails":3}"#, "two", "`two`: expected a number"),
            (r#"{"to":1,"fails":7}"#, "2", "no 7"),
        ] {
            let why = done(spec, input).expect_err(part);
            assert!(why.contains(part), "{why}");
        }
    }
}
