//! Measures how long a child waited for a processor while other programs used it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::Child;

/// Times of a thread since it was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadTime {
    /// Time on a processor.
    pub ran: Duration,
    /// Time spent ready to run and waiting for a processor.
    pub waited: Duration,
}

/// The times of a program's threads, by the system's thread number.
pub type ThreadTimes = BTreeMap<u32, ThreadTime>;

/// A measurement of how long a child was ready to run while other programs used its processor. The result is a lower
/// bound: the processor time of the child's other threads is subtracted from a thread's waiting time.
#[derive(Clone, Debug)]
pub struct Pressure {
    threads: ThreadTimes,
    cpu: Duration,
}

impl Pressure {
    /// Begins to measure. Returns `None` where the system does not report these times.
    pub fn begin(child: &mut Child) -> Option<Self> {
        let (threads, cpu) = (child.threads(), child.cpu()?);
        (!threads.is_empty()).then_some(Self { threads, cpu })
    }

    /// Returns how long the child has waited since [`begin`](Self::begin).
    pub fn waited(&self, child: &mut Child) -> Duration {
        let now = child.threads();
        let used = child.cpu().unwrap_or_default().saturating_sub(self.cpu);
        waited(&self.threads, &now, used)
    }
}

/// Returns the longest time that one thread waited while other programs ran. `used` is the processor time of the whole
/// program in this period. The part that the program's other threads used is subtracted from a thread's waiting time.
fn waited(before: &ThreadTimes, now: &ThreadTimes, used: Duration) -> Duration {
    let of_thread = |(number, time): (&u32, &ThreadTime)| {
        let before = before.get(number).copied().unwrap_or_default();
        let others = used.saturating_sub(time.ran.saturating_sub(before.ran));
        time.waited.saturating_sub(before.waited).saturating_sub(others)
    };
    now.iter().map(of_thread).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(times: &[(u32, u64, u64)]) -> ThreadTimes {
        let second = Duration::from_secs;
        times
            .iter()
            .map(|&(number, ran, waited)| (number, ThreadTime { ran: second(ran), waited: second(waited) }))
            .collect()
    }

    #[test]
    fn a_program_that_waits_for_its_own_threads_has_not_waited() {
        let second = Duration::from_secs;
        let before = times(&[(7, 1, 4)]);
        // One thread ran for a quarter of the time.
        assert_eq!(waited(&before, &times(&[(7, 2, 7)]), second(1)), second(3));
        // Two threads took turns. Then two threads shared a processor with another program.
        assert_eq!(waited(&before, &times(&[(7, 3, 6), (8, 2, 2)]), second(4)), Duration::ZERO);
        assert_eq!(waited(&before, &times(&[(7, 2, 7), (8, 1, 3)]), second(2)), second(2));
        // A process that has ended used the processor, too.
        assert_eq!(waited(&before, &times(&[(7, 1, 7)]), second(3)), Duration::ZERO);
        assert_eq!(waited(&before, &times(&[]), second(1)), Duration::ZERO);
    }

    /// Three busy programs on one core: each of them waits for the others.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_without_a_processor_waits() {
        use crate::{Command, affinity};
        use std::time::Instant;

        let core = affinity::cores().expect("cores")[0];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                affinity::stay_on(&[core]).expect("a core of its own");
                let busy = || Child::start(&Command::new(["sh", "-c", "while :; do :; done"])).expect("sh starts");
                let mut children = [busy(), busy(), busy()];
                let Some(pressure) = Pressure::begin(&mut children[0]) else { return };
                let until = Instant::now() + Duration::from_mins(1);
                while pressure.waited(&mut children[0]) < Duration::from_millis(100) {
                    assert!(Instant::now() < until, "it has not waited");
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
        });
    }
}
