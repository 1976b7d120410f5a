use core::sync::atomic::{AtomicU64, Ordering};

use game::Key;
use prefetch_index::prefetch_index;

use crate::memory;
use crate::score::Score;

/// The relation of a stored score to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The stored score is exact.
    Exact,
    /// The true score is at least the stored one.
    Lower,
    /// The true score is at most the stored one.
    Upper,
}

/// An entry of the table: the result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Packed best move, 0 if unknown.
    pub code: u16,
    /// Score. The plies of a win or a loss count from this position.
    pub score: Score,
    /// Relation of the score to the true score.
    pub bound: Bound,
    /// Depth of the search, in plies.
    pub depth: u8,
}

/// Number of generations of entries. Generation 0 marks an empty slot.
const GENERATIONS: u64 = 1 << 14;

impl Entry {
    /// Packs the entry: score in 16 bits, code 16, depth 8, bound 2, and the generation in the top 14.
    const fn to_bits(self, generation: u64) -> u64 {
        let score = self.score.raw() as i16 as u16 as u64;
        score | (self.code as u64) << 16 | (self.depth as u64) << 32 | (self.bound as u64) << 40 | generation << 50
    }

    const fn from_bits(bits: u64) -> Self {
        let bound = match bits >> 40 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        let score = Score::from_raw(bits as u16 as i16 as i32);
        Self { code: (bits >> 16) as u16, score, bound, depth: (bits >> 32) as u8 }
    }
}

type Slot = [AtomicU64; 2];

/// The entries with the same index. Aligned, so that a bucket lies in one cache line.
#[repr(align(32))]
struct Bucket([Slot; 2]);

/// A transposition table that threads share without locks: each entry is two words, the data and the key XOR the data,
/// so that a torn entry does not match its key (R. Hyatt and T. Mann, "A lockless transposition-table implementation
/// for parallel search", ICGA Journal 25(1), 2002).
///
/// The table has two tiers: one slot of a bucket keeps the deepest entry, the other the latest (D. Breuker, "Memory
/// versus search in games", 1998, TWODEEP). After [`clear`](Self::clear), a search depends on no earlier search.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    generation: u64,
    /// Oldest generation whose entries are used.
    oldest: u64,
}

impl TranspositionTable {
    /// Creates a table with the largest power-of-two number of buckets that fits into this many MiB, but with at least
    /// one bucket. The table is smaller if the allocation fails.
    pub fn new(mib: usize) -> Self {
        let buckets = ((mib << 20) / size_of::<Bucket>()).max(1);
        let empty = || Bucket([const { [const { AtomicU64::new(0) }; 2] }; 2]);
        Self { buckets: memory::table(1 << buckets.ilog2(), empty).into_boxed_slice(), generation: 1, oldest: 1 }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.age();
        self.oldest = self.generation;
    }

    /// Marks all entries as old: they are still found, but new entries replace them.
    pub fn age(&mut self) {
        self.generation += 1;
        if self.generation == GENERATIONS {
            (self.generation, self.oldest) = (1, 1);
            self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0).flatten().for_each(|word| *word.get_mut() = 0);
        }
    }

    #[inline]
    fn index(&self, key: Key) -> usize {
        key.0 as usize & (self.buckets.len() - 1)
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[Slot; 2] {
        &self.buckets[self.index(key)].0
    }

    /// Starts to load the bucket of a key into the processor's caches, for a later [`get`](Self::get).
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch_index(&*self.buckets, self.index(key));
    }

    /// Returns the data of a slot, and whether the key matches; `None` if the slot is empty or its entry was removed.
    #[inline]
    fn read(&self, slot: &Slot, key: Key) -> Option<(u64, bool)> {
        let bits = slot[0].load(Ordering::Relaxed);
        (bits >> 50 >= self.oldest).then(|| (bits, slot[1].load(Ordering::Relaxed) ^ bits == key.0))
    }

    /// Returns the entry for a key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<Entry> {
        let found = |slot| self.read(slot, key).filter(|&(_, same)| same).map(|(bits, _)| Entry::from_bits(bits));
        let [deep, late] = self.bucket(key);
        found(deep).or_else(|| found(late))
    }

    /// Stores an entry: in the first slot if the entry there is old or not deeper, in the second otherwise. A
    /// deeper exact entry for the same position stays if the new one is not exact.
    #[inline]
    pub fn put(&self, key: Key, entry: Entry) {
        let [deep, late] = self.bucket(key);
        let slot = match self.read(deep, key) {
            None => deep,
            Some((bits, true)) => {
                let old = Entry::from_bits(bits);
                if old.depth > entry.depth && old.bound == Bound::Exact && entry.bound != Bound::Exact {
                    return;
                }
                deep
            }
            Some((bits, false)) if bits >> 50 != self.generation || Entry::from_bits(bits).depth <= entry.depth => {
                // The previous entry moves to the other slot.
                late[0].store(bits, Ordering::Relaxed);
                late[1].store(deep[1].load(Ordering::Relaxed), Ordering::Relaxed);
                deep
            }
            Some(_) => late,
        };
        let bits = entry.to_bits(self.generation);
        slot[0].store(bits, Ordering::Relaxed);
        slot[1].store(key.0 ^ bits, Ordering::Relaxed);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.buckets.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, score: i32) -> Entry {
        Entry { code: 77, score: Score::units(score), bound: Bound::Upper, depth }
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.get(Key(5)), None);
        for score in [Score::units(-3), Score::units(i32::MIN), Score::win_in(3), Score::loss_in(0)] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let entry = Entry { code: 0xffff, score, bound, depth: 255 };
                assert_eq!(Entry::from_bits(entry.to_bits(GENERATIONS - 1)), entry);
            }
        }
        table.put(Key(5), entry(3, -40));
        assert_eq!(table.get(Key(5)), Some(entry(3, -40)));
    }

    #[test]
    fn the_deepest_and_the_latest_of_a_bucket_stay() {
        let table = TranspositionTable::new(1);
        let key = |n| Key(5 + n * table.len() as u64);
        table.put(key(0), entry(9, 1));
        table.put(key(1), entry(2, 2));
        table.put(key(2), entry(3, 3));
        assert_eq!([0, 1, 2].map(|n| table.get(key(n)).map(|e| e.depth)), [Some(9), None, Some(3)]);
        table.put(key(3), entry(9, 4));
        assert_eq!([0, 2, 3].map(|n| table.get(key(n)).map(|e| e.depth)), [Some(9), None, Some(9)]);
    }

    #[test]
    fn old_entries_are_found_until_new_ones_replace_them() {
        let mut table = TranspositionTable::new(1);
        let key = |n| Key(5 + n * table.len() as u64);
        let keys = [0, 1, 2].map(key);
        table.put(keys[0], entry(9, 1));
        table.age();
        assert_eq!(table.get(keys[0]).map(|e| e.depth), Some(9));
        table.put(keys[1], entry(2, 2));
        table.put(keys[2], entry(3, 3));
        assert_eq!(keys.map(|key| table.get(key).map(|e| e.depth)), [None, Some(2), Some(3)]);
        table.clear();
        assert_eq!(keys.map(|key| table.get(key)), [None; 3]);
        for _ in 0..=2 * GENERATIONS {
            table.age();
        }
        assert_eq!(table.get(keys[2]), None, "the number of generations is limited");
    }

    #[test]
    fn a_cleared_table_is_empty_however_often() {
        let mut table = TranspositionTable::new(1);
        for _ in 0..=2 * GENERATIONS {
            table.put(Key(1), entry(1, 1));
            table.clear();
            assert_eq!(table.get(Key(1)), None);
        }
    }
}
