//! Tests of the random numbers against the published generator.

use game::SplitMix64;

#[test]
fn first_numbers_are_those_of_the_published_generator() {
    // The reference implementation (S. Vigna, splitmix64.c) seeded with 1234567.
    let mut rng = SplitMix64::new(1_234_567);
    assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
    assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
}

#[test]
fn numbers_are_skipped() {
    let mut rng = SplitMix64::new(7);
    let skipped = rng.skipping(3).next_u64();
    let fourth = (0..4).map(|_| rng.next_u64()).last();
    assert_eq!(Some(skipped), fourth);
}

#[test]
fn below_returns_all_numbers_below_the_bound() {
    let mut rng = SplitMix64::new(7);
    let mut seen = [false; 6];
    for _ in 0..200 {
        seen[rng.below(6)] = true;
    }
    assert_eq!(seen, [true; 6]);
    assert_eq!(rng.choose::<u8>(&[]), None);
}
