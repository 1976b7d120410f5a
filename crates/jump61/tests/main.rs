//! The rules of Jump61 and the codes of its boards.

mod codes;
mod rules;
