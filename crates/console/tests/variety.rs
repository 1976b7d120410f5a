//! Tests of varied games against a person, and of their reproduction from the log.

use console::{Session, Transcript, jump61, loa};
use engine::PlayerOptions;

/// Returns options of a player that searches very few nodes.
fn weakest() -> PlayerOptions {
    "level=1".parse().expect("a player")
}

/// Runs a session with these lines, and returns its transcript. The games are varied if there is a source of seeds.
fn session(mut console: impl Session, source: Option<u64>, lines: &[String]) -> Transcript {
    let mut seen = Transcript::default();
    if let Some(source) = source {
        console.vary(source, &mut seen);
    }
    for line in lines {
        console.line(line.as_bytes(), &mut seen).expect("a command");
    }
    seen
}

/// Checks that games differ between sources and within a session, and that replaying the log reproduces the session.
fn check<S: Session>(make: impl Fn() -> S, begin: &str, play: &str) {
    let lines = [play.to_owned(), begin.to_owned()];
    let games: Vec<Transcript> = (0..3).map(|source| session(make(), Some(source), &lines)).collect();
    let mut different: Vec<_> = games.iter().map(|game| &game.printed).collect();
    different.sort();
    different.dedup();
    assert!(different.len() == 3, "{different:?}");
    let differ = |game: &&Transcript| game.printed[..game.printed.len() / 2] != game.printed[game.printed.len() / 2..];
    assert!(games.iter().filter(differ).count() == 3, "{games:?}");
    for game in &games {
        assert_eq!(game.logged.iter().filter(|line| line.starts_with("seed ")).count(), 2, "{:?}", game.logged);
        // The log also contains the program's own moves. They are not replayed, because the program makes them itself.
        let commands: Vec<String> = game.logged.iter().filter(|line| !line.contains('-')).cloned().collect();
        assert_eq!(session(make(), None, &commands).printed, game.printed);
    }
    assert_eq!(session(make(), None, &lines).printed, session(make(), None, &lines).printed);
}

#[test]
fn varied_games_differ_and_their_log_replays_them() {
    check(|| loa::Console::new(&weakest()).expect("a player"), "new", "auto black");
    check(|| jump61::Console::new(&weakest()).expect("a player"), "si 6", "auto red");
}

#[test]
fn the_users_seed_is_kept() {
    let lines = ["seed 5", "new"].map(str::to_owned);
    let seen = session(loa::Console::new(&weakest()).expect("a player"), Some(1), &lines);
    assert_eq!(seen.logged[1..], ["seed 5", "new"]);
}
