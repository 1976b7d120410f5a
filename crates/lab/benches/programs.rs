//! Whole-process timings of the courses' programs, against their bars. `make bench` runs it after a release build.

fn main() {}
