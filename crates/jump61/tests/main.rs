//! Tests of the rules of Jump61 and of the codes of its boards.

mod codes;
mod rules;
