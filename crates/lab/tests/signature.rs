//! The bench's signature is the committed one. A new signature means a change of play: measure it, then commit it with
//! `cargo run --release -- bench --signature > testdata/bench.txt`.

#[test]
fn the_signature_is_the_committed_one() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/bench.txt");
    let committed = std::fs::read_to_string(committed).expect("testdata/bench.txt");
    assert_eq!(measure::bench::signature(&measure::bench::run(|_| ())), committed);
}
