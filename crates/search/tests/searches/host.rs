//! Tests of searches with a clock and threads, and without them.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;

use game::{Position, Record};
use search::{
    AlphaBeta, Choice, Control, Engine, Host, Limits, Progress, Sequential, Settings, Stop, Stopped, Threads, Tuning,
    side_by_side,
};

use crate::common::{Random, exact};

fn start() -> Record<loa::Position> {
    Record::new(loa::Position::start(6).expect("a size"))
}

fn three_threads() -> Settings {
    Settings { threads: NonZeroUsize::new(3).expect("three"), ..exact() }
}

fn choose(settings: Settings, limits: &Limits, host: Host) -> Choice<loa::Move> {
    AlphaBeta::new(Random, settings).choose(&start(), limits, &mut Control::on(host)).expect("a move")
}

#[test]
fn threads_and_time_give_legal_moves() {
    for time in [Duration::from_millis(30), Duration::ZERO, Duration::MAX] {
        let limits = Limits { depth: Some(3), ..Limits::movetime(time) };
        let choice = choose(three_threads(), &limits, search::SYSTEM);
        assert!(start().position().legal_moves().contains(&choice.best), "{time:?}");
    }
}

#[test]
fn time_limits_the_search() {
    let choice = choose(exact(), &Limits::movetime(Duration::from_millis(30)), search::SYSTEM);
    assert!(choice.depth < 100);
}

/// Counts the nodes of two searches of the same position, and of a third one in a new game.
fn nodes_again(limits: &Limits) -> [u64; 3] {
    let mut player = AlphaBeta::new(Random, exact());
    [false, false, true].map(|is_new| {
        if is_new {
            player.new_game(0);
        }
        player.choose(&start(), limits, &mut Control::on(search::SYSTEM)).expect("a move").nodes
    })
}

#[test]
fn only_a_search_with_a_time_limit_uses_the_table_of_the_previous_search() {
    let depth = Limits::depth(3);
    let [first, second, new] = nodes_again(&depth);
    assert_eq!([second, new], [first, first]);
    let timed = nodes_again(&Limits { movetime: Some(Duration::MAX), ..depth });
    assert_eq!([timed[0], timed[2]], [first, first]);
    assert!(timed[1] < first / 2, "{timed:?}");
}

/// Returns a host whose clock advances by a millisecond each time it is read. Tests run in parallel, so each use of the
/// macro has its own clock.
macro_rules! millisecond_clock {
    () => {{
        static READINGS: AtomicU64 = AtomicU64::new(0);
        Host { clock: Some(|| Duration::from_millis(READINGS.fetch_add(1, Ordering::Relaxed))), ..Host::NONE }
    }};
}

#[test]
fn time_limits_use_the_clock_of_the_host() {
    let host = millisecond_clock!();
    let nodes = |ms| choose(exact(), &Limits::movetime(Duration::from_millis(ms)), host).nodes;
    let (short, long) = (nodes(20), nodes(40));
    // The clock is read every 256 nodes, and a few times when the searches begin.
    assert!((256 * 10..=256 * 20).contains(&short) && (256 * 30..=256 * 40).contains(&long), "{short}, {long}");
}

/// Returns how long a search with an optimum of 100 ms takes, in readings of the clock.
fn clock_readings(pace: i32, movetime: Option<u64>) -> u64 {
    let settings = Settings { tuning: Tuning { pace, ..exact().tuning }, ..exact() };
    let movetime = movetime.map(Duration::from_millis);
    let limits = Limits { optimum: Some(Duration::from_millis(100)), movetime, ..Limits::default() };
    choose(settings, &limits, millisecond_clock!()).nodes / 256
}

#[test]
fn an_optimum_is_reached_on_average_and_the_maximum_time_is_never_exceeded() {
    // A search reads the clock a few times before it visits nodes.
    let even = clock_readings(0, Some(400));
    assert!((85..=100).contains(&even), "{even}");
    let paced = clock_readings(100, Some(400));
    assert!((40..=230).contains(&paced) && paced != even, "{paced}");
    assert!((85..=100).contains(&clock_readings(0, None)), "an optimum limits the time without a maximum");
    let short = clock_readings(100, Some(50));
    assert!((35..=50).contains(&short), "{short}");
}

#[test]
fn pondering_ignores_the_time_limit_until_the_expected_move_is_played() {
    let (host, stop) = (millisecond_clock!(), Stop::pondering());
    let mut hit_at = None;
    let mut progress = |progress: &Progress<loa::Move>| {
        if progress.nodes > 256 * 100 && hit_at.is_none() {
            stop.ponderhit();
            hit_at = Some(progress.nodes);
        }
    };
    let mut control = Control { stop: stop.clone(), progress: Some(&mut progress), host };
    let limits = Limits::movetime(Duration::from_millis(20));
    let choice = AlphaBeta::new(Random, exact()).choose(&start(), &limits, &mut control).expect("a move");
    let hit_at = hit_at.expect("the search continues beyond its time limit");
    assert!(choice.nodes <= hit_at + 2 * 256, "{} nodes, {hit_at} of them before the expected move", choice.nodes);
}

#[test]
fn pondering_can_be_stopped() {
    let stop = Stop::pondering();
    stop.stop();
    let mut control = Control { stop, ..Control::on(search::SYSTEM) };
    let limits = Limits::movetime(Duration::from_hours(1));
    let choice = AlphaBeta::new(Random, exact()).choose(&start(), &limits, &mut control).expect("a move");
    assert!(choice.depth <= 2, "{}", choice.depth);
}

#[test]
fn without_a_clock_the_default_budget_replaces_a_time_limit() {
    let settings = Settings { default_nodes: 2_000, ..exact() };
    let timed = choose(settings, &Limits::movetime(Duration::from_hours(1)), Host::NONE);
    assert_eq!(timed, choose(settings, &Limits::default(), Host::NONE));
    let both = Limits { depth: Some(2), ..Limits::movetime(Duration::from_hours(1)) };
    assert_eq!(choose(settings, &both, Host::NONE), choose(settings, &Limits::depth(2), Host::NONE));
}

#[test]
fn without_threads_helpers_change_nothing() {
    let limits = Limits::nodes(3_000);
    assert_eq!(choose(three_threads(), &limits, Host::NONE), choose(exact(), &limits, Host::NONE));
}

#[test]
fn results_of_jobs_are_returned_in_order() {
    for threads in [&Sequential as &dyn Threads, &search::SystemThreads] {
        assert_eq!(side_by_side(threads, 5, |i| i * i), [0, 1, 4, 9, 16]);
        assert_eq!(side_by_side(threads, 0, |i| i), []);
    }
}

#[test]
fn the_earlier_deadline_holds() {
    let long = Stop::new().after(search::now, Duration::from_hours(1));
    assert_eq!(long.check(0), Ok(()));
    assert_eq!(long.after(search::now, Duration::ZERO).check(0), Err(Stopped));
    assert_eq!(Stop::new().after(search::now, Duration::ZERO).after(search::now, Duration::MAX).check(0), Err(Stopped));
    assert_eq!(long.check(0), Ok(()), "the deadline of a copy does not apply to the original");
    long.after(search::now, Duration::MAX).stop();
    assert_eq!(long.check(0), Err(Stopped), "copies are stopped together");
}
