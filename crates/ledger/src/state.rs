//! The states of a job, as numbers in the column `state` of the table of jobs.

/// No worker has a lease on the job.
pub(crate) const WAITING: i16 = 0;
/// A worker has a lease on the job.
pub(crate) const LEASED: i16 = 1;
/// A worker has delivered the job's output.
pub(crate) const DONE: i16 = 2;
/// The coordinator has collected the job's output.
pub(crate) const COLLECTED: i16 = 3;
/// [`MOST_FAILURES`] workers have failed at the job. It is offered to no other worker.
pub(crate) const ASIDE: i16 = 4;

/// Number of failures after which a job is set aside.
pub const MOST_FAILURES: i32 = 3;

/// Replaces the names of states and `MOST_FAILURES` in SQL, such as `{WAITING}`, by their numbers.
pub(crate) fn with_numbers(sql: &str) -> String {
    let states = [("WAITING", WAITING), ("LEASED", LEASED), ("DONE", DONE), ("COLLECTED", COLLECTED), ("ASIDE", ASIDE)];
    let sql = sql.replace("{MOST_FAILURES}", &MOST_FAILURES.to_string());
    states.iter().fold(sql, |sql, (name, number)| sql.replace(&format!("{{{name}}}"), &number.to_string()))
}
