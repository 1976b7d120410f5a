use std::path::Path;

use super::*;
use crate::log::GameLog;
use crate::spec::Spec;

#[test]
fn a_slow_computation_runs_once_for_each_change() {
    let (start, second) = (Instant::now(), Duration::from_secs(1));
    let mut refresh = Refresh { is_due: true, earliest: None };
    assert!(refresh.is_now(start));
    refresh.finished(start, second);
    assert!(!refresh.is_due && !refresh.is_now(start + 20 * second), "nothing has changed");
    refresh.is_due = true;
    assert!(!refresh.is_now(start + 9 * second) && refresh.is_now(start + 10 * second));
    refresh.finished(start, Duration::from_millis(1));
    refresh.is_due = true;
    assert!(refresh.is_now(start));
}

/// Returns a game between `agents`, in the order [first side, second side].
fn game(number: u32, agents: [usize; 2], result: &str) -> GameLog {
    let text = serde_json::json!({
        "number": number, "agents": agents, "round": 0, "opening_seed": 1, "seed": 2, "start": "", "opening": [],
        "moves": [], "result": result, "ending": "win", "cpu": [null, null], "began": "2026", "seconds": 1.0,
        "version": "", "machine": "",
    });
    serde_json::from_value(text).expect("a game")
}

#[test]
fn the_champion_of_a_knockout_is_first_even_with_fewer_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let location = Location::from(folder.path().join("arena.sqlite"));
    let agents: Vec<String> = (0..3).map(|n| format!("{{ name = '{n}', builtin = '' }}")).collect();
    let file = format!("game = 'loa'\nformat = 'knockout'\nagent = [{}]", agents.join(", "));
    let spec = Spec::read(&file, Path::new("")).expect("a tournament");
    let mut store = Store::open(&location).expect("a store");
    let id = store.begin(&spec, 4, &[]).expect("saved");
    let mut follower = Follower::new(location, None);
    let mut order = |store: &mut Store, games: &[GameLog]| {
        store.save_all(id, games).expect("saved");
        let watched = follower.look().expect("readable").expect("a tournament");
        let rows: Vec<usize> = watched.rows.iter().map(|row| row.standing.agent).collect();
        (rows, (0..3).map(|agent| follower.games_of(agent)).collect::<Vec<_>>())
    };
    let rounds = Rounds::new(&spec).expect("rounds");
    let [one, other] = rounds.bouts().next().expect("agent 0 has a bye").agents;
    assert_eq!([one, other], [1, 2]);
    let first: Vec<u32> = rounds.bouts().flat_map(Bout::numbers).collect();
    let [a, b] = first[..] else { panic!("{first:?}") };
    // Agent 1 wins its first bout. All games of the final are drawn, so that the higher seed, agent 0, is the champion
    // with fewer points per game.
    let games = [game(a, [1, 2], "first"), game(b, [2, 1], "second")];
    assert_eq!(order(&mut store, &games).0, [0, 1, 2]);
    let mut drawn = Vec::new();
    loop {
        let (rows, numbers) = order(&mut store, &[]);
        assert_eq!((rows, &numbers[1], &numbers[2]), (vec![0, 1, 2], &[&[a, b], &*numbers[0]].concat(), &vec![a, b]));
        let next: Vec<u32> = numbers[0].iter().copied().filter(|number| !drawn.contains(number)).collect();
        let [c, d] = next[..] else { break };
        order(&mut store, &[game(c, [0, 1], "tie"), game(d, [1, 0], "tie")]);
        drawn.extend([c, d]);
    }
    assert_eq!(drawn.len(), 8, "the final has six additional games");
    let watched = follower.look().expect("readable").expect("a tournament");
    assert_eq!((watched.course, watched.winners), (Course::Over, vec![0]));
    assert!(watched.rows[0].points < watched.rows[1].points);
}

#[test]
fn the_last_standings_need_no_pause() {
    let folder = tempfile::tempdir().expect("a folder");
    let location = Location::from(folder.path().join("arena.sqlite"));
    let file = "game = 'loa'\ngames = 2\nagent = [{ name = 'a', builtin = '' }, { name = 'b', builtin = '' }]";
    let spec = Spec::read(file, Path::new("")).expect("a tournament");
    let mut store = Store::open(&location).expect("a store");
    let id = store.begin(&spec, 2, &[]).expect("saved");
    let mut follower = Follower::new(location, None);
    let mut look = || {
        let rows = follower.look().expect("readable").expect("a tournament").rows;
        // As after a slow computation.
        let followed = follower.followed.as_mut().expect("a tournament");
        followed.refresh.earliest = Some(Instant::now() + Duration::from_hours(1));
        rows.iter().map(|row| row.standing.games).collect::<Vec<_>>()
    };
    assert_eq!(look(), [[0; 3]; 2]);
    store.save(id, &game(0, [0, 1], "first")).expect("saved");
    assert_eq!(look(), [[0; 3]; 2], "the pause is not over");
    store.save(id, &game(1, [1, 0], "second")).expect("saved");
    assert_eq!(look(), [[2, 0, 0], [0, 0, 2]]);
}
