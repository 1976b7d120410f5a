use search::Known;

use super::slice::Material;

/// Byte of a draw. The byte of any other value is the number of plies to the end plus one; wins take odd numbers of
/// plies.
pub(super) const DRAW: u8 = 0;

pub(super) const fn value(byte: u8) -> Known {
    match byte as u32 {
        0 => Known::Draw,
        n if n % 2 == 0 => Known::Win(n - 1),
        n => Known::Loss(n - 1),
    }
}

/// The values of all positions of one material.
pub struct Slice {
    pub(super) material: Material,
    pub(super) values: Vec<u8>,
}
