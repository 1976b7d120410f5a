//! Attacks on the arena and on other agents, in each sandbox, as root and as an ordinary user. Each test plays real
//! tournaments with honest agents and attackers.

mod builds;
pub(crate) mod range;
mod table;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::sandbox::range::{Played, Range, Setup, Tier, User, is_root, report_skipped, tiers, traces, users};
use crate::sandbox::table::{CALLS, Expected, HEAVY, LASTING, Line, QUIET};
use crate::tournaments::{PLYHOUSE, example, good, link, text, until};

/// Kinds of faults for exceeded limits.
const LIMITS: [&str; 5] = ["memory", "processes", "output", "processor time", "disk"];

fn expected(line: &Line, tier: Tier) -> Expected {
    match tier {
        Tier::None => Expected::Open,
        Tier::Bwrap => line.1,
        Tier::Landlock => line.2,
    }
}

/// Returns the violations of the conditions that must hold for every attack: the tournament ends, honest agents have no
/// fault, nothing is left behind, no socket or file of the test was reached, and the store is intact.
fn disturbances(range: &Range, played: &Played) -> String {
    let mut wrong = String::new();
    // Attackers that reach a limit before they are ready are withdrawn, which the exit code reports.
    let is_withdrawn = played.faults().iter().any(|(_, _, detail)| detail.starts_with("not ready: "));
    if !played.end.is_some_and(|status| status.success() || is_withdrawn && status.code() == Some(1)) {
        let _ = writeln!(wrong, "the tournament ended with {:?}: {}", played.end, played.errors);
    }
    for (agent, kind, detail) in played.faults() {
        if agent == "victim" || agent == "rival" {
            let _ = writeln!(wrong, "{agent} has the fault `{kind}`: {detail}");
        }
    }
    for process in &played.left {
        let _ = writeln!(wrong, "left behind: {process}");
    }
    for what in &played.reached {
        let _ = writeln!(wrong, "an attacker has reached the test over {what}");
    }
    for trace in traces().into_iter().chain(range.temporary_files()) {
        let _ = writeln!(wrong, "left behind: {}", trace.display());
    }
    if !range.path().join("precious/keep.txt").exists() || range.path().join("beats").exists() {
        let _ = writeln!(wrong, "a file of the test was removed or written");
    }
    let sound = arena::Store::open(&range.path().join("arena.sqlite").into()).and_then(|store| store.is_sound());
    let verified = range.arena(&["verify"]).output().expect("the program runs");
    if !sound.is_ok_and(|sound| sound) || !verified.status.success() {
        let _ = writeln!(wrong, "the store is damaged: {}", String::from_utf8_lossy(&verified.stdout));
    }
    wrong
}

/// Returns the attacks whose outcome differs from the expected one.
fn unexpected_outcomes(setup: Setup, lines: &[Line], agent_of: impl Fn(&str) -> String, played: &Played) -> String {
    let mut wrong = String::new();
    let (reports, faults) = (played.reports(), played.faults());
    for line in lines {
        let agent = agent_of(line.0);
        let prefix = format!("attack {}: ", line.0);
        let own_reports: Vec<_> =
            reports.get(&agent).into_iter().flatten().filter(|report| report.line.starts_with(&prefix)).collect();
        let is_own =
            |(name, _, detail): &&(String, String, String)| *name == agent && !detail.starts_with("withdrawn: ");
        let faults: Vec<_> = faults.iter().filter(is_own).collect();
        let succeeded = own_reports.iter().find(|report| report.succeeded);
        match expected(line, setup.tier) {
            Expected::Contained | Expected::Open => (),
            Expected::Refused if own_reports.is_empty() => {
                let _ = writeln!(wrong, "{}: no report; {faults:?}", line.0);
            }
            Expected::Limited if own_reports.is_empty() => {
                if faults.is_empty() || !faults.iter().all(|(_, kind, _)| LIMITS.contains(&kind.as_str())) {
                    let _ = writeln!(wrong, "{}: no report, and no limit was named: {faults:?}", line.0);
                }
            }
            Expected::Refused | Expected::Limited => {
                if let Some(report) = succeeded {
                    let _ = writeln!(wrong, "{}", report.line);
                }
            }
        }
    }
    wrong
}

/// Locks out other tests: without a sandbox, attackers leave traces that another test would find, and tests slow each
/// other.
fn lock() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a test in every setup of this machine. `ONLY=bwrap,root,nus` in the environment selects the setups with all of
/// these words, and `ONLY_ATTACKS=trace,listen` selects attacks.
fn each(dialects: &[&'static str], test: impl FnMut(Setup) -> String) {
    each_in(&tiers(), dialects, test);
}

/// Like [`each`], in given tiers.
fn each_in(tiers: &[Tier], dialects: &[&'static str], mut test: impl FnMut(Setup) -> String) {
    let mut wrong = String::new();
    let only = std::env::var("ONLY").unwrap_or_default();
    let _lock = lock();
    for &tier in tiers {
        for user in users() {
            for &dialect in dialects {
                let setup = Setup { tier, user, dialect };
                let words = format!("{setup:?}").to_lowercase();
                if !only.split(',').all(|word| words.contains(word)) {
                    continue;
                }
                let found = test(setup);
                if !found.is_empty() {
                    let _ = writeln!(wrong, "== {setup:?}\n{found}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Prints the reports of all attackers and all faults.
fn show(played: &Played) {
    let mut text = String::new();
    for report in played.reports().into_values().flatten() {
        let _ = writeln!(text, "{}", report.line);
    }
    for (agent, kind, detail) in played.faults() {
        let _ = writeln!(text, "{agent} has the fault `{kind}`: {detail}");
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Plays a tournament with one attacker for each line of the table, and returns what went wrong.
fn attack(mut range: Range, lines: &[Line], settings: &str) -> String {
    let only = std::env::var("ONLY_ATTACKS").unwrap_or_default();
    let is_chosen = |line: &&Line| only.is_empty() || only.split(',').any(|name| name == line.0);
    let lines: Vec<Line> = lines.iter().filter(is_chosen).copied().collect();
    let names: Vec<&str> = lines.iter().map(|line| line.0).collect();
    range.add_attackers(&names);
    let played = range.play(settings);
    if std::env::var_os("ONLY").is_some() {
        show(&played);
    }
    disturbances(&range, &played) + &unexpected_outcomes(range.setup, &lines, str::to_owned, &played)
}

/// Returns `true` if all attacks are tried in a setup. Each sandbox is tested with one dialect as root and with the
/// other dialect as an ordinary user, which halves the time.
fn has_all_attacks(setup: Setup) -> bool {
    let is_ugi_turn = (setup.tier == Tier::Bwrap) == (setup.user == User::Root);
    !is_root() || (setup.dialect == "ugi") == is_ugi_turn
}

#[test]
fn quiet_attacks_in_bubblewrap_end_as_documented() {
    quiet_attacks(Tier::Bwrap);
}

#[test]
fn quiet_attacks_in_landlock_end_as_documented() {
    quiet_attacks(Tier::Landlock);
}

fn quiet_attacks(tier: Tier) {
    let tiers: Vec<Tier> = tiers().into_iter().filter(|&found| found == tier).collect();
    each_in(&tiers, &["ugi", "nus"], |setup| {
        let is_tried = |line: &&Line| has_all_attacks(setup) || LASTING.contains(&line.0);
        let lines: Vec<Line> = QUIET.iter().filter(is_tried).copied().collect();
        let mut range = Range::new(setup);
        // These attacks mostly wait.
        range.jobs = 4;
        attack(range, &lines, "")
    });
}

#[test]
fn heavy_attacks_end_as_documented() {
    let limits = "[limits]\nmemory = \"256M\"\nprocesses = 48\nscratch = \"8M\"\n";
    each(&["ugi", "nus"], |setup| {
        if has_all_attacks(setup) { attack(Range::new(setup), &HEAVY, limits) } else { String::new() }
    });
}

/// `docs/security.md` has a row with the expected outcomes of every attack, and the tests try every attack of the
/// example `attacker`.
#[test]
fn the_documentation_has_the_outcomes_of_the_tests() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/security.md");
    let text = std::fs::read_to_string(file).expect("the documentation");
    for (name, bwrap, landlock) in QUIET.iter().chain(&HEAVY).chain(&CALLS) {
        let line = text.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap_or("no line");
        let end = format!("| {} | {} |", bwrap.word(), landlock.word());
        assert!(line.ends_with(&end), "docs/security.md, {name}: `{line}` found, expected `… {end}`");
    }
    let attacker = example("attacker", "plyhouse-cli");
    let list = good(&Command::new(attacker).arg("--list").output().expect("the program runs"));
    let tried = QUIET.iter().chain(&HEAVY).map(|line| line.0).collect::<BTreeSet<_>>();
    assert_eq!(list.lines().collect::<BTreeSet<_>>(), tried);
}

/// Builds a C program in a folder, named after its source. Returns `None` if it cannot be built.
fn cc(source: &str, folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let program = folder.join(source.file_stem().expect("a name"));
    let built = Command::new("cc").arg("-o").args([&program, &source]).status();
    if built.is_ok_and(|status| status.success()) {
        return Some(program);
    }
    report_skipped(&format!("{}, because it cannot be built with cc", source.display()));
    None
}

/// A C program tries system calls, and then executes an agent that plays.
#[test]
fn system_calls_end_as_documented() {
    let built = tempfile::tempdir().expect("a folder");
    let Some(syscalls) = cc("tests/sandbox/syscalls.c", built.path()) else { return };
    let Some(shared) = cc("tests/sandbox/shared.c", built.path()) else { return };
    each(&["ugi"], |setup| {
        let mut range = Range::new(setup);
        let port = range.port().to_string();
        for (name, source, options) in [("caller", &syscalls, &[port][..]), ("sharer", &shared, &[])] {
            let folder = range.agent(name);
            std::fs::copy(source, folder.join("program")).expect("a copy");
            link(Path::new(PLYHOUSE), &folder.join("plyhouse"));
            let [program, agent] = ["program", "plyhouse"].map(|name| folder.join(name).display().to_string());
            let mut words = vec![program];
            words.extend(options.iter().cloned().chain([agent]));
            words.extend(["arena", "mock", "ugi", "honest"].map(str::to_owned));
            range.add_command(name, "ugi", &words);
        }
        let played = range.play("[limits]\nmemory = \"256M\"\n");
        let key = format!(" {} ", range.port());
        let agent = |call: &str| if call == "fill-memory-shared" { "sharer" } else { "caller" }.to_owned();
        let mut wrong = disturbances(&range, &played) + &unexpected_outcomes(setup, &CALLS, agent, &played);
        for file in ["/proc/sysvipc/shm", "/proc/sysvipc/msg"] {
            if std::fs::read_to_string(file).is_ok_and(|text| text.contains(&key)) {
                let _ = writeln!(wrong, "left behind: an entry of {file}");
            }
        }
        wrong
    });
}

/// The agent's processes fork and exit continuously, so their IDs change all the time.
#[test]
fn processes_that_keep_forking_are_killed() {
    let built = tempfile::tempdir().expect("a folder");
    let Some(comet) = cc("tests/sandbox/comet.c", built.path()) else { return };
    each(&["ugi"], |setup| {
        let mut range = Range::new(setup);
        let folder = range.agent("comet");
        std::fs::copy(&comet, folder.join("comet")).expect("a copy");
        link(Path::new(PLYHOUSE), &folder.join("plyhouse"));
        let mut words = ["comet", "plyhouse"].map(|name| folder.join(name).display().to_string()).to_vec();
        words.extend(["arena", "mock", "ugi", "honest"].map(str::to_owned));
        range.add_command("comet", "ugi", &words);
        let played = range.play("");
        disturbances(&range, &played)
    });
}

/// Enters all agents of a range as submissions in `cup.toml`, and returns what the command prints.
fn enter(range: &Range, setup: Setup) -> String {
    range.write("");
    let tier = setup.tier.name();
    let options = [
        "enter",
        "agents",
        "--game",
        "loa",
        "--size",
        "6",
        "--move-limit",
        "8",
        "--sandbox",
        tier,
        "--out",
        "cup.toml",
    ];
    text(&range.arena(&options).output().expect("the program runs"))
}

#[test]
fn a_program_of_another_submission_cannot_be_entered() {
    each(&["ugi"], |setup| {
        let mut range = Range::new(setup);
        for (name, program) in [("copycat", "../victim/plyhouse"), ("linked", "./plyhouse")] {
            let words = [program, "arena", "mock", "ugi", "honest"].map(str::to_owned);
            range.add_command(name, "ugi", &words);
        }
        std::os::unix::fs::symlink("../victim/plyhouse", range.agent("linked").join("plyhouse")).expect("a link");
        let printed = enter(&range, setup);
        let cup = std::fs::read_to_string(range.path().join("cup.toml")).unwrap_or_default();
        let is_in = |name: &str| cup.contains(&format!("name = \"{name}\""));
        if is_in("copycat") || is_in("linked") || !is_in("victim") {
            format!("{printed}\n{cup}")
        } else {
            String::new()
        }
    });
}

/// Checks that the attacks work. Otherwise the other tests would prove nothing.
#[test]
#[ignore = "these attacks succeed, on the machine that runs the tests; `cargo test -p plyhouse-cli sandbox:: -- --ignored`"]
fn attacks_succeed_without_a_sandbox() {
    const WORK: [&str; 27] = [
        "slow-others",
        "list-processes",
        "trace",
        "read-memory",
        "open-memory",
        "write-output",
        "read-input",
        "store-by-descriptor",
        "store-by-path",
        "read-sources",
        "read-home",
        "snoop",
        "read-environment",
        "own-environment",
        "proc-root",
        "links",
        "write-own-folder",
        "remember",
        "loopback",
        "loopback-datagram",
        "abstract-socket",
        "path-socket",
        "listen",
        "system-settings",
        "fork-bomb",
        "escape",
        "ponder",
    ];
    let _lock = lock();
    for user in users() {
        let setup = Setup { tier: Tier::None, user, dialect: "ugi" };
        let mut reached = BTreeSet::new();
        for attack in WORK {
            let mut range = Range::new(setup);
            range.add_attackers(&[attack]);
            let played = range.play_for("", Duration::from_secs(10));
            let has_worked = played.reports().values().flatten().any(|report| report.succeeded);
            // A traced arena may stop before it has saved a game.
            let is_stopped = attack == "trace" && played.end.is_none();
            assert!(has_worked || is_stopped, "{user:?} {attack}: {played:?}");
            let has_harmed = played.faults().iter().any(|(agent, _, _)| agent == "victim");
            assert_eq!(has_harmed, attack == "write-output", "{user:?} {attack}: {:?}", played.faults());
            reached.extend(played.reached);
        }
        let sockets = ["TCP", "UDP", "abstract datagram", "abstract socket", "socket in a folder"];
        assert_eq!(reached.iter().map(String::as_str).collect::<Vec<_>>(), sockets);
        let mut range = Range::new(setup);
        range.add_attackers(&["kill-arena"]);
        let played = range.play_for("", Duration::from_secs(10));
        assert!(!played.end.is_some_and(|status| status.success()), "{played:?}");
    }
}

/// The arena is killed while agents compute.
#[test]
fn no_agent_outlives_a_killed_arena() {
    let _lock = lock();
    let mut setups = vec![Tier::None];
    setups.extend(tiers());
    for tier in setups {
        for user in users() {
            for dialect in ["ugi", "nus"] {
                let mut range = Range::new(Setup { tier, user, dialect });
                // Without a sandbox, only the agent itself is killed, not a process that detaches.
                let sign = match tier {
                    Tier::None => {
                        range.add_mock("slow", "slow");
                        "arena mock"
                    }
                    _ => {
                        range.add_attackers(&["ponder"]);
                        "--accomplice burn"
                    }
                };
                range.write("games = 20\n");
                let mut arena = range.start();
                let burns = || range.left_behind().iter().any(|line| line.contains(sign));
                assert!(until(burns), "{tier:?} {user:?} {dialect}: no process computes");
                arena.kill().expect("a child");
                arena.wait().expect("a child");
                let gone = until(|| range.left_behind().is_empty());
                assert!(gone, "{tier:?} {user:?} {dialect}: {:#?}", range.left_behind());
            }
        }
    }
}

#[test]
fn agents_in_four_languages_play_whole_games() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents");
    let has = |program: &str| {
        let has = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
        if !has {
            report_skipped(&format!("an agent that needs {program}, which is not installed"));
        }
        has
    };
    let (has_python, has_node, has_java) = (has("python3"), has("node"), has("javac"));
    let built = tempfile::tempdir().expect("a folder");
    let c = cc("../../examples/agents/breakthrough.c", built.path());
    if has_java {
        let source = examples.join("Breakthrough.java");
        let status = Command::new("javac").arg("-d").args([built.path(), &source]).status();
        assert!(status.is_ok_and(|status| status.success()), "javac");
    }
    each(&["ugi"], |setup| {
        let mut range = Range::without_agents(setup, "breakthrough");
        let mut add = |name: &str, source: &str, words: &[&str]| {
            std::fs::copy(examples.join(source), range.agent(name).join(source)).expect("a copy");
            range.add_command(name, "ugi", &words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        };
        if has_python {
            add("python", "breakthrough.py", &["python3", "breakthrough.py"]);
        }
        if has_node {
            add("node", "breakthrough.js", &["node", "breakthrough.js"]);
        }
        if has_java {
            add("java", "Breakthrough.java", &["java", "Breakthrough"]);
            let classes = std::fs::read_dir(built.path()).expect("a folder").flatten();
            for file in classes.filter(|file| file.path().extension().is_some_and(|end| end == "class")) {
                std::fs::copy(file.path(), range.agent("java").join(file.file_name())).expect("a copy");
            }
        }
        if let Some(program) = &c {
            std::fs::copy(program, range.agent("c").join("breakthrough")).expect("a copy");
            range.add_command("c", "ugi", &["./breakthrough".to_owned()]);
        }
        let played = range.play("");
        let mut wrong = disturbances(&range, &played);
        for (agent, kind, detail) in played.faults() {
            let _ = writeln!(wrong, "{agent}: {kind}: {detail}");
        }
        wrong
    });
}
