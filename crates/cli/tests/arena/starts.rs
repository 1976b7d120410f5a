//! Agents that cannot start: refused commands, forfeits, void games, withdrawals.

use std::path::Path;

use crate::tournaments::{PLYHOUSE, TestFolder, arena, command, good, json, refused, text, unchained};
use serde_json::Value;

/// Returns an agent whose program exits before it is ready.
fn dead(name: &str) -> String {
    format!("[[agent]]\nname = '{name}'\ncommand = ['sh', '-c', 'echo missing module >&2; exit 3']\ndialect = 'ugi'\n")
}

fn live(name: &str) -> String {
    format!("[[agent]]\nname = '{name}'\nbuiltin = 'level=1'\n")
}

/// Plays a tournament that ends with exit code 1, and returns the standings and what was printed.
fn played(folder: &Path, settings: &str, agents: &[String]) -> (Value, String) {
    let file = format!("game = 'breakthrough'\nsize = 5\nopening = 2\njobs = 1\n{settings}\n{}", agents.concat());
    std::fs::write(folder.join("cup.toml"), file).expect("written");
    let output = arena(folder, &["run", "cup.toml"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    good(&arena(folder, &["verify"]));
    good(&arena(folder, &["report", "site", "--quiet"]));
    (json(folder, &["standings", "--json"]), text(&output))
}

fn points(all: &Value) -> Vec<(String, f64)> {
    let lines = all["standings"].as_array().expect("a list");
    let line = |line: &Value| (line["agent"].to_string(), line["points"].as_f64().unwrap_or(-1.0));
    lines.iter().map(line).collect()
}

#[test]
fn commands_are_checked_before_the_first_game() {
    for dialect in ["ugi", "nus"] {
        for sandbox in ["--sandbox=none", "--quiet"] {
            let folder = tempfile::tempdir().expect("a folder");
            let folder = folder.path();
            let one = format!("A={dialect}:/nonexistent/one");
            let two = format!("B={dialect}:no-such-program-anywhere");
            for (agent, name) in [(&one, "`A`"), (&two, "`B`")] {
                let agents = ["--agent", agent, "--agent", "builtin:level=1", "--after-fault=lose"];
                let said =
                    refused(&arena(folder, &[&["run", "--game=loa", "--size=6", sandbox], &agents[..]].concat()));
                assert!(said.contains(name) && said.contains("cannot start"), "{said}");
            }
            assert!(!folder.join("arena.sqlite").exists(), "no tournament was saved");
        }
    }
}

#[test]
fn games_that_neither_side_starts_are_void() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (all, said) = played(folder, "format = 'match'\ngames = 6", &[dead("A"), dead("B")]);
    assert!(points(&all).iter().all(|(_, points)| *points == 0.0), "{all}");
    assert_eq!((&all["void"], &all["played"], &all["match"]["elo"]), (&6.into(), &6.into(), &Value::Null));
    assert_eq!(all["withdrawn"], serde_json::json!(["A", "B"]));
    assert!(said.contains("agent `A` is withdrawn: it could not start in games 0 and 1"), "{said}");
    assert!(said.contains("missing module") && said.contains("6 games are void"), "{said}");
    let exported = good(&arena(folder, &["export"]));
    assert!(exported.contains(r#""result":"void""#), "{exported}");
    std::fs::write(folder.join("games.jsonl"), &exported).expect("written");
    good(&arena(folder, &["import", "games.jsonl", "--store", "again.sqlite"]));
    // Earlier versions recorded such games as draws.
    let earlier: Vec<String> = exported.lines().map(|line| unchained(line).to_string()).collect();
    std::fs::write(folder.join("old.jsonl"), earlier.join("\n").replace(r#""void""#, r#""tie""#)).expect("written");
    good(&arena(folder, &["import", "old.jsonl", "--store", "old.sqlite"]));
}

#[test]
fn an_agent_that_does_not_start_is_withdrawn_also_after_an_interruption() {
    let folder = TestFolder::with_file();
    let (all, said) = played(&folder, "format = 'match'\ngames = 8", &[live("live"), dead("dead")]);
    let check = |all: &Value| {
        assert_eq!(points(all), [("\"live\"".to_owned(), 8.0), ("\"dead\"".to_owned(), 0.0)]);
        assert_eq!((&all["match"]["elo"], &all["standings"][0]["elo"]), (&Value::Null, &Value::Null), "{all}");
        assert_eq!(all["withdrawn"], serde_json::json!(["dead"]));
    };
    check(&all);
    assert!(said.contains("8 games were forfeited") && !said.contains("Elo     +"), "{said}");
    let details = |folder: &Path| {
        let games = crate::tournaments::games(folder);
        games.iter().map(|game| game["faults"][0]["detail"].to_string()).collect::<Vec<_>>()
    };
    let withdrawn = |details: &[String]| details.iter().filter(|detail| detail.contains("withdrawn")).count();
    // The third game may have started before the second one was saved.
    let before = details(&folder);
    assert!(withdrawn(&before) >= 5, "{before:?}");
    folder.sql(
        "DELETE FROM game WHERE place > 3; \
         UPDATE tournament SET head = (SELECT hash FROM game WHERE place = 3)",
    );
    assert_eq!(arena(&folder, &["resume", "--quiet"]).status.code(), Some(1));
    let after = details(&folder);
    assert!(after.len() == 8 && withdrawn(&after) >= 5, "{after:?}");
    check(&json(&folder, &["standings", "--json"]));
}

#[test]
fn agents_that_do_not_start_score_nothing_in_a_swiss() {
    let folder = tempfile::tempdir().expect("a folder");
    let agents = ["a", "b", "c", "d", "e"].map(dead);
    let (all, _) = played(folder.path(), "format = 'swiss'\nrounds = 3", &agents);
    let rows = all["swiss"]["table"].as_array().expect("a table");
    assert!(rows.len() == 5 && rows.iter().all(|row| row["points"].as_f64() == Some(0.0)), "{all}");
    assert_eq!(all["void"], 12);
}

#[test]
fn a_knockout_plays_no_extra_games_for_agents_that_do_not_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (all, said) = played(folder, "format = 'knockout'", &[dead("a"), live("b"), dead("c"), dead("d")]);
    assert_eq!((&all["played"], &all["knockout"]["winner"]), (&6.into(), &"b".into()), "{all}");
    assert!(said.contains("void: neither started; a advances as the higher seed"), "{said}");
    let (all, _) = played(folder, "format = 'knockout'", &[dead("a"), dead("b"), dead("c"), dead("d")]);
    assert_eq!((&all["played"], &all["knockout"]["winner"]), (&6.into(), &Value::Null), "{all}");
}

/// The agent plays its first two games and does not start again. The tournament continues, and the agent's opponents
/// win its other games.
#[test]
fn an_agent_that_fails_between_rounds_forfeits_the_rest() {
    let folder = TestFolder::with_file();
    let script = format!(
        "echo x >> starts\n[ $(wc -l < starts) -gt 2 ] && echo its file is gone >&2 && exit 3\n\
         exec {PLYHOUSE} engine breakthrough --player nodes=30\n"
    );
    std::fs::write(folder.join("agent.sh"), script).expect("written");
    let failing = "[[agent]]\nname = 'failing'\ncommand = ['sh', 'agent.sh']\ndialect = 'ugi'\n".to_owned();
    let agents = [live("a"), failing, live("c"), live("d")].concat();
    let file = format!(
        "game = 'breakthrough'\nsize = 5\nopening = 2\njobs = 1\nformat = 'swiss'\nrounds = 2\n\
         sandbox = 'none'\n{agents}"
    );
    std::fs::write(folder.join("cup.toml"), file).expect("written");
    let said = text(&arena(&folder, &["run", "cup.toml"]));
    let games = crate::tournaments::games(&folder);
    let own: Vec<&Value> = games
        .iter()
        .filter(|game| game["agents"].as_array().is_some_and(|agents| agents.contains(&1.into())))
        .collect();
    let forfeited = |game: &&&Value| game["ending"] == "no start";
    assert_eq!((games.len(), own.len(), own.iter().filter(forfeited).count()), (8, 4, 2), "{said}");
    for game in own.iter().filter(forfeited) {
        let winner = if game["agents"][0] == 1 { "second" } else { "first" };
        assert!(
            game["result"] == winner && game["faults"][0]["detail"].to_string().contains("its file is gone"),
            "{game}"
        );
    }
    assert!(said.contains("2 games were forfeited") && !said.contains("withdrawn"), "{said}");
    let all = json(&folder, &["standings", "--json"]);
    assert_eq!((&all["void"], all["swiss"]["table"].as_array().map(Vec::len)), (&0.into(), Some(4)), "{all}");
    good(&arena(&folder, &["verify"]));
}

#[test]
fn an_agent_that_reaches_a_limit_at_its_start_is_withdrawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    if json(folder, &["doctor", "--json"])["best"] == "none" {
        return;
    }
    let greedy = "[[agent]]\nname = 'greedy'\ncommand = ['sh', '-c', 'head -c 300M /dev/zero | tail -n 1']\n\
                  dialect = 'ugi'\n";
    let settings = "format = 'match'\ngames = 6\n[limits]\nmemory = '64M'\n[time]\nstart = 120";
    let (all, said) = played(folder, settings, &[live("live"), greedy.to_owned()]);
    assert_eq!(points(&all), [("\"live\"".to_owned(), 6.0), ("\"greedy\"".to_owned(), 0.0)]);
    assert_eq!((&all["withdrawn"], &all["match"]["elo"]), (&serde_json::json!(["greedy"]), &Value::Null), "{said}");
    let kinds: Vec<Value> =
        crate::tournaments::games(folder).iter().map(|game| game["faults"][0]["kind"].clone()).collect();
    assert!(
        kinds[..2].iter().all(|kind| kind == "memory") && kinds[3..].iter().all(|kind| kind == "no start"),
        "{kinds:?}"
    );
}

/// As in a virtual environment, the program in `PATH` is a link to a program that depends on the name by which it is
/// called.
#[test]
fn without_a_sandbox_the_path_decides_which_program_plays() {
    let (folder, programs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (folder, programs) = (folder.path(), programs.path());
    let (bin, real) = (programs.join("bin"), programs.join("real.sh"));
    std::fs::create_dir(&bin).expect("a folder");
    std::fs::write(&real, format!("#!/bin/sh\necho called as $0 >&2\nexec {PLYHOUSE} engine loa\n")).expect("written");
    std::fs::set_permissions(&real, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("executable");
    for name in ["player", "env"] {
        std::os::unix::fs::symlink(&real, bin.join(name)).expect("a link");
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    for name in ["player", "env"] {
        let file = format!(
            "game = 'loa'\nmove_limit = 6\nopening = 2\n{}[[agent]]\nname = 'program'\ncommand = ['{name}']\n\
             dialect = 'ugi'\nnodes = 20\n",
            live("live")
        );
        std::fs::write(folder.join("cup.toml"), file).expect("written");
        let run = |sandbox: &str| {
            command(folder, &["run", "cup.toml", sandbox]).env("PATH", &path).output().expect("the program runs")
        };
        good(&run("--sandbox=none"));
        let games = crate::tournaments::games(folder);
        let said = games[0]["stderr"].to_string();
        assert!(said.contains(&format!("called as {}/{name}", bin.display())), "{said}");
        let best = json(folder, &["doctor", "--json"])["best"].clone();
        if best != "none" {
            let said = text(&run(&format!("--sandbox={}", best.as_str().unwrap_or_default())));
            let hidden = format!("because the sandbox hides {}/{name}", bin.display());
            assert!(said.contains(&format!("agent `program`: `{name}` starts ")) && said.contains(&hidden), "{said}");
        }
    }
}
