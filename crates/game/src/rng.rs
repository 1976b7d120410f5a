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
