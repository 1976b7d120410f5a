//! Checks of the contract of [`Position`] on seeded random games. Every game's tests call [`check`].

use core::ops::ControlFlow;

use crate::outcome::Outcome;
use crate::perft;
use crate::position::Position;
use crate::record::{Origin, Record};
use crate::rng::SplitMix64;

/// A symmetry of a game, such as a reflection of the board. The image of a position has the same side to move, the same
/// number of moves and the same outcome.
pub type Symmetry<P> = fn(&P) -> P;

/// Plays `games` random games of at most 400 plies from `start` and checks every position.
///
/// # Panics
/// If the contract is violated. The message names the violated property and the position.
pub fn check<P: Position>(start: &P, games: u64, seed: u64, symmetries: &[Symmetry<P>]) {
    for game in 0..games {
        let mut rng = SplitMix64::new(seed ^ (game << 32));
        let mut record = Record::new(start.clone());
        let mut before = Vec::new();
        for _ in 0..400 {
            check_position(record.position(), symmetries);
            let moves = record.position().legal_moves();
            let Some(&m) = rng.choose(&moves) else { break };
            check_move(&mut record, m);
            // Moves of the opponent, and moves of this side from two plies ago. Many of them are no longer legal.
            check_legality(record.position(), &moves);
            check_legality(record.position(), &before);
            before = moves;
            if record.finish().is_some() {
                check_position(record.position(), symmetries);
                break;
            }
        }
    }
}

/// Draws `1_000` random moves for each legal move and checks that all moves are about equally frequent.
///
/// # Panics
/// If the contract is violated. The message names the violated property and the position.
pub fn check_random_moves<P: Position>(p: &P, seed: u64) {
    const DRAWS: u32 = 1_000;
    let moves = p.movable();
    let mut drawn = vec![0_u32; moves.len()];
    let mut rng = SplitMix64::new(seed);
    for _ in 0..DRAWS * moves.len() as u32 {
        let m = p.random_move(&mut rng).expect("a position with moves has a random move");
        let number = moves.iter().position(|&known| known == m);
        drawn[number.expect("a random move is one of the moves")] += 1;
    }
    // Six standard deviations, 6·√1000.
    let is_usual = |&count: &u32| count.abs_diff(DRAWS) < 190;
    assert!(drawn.iter().all(is_usual), "random moves are equally probable: {drawn:?}\n{p}");
}

/// Checks a single position.
///
/// # Panics
/// If the contract is violated. The message names the violated property and the position.
pub fn check_position<P: Position>(p: &P, symmetries: &[Symmetry<P>]) {
    let moves = p.movable();
    check_text(p);
    check_moves(p, &moves);
    assert_eq!(p.count_moves(), moves.len() as u64, "count_moves counts what visit_moves visits\n{p}");
    let replies: u64 = moves.iter().map(|&m| perft(&p.child(m), 1)).sum();
    assert_eq!(p.count_replies(), replies, "count_replies counts the moves after each move\n{p}");
    assert_eq!(p.is_stuck(), moves.is_empty(), "stuck means without a move\n{p}");
    let random = p.random_move(&mut SplitMix64::new(p.key().0));
    assert!(random.map_or(moves.is_empty(), |m| moves.contains(&m)), "a random move is one of the moves\n{p}");
    if p.decided().is_some() {
        assert!(p.legal_moves().is_empty(), "a decided position has no legal moves\n{p}");
        assert_eq!(p.outcome(), p.decided(), "a decision stands whether or not there are moves\n{p}");
    }
    for symmetry in symmetries {
        let image = symmetry(p);
        assert_eq!(image.count_moves(), moves.len() as u64, "an image has as many moves\n{p}\n{image}");
        assert_eq!(image.outcome(), p.outcome(), "an image has the same outcome\n{p}\n{image}");
        assert_eq!(image.side_to_move(), p.side_to_move(), "an image has the same side to move\n{p}\n{image}");
    }
}

fn check_text<P: Position>(p: &P) {
    let text = p.to_string();
    match text.parse::<P>() {
        Ok(again) => {
            assert_eq!(&again, p, "a position text reads back as the position: {text}");
            assert_eq!(again.key(), p.key(), "the incremental key is the key of the position: {text}");
        }
        Err(error) => panic!("a position text reads back: {text}: {error}"),
    }
}

fn check_moves<P: Position>(p: &P, moves: &[P::Move]) {
    for (index, &m) in moves.iter().enumerate() {
        assert!(!moves[..index].contains(&m), "no move is visited twice: {m}\n{p}");
        assert_ne!(P::pack(m), 0, "a packed move is not zero: {m}\n{p}");
        assert_eq!(p.unpack(P::pack(m)), Some(m), "a packed move unpacks: {m}\n{p}");
        assert_eq!(p.parse_move(&m.to_string()).as_ref(), Ok(&m), "a move's text reads back: {m}\n{p}");
        // Visiting stops as soon as the closure returns `Break`.
        let mut visited = 0;
        let stopped = p.visit_moves(|other| {
            visited += 1;
            if other == m { ControlFlow::Break(other) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((stopped, visited), (ControlFlow::Break(m), index + 1), "visiting stops at {m}\n{p}");
    }
    let codes: Vec<u16> = moves.iter().map(|&m| P::pack(m)).collect();
    // Each position tests a different sample of the codes. Testing all 65,536 codes each time would take minutes.
    for code in ((p.key().0 % 97) as u16..=u16::MAX).step_by(97) {
        if let Some(m) = p.unpack(code) {
            assert!(codes.contains(&P::pack(m)), "only legal moves unpack: {code} gives {m}\n{p}");
        }
    }
}

/// Checks that the legal moves among the candidates can be played, and that the others are returned as errors.
fn check_legality<P: Position>(p: &P, candidates: &[P::Move]) {
    let moves = p.movable();
    for &m in candidates {
        assert_eq!(p.is_legal(m), moves.contains(&m), "the legal moves are those that are visited: {m}\n{p}");
        let mut played = p.clone();
        if let Err(error) = played.try_play(m) {
            assert_eq!((error.m, Some(error.refusal)), (m, p.refusal(m)), "a refused move is given back\n{p}");
            assert_eq!(&played, p, "a refused move changes nothing: {m}");
            assert_ne!(p.parse_move(&m.to_string()), Ok(m), "a refused move is refused as a text, too: {m}\n{p}");
        }
    }
}

fn check_move<P: Position>(record: &mut Record<P>, m: P::Move) {
    let before = record.position().clone();
    record.play(m);
    let after = record.position().clone();
    assert_eq!(after.side_to_move(), !before.side_to_move(), "turns alternate: {m}\n{before}\n{after}");
    assert_ne!(after.key(), before.key(), "a move changes the key: {m}\n{before}\n{after}");
    if let (false, Some(winner)) = (P::MAY_LOSE_BY_MOVING, after.decided().and_then(Outcome::winner)) {
        assert_eq!(winner, before.side_to_move(), "a move does not win for the opponent: {m}\n{before}\n{after}");
    }
    let mut checked = before.clone();
    assert_eq!(checked.try_play(m), Ok(()), "a legal move is not refused: {m}\n{before}");
    assert_eq!(checked, after, "checking changes nothing: {m}\n{before}");
    assert_eq!(record.undo(), Some(Origin::Move(m)), "the last move is taken back\n{after}");
    assert_eq!(record.position(), &before, "taking back restores the position: {m}\n{before}");
    record.play(m);
}
