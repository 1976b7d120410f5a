//! A short run of the fuzzing driver, one test for each target. `make fuzz` is the long run.

use lab::fuzz::{Fuzzer, Target};

/// Defines the test of each target, with its number of inputs. The consoles play games, so they process fewer inputs.
macro_rules! targets {
    ($($name:ident: $target:ident, $inputs:literal;)*) => {
        $(#[test]
        fn $name() {
            for seed in 0..$inputs {
                Fuzzer::new(Target::$target, seed).step();
            }
        })*

        #[test]
        fn every_target_has_a_test() {
            assert_eq!(Target::ALL, [$(Target::$target),*]);
        }
    };
}

targets! {
    loa: Loa, 3_000;
    jump61: Jump61, 3_000;
    checkers: Checkers, 30_000;
    loa6: Loa6, 30_000;
    positions: Positions, 30_000;
    scripts: Scripts, 30_000;
    ugi: Ugi, 30_000;
    agents: Agents, 30_000;
    sgf: Sgf, 30_000;
    tournaments: Tournaments, 30_000;
}
