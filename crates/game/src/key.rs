use core::fmt;
use core::ops::{BitXor, BitXorAssign};

/// A 64-bit Zobrist key. Equal positions have equal keys. Different positions have different keys, except for
/// collisions (about 1 in 2⁶⁴ for each pair).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u64);

impl Key {
    /// Mixes 64 bits so that every input bit affects every output bit, with the finaliser of `SplitMix64` (Steele, Lea
    /// and Flood, "Fast splittable pseudorandom number generators", 2014). This is a bijection and can be used in
    /// constants.
    #[inline]
    #[must_use]
    pub const fn mix(bits: u64) -> Self {
        let z = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self(z ^ (z >> 31))
    }
}

impl BitXor for Key {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
