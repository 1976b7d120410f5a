//! Tournaments: misbehaving agents, kills at any moment, export and import, checking and sparring.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::tournaments::{PLYHOUSE, TestFolder, arena, command, games, good, json, on_each_store, submission, text};
use game::SplitMix64;
use serde_json::Value;

/// Returns the command lines of processes that our program has started and left behind.
fn left_behind(folder: &Path) -> Vec<String> {
    let needle = format!("PLYHOUSE_TEST_MARK={}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.split(|&b| b == 0).any(|variable| variable == needle.as_bytes()) {
            found.push(std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default().replace('\0', " "));
        }
    }
    found
}

fn standings(folder: &Path) -> BTreeMap<String, Value> {
    let all = json(folder, &["standings", "--json"]);
    let lines = all["standings"].as_array().expect("a list").clone();
    lines.into_iter().map(|line| (line["agent"].as_str().unwrap_or_default().to_owned(), line)).collect()
}

/// An honest engine plays a gauntlet against agents that misbehave in every way. Each loses through its own fault, and
/// no process is left behind.
#[test]
fn bad_agents_lose_for_their_own_reasons() {
    const BEHAVIOURS: [(&str, &str); 11] = [
        ("illegal", "illegal move"),
        ("crash", "crash"),
        ("abort", "crash"),
        ("hang", "stall"),
        ("slow", "time"),
        ("garbage", "unreadable answer"),
        ("no-newline", "stall"),
        ("endless-line", "time"),
        ("flood", "output"),
        ("no-start", "no start"),
        ("false-claim", "false claim"),
    ];
    // Only these agents reach their time limit. The limit of the others is long enough for a busy machine.
    const LATE: [&str; 4] = ["hang", "slow", "no-newline", "endless-line"];
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut file = "game = 'loa'\nformat = 'gauntlet'\nopening = 2\njobs = 4\n[time]\nmove = 120\nstart = 120\n\
                    [[agent]]\nname = 'honest'\nbuiltin = 'level=4'\n"
        .to_owned();
    let mut add = |name: &str, dialect: &str, behaviour: &str| {
        let limit = if LATE.contains(&behaviour) { "move = 1.5\n" } else { "" };
        file.extend(["[[agent]]\nname = '", name, "'\ncommand = '", PLYHOUSE, " arena mock ", dialect, " ", behaviour]);
        file.extend([" --at 2'\ndialect = '", dialect, "'\n", limit]);
    };
    for (behaviour, _) in BEHAVIOURS {
        add(behaviour, "cs61b", behaviour);
    }
    add("orphan", "cs61b", "orphan");
    add("crash by ugi", "ugi", "crash");
    std::fs::write(folder.join("cup.toml"), file).expect("a file");
    // The exit code is 1 because one agent did not start.
    assert_eq!(arena(folder, &["run", "cup.toml", "--quiet"]).status.code(), Some(1));
    assert_eq!(left_behind(folder), Vec::<String>::new());

    let standings = standings(folder);
    for (behaviour, fault) in BEHAVIOURS {
        let line = &standings[behaviour];
        assert_eq!((&line["won"], &line["lost"]), (&0.into(), &2.into()), "{behaviour}: {line}");
        let count = |kind: &str| line["faults"][kind].as_u64().unwrap_or(0);
        // On a busy machine these two agents may count as stalled while they wait for a reader or for a processor.
        let stalls = if ["endless-line", "slow"].contains(&behaviour) { count("stall") } else { 0 };
        assert_eq!(count(fault) + stalls, 2, "{behaviour}: {line}");
    }
    // The orphan's parent plays random moves to the end, and loses without a fault.
    assert_eq!((&standings["orphan"]["faults"], &standings["orphan"]["lost"]), (&serde_json::json!({}), &2.into()));
    let honest = &standings["honest"];
    assert_eq!((&honest["won"], &honest["faults"]), (&(2 * (BEHAVIOURS.len() + 2)).into(), &serde_json::json!({})));

    let crashes: Vec<Value> = games(folder).into_iter().filter(|game| game["ending"] == "crash").collect();
    assert_eq!(crashes.len(), 6);
    let details: Vec<String> = crashes.iter().map(|game| game["faults"][0]["detail"].to_string()).collect();
    assert!(details.iter().any(|text| text.contains("exit code 3")), "{details:?}");
    assert!(details.iter().any(|text| text.contains("SIGABRT")), "{details:?}");
    let is_kept = crashes.iter().any(|game| game["stderr"].to_string().contains("something went wrong in move 2"));
    assert!(is_kept, "standard error is kept");
}

/// Three agents are honest and three misbehave. The standings list each agent's faults.
#[test]
fn a_round_robin_has_the_right_standings() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mock = |behaviour: &str| format!("{behaviour}=ugi:{PLYHOUSE} arena mock ugi {behaviour} --at 2");
    let bad = [mock("crash"), mock("illegal"), mock("garbage")];
    let mut arguments = vec!["run", "--game", "loa", "--opening", "3", "--games", "4", "--seed", "2"];
    arguments.extend(["--size", "6", "--move-time", "120"]);
    for agent in ["builtin:nodes=4000", "builtin:level=3", "builtin:level=1", &bad[0], &bad[1], &bad[2]] {
        arguments.extend(["--agent", agent]);
    }
    let shown = good(&arena(folder, &arguments));
    assert!(shown.contains("60 of 60 games") && shown.contains("crash: crash "), "{shown}");
    let all = json(folder, &["standings", "--json"]);
    let order: Vec<&str> =
        all["standings"].as_array().into_iter().flatten().filter_map(|line| line["agent"].as_str()).collect();
    assert_eq!(order[..3], ["plyhouse nodes=4000", "plyhouse level=3", "plyhouse level=1"]);
    let standings = standings(folder);
    for (name, fault) in [("crash", "crash"), ("illegal", "illegal move"), ("garbage", "unreadable answer")] {
        let line = &standings[name];
        // The agent loses all twelve games against the honest agents through its faults. Between misbehaving agents,
        // the colours decide whose fault comes first.
        let faults = &line["faults"];
        assert_eq!(faults.as_object().map(serde_json::Map::len), Some(1), "{line}");
        assert!(faults[fault].as_u64() >= Some(12) && faults[fault] == line["lost"], "{line}");
    }
    let points: f64 = standings.values().filter_map(|line| line["points"].as_f64()).sum();
    assert!((points - 60.0).abs() < 1e-9);
    assert_eq!(left_behind(folder), Vec::<String>::new());
}

/// In the competition of CS3243, a random move replaces a faulty one, and the fault is counted. This needs no option.
#[test]
fn a_random_move_replaces_faults_of_agents_of_the_competition() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let bad = format!("bad=nus:{PLYHOUSE} arena mock nus illegal --at 2");
    let crash = format!("crash=nus:{PLYHOUSE} arena mock nus crash --at 3");
    let agents = ["--agent", &bad, "--agent", &crash, "--agent", "level=builtin:level=3"];
    let short = ["run", "--game", "loa", "--size", "6", "--move-limit", "12", "--quiet"];
    good(&arena(folder, &[&short[..], &agents].concat()));
    let export = good(&arena(folder, &["export"]));
    let header: Value = serde_json::from_str(export.lines().next().unwrap_or_default()).expect("JSON");
    assert_eq!(header["tournament"]["time"]["move"], 3.0, "the competition's time limit");
    // The moves depend only on the seed, unless an agent reaches its time limit.
    let run = ["run", "--game", "loa", "--size", "6", "--move-limit", "20", "--move-time", "120", "--json"];
    let run = [&run[..], &agents].concat();
    let lines = good(&arena(folder, &run));
    assert_eq!(lines.lines().count(), 7, "six games and the standings");
    let games = games(folder);
    assert!(games.iter().all(|game| game["ending"] == "win" || game["ending"] == "tie by limit"), "{games:?}");
    let replaced =
        |game: &Value| game["moves"].as_array().into_iter().flatten().filter(|m| m["replaced"] == true).count();
    for game in &games {
        assert_eq!(replaced(game), game["faults"].as_array().map_or(0, Vec::len), "{game}");
    }
    assert!(standings(folder)["bad"]["faults"]["illegal move"].as_u64() >= Some(2));
    assert_eq!(left_behind(folder), Vec::<String>::new());
    // A second run with the same seed has the same moves.
    let again = tempfile::tempdir().expect("a folder");
    good(&arena(again.path(), &run));
    let moves = |games: &[Value]| -> Vec<String> {
        let texts =
            |game: &Value| game["moves"].as_array().into_iter().flatten().map(|m| m["text"].to_string()).collect();
        games.iter().map(texts).collect()
    };
    assert_eq!(moves(&games), moves(&self::games(again.path())));
}

#[test]
fn a_tournament_survives_being_killed() {
    kill_and_resume(&TestFolder::with_file());
}

#[test]
fn a_tournament_in_a_database_survives_being_killed() {
    if let Some(folder) = TestFolder::on_postgres() {
        kill_and_resume(&folder);
    }
}

/// Kills a tournament at twenty random moments and resumes it each time. Asserts that it has every game exactly once
/// and that its store is intact.
fn kill_and_resume(folder: &TestFolder) {
    const KILLS: usize = 20;
    const GAMES: usize = 180;
    let loa = format!("mock=ugi:{PLYHOUSE} arena mock ugi honest");
    let agents =
        ["--agent", "builtin:level=1", "--agent", "builtin:level=2", "--agent", "builtin:nodes=400", "--agent", &loa];
    let options = ["--size", "5", "--games", "30", "--opening", "6", "--seed", "8"];
    let limits = ["--move-limit", "16", "--move-time", "120"];
    let run = [&["run", "--game", "loa", "--json"][..], &options, &limits, &agents].concat();
    let mut rng = SplitMix64::new(20);
    let (mut next, mut kills) = (run.clone(), 0);
    while kills < KILLS {
        let mut child = command(folder, &next).stdout(Stdio::piped()).spawn().expect("the program runs");
        // Each kill waits for a few games rather than for a fixed time, so that enough games are left for the next
        // kills.
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        lines.by_ref().take(rng.below(5)).for_each(drop);
        std::thread::sleep(Duration::from_millis(rng.below(40) as u64));
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        kills += 1;
        child.kill().expect("a child");
        child.wait().expect("a child");
        // If the tournament was not saved before the kill, there is nothing to resume.
        let begun = arena(folder, &["standings"]).status.success();
        next = if begun { vec!["resume", "--json"] } else { run.clone() };
    }
    good(&arena(folder, &next));
    good(&arena(folder, &["resume", "--quiet"]));
    assert!(kills >= KILLS / 2, "{kills} kills: the tournament is too short");
    let games = games(folder);
    let numbers: BTreeSet<u64> = games.iter().filter_map(|game| game["number"].as_u64()).collect();
    assert_eq!((games.len(), numbers.len()), (GAMES, GAMES));
    let openings: BTreeSet<String> =
        games.iter().map(|game| format!("{} {}", game["agents"], game["opening"])).collect();
    assert_eq!(openings.len(), GAMES, "every game is different");
    let store = arena::Store::open(&folder.location()).expect("a store");
    assert!(store.is_sound().expect("readable"));
    assert_eq!(store.tournaments().expect("readable").len(), 1);
}

#[test]
fn a_second_process_cannot_play_in_the_same_store() {
    on_each_store(|folder| {
        let agents = ["--agent", "builtin:level=1", "--agent", "builtin:level=2"];
        good(&arena(folder, &[&["run", "--game", "jump61", "--quiet"][..], &agents].concat()));
        let hold = arena::Hold::take(&folder.location()).expect("no other process plays");
        let refused = arena(folder, &["resume"]);
        assert!(!refused.status.success() && text(&refused).contains("another process"), "{}", text(&refused));
        drop(hold);
        good(&arena(folder, &["resume", "--quiet"]));
    });
}

#[test]
fn exported_games_can_be_imported() {
    on_each_store(|folder| {
        let agents = ["--agent", "builtin:level=1", "--agent", "builtin:level=2", "--agent", "builtin:build=random"];
        let run =
            [&["run", "--game", "loa", "--games", "4", "--opening", "3", "--game-time", "60", "--quiet"][..], &agents]
                .concat();
        good(&arena(folder, &run));
        good(&arena(folder, &["export", "--out", "games.jsonl"]));
        let full = arena(folder, &["export", "--out", "/dev/full"]);
        assert!(!full.status.success() && text(&full).contains("file /dev/full: No space left"), "{}", text(&full));
        assert!(good(&arena(folder, &["import", "games.jsonl", "--store", "other.sqlite"])).contains("12 of 12 games"));
        assert!(good(&arena(folder, &["list", "--store", "other.sqlite"])).contains("finished, imported"));
        assert!(good(&arena(folder, &["standings", "--store", "other.sqlite"])).contains("12 of 12 games, imported"));
        // The export can also be imported into its own store.
        assert!(good(&arena(folder, &["import", "games.jsonl"])).contains("tournament 2: 12 of 12 games"));
        let lines = |more: &[&str]| -> Vec<String> {
            good(&arena(folder, &[&["export"][..], more].concat())).lines().map(str::to_owned).collect()
        };
        let whole = lines(&["-t", "1"]);
        assert!(whole.len() == 13 && whole == lines(&["-t", "2"]) && whole == lines(&["--store", "other.sqlite"]));

        let sgf = good(&arena(folder, &["export", "--format", "sgf"]));
        let read = protocol::sgf::read(&sgf).expect("SGF");
        assert_eq!(read.len(), 12);
        assert!(
            read.iter().all(|game| game.main_line().len() > 3 && game.position().to_string().starts_with("-bbbbbb-"))
        );

        // A contradictory game is rejected.
        let file = folder.join("games.jsonl");
        let whole = std::fs::read_to_string(&file).expect("the file");
        for (from, to) in
            [("\"result\":\"first\"", "\"result\":\"second\""), ("\"ending\":\"win\"", "\"ending\":\"luck\"")]
        {
            std::fs::write(&file, whole.replacen(from, to, 1)).expect("the file");
            let refused = arena(folder, &["import", "games.jsonl", "--store", "third.sqlite"]);
            assert!(!refused.status.success() && text(&refused).contains("line "), "{}", text(&refused));
        }
    });
}

#[test]
fn check_reports_the_problem_and_its_solution() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let ready = arena(folder, &["check", &format!("nus:{PLYHOUSE} arena mock nus honest")]);
    assert!(good(&ready).ends_with("ready to enter\n"));
    // Only the hanging program reaches its time limit, which is much longer than its processor time. It therefore gets
    // the advice for a program that waits.
    let mocks =
        [("nus", "garbage", "D1B3", "120"), ("cs61b", "hang", "flushed", "5"), ("ugi", "no-start", "readyok", "120")];
    for (dialect, behaviour, advice, limit) in mocks {
        let agent = format!("{dialect}:{PLYHOUSE} arena mock {dialect} {behaviour} --at 1");
        let failed = arena(folder, &["check", &agent, "--move-time", limit]);
        let said = text(&failed);
        assert!(failed.status.code() == Some(1) && said.contains("FAILED") && said.contains(advice), "{said}");
        assert!(said.ends_with("not ready\n"));
    }
    for (agent, part) in
        [("klingon:x", "DIALECT:COMMAND"), ("comp10002:x", "cannot start `x`"), ("builtin:level=11", "1 to 10")]
    {
        let refused = arena(folder, &["check", agent]);
        assert!(!refused.status.success() && text(&refused).contains(part), "{}", text(&refused));
    }
}

/// The sandbox hides the classes of a Java program. `java` is a script in this test.
#[cfg(unix)]
#[test]
fn check_passes_the_class_path_of_java_or_reports_what_is_hidden() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, classes) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let java = folder.path().join("java");
    std::fs::write(
        &java,
        "#!/bin/sh\n\
         [ \"$1\" = -cp ] && cat \"$2/Main.class\" >&2 && exit 1\n\
         printf 'Exception in thread \"main\" java.lang.NoClassDefFoundError: loa/Main\\n\\t... 1 more\\n' >&2\n\
         exit 1\n",
    )
    .expect("a script");
    std::fs::set_permissions(&java, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    std::fs::write(classes.path().join("Main.class"), "ValueError: the classes were found\n").expect("a file");
    let check = |class_path: Option<&Path>| {
        let mut command = command(folder.path(), &["check", "cs61b:./java -ea loa.Main", "--move-time", "120"]);
        match class_path {
            Some(path) => command.env("CLASSPATH", path),
            None => command.env_remove("CLASSPATH"),
        };
        text(&command.output().expect("it runs"))
    };
    let said = check(None);
    assert!(said.contains("java.lang.NoClassDefFoundError: loa/Main") && !said.contains("1 more"), "{said}");
    let is_confined = !said.contains("agents run with your permissions");
    assert_eq!(said.contains("name Java's classes with `java -cp`"), is_confined, "{said}");
    let said = check(Some(classes.path()));
    assert!(said.contains("the classes were found") && said.contains("your CLASSPATH is passed"), "{said}");
}

/// Faults of the competition's agents are reported in the coordinates that the agent sees, even when it plays White.
/// Each fault is reported once.
#[test]
fn check_uses_the_notation_of_the_competition() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let illegal = format!("nus:{PLYHOUSE} arena mock nus illegal --at 1");
    let said = text(&arena(folder, &["check", &illegal, "--move-time", "120"]));
    assert!(
        said.contains("FAILED  moves first: illegal move: A1A1: A1 is empty; its board, row 1 first: .XXXX."),
        "{said}"
    );
    let second = format!("nus:{PLYHOUSE} arena mock nus illegal --at 4");
    let said = text(&arena(folder, &["check", &second, "--move-time", "120"]));
    assert!(said.contains("moves, A1A1: A1 is empty; ") && said.contains("a random move replaces it"), "{said}");
    // The output shows the board twice, both times as the agent received it.
    let board = said.split("row 1 first: ").nth(1).and_then(|rest| rest.split(';').next()).unwrap_or_default();
    let position = board.replace(' ', "/").replace('.', "-").replace('X', "b").replace('O', "w");
    assert!(said.contains(&format!("is {position} b; ")), "{position}: {said}");
    assert_eq!(said.matches("illegal move").count(), 1, "{said}");
    // Without `--move-time`, the competition's limit of three seconds applies.
    let hang = format!("nus:{PLYHOUSE} arena mock nus hang --at 1");
    let said = text(&arena(folder, &["check", &hang]));
    let waited = said.split("no answer in ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    // The seconds include the start of the process, which may be slow on a busy machine.
    assert!(waited.is_some_and(|seconds: f64| (0.5..60.0).contains(&seconds)), "{said}");
}

#[test]
fn an_invalid_tournament_file_is_explained_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("cup.toml"), "game = 'loa'\nsize = 'large'\n").expect("a file");
    let said = text(&arena(folder, &["run", "cup.toml"]));
    assert_eq!((said.matches("TOML parse error").count(), said.matches("cup.toml").count()), (1, 1), "{said}");
}

/// "If you include a URL in the printable name, we will try to link to the specified web page in the game logs."
#[test]
fn report_pages_link_the_url_in_an_agents_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let script = format!(
        "read line; if [ \"$line\" = identify ]; then echo 'Ann, https://ann.example/loa?a=1&b=2'; \
         else (echo \"$line\"; cat) | {PLYHOUSE} arena mock nus honest; fi\n"
    );
    std::fs::write(folder.join("ann.sh"), script).expect("a file");
    let agents = ["--agent", "ann=nus:sh ann.sh", "--agent", "builtin:level=4"];
    good(&arena(folder, &[&["run", "--game", "loa", "--size", "6", "--quiet"][..], &agents].concat()));
    good(&arena(folder, &["report", "site", "--quiet"]));
    let read = |page: &str| std::fs::read_to_string(folder.join("site").join(page)).expect("a page");
    let html = read("index.html");
    assert!(html.contains("<a href=\"https://ann.example/loa?a=1&amp;b=2\" rel=\"nofollow noopener\">"), "{html}");
    let data = read("data/tournament.js");
    assert!(data.contains(r#"[["Ann, ",false],["https://ann.example/loa?a=1&b=2",true]]"#), "{data}");
}

#[test]
fn each_submission_of_a_folder_is_accepted_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let submit = |name: &str, file: &str, content: &str| {
        std::fs::write(submission(folder, name).join(file), content).expect("a file");
    };
    let agent =
        |behaviour: &str| format!("command = './plyhouse arena mock nus {behaviour} --at 1'\ndialect = 'nus'\n");
    submit("ann", "agent.toml", &agent("honest"));
    submit("bob", "agent.toml", &(agent("honest") + "name = 'Bob & co'\nbuild = 'echo compiled > out.txt'\n"));
    submit("eve", "agent.toml", &agent("garbage"));
    submit("mallory", "agent.toml", &(agent("honest") + "build = 'exit 7'\n"));
    submit("zoe", "readme.txt", "see mail");
    submit("yan", "agent.toml", "command = './agent.sh'\ndialect = 'nus'\n");
    submit("yan", "agent.sh", "#!/bin/sh\r\nexit 1\r\n");
    submit("xia/agent", "agent.toml", &agent("honest"));
    submit("wim", "agent.zip", "");
    submit("vic/files", "agent.rar", "Rar!\u{1a}\u{7}\0");
    std::fs::write(folder.join("submissions/una.7z"), b"7z\xbc\xaf\x27\x1c").expect("a file");
    let entered =
        arena(folder, &["enter", "submissions", "--out", "cup.toml", "--move-time", "120", "--move-limit", "20"]);
    let said = text(&entered);
    assert_eq!(entered.status.code(), Some(1), "{said}");
    assert!(
        said.contains("2 accepted, 8 refused") && said.contains("exit code 7") && said.contains("agent.toml"),
        "{said}"
    );
    for why in [
        "`./agent.sh`: line 1 ends in CR LF\n            save the file with Unix line endings",
        "its folder `agent` has an `agent.toml`: move the files of that folder up",
        "it has no `agent.toml`, but `agent.zip`: it is named like an archive, but it is not one; ask for",
        "it has no `agent.toml`, but `agent.rar`: it is a RAR archive; unpack it into a folder of its own (`unar`)",
        "una.7z\n    refused it is a 7-Zip archive\n            unpack it into a folder of its own (`7z x`)\n",
        "it has no `agent.toml`\n",
    ] {
        assert!(said.contains(why), "{why}: {said}");
    }
    assert!(folder.join("submissions/bob/out.txt").exists(), "the build ran in its own folder");
    good(&arena(folder, &["run", "cup.toml", "--games", "2", "--quiet"]));
    let names: Vec<String> = standings(folder).into_keys().collect();
    assert_eq!(names, ["Bob & co", "ann"]);
    // Changed files are detected before a resume.
    submit("ann", "agent.toml", &agent("crash"));
    let refused = arena(folder, &["resume"]);
    assert!(!refused.status.success() && text(&refused).contains("`ann`"), "{}", text(&refused));
    good(&arena(folder, &["resume", "--accept-changes", "--quiet"]));
}

#[test]
fn sparring_explains_the_first_illegal_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let agent = format!("student=cs61b:{PLYHOUSE} arena mock cs61b illegal --at 2");
    let sparred = arena(folder.path(), &["spar", "--agent", &agent, "--level", "2", "--boards"]);
    let said = text(&sparred);
    assert_eq!(sparred.status.code(), Some(1), "{said}");
    assert!(said.contains("The first fault of student") && said.contains("\na1-a1: a1 is empty\n"), "{said}");
    assert!(said.contains("level 2 wins"), "{said}");
    let fine = format!("student=cs61b:{PLYHOUSE} arena mock cs61b honest");
    assert!(arena(folder.path(), &["spar", "--agent", &fine, "--side", "second"]).status.success());
}

#[test]
fn the_report_is_complete_and_escaped() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let print = r"printf '\033[2J\000 \342\200\256txt\n' >&2";
    std::fs::write(folder.join("evil.sh"), format!("{print}; exec {PLYHOUSE} arena mock cs61b crash --at 2\n"))
        .expect("a file");
    let evil = "<script>alert(1)</script>=cs61b:sh evil.sh".to_owned();
    let agents = ["--agent", &evil, "--agent", "builtin:level=2", "--agent", "builtin:level=1"];
    good(&arena(folder, &[&["run", "--game", "loa", "--quiet", "--sandbox", "none"][..], &agents].concat()));
    good(&arena(folder, &["report", "site", "--quiet"]));
    let site = folder.join("site");
    let files = [&site, &site.join("data")].map(|folder| std::fs::read_dir(folder).expect("a folder").flatten());
    let files = files.into_iter().flatten().map(|entry| entry.path()).filter(|path| path.is_file());
    let mut names = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file");
        let file = file.strip_prefix(&site).expect("in the site").to_string_lossy().into_owned();
        assert!(text.chars().all(|c| c == '\n' || !game::text::is_hidden(c)), "{file}: hidden characters");
        if text.starts_with("<!DOCTYPE html>") {
            assert!(!text.contains("<script>alert"), "{file} is escaped");
            assert!(text.contains("<noscript><p class=\"notice\">Turn on JavaScript"), "{file}");
        }
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split(['"', '#']).next()) {
            assert!(site.join(link).exists(), "{file}: {link}");
        }
        names.push(file);
    }
    names.sort();
    let data = ["data/chunk-0.js", "data/games.js", "data/tournament.js"];
    let pages = ["agent-0.html", "agent-1.html", "agent-2.html"];
    let rest = ["game.html", "index.html", "replay.js", "style.css", "tables.js"];
    assert_eq!(names, [&pages[..], &data, &rest].concat());
    let games = std::fs::read_to_string(site.join(data[0])).expect("the games");
    assert!(games.contains(r"\\u001b[2J\\u0000 \\u202etxt"), "{games}");
    assert_eq!(games.matches("\"stderr\":").count(), 4, "one for each game of the crashing agent");
    assert!(std::fs::read_to_string(site.join("agent-0.html")).expect("a page").contains("exit code 3"));
}
