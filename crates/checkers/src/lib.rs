//! Rules of the Melbourne checkers variant.
