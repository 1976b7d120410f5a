//! Tests of certificates and their checkers.

use game::Position as _;
use loa::Position;
use proof::{
    Agenda, CertificateError, Certifier, Code, HELD, Log, Plan, PlannedMove, Question, Team, Verified, Wins, Workers,
    read_plan, verify, verify_in_detail, wins_at_once, work, write_certificate,
};
use search::Stop;
use search::with_large_stack;
use sha2::{Digest as _, Sha256};

/// The standalone checker.
#[path = "../examples/check_certificate.rs"]
#[allow(dead_code, reason = "the tests do not use the main function")]
mod check_certificate;

/// Solves a question.
fn solved(question: &Question) -> Agenda {
    let mut agenda = Agenda::new(question, 1_000_000, 16, &[]).expect("an agenda");
    let workers = Workers { count: 1, table_mib: 1, host: search::SYSTEM };
    let mut log = Log::nowhere(question.clone());
    work(&mut agenda, &mut log, workers, &Stop::new(), &mut |_, _| ()).expect("a log");
    agenda
}

/// Solves a question. Returns the plan and the certificate of a win, or of a defence against it.
fn certificate(question: &Question) -> (Plan, Vec<u8>) {
    let agenda = solved(question);
    let tree = agenda.tree();
    let proof = tree.proof().or_else(|| tree.refutation()).expect("a result");
    let mut certifier = Certifier::new(question.clone(), proof).expect("a known search");
    while with_large_stack(|| certifier.step(&Stop::new())).expect("a plan") {}
    let (start, plan) = certifier.finish().expect("a plan");
    let mut file = Vec::new();
    write_certificate(&start, &plan, &mut file).expect("memory");
    (plan, file)
}

fn verified(file: &[u8]) -> Result<Verified, CertificateError> {
    let team = Team { size: 1, threads: &search::SystemThreads };
    verify(&|| Ok(Box::new(file)), team, &mut |_, _| ())
}

fn refusal(file: &[u8]) -> String {
    verified(file).expect_err("refused").to_string()
}

/// Returns the file with a change applied and the hash recomputed.
fn changed(file: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut body = file[..file.len() - 32].to_vec();
    change(&mut body);
    let hash = Sha256::digest(&body);
    [&body[..], &hash[..]].concat()
}

fn header(file: &[u8]) -> usize {
    file.iter().position(|&byte| byte == b'\n').expect("a line") + 1
}

/// Checks that the four unused bits of a move must be zero.
#[test]
fn unused_bits_of_a_move_are_refused() {
    let (_, file) = certificate(&Question::new(4, &[]).expect("a question"));
    verified(&file).expect("a certificate");
    for bit in 4..8 {
        let file = changed(&file, |body| body[header(&file) + 9] |= 1 << bit);
        let refused = refusal(&file);
        let expected = "record 1: bits 12 to 15 of the move are not zero";
        assert_eq!(refused, expected, "bit {}", bit + 8);
        assert!(read_plan(&mut &file[..]).is_err(), "bit {}", bit + 8);
    }
}

/// Checks that the first line has only one valid spelling.
#[test]
fn a_first_line_with_other_blanks_or_signs_is_refused() {
    let (_, file) = certificate(&Question::new(4, &[]).expect("a question"));
    let line = String::from_utf8_lossy(&file[..header(&file)]).into_owned();
    assert_eq!(line, "plyhouse-certificate 1 loa 1 -bb-/w--w/w--w/-bb- b\n");
    for other in [line.replace("loa 1", "loa\t1"), line.replace("loa 1", "loa  1"), line.replace("loa 1", "loa +1")] {
        let file = [other.as_bytes(), &file[line.len()..]].concat();
        assert!(refusal(&file).starts_with("not a certificate: expected a first line"), "{other}");
    }
}

/// Checks that a position that Black wins with the next move needs no record.
#[test]
fn a_position_won_at_once_has_a_certificate_without_records() {
    for text in ["b---/--b-/---w/w--- b", "b---/--b-/w---/---w b"] {
        let (plan, file) = certificate(&Question::about(text, &[]).expect("a question"));
        assert!(plan.is_empty() && wins_at_once(&text.parse().expect("a position")).is_some());
        let verified = verified(&file).expect("a certificate");
        assert_eq!((verified.position.as_str(), verified.records, verified.rank), (text, 0, 0));
        assert_eq!((verified.replies, verified.wins), (0, 0));
        assert!(read_plan(&mut &file[..]).expect("a plan").1.is_empty());
    }
}

/// Checks that a certificate of any other position needs records.
#[test]
fn other_certificates_without_records_are_refused() {
    for text in ["-bb-/w--w/w--w/-bb- b", "-bb-/w--w/w--w/-bb- w", "bb--/----/w--w/---- b", "w---/-w--/b--b/---- b"] {
        let file = format!("plyhouse-certificate 1 loa 0 {text}\n").into_bytes();
        let file = [&file[..], &[0; 32]].concat();
        let refused = refusal(&changed(&file, |_| ()));
        let expected = ["the certificate has no record", "record 0: "];
        assert!(expected.iter().any(|start| refused.starts_with(start)), "{text}: {refused}");
    }
}

/// Checks that the branches contain moves in the position that the question asks about. The tree itself stores only one
/// of a position's symmetric images.
#[test]
fn branches_contain_moves_of_the_position_in_the_question() {
    // These texts are four images of one position.
    for text in ["-bb-/w--w/ww--/-bb- b", "-bb-/ww--/w--w/-bb- b", "-bb-/w--w/--ww/-bb- b", "-bb-/--ww/w--w/-bb- b"] {
        let question = Question::about(text, &[]).expect("a question");
        let agenda = solved(&question);
        let p: Position = text.parse().expect("a position");
        let branches = agenda.tree().branches();
        let legal = p.legal_moves();
        assert!(branches.iter().all(|(m, _)| legal.contains(m)), "{text}: {branches:?}");
        let classes = |moves: &mut dyn Iterator<Item = loa::Move>| {
            let mut codes: Vec<Code> = moves.map(|m| Code::of(&p.child(m))).collect();
            codes.sort();
            codes
        };
        let found = classes(&mut branches.iter().map(|(m, _)| *m));
        let mut all = classes(&mut legal.iter().copied());
        all.dedup();
        assert_eq!(found, all, "{text}: one move for each class");
    }
}

/// Board size, first move, `true` if White wins after this move, and the results of checking the certificate: number of
/// records, plies of the longest line, SHA-256.
type FirstMove = (usize, &'static str, bool, u64, u16, &'static str);

/// All first moves up to symmetry.
const FIRST_MOVES: [FirstMove; 8] = [
    (4, "b1-b3", false, 1, 3, "43764dc18c468ccfa0bbdf738554dc4c06e94d9ed53a5e715c54aeb0b696f51c"),
    (4, "b1-d1", true, 1, 3, "d198e9a2bd48e3ed3e1d406b37f7a951f46703c178098b0bb0b34307767aec86"),
    (4, "b1-d3", true, 0, 1, "23ae49fba11d3722bf2b3e4ec5b92d4884c8547109ab39d2ce70f8d1af1a6794"),
    (5, "b1-b3", false, 757, 23, "d11bdc11a803fdf39e037b98c329e362cf7a3fa30d8e45dfad2311f54cc1f29d"),
    (5, "b1-d3", false, 634, 21, "365ec2cfea66f6e8bfc7815536bb906ab39cec94d6707b56132806f31b2c6ff4"),
    (5, "b1-e1", true, 165, 19, "8e4ea9783d698ce1943aa3f9562213808ccc6ed40ad7d4202d0af584010db2d2"),
    (5, "c1-c3", false, 174, 19, "07c290d7eeeda93ad6f6045e072af482c190ed67dad59f9f656e16c91a1c3429"),
    (5, "c1-e3", true, 9, 9, "14dae7e0b80cedb9b94280d8fd395c0e4034d96929640b5d2560208b069779ae"),
];

fn certificate_of(&(size, name, white, ..): &FirstMove) -> (Plan, Vec<u8>) {
    let question = Question::new(size, &[name.to_owned()]).expect("a question");
    certificate(&if white { question.exchanged().expect("a question") } else { question })
}

#[test]
fn every_first_move_of_4x4_and_5x5_has_the_documented_result() {
    let table = include_str!("../../../docs/solving.md");
    for size in [4, 5] {
        let p = Position::start(size).expect("a size");
        let class = |m: loa::Move| Code::of(&p.child(m));
        let all = p.legal_moves().into_iter().map(class).collect::<std::collections::BTreeSet<_>>();
        let listed = FIRST_MOVES.iter().filter(|(of, ..)| *of == size).map(|(_, name, ..)| p.parse_move(name));
        assert_eq!(listed.map(|m| class(m.expect("a move"))).collect::<std::collections::BTreeSet<_>>(), all);
    }
    for first in &FIRST_MOVES {
        let &(size, name, white, records, plies, hash) = first;
        let (_, file) = certificate_of(first);
        let team = Team { size: 1, threads: &search::SystemThreads };
        let (verified, details) = verify_in_detail(&|| Ok(Box::new(&file[..])), team, &mut |_, _| ()).expect("a win");
        let p = Position::start(size).expect("a size");
        let after = p.child(p.parse_move(name).expect("a move")).to_string();
        let colours = [('b', 'w'), ('w', 'b'), ('-', '-'), ('/', '/'), (' ', ' ')];
        let exchanged = after.chars().map(|c| colours.iter().find(|(from, _)| *from == c).expect("a letter").1);
        let about = if white { exchanged.collect() } else { p.to_string() };
        assert_eq!(verified.position, about, "{size} {name}");
        let found = (verified.records, details.plies, verified.hash.as_str());
        assert_eq!(found, (records, plies, hash), "{size} {name}");
        assert!(details.plies <= 2 * verified.rank + 1, "{size} {name}: ranks bound the length");
        assert_eq!(
            details.ended + details.alone + details.both + details.stuck,
            verified.wins + u64::from(records == 0)
        );
        let row = format!("| {size}×{size} | {name} | {} | ", if white { "White" } else { "Black" });
        let row = table.lines().find(|line| line.starts_with(&row)).unwrap_or_else(|| panic!("no row `{row}`"));
        assert!(row.contains(&format!("| {records} | {plies} | ")) && row.contains(hash), "{row}");
    }
}

/// Checks proofs in which only the winner is connected at the end of every game. These games are also wins by the rules
/// of the Computer Olympiads.
#[test]
fn every_first_move_of_4x4_and_5x5_has_a_proof_with_wins_of_one_connected_side() {
    for &(size, name, white, ..) in &FIRST_MOVES {
        let question = Question::new(size, &[name.to_owned()]).expect("a question").counting(Wins::Alone);
        let question = if white { question.exchanged().expect("a question") } else { question };
        assert!(question.to_string().ends_with(", connecting Black alone"), "{question}");
        let (_, file) = certificate(&question);
        let team = Team { size: 1, threads: &search::SystemThreads };
        let (_, details) = verify_in_detail(&|| Ok(Box::new(&file[..])), team, &mut |_, _| ()).expect("a win");
        assert!(details.is_alone(), "{size} {name}: {details:?}");
    }
    // In default proofs, some games end with both sides connected.
    let (_, file) = certificate_of(&FIRST_MOVES[3]);
    let team = Team { size: 1, threads: &search::SystemThreads };
    let (_, details) = verify_in_detail(&|| Ok(Box::new(&file[..])), team, &mut |_, _| ()).expect("a win");
    assert!(!details.is_alone() && details.both > 0, "{details:?}");
}

/// Returns the question whether the side that loses after this first move wins.
fn refuted_question(&(size, name, white, ..): &FirstMove) -> Question {
    let question = Question::new(size, &[name.to_owned()]).expect("a question");
    if white { question } else { question.exchanged().expect("a question") }
}

/// Checks defences: certificates that the winner of each first move does not lose.
#[test]
fn the_winner_of_every_first_move_of_4x4_and_5x5_has_a_defence() {
    for first in &FIRST_MOVES {
        let question = refuted_question(first);
        let (plan, file) = certificate(&question);
        let checked = check_certificate::check(&file).expect("a defence");
        let verified = verified(&file).expect("a defence");
        let won_at_once = plan.is_empty();
        assert!(if won_at_once { verified.rank <= 1 } else { verified.rank == HELD }, "{question}: {verified:?}");
        assert_eq!((verified.records, verified.replies), (checked.records, checked.replies), "{question}");
        assert_eq!((verified.wins, verified.rank), (checked.wins, checked.rank), "{question}");
        if won_at_once {
            continue;
        }
        let start = header(&file);
        let fewer = changed(&file, |body| {
            body.drain(start..start + 12);
            let line = String::from_utf8_lossy(&body[..start]).into_owned();
            let other = line.replace(&format!("loa {} ", plan.len()), &format!("loa {} ", plan.len() - 1));
            body.splice(..start, other.bytes());
        });
        assert!(check_certificate::check(&fewer).is_err() && refusal(&fewer).contains("record"), "{question}");
        // With smaller ranks, the certificate would claim a win, which is true on 4×4 only.
        let smaller = changed(&file, |body| body[start..].chunks_mut(12).for_each(|record| record[11] = 1));
        if first.0 == 5 {
            assert!(check_certificate::check(&smaller).is_err(), "{question}");
            assert!(refusal(&smaller).contains("rank 511 leads to rank 511"), "{question}: {}", refusal(&smaller));
        }
    }
    let alone = refuted_question(&FIRST_MOVES[0]).counting(Wins::Alone);
    let refutation = solved(&alone).tree().refutation().expect("a refutation");
    let refused = Certifier::new(alone, refutation).err().expect("refused");
    assert_eq!(refused.to_string(), "a defence is certified only if all wins count");
}

/// Checks the counts of the ways to win, both for a certificate without records and for one that records the winning
/// move.
#[test]
fn ways_to_win_are_counted_separately() {
    let cases = [
        ("b---/--b-/---w/w--- b", (1, 0, 0)),
        ("w--w/bbw-/bw--/---b b", (0, 1, 0)),
        ("w-w-/---w/w-w-/-b-b b", (0, 0, 1)),
    ];
    for (text, ways) in cases {
        let p: Position = text.parse().expect("a position");
        assert_eq!(Wins::Alone.at_once(&p).is_some(), ways.0 > 0, "{text}");
        let (_, without) = certificate(&Question::about(text, &[]).expect("a question"));
        // This certificate has a record of the winning move.
        let mut plan = Plan::default();
        let m = wins_at_once(&Code::standing(&p)).expect("a win");
        plan.add(Code::of(&p), PlannedMove { m, rank: 1 });
        let mut with = Vec::new();
        write_certificate(&p, &plan, &mut with).expect("memory");
        for (file, rank) in [(&without, 0), (&with, 1)] {
            let team = Team { size: 1, threads: &search::SystemThreads };
            let (verified, details) =
                verify_in_detail(&|| Ok(Box::new(&file[..])), team, &mut |_, _| ()).expect("a win");
            assert_eq!((verified.rank, verified.wins, details.plies), (rank, 0, 1), "{text}");
            assert_eq!((details.alone, details.both, details.stuck), ways, "{text}");
            assert_eq!(check_certificate::check(file).map(|counts| counts.rank), Ok(rank), "{text}");
        }
    }
}

/// Compares two checkers that share no code, on valid and on invalid certificates.
#[test]
fn the_standalone_checker_agrees() {
    let mut rng = game::SplitMix64::new(4);
    let mut refused = 0;
    for first in &FIRST_MOVES {
        let (_, file) = certificate_of(first);
        let both = |file: &[u8]| {
            let verified = verified(file).map_err(|error| error.to_string());
            let checked = check_certificate::check(file);
            let same = match (&verified, &checked) {
                (Ok(a), Ok(b)) => {
                    (a.records, a.replies, a.wins, a.rank, &a.hash) == (b.records, b.replies, b.wins, b.rank, &b.hash)
                }
                (Err(_), Err(_)) => true,
                _ => false,
            };
            assert!(same, "{} {}: {verified:?}, but {checked:?}", first.0, first.1);
            verified.is_ok()
        };
        assert!(both(&file));
        assert!(!both(&file[..file.len() - 1]) && !both(&[&file[..], b"x"].concat()));
        for _ in 0..3 {
            let at = rng.below(file.len() - 32);
            let bit = rng.below(8);
            refused += usize::from(!both(&changed(&file, |body| body[at] ^= 1 << bit)));
            if file.len() - 32 > header(&file) + 12 {
                let at = header(&file) + 12 * rng.below((file.len() - 32 - header(&file)) / 12 - 1);
                let swap = changed(&file, |body| body[at..at + 24].rotate_left(12));
                assert!(!both(&swap));
                // This certificate lacks one record.
                let line = String::from_utf8_lossy(&file[..header(&file)]).into_owned();
                let records = (file.len() - 32 - header(&file)) / 12;
                let fewer = line.replace(&format!("loa {records} "), &format!("loa {} ", records - 1));
                let fewer = changed(&file, |body| {
                    body.drain(at..at + 12);
                    body.splice(..line.len(), fewer.bytes());
                });
                assert!(!both(&fewer));
            }
        }
    }
    assert!(refused > 20, "{refused} of 24 changed files");
}
