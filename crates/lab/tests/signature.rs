//! Checks that the signature of the benchmark equals the committed one. A different signature means that play has
//! changed: measure the strength, then write the new signature with `cargo build --release && target/release/plyhouse
//! bench --signature > crates/measure/data/bench.txt`.

#[test]
fn the_signature_is_the_committed_one() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../measure/data/bench.txt");
    let committed = std::fs::read_to_string(committed).expect("crates/measure/data/bench.txt");
    assert_eq!(measure::bench::signature(&measure::bench::run(|_| ())), committed);
}
