//! Sources of jobs.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::error::LedgerError;

/// A source of jobs to hand out, which also receives their outputs.
pub trait Jobs {
    /// Errors that stop the work.
    type Error: From<LedgerError>;

    /// Returns the next job to offer, with its number and its input; `None` if there is none until further outputs
    /// arrive.
    ///
    /// # Errors
    /// Returns an error if earlier outputs do not fit the job.
    fn next(&mut self) -> Result<Option<(u64, String)>, Self::Error>;

    /// Receives the output of a job. When the work of an earlier program is resumed, this function receives all its
    /// outputs again, possibly including those of jobs that have not been offered again yet.
    ///
    /// # Errors
    /// Returns an error if the output is invalid or cannot be stored.
    fn take(&mut self, number: u64, output: &str) -> Result<(), Self::Error>;

    /// Returns `true` if no more output is needed.
    fn is_over(&self) -> bool;
}

/// Jobs with consecutive numbers, whose outputs are processed in the order of the numbers.
pub struct InOrder<I, S> {
    /// Number of the next job to offer.
    next: u64,
    /// Number of the next output to process.
    wanted: u64,
    end: u64,
    input: I,
    see: S,
    /// Outputs that wait for earlier ones.
    early: BTreeMap<u64, String>,
}

impl<I, S> InOrder<I, S> {
    /// Creates jobs with these numbers. `input` returns their inputs. `see` processes their outputs until it returns
    /// `false`.
    pub fn new(numbers: Range<u64>, input: I, see: S) -> Self {
        Self { next: numbers.start, wanted: numbers.start, end: numbers.end, input, see, early: BTreeMap::new() }
    }
}

impl<I, S, E> Jobs for InOrder<I, S>
where
    I: Fn(u64) -> String,
    S: FnMut(&str) -> Result<bool, E>,
    E: From<LedgerError>,
{
    type Error = E;

    fn next(&mut self) -> Result<Option<(u64, String)>, E> {
        // Jobs whose outputs have already arrived are not offered.
        let missing = (self.next.max(self.wanted)..self.end).find(|number| !self.early.contains_key(number));
        self.next = missing.map_or(self.end, |number| number + 1);
        Ok(missing.map(|number| (number, (self.input)(number))))
    }

    fn take(&mut self, number: u64, output: &str) -> Result<(), E> {
        if !(self.wanted..self.end).contains(&number) {
            return Ok(());
        }
        self.early.insert(number, output.to_owned());
        while self.wanted < self.end
            && let Some(output) = self.early.remove(&self.wanted)
        {
            self.wanted += 1;
            if !(self.see)(&output)? {
                self.end = self.wanted;
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.wanted >= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_seen_once_and_in_order_until_enough_have_come() {
        let mut seen = Vec::new();
        let see = |output: &str| {
            seen.push(output.to_owned());
            Ok::<bool, LedgerError>(seen.len() < 4)
        };
        let mut jobs = InOrder::new(5..20, |number| format!("input {number}"), see);
        let offer = |jobs: &mut InOrder<_, _>| jobs.next().expect("no error");
        assert_eq!(offer(&mut jobs), Some((5, "input 5".to_owned())));
        assert_eq!(offer(&mut jobs).map(|(number, _)| number), Some(6));
        // Repeated outputs, outputs before the offer, and numbers outside the range.
        for number in [6, 5, 5, 6, 4, 20, 8] {
            jobs.take(number, &number.to_string()).expect("no error");
        }
        assert_eq!(offer(&mut jobs).map(|(number, _)| number), Some(7));
        assert_eq!(offer(&mut jobs).map(|(number, _)| number), Some(9), "8 is there");
        assert!(!jobs.is_over());
        jobs.take(9, "9").expect("no error");
        jobs.take(7, "7").expect("no error");
        assert!(jobs.is_over() && offer(&mut jobs).is_none(), "four are enough");
        drop(jobs);
        assert_eq!(seen, ["5", "6", "7", "8"]);
    }
}
