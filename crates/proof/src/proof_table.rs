//! Table of a search's results, with eight bytes per position. Two positions never collide.

use crate::code::Code;
use crate::numbers::Numbers;

/// Number of entries per bucket. Derived: a cache line of 64 bytes.
const WAYS: usize = 8;
/// Number of bits of each of the two numbers. Guessed.
const NUMBER: u32 = 10;
/// Number of bits of the logarithm of the work. Derived: no search takes 2³² expansions.
const WORK: u32 = 5;
/// Number of bits of an entry's data. The other bits hold the part of the code that the bucket does not determine.
const DATA: u32 = 2 * NUMBER + WORK;
/// Maximum stored number; larger ones are clamped.
const MOST: u32 = (1 << NUMBER) - 1;

/// A table of fixed size. A bijection mixes a position's code. The lower bits of the result select the bucket, and the
/// entry contains all other bits, so that bucket and entry together identify the position.
pub(crate) struct ProofTable {
    buckets: Box<[[u64; WAYS]]>,
    bits: u32,
    /// Number of bits of a code on this board size.
    code_bits: u32,
}

/// An entry: the numbers, and the work spent on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Proof and disproof numbers.
    pub(crate) numbers: Numbers,
    /// Binary logarithm of the number of expansions below the position.
    pub(crate) work: u8,
}

impl ProofTable {
    /// Creates a table of at most this many MiB for boards of this size. The table is larger if an entry could not
    /// otherwise hold the bits of the code that its bucket does not determine: for 6×6, it takes at least 64 MiB.
    pub(crate) fn new(size: usize, mib: usize) -> Self {
        let code_bits = Code::bits(size);
        let most = ((mib << 20) / (8 * WAYS)).max(1).ilog2();
        let bits = most.max(code_bits.saturating_sub(u64::BITS - DATA)).min(code_bits - 1);
        Self { buckets: vec![[0; WAYS]; 1 << bits].into_boxed_slice(), bits, code_bits }
    }

    /// Applies a bijection on the numbers that have as many bits as a code.
    #[inline]
    fn mix(&self, code: Code) -> u64 {
        let mask = (1 << self.code_bits) - 1;
        let half = self.code_bits / 2;
        let mut x = code.0;
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9) & mask;
        x ^ x >> half
    }

    #[inline]
    fn place(&self, code: Code) -> (usize, u64) {
        let mixed = self.mix(code);
        ((mixed & ((1 << self.bits) - 1)) as usize, mixed >> self.bits)
    }

    /// Loads the cache line that [`get`](Self::get) will read. The caller must use the returned value, or the compiler
    /// removes the load.
    #[inline]
    pub(crate) fn touch(&self, code: Code) -> u64 {
        self.buckets[self.place(code).0][0]
    }

    /// Returns the entry of a position.
    #[inline]
    pub(crate) fn get(&self, code: Code) -> Option<Entry> {
        let (bucket, tag) = self.place(code);
        self.buckets[bucket].iter().find(|&&entry| entry != 0 && entry >> DATA == tag).map(|&entry| unpack(entry))
    }

    /// Stores the entry of a position. In a full bucket, replaces the entry with the smallest worth.
    pub(crate) fn put(&mut self, code: Code, entry: Entry) {
        let (bucket, tag) = self.place(code);
        let bucket = &mut self.buckets[bucket];
        let mut cheapest = (u32::MAX, 0);
        for (i, &old) in bucket.iter().enumerate() {
            if old == 0 || old >> DATA == tag {
                cheapest.1 = i;
                break;
            }
            cheapest = cheapest.min((worth(unpack(old)), i));
        }
        bucket[cheapest.1] = tag << DATA | pack(entry);
    }
}

/// Returns the worth of an entry: its work, plus two if its position is settled.
fn worth(entry: Entry) -> u32 {
    u32::from(entry.work) + if entry.numbers.is_settled() { 2 } else { 0 }
}

fn pack(entry: Entry) -> u64 {
    let Numbers { proof, disproof, plies, .. } = entry.numbers;
    // The length of a proof is stored in place of the disproof number.
    let (proof, second) = match (proof, disproof) {
        (0, _) => (0, u32::from(plies).clamp(1, MOST)),
        (_, 0) => (MOST, 0),
        _ => (proof.min(MOST), disproof.min(MOST)),
    };
    u64::from(proof) << (NUMBER + WORK) | u64::from(second) << WORK | u64::from(entry.work)
}

fn unpack(packed: u64) -> Entry {
    let proof = (packed >> (NUMBER + WORK)) as u32 & MOST;
    let second = (packed >> WORK) as u32 & MOST;
    let numbers = match (proof, second) {
        (0, plies) => Numbers::won(plies as u16),
        (_, 0) => Numbers::REFUTED,
        _ => Numbers::open(proof, second),
    };
    Entry { numbers, work: (packed & ((1 << WORK) - 1)) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_comes_back_and_nothing_else_does() {
        let mut table = ProofTable::new(6, 1);
        let mut codes: Vec<Code> =
            (0..20_000_u64).map(|i| Code(i * 14_862_071_231_111 % (2 * 3_u64.pow(36)))).collect();
        codes.sort();
        codes.dedup();
        let entry = |i: usize| {
            let i = i as u32;
            let numbers = match i % 3 {
                0 => Numbers::won((1 + i % 900) as u16),
                1 => Numbers::REFUTED,
                _ => Numbers::open(1 + i % 1000, 1 + i % 77),
            };
            Entry { numbers, work: (i % 32) as u8 }
        };
        for (i, code) in codes.iter().enumerate().step_by(2) {
            table.put(*code, entry(i));
        }
        for (i, code) in codes.iter().enumerate() {
            assert_eq!(table.get(*code), (i % 2 == 0).then(|| entry(i)));
        }
    }

    #[test]
    fn a_full_bucket_replaces_the_entry_with_the_smallest_worth() {
        let mut table = ProofTable::new(4, 0);
        let first = table.place(Code(0)).0;
        let codes: Vec<Code> = (0..).map(Code).filter(|&code| table.place(code).0 == first).take(WAYS + 2).collect();
        let (open, settled) = (Numbers::open(3, 4), Numbers::won(5));
        for (i, &code) in codes[..WAYS].iter().enumerate() {
            // The settled entry has the least work, but the second entry has the smallest worth.
            let (numbers, work) = if i == 0 { (settled, 1) } else { (open, 1 + i as u8) };
            table.put(code, Entry { numbers, work });
        }
        let known = |table: &ProofTable| codes.iter().map(|&code| table.get(code).is_some()).collect::<Vec<_>>();
        let newcomer = Entry { numbers: open, work: 20 };
        table.put(codes[WAYS], newcomer);
        assert_eq!(known(&table), [true, false, true, true, true, true, true, true, true, false]);
        table.put(codes[WAYS + 1], newcomer);
        assert_eq!(known(&table).iter().filter(|&&known| known).count(), WAYS);
        assert!(table.get(codes[WAYS]).is_some() && table.get(codes[WAYS + 1]).is_some());
    }

    #[test]
    fn mixing_is_a_bijection() {
        let table = ProofTable::new(4, 1);
        assert_eq!(table.code_bits, 27);
        let small = ProofTable { buckets: Box::default(), bits: 2, code_bits: 16 };
        let mut seen = vec![false; 1 << 16];
        for code in 0..1 << 16 {
            seen[small.mix(Code(code)) as usize] = true;
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
