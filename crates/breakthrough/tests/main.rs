//! The rules of Breakthrough, by number, and solved small boards.

mod rules;
mod small_boards;
