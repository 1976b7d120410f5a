//! Tests of the men, squares and bitboards that several games share.

mod men;
mod sets;
