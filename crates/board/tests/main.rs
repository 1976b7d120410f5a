//! What games of men of two colours share.

mod men;
mod sets;
