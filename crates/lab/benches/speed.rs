//! Benchmarks of move generation, random games, search and proof search. `make bench` runs them.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::{Playable, PlayerOptions, Resources};
use game::{Position, Record, SplitMix64, perft};
use search::{Control, ProofSearch, Stop};

fn main() {
    divan::main();
}

fn loa(size: usize) -> loa::Position {
    loa::Position::start(size).expect("a size")
}

fn jump61(size: usize) -> jump61::Position {
    jump61::Position::start(size).expect("a size")
}

fn breakthrough(size: usize) -> breakthrough::Position {
    breakthrough::Position::start(size).expect("a size")
}

/// Leaves of the game tree. The moves of the last ply are counted without being played.
mod leaves {
    use super::{Bencher, ItemsCount, Position, jump61, loa, perft};

    fn count<P: Position>(bencher: Bencher<'_, '_>, start: &P, depth: u32) {
        bencher.counter(ItemsCount::new(perft(start, depth))).bench_local(|| perft(start, depth));
    }

    #[divan::bench(args = [8, 6])]
    fn lines_of_action(bencher: Bencher<'_, '_>, size: usize) {
        count(bencher, &loa(size), 4);
    }

    #[divan::bench]
    fn jump61_6x6(bencher: Bencher<'_, '_>) {
        count(bencher, &jump61(6), 3);
    }

    #[divan::bench]
    fn checkers(bencher: Bencher<'_, '_>) {
        count(bencher, &::checkers::Position::start(), 7);
    }

    #[divan::bench]
    fn breakthrough(bencher: Bencher<'_, '_>) {
        count(bencher, &super::breakthrough(8), 5);
    }
}

/// Moves of random games.
mod playout_moves {
    use super::{Bencher, ItemsCount, Position, SplitMix64, jump61, loa};

    /// Plays a thousand games to the end, or to 400 moves, and returns the number of moves. With only a few games, the
    /// processor's branch predictor would learn them.
    fn play<P: Position>(start: &P) -> u64 {
        let mut moves = 0;
        for seed in 0..1_000 {
            let mut rng = SplitMix64::new(seed);
            let mut p = start.clone();
            for _ in 0..400 {
                if p.decided().is_some() {
                    break;
                }
                let Some(m) = p.random_move(&mut rng) else { break };
                p.play(m);
                moves += 1;
            }
        }
        moves
    }

    fn time<P: Position>(bencher: Bencher<'_, '_>, start: &P) {
        bencher.counter(ItemsCount::new(play(start))).bench_local(|| play(start));
    }

    #[divan::bench]
    fn lines_of_action(bencher: Bencher<'_, '_>) {
        time(bencher, &loa(8));
    }

    #[divan::bench]
    fn jump61_6x6(bencher: Bencher<'_, '_>) {
        time(bencher, &jump61(6));
    }

    #[divan::bench]
    fn checkers(bencher: Bencher<'_, '_>) {
        time(bencher, &::checkers::Position::start());
    }

    #[divan::bench]
    fn breakthrough(bencher: Bencher<'_, '_>) {
        time(bencher, &super::breakthrough(8));
    }
}

/// Nodes of a search with all techniques and the full evaluation.
mod nodes {
    use super::{Bencher, Control, ItemsCount, Playable, PlayerOptions, Record, Resources, jump61, loa};

    const NODES: u64 = 300_000;

    fn time<P: Playable>(bencher: Bencher<'_, '_>, start: P) {
        let options =
            PlayerOptions { nodes: Some(NODES), horizon: Some((0, 0)), book: false, ..PlayerOptions::default() };
        let mut player = options.make(&start, &Resources::default()).expect("a player");
        let record = Record::new(start);
        let counter = ItemsCount::new(NODES);
        bencher
            .counter(counter)
            .bench_local(|| player.engine.choose(&record, &player.limits, &mut Control::on(search::SYSTEM)));
    }

    #[divan::bench(sample_count = 11)]
    fn lines_of_action(bencher: Bencher<'_, '_>) {
        time(bencher, loa(8));
    }

    #[divan::bench(sample_count = 11)]
    fn jump61_6x6(bencher: Bencher<'_, '_>) {
        time(bencher, jump61(6));
    }

    #[divan::bench(sample_count = 11)]
    fn checkers(bencher: Bencher<'_, '_>) {
        time(bencher, ::checkers::Position::start());
    }

    #[divan::bench(sample_count = 11)]
    fn breakthrough(bencher: Bencher<'_, '_>) {
        time(bencher, super::breakthrough(8));
    }
}

/// Children visited by the proof search, which cannot solve the start position within the limit.
mod proof_children {
    use super::{Bencher, ItemsCount, Position, ProofSearch, Stop, loa};

    const NODES: u64 = 300_000;

    #[divan::bench(args = [8, 6], sample_count = 11)]
    fn lines_of_action(bencher: Bencher<'_, '_>, size: usize) {
        let policy = loa::player::LoaPolicy::default();
        let start = loa(size);
        bencher.counter(ItemsCount::new(NODES)).bench_local(|| {
            ProofSearch::new(&policy, Stop::new(), 16, NODES).solve(
                &start,
                start.side_to_move(),
                game::PliesLeft::UNLIMITED,
            )
        });
    }
}
