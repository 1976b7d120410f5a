//! A short run of the fuzzing driver. The long one is `make fuzz`.

use lab::fuzz::{Fuzzer, Target};

#[test]
fn a_few_thousand_broken_inputs_find_nothing() {
    for target in Target::ALL {
        let inputs = if matches!(target, Target::Loa | Target::Jump61) { 3_000 } else { 30_000 };
        for seed in 0..inputs {
            Fuzzer::new(target, seed).step();
        }
    }
}
