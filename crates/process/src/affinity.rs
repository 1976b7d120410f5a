//! Processor cores on which a thread, and the threads and processes that it starts, may run.

use thiserror::Error;

/// Errors of choosing processor cores.
#[derive(Debug, Error)]
pub enum AffinityError {
    /// The system rejected the call.
    #[error("cores {cores:?}: {error}")]
    Refused {
        /// Requested cores.
        cores: Vec<usize>,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The system has no such call.
    #[error("processor cores can be chosen on Linux only")]
    NotHere,
}

/// Returns the cores on which this thread may run.
///
/// # Errors
/// Returns an error if the system does not report them.
#[cfg(target_os = "linux")]
pub fn cores() -> Result<Vec<usize>, AffinityError> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set =
        sched_getaffinity(None).map_err(|error| AffinityError::Refused { cores: Vec::new(), error: error.into() })?;
    Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
}

/// Restricts this thread to these cores. Threads and processes that it starts from now on inherit the restriction; a
/// process may choose other cores for itself.
///
/// # Errors
/// Returns an error if the system rejects the call, for example because there are no such cores.
#[cfg(target_os = "linux")]
pub fn stay_on(cores: &[usize]) -> Result<(), AffinityError> {
    use rustix::io::Errno;
    use rustix::thread::{CpuSet, sched_setaffinity};
    let refused = |error: Errno| AffinityError::Refused { cores: cores.to_vec(), error: error.into() };
    let mut set = CpuSet::new();
    for &core in cores {
        // A set cannot hold larger numbers.
        if core >= CpuSet::MAX_CPU {
            return Err(refused(Errno::INVAL));
        }
        set.set(core);
    }
    sched_setaffinity(None, &set).map_err(refused)
}

/// Returns the cores on which this thread may run.
///
/// # Errors
/// Always returns an error.
#[cfg(not(target_os = "linux"))]
pub fn cores() -> Result<Vec<usize>, AffinityError> {
    Err(AffinityError::NotHere)
}

/// Restricts this thread to these cores.
///
/// # Errors
/// Always returns an error.
#[cfg(not(target_os = "linux"))]
pub fn stay_on(_: &[usize]) -> Result<(), AffinityError> {
    Err(AffinityError::NotHere)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::{Child, Command, Output, Stream};
    use std::time::{Duration, Instant};

    #[test]
    fn a_child_inherits_the_cores_of_the_thread_that_started_it() {
        let own = cores().expect("cores");
        let last = *own.last().expect("a core");
        let told = std::thread::spawn(move || {
            stay_on(&[last]).expect("a core of our own");
            let ask = Command::new(["sh", "-c", "sh -c 'grep Cpus_allowed_list: /proc/self/status'"]);
            let mut child = Child::start(&ask).expect("sh starts");
            // The end of the child's standard error may arrive before the line.
            let outputs = std::iter::from_fn(move || child.output(Instant::now() + Duration::from_secs(20)));
            let line = outputs.into_iter().find_map(|output| match output {
                Output::Line(Stream::Stdout, line) => Some(String::from_utf8_lossy(&line).into_owned()),
                _ => None,
            });
            line.expect("an answer")
        });
        let told = told.join().expect("no panic");
        assert_eq!(told.split_whitespace().last(), Some(last.to_string().as_str()), "{told}");
        assert_eq!(cores().expect("cores"), own, "other threads keep theirs");
        let error = stay_on(&[100_000]).expect_err("no such core").to_string();
        assert!(error.starts_with("cores [100000]: "), "{error}");
    }
}
