//! Tests of proofs on demand.

use engine::Resources;
use games::{Attempt, Budget, GameId, Proof, Setting, Source};
use search::{Host, Stop};

const BUDGET: Budget = Budget { nodes: 3_000_000, table_mib: 16, host: Host::NONE };

fn attempt(game: GameId, size: usize, start: Option<&str>, budget: Budget) -> Attempt {
    let setting = Setting { size: Some(size), ..Setting::new(game, 2000) };
    let resources = Resources::default();
    setting.record(start, &[]).map(|game| game.prove(&resources, budget, Stop::new(), &mut |_| ())).expect("a position")
}

/// Follows every line of a proof to its end, and returns the number of the losing side's moves. Checks that each of
/// these moves leaves fewer than `left` plies until the win.
fn follow(proof: &mut dyn Proof, line: &mut Vec<String>, left: u32) -> usize {
    let texts: Vec<&str> = line.iter().map(String::as_str).collect();
    let replies = proof.replies(&texts).expect("the losing side is to move");
    let mut count = replies.len();
    for reply in replies {
        let plies = reply.plies.expect("proven");
        assert!(plies < left, "{plies} plies of {left} after {line:?} {}", reply.text);
        let Some(answer) = reply.answer.filter(|_| !reply.ends) else { continue };
        line.extend([reply.text, answer]);
        count += follow(proof, line, plies);
        line.truncate(line.len() - 2);
    }
    count
}

#[test]
fn proofs_of_small_boards_contain_every_line_to_its_end() {
    for (game, size, winner) in [(GameId::LOA, 4, 0), (GameId::BREAKTHROUGH, 4, 1), (GameId::JUMP61, 2, 1)] {
        let Attempt::Won(mut proof) = attempt(game, size, None, BUDGET) else { panic!("{game}: no proof") };
        let known = proof.known();
        assert_eq!((known.winner, known.source), (Some(winner), Source::Search), "{game}");
        let mut line: Vec<String> = known.best.into_iter().collect();
        assert_eq!(line.len(), 1 - winner, "{game}: the winner's move");
        assert!(follow(&mut *proof, &mut line, known.plies + 1) > 3, "{game}");
        assert!(proof.replies(&["zz"]).is_err());
    }
}

#[test]
fn the_6x6_book_answers_the_longest_defence() {
    let Attempt::Won(mut proof) = attempt(GameId::LOA, 6, None, BUDGET) else { panic!("it is in the book") };
    let known = proof.known();
    assert_eq!((known.winner, known.best.as_deref(), known.source), (Some(0), Some("b1-b3"), Source::Book));
    let mut line = vec!["b1-b3".to_owned()];
    let mut left = known.plies;
    loop {
        let texts: Vec<&str> = line.iter().map(String::as_str).collect();
        let replies = proof.replies(&texts).expect("White is to move");
        assert!(replies.iter().all(|reply| reply.plies.is_some_and(|plies| plies < left)), "{line:?}: {replies:?}");
        let longest = &replies[0];
        left = longest.plies.expect("proven");
        let Some(answer) = longest.answer.clone().filter(|_| !longest.ends) else { break };
        line.extend([longest.text.clone(), answer]);
    }
    assert!(line.len() > 30, "{line:?}");
}

#[test]
fn unproven_positions_stay_open() {
    let small = Budget { nodes: 100_000, ..BUDGET };
    assert!(matches!(attempt(GameId::LOA, 8, None, small), Attempt::Open));
    let over = attempt(
        GameId::CHECKERS,
        8,
        Some("......../......../......../......../......../......../.b....../w....... w"),
        small,
    );
    assert!(matches!(over, Attempt::Over));
}
