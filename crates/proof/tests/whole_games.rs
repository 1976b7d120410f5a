//! Tests of the search against the true results of whole small games, and of whole proofs with their certificates.

use std::collections::{HashMap, HashSet};
use std::io;

use game::{Position as _, Side, SplitMix64};
use loa::Position;
use proof::{
    Adding, Agenda, CertificateError, Certifier, Choices, Code, Guess, HELD, Header, Log, Numbers, Plan, Proof,
    Question, Search, Team, Tree, Verified, Wins, Workers, read_plan, verify, work, write_certificate,
};
use search::Stop;
use search::with_large_stack;
use sha2::{Digest as _, Sha256};

/// Length of a record of a certificate, in bytes.
const RECORD: usize = 12;

/// Returns the position of a code on a 4×4 board.
fn position(code: Code) -> Position {
    code.position(4).expect("a position")
}

/// The game graph from a position: all positions that can follow, each with its children. `Ok` is an undecided child,
/// and `Err` contains the winner after a move that ends the game.
struct Game {
    children: HashMap<Code, Vec<Result<Code, Side>>>,
    /// Positions that Black wins.
    won: HashSet<Code>,
}

impl Game {
    fn new(root: &Position, wins: Wins) -> Self {
        let size = root.size();
        let mut children: HashMap<Code, Vec<Result<Code, Side>>> = HashMap::new();
        let mut next = vec![Code::of(root)];
        while let Some(code) = next.pop() {
            if children.contains_key(&code) {
                continue;
            }
            let p = code.position(size).expect("a position");
            let ways = p.movable().into_iter().map(|m| wins.after(&p, m).map_or(Ok(Code::of(&p.child(m))), Err));
            let ways: Vec<Result<Code, Side>> = ways.collect();
            next.extend(ways.iter().filter_map(|way| way.ok()));
            children.insert(code, ways);
        }
        let mut game = Self { children, won: HashSet::new() };
        while game.grow() {}
        game
    }

    fn grow(&mut self) -> bool {
        let before = self.won.len();
        for (code, ways) in &self.children {
            let won =
                |way: &Result<Code, Side>| way.map_or_else(|side| side == Side::First, |code| self.won.contains(&code));
            let black = code.0 & 1 == 0;
            if if black { ways.iter().any(won) } else { !ways.is_empty() && ways.iter().all(won) } {
                self.won.insert(*code);
            }
        }
        self.won.len() > before
    }

    /// Runs an incorrect depth-first search. It stores every result in a table, although some results depend on the
    /// path.
    fn naive(&self, code: Code, path: &mut HashSet<Code>, table: &mut HashMap<Code, bool>) -> bool {
        if let Some(&known) = table.get(&code) {
            return known;
        }
        if !path.insert(code) {
            return false;
        }
        let black = code.0 & 1 == 0;
        let mut won = !black;
        for way in &self.children[&code] {
            let way_won = way.map_or_else(|side| side == Side::First, |code| self.naive(code, path, table));
            if way_won == black {
                won = black;
                break;
            }
        }
        path.remove(&code);
        table.insert(code, won);
        won
    }
}

/// Returns a random undecided 4×4 board with these numbers of pieces.
fn sparse(rng: &mut SplitMix64, black: usize, white: usize) -> Position {
    loop {
        let mut cells = [vec!['b'; black], vec!['w'; white], vec!['-'; 16 - black - white]].concat();
        for i in (1..16).rev() {
            cells.swap(i, rng.below(i + 1));
        }
        let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
        let side = if rng.below(2) == 0 { 'b' } else { 'w' };
        let p: Position = format!("{} {side}", rows.join("/")).parse().expect("a position");
        if p.outcome().is_none() {
            return p;
        }
    }
}

fn solved(p: &Position, choices: Choices) -> Numbers {
    Search::new(choices, p.size(), 1, Stop::new()).solve(p, 10_000_000).expect("never stopped").numbers
}

#[test]
fn verdicts_agree_with_the_game_graph() {
    let mut rng = SplitMix64::new(11);
    let kinds = [(3, 2, Wins::All), (2, 3, Wins::All), (3, 3, Wins::All), (3, 3, Wins::Alone)];
    let games = kinds.map(|(black, white, kind)| (Game::new(&sparse(&mut rng, black, white), kind), kind));
    let (mut wins, mut failures) = (0, 0);
    for (game, kind) in &games {
        let mut codes: Vec<Code> = game.children.keys().copied().collect();
        codes.sort();
        for _ in 0..150 {
            let code = *rng.choose(&codes).expect("a position");
            let p = position(code);
            if p.outcome().is_some() {
                continue;
            }
            let won = game.won.contains(&code);
            (wins, failures) = (wins + u32::from(won), failures + u32::from(!won));
            let usual = Choices { wins: *kind, ..Choices::default() };
            let other = Choices { ahead: false, guess: Guess::Unit, adding: Adding::Sum, slack: 2, wins: *kind };
            let first = Choices { wins: *kind, ..Choices::of_version(1).expect("the first version") };
            for choices in [usual, first, other] {
                let numbers = with_large_stack(|| solved(&p, choices));
                assert!(numbers.is_settled() && (numbers.proof == 0) == won, "{p}: {numbers:?}, won: {won}");
            }
        }
    }
    assert!(wins > 50 && failures > 50, "{wins} wins, {failures} others");
}

/// Asks whether Black wins, and certifies White's defence with the colours exchanged. Returns `None` if Black wins.
fn defence(p: &Position) -> Option<Verified> {
    let question = Question::about(&p.to_string(), &[]).expect("a question");
    let mut agenda = Agenda::new(&question, 200, 1, &[]).expect("an agenda");
    work(&mut agenda, &mut Log::nowhere(question.clone()), workers(1), &Stop::new(), &mut |_, _| ()).expect("a log");
    let (_, file) = certified(&question, agenda.tree().refutation()?);
    let verified = verified(&file, 1).expect("a certificate");
    let exchanged = question.exchanged().and_then(|question| question.start()).expect("a position");
    assert_eq!(verified.position, exchanged.to_string());
    Some(verified)
}

#[test]
fn defences_exist_exactly_where_the_game_graph_has_no_win() {
    let mut rng = SplitMix64::new(13);
    let game = Game::new(&sparse(&mut rng, 3, 3), Wins::All);
    let mut codes: Vec<Code> = game.children.keys().copied().collect();
    codes.sort();
    let mut held = 0;
    for _ in 0..300 {
        let p = position(*rng.choose(&codes).expect("a position"));
        if p.outcome().is_none() {
            let defence = defence(&p);
            assert_eq!(defence.is_none(), game.won.contains(&Code::of(&p)), "{p}");
            held += u32::from(defence.is_some_and(|verified| verified.rank == HELD));
        }
    }
    assert!(held > 20, "{held} defences");
}

/// Certifies defences of both sides in positions from which neither side can force a win: the game repeats itself.
#[test]
fn both_sides_have_a_defence_where_neither_can_win() {
    for (text, exchanged) in
        [("w---/--w-/bb-b/w-wb w", "b---/--b-/ww-w/b-bw b"), ("w--w/b---/-wwb/--b- b", "b--b/w---/-bbw/--w- w")]
    {
        for text in [text, exchanged] {
            let p: Position = text.parse().expect("a position");
            assert!(!Game::new(&p, Wins::All).won.contains(&Code::of(&p)), "{text}");
            assert_eq!(defence(&p).expect("a defence").rank, HELD, "{text}");
        }
    }
}

/// Certifies wins for Black in positions where a search that reuses refutations by repetition finds no win.
#[test]
fn wins_that_a_naive_search_misses_are_certified() {
    let mut rng = SplitMix64::new(12);
    let game = Game::new(&sparse(&mut rng, 3, 3), Wins::All);
    let mut codes: Vec<Code> = game.won.iter().copied().collect();
    codes.sort();
    let wrong = |code: &&Code| !with_large_stack(|| game.naive(**code, &mut HashSet::new(), &mut HashMap::new()));
    let wrong: Vec<&Code> = codes.iter().step_by(7).filter(wrong).take(5).collect();
    assert_eq!(wrong.len(), 5, "wins that the naive search misses");
    for code in wrong {
        let text = position(*code).to_string();
        let question = Question::about(&text, &[]).expect("a question");
        let file = certificate(&question, 5).1;
        let verified = verified(&file, 2).expect("a certificate");
        assert_eq!(verified.position, Code::standing(&position(*code)).to_string());
    }
}

pub(crate) fn verified(file: &[u8], threads: usize) -> Result<Verified, CertificateError> {
    let team = Team { size: threads, threads: &search::SystemThreads };
    verify(&|| Ok(Box::new(file)), team, &mut |_, _| ())
}

pub(crate) fn workers(count: usize) -> Workers {
    Workers { count, table_mib: 1, host: search::SYSTEM }
}

/// Solves a question. Returns the plan, the certificate and the number of jobs.
fn certificate(question: &Question, effort: u64) -> (Plan, Vec<u8>, usize) {
    let mut agenda = Agenda::new(question, effort, 3, &[]).expect("an agenda");
    let mut log = Log::nowhere(question.clone());
    work(&mut agenda, &mut log, workers(2), &Stop::new(), &mut |_, _| ()).expect("a log");
    let (plan, file) = rebuilt(question, agenda.tree());
    (plan, file, agenda.done().len())
}

pub(crate) fn rebuilt(question: &Question, tree: &Tree) -> (Plan, Vec<u8>) {
    certified(question, tree.proof().expect("a proof"))
}

fn certified(question: &Question, proof: Proof) -> (Plan, Vec<u8>) {
    let mut certifier = Certifier::new(question.clone(), proof).expect("a known search");
    while with_large_stack(|| certifier.step(&Stop::new())).expect("a plan") {}
    let (start, plan) = certifier.finish().expect("a plan");
    let mut file = Vec::new();
    write_certificate(&start, &plan, &mut file).expect("memory");
    (plan, file)
}

#[test]
fn small_boards_are_won_and_certified() {
    for (size, moves, effort) in [(4, vec![], 1000), (5, vec![], 1_000_000), (5, vec![], 20), (5, vec!["c1-c3"], 30)] {
        let moves: Vec<String> = moves.into_iter().map(str::to_owned).collect();
        let question = Question::new(size, &moves).expect("a question");
        let (plan, file, jobs) = certificate(&question, effort);
        assert!(effort >= 1000 || jobs > 20, "{jobs} jobs are too few");
        let verified = verified(&file, 2).expect("a certificate");
        assert_eq!(verified.position, Position::start(size).expect("a size").to_string());
        assert_eq!(verified.records, plan.len() as u64);
        let read = read_plan(&mut &file[..]).expect("a plan");
        assert_eq!(read.1, plan);
        plays_to_the_end(&plan, &Position::start(size).expect("a size"));
    }
}

/// Checks that Black wins by the plan against random replies.
fn plays_to_the_end(plan: &Plan, start: &Position) {
    let mut rng = SplitMix64::new(3);
    for _ in 0..200 {
        let mut p = *start;
        let mut ranks = Vec::new();
        while p.outcome().is_none() {
            ranks.push(plan.rank(&p).expect("a rank"));
            let m = plan.reply(&p).expect("a move");
            p.play(m);
            let moves = p.legal_moves();
            rng.choose(&moves).into_iter().for_each(|m| p.play(*m));
        }
        assert_eq!(p.outcome(), Some(game::Outcome::Win(Side::First)));
        assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
    }
}

/// Changes a file, recomputes its hash if `rehash` is set, and verifies the file.
fn changed(bytes: &[u8], rehash: bool, change: impl FnOnce(&mut Vec<u8>)) -> Result<Verified, CertificateError> {
    let mut body = bytes[..bytes.len() - 32].to_vec();
    change(&mut body);
    let hash = if rehash { Sha256::digest(&body).to_vec() } else { bytes[bytes.len() - 32..].to_vec() };
    verified(&[body, hash].concat(), 1)
}

#[test]
fn false_and_damaged_certificates_are_refused() {
    let question = Question::new(5, &[]).expect("a question");
    let (plan, bytes, _) = certificate(&question, 50);
    let header = bytes.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    changed(&bytes, true, |_| ()).expect("the unmodified certificate");
    for at in (0..bytes.len() - 32).step_by(11) {
        assert!(changed(&bytes, false, |body| body[at] ^= 1).is_err(), "a flipped bit in byte {at}");
    }
    let text = |error: Result<Verified, CertificateError>| error.expect_err("refused").to_string();
    assert!(text(changed(&bytes, false, |body| body[header + 3] ^= 4)).contains("hash"));
    assert!(text(changed(&bytes, true, |body| body.truncate(header + RECORD))).contains("does not have the"));
    let position_of = |code: Code| plan.sorted().iter().position(|(known, _)| *known == code).expect("a record");
    let start = header + RECORD * position_of(Code::of(&Position::start(5).expect("a size")));
    // The changes: another rank, another move, and two swapped records.
    assert!(text(changed(&bytes, true, |body| body[start + 10] = 1)).contains("leads to rank"));
    assert!(text(changed(&bytes, true, |body| body[start + 8] ^= 1)).contains("is no move"));
    let swap = |body: &mut Vec<u8>| body[header..header + 2 * RECORD].rotate_left(RECORD);
    assert!(text(changed(&bytes, true, swap)).contains("not sorted"));
    // Every record is needed. The loop removes every seventh record in turn.
    for i in (0..plan.len()).step_by(7) {
        let fewer = |body: &mut Vec<u8>| {
            body.drain(header + i * RECORD..header + (i + 1) * RECORD);
            let line =
                Header { records: plan.len() as u64 - 1, position: question.start().expect("a start").to_string() };
            body.splice(..header, line.line().bytes());
        };
        let refused = text(changed(&bytes, true, fewer));
        assert!(refused.contains("neither a win at once nor a record") || refused.contains("no record"), "{refused}");
    }
    let team = Team { size: 1, threads: &search::SystemThreads };
    let missing = verify(&|| Err(io::ErrorKind::NotFound.into()), team, &mut |_, _| ());
    assert!(matches!(missing, Err(CertificateError::Io(_))), "{missing:?}");
}
