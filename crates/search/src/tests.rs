use game::{Outcome, Position, Record, Side, SplitMix64, examples::Nim};

use crate::{AlphaBeta, Control, Engine, ForcedWins, Limits, Policy, Score, Settings, Stop, Techniques, minimax};

/// Evaluates by the key: a random but fixed number for each position.
pub(crate) struct Random;

impl<P: Position> Policy<P> for Random {
    const SLOTS: usize = 64;

    fn evaluate(&self, p: &P) -> i32 {
        (p.key().0 % 401) as i32 - 200
    }

    fn slot(&self, _: &P, m: P::Move) -> usize {
        usize::from(P::pack(m)) % 64
    }
}

pub(crate) fn exact() -> Settings {
    Settings {
        table_mib: 1,
        noise: 0,
        win_horizon: 0,
        loss_horizon: 0,
        shuns_repetition: false,
        techniques: Techniques::NONE,
        ..Settings::default()
    }
}

/// Undecided positions of random games, with the moves left to a move limit.
pub(crate) fn positions<P: Position>(start: &P, games: u64, seed: u64) -> Vec<Record<P>> {
    let mut found = Vec::new();
    for game in 0..games {
        let mut rng = SplitMix64::new(seed + game);
        let limit = 4 + rng.below(40) as u32;
        let mut record = Record::new(start.clone()).with_move_limit(limit);
        while record.finish().is_none() {
            if rng.below(4) == 0 {
                found.push(record.clone());
            }
            let moves = record.position().legal_moves();
            let Some(&m) = rng.choose(&moves) else { break };
            record.play(m);
        }
    }
    found
}

fn search_equals_minimax<P: Position>(start: &P, games: u64, depths: core::ops::RangeInclusive<u32>) {
    for record in positions(start, games, 9) {
        for depth in depths.clone() {
            let mut player = AlphaBeta::new(Random, exact());
            let choice = player.choose(&record, &Limits::depth(depth), &mut Control::unattended()).expect("a move");
            let truth = minimax(record.position(), &Random, depth, record.plies_left());
            assert_eq!(choice.score, truth, "depth {depth}, {:?} left\n{}", record.plies_left(), record.position());
            let child = record.position().child(choice.best);
            let left = record.plies_left().map(|n| n - 1);
            let by_move = match child.decided() {
                Some(outcome) => Score::of_outcome(outcome, record.position().side_to_move(), 1),
                None => from_child(minimax(&child, &Random, depth - 1, left)),
            };
            assert_eq!(by_move, truth, "the chosen move {} has the value\n{}", choice.best, record.position());
        }
    }
}

pub(crate) fn from_child(score: Score) -> Score {
    match (score.win_distance(), score.loss_distance()) {
        (Some(plies), _) => Score::loss_in(plies + 1),
        (_, Some(plies)) => Score::win_in(plies + 1),
        _ => -score,
    }
}

#[test]
fn principal_variation_search_is_minimax() {
    search_equals_minimax(&loa::Position::start(4).expect("a size"), 12, 1..=4);
    search_equals_minimax(&loa::Position::start(5).expect("a size"), 6, 1..=3);
    search_equals_minimax(&jump61::Position::start(3).expect("a size"), 12, 1..=5);
    search_equals_minimax(&checkers::Position::start(), 4, 1..=5);
    search_equals_minimax(&"11 a".parse::<Nim>().expect("a heap"), 20, 1..=11);
}

/// Whether plain minimax sees a win for the side to move.
fn minimax_wins<P: Position>(record: &Record<P>, plies: u32) -> bool {
    let value = minimax(record.position(), &Random, plies, record.plies_left());
    value.win_distance().is_some_and(|n| n <= plies)
}

fn forced_wins_are_minimax_wins<P: Position>(start: &P, games: u64, longest: u32) {
    let mut wins = 0;
    for record in positions(start, games, 5) {
        let mut forced = ForcedWins::new(&Random, Stop::new(), 1);
        for plies in 1..=longest {
            let found = forced.wins(record.position(), plies, record.plies_left()).expect("never stopped");
            let truth = minimax_wins(&record, plies);
            assert_eq!(found, truth, "{plies} plies, {:?} left\n{}", record.plies_left(), record.position());
            wins += u32::from(found);
        }
        line_is_a_win(&mut forced, &record, longest);
    }
    assert!(wins > 10, "the positions hold wins");
}

/// The line of a forced win leads to the win in as many plies as were promised.
fn line_is_a_win<P: Position>(forced: &mut ForcedWins<'_, P, Random>, record: &Record<P>, longest: u32) {
    let truth = minimax(record.position(), &Random, longest, record.plies_left());
    if let Some(plies) = truth.win_distance() {
        let line = forced.line(record.position(), longest, record.plies_left()).expect("never stopped");
        let mut played = record.clone();
        for m in line.iter().copied() {
            played.play(m);
        }
        let winner = played.finish().and_then(|finish| finish.outcome.winner());
        assert_eq!(winner, Some(record.position().side_to_move()), "{}", record.position());
        assert_eq!(line.len() as u32, plies, "{}", record.position());
    }
}

#[test]
fn forced_wins_are_those_of_minimax() {
    forced_wins_are_minimax_wins(&loa::Position::start(4).expect("a size"), 40, 5);
    forced_wins_are_minimax_wins(&loa::Position::start(5).expect("a size"), 8, 3);
    forced_wins_are_minimax_wins(&jump61::Position::start(2).expect("a size"), 40, 9);
    forced_wins_are_minimax_wins(&jump61::Position::start(3).expect("a size"), 30, 5);
    let endgame = "......../..B...../...w..../......w./...b..../....B.../......../........ b";
    forced_wins_are_minimax_wins(&endgame.parse::<checkers::Position>().expect("a position"), 40, 5);
}

/// Boards with a few pieces anywhere, where a side may be made to connect the other one's pieces.
pub(crate) fn sparse_boards(count: u64) -> impl Iterator<Item = Record<loa::Position>> {
    (0..count).map(|seed| {
        let mut rng = SplitMix64::new(seed);
        let mut cells = ['-'; 16];
        let (black, white) = (2 + rng.below(5), 2 + rng.below(3));
        for piece in ['b'].repeat(black).into_iter().chain(['w'].repeat(white)) {
            cells[rng.below(16)] = piece;
        }
        let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
        let limit = if rng.below(2) == 0 { 100 } else { 1 + rng.below(5) as u32 };
        let text = format!("{} {}", rows.join("/"), ["b", "w"][rng.below(2)]);
        Record::new(text.parse().expect("a board")).with_move_limit(limit)
    })
}

#[test]
fn forced_wins_on_sparse_boards() {
    for record in sparse_boards(4_000).filter(|record| !record.position().is_stuck()) {
        let mut forced = ForcedWins::new(&Random, Stop::new(), 1);
        let truth = minimax(record.position(), &Random, 3, record.plies_left()).win_distance();
        for plies in 1..=3 {
            let found = forced.wins(record.position(), plies, record.plies_left()).expect("never stopped");
            let expected = truth.is_some_and(|n| n <= plies);
            assert_eq!(found, expected, "{plies} plies, {:?} left\n{}", record.plies_left(), record.position());
        }
        line_is_a_win(&mut forced, &record, 3);
    }
}

/// White to move, and each of its moves connects Black's pieces, so that Black wins in two plies by moving there.
const TRAPS: [&str; 6] = [
    "-b-b/w-bb/----/w-b- w",
    "wbb-/--bb/b-w-/---- w",
    "bb--/-b-b/b---/-w-w w",
    "w-b-/----/w-w-/-b-- w",
    "ww-b/bb--/--bw/--b- w",
    "--b-/bb-w/wb--/ww-b w",
];

#[test]
fn a_win_by_the_opponents_own_move() {
    let mut wins = 0;
    for trap in TRAPS {
        let trap: loa::Position = trap.parse().expect("a board");
        assert!(trap.legal_moves().iter().all(|&m| trap.child(m).decided() == Some(Outcome::Win(Side::First))));
        assert!(keeps_horizon(&Record::new(trap), 0, 4), "every move loses, at once");
        for before in retractions(&trap) {
            let mut forced = ForcedWins::new(&Random, Stop::new(), 1);
            let truth = minimax(&before, &Random, 2, None).win_distance();
            let found = (1..=2).find(|&plies| forced.wins(&before, plies, None) == Ok(true));
            assert_eq!(found, truth, "{before}");
            wins += u32::from(found == Some(2));
        }
    }
    assert!(wins > 0, "a trap can be set");
}

/// The positions with Black to move from which a move without a capture leads here.
fn retractions(p: &loa::Position) -> Vec<loa::Position> {
    let black = p.pieces(Side::First);
    let empty = p.board() & !p.occupied();
    let pairs = black.into_iter().flat_map(|to| empty.into_iter().map(move |from| (from, to)));
    pairs
        .filter_map(|(from, to)| {
            let before = p.with(to, None, Side::First)?.with(from, Some(Side::First), Side::First)?;
            before.is_legal(loa::Move { from, to }).then_some(before)
        })
        .collect()
}

#[test]
fn the_horizon_is_kept_on_sparse_boards() {
    for record in sparse_boards(1_500).filter(|record| !record.position().is_stuck()) {
        keeps_horizon(&record, 4, 4);
    }
}

/// On larger boards plain minimax is too slow; the principal variation search, which equals it, is the reference there.
fn forced_wins_are_those_of_a_full_width_search<P: Position>(start: &P, games: u64, plies: u32) {
    let mut wins = 0;
    for record in positions(start, games, 31) {
        let mut forced = ForcedWins::new(&Random, Stop::new(), 4);
        let found = forced.wins(record.position(), plies, record.plies_left()).expect("never stopped");
        let mut player = AlphaBeta::new(Random, Settings { table_mib: 4, ..exact() });
        let choice = player.choose(&record, &Limits::depth(plies), &mut Control::unattended()).expect("a move");
        let truth = choice.score.win_distance().is_some_and(|n| n <= plies);
        assert_eq!(found, truth, "{plies} plies, {:?} left\n{}", record.plies_left(), record.position());
        wins += u32::from(found);
    }
    assert!(wins > 0, "the positions hold wins");
}

#[test]
fn forced_wins_on_larger_boards() {
    let crowded = "2b1r2r2b/2r3r1b3b/3r2b4b2b/2r2r3b1b".parse::<jump61::Position>().expect("a position");
    forced_wins_are_those_of_a_full_width_search(&crowded, 12, 7);
    let crowded = "2r3r2b2b1-/3r4r3b2b2b/2r3r1r4b3b/3r2r4b3b2b/2r3r2b3b1b".parse::<jump61::Position>();
    forced_wins_are_those_of_a_full_width_search(&crowded.expect("a position"), 10, 5);
    let open = "---w--/-b--b-/-bw---/---bw-/w--b--/---w-- b".parse::<loa::Position>().expect("a position");
    forced_wins_are_those_of_a_full_width_search(&open, 8, 5);
}

/// The promises of the horizon: the shortest win is played, a loss is avoided, or put off as long as can be. Says whether
/// every move loses.
fn keeps_horizon<P: Position>(record: &Record<P>, win: u32, loss: u32) -> bool {
    let settings = Settings { win_horizon: win, loss_horizon: loss, default_nodes: 50, ..exact() };
    let mut player = AlphaBeta::new(Random, settings);
    let choice = player.choose(record, &Limits::default(), &mut Control::unattended()).expect("a move");
    let truth = minimax(record.position(), &Random, win.max(loss), record.plies_left());
    let p = record.position();
    let after = minimax_after(p, choice.best, win.max(loss), record.plies_left().map(|n| n - 1));
    if let Some(plies) = truth.win_distance().filter(|&n| n <= win) {
        assert_eq!(after.win_distance(), Some(plies), "{} keeps the shortest win\n{p}", choice.best);
        assert_eq!(choice.score, Score::win_in(plies), "{p}");
    } else if let Some(plies) = truth.loss_distance().filter(|&n| n <= loss) {
        assert_eq!(after.loss_distance(), Some(plies), "{} lasts longest\n{p}", choice.best);
        assert_eq!(choice.score, Score::loss_in(plies), "{p}");
        return true;
    } else {
        assert!(after.loss_distance().is_none_or(|n| n > loss), "{} does not lose\n{p}", choice.best);
    }
    false
}

fn horizon_holds<P: Position>(start: &P, games: u64, win: u32, loss: u32) {
    let losses = positions(start, games, 77).iter().filter(|record| keeps_horizon(record, win, loss)).count();
    assert!(losses > 0, "the positions hold losses");
}

fn minimax_after<P: Position>(p: &P, m: P::Move, depth: u32, left: Option<u32>) -> Score {
    let child = p.child(m);
    match child.decided() {
        Some(outcome) => Score::of_outcome(outcome, p.side_to_move(), 1),
        None => from_child(minimax(&child, &Random, depth - 1, left)),
    }
}

#[test]
fn the_horizon_is_kept_with_hardly_any_nodes() {
    horizon_holds(&loa::Position::start(4).expect("a size"), 60, 5, 4);
    horizon_holds(&jump61::Position::start(2).expect("a size"), 60, 7, 8);
    horizon_holds(&jump61::Position::start(3).expect("a size"), 10, 5, 6);
}

#[test]
fn threads_and_time_give_legal_moves() {
    let record = Record::new(loa::Position::start(6).expect("a size"));
    let threads = core::num::NonZeroUsize::new(3).expect("three");
    let mut player = AlphaBeta::new(Random, Settings { threads, ..exact() });
    let time = Limits::movetime(std::time::Duration::from_millis(30));
    let choice = player.choose(&record, &time, &mut Control::unattended()).expect("a move");
    assert!(record.position().legal_moves().contains(&choice.best));
    // With no time at all there is a move, too.
    let choice = player.choose(&record, &Limits::movetime(std::time::Duration::ZERO), &mut Control::unattended());
    assert!(choice.is_some_and(|c| record.position().legal_moves().contains(&c.best)));
}

#[test]
fn the_same_seed_gives_the_same_choice_and_no_seed_is_a_seed() {
    let record = Record::new(loa::Position::start(6).expect("a size"));
    let choose = |seed: Option<u64>| {
        let mut player = AlphaBeta::new(Random, Settings { noise: 60, ..exact() });
        if let Some(seed) = seed {
            player.new_game(seed);
        }
        player.choose(&record, &Limits::nodes(3_000), &mut Control::unattended()).expect("a move")
    };
    assert_eq!(choose(Some(4)), choose(Some(4)));
    assert_eq!(choose(None), choose(None));
    let different: std::collections::HashSet<String> = (0..10).map(|s| choose(Some(s)).best.to_string()).collect();
    assert!(different.len() > 1);
}

#[test]
fn a_better_side_does_not_go_back_to_an_earlier_position() {
    // A man and a tower against a tower far away: moves back and forth are as good as any to a short search.
    let start: checkers::Position =
        "......../....W.../......../......../......../..B...../.....b../B....... b".parse().expect("a board");
    let settings = Settings { shuns_repetition: true, ..exact() };
    let mut player = AlphaBeta::new(Random, settings);
    let mut game = Record::new(start);
    for _ in 0..24 {
        let choice = player.choose(&game, &Limits::depth(2), &mut Control::unattended()).expect("a move");
        let repeats = game.steps().iter().any(|step| step.position == game.position().child(choice.best));
        assert!(!repeats || choice.score <= Score::DRAW, "{} at {}\n{}", choice.best, choice.score, game.position());
        game.play(choice.best);
        if game.finish().is_some() {
            break;
        }
    }
}
