//! The states of a job, as numbers in the column `state` of the table of jobs. Existing databases contain these numbers
//! and [`MOST_FAILURES`] in rows, indexes and functions, so a change needs a new [`LAYOUT`](crate::layout::LAYOUT).

/// The job waits for a worker to claim it.
pub(crate) const WAITING: i16 = 0;
/// A worker has a lease on the job.
pub(crate) const LEASED: i16 = 1;
/// A worker has delivered the job's output.
pub(crate) const DONE: i16 = 2;
/// The coordinator has collected the job's output.
pub(crate) const COLLECTED: i16 = 3;
/// The job has failed [`MOST_FAILURES`] times. No worker can claim it until the work is restarted.
pub(crate) const ASIDE: i16 = 4;

/// Number of failures after which a job is set aside.
pub const MOST_FAILURES: i32 = 3;

/// Replaces the names of states and `MOST_FAILURES` in SQL, such as `{WAITING}`, by their numbers.
pub(crate) fn with_numbers(sql: &str) -> String {
    let numbers = [
        ("{WAITING}", WAITING.to_string()),
        ("{LEASED}", LEASED.to_string()),
        ("{DONE}", DONE.to_string()),
        ("{COLLECTED}", COLLECTED.to_string()),
        ("{ASIDE}", ASIDE.to_string()),
        ("{MOST_FAILURES}", MOST_FAILURES.to_string()),
    ];
    numbers.iter().fold(sql.to_owned(), |sql, (name, number)| sql.replace(name, number))
}
