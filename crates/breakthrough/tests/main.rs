//! Tests of the rules of Breakthrough, by number, and of solved small boards.

mod rules;
mod small_boards;
