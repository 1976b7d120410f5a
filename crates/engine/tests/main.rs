//! Evaluations, books, beginners, horizons and their documentation.

mod books;
mod builds;
mod docs;
mod evaluation;
mod gentle;
mod horizon;
mod solved;
