//! Checks that the signature of the benchmark is the committed one. A different signature means a change of play:
//! measure it, then write it with
//! `cargo build --release && target/release/plyhouse bench --signature > crates/measure/data/bench.txt`.

#[test]
fn the_signature_is_the_committed_one() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../measure/data/bench.txt");
    let committed = std::fs::read_to_string(committed).expect("crates/measure/data/bench.txt");
    assert_eq!(measure::bench::signature(&measure::bench::run(|_| ())), committed);
}
