//! Attacks on a course by programs in its real sandbox, by what they print, and by other users of the machine.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::course_load::served::{Sender, Served, id};
use crate::submissions::files::{files, zip};

const SETTINGS: &str = "[course]\nname = 'Attacks'\nroster = 'teams.csv'\ndeadline = '2999-11-30 18:00'\n\
                        time_zone = 'UTC'\n[game]\ngame = 'loa'\nsize = 6\nmove_limit = 12\n\
                        [time]\nmove = 20.0\nstart = 20.0\n[agent]\ndialect = 'nus'\n\
                        [ladder]\ncores = 2\nopening = 2\n";
/// Introduction of the attacker's agent.
const NAME: &str = "<svg onload=alert(1)>: <i>x</i> https://ann.example.org/?a=1 <b>";
const DESCRIPTION: &str = "command = 'python3 agent.py'\n";
/// A text in the victim's program and in its standard error.
const SECRET: &str = "VICTIM-7f3a";

/// Beginning of the attacker's agent. `spy` looks for files, processes, variables and connections that are not the
/// agent's, and returns the kinds that it found. STORE and PORT on the right of the assignment are replaced by the path
/// of the database and the port of the server.
const SPY: &str = r#"
import os, socket, sys
STORE, PORT, SECRET = STORE, PORT, "VICTIM-" + "7f3a"

def reads(path):
    with open(path, "rb") as file:
        return len(file.read(1)) > 0

def holds(path):
    with open(path, "rb") as file:
        return SECRET.encode() in file.read(1 << 20)

def connects():
    with socket.create_connection(("127.0.0.1", PORT), 2) as connection:
        connection.sendall(b"GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return len(connection.recv(1)) > 0

def processes(name):
    for process in os.listdir("/proc"):
        try:
            with open(f"/proc/{process}/{name}", "rb") as file:
                if b"PLYHOUSE_ENDGAMES" in (text := file.read()) or b"\0course\0serve\0" in text:
                    return True
        except OSError:
            pass
    return False

def spy(own):
    folder, work = os.path.dirname(STORE), STORE.removesuffix(".sqlite") + ".work"
    probes = [("database", reads, STORE), ("log of the database", reads, STORE + "-wal"),
        ("roster", reads, folder + "/teams.csv"), ("course file", reads, folder + "/x.toml"),
        ("console", reads, work + "/console.json"), ("folder", lambda path: "teams.csv" in os.listdir(path), folder),
        ("work", os.listdir, work), ("uploads", os.listdir, work + "/uploads"), ("checks", os.listdir, work + "/checks"),
        ("bundles", os.listdir, work + "/bundles"), ("command lines", processes, "cmdline"),
        ("environments", processes, "environ"), ("environment", os.environ.__contains__, "PLYHOUSE_ENDGAMES"),
        ("network", lambda _: connects(), "")]
    for path in [folder + "/new", work + "/uploads/new", work + "/checks/new", work + "/bundles/new"]:
        try:
            # The test looks whether it exists: a sandbox may have a folder of this name of its own.
            with open(path, "w") as file:
                file.write("x")
        except OSError:
            pass
    found = set()
    for name, probe, path in probes:
        try:
            # Its own folder and file may be there.
            result = probe(path)
            if set(result) - own if isinstance(result, list) else result:
                found.add(name)
        except (OSError, ValueError):
            pass
    for place, _, files in os.walk(folder):
        for file in files:
            try:
                if holds(os.path.join(place, file)):
                    found.add("program of another team")
            except OSError:
                pass
    return f"{len(probes)} probes found {sorted(found)}"
"#;

/// Rest of the attacker's agent, which spies during its build and at each move. NAME is replaced by its introduction.
const AGENT: &str = r#"
import lines, nus_agent
folder = os.path.dirname(os.path.abspath(__file__))
own = set(folder.split("/")) | {"new"}
if "build" in sys.argv:
    with open("found.txt", "w") as file:
        file.write(spy(own))
else:
    def choose(board, turns):
        with open(folder + "/found.txt") as file:
            print("at its build:", file.read(), "; at its move:", spy(own), file=sys.stderr)
        return lines.moves(board, "X")[0]
    nus_agent.serve(NAME, choose)
"#;

/// Returns an archive with an agent whose program is `source`.
fn archive(description: &str, source: &str) -> Vec<u8> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents");
    let library = |name: &str| fs::read_to_string(examples.join(name)).expect("an example");
    zip(&files(&[
        ("agent.toml", description),
        ("agent.py", source),
        ("lines.py", &library("lines.py")),
        ("nus_agent.py", &library("nus_agent.py")),
    ]))
}

/// Returns the program of the attacker.
fn spy(served: &Served) -> String {
    let address = served.address();
    let port = address.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
    let store = served.store().to_str().expect("UTF-8").to_owned();
    let spy = SPY.replacen("= STORE, PORT,", &format!("= {store:?}, {port},"), 1);
    spy + &AGENT.replace("NAME", &json!(NAME).to_string())
}

/// Returns an agent with the introduction `name` that does not attack.
fn honest(name: &str) -> String {
    // Strings of JSON are strings of Python.
    let name = json!(name);
    format!(
        "import sys, lines, nus_agent\ndef choose(board, turns):\n    print({SECRET:?}, file=sys.stderr)\n    \
         return lines.moves(board, 'X')[0]\nnus_agent.serve({name}, choose)\n"
    )
}

fn submit(served: &Served, team: usize, file: &[u8]) -> Value {
    let answer = served.upload(team, file).expect("a server");
    assert_eq!(answer.status, 202, "{answer:?}");
    let path = format!("/course/uploads?team={}", id(team));
    let is_over = |upload: &Value| upload["state"] == "accepted" || upload["state"] == "refused";
    let view = served.wait_for(&path, |view| is_over(&view["uploads"][0]));
    view["uploads"][0].clone()
}

/// Runs the attacker's program without a sandbox, and returns what it reports.
fn unconfined(source: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [("agent.py", source), ("lines.py", ""), ("nus_agent.py", "")] {
        fs::write(folder.path().join(name), content).expect("written");
    }
    let mut command = Command::new("python3");
    command.args(["agent.py", "build"]).current_dir(folder.path()).env("PLYHOUSE_ENDGAMES", "x");
    assert!(command.stdin(Stdio::null()).status().expect("Python").success());
    fs::read_to_string(folder.path().join("found.txt")).expect("a report")
}

/// Returns the files that the attacker tries to write.
fn written(served: &Served) -> [PathBuf; 4] {
    let store = served.store();
    let work = store.with_extension("work");
    [store.with_file_name("new"), work.join("uploads/new"), work.join("checks/new"), work.join("bundles/new")]
}

/// Returns `true` if a text has characters that a terminal interprets, apart from line ends.
fn is_hidden_in(text: &str) -> bool {
    text.chars().any(|c| game::text::is_hidden(c) && c != '\n')
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

/// Checks that no command prints characters that a terminal interprets, and that no text forges an entry of the log.
fn commands_print_harmless_lines(served: &Served) {
    for command in ["status", "audit", "copies", "grades", "links"] {
        let printed = served.command(&[command]).replace("\r\n", "\n");
        assert!(!is_hidden_in(&printed), "{command}: {printed:?}");
    }
    let entries: Value = serde_json::from_str(&served.command(&["audit", "--json"])).expect("JSON");
    let count = entries.as_array().expect("entries").len();
    let printed = served.command(&["audit"]);
    assert_eq!(printed.lines().count(), count, "{printed}");
}

fn files_are_for_their_owner_only(served: &Served) {
    let store = served.store();
    let folder = store.parent().expect("a folder");
    served.command(&["backup", "copy.sqlite"]);
    served.command(&["grades", "--csv", "grades.csv"]);
    let wal = store.with_file_name(format!("{}-wal", store.file_name().expect("a name").to_string_lossy()));
    for path in [&store, &wal, &store.with_extension("work"), &folder.join("copy.sqlite"), &folder.join("grades.csv")] {
        assert_eq!(mode(path) & 0o077, 0, "{}", path.display());
    }
}

/// Uploads programs whose introductions or descriptions a terminal or a log could interpret.
fn odd_texts_are_refused(served: &Served) {
    for (source, part) in [
        (honest("Bob\u{1b}[2J"), "\\u{1b}"),
        (honest("Bob\n2026-11-30T00:00:00Z  staff  publish"), "expected one line"),
        (honest("\u{202e}boB"), "printable ASCII"),
        (honest(&"x".repeat(81)), "at most 80"),
    ] {
        let upload = submit(served, 1, &archive(DESCRIPTION, &source));
        assert!(upload["state"] == "refused" && upload.to_string().contains(part), "{part}: {upload}");
        assert!(!is_hidden_in(&upload.to_string().replace("\\n", "")), "{upload}");
    }
    let odd = submit(served, 1, &archive("\"a\\nb\\u001b[2J\" = 1\ncommand = 'x'\n", ""));
    assert_eq!(odd["state"], "refused", "{odd}");
}

#[test]
fn programs_find_nothing_of_others_and_what_they_print_is_only_text() {
    let served = Served::new(2, SETTINGS, 1);
    odd_texts_are_refused(&served);
    let victim = submit(&served, 1, &archive(DESCRIPTION, &honest("Bob")));
    assert_eq!(victim["state"], "accepted", "{victim}");

    // As during a check of the other team.
    let checks = served.store().with_extension("work").join("checks/2");
    fs::create_dir_all(&checks).and_then(|()| fs::write(checks.join("agent.py"), honest("Bob"))).expect("written");
    let source = spy(&served);
    let outside = unconfined(&source);
    for found in [
        "database",
        "roster",
        "console",
        "checks",
        "program of another team",
        "network",
        "environment",
        "command lines",
    ] {
        assert!(outside.contains(&format!("'{found}'")), "the attack works without a sandbox: {found}: {outside}");
    }
    let removed = written(&served).iter().filter(|path| fs::remove_file(path).is_ok()).count();
    assert!(removed >= 3, "the attack writes files without a sandbox");
    let built = format!("{DESCRIPTION}build = 'python3 agent.py build'\n");
    let attacker = submit(&served, 0, &archive(&built, &source));
    assert_eq!(attacker["state"], "accepted", "{attacker}");
    let agent =
        json!({"name": "<svg onload=alert(1)>", "tagline": "<i>x</i> <b>", "url": "https://ann.example.org/?a=1"});
    assert_eq!(attacker["agent"], agent);

    let games = served.wait_for_games("ladder", 2);
    let game = &games["games"][0];
    let side = usize::from(game["players"][1]["team"] == id(0));
    let path = format!("/course/games/{}", game["id"].as_str().expect("a key"));
    let view = served.view(&path);
    let report = view["stderr"][side].as_str().expect("a text");
    let nothing = "at its build: 14 probes found [] ; at its move: 14 probes found []";
    let reports: BTreeSet<&str> = report.lines().collect();
    assert_eq!(reports, BTreeSet::from([nothing]), "{view}");
    assert!(written(&served).iter().all(|path| !path.exists()));
    assert!(view["stderr"][1 - side].as_str().is_some_and(|text| text.contains(SECRET)), "{view}");
    let seen = served.get(Sender::Team(0), &path, None).expect("a server");
    assert!(!String::from_utf8_lossy(&seen.body).contains(SECRET));

    commands_print_harmless_lines(&served);
    files_are_for_their_owner_only(&served);
}
