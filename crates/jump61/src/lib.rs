//! Rules of Jump61, 2x2 to 10x10.
