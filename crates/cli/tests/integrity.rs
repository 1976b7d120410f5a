//! Interrupted tournaments, tournaments that were tampered with, and malicious submissions: each problem is reported,
//! and all input is checked.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::tournaments::{PLYHOUSE, arena, good, on_each_store, refused, submission, text};
use serde_json::Value;

/// Three fast engines, which play six games in a short time.
const ENGINES: [&str; 6] =
    ["--agent", "builtin:level=1", "--agent", "builtin:level=2", "--agent", "builtin:build=random"];
const QUICK: [&str; 7] = ["run", "--game", "jump61", "--size", "4", "--opening", "2"];

fn played(folder: &Path) -> String {
    good(&arena(folder, &[&QUICK[..], &ENGINES].concat()))
}

fn audit(folder: &Path, more: &[&str]) -> (bool, Value) {
    let output = arena(folder, &[&["verify", "--json"], more].concat());
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(i32::from(found["good"] != true)), "{found}");
    (found["good"] == true, found)
}

/// Returns the kind and the game of each finding of `arena verify`.
fn findings(folder: &Path) -> Vec<(String, Option<u64>)> {
    let (_, found) = audit(folder, &[]);
    let list = found["findings"].as_array().expect("a list").clone();
    list.iter().map(|one| (one["kind"].as_str().unwrap_or_default().to_owned(), one["game"].as_u64())).collect()
}

#[test]
fn verify_names_the_game_that_was_tampered_with() {
    on_each_store(|folder| {
        let shown = played(folder);
        let head = shown.lines().find_map(|line| line.strip_prefix("head ")).expect("a head is printed").to_owned();
        assert!(good(&arena(folder, &["standings"])).contains(&head));
        assert!(good(&arena(folder, &["verify"])).ends_with("\nverified\n"));
        assert_eq!(audit(folder, &["--head", &head]).1["covered"], 6);
        folder.back_up();
        let tamper = |statements: &str| {
            folder.restore();
            folder.sql(statements);
            findings(folder)
        };
        let place = |place| folder.number_at(place);
        let (second, third, fourth) = (place(2), place(3), place(4));
        let found = |kind: &str, game| vec![(kind.to_owned(), Some(game))];
        assert_eq!(
            tamper("UPDATE game SET log = replace(log, '\"seconds\":', '\"seconds\":1') WHERE place = 3"),
            found("changed", third)
        );
        assert_eq!(tamper("DELETE FROM game WHERE place = 3"), found("deleted", fourth));
        assert_eq!(tamper("DELETE FROM game WHERE place = 6"), [("replaced".to_owned(), None)]);
        let swap = "UPDATE game SET place = 99 WHERE place = 2; UPDATE game SET place = 2 WHERE place = 3; \
                UPDATE game SET place = 3 WHERE place = 99;";
        assert_eq!(tamper(swap), found("reordered", second));
        // A changed setting in the header.
        let change = "UPDATE tournament SET header = replace(header, '\"seed\":1', '\"seed\":2')";
        assert!(tamper(change).contains(&("header".to_owned(), None)));
        // With a changed header, the standings do not show the head, and no game is added.
        let shown = arena(folder, &["standings"]);
        assert!(text(&shown).contains("WARNING: tournament 1: its header was changed"), "{}", text(&shown));
        assert!(!text(&shown).contains(&head) && good(&arena(folder, &["list"])).contains("changed"));
        assert!(refused(&arena(folder, &["resume", "--tournament", "1"])).contains("its header was changed"));

        // Anyone who can write to the store can replace the chain. The recorded head reveals that.
        folder.restore();
        good(&arena(folder, &["export", "--out", "games.jsonl"]));
        let file = std::fs::read_to_string(folder.join("games.jsonl")).expect("a file");
        let unchained: Vec<String> = file.lines().map(|line| cut(line) + "\n").collect();
        std::fs::write(folder.join("games.jsonl"), unchained.concat()).expect("a file");
        good(&arena(folder, &["import", "games.jsonl", "--store", "other.sqlite"]));
        assert!(good(&arena(folder, &["verify", "--store", "other.sqlite"])).contains("not chained"));
        let said = refused(&arena(folder, &["verify", "--store", "other.sqlite", "--head", &head]));
        assert!(said.contains("not chained"), "{said}");
        assert!(refused(&arena(folder, &["verify", "--head", &head[..16]])).contains("expected 64 hexadecimal"));
        let other = head.replace(|c: char| c != '0', "0");
        assert!(refused(&arena(folder, &["verify", "--head", &other])).contains("does not contain"));
    });
}

/// Removes the chain's fields from a line of an export, as `docs/arena.md` describes for other programs.
fn cut(line: &str) -> String {
    line[..line.rfind(",\"hash\":\"").expect("a hash")].to_owned() + "}"
}

/// The procedure of `docs/arena.md` for other programs.
#[test]
fn the_chain_of_an_export_can_be_checked_with_sha256sum_alone() {
    on_each_store(|folder| {
        let shown = played(folder);
        let export = good(&arena(folder, &["export"]));
        let mut head = String::new();
        for line in export.lines() {
            let mut child =
                Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
            let mut input = child.stdin.take().expect("a pipe");
            std::io::Write::write_all(&mut input, (head + &cut(line)).as_bytes()).expect("written");
            drop(input);
            let hash = child.wait_with_output().expect("it ends").stdout;
            head = String::from_utf8_lossy(&hash[..64]).into_owned();
            assert!(line.contains(&head));
        }
        assert!(shown.contains(&format!("head {head}")));
    });
}

#[test]
fn one_damaged_game_is_named_and_the_rest_stays_usable() {
    on_each_store(|folder| {
        played(folder);
        folder.sql("UPDATE game SET log = '{\"number\":3' WHERE number = 3");
        for arguments in [&["standings"][..], &["report", "site"], &["export", "--out", "games.jsonl"], &["resume"]] {
            let output = arena(folder, arguments);
            good(&output);
            assert!(text(&output).contains("game 3 is damaged and set aside"), "{arguments:?}: {}", text(&output));
        }
        assert!(
            good(&arena(folder, &["standings"])).contains("5 of 6 games"),
            "the damaged game is not replayed by default"
        );
        let list = std::fs::read_to_string(folder.join("site/data/games.js")).expect("the list");
        assert!(list.contains("\"numbers\":[0,1,2,4,5]"), "{list}");
        assert_eq!(findings(folder), [("changed".to_owned(), Some(3))]);
        let imported = good(&arena(folder, &["import", "games.jsonl", "--store", "other.sqlite"]));
        assert!(imported.contains("5 of 6 games") && imported.contains("left out: [3]"), "{imported}");

        assert!(good(&arena(folder, &["resume", "--replay-damaged"])).contains("6 of 6 games"));
        let (is_good, found) = audit(folder, &[]);
        assert!(is_good && found["set_aside"] == serde_json::json!([3]), "{found}");
    });
}

#[test]
fn a_store_in_use_is_left_unchanged() {
    on_each_store(|folder| {
        played(folder);
        let hold = arena::Hold::take(&folder.location()).expect("no other process plays");
        assert!(refused(&arena(folder, &[&QUICK[..], &ENGINES].concat())).contains("another process"));
        drop(hold);
        let store = arena::Store::open(&folder.location()).expect("a store");
        assert_eq!(store.tournaments().expect("readable"), [1], "the second tournament did not start");
    });
}

#[test]
fn resume_finds_the_unfinished_tournament() {
    on_each_store(|folder| {
        for name in ["first", "second", "third"] {
            let file = format!(
                "name = '{name}'\ngame = 'jump61'\nsize = 4\nopening = 2\nagent = [{{name = 'a', builtin = \
                            'level=1'}}, {{name = 'b', builtin = 'level=2'}}]"
            );
            std::fs::write(folder.join("cup.toml"), file).expect("a file");
            good(&arena(folder, &["run", "cup.toml", "--quiet"]));
        }
        // Tournaments 1 and 2 become unfinished: only their first game is left.
        folder.sql(
            "DELETE FROM game WHERE tournament < 3 AND place = 2; UPDATE tournament SET head = \
                                 (SELECT hash FROM game WHERE tournament = id AND place = 1) WHERE id < 3",
        );
        let said = refused(&arena(folder, &["resume"]));
        assert!(said.contains("--tournament 1: first") && said.contains("--tournament 2: second"), "{said}");
        assert!(!said.contains("third"), "{said}");
        good(&arena(folder, &["resume", "--tournament", "2", "--quiet"]));
        let said = good(&arena(folder, &["resume"]));
        assert!(said.starts_with("tournament 1, first: 1 of 2 games"), "{said}");
        assert!(audit(folder, &["--tournament", "1"]).0 && audit(folder, &["--tournament", "2"]).0);
    });
}

#[test]
fn an_import_checks_everything_that_can_be_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let crash = format!("crash=ugi:{PLYHOUSE} arena mock ugi crash --at 2");
    good(&arena(folder, &["run", "--game", "loa", "--agent", "builtin:level=1", "--agent", &crash, "--quiet"]));
    let export = good(&arena(folder, &["export"]));
    let import = |lines: &[String]| {
        std::fs::write(folder.join("games.jsonl"), lines.join("\n")).expect("a file");
        arena(folder, &["import", "games.jsonl", "--store", "other.sqlite"])
    };
    let whole: Vec<String> = export.lines().map(str::to_owned).collect();
    let said = good(&import(&whole));
    assert!(
        said.contains("0 confirmed by the rules\n2 ended by a fault") && said.contains("chain of hashes is intact")
    );
    let said = good(&arena(folder, &["verify", "--store", "other.sqlite"]));
    assert!(said.contains("2 ended by a fault or by a proof, according to the imported file"), "{said}");

    // While the lines have their hashes, any change to a line is detected.
    let import_changed = |line: usize, from: &str, to: &str, lines: &[String]| {
        let mut lines = lines.to_vec();
        assert!(lines[line].contains(from), "{from}: {}", lines[line]);
        lines[line] = lines[line].replacen(from, to, 1);
        refused(&import(&lines))
    };
    assert!(import_changed(1, "\"began\":\"2", "\"began\":\"3", &whole).contains("line 2: the chain is broken"));
    assert!(
        import_changed(0, "\"seed\":1", "\"seed\":2", &whole).contains("line 1: the tournament's header was changed")
    );
    assert!(refused(&import(&whole[..2])).contains("games: 1 found, expected "));

    // Without the hashes, the result must still follow from the fault.
    let unchained: Vec<String> = whole.iter().map(|line| cut(line)).collect();
    assert!(good(&import(&unchained)).contains("not chained"));
    let is_first = |line: &String| line.contains("\"result\":\"first\"");
    let won = 1 + unchained[1..].iter().position(is_first).expect("each has both colours");
    for (from, to, part) in [
        (
            "\"result\":\"first\"",
            "\"result\":\"second\"",
            "expected a win of Black, which follows from the side at fault",
        ),
        ("\"result\":\"first\"", "\"result\":\"tie\"", "which follows from the side at fault"),
        ("\"ending\":\"crash\"", "\"ending\":\"time\"", "ending: time found, expected the last fault of the list"),
        ("\"side\":1,\"kind", "\"side\":0,\"kind", "which follows from the side at fault"),
        ("\"side\":1,\"kind", "\"side\":7,\"kind", "side 7"),
        ("\"side\":0", "\"side\":1", "the other side was to move"),
        ("\"text\":\"", "\"text\":\"x", "move 1: "),
        (
            "\"ending\":\"crash\"",
            "\"ending\":\"win\"",
            "its moves lead to a game in progress, expected a win of Black (win)",
        ),
        ("\"agents\":[0,1]", "\"agents\":[0,9]", "0 and 9 found, expected two of the 2 agents"),
        ("\"round\":0", "\"round\":1", "does not follow from the tournament"),
        ("\"ply\":", "\"ply\":9", "and at most ply "),
    ] {
        let said = import_changed(won, from, to, &unchained);
        assert!(said.contains(&format!("line {}: ", won + 1)) && said.contains(part), "{said}");
    }
}

/// 500 agents, and 2,000 games per pair. The schedule alone would take 14 GB.
#[test]
fn a_small_file_cannot_exhaust_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let agents: Vec<Value> = (0..500).map(|i| serde_json::json!({"name": i.to_string(), "builtin": ""})).collect();
    let header = serde_json::json!({
        "tournament": {"game": "jump61", "games": 2000, "opening": 9, "agent": agents},
        "planned": 249_500_000, "began": "", "version": "", "machine": "",
    });
    std::fs::write(folder.join("games.jsonl"), header.to_string()).expect("a file");
    for arguments in ["import games.jsonl", "verify", "export"] {
        let limited = format!("ulimit -v 2000000; exec {PLYHOUSE} arena {arguments}");
        let output = Command::new("sh").args(["-c", &limited]).current_dir(folder).output().expect("it runs");
        good(&output);
    }
}

/// Only the accepted files play, and only in the recorded sandbox.
#[test]
fn a_changed_submission_or_sandbox_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let ann = submit(folder, "ann", "");
    submit(folder, "bob", "");
    good(&arena(folder, &["enter", "submissions", "--out", "cup.toml", "--sandbox", "none", "--move-limit", "20"]));
    std::fs::write(ann.join("notes.txt"), "a file that came later").expect("a file");
    let said = refused(&arena(folder, &["run", "cup.toml"]));
    assert!(said.contains("agent `ann`: its files or its command have changed since it was accepted"), "{said}");
    assert!(!folder.join("arena.sqlite").exists() || refused(&arena(folder, &["standings"])).contains("no tournament"));
    std::fs::remove_file(ann.join("notes.txt")).expect("a file");
    let played = arena(folder, &["run", "cup.toml", "--games", "2", "--quiet"]);
    good(&played);
    assert!(text(&played).contains("submissions play without a sandbox"), "{}", text(&played));
    let said = refused(&arena(folder, &["resume", "--sandbox", "landlock"]));
    assert!(said.contains("sandbox landlock: ") && said.contains("expected none"), "{said}");

    std::fs::remove_file(folder.join("cup.toml")).expect("a file");
    for name in ["ann", "bob"] {
        std::fs::write(folder.join("submissions").join(name).join("agent.toml"), "builtin = ''").expect("a file");
    }
    let none = arena(folder, &["enter", "submissions", "--out", "cup.toml"]);
    assert!(text(&none).contains("no submission was accepted") && !folder.join("cup.toml").exists());
}

/// Creates a submission that plays honestly in the dialect of the competition, with `more` lines in its `agent.toml`.
fn submit(folder: &Path, name: &str, more: &str) -> std::path::PathBuf {
    let own = submission(folder, name);
    let agent = format!("command = './plyhouse arena mock nus honest'\ndialect = 'nus'\n{more}");
    std::fs::write(own.join("agent.toml"), agent).expect("a file");
    own
}

#[test]
fn a_submission_cannot_use_or_imitate_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    submit(folder, "ann", "");
    let engine = submit(folder, "engine", "");
    std::fs::write(engine.join("agent.toml"), "builtin = 'level=10'").expect("a file");
    submit(folder, "elsewhere", "directory = '/tmp'");
    submit(folder, "above", "directory = 'x/../..'");
    submit(folder, "hidden", "name = \"hid\\u200Bden\"");
    submit(folder, "backwards", "name = \"sdrawkcab\\u202E\"");
    submit(folder, "thief", "name = 'АNN'"); // with a Cyrillic letter
    submit(folder, "twin1", "name = 'The Twins'");
    submit(folder, "twin2", "name = 'the twins'");
    let linked = submit(folder, "linked", "");
    std::os::unix::fs::symlink("/etc", linked.join("lib")).expect("a link");
    let borrowed = submit(folder, "borrowed", "");
    std::fs::write(borrowed.join("agent.toml"), "command = 'sh ../ann/agent.toml'\ndialect = 'nus'").expect("a file");
    submit(folder, "writer", "writes = ['agent.toml']");
    let device = submit(folder, "device", "");
    std::fs::remove_file(device.join("agent.toml")).expect("a file");
    std::os::unix::fs::symlink("/dev/zero", device.join("agent.toml")).expect("a link");
    let pipe = submit(folder, "pipe", "");
    std::fs::remove_file(pipe.join("agent.toml")).expect("a file");
    assert!(Command::new("mkfifo").arg(pipe.join("agent.toml")).status().expect("it runs").success());
    submit(folder, "huge", &"# filler\n".repeat(10_000));
    let title = submit(folder, "title", "");
    std::fs::write(
        title.join("agent.toml"),
        "command = 'sh -c \"printf \\\\033]0;owned\\\\007 >&2; exit 3\"'\nx=\"\x1b[2J\"",
    )
    .expect("a file");

    let entered = arena(folder, &["enter", "submissions", "--out", "cup.toml"]);
    let said = text(&entered);
    assert!(entered.status.code() == Some(1) && said.contains("4 accepted, 12 refused"), "{said}");
    for (name, why) in [
        ("engine", "built-in engines cannot be submitted"),
        ("elsewhere", "expected a folder within the submission"),
        ("above", "directory"),
        ("hidden", "U+200B found"),
        ("backwards", "U+202E found"),
        ("linked", "link `lib`: its target is missing or outside"),
        ("borrowed", "`../ann/agent.toml` found, which belongs to another submission"),
        ("writer", "only `arena enter` may set this field"),
        ("device", "link `agent.toml`: its target is missing or outside"),
        ("pipe", "expected an ordinary file"),
        ("huge", "more than 65536 bytes"),
        ("title", "\\u001b[2J"),
    ] {
        let own = said.split(&format!("{name}\n    refused ")).nth(1).unwrap_or_default();
        assert!(own.lines().take(4).any(|line| line.contains(why)), "{name}: {said}");
    }
    assert!(!said.contains('\x1b'), "{said}");
    // A submission that takes the name of another one does not exclude the other one: each plays under the name of its
    // folder.
    let cup = std::fs::read_to_string(folder.join("cup.toml")).expect("a tournament");
    for (name, other) in [("thief", "ann"), ("twin1", "twin2"), ("twin2", "twin1")] {
        let note = format!("it looks like the name of `{other}`, so the agent plays as `{name}`");
        assert!(said.contains(&note) && cup.contains(&format!("name = \"{name}\"")), "{said} {cup}");
    }
    // An agent given on the command line is checked just as strictly.
    assert!(refused(&arena(folder, &["check", "submissions/device"])).contains("expected an ordinary file"));
}

/// Without a sandbox, an agent may write to its own folder while it is checked and while it plays.
#[test]
fn an_agent_may_write_a_log_into_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let own = submit(folder, "ann", "");
    let script = format!("date >> log.txt; echo x > new.$$; exec {PLYHOUSE} arena mock nus honest\n");
    std::fs::write(own.join("agent.sh"), script).expect("a file");
    std::fs::write(own.join("agent.toml"), "command = 'sh agent.sh'\ndialect = 'nus'\n").expect("a file");
    submit(folder, "bob", "");
    let said =
        good(&arena(folder, &["enter", "submissions", "--out", "cup.toml", "--move-limit", "12", "--sandbox", "none"]));
    assert!(said.contains("writes") && said.contains("log.txt"), "{said}");
    good(&arena(folder, &["run", "cup.toml", "--quiet"]));
    let resumed = arena(folder, &["resume", "--quiet"]);
    good(&resumed);
    assert!(text(&resumed).contains("agent `ann` has new files: "), "{}", text(&resumed));
    std::fs::write(own.join("agent.sh"), "exit 1").expect("a file");
    std::fs::remove_file(own.join("agent.toml")).expect("a file");
    std::fs::write(own.join("agent.toml"), "command = 'sh agent.sh'").expect("a file");
    let said = refused(&arena(folder, &["resume"]));
    assert!(said.contains("agent.sh (changed)") && !said.contains("log.txt (changed)"), "{said}");
}

#[test]
fn control_characters_of_agents_never_reach_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let script = "printf '\\033]0;owned\\007 \\302\\233 \\342\\200\\256 ' >&2; echo >&2; echo \"$(printf 'bestmove \\033[2J')\"; exit 3";
    std::fs::write(folder.join("evil.sh"), script).expect("a file");
    for arguments in [
        &["check", "evil\u{9b}=ugi:sh evil.sh"][..],
        &["check", "evil=nus:sh evil.sh"],
        &["spar", "--agent", "evil=ugi:sh evil.sh"],
        &["run", "--game", "loa", "--agent", "evil=ugi:sh evil.sh", "--agent", "builtin:level=1"],
        &["run", "--game", "loa", "--agent", "e\x1b[2Jvil=ugi:sh evil.sh", "--agent", "builtin:level=1"],
        &["run", "--game", "loa", "--agent", "evil=ugi:sh evil.sh", "--agent", "builtin:level=1", "--json"],
        &["standings"],
    ] {
        let said = text(&arena(folder, arguments));
        let control = said.chars().find(|&c| c != '\n' && c != '\t' && game::text::is_hidden(c));
        assert!(control.is_none(), "{arguments:?}: {said}");
    }
    let said = text(&arena(folder, &["spar", "--agent", "evil=ugi:sh evil.sh"]));
    assert!(said.contains("\\u001b]0;owned\\u0007 \\u009b \\u202e"), "{said}");
}

/// Sends lines to an engine that is limited to 600 MB of address space, and returns its output.
fn engine_in_little_memory(player: &str, lines: &str) -> String {
    let limited = format!("ulimit -v 600000; exec {PLYHOUSE} engine loa --player nodes=2000,{player}");
    let mut child = Command::new("sh");
    child.args(["-c", &limited]).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, lines.as_bytes()).expect("written");
    drop(input);
    String::from_utf8_lossy(&child.wait_with_output().expect("it ends").stdout).into_owned()
}

#[test]
fn an_engine_survives_a_failed_allocation_of_its_table() {
    let said = engine_in_little_memory("", "setoption name hash value 700\nposition startpos\ngo nodes 2000\n");
    assert!(said.contains("info string error: option hash: ") && said.contains("bestmove "), "{said}");
    // If the size is given on the command line, the search falls back to a smaller table.
    let said = engine_in_little_memory("table=4096", "position startpos\ngo nodes 2000\n");
    assert!(said.contains("bestmove "), "{said}");
}

#[test]
fn sparring_prints_the_last_line_of_an_agent_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let agent = format!("ugi:{PLYHOUSE} arena mock ugi crash --at 1");
    let said = text(&arena(folder.path(), &["spar", "--agent", &agent]));
    assert_eq!(said.matches("something went wrong in move 1").count(), 1, "{said}");
}
