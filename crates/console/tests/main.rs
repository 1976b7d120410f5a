//! The text interfaces, line by line.

mod checkers_program;
mod common;
mod dialects;
mod jump61_console;
mod loa_console;
mod one_by_one;
mod variety;
