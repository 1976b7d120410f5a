//! Winnowing: selects hashes of a file so that equal parts of files have equal hashes.
//!
//! Source: Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003,
//! sections 2 and 4. The values of [`K`] and [`W`] are the defaults of Dolos (Maertens et al., "Dolos:
//! Language-agnostic plagiarism detection in source code", 2022).

use game::Key;

use super::tokens::Token;

/// Number of tokens in a hashed sequence. Shorter equal parts are never found, which excludes idioms.
pub(super) const K: usize = 23;
/// Number of consecutive hashes of which at least one is selected. Equal parts of at least `W + K - 1` = 39 tokens are
/// always found. About 2 out of `W + 1` hashes are selected.
pub(super) const W: usize = 17;

/// A selected hash of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Print {
    pub(super) hash: u64,
    /// Index of the sequence's first token.
    pub(super) at: usize,
}

/// Returns the hash of each sequence of [`K`] tokens.
pub(super) fn grams(tokens: &[Token]) -> Vec<u64> {
    /// Base of the rolling hash: any odd number with bits everywhere.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    if tokens.len() < K {
        return Vec::new();
    }
    let top = (1..K).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = 0_u64;
    let mut grams = Vec::with_capacity(tokens.len() - K + 1);
    for (i, token) in tokens.iter().enumerate() {
        if i >= K {
            hash = hash.wrapping_sub(tokens[i - K].code.wrapping_mul(top));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(token.code);
        if i + 1 >= K {
            // Low bits of a polynomial depend on few tokens, so the hash is mixed before hashes are compared.
            grams.push(Key::mix(hash).0);
        }
    }
    grams
}

/// Returns the smallest hash of each window of [`W`] hashes, the last one if several are equal. A hash that remains the
/// smallest one in the next window is returned once. If there are fewer than [`W`] hashes, they form a single window.
pub(super) fn winnow(grams: &[u64]) -> Vec<Print> {
    let mut prints: Vec<Print> = Vec::new();
    let size = W.min(grams.len());
    let mut least = 0;
    for end in size..=grams.len() {
        if end == 0 {
            break;
        }
        let (start, last) = (end - size, end - 1);
        if least < start || end == size {
            least = (start..end).rev().min_by_key(|&i| grams[i]).unwrap_or(last);
        } else if grams[last] <= grams[least] {
            least = last;
        }
        if prints.last().is_none_or(|print| print.at != least) {
            prints.push(Print { hash: grams[least], at: least });
        }
    }
    prints
}

#[cfg(test)]
mod tests {
    use game::SplitMix64;

    use super::*;

    fn random_tokens(rng: &mut SplitMix64, count: usize, kinds: usize) -> Vec<Token> {
        (0..count).map(|_| Token { code: rng.below(kinds) as u64, line: 1 }).collect()
    }

    #[test]
    fn equal_sequences_have_equal_hashes() {
        let mut rng = SplitMix64::new(1);
        let tokens = random_tokens(&mut rng, 200, 3);
        let hashes = grams(&tokens);
        assert_eq!(hashes.len(), 200 - K + 1);
        let fresh = |at: usize| grams(&tokens[at..at + K])[0];
        assert!((0..hashes.len()).all(|at| hashes[at] == fresh(at)));
        assert!(grams(&tokens[..K - 1]).is_empty() && winnow(&[]).is_empty());
        assert_eq!(winnow(&[5, 3, 3, 4]), [Print { hash: 3, at: 2 }]);
    }

    #[test]
    fn each_window_has_a_selected_hash() {
        let mut rng = SplitMix64::new(2);
        for kinds in [2, 5, 1000] {
            let hashes: Vec<u64> = (0..3000).map(|_| rng.below(kinds) as u64).collect();
            let prints = winnow(&hashes);
            assert!(prints.is_sorted_by_key(|print| print.at));
            for (start, window) in hashes.windows(W).enumerate() {
                let least = window.iter().min().expect("a window");
                let is_here = |print: &Print| (start..start + W).contains(&print.at) && print.hash == *least;
                assert!(prints.iter().any(is_here), "{kinds} {start}");
            }
        }
        let hashes: Vec<u64> = (0..20_000).map(|_| rng.next_u64()).collect();
        let density = winnow(&hashes).len() as f64 / hashes.len() as f64;
        assert!((density - 2.0 / (W as f64 + 1.0)).abs() < 0.01, "{density}");
    }

    #[test]
    fn parts_of_the_guaranteed_length_are_found() {
        let mut rng = SplitMix64::new(3);
        for _ in 0..200 {
            let part = random_tokens(&mut rng, W + K - 1, 20);
            let mut within = || {
                let (before, after) = (rng.below(60), rng.below(60));
                let mut all = random_tokens(&mut rng, before, 20);
                all.extend_from_slice(&part);
                all.extend(random_tokens(&mut rng, after, 20));
                winnow(&grams(&all)).into_iter().map(|print| print.hash).collect::<Vec<_>>()
            };
            let (a, b) = (within(), within());
            assert!(a.iter().any(|hash| b.contains(hash)));
        }
    }
}
