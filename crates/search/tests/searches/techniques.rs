//! Tests of the techniques of the playing search: pruning, aspiration windows, threads, several lines, known results.

use core::num::NonZeroUsize;

use game::{Outcome, PliesLeft, Position, Record, Side, examples::Nim};

use crate::common::{Random, exact, from_child, positions, sparse_boards};
use search::{
    AlphaBeta, Choice, Control, Engine, Known, Limits, Policy, ProofSearch, Score, Settings, Stop, Technique,
    Techniques, Tuning, Verdict, minimax,
};

fn search<P: Position>(record: &Record<P>, settings: Settings, depth: u32) -> Choice<P::Move> {
    let mut player = AlphaBeta::new(Random, settings);
    player.choose(record, &Limits::depth(depth), &mut Control::on(search::SYSTEM)).expect("a move")
}

/// Checks that a search with these settings finds the value of minimax.
fn finds_the_value_of_minimax<P: Position>(start: &P, games: u64, depth: u32, settings: Settings) {
    for record in positions(start, games, 21) {
        let truth = minimax(record.position(), &Random, depth, record.plies_left());
        assert_eq!(search(&record, settings, depth).score, truth, "{}", record.position());
    }
}

#[test]
fn aspiration_windows_threads_and_small_tables_find_the_value_of_minimax() {
    let aspiration = Settings { techniques: Techniques::NONE.with(Technique::Aspiration), ..exact() };
    let threads = Settings { threads: NonZeroUsize::new(3).expect("three"), ..exact() };
    for settings in [aspiration, threads, Settings { table_mib: 0, ..aspiration }] {
        finds_the_value_of_minimax(&jump61::Position::start(3).expect("a size"), 4, 6, settings);
        finds_the_value_of_minimax(&checkers::Position::start(), 2, 6, settings);
        finds_the_value_of_minimax(&"14 a".parse::<Nim>().expect("a heap"), 6, 12, settings);
    }
    finds_the_value_of_minimax(&loa::Position::start(4).expect("a size"), 4, 5, aspiration);
}

#[test]
fn each_of_several_lines_has_the_value_of_its_move() {
    for record in positions(&loa::Position::start(4).expect("a size"), 8, 33) {
        let settings = Settings { lines: NonZeroUsize::new(3).expect("three"), ..exact() };
        let choice = search(&record, settings, 3);
        let left = record.plies_left().next();
        let value = |m| match record.position().child(m) {
            child if child.decided().is_some() => minimax_of_decided(&child),
            child => from_child(minimax(&child, &Random, 2, left)),
        };
        let mut values: Vec<Score> = record.position().movable().into_iter().map(value).collect();
        values.sort_by_key(|&score| core::cmp::Reverse(score));
        let others = choice.others.iter().map(|other| (other.score, other.pv[0]));
        let found: Vec<_> = core::iter::once((choice.score, choice.best)).chain(others).collect();
        assert_eq!(found.iter().map(|&(score, _)| score).collect::<Vec<_>>(), values[..found.len()], "{choice:?}");
        assert_eq!(found.len(), values.len().min(3));
        assert!(found.iter().all(|&(score, m)| value(m) == score), "{choice:?}");
    }
}

fn minimax_of_decided<P: Position>(child: &P) -> Score {
    Score::of_outcome(child.decided().expect("decided"), !child.side_to_move(), 1)
}

/// A policy that evaluates randomly and prunes as much as possible.
struct Reckless;

/// A tuning that prunes as much as possible.
const RECKLESS: Tuning =
    Tuning { futility: 5, hopeless: 5, late: 1, probcut: 5, probcut_depth: 2, probcut_reduction: 1, ..Tuning::DEFAULT };

impl Policy<loa::Position> for Reckless {
    type Accumulator = ();

    const SLOTS: usize = 64;

    fn evaluate(&self, p: &loa::Position) -> i32 {
        Random.evaluate(p)
    }

    fn slot(&self, p: &loa::Position, m: loa::Move) -> usize {
        Random.slot(p, m)
    }

    fn is_noisy(&self, p: &loa::Position, m: loa::Move) -> bool {
        p.at(m.to).is_some()
    }

    fn passed(&self, p: &loa::Position) -> Option<loa::Position> {
        Some(p.passed())
    }
}

/// Checks that an announced win or loss is true within the announced number of plies, even with heavy pruning. Returns
/// the number of announced results.
fn announces_the_truth(record: &Record<loa::Position>, techniques: Techniques) -> u32 {
    const DEPTH: u32 = 5;
    let settings = Settings { techniques, tuning: RECKLESS, ..exact() };
    let mut player = AlphaBeta::new(Reckless, settings);
    let choice = player.choose(record, &Limits::depth(DEPTH), &mut Control::unattended()).expect("a move");
    let announced = choice.score.win_distance().or(choice.score.loss_distance());
    let Some(plies) = announced.filter(|&plies| plies <= DEPTH) else { return 0 };
    let truth = minimax(record.position(), &Random, plies, record.plies_left());
    let is_true = match choice.score.win_distance() {
        Some(_) => truth.win_distance().is_some(),
        None => truth.loss_distance().is_some(),
    };
    assert!(is_true, "{techniques:?}: {choice:?}, {truth}\n{}", record.position());
    1
}

#[test]
fn announced_results_are_true_with_every_technique() {
    let single = Technique::ALL.map(|technique| Techniques::NONE.with(technique));
    let mut announced = 0;
    for techniques in single.into_iter().chain([Techniques::ALL]) {
        for record in positions(&loa::Position::start(4).expect("a size"), 6, 77) {
            announced += announces_the_truth(&record, techniques);
        }
        for record in sparse_boards(120).filter(|record| !record.position().is_stuck()) {
            announced += announces_the_truth(&record, techniques);
        }
    }
    assert!(announced > 500, "{announced} results were announced");
}

/// Returns `true` if the proof search, which is independent of the playing search, finds a forced win for `attacker`.
fn is_won(p: &loa::Position, attacker: Side) -> bool {
    let mut search = ProofSearch::new(&Random, Stop::new(), 16, 20_000_000);
    matches!(search.solve(p, attacker, PliesLeft::UNLIMITED), Verdict::Win { .. })
}

#[test]
fn announcements_of_whole_games_are_true() {
    let mut player = AlphaBeta::new(Reckless, Settings { techniques: Techniques::ALL, tuning: RECKLESS, ..exact() });
    let limits = Limits::nodes(3_000);
    let mut announced = 0;
    for start in positions(&loa::Position::start(5).expect("a size"), 4, 5) {
        let mut record = Record::new(*start.position());
        while record.finish().is_none() && record.moves_made() < 60 {
            let choice = player.choose(&record, &limits, &mut Control::unattended()).expect("a move");
            let p = *record.position();
            let us = p.side_to_move();
            let winner = match (choice.score.win_distance(), choice.score.loss_distance()) {
                (Some(_), _) => Some(us),
                (_, Some(_)) => Some(!us),
                _ => None,
            };
            record.play(choice.best);
            if let Some(winner) = winner {
                assert!(is_won(&p, winner), "{} by {}\n{p}", choice.score, choice.best);
                // The announced result is also true after the chosen move.
                let still = record
                    .finish()
                    .map_or_else(|| is_won(record.position(), winner), |f| f.outcome.winner() == Some(winner));
                assert!(still, "{} by {}\n{p}", choice.score, choice.best);
                announced += 1;
            }
        }
    }
    assert!(announced > 20, "{announced} results were announced");
}

/// A policy that knows the results of small heaps, like endgame tables.
struct KnowsSmallHeaps;

impl Policy<Nim> for KnowsSmallHeaps {
    type Accumulator = ();

    const SLOTS: usize = 64;

    fn evaluate(&self, _: &Nim) -> i32 {
        0
    }

    fn slot(&self, p: &Nim, m: <Nim as Position>::Move) -> usize {
        Random.slot(p, m)
    }

    fn known(&self, p: &Nim) -> Option<Known> {
        let text = p.to_string();
        let stones: u32 = text[..text.find(' ')?].parse().ok()?;
        (stones <= 8).then_some(match stones % 4 {
            0 => Known::Loss(stones / 2),
            rest => Known::Win(1 + (stones - rest) / 2),
        })
    }
}

/// Checks that results known to the policy are announced even beyond the search depth, with a line to the end of the
/// game. If the move limit comes earlier, the result is a draw.
#[test]
fn known_results_are_announced_with_a_line_to_the_end() {
    let game = Record::new("10 a".parse::<Nim>().expect("a heap"));
    let choose = |game: &Record<Nim>| {
        AlphaBeta::new(KnowsSmallHeaps, exact())
            .choose(game, &Limits::depth(2), &mut Control::unattended())
            .expect("a move")
    };
    let choice = choose(&game);
    assert_eq!(choice.score, Score::win_in(5));
    let end = choice.pv.iter().fold(game.position().clone(), |p, &m| p.child(m));
    assert_eq!((choice.pv.len(), end.decided()), (5, Some(Outcome::Win(Side::First))));

    let limited = Record::new("10 a".parse::<Nim>().expect("a heap")).with_move_limit(4);
    assert_eq!(choose(&limited).score, Score::DRAW);
}
