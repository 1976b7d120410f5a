//! Compares all submissions with each other.

use std::collections::{BTreeMap, HashMap};

use super::fingerprint::{Fingerprint, Starter};
use super::matches::{Match, matches};

/// Minimum share of a submission's hashes that a listed pair has in common. A guess: unrelated programs for the same
/// task stay below it.
const MIN_SHARE: f64 = 0.2;
/// Minimum number of hashes that a listed pair has in common; 95 tokens have that many.
const MIN_COMMON: u32 = 8;
/// Maximum number of listed pairs.
const MAX_PAIRS: usize = 500;
/// A hash is ignored if more than this number of submissions, and more than a third of them, have it: it is then part
/// of the task, or of code from a common source.
const MAX_SHARING: usize = 10;

/// The degree to which two submissions are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sameness {
    /// Parts are equal.
    Parts,
    /// All source files have the same tokens.
    Normalised,
    /// All files except `agent.toml` have the same bytes.
    Bytes,
}

/// A pair of similar submissions.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Index of the first submission.
    pub a: usize,
    /// Index of the second submission, which is greater.
    pub b: usize,
    /// Degree to which they are equal.
    pub sameness: Sameness,
    /// For each submission, the share of its hashes that the other submission has, from 0 to 1.
    pub shares: [f64; 2],
    /// Equal parts, in the order of the first submission.
    pub matches: Vec<Match>,
}

impl Pair {
    /// Returns the greater of the two shares: a copy is still a copy if its author adds other code.
    pub fn share(&self) -> f64 {
        self.shares[0].max(self.shares[1])
    }
}

/// Returns the pairs of similar submissions: identical ones first, then by their share. Code of `starter` does not
/// count.
pub fn compare(submissions: &[Fingerprint], starter: &Starter) -> Vec<Pair> {
    let index = Index::new(submissions, starter);
    let mut sameness: BTreeMap<(usize, usize), Sameness> = BTreeMap::new();
    for (group, same) in groups(submissions, starter) {
        for (i, &a) in group.iter().enumerate() {
            for &b in &group[i + 1..] {
                let entry = sameness.entry((a, b)).or_insert(same);
                *entry = (*entry).max(same);
            }
        }
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for b in 0..submissions.len() {
        for a in 0..b {
            let common = index.common[b * submissions.len() + a];
            let share = |of: usize| if common == 0 { 0.0 } else { f64::from(common) / f64::from(index.counts[of]) };
            let same = sameness.get(&(a, b)).copied().unwrap_or(Sameness::Parts);
            let shares = if same == Sameness::Parts { [share(a), share(b)] } else { [1.0; 2] };
            let pair = Pair { a, b, sameness: same, shares, matches: Vec::new() };
            if same != Sameness::Parts || (common >= MIN_COMMON && pair.share() >= MIN_SHARE) {
                pairs.push(pair);
            }
        }
    }
    let by_share = |x: &Pair, y: &Pair| {
        let by_other = || (y.shares[0] + y.shares[1]).total_cmp(&(x.shares[0] + x.shares[1]));
        let by_index = || (x.a, x.b).cmp(&(y.a, y.b));
        y.sameness.cmp(&x.sameness).then(y.share().total_cmp(&x.share())).then_with(by_other).then_with(by_index)
    };
    pairs.sort_by(by_share);
    pairs.truncate(MAX_PAIRS);
    for pair in &mut pairs {
        pair.matches = matches(&submissions[pair.a], &submissions[pair.b], &|hash| index.counts_as_hint(hash));
    }
    pairs
}

/// Returns the groups of submissions with the same files, or with the same tokens. Files of `starter` do not count.
/// Groups and their members are in ascending order.
pub fn identical(submissions: &[Fingerprint], starter: &Starter) -> Vec<Vec<usize>> {
    // Files with the same bytes have the same tokens. Submissions without source code can only have the same bytes.
    let mut all: Vec<Vec<usize>> = groups(submissions, starter).into_iter().map(|(group, _)| group).collect();
    all.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for group in all {
        if !kept.iter().any(|larger| group.iter().all(|member| larger.contains(member))) {
            kept.push(group);
        }
    }
    kept.sort();
    kept
}

/// Returns the groups of at least two submissions with the same bytes, and the groups with the same tokens.
fn groups(submissions: &[Fingerprint], starter: &Starter) -> Vec<(Vec<usize>, Sameness)> {
    let mut by_bytes: BTreeMap<Vec<[u8; 32]>, Vec<usize>> = BTreeMap::new();
    let mut by_tokens: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
    for (i, submission) in submissions.iter().enumerate() {
        by_bytes.entry(starter.own_bytes(submission)).or_default().push(i);
        by_tokens.entry(starter.own_digests(submission)).or_default().push(i);
    }
    by_bytes.remove(&Vec::new());
    by_tokens.remove(&Vec::new());
    let bytes = by_bytes.into_values().map(|group| (group, Sameness::Bytes));
    let tokens = by_tokens.into_values().map(|group| (group, Sameness::Normalised));
    bytes.chain(tokens).filter(|(group, _)| group.len() > 1).collect()
}

/// An index of the submissions that have each hash.
struct Index {
    holders: HashMap<u64, Vec<u32>>,
    /// Maximum number of submissions that have a hash, if the hash is a hint.
    max_sharing: usize,
    /// Number of different hashes of each submission.
    counts: Vec<u32>,
    /// Number of common hashes of two submissions, at `b * number + a` with `a < b`.
    common: Vec<u32>,
}

impl Index {
    fn new(submissions: &[Fingerprint], starter: &Starter) -> Self {
        let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
        for (i, submission) in submissions.iter().enumerate() {
            for print in submission.prints.iter().filter(|print| !starter.has(print.hash)) {
                let holders = holders.entry(print.hash).or_default();
                if holders.last() != Some(&(i as u32)) {
                    holders.push(i as u32);
                }
            }
        }
        let number = submissions.len();
        let max_sharing = MAX_SHARING.max(number / 3);
        let mut index = Self { holders, max_sharing, counts: vec![0; number], common: vec![0; number * number] };
        for holders in index.holders.values().filter(|holders| holders.len() <= max_sharing) {
            for (i, &b) in holders.iter().enumerate() {
                index.counts[b as usize] += 1;
                for &a in &holders[..i] {
                    index.common[b as usize * number + a as usize] += 1;
                }
            }
        }
        index
    }

    /// Returns `true` if a hash that two submissions have in common is a hint.
    fn counts_as_hint(&self, hash: u64) -> bool {
        self.holders.get(&hash).is_some_and(|holders| holders.len() <= self.max_sharing)
    }
}
