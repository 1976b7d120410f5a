use std::path::Path;

use super::*;
use crate::draft::Draft;
use crate::store::location::Location;

/// Begins a tournament of quick games.
fn begin(location: &Location, games: u32) -> (Store, Hold, Tournament) {
    let file = format!(
        "game = 'breakthrough'\nsize = 5\ngames = {games}\nopening = 2\n\
         agent = [{{ name = 'a', builtin = 'nodes=200' }}, {{ name = 'b', builtin = 'nodes=100' }}]"
    );
    let spec = Draft::read(&file, Path::new(".")).and_then(Draft::finish).expect("a tournament");
    let hold = Hold::take(location).expect("a free store");
    let mut store = Store::open(location).expect("a store");
    let planned = super::games(&spec, &Venue::default()).expect("a plan").planned();
    let id = store.begin(&spec, planned, &[]).expect("begun");
    let tournament = store.tournament(Some(id)).expect("a tournament");
    (store, hold, tournament)
}

#[test]
fn a_set_flag_cancels_the_games_in_play_and_they_are_played_later() {
    const GAMES: u32 = 40;
    const JOBS: usize = 2;
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, hold, tournament) = begin(&folder.path().join("arena.sqlite").into(), GAMES);
    let (venue, stop) = (Venue::default(), AtomicBool::new(false));
    let means = || Means { jobs: JOBS, venue: &venue, remote: None, stop: &stop };
    let mut saved = 0;
    let mut watch = |_: &GameLog| {
        saved += 1;
        stop.store(true, Ordering::Relaxed);
        Ok(ControlFlow::Continue(()))
    };
    run((&mut store, &hold), &tournament, means(), &mut watch).expect("stopped");
    // Each thread may have finished a game, and the channel holds as many.
    assert!((1..=1 + 2 * JOBS).contains(&saved), "{saved}");
    assert_eq!(store.done(tournament.id).expect("readable").len(), saved);
    stop.store(false, Ordering::Relaxed);
    let mut watch = |_: &GameLog| Ok(ControlFlow::Continue(()));
    run((&mut store, &hold), &tournament, means(), &mut watch).expect("played");
    assert_eq!(store.done(tournament.id).expect("readable").len(), GAMES as usize);
}
