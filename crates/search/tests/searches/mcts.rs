//! Tests of Monte Carlo tree search: proven results against minimax, limits, batches, and the Gumbel rule.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::collections::HashSet;

use game::{Key, PliesLeft, Position, Record, examples::Nim};
use search::{
    Control, Engine, Evaluator, Gumbel, Host, Known, Leaf, Limits, Mcts, MctsPlayer, MctsSettings, Plan, Planning,
    Policy, PolicyEvaluator, Progress, ProofSearch, RootRule, Score, Settings, Stop, Stopped, Verdict, minimax,
};

use crate::common::{Random, positions, sparse_boards};
use crate::forced_wins::WIN_IN_FIVE;

/// An evaluator whose values and priors are fixed pseudorandom numbers, derived from the key. It records the sizes of
/// its batches.
#[derive(Default)]
struct Noise {
    batches: Vec<usize>,
}

/// Returns a pseudorandom number from 0 to 1.
fn chance(key: Key, salt: u64) -> f32 {
    (Key::mix(key.0 ^ salt).0 >> 40) as f32 / (1_u64 << 24) as f32
}

fn value_of<P: Position>(p: &P) -> f32 {
    1.6 * chance(p.key(), 1) - 0.8
}

impl<P: Position> Evaluator<P> for Noise {
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]) -> Result<(), Stopped> {
        self.batches.push(leaves.len());
        for leaf in leaves {
            leaf.value = value_of(leaf.position());
            let key = leaf.position().key();
            let priors: Vec<f32> = leaf.moves().iter().map(|&m| chance(key, u64::from(P::pack(m)) << 8)).collect();
            leaf.set_priors(priors);
        }
        Ok(())
    }
}

fn batched(batch: usize) -> MctsSettings {
    MctsSettings { batch: NonZeroUsize::new(batch).expect("a size"), ..MctsSettings::default() }
}

fn plan<P: Position>(record: &Record<P>, settings: MctsSettings, nodes: u64) -> Plan<P::Move> {
    let mut player = Mcts::new(Noise::default(), settings);
    player.plan(record, &Limits::nodes(nodes), &mut Control::unattended()).expect("a move")
}

fn loa6() -> Record<loa::Position> {
    Record::new(loa::Position::start(6).expect("a size"))
}

/// Checks that proven results are true within their number of plies. Returns the numbers of proven wins and losses.
fn proves_the_truth<P: Position>(record: &Record<P>, settings: MctsSettings, nodes: u64) -> [usize; 2] {
    let (p, left) = (record.position(), record.plies_left());
    let mut proven = [0, 0];
    for planned in plan(record, settings, nodes).moves {
        let Some(score) = planned.proven else { continue };
        let (child, left) = (p.child(planned.m), left.next());
        let truth = |plies: u32| match left.finish(&child) {
            Some(finish) => Score::of_outcome(finish.outcome, child.side_to_move(), 0),
            None => minimax(&child, &Random, plies, left),
        };
        match (score.win_distance(), score.loss_distance()) {
            (Some(plies @ 1..=6), _) => {
                assert!(truth(plies - 1).loss_distance().is_some(), "{planned:?}\n{p}");
                proven[0] += 1;
            }
            (_, Some(plies @ 1..=6)) => {
                assert!(truth(plies - 1).win_distance().is_some(), "{planned:?}\n{p}");
                proven[1] += 1;
            }
            _ => {}
        }
    }
    proven
}

#[test]
fn proven_results_are_true() {
    let gumbel = MctsSettings { root: RootRule::Gumbel(Gumbel::default()), ..batched(4) };
    let mut proven = [0, 0];
    let mut count = |[wins, losses]: [usize; 2]| proven = [proven[0] + wins, proven[1] + losses];
    for settings in [batched(1), batched(7), gumbel] {
        for record in positions(&loa::Position::start(4).expect("a size"), 8, 3) {
            count(proves_the_truth(&record, settings, 300));
        }
        for record in positions(&jump61::Position::start(3).expect("a size"), 8, 3) {
            count(proves_the_truth(&record, settings, 300));
        }
        for record in positions(&breakthrough::Position::start(4).expect("a size"), 8, 3) {
            count(proves_the_truth(&record, settings, 300));
        }
        for record in sparse_boards(150).filter(|record| !record.position().is_stuck()) {
            count(proves_the_truth(&record, settings, 200));
        }
    }
    assert!(proven[0] > 200 && proven[1] > 200, "{proven:?} are too few for a test");
}

/// Checks that the search finds every win and loss within this many plies.
fn finds_results<P: Position>(start: &P, games: u64, plies: u32, nodes: u64) {
    let mut found = [0, 0];
    for record in positions(start, games, 5) {
        let truth = minimax(record.position(), &Random, plies, record.plies_left());
        let plan = plan(&record, batched(1), nodes);
        let score = plan.moves[0].score();
        if truth.win_distance().is_some() {
            assert!(score.win_distance().is_some(), "{truth} {plan:?}\n{}", record.position());
            assert!(plan.value > 0.99 && plan.simulations < nodes, "the search ends at a proof: {plan:?}");
            found[0] += 1;
        } else if truth.loss_distance().is_some() {
            assert!(score.loss_distance().is_some(), "{truth} {plan:?}\n{}", record.position());
            found[1] += 1;
        }
    }
    assert!(found[0] > 5 && found[1] > 0, "{found:?} are too few for a test");
}

#[test]
fn short_wins_and_losses_are_found() {
    finds_results(&loa::Position::start(4).expect("a size"), 12, 3, 4_000);
    finds_results(&jump61::Position::start(3).expect("a size"), 12, 5, 20_000);
    finds_results(&breakthrough::Position::start(4).expect("a size"), 12, 5, 20_000);
    finds_results(&"13 a".parse::<Nim>().expect("a heap"), 12, 13, 4_000);
}

/// Checks that positions of 4×4 Breakthrough are solved with the result of the proof-number search.
#[test]
fn small_boards_are_solved() {
    let mut results = [0, 0];
    for record in positions(&breakthrough::Position::start(4).expect("a size"), 60, 8) {
        let p = record.position();
        if record.moves_made() < 4 || !record.plies_left().allows(14) {
            continue;
        }
        let mut proof = ProofSearch::new(&Random, Stop::new(), 4, 20_000_000);
        let wins = matches!(proof.solve(p, p.side_to_move(), record.plies_left()), Verdict::Win { .. });
        let score = plan(&record, batched(1), 60_000).moves[0].score();
        assert_eq!((score.win_distance().is_some(), score.loss_distance().is_some()), (wins, !wins), "{score}\n{p}");
        results[usize::from(wins)] += 1;
    }
    assert!(results[0] > 1 && results[1] > 1, "{results:?} are too few for a test");
    let win: loa::Position = WIN_IN_FIVE.parse().expect("a position");
    assert!(plan(&Record::new(win), batched(8), 100_000).moves[0].score().win_distance() >= Some(5));
    let loa = Record::new(loa::Position::start(4).expect("a size"));
    assert!(plan(&loa, batched(1), 20_000).moves[0].score().win_distance() >= Some(3));
}

#[test]
fn budgets_are_kept_with_every_batch_and_rule() {
    for record in positions(&loa::Position::start(5).expect("a size"), 3, 11) {
        for (batch, nodes) in [(1, 1), (1, 2), (1, 100), (32, 1), (32, 33), (32, 100)] {
            for root in [RootRule::Puct, RootRule::Gumbel(Gumbel::default())] {
                let mut player = Mcts::new(Noise::default(), MctsSettings { root, ..batched(batch) });
                let plan = player.plan(&record, &Limits::nodes(nodes), &mut Control::unattended()).expect("a move");
                assert!(plan.moves.iter().all(|planned| record.position().is_legal(planned.m)));
                assert_eq!(plan.moves.len() as u64, record.position().count_moves());
                let batches = &player.evaluator().batches;
                assert!(batches.iter().all(|&size| size <= batch), "{batches:?}");
                let evaluated = batches.iter().sum::<usize>() as u64;
                assert!(evaluated <= plan.simulations && plan.simulations <= nodes, "{evaluated} {plan:?}");
                let is_over = plan.moves[0].proven.is_some() || plan.moves.len() == 1;
                assert!(plan.simulations == nodes || is_over, "{plan:?}");
            }
        }
    }
}

#[test]
fn virtual_losses_fill_batches() {
    let batches = |virtual_loss| {
        let mut player = Mcts::new(Noise::default(), MctsSettings { virtual_loss, exploration: 0.3, ..batched(32) });
        player.plan(&loa6(), &Limits::nodes(2_000), &mut Control::unattended()).expect("a move");
        player.evaluator().batches.len()
    };
    let (with, without) = (batches(1.0), batches(0.0));
    assert!(with < 150, "{with} batches of up to 32 for 2,000 positions");
    assert!(with * 2 < without, "{with} {without}");
}

#[test]
fn choices_depend_only_on_the_seed() {
    let gumbel = MctsSettings { root: RootRule::Gumbel(Gumbel::default()), ..batched(4) };
    let choose = |seed: u64| {
        let mut player = Mcts::new(Noise::default(), gumbel);
        player.new_game(seed);
        let first = player.plan(&loa6(), &Limits::nodes(20), &mut Control::unattended()).expect("a move");
        let again = player.plan(&loa6(), &Limits::nodes(20), &mut Control::unattended()).expect("a move");
        assert_eq!(first, again, "earlier calls have no effect");
        first
    };
    assert_eq!(choose(4), choose(4));
    let different: HashSet<String> = (0..10).map(|seed| choose(seed).moves[0].m.to_string()).collect();
    assert!(different.len() > 2, "{different:?}");
    let noisy = |seed: u64| {
        let mut player = MctsPlayer::new(Random, Settings { noise: 60, ..Settings::default() });
        player.new_game(seed);
        player.choose(&loa6(), &Limits::nodes(100), &mut Control::unattended()).expect("a move")
    };
    assert_eq!(noisy(4), noisy(4));
    assert_ne!(noisy(4).score, noisy(5).score);
}

#[test]
fn searches_that_share_evaluations_choose_as_single_ones() {
    let records = positions(&loa::Position::start(5).expect("a size"), 2, 3);
    for root in [RootRule::Puct, RootRule::Gumbel(Gumbel::default())] {
        let settings = MctsSettings { root, ..batched(4) };
        let limits = Limits::nodes(90);
        let begin = |record| Planning::new(record, &settings, 7, &limits, Stop::new()).expect("a move");
        let mut plannings: Vec<_> = records.iter().map(begin).collect();
        let mut shared = Vec::new();
        while plannings.iter_mut().filter_map(|planning| planning.advance().then_some(())).count() > 0 {
            let mut evaluator = Noise::default();
            for planning in &mut plannings {
                for (index, leaf) in planning.leaves().to_vec().iter().enumerate() {
                    let line = planning.line_to(index);
                    assert!(line.last().is_none_or(|p| p.movable().iter().any(|&m| p.child(m) == *leaf.position())));
                }
                evaluator.evaluate(planning.leaves()).expect("no limit");
                planning.resume();
            }
            shared.push(evaluator.batches.iter().sum::<usize>());
        }
        assert!(shared[0] == records.len() && shared.iter().any(|&size| size > 4), "{shared:?}");
        for (record, planning) in records.iter().zip(&plannings) {
            let mut single = Mcts::new(Noise::default(), settings);
            single.new_game(7);
            let plan = single.plan(record, &limits, &mut Control::unattended()).expect("a move");
            assert_eq!(planning.plan(), plan);
        }
    }
}

/// Checks the improvement of the policy where values are exact: with a tree of depth 1, the moves are the arms of a
/// bandit. The mean value of the chosen moves must be at least the mean value of the priors.
#[test]
fn the_gumbel_rule_improves_the_policy() {
    const SEEDS: u64 = 400;
    for (nodes, batch) in [(3, 1), (5, 1), (9, 4), (17, 1)] {
        let (mut gains, mut count) = (0.0, 0.0);
        for record in positions(&loa::Position::start(6).expect("a size"), 1, 2).into_iter().take(6) {
            let root = RootRule::Gumbel(Gumbel::default());
            let mut player = Mcts::new(Noise::default(), MctsSettings { root, ..batched(batch) });
            let limits = Limits { depth: Some(1), ..Limits::nodes(nodes) };
            let (mut chosen, mut prior) = (0.0, 0.0);
            for seed in 0..SEEDS {
                player.new_game(seed);
                let plan = player.plan(&record, &limits, &mut Control::unattended()).expect("a move");
                let value = |m| f64::from(-value_of(&record.position().child(m)));
                chosen += value(plan.moves[0].m) / SEEDS as f64;
                prior = plan.moves.iter().map(|planned| f64::from(planned.prior) * value(planned.m)).sum();
            }
            assert!(chosen > prior - 0.03, "{chosen} {prior}");
            gains += chosen - prior;
            count += 1.0;
        }
        assert!(gains / count > 0.1, "{nodes} nodes: {gains} in {count} positions");
    }
}

/// Checks the numbers of simulations in the phases, and that the rule applies up to its limit.
#[test]
fn sequential_halving_divides_the_simulations() {
    let gumbel = Gumbel { noise: 0.0, ..Gumbel::default() };
    let settings = MctsSettings { root: RootRule::Gumbel(gumbel), ..batched(1) };
    let mut visits: Vec<u32> = plan(&loa6(), settings, 65).moves.iter().map(|planned| planned.visits).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    // Four phases of 16 simulations: 16 moves once, 8 moves twice, 4 moves four times, 2 moves eight times.
    let expected = [15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 0];
    assert_eq!(visits[..17], expected, "{visits:?}");
    let few = MctsSettings { root: RootRule::Few(65, gumbel), ..batched(1) };
    assert_eq!(plan(&loa6(), few, 65), plan(&loa6(), settings, 65));
    assert_eq!(plan(&loa6(), few, 66), plan(&loa6(), batched(1), 66));
}

#[test]
fn the_improved_policy_prefers_better_moves() {
    let plan = plan(&loa6(), batched(1), 400);
    let sum: f32 = plan.moves.iter().map(|planned| planned.policy).sum();
    assert!((sum - 1.0).abs() < 1e-4);
    let gain: f32 = plan.moves.iter().map(|planned| (planned.policy - planned.prior) * planned.value).sum();
    assert!(gain > 0.01, "{gain}");
    assert_eq!(plan.moves.iter().map(|planned| u64::from(planned.visits)).sum::<u64>(), plan.simulations - 1);
    assert!(plan.moves.is_sorted_by(|a, b| a.visits >= b.visits));
}

#[test]
fn time_stops_and_depths_limit_the_search() {
    static READINGS: AtomicU64 = AtomicU64::new(0);
    let host = Host { clock: Some(|| Duration::from_millis(READINGS.fetch_add(1, Ordering::Relaxed))), ..Host::NONE };
    let mut player = Mcts::new(Noise::default(), batched(1));
    let mut choose =
        |limits: &Limits, control: &mut Control<'_, _>| player.choose(&loa6(), limits, control).expect("a move");
    let timed = choose(&Limits::movetime(Duration::from_millis(50)), &mut Control::on(host));
    assert!((45..=50).contains(&timed.nodes), "the clock is read once a simulation: {}", timed.nodes);
    let optimum = Limits { optimum: Some(Duration::from_millis(30)), ..Limits::movetime(Duration::from_millis(99)) };
    assert!((25..=30).contains(&choose(&optimum, &mut Control::on(host)).nodes));
    let stopped = Control::unattended();
    stopped.stop.stop();
    assert_eq!(choose(&Limits::nodes(1_000), &mut { stopped }).nodes, 1);
    let few = Mcts::new(Noise::default(), MctsSettings { root: RootRule::Gumbel(Gumbel::default()), ..batched(8) })
        .plan(&loa6(), &Limits::movetime(Duration::from_secs(2)), &mut Control::on(host))
        .expect("a move");
    let most = few.moves.iter().map(|planned| planned.visits).max();
    assert!(most > Some(600), "800 simulations are planned, and the last two moves share the rest: {most:?}");
    let both = Limits { nodes: Some(10), ..Limits::movetime(Duration::from_hours(1)) };
    assert_eq!(choose(&both, &mut Control::on(host)).nodes, 10);
    let without_clock = choose(&Limits::movetime(Duration::from_hours(1)), &mut Control::unattended());
    assert_eq!(without_clock, choose(&Limits::default(), &mut Control::unattended()), "the default budget applies");
    for depth in 1..=3 {
        let choice = choose(&Limits { depth: Some(depth), ..Limits::nodes(2_000) }, &mut Control::unattended());
        assert_eq!((choice.pv.len(), choice.nodes), (depth as usize, 2_000));
    }
}

#[test]
fn a_full_tree_ends_the_search() {
    let settings = MctsSettings { tree_mib: 1, ..batched(1) };
    let plan = plan(&loa6(), settings, 1_000_000);
    assert!((1_000..50_000).contains(&plan.simulations), "{}", plan.simulations);
}

#[test]
fn progress_is_reported() {
    let mut reports: Vec<Progress<loa::Move>> = Vec::new();
    let mut progress = |progress: &Progress<loa::Move>| reports.push(progress.clone());
    let mut control = Control { progress: Some(&mut progress), ..Control::unattended() };
    let mut player =
        Mcts::new(Noise::default(), MctsSettings { lines: NonZeroUsize::new(3).expect("3"), ..batched(1) });
    let choice = player.choose(&loa6(), &Limits::nodes(500), &mut control).expect("a move");
    assert_eq!(reports.iter().map(|report| report.nodes).collect::<Vec<_>>(), [64, 128, 256, 500]);
    assert_eq!((reports[3].score, &reports[3].pv), (choice.score, &choice.pv));
    let firsts: HashSet<String> = choice.others.iter().map(|other| other.pv[0].to_string()).collect();
    assert!(firsts.len() == 2 && !firsts.contains(&choice.best.to_string()), "{choice:?}");
}

#[test]
fn a_single_move_needs_few_simulations() {
    let single: breakthrough::Position = "----/---w/b---/---- w".parse().expect("a position");
    let moves = positions(&loa::Position::start(4).expect("a size"), 40, 9);
    let single_moves = moves.iter().filter(|record| record.position().count_moves() == 1);
    for record in single_moves {
        assert!(plan(record, batched(1), 5_000).simulations <= 32);
    }
    let record = Record::new(single);
    let planned = plan(&record, batched(1), 5_000);
    assert_eq!(planned.moves.len() as u64, record.position().count_moves());
}

/// An evaluator that fails after some batches.
struct Failing(u32);

impl<P: Position> Evaluator<P> for Failing {
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]) -> Result<(), Stopped> {
        for leaf in leaves {
            (leaf.value, leaf.known) = (f32::NAN, None);
            leaf.set_priors([f32::NAN, f32::INFINITY]);
        }
        self.0 = self.0.checked_sub(1).ok_or(Stopped)?;
        Ok(())
    }
}

#[test]
fn an_evaluator_that_fails_ends_the_search() {
    for (successes, nodes) in [(0, 1), (1, 1), (2, 9), (4, 25)] {
        let boxed: Box<dyn Evaluator<loa::Position>> = Box::new(Failing(successes));
        let choice = Mcts::new(boxed, batched(8)).choose(&loa6(), &Limits::nodes(100), &mut Control::unattended());
        let choice = choice.expect("a move");
        assert!(loa6().position().is_legal(choice.best) && choice.score == Score::DRAW, "{choice:?}");
        assert_eq!(choice.nodes, nodes, "{successes} batches");
    }
}

/// An evaluator with perfect knowledge of Nim.
struct Perfect;

impl Evaluator<Nim> for Perfect {
    fn evaluate(&mut self, leaves: &mut [Leaf<Nim>]) -> Result<(), Stopped> {
        for leaf in leaves {
            let truth = minimax(leaf.position(), &Random, 20, PliesLeft::UNLIMITED);
            leaf.known = truth.win_distance().map(Known::Win).or(truth.loss_distance().map(Known::Loss));
        }
        Ok(())
    }
}

#[test]
fn known_results_are_used_within_the_move_limit() {
    for heap in 1..=15 {
        let record = Record::new(format!("{heap} a").parse::<Nim>().expect("a heap"));
        let choice = Mcts::new(Perfect, batched(1)).choose(&record, &Limits::nodes(50), &mut Control::unattended());
        let choice = choice.expect("a move");
        let truth = minimax(record.position(), &Random, 20, PliesLeft::UNLIMITED);
        assert_eq!(choice.score, truth, "the shortest win and the longest loss, heap {heap}");
        assert!(choice.nodes <= 4, "{choice:?}");
        let short = record.with_move_limit(2);
        let limited = Mcts::new(Perfect, batched(1)).choose(&short, &Limits::nodes(500), &mut Control::unattended());
        assert_eq!(limited.expect("a move").score, minimax(short.position(), &Random, 2, PliesLeft::new(2)));
    }
}

#[test]
fn moves_that_repeat_a_position_are_draws() {
    let start: checkers::Position =
        "......../....W.../......../......../......../..B...../.....b../B....... b".parse().expect("a board");
    let mut game = Record::new(start);
    let mut player = MctsPlayer::new(Random, Settings { win_horizon: 0, loss_horizon: 0, ..Settings::default() });
    let mut repeated = 0;
    for _ in 0..24 {
        let mut mcts = Mcts::new(PolicyEvaluator::new(Random, 0), batched(1));
        let plan = mcts.plan(&game, &Limits::nodes(60), &mut Control::unattended()).expect("a move");
        for planned in &plan.moves {
            let child = game.position().child(planned.m);
            if game.steps().iter().any(|step| step.position == child) {
                assert_eq!(planned.proven, Some(Score::DRAW), "{planned:?}");
                repeated += 1;
            }
        }
        let choice = player.choose(&game, &Limits::nodes(60), &mut Control::unattended()).expect("a move");
        game.play(choice.best);
        if game.finish().is_some() {
            break;
        }
    }
    assert!(repeated > 0, "no move repeats a position");
}

#[test]
fn the_player_keeps_its_horizon() {
    let settings = Settings { win_horizon: 5, loss_horizon: 4, noise: 0, ..Settings::default() };
    let (mut wins, mut losses) = (0, 0);
    for record in positions(&loa::Position::start(4).expect("a size"), 25, 77) {
        let choice = MctsPlayer::new(Random, settings).choose(&record, &Limits::nodes(20), &mut Control::unattended());
        let choice = choice.expect("a move");
        let truth = minimax(record.position(), &Random, 5, record.plies_left());
        if let Some(plies) = truth.win_distance() {
            assert_eq!(choice.score, Score::win_in(plies), "{}", record.position());
            wins += 1;
        } else if let Some(plies @ ..=3) = truth.loss_distance() {
            assert_eq!(choice.score, Score::loss_in(plies), "{}", record.position());
            losses += 1;
        }
    }
    assert!(wins > 10 && losses > 0, "{wins} {losses}");
}

#[test]
fn a_policy_evaluates_positions_and_moves() {
    let mut won = 0;
    for record in positions(&loa::Position::start(4).expect("a size"), 20, 4) {
        let (p, left) = (record.position(), record.plies_left());
        let mut leaves = [Leaf::new(*p, left)];
        PolicyEvaluator::new(Random, 0).evaluate(&mut leaves).expect("the evaluator never fails");
        let [leaf] = leaves;
        let truth = minimax(p, &Random, 1, left);
        if truth == Score::win_in(1) {
            assert_eq!(leaf.known, Some(Known::Win(1)));
            won += 1;
        } else if let Some(units) = truth.as_units() {
            let value = |&m: &loa::Move| minimax(&p.child(m), &Random, 0, left.next());
            let best = leaf.moves().iter().zip(leaf.priors()).max_by(|a, b| a.1.total_cmp(b.1)).expect("a move").0;
            assert_eq!(-value(best), truth, "the best move has the largest prior");
            let mean = f64::from(units + Random.evaluate(p)) / 2.0;
            let expected = 2.0 / (1.0 + 10_f64.powf(-mean / 400.0)) - 1.0;
            assert!((f64::from(leaf.value) - expected).abs() < 0.005, "{} {expected}", leaf.value);
        }
    }
    assert!(won > 3, "{won} wins are too few for a test");
}
