//! The fast rules agree with the slow ones of crate `reference`, which were written independently, along thousands of
//! random games.

use game::{Position, Side, SplitMix64};
use reference::{Model, Player};

/// Plays random games with both and compares texts, moves and winners at every position.
fn agree<P: Position, M: Model>(start: &P, games: u64, seed: u64) {
    let model = M::parse(&start.to_string()).expect("the model reads the start position");
    for game in 0..games {
        let mut rng = SplitMix64::new(seed << 32 | game);
        let (mut fast, mut slow) = (start.clone(), model.clone());
        loop {
            let winner = fast.outcome().and_then(game::Outcome::winner);
            let slow_winner = slow.winner().map(|player| match player {
                Player::First => Side::First,
                Player::Second => Side::Second,
            });
            assert_eq!(winner, slow_winner, "winner\n{fast}");
            if winner.is_some() {
                break;
            }
            // The two may differ only on won boards.
            assert_eq!(fast.to_string(), slow.text(), "position text");
            let moves = fast.legal_moves();
            let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
            texts.sort_unstable();
            assert_eq!(texts, slow.moves(), "moves\n{fast}");
            let m = *rng.choose(&moves).expect("an undecided position has a move");
            slow = slow.play(&m.to_string()).expect("the model plays a legal move");
            fast.play(m);
        }
    }
}

#[test]
fn lines_of_action() {
    for (size, games) in [(4, 400), (5, 400), (6, 300), (7, 100), (8, 100)] {
        agree::<_, reference::loa::Loa>(&loa::Position::start(size).expect("a size"), games, 1);
    }
}

#[test]
fn checkers() {
    agree::<_, reference::checkers::Checkers>(&checkers::Position::start(), 600, 2);
}

#[test]
fn breakthrough() {
    for (size, games) in [(4, 400), (5, 400), (6, 300), (7, 200), (8, 150)] {
        let start = breakthrough::Position::start(size).expect("a size");
        agree::<_, reference::breakthrough::Breakthrough>(&start, games, 4);
    }
}

#[test]
fn jump61() {
    for (size, games) in [(2, 400), (3, 400), (4, 300), (5, 200), (6, 150), (7, 60), (8, 40), (9, 30), (10, 20)] {
        agree::<_, reference::jump61::Jump61>(&jump61::Position::start(size).expect("a size"), games, 3);
    }
}

#[test]
fn perft_agrees() {
    for size in 4..=6 {
        let (fast, slow) = (loa::Position::start(size).expect("a size"), reference::loa::Loa::start(size));
        assert_eq!(game::perft(&fast, 3), reference::perft(&slow, 3), "Lines of Action, size {size}");
    }
    for (size, depth) in [(4, 5), (5, 4), (6, 3), (7, 3), (8, 3)] {
        let fast = breakthrough::Position::start(size).expect("a size");
        let slow = reference::breakthrough::Breakthrough::start(size);
        assert_eq!(game::perft(&fast, depth), reference::perft(&slow, depth), "Breakthrough, size {size}");
    }
    for (size, depth) in [(2, 8), (3, 5), (4, 3)] {
        let (fast, slow) = (jump61::Position::start(size).expect("a size"), reference::jump61::Jump61::start(size));
        assert_eq!(game::perft(&fast, depth), reference::perft(&slow, depth), "Jump61, size {size}");
    }
    let (fast, slow) = (checkers::Position::start(), reference::checkers::Checkers::start(8));
    assert_eq!(game::perft(&fast, 6), reference::perft(&slow, 6), "checkers");
}
