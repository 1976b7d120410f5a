//! Rules of Lines of Action, 4x4 to 8x8.
