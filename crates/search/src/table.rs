use core::sync::atomic::{AtomicU64, Ordering};

use game::Key;

use crate::Score;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Packed best move, 0 if none is known.
    pub code: u16,
    /// Counted from this position.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Depth of the search that found it, in plies.
    pub depth: u8,
}

impl Entry {
    const fn to_bits(self) -> u64 {
        let score = self.score.raw() as u32 as u64;
        (self.code as u64) | score << 16 | (self.depth as u64) << 48 | (self.bound as u64) << 56 | 1 << 63
    }

    const fn from_bits(bits: u64) -> Self {
        let bound = match bits >> 56 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        let score = Score::from_raw((bits >> 16) as u32 as i32);
        Self { code: bits as u16, score, bound, depth: (bits >> 48) as u8 }
    }
}

/// A transposition table that threads share without locks: each entry is two words, the data and the key XOR the data, so
/// that a torn entry does not match its key (R. Hyatt and T. Mann, "A lockless transposition-table implementation for
/// parallel search", ICGA Journal 25(1), 2002).
pub struct Table {
    slots: Box<[[AtomicU64; 2]]>,
}

impl Table {
    /// A table of the largest power of two of entries that fits into this many MiB, at least one entry.
    pub fn new(mib: usize) -> Self {
        let entries = ((mib << 20) / size_of::<[AtomicU64; 2]>()).max(1);
        let entries = 1_usize << entries.ilog2();
        Self { slots: (0..entries).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = [AtomicU64::new(0), AtomicU64::new(0)];
        }
    }

    #[inline]
    fn slot(&self, key: Key) -> &[AtomicU64; 2] {
        &self.slots[key.0 as usize & (self.slots.len() - 1)]
    }

    /// What is stored for a key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<Entry> {
        let [check, data] = self.slot(key);
        let bits = data.load(Ordering::Relaxed);
        (bits != 0 && check.load(Ordering::Relaxed) ^ bits == key.0).then(|| Entry::from_bits(bits))
    }

    /// Stores an entry. A deeper one for another position stays unless the new one is exact.
    #[inline]
    pub fn put(&self, key: Key, entry: Entry) {
        let [check, data] = self.slot(key);
        let old = data.load(Ordering::Relaxed);
        let same = check.load(Ordering::Relaxed) ^ old == key.0;
        if old == 0 || same || entry.bound == Bound::Exact || Entry::from_bits(old).depth <= entry.depth + 2 {
            let bits = entry.to_bits();
            data.store(bits, Ordering::Relaxed);
            check.store(key.0 ^ bits, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_packing() {
        let table = Table::new(1);
        for (i, bound) in [Bound::Exact, Bound::Lower, Bound::Upper].into_iter().enumerate() {
            for score in [Score::loss_in(3), Score::units(-7), Score::DRAW, Score::win_in(12)] {
                let entry = Entry { code: 0xbeef, score, bound, depth: 9 };
                let key = Key::mix(i as u64);
                table.put(key, entry);
                assert_eq!(table.get(key), Some(entry));
                assert_eq!(table.get(Key(key.0 ^ 1 << 40)), None);
            }
        }
    }
}
