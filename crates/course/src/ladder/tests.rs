use rating::GameScore::{Draw, Loss, Win};

use super::simulation::Simulation;
use super::*;

/// Returns the smallest and the largest share of all teams.
fn shares(simulation: &Simulation) -> (u64, u64) {
    let shares = simulation.ladder.teams.iter().map(|team| team.share);
    (shares.clone().min().expect("teams"), shares.max().expect("teams"))
}

#[test]
fn series_are_counted_for_both_sides() {
    let counts = Counts::of_series(&[(Win, true), (Draw, true)]);
    assert_eq!((counts.games, counts.pairs, counts.singles), ([1, 1, 0], [0, 0, 0, 1, 0], [0; 3]));
    assert_eq!(counts.reversed(), Counts::of_series(&[(Loss, true), (Draw, true)]));
    let forfeit = Counts::of_series(&[(Loss, false), (Win, true)]);
    assert_eq!((forfeit.games, forfeit.pairs, forfeit.singles), ([1, 0, 1], [0; 5], [0, 0, 1]));
    assert_eq!((forfeit.points(), forfeit.played()), (1.0, 2));
    assert_eq!(Counts::of_series(&[]), Counts::default());
}

#[test]
fn series_are_refused_that_cannot_begin() {
    let mut ladder = Ladder::new(PLACEMENT);
    assert_eq!(ladder.next(), None);
    ladder.enter(1, "ann");
    assert_eq!(ladder.next(), None, "a team does not play against itself");
    ladder.enter(2, "bob");
    ladder.enter(3, "eve");
    assert_eq!(ladder.begin(7, [1, 4]), Err(BeginError::Absent(4)));
    assert_eq!(ladder.begin(7, [1, 1]), Err(BeginError::SameTeam([1, 1])));
    assert_eq!(ladder.begin(7, [1, 2]), Ok(()));
    assert_eq!(ladder.begin(8, [2, 1]), Err(BeginError::InPlay([2, 1])));
    assert_eq!(ladder.begin(7, [2, 3]), Err(BeginError::Number(7)));
    // A newer version replaces the older one, whose series continues and counts.
    ladder.enter(4, "ann");
    assert_eq!(ladder.begin(8, [1, 3]), Err(BeginError::Absent(1)));
    assert_eq!(ladder.in_play().collect::<Vec<_>>(), [(7, [1, 2])]);
    assert_eq!(ladder.finish(7, &Counts::of_series(&[(Win, true), (Win, true)])), Some([1, 2]));
    assert_eq!(ladder.finish(7, &Counts::default()), None);
    assert_eq!(ladder.between([2, 1]).games, [0, 0, 2]);
    let table = ladder.table();
    assert_eq!(table.iter().map(|row| (row.player, row.rank)).collect::<Vec<_>>(), [(2, 1), (3, 2), (4, 2)]);
    assert_eq!((table[0].games, table[0].points, table[0].team.as_str()), ([0, 0, 2], 0.0, "bob"));
    // The older version returns with its results.
    ladder.enter(1, "ann");
    assert_eq!((ladder.table()[0].player, ladder.table()[0].points), (1, 2.0));
    assert!(ladder.leave(1) && !ladder.leave(1) && !ladder.leave(99));
    assert_eq!(ladder.table().len(), 2);
}

/// A cancelled series leaves no trace.
#[test]
fn cancelled_series_change_nothing() {
    let mut simulation = Simulation::with_teams(3, 4, 9);
    (0..100).for_each(|_| simulation.step());
    simulation.cancel_all();
    let (next, before) = (simulation.ladder.next(), simulation.ladder.table());
    let players = next.expect("a pair");
    simulation.ladder.begin(1 << 30, players).expect("it may begin");
    assert_ne!(simulation.ladder.next(), next);
    assert_eq!(simulation.ladder.cancel(1 << 30), Some(players));
    assert_eq!(simulation.ladder.cancel(1 << 30), None);
    assert_eq!((simulation.ladder.next(), simulation.ladder.table()), (next, before));
}

#[test]
fn the_machine_never_idles_and_nothing_is_handed_out_twice() {
    for (teams, slots, pairs) in [(2, 4, 1), (3, 8, 3), (5, 4, 4), (5, 64, 10), (30, 8, 8), (300, 64, 64)] {
        let mut simulation = Simulation::with_teams(7, slots, teams);
        for _ in 0..400 {
            // `step` fails if the next pair is already in play or belongs to one team.
            simulation.step();
            let playing = simulation.ladder.in_play().count();
            assert_eq!(playing, pairs - 1, "{teams} teams: all slots or pairs were used before a series ended");
        }
    }
}

/// The same calls lead to the same pairings, also if the table is read in between.
#[test]
fn pairings_are_deterministic() {
    let played = |with_table: bool| {
        let mut simulation = Simulation::with_teams(5, 4, 12);
        for step in 0..600 {
            if step % 50 == 0 {
                let (player, strength) = (1000 + step, simulation.strength());
                simulation.submit(player, step % 12, strength);
            }
            simulation.step();
            if with_table {
                simulation.ladder.table();
            }
        }
        (simulation.log.clone(), simulation.ladder.table())
    };
    let ((log, table), (same_log, same_table)) = (played(false), played(true));
    assert_eq!(log, same_log);
    assert_same(&table, &same_table);
}

/// Compares tables whose ratings were found from different starts.
fn assert_same(one: &[LadderRow], other: &[LadderRow]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!((one.rank, one.player, one.games, &one.team), (other.rank, other.player, other.games, &other.team));
        let (one, other) = (one.elo.expect("it has played"), other.elo.expect("it has played"));
        assert!((one.value - other.value).abs() < 1e-4 && (one.error - other.error).abs() < 1e-4, "{one} {other}");
    }
}

/// The table depends on the results and the versions that play, and not on the order of results and submissions.
#[test]
fn the_table_does_not_depend_on_the_order() {
    let mut simulation = Simulation::with_teams(11, 4, 12);
    for step in 0..600 {
        if step % 40 == 0 {
            let (player, strength) = (1000 + step, simulation.strength());
            simulation.submit(player, step % 12, strength);
        }
        simulation.step();
    }
    simulation.cancel_all();
    let ladder = &mut simulation.ladder;
    let ids: Vec<PlayerId> = ladder.versions.iter().map(|version| version.id).collect();
    let mut results = Vec::new();
    for meeting in &ladder.meetings {
        let [one, other] = meeting.players.map(|version| ids[version]);
        // The point of view of either player gives the same table.
        let is_even = (one + other) % 2 == 0;
        let counts = meeting.counts;
        results.push(if is_even { ([one, other], counts) } else { ([other, one], counts.reversed()) });
    }
    results.reverse();
    let mut restored = Ladder::restore(PLACEMENT, results);
    let table = ladder.table();
    for row in table.iter().rev() {
        restored.enter(row.player, &row.team);
    }
    assert_same(&table, &restored.table());
    assert!(restored.next().is_some());
}

/// The bound in the documentation of [`Ladder::next`].
#[test]
fn teams_get_equal_shares() {
    for (teams, slots) in [(3, 2), (5, 2), (30, 8), (300, 16)] {
        let mut simulation = Simulation::with_teams(13, slots, teams);
        let steps = 4 * teams.max(100);
        for step in 0..steps {
            // Every tenth series, a random team submits a new version.
            if step % 10 == 0 {
                let team = simulation.rng.below(teams as usize) as i64;
                let strength = simulation.strength();
                simulation.submit(1000 + step, team, strength);
            }
            simulation.step();
            let (smallest, largest) = shares(&simulation);
            assert!(largest - smallest <= u64::from(PLACEMENT) + 4, "{teams} teams: {smallest} to {largest}");
        }
    }
}

/// One team submits all the time. In the long run, it plays no more than the others.
#[test]
fn frequent_submissions_give_no_advantage() {
    let mut simulation = Simulation::with_teams(17, 4, 20);
    for step in 0..6000 {
        if step % 2 == 0 {
            let strength = simulation.strength();
            simulation.submit(1000 + step, 0, strength);
        }
        simulation.step();
    }
    let shares: Vec<u64> = simulation.ladder.teams.iter().map(|team| team.share).collect();
    let others = shares[1..].iter().sum::<u64>() as f64 / 19.0;
    assert!((shares[0] as f64 - others).abs() <= f64::from(PLACEMENT), "{shares:?}");
    assert!(others > 500.0, "{shares:?}");
}

/// A team that comes late does not catch up with games that it missed.
#[test]
fn late_teams_do_not_take_the_machine() {
    let mut simulation = Simulation::with_teams(19, 4, 10);
    (0..1000).for_each(|_| simulation.step());
    let strength = simulation.strength();
    simulation.submit(100, 10, strength);
    let before = simulation.begun;
    (0..400).for_each(|_| simulation.step());
    let own = f64::from(simulation.series[&100]);
    let fair = 2.0 * f64::from(simulation.begun - before) / 11.0;
    assert!(own >= fair - 4.0 && own <= fair + f64::from(PLACEMENT) + 4.0, "{own} {fair}");
}

/// Measures the places between the rank of new versions and their true rank, after each of these numbers of series.
/// Returns the median and the 90th percentile.
fn places_off(teams: i64, versions: i64, series: [u32; 2]) -> [(usize, usize); 2] {
    let mut simulation = Simulation::with_teams(23, 4, teams);
    (0..10 * teams).for_each(|_| simulation.step());
    let mut off = [Vec::new(), Vec::new()];
    for player in 1000..1000 + versions {
        let (team, strength) = (simulation.rng.below(teams as usize) as i64, simulation.strength());
        simulation.submit(player, team, strength);
        for (series, off) in series.into_iter().zip(&mut off) {
            while simulation.ladder.in_play().any(|(_, players)| players.contains(&player))
                || simulation.series.get(&player).is_none_or(|&played| played < series)
            {
                simulation.step();
            }
            off.push(simulation.places_off(player));
        }
    }
    off.map(|mut off| {
        off.sort_unstable();
        (off[off.len() / 2], off[off.len() * 9 / 10])
    })
}

/// The figures in the documentation of [`PLACEMENT`].
#[test]
fn new_versions_reach_their_ranks() {
    for (teams, versions, documented) in [(30, 60, [(2, 6), (1, 5)]), (300, 12, [(22, 62), (17, 47)])] {
        let found = places_off(teams, versions, [8, 16]);
        for (found, documented) in found.into_iter().zip(documented) {
            // The documented figures are from more versions.
            let is_near = |found: usize, documented: usize| found <= documented + documented.div_ceil(2);
            assert!(is_near(found.0, documented.0) && is_near(found.1, documented.1), "{teams}: {found:?}");
        }
    }
}

#[test]
fn large_ladders_are_fast() {
    use std::time::{Duration, Instant};
    let mut rng = game::SplitMix64::new(29);
    let mut random = |bound: usize| rng.below(bound);
    // 50,000 series of 300 versions that play and of 600 replaced ones.
    let mut results: BTreeMap<[PlayerId; 2], Counts> = BTreeMap::new();
    for _ in 0..50_000 {
        let (one, other) = (random(900) as i64, random(300) as i64);
        let score = |random: usize| [Loss, Draw, Win][random];
        if one != other {
            let counts = Counts::of_series(&[(score(random(3)), true), (score(random(3)), true)]);
            results.entry([one.max(other), one.min(other)]).or_default().add(&counts);
        }
    }
    let mut ladder = Ladder::restore(PLACEMENT, results);
    (0..300).for_each(|player| ladder.enter(player, &player.to_string()));
    let (mut tables, mut pairings) = (Vec::new(), Vec::new());
    for number in 0..20 {
        let begun = Instant::now();
        let players = ladder.next().expect("a pair");
        pairings.push(begun.elapsed());
        ladder.begin(number, players).expect("it may begin");
        ladder.finish(number, &Counts::of_series(&[(Win, true), (Draw, true)]));
        let begun = Instant::now();
        ladder.table();
        tables.push(begun.elapsed());
    }
    let fastest = |times: &[Duration]| times.iter().min().copied().unwrap_or_default();
    // The bound allows for a build without optimisation and for other tests that run at the same time. The documented
    // figures are from a release build.
    assert!(fastest(&tables) < Duration::from_millis(500), "{tables:?}");
    assert!(fastest(&pairings) < Duration::from_millis(10), "{pairings:?}");
}
