//! Seeds of random numbers.

use pyo3::prelude::*;

use crate::whole::Whole;

/// Returns the given seed, or a random one. The random one comes from the operating system on each call, so that
/// child processes of `fork` have different seeds.
///
/// # Errors
/// If the seed is negative or does not fit into 64 bits.
pub(crate) fn seed(py: Python<'_>, given: Option<Whole>) -> PyResult<u64> {
    match given {
        Some(seed) => Ok(seed.within("seed", 0..=u64::MAX, ", or None")?),
        None => Ok(u64::from_le_bytes(py.import("os")?.call_method1("urandom", (8,))?.extract()?)),
    }
}
