use crate::key::Key;

/// A small seeded random number generator, for random games and for players that vary their moves.
///
/// The same seed must give the same games on every machine and in every later version. General libraries do not
/// guarantee this, so the dozen lines are implemented here. Algorithm: `SplitMix64` (Steele, Lea and Flood 2014). Not
/// suitable for cryptography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Creates a generator from a seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        let bits = Key::mix(self.state).0;
        self.state = self.state.wrapping_add(Self::STEP);
        bits
    }

    /// Returns a generator that skips the next `count` numbers.
    #[must_use]
    pub const fn skipping(&self, count: u64) -> Self {
        Self { state: self.state.wrapping_add(count.wrapping_mul(Self::STEP)) }
    }

    /// Returns a random number below `bound`. Each number's probability differs from 1/`bound` by less than 2⁻⁶⁴.
    ///
    /// # Panics
    /// If `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "invariant: a random choice needs something to choose from");
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Returns a random number from 0 to less than 1, a multiple of 2⁻⁵³.
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a random item; `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}
