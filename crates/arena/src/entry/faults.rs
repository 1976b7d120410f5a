//! Converts faults to failed checks.

use referee::Fault;

use crate::entry::advice::advice;
use crate::entry::check::Check;
use crate::entry::subject::Subject;

/// Returns a failed check that reports a fault, with advice on how to fix it.
pub(crate) fn failed(name: &'static str, fault: &Fault, subject: &Subject<'_>) -> Check {
    Check::failed(name, fault.to_string(), advice(fault, subject))
}
