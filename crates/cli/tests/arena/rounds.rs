//! Swiss and knockout tournaments: interruptions, tables, export and import, the list of tournaments.

use std::path::Path;
use std::time::Duration;

use crate::tournaments::{arena, command, games, good, json, on_each_store, refused, text, unchained};
use serde_json::Value;

/// Returns the arguments of a tournament of weak engines that differ only in their numbers of nodes.
fn run_arguments(agents: usize, format: &[&str]) -> Vec<String> {
    let fixed = ["run", "--game", "breakthrough", "--size", "5", "--opening", "2", "--quiet"];
    let engines = (1..=agents).flat_map(|n| ["--agent".to_owned(), format!("builtin:nodes={},horizon=0/0", 40 * n)]);
    fixed.into_iter().chain(format.iter().copied()).map(str::to_owned).chain(engines).collect()
}

fn play_tournament(folder: &Path, agents: usize, format: &[&str]) {
    let arguments = run_arguments(agents, format);
    good(&arena(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>()));
}

/// Returns the number, the agents and the moves of each game.
fn played(folder: &Path) -> Vec<(Value, Value, Vec<String>)> {
    let moves = |game: &Value| {
        let moves = game["moves"].as_array().into_iter().flatten();
        moves.map(|m| m["text"].to_string()).collect()
    };
    games(folder).into_iter().map(|game| (game["number"].clone(), game["agents"].clone(), moves(&game))).collect()
}

/// A Swiss that is killed at several moments and resumed has the same games as one without an interruption.
#[test]
fn a_killed_swiss_has_the_same_games() {
    on_each_store(|folder| {
        let uninterrupted = tempfile::tempdir().expect("a folder");
        play_tournament(
            uninterrupted.path(),
            7,
            &["--format", "swiss", "--rounds", "4", "--games", "1", "--jobs", "1"],
        );
        let arguments = run_arguments(7, &["--format", "swiss", "--rounds", "4", "--games", "1"]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut next = arguments.clone();
        for pause in [40, 60, 80, 100] {
            let mut child = command(folder, &next).spawn().expect("the program runs");
            std::thread::sleep(Duration::from_millis(pause));
            child.kill().expect("a child");
            child.wait().expect("a child");
            // If the tournament was not saved before the kill, there is nothing to resume.
            let begun = arena(folder, &["standings"]).status.success();
            next = if begun { vec!["resume", "--quiet"] } else { arguments.clone() };
        }
        good(&arena(folder, &next));
        assert_eq!(played(folder), played(uninterrupted.path()));
        assert_eq!(played(folder).len(), 4 * 3);

        let all = json(folder, &["standings", "--json"]);
        let table = all["swiss"]["table"].as_array().expect("a table");
        assert_eq!((all["format"].as_str(), table.len()), (Some("swiss"), 7));
        // Each round has a point for each game and one for the bye.
        let points: f64 = table.iter().filter_map(|row| row["points"].as_f64()).sum();
        assert!((points - 16.0).abs() < 1e-9, "{all}");
        let byes = table.iter().flat_map(|row| row["rounds"].as_array().into_iter().flatten());
        assert_eq!(byes.filter(|cell| cell["bye"] == true).count(), 4);
        let shown = good(&arena(folder, &["standings"]));
        assert!(
            shown.contains("Swiss, round 4 of 4") && shown.contains("Buchholz") && shown.contains("bye"),
            "{shown}"
        );
    });
}

/// An import accepts the games of a Swiss only if the pairings follow from the results.
#[test]
fn an_imported_swiss_is_checked_round_by_round() {
    on_each_store(|folder| {
        play_tournament(folder, 6, &["--format", "swiss", "--rounds", "3"]);
        good(&arena(folder, &["export", "--out", "games.jsonl"]));
        assert!(good(&arena(folder, &["import", "games.jsonl", "--store", "other.sqlite"])).contains("18 of 18 games"));
        let same = |more: &[&str]| good(&arena(folder, &[&["standings"][..], more].concat())).lines().count();
        assert_eq!(same(&[]), same(&["--store", "other.sqlite"]));
        let lines = std::fs::read_to_string(folder.join("games.jsonl")).expect("the file");
        // Without a game of the first round, the pairings of the second one are unknown. The hash chain is removed,
        // because it would reveal the missing game first.
        let without: Vec<String> =
            lines.lines().enumerate().filter(|&(i, _)| i != 2).map(|(_, line)| unchained(line).to_string()).collect();
        std::fs::write(folder.join("games.jsonl"), without.join("\n")).expect("the file");
        let said = refused(&arena(folder, &["import", "games.jsonl", "--store", "third.sqlite"]));
        assert!(said.contains("it does not follow"), "{said}");
    });
}

#[test]
fn a_knockout_has_a_winner_and_a_bracket() {
    on_each_store(|folder| {
        play_tournament(folder, 5, &["--format", "knockout", "--jobs", "3"]);
        play_tournament(folder, 2, &["--format", "match"]);
        let all = json(folder, &["standings", "-t", "1", "--json"]);
        let winner = all["knockout"]["winner"].as_str().expect("a winner");
        assert_eq!(all["played"], all["planned"]);
        let rounds = all["knockout"]["rounds"].as_array().expect("rounds");
        let names: Vec<&str> = rounds.iter().filter_map(|round| round["name"].as_str()).collect();
        assert_eq!(names, ["quarter-finals", "semi-finals", "final"]);
        let first = rounds[0]["bouts"].as_array().expect("bouts");
        assert_eq!(first.iter().filter(|bout| bout["bye"] == true).count(), 3);
        let shown = good(&arena(folder, &["standings", "-t", "1"]));
        let start: String = winner.chars().take(16).collect();
        assert!(shown.contains("semi-finals\n") && shown.contains(&format!("winner: {start}")), "{shown}");
        good(&arena(folder, &["report", "site", "-t", "1", "--quiet"]));
        let site = std::fs::read_to_string(folder.join("site/index.html")).expect("a page");
        assert!(site.contains("Semi-finals") && site.contains("Winner: "), "{site}");

        let list = json(folder, &["list", "--json"]);
        let formats: Vec<_> =
            list.as_array().into_iter().flatten().map(|line| (&line["tournament"], &line["format"])).collect();
        assert_eq!(formats, [(&1.into(), &"knockout".into()), (&2.into(), &"match".into())]);
        assert!(list[0]["state"] == "finished" && list[0]["played"] == all["played"], "{list}");
        let shown = good(&arena(folder, &["list"]));
        assert!(
            shown.lines().count() == 3 && shown.contains("5x5 breakthrough") && shown.contains("finished"),
            "{shown}"
        );
        let missing = arena(folder, &["list", "--store", "none.sqlite"]);
        assert!(!missing.status.success() && text(&missing).contains("no such file"), "{}", text(&missing));
    });
}
