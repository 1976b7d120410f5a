//! Single games of a tournament: limits, logs, scores, openings, adjudication, rules.

use std::path::Path;

use crate::tournaments::{PLYHOUSE, arena, good, refused, unchained};
use serde_json::Value;

/// Plays a tournament file and returns its games.
fn played(folder: &Path, file: &str) -> Vec<Value> {
    std::fs::write(folder.join("cup.toml"), file).expect("written");
    good(&arena(folder, &["run", "cup.toml", "--quiet", "--jobs", "1"]));
    crate::tournaments::games(folder)
}

/// Returns the error for an invalid tournament file.
fn invalid(folder: &Path, file: &str) -> String {
    std::fs::write(folder.join("bad.toml"), file).expect("written");
    refused(&arena(folder, &["run", "bad.toml", "--quiet", "--jobs", "1"]))
}

/// Returns our engine over UGI as an agent of a tournament file.
fn engine(name: &str, more: &str) -> String {
    format!("[[agent]]\nname = '{name}'\ncommand = ['{PLYHOUSE}', 'engine', 'loa']\ndialect = 'ugi'\n{more}\n")
}

const TWO: &str = "[[agent]]\nname = 'a'\nbuiltin = 'level=2'\n[[agent]]\nname = 'b'\nbuiltin = 'level=1'\n";

#[test]
fn each_agent_has_its_own_limits_and_its_scores_are_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let agents = engine("few", "nodes = 300") + &engine("shallow", "move = 20.0\ndepth = 2");
    let games = played(folder, &format!("game = 'loa'\nopening = 3\nmove_limit = 30\nlog = 'said'\n{agents}"));
    for game in &games {
        for m in game["moves"].as_array().expect("moves") {
            let side = usize::try_from(m["side"].as_u64().expect("a side")).expect("small");
            // The limits of our engines do not apply to their search for forced wins.
            let shallow = game["agents"][side] == 1 && m["score"]["cp"].is_i64();
            assert!(!shallow || m["depth"].as_u64().is_some_and(|depth| depth <= 2), "{m}");
            assert!(m["score"].is_object() && m["pv"][0].is_string() && m["nodes"].is_u64(), "{m}");
        }
        let name = format!("said/tournament-1-game-{}.log", game["number"]);
        let said = std::fs::read_to_string(folder.join(name)).expect("a log");
        let go: Vec<&str> = said.lines().filter_map(|line| line.split_once(" > go ")).map(|(_, go)| go).collect();
        assert!(go.contains(&"movetime 4730 nodes 300") && go.contains(&"movetime 18980 depth 2"), "{go:?}");
        assert_eq!(said.matches("< bestmove ").count(), game["moves"].as_array().expect("moves").len(), "{said}");
    }
    good(&arena(folder, &["export", "--out", "games.jsonl"]));
    good(&arena(folder, &["import", "games.jsonl", "--store", "again.sqlite"]));
    let again = good(&arena(folder, &["export", "--store", "again.sqlite"]));
    assert_eq!(
        again.lines().nth(1).map(|line| serde_json::from_str::<Value>(line).expect("JSON")),
        Some(games[0].clone())
    );
}

#[test]
fn a_limit_that_the_dialect_cannot_express_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let nus = "[[agent]]\nname = 'n'\ncommand = 'true'\ndialect = 'nus'\n";
    for limit in ["nodes = 5", "depth = 5"] {
        let error = invalid(folder.path(), &format!("game = 'loa'\nsize = 6\n{nus}{limit}\n{TWO}"));
        assert!(error.contains("agent `n`: ") && error.contains("the dialect `nus` cannot send this limit"), "{error}");
    }
}

#[test]
fn an_invalid_number_of_jobs_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    for jobs in ["0", "257", "40000", "1000000", "4294967295"] {
        std::fs::write(folder.path().join("bad.toml"), format!("game = 'loa'\njobs = {jobs}\n{TWO}")).expect("written");
        let error = refused(&arena(folder.path(), &["run", "bad.toml", "--quiet"]));
        assert!(error.contains(&format!("jobs: {jobs} found, expected ")), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn games_run_on_their_assigned_cores() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let allowed = std::fs::read_to_string("/proc/self/status").expect("a status");
    let list = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a list").trim();
    let core = list.split(['-', ',']).next_back().expect("a core");
    // The agent prints its cores to standard error, which is recorded.
    let script = "grep Cpus_allowed_list: /proc/self/status >&2; exec ./copy engine loa";
    let agent = format!(
        "[[agent]]\nname = 's'\ndirectory = 'agent'\ncommand = ['sh', '-c', '{script}']\ndialect = 'ugi'\nnodes = 50\n"
    );
    // The sandbox hides Plyhouse's own programs, but not a copy in the agent's folder.
    std::fs::create_dir(folder.join("agent")).expect("a folder");
    crate::tournaments::link(Path::new(PLYHOUSE), &folder.join("agent/copy"));
    let games = played(
        folder,
        &format!("game = 'loa'\nmove_limit = 6\naffinity = [{core}]\n{agent}{}", engine("e", "nodes = 50")),
    );
    for (number, game) in games.iter().enumerate() {
        assert_eq!(
            game["stderr"][number].as_str().map(str::trim_end),
            Some(format!("Cpus_allowed_list:\t{core}").as_str())
        );
    }
    let error = invalid(folder, &format!("game = 'loa'\naffinity = [9999]\n{TWO}"));
    assert!(error.contains("affinity: core 9999 found, expected some of ["), "{error}");
}

#[test]
fn openings_of_a_file_are_played_with_both_colours_and_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let white = "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- w";
    std::fs::write(folder.join("book.txt"), format!("# two\n1. b1-b3 a2-c2\n{white}\n")).expect("written");
    let file = format!("game = 'loa'\ngames = 4\nmove_limit = 12\nopenings = 'book.txt'\n{TWO}");
    let games = played(folder, &file);
    let begins = |game: &Value| (game["start"].as_str().unwrap_or_default().to_owned(), game["opening"].clone());
    assert_eq!(
        games.iter().map(|game| begins(game).1).collect::<Vec<_>>()[..2],
        [begins(&games[0]).1, begins(&games[0]).1]
    );
    assert_eq!(begins(&games[0]).1, serde_json::json!(["b1-b3", "a2-c2"]));
    assert_eq!(begins(&games[2]), (white.to_owned(), serde_json::json!([])));
    assert_eq!(games[2]["moves"][0]["side"], 1, "White is to move");
    // The tournament can be resumed without the book file, and the report attributes White's first move to White.
    std::fs::remove_file(folder.join("book.txt")).expect("removed");
    good(&arena(folder, &["resume", "--quiet"]));
    good(&arena(folder, &["report", "site", "--quiet"]));
    let data = std::fs::read_to_string(folder.join("site/data/chunk-0.js")).expect("the games");
    let data = data.strip_prefix("receive(0, ").and_then(|data| data.strip_suffix(");\n")).expect("a call");
    let data: Value = serde_json::from_str(data).expect("JSON");
    let game = &data["games"][2];
    let side_of = |number: usize| &data["steps"][game["steps"][number].as_u64().expect("a step") as usize][1];
    assert_eq!((side_of(0), side_of(1)), (&1.into(), &0.into()));
    assert!(game["scores"].as_array().is_some_and(|scores| scores.iter().any(|score| !score.is_null())), "{game}");

    let error = invalid(folder, &file);
    assert!(error.contains("book.txt: ") && error.matches("openings: ").count() == 1, "{error}");
    std::fs::write(folder.join("book.txt"), "b1-b3\n\nb1-b4\n").expect("written");
    let error = invalid(folder, &file);
    assert!(error.contains("book.txt: line 3: move 1: illegal move b1-b4"), "{error}");
    let output = arena(
        folder,
        &["run", "--game", "loa", "--agent", "builtin:level=1", "--agent", "builtin:", "--openings", "book.txt"],
    );
    assert!(crate::tournaments::text(&output).contains("line 3: move 1"), "{output:?}");
}

#[test]
fn adjudication_by_scores_and_by_proof_is_checked_on_import() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let agents = "[[agent]]\nname = 'a'\nbuiltin = 'level=6'\n[[agent]]\nname = 'b'\nbuiltin = 'level=1'\n";
    let resign = "[adjudicate]\nresign = { below = 150, moves = 2 }\n";
    let games = played(folder, &format!("game = 'loa'\ngames = 4\nopening = 2\n{resign}{agents}"));
    assert!(games.iter().any(|game| game["ending"] == "win by scores"), "{games:?}");
    let proof = "size = 4\n[adjudicate]\nproof = 500000\n";
    let proven = played(folder, &format!("game = 'loa'\n{proof}{agents}"));
    assert!(
        proven.iter().all(|game| game["ending"] == "win by proof" || game["ending"] == "tie by proof"),
        "{proven:?}"
    );
    assert!(good(&arena(folder, &["standings"])).contains("2 of 2 games"));

    for tournament in ["1", "2"] {
        let exported = good(&arena(folder, &["export", "--tournament", tournament]));
        std::fs::write(folder.join("games.jsonl"), &exported).expect("written");
        good(&arena(folder, &["import", "games.jsonl", "--store", "again.sqlite"]));
        let number = exported.lines().position(|line| line.contains("by scores") || line.contains("by proof"));
        let number = number.expect("a ruling");
        // The hash chain is removed, so only the check of the ruling can fail.
        let mut lines: Vec<Value> = exported.lines().map(unchained).collect();
        let write = |lines: &[Value]| lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        std::fs::write(folder.join("unchained.jsonl"), write(&lines)).expect("written");
        good(&arena(folder, &["import", "unchained.jsonl", "--store", "again.sqlite"]));
        let game = &mut lines[number];
        game["result"] = if game["result"] == "first" { "second" } else { "first" }.into();
        std::fs::write(folder.join("false.jsonl"), write(&lines)).expect("written");
        let said = refused(&arena(folder, &["import", "false.jsonl", "--store", "again.sqlite"]));
        assert!(said.contains("do not confirm the ruling"), "{said}");
    }
}

#[test]
fn openspiel_rules_can_be_selected() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let arguments = ["run", "--game", "loa", "--rules", "openspiel", "--quiet", "--jobs", "1", "--opening", "2"];
    good(&arena(folder, &[&arguments[..], &["--agent", "builtin:level=1", "--agent", "builtin:level=2"]].concat()));
    let header: Value =
        serde_json::from_str(good(&arena(folder, &["export"])).lines().next().expect("a header")).expect("JSON");
    assert_eq!(
        (&header["tournament"]["rules"], &header["tournament"]["move_limit"]),
        (&"openspiel".into(), &1000.into())
    );
    let error = invalid(folder, &format!("game = 'checkers'\nrules = 'openspiel'\n{TWO}"));
    assert!(error.contains("rules `openspiel`: checkers has only one rule set"), "{error}");
}
