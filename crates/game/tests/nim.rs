//! Tests that the example game satisfies the contract of positions, and that the conformance suite detects a violation.

use game::conformance;
use game::examples::Nim;

#[test]
fn nim_keeps_the_contract() {
    conformance::check(&"40 a".parse::<Nim>().expect("a heap"), 20, 1, &[]);
}

#[test]
#[should_panic(expected = "an image has as many moves")]
fn a_false_symmetry_is_detected() {
    let halved = |_: &Nim| "1 a".parse().expect("a heap");
    conformance::check(&"40 a".parse::<Nim>().expect("a heap"), 1, 1, &[halved]);
}
