//! Evaluations, horizons and their documentation.

mod docs;
mod evaluation;
mod horizon;
mod solved;
