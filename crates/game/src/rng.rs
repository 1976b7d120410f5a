use crate::Key;

/// A small seeded generator, for random games and for players that vary their moves.
///
/// Written here, in a dozen lines, because the same seed must give the same games on every machine and in every later
/// version, which general libraries do not promise. Algorithm: `SplitMix64` (Steele, Lea and Flood 2014). Not for
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// A generator that is fixed by `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        let bits = Key::mix(self.state).0;
        self.state = self.state.wrapping_add(Self::STEP);
        bits
    }

    /// Leaves out the next `count` numbers at once.
    #[must_use]
    pub const fn skipping(&self, count: u64) -> Self {
        Self { state: self.state.wrapping_add(count.wrapping_mul(Self::STEP)) }
    }

    /// A number below `bound`, with a bias below `bound` in 2⁶⁴.
    ///
    /// # Panics
    /// If `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "invariant: a random choice needs something to choose from");
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// One of the items, or `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_numbers_are_those_of_the_published_generator() {
        // The reference implementation (S. Vigna, splitmix64.c) seeded with 1234567.
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_are_left_out() {
        let mut rng = SplitMix64::new(7);
        let skipped = rng.skipping(3).next_u64();
        let fourth = (0..4).map(|_| rng.next_u64()).last();
        assert_eq!(Some(skipped), fourth);
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut rng = SplitMix64::new(7);
        let mut seen = [false; 6];
        for _ in 0..200 {
            seen[rng.below(6)] = true;
        }
        assert_eq!(seen, [true; 6]);
        assert_eq!(rng.choose::<u8>(&[]), None);
    }
}
