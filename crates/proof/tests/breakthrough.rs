//! Tests of the search of Breakthrough against the reference implementation, of the results of small boards, and of the
//! standalone checker of its certificates.

use std::collections::HashMap;

use breakthrough::Position;
use game::{Position as _, Side, SplitMix64, Symmetries};
use proof::win::{Checked, Strategy, WinError, WinFile};
use proof::{BreakthroughSearch, Team};
use reference::Model as _;
use reference::breakthrough::Breakthrough;
use search::{Stop, with_large_stack};
use sha2::{Digest as _, Sha256};

/// The standalone checker.
#[path = "../examples/check_breakthrough.rs"]
#[allow(dead_code, reason = "the tests do not use the main function")]
mod check_breakthrough;

/// Returns the winner and the length of the game under best play by the reference implementation. The winner wins as
/// fast as possible, and the loser delays as long as possible.
fn truth(p: &Breakthrough, known: &mut HashMap<String, (Side, u32)>) -> (Side, u32) {
    let side = |side| if side == reference::Side::First { Side::First } else { Side::Second };
    if let Some(winner) = p.winner() {
        return (side(winner), 0);
    }
    if let Some(&found) = known.get(&p.text()) {
        return found;
    }
    let mover = side(p.to_move());
    let results: Vec<(Side, u32)> = p.children().iter().map(|(_, child)| truth(child, known)).collect();
    let won = results.iter().filter(|&&(winner, _)| winner == mover).map(|&(_, plies)| plies).min();
    let lost = results.iter().map(|&(_, plies)| plies).max().unwrap_or(0);
    let found = won.map_or((!mover, lost + 1), |plies| (mover, plies + 1));
    known.insert(p.text(), found);
    found
}

/// Returns a position with up to three pieces of each side on random squares.
fn random(size: usize, rng: &mut SplitMix64) -> Position {
    let mut p = Position::empty(size).expect("a size").with_turn(*rng.choose(&Side::BOTH).expect("two sides"));
    for side in Side::BOTH {
        for _ in 0..=rng.below(3) {
            let square = p.board().nth(rng.below(size * size)).expect("a square");
            p = p.with(square, Some(side)).expect("a square of the board");
        }
    }
    p
}

#[test]
fn winners_and_lengths_agree_with_a_full_search() {
    let (mut wins, mut longest) = ([0, 0], 0);
    let mut usual = BreakthroughSearch::new(Stop::new(), 1, u64::MAX);
    // A table this small loses nearly every entry.
    let mut forgetful = BreakthroughSearch::new(Stop::new(), 0, u64::MAX);
    let mut rng = SplitMix64::new(3);
    for size in [4, 5, 6] {
        let mut known = HashMap::new();
        for _ in 0..60 {
            let p = random(size, &mut rng);
            if !BreakthroughSearch::takes(&p) {
                assert!(p.decided().is_some());
                continue;
            }
            let slow = Breakthrough::parse(&p.to_string()).expect("a position");
            let (winner, plies) = truth(&slow, &mut known);
            wins[winner.index()] += 1;
            longest = longest.max(plies);
            let searches = [&mut usual, &mut forgetful].into_iter().take(if size == 4 { 2 } else { 1 });
            for search in searches {
                assert_eq!(search.winner(&p), Ok(winner), "{p}");
                for horizon in 0..plies + 3 {
                    let found = Side::BOTH.map(|side| search.wins_within(&p, side, horizon).expect("never stopped"));
                    let expected = Side::BOTH.map(|side| side == winner && horizon >= plies);
                    assert_eq!(found, expected, "{p} within {horizon}");
                }
                let m = search.winning_move(&p).expect("never stopped");
                let after = m.map(|m| truth(&slow.play(&m.to_string()).expect("legal"), &mut known));
                assert_eq!(after, (winner == p.side_to_move()).then_some((winner, plies.saturating_sub(1))), "{p}");
            }
        }
    }
    assert!(wins.iter().all(|&wins| wins >= 25) && longest > 8, "{wins:?}, {longest} plies");
}

#[test]
fn a_stopped_search_can_be_continued() {
    let start = Position::start(4).expect("a size");
    let mut search = BreakthroughSearch::new(Stop::new(), 1, u64::MAX);
    let (mut stops, mut limit) = (0, 0);
    let found = loop {
        limit += 500;
        search.set_limit(limit);
        match search.winner(&start) {
            Ok(winner) => break winner,
            Err(_) => stops += 1,
        }
    };
    assert!(found == Side::Second && stops > 1, "{stops}");
    let stop = Stop::new();
    stop.stop();
    assert!(BreakthroughSearch::new(stop, 1, u64::MAX).winner(&start).is_err());
    assert!(!BreakthroughSearch::takes(&Position::start(7).expect("a size")));
}

/// Checks that Black wins a board from the start within this number of plies, and not sooner. Returns the certificate.
fn certificate(size: usize, plies: u32, mib: usize) -> Vec<u8> {
    let start = Position::start(size).expect("a size");
    let mut search = BreakthroughSearch::new(Stop::new(), mib, u64::MAX);
    assert_eq!(search.winner(&start), Ok(Side::Second));
    let read = || {
        Strategy::read("breakthrough", &start, Side::Second, Symmetries::Mirror, &mut search, &Stop::new(), &mut |_| ())
    };
    let strategy = with_large_stack(read).expect("a win");
    assert_eq!(strategy.plies, plies);
    assert_eq!(search.wins_within(&start, Side::Second, plies - 2), Ok(false));
    let mut file = Vec::new();
    strategy.write(&mut file).expect("memory");
    file
}

fn verified(file: &[u8]) -> Result<Checked, WinError> {
    let team = Team { size: 2, threads: &search::SystemThreads };
    WinFile::read(file)?.check::<Breakthrough>(Symmetries::Mirror, team, &mut |_, _| ())
}

/// Returns `true` if both checkers accept a file. They must agree.
fn accepted(file: &[u8]) -> bool {
    let (verified, checked) = (verified(file), check_breakthrough::check(file));
    match (&verified, &checked) {
        (Ok(a), Ok(b)) => assert_eq!((a.steps, a.replies, a.wins, a.rank), (b.steps, b.replies, b.wins, b.rank)),
        (Err(_), Err(_)) => (),
        _ => panic!("{verified:?}, but {checked:?}"),
    }
    verified.is_ok()
}

/// Compares two checkers that share no code, on the certificate of 4×4 and on changed ones.
#[test]
fn the_standalone_checker_agrees() {
    let file = certificate(4, 14, 1);
    assert!(accepted(&file));
    let text = String::from_utf8(file.clone()).expect("text");
    // The hash in `docs/solving-breakthrough.md`.
    assert!(text.ends_with("sha256 3a52e4c73cacade6898c0ba91ca5426b5aaac1f2398a186148162f8d3b0f4cb4\n"));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let steps = lines.len() - 2;
    let changed = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = lines[..=steps].to_vec();
        change(&mut lines);
        let body = lines.join("\n") + "\n";
        let hash = Sha256::digest(&body).iter().fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"));
        accepted(format!("{body}sha256 {hash}\n").as_bytes())
    };
    assert!(changed(&|_| ()));
    let fewer = lines[0].replace(&format!(" {steps} "), &format!(" {} ", steps - 1));
    let mut raised = 0;
    for line in 1..=steps {
        assert!(!changed(&|lines| drop(lines.remove(line))));
        assert!(!changed(&|lines| {
            lines.remove(line);
            lines[0].clone_from(&fewer);
        }));
        raised += usize::from(!changed(&|lines| lines[line] += "0"));
        assert!(!changed(&|lines| lines[line] = lines[line].replace(['x', '-'], "~")));
        assert!(line == 1 || !changed(&|lines| lines.swap(line - 1, line)));
    }
    // The ranks of the first steps may be larger, because no step leads to them.
    assert!(raised + 8 > steps && raised < steps, "{raised} of {steps} larger ranks refused");
    let (number, signed, padded) = (format!(" {steps} "), format!(" +{steps} "), format!(" 0{steps} "));
    let same = [(" 2 ", " +2 "), (" 2 ", " 02 "), (&*number, &*signed), (&*number, &*padded), (" w", "  w")];
    let other = [(" second ", " first "), (" 2 ", " 1 "), (" 2 ", " 3 "), (" w", " b"), ("win 1", "win 2")];
    for (from, to) in same.into_iter().chain(other) {
        assert!(!changed(&|lines| lines[0] = lines[0].replacen(from, to, 1)), "{from}");
    }
    for sign in ["+", "0"] {
        assert!(!changed(&|lines| {
            let rank = lines[1].rfind('\t').expect("a rank") + 1;
            lines[1].insert_str(rank, sign);
        }));
    }
    let mut rng = SplitMix64::new(5);
    for _ in 0..100 {
        let (at, bit) = (rng.below(text.len()), rng.below(8));
        let mut damaged = file.clone();
        damaged[at] ^= 1 << bit;
        assert!(!accepted(&damaged), "bit {bit} of byte {at}");
    }
}

/// Checks 5×5 (`docs/solving-breakthrough.md`). Run with
/// `cargo test --release -p plyhouse-proof twenty_six_plies -- --ignored`.
#[test]
#[ignore = "takes minutes; other tests check 4×4"]
fn five_by_five_takes_twenty_six_plies() {
    let file = certificate(5, 26, 512);
    assert!(accepted(&file));
}
