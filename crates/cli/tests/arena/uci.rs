//! Engines with the Universal Chess Interface.

use std::io::Write;
use std::path::Path;

use crate::tournaments::{arena, games, good, json, refused};
use serde_json::Value;

/// Returns the test engine as an agent of a tournament file.
fn engine(behaviour: &str) -> String {
    format!(
        "[[agent]]\nname = '{behaviour}'\ncommand = 'python3 engine.py {behaviour}'\ndialect = 'uci'\n\
         options = {{ Hash = 32 }}\n"
    )
}

/// Writes a tournament file and the test engine.
fn write(folder: &Path, file: &str) {
    std::fs::write(folder.join("engine.py"), include_str!("engine.py")).expect("written");
    std::fs::write(folder.join("cup.toml"), file).expect("written");
}

/// Asserts that a side's moves have the search information of the test engine, in Plyhouse notation.
fn assert_informed(game: &Value, side: u64) {
    for m in game["moves"].as_array().expect("moves").iter().filter(|m| m["side"] == side) {
        assert_eq!((&m["depth"], &m["nodes"]), (&3.into(), &50.into()), "{m}");
        assert!(m["score"]["cp"].is_i64() && m["pv"] == serde_json::json!([m["text"]]), "{m}");
    }
}

#[test]
fn an_engine_plays_whole_games_from_random_openings_and_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let level = "[[agent]]\nname = 'level'\nbuiltin = 'level=1'\n";
    let position = "'bbbbbbbb/bbbb-bbb/----b---/--------/---w----/--------/www-wwww/wwwwwwww w'";
    let cup = format!("game = 'breakthrough'\nformat = 'match'\nlog = 'said'\n{{}}\n{}{level}", engine("good"));
    for opening in ["opening = 4".to_owned(), format!("openings = [{position}]")] {
        write(folder, &cup.replace("{}", &opening));
        good(&arena(folder, &["run", "cup.toml", "--quiet"]));
        let games = games(folder);
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_eq!((&game["ending"], &game["faults"]), (&"win".into(), &serde_json::json!([])), "{game}");
            assert_informed(game, u64::from(game["agents"][0] != 0));
        }
    }
    let said = std::fs::read_to_string(folder.join("said/tournament-2-game-0.log")).expect("a log");
    let sent: Vec<&str> = said.lines().filter_map(|line| Some(line.split_once(" > ")?.1)).collect();
    let greeting = [
        "uci",
        "setoption name Hash value 32",
        "setoption name UCI_Variant value breakthrough",
        "ucinewgame",
        "isready",
        "isready",
    ];
    assert_eq!(sent[..6], greeting, "{said}");
    assert_eq!(sent[6], "position fen pppppppp/pppp1ppp/4p3/8/3P4/8/PPP1PPPP/PPPPPPPP w - - 0 1");
    assert_eq!((sent[7], sent.last()), ("go movetime 4730", Some(&"quit")));
    let stored = good(&arena(folder, &["export"]));
    assert!(stored.lines().next().is_some_and(|header| header.contains("\"options\":{\"Hash\":32}")), "{stored}");
}

#[test]
fn faults_of_an_engine_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let cases = [
        ("illegal", "illegal move", "a1a8: "),
        ("silent", "unreadable answer", "`bestmove (none)`: it has no move"),
        ("chess", "no start", "the engine's option `UCI_Variant` has no value `breakthrough`"),
    ];
    let agents: String = cases.iter().map(|(behaviour, ..)| engine(behaviour)).collect();
    write(
        folder,
        &format!("game = 'breakthrough'\nformat = 'gauntlet'\n[[agent]]\nname = 'x'\nbuiltin = 'level=2'\n{agents}"),
    );
    // The exit code is 1 because one agent did not start.
    assert_eq!(arena(folder, &["run", "cup.toml", "--quiet"]).status.code(), Some(1));
    let games = games(folder);
    for (agent, (behaviour, ending, detail)) in (1..).zip(cases) {
        let own: Vec<&Value> =
            games.iter().filter(|game| [&game["agents"][0], &game["agents"][1]].contains(&&agent.into())).collect();
        assert_eq!(own.len(), 2);
        for game in own {
            let fault = game["faults"][0]["detail"].as_str().unwrap_or_default();
            assert!(game["ending"] == ending && fault.contains(detail), "{behaviour}: {game}");
        }
    }
    let missing = engine("good").replace("Hash", "Thread");
    write(folder, &format!("game = 'breakthrough'\n{missing}[[agent]]\nname = 'x'\nbuiltin = 'level=1'\n"));
    assert_eq!(arena(folder, &["run", "cup.toml", "--quiet"]).status.code(), Some(1));
    let standings = json(folder, &["standings", "--json"]).to_string();
    assert!(standings.contains("no start"), "{standings}");
}

#[test]
fn games_that_the_interface_has_no_name_for_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let level = "[[agent]]\nname = 'x'\nbuiltin = 'level=1'\n";
    for (game, title) in
        [("game = 'loa'", "8x8 Lines of Action"), ("game = 'breakthrough'\nsize = 5", "5x5 Breakthrough")]
    {
        write(folder.path(), &format!("{game}\n{}{level}", engine("good")));
        let error = refused(&arena(folder.path(), &["run", "cup.toml", "--quiet"]));
        let expected = format!("(other sizes with the option `UCI_Variant`), not {title}; use the dialect");
        assert!(error.contains("agent `good`: ") && error.contains(&expected), "{error}");
    }
}

#[test]
fn fairy_stockfish_plays_breakthrough() {
    let program =
        ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"].into_iter().find(|path| Path::new(path).exists());
    let Some(program) = program else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: Fairy-Stockfish, because it is not installed (Debian: fairy-stockfish)"
        );
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let fairy = format!("[[agent]]\nname = 'fairy'\ncommand = '{program}'\ndialect = 'uci'\nnodes = 300\n");
    let level = "[[agent]]\nname = 'level'\nbuiltin = 'level=3'\n";
    write(folder, &format!("game = 'breakthrough'\nformat = 'match'\nopening = 4\n[time]\nmove = 60\n{fairy}{level}"));
    good(&arena(folder, &["run", "cup.toml", "--quiet"]));
    for game in games(folder) {
        assert_eq!((&game["ending"], &game["faults"]), (&"win".into(), &serde_json::json!([])), "{game}");
        let side = u64::from(game["agents"][0] != 0);
        for m in game["moves"].as_array().expect("moves").iter().filter(|m| m["side"] == side) {
            assert!(m["score"].is_object() && m["pv"][0] == m["text"], "{m}");
        }
    }
}
