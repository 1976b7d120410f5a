//! The tables of submissions, with the outcome and the words of the reason and the remedy.

use std::collections::BTreeSet;

use course::{Role, Service};

use crate::submissions::files::{
    Files, Kit, competitor, encrypted, files, foreign_program, has, javac, of_size, player, renamed, thinker, within,
    zip, zip_with_link,
};

/// The outcome of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Accepted,
    /// Accepted with a correction or a warning.
    Noted,
    Refused,
}

use Outcome::{Accepted, Noted, Refused};

/// A function that makes the file of a submission.
type Make = dyn Fn(&Kit) -> Vec<u8> + Sync;

/// A submission.
pub(crate) struct Row {
    pub(crate) team: &'static str,
    /// Name of the file.
    pub(crate) file: &'static str,
    /// Makes the file.
    pub(crate) make: Box<Make>,
    pub(crate) outcome: Outcome,
    /// Parts of the reason and the remedy, or of the notes.
    pub(crate) words: Words,
    /// Team whose submission must be checked before this one.
    pub(crate) after: Option<&'static str>,
}

impl Row {
    /// Describes how a judgement differs from that of the table; empty if it does not.
    pub(crate) fn difference(&self, found: Outcome, text: &str) -> String {
        let missing: Vec<_> = self.words.iter().filter(|words| !text.contains(**words)).collect();
        // A path of the server must not be shown.
        if found == self.outcome && missing.is_empty() && !text.contains(".work/") {
            return String::new();
        }
        format!("{}: {found:?} found, expected {:?}; missing: {missing:?}\n{text}\n\n", self.team, self.outcome)
    }
}

/// Words that a judgement must contain.
type Words = &'static [&'static str];

fn row(team: &'static str, outcome: Outcome, make: impl Fn(&Kit) -> Vec<u8> + Sync + 'static, words: Words) -> Row {
    Row { team, file: "submission-U0000001X.zip", make: Box::new(make), outcome, words, after: None }
}

/// Returns a submission of an agent in Python with this description.
fn described_as(team: &'static str, outcome: Outcome, description: &str, words: Words) -> Row {
    let description = description.to_owned();
    row(team, outcome, move |kit| kit.zip(&description, &player()), words)
}

/// Returns a submission of an agent for `nus` that answers with this statement.
fn answering(team: &'static str, outcome: Outcome, answer: &'static str, words: Words) -> Row {
    row(team, outcome, move |kit| kit.zip(NUS, &competitor(NAME, answer)), words)
}

/// Returns a submission of an agent for `ugi` with this statement before each move.
fn thinking(team: &'static str, outcome: Outcome, statement: &str, words: Words) -> Row {
    let statement = statement.to_owned();
    row(team, outcome, move |kit| kit.zip(UGI, &thinker(&statement)), words)
}

/// Descriptions of agents.
const UGI: &str = "command = 'python3 agent.py'\n";
const NUS: &str = "command = 'python3 agent.py'\ndialect = 'nus'\n";
const PROGRAM: &str = "command = './agent.py'\n";
const RUN: &str = "command = './agent'\n";
const SCRIPT: &str = "command = './agent.sh'\n";
const NAME: &str = "print('Book')";
const ANSWER: &str = "print(move)";

/// Time limit of a move in the course of slow agents, in seconds.
const SHORT: f64 = 3.0;

/// Returns the courses: their submissions, and the rules.
pub(crate) fn courses() -> [(Vec<Row>, String); 3] {
    let rules = |game: &str, limit: f64, start: f64, more: &str| {
        format!(
            "[game]\n{game}\n[time]\nmove = {limit:?}\nstart = {start:?}\n[agent]\ndialect = 'ugi'\n\
             [ladder]\ncores = 1\n{more}\n"
        )
    };
    let lines = "game = 'loa'\nsize = 6\nmove_limit = 8";
    let usual = [archives(), entries(), names(), descriptions(), scripts(), programs(), answers(), builds(), copies()];
    [
        (usual.into_iter().flatten().collect(), rules(lines, 60.0, 60.0, "")),
        (slow(), rules(lines, SHORT, 10.0, "")),
        (
            endings(),
            rules("game = 'breakthrough'\nsize = 5", 60.0, 60.0, "openings = ['--b--/-----/-----/-----/--w-- w']"),
        ),
    ]
}

/// Returns the files of an agent without a description, in a file whose name has a space.
fn undescribed(kit: &Kit) -> Files {
    let named = |(name, content)| (if name == "agent.py" { "my agent.py".to_owned() } else { name }, content);
    kit.files("", &player()).into_iter().filter(|(name, _)| name != "agent.toml").map(named).collect()
}

/// Returns a course for checks without its server: its submissions, and the rules.
pub(crate) fn offline() -> (Vec<Row>, String) {
    let rules = "[game]\ngame = 'breakthrough'\nsize = 5\nmove_limit = 8\n[time]\nmove = 60\nstart = 60\n\
                 [limits]\nmemory = '512M'\n[agent]\ncommand = ['python3', 'my agent.py']\ndialect = 'ugi'\n\
                 [ladder]\ncores = 1\nopening = 2\n";
    let rows = vec![
        row("plain", Accepted, |kit| zip(&undescribed(kit)), &[]),
        row("nested", Noted, |kit| zip(&within("U1", undescribed(kit))), &["`U1`", "moved up"]),
        row(
            "other-dialect",
            Refused,
            |kit| zip(&[undescribed(kit), files(&[("agent.toml", "dialect = 'cs61b'\n")])].concat()),
            &["not 5x5 Breakthrough; use the dialect `ugi`", "`agent.toml`"],
        ),
        Row {
            file: "my agent.py",
            ..row(
                "single",
                Refused,
                |_| b"#!/usr/bin/env python3\nprint('hello')\n".to_vec(),
                &["starts: ", "exit code 0"],
            )
        },
        Row { file: "agent.rar", ..row("rar", Refused, |_| b"Rar!\x1a\x07\x01\0rest".to_vec(), &["a RAR archive"]) },
    ];
    (rows, rules.to_owned())
}

/// Returns the files of an ordinary submission.
fn plain(kit: &Kit) -> Files {
    kit.files(UGI, &player())
}

/// Returns an ordinary submission with more files.
fn with(kit: &Kit, more: &[(&str, &str)]) -> Vec<u8> {
    zip(&[plain(kit), files(more)].concat())
}

/// Returns a submission with this description and this program.
fn described(description: &str, name: &str, program: &[u8]) -> Vec<u8> {
    zip(&[files(&[("agent.toml", description)]), vec![(name.to_owned(), program.to_vec())]].concat())
}

/// Returns archives, and files that are not archives.
fn archives() -> Vec<Row> {
    vec![
        row("top", Accepted, |kit| zip(&plain(kit)), &[]),
        row("nested", Noted, |kit| zip(&within("U0000001X", plain(kit))), &["`U0000001X`", "moved up"]),
        row("nested-twice", Noted, |kit| zip(&within("a1/U1", plain(kit))), &["`a1/U1`", "moved up"]),
        row(
            "macos",
            Noted,
            |kit| with(kit, &[("__MACOSX/._agent.py", "x"), (".DS_Store", "x")]),
            &["`.DS_Store` and `__MACOSX`", "ignored"],
        ),
        row(
            "large-file",
            Refused,
            |_| of_size(zip(&files(&[("weights.bin", "0")])), 200 << 20),
            &["`weights.bin` has 200 MB", "at most 50 MB", "leave it out"],
        ),
        Row {
            file: "weights.bin",
            ..row("large-upload", Refused, |_| vec![0; 200 << 20], &["20971520 bytes", "maximum of this course"])
        },
        row(
            "zip-in-zip",
            Refused,
            |kit| zip(&[("submission.zip".to_owned(), zip(&plain(kit)))]),
            &["another archive, `submission.zip`", "unpack the inner archive"],
        ),
        row("encrypted", Refused, |kit| encrypted(zip(&plain(kit))), &["encrypted", "without a password"]),
        row(
            "truncated",
            Refused,
            |kit| {
                let whole = zip(&plain(kit));
                whole[..whole.len() / 2].to_vec()
            },
            &["incomplete or damaged", "upload it again"],
        ),
        row("rar", Refused, |_| b"Rar!\x1a\x07\x01\0rest".to_vec(), &["a RAR archive", "zip archive"]),
        row("tar-gz", Refused, |_| b"\x1f\x8b\x08\0rest".to_vec(), &[".tar.gz archive", "zip archive"]),
    ]
}

/// Returns submissions with entries that are not ordinary files.
fn entries() -> Vec<Row> {
    vec![
        row(
            "link",
            Refused,
            |kit| zip_with_link(&plain(kit), "data", "/etc/passwd"),
            &["`data` is a symbolic link", "copy of the file"],
        ),
        row(
            "parent",
            Refused,
            |kit| renamed(with(kit, &[("~~/agent.py", "x")]), "~~/agent.py", "../agent.py"),
            &["`../agent.py` leads out of its folder", "pack the folder"],
        ),
        row(
            "absolute",
            Refused,
            |kit| renamed(with(kit, &[("~home/x.py", "x")]), "~home/x.py", "/home/x.py"),
            &["`/home/x.py` has an absolute name", "pack the folder"],
        ),
    ]
}

/// Returns submissions with unusual names of files and agents.
fn names() -> Vec<Row> {
    vec![
        Row {
            file: "Abgabe von Zoë 🎲 (2).zip",
            ..row(
                "unicode",
                Noted,
                |kit| {
                    let mut all = kit.files("command = ['python3', 'Größe und Zug/mein Agent 🤖.py']\n", "");
                    all[1] = ("Größe und Zug/mein Agent 🤖.py".to_owned(), player().into_bytes());
                    zip(&within("Zoë's Abgabe 🎲", all))
                },
                &["`Zoë's Abgabe 🎲`", "moved up"],
            )
        },
        row("zero-width-file", Refused, |kit| with(kit, &[("boa\u{200b}rd.py", "")]), &["U+200B", "type the name"]),
        row("joined-file", Refused, |kit| with(kit, &[("boa\u{200d}rd.py", "")]), &["U+200D", "type the name"]),
        row("rtl-file", Refused, |kit| with(kit, &[("\u{202e}yp.draob", "")]), &["U+202E", "type the name"]),
        described_as(
            "zero-width-name",
            Refused,
            "name = 'Bo\u{200b}b'\ncommand = 'python3 agent.py'\n",
            &["U+200B", "zero width space", "`agent.toml`"],
        ),
        described_as(
            "rtl-name",
            Refused,
            "name = '\u{202e}boB'\ncommand = 'python3 agent.py'\n",
            &["U+202E", "right-to-left", "`agent.toml`"],
        ),
        described_as("first-name", Accepted, "name = 'Deep Line'\ncommand = 'python3 agent.py'\n", &[]),
        Row {
            after: Some("first-name"),
            ..described_as(
                "same-name",
                Noted,
                "name = 'deep line'\ncommand = 'python3 agent.py'\n",
                &["`deep line`", "`Team same-name`", "another name"],
            )
        },
    ]
}

/// Returns submissions with unusual descriptions of agents.
fn descriptions() -> Vec<Row> {
    vec![
        row(
            "source-only",
            Refused,
            |_| zip(&files(&[("agent.c", "int main(void) { return 0; }\n"), ("board.c", ""), ("board.h", "")])),
            &["no `agent.toml`", "command = \"./agent\"\ndialect = \"ugi\"\nbuild = \"gcc -O2 -o agent *.c -lm\""],
        ),
        described_as("byte-order-mark", Noted, &format!("\u{feff}{UGI}"), &["byte-order mark"]),
        described_as(
            "misspelt",
            Refused,
            "dialect = 'ugi'\ncomand = 'python3 agent.py'\n",
            &["`agent.toml`", "line 2, column 1", "`comand`", "`command`"],
        ),
        described_as(
            "syntax",
            Refused,
            "dialect = 'ugi'\ncommand = python3 agent.py\n",
            &["`agent.toml`", "line 2, column 11", "quotation marks", "command = \"python3 agent.py\""],
        ),
        described_as(
            "no-command",
            Refused,
            "name = 'Ann'\n",
            &["command", "missing", "`agent.toml`", "`command = \"python3 agent.py\"`"],
        ),
        described_as(
            "other-dialect",
            Refused,
            "command = 'python3 agent.py'\ndialect = 'cs61b'\n",
            &["`cs61b`", "6x6", "`ugi`"],
        ),
    ]
}

/// Returns a submission that starts with a shell script.
fn scripted(kit: &Kit, script: &str) -> Vec<u8> {
    zip(&[kit.files(SCRIPT, &player()), files(&[("agent.sh", script)])].concat())
}

/// Returns scripts that the system cannot start as they are.
fn scripts() -> Vec<Row> {
    let python = |kit: &Kit| kit.zip(PROGRAM, &format!("#!/usr/bin/python\n{}", player()));
    vec![
        row(
            "cr-lf",
            Noted,
            |kit| scripted(kit, "#!/bin/sh\r\nexec python3 agent.py\r\n"),
            &["CR LF", "`agent.sh`", "converted"],
        ),
        row(
            "run-bit",
            Noted,
            |kit| scripted(kit, "#!/bin/sh\nexec python3 agent.py\n"),
            &["`agent.sh`", "run permission set"],
        ),
        if has("/usr/bin/python") || !has("/usr/bin/python3") {
            row("python", Noted, python, &["run permission"])
        } else {
            row("python", Refused, python, &["`./agent.py`: line 1", "`/usr/bin/python`", "#!/usr/bin/python3"])
        },
    ]
}

/// Returns compiled programs.
fn programs() -> Vec<Row> {
    vec![
        row(
            "arm",
            Refused,
            |_| described(RUN, "agent", &foreign_program()),
            &["aarch64", "x86_64", "submit the source", "`build = \"make\"`"],
        ),
        if javac() {
            row(
                "java",
                Accepted,
                |kit| zip(&[kit.classes(), files(&[("agent.toml", "command = 'java -cp . Agent'\n")])].concat()),
                &[],
            )
        } else {
            // Without a JDK, only the first bytes of the file are those of a class.
            row(
                "java",
                Refused,
                |_| described("command = 'java -cp . Agent'\n", "Agent.class", b"\xca\xfe\xba\xbe\0\0\0\x37"),
                &["starts"],
            )
        },
        row(
            "java-undescribed",
            Refused,
            |_| zip(&[("Agent.class".to_owned(), b"\xca\xfe\xba\xbe\0\0\0\x37".to_vec())]),
            &["no `agent.toml`", "command = \"java -cp . Agent\"\ndialect = \"ugi\""],
        ),
        row(
            "java-class",
            Refused,
            |_| described("command = './Agent.class'\n", "Agent.class", b"\xca\xfe\xba\xbe\0\0\0\x37"),
            &["Java class", "command = \"java -cp . Agent\""],
        ),
    ]
}

/// Returns agents that start, most of them with unusual answers.
fn answers() -> Vec<Row> {
    vec![
        answering(
            "prompt",
            Refused,
            "print('Enter move:'); print(move)",
            &["`Enter move:`", "standard output", "standard error", "file=sys.stderr"],
        ),
        answering(
            "debug-lines",
            Refused,
            "print('depth 3'); print(move)",
            &["`depth 3`", "standard output", "standard error", "file=sys.stderr"],
        ),
        answering("no-newline", Accepted, "sys.stdout.write(move)", &[]),
        answering("lower-case", Refused, "print('b1b3')", &["`b1b3`", "`B1B3`", "capitals"]),
        answering(
            "illegal",
            Refused,
            "print('B1B4')",
            &["B1B4", "2 pieces on the column", "exactly 2 squares", "   1  .  X  X  X  X  .\n"],
        ),
        thinking(
            "illegal-ugi",
            Refused,
            "print('bestmove b1-b4', flush=True)",
            &["b1-b4", "two pieces stand on the b-file", "exactly two squares", "   a  b  c  d  e  f"],
        ),
        thinking("one-piece", Accepted, "10 // (pieces - 1)", &[]),
        row(
            "two-names",
            Refused,
            |kit| kit.zip(NUS, &competitor("print('Ann'); print('Team 7')", ANSWER)),
            &["`Team 7` found after `Ann`", "1 to 80"],
        ),
        row("long-name", Refused, |kit| kit.zip(NUS, &competitor("print('x' * 81)", ANSWER)), &["`xxx", "81", "80"]),
    ]
}

/// Returns submissions whose builds fail.
fn builds() -> Vec<Row> {
    vec![
        row(
            "network",
            Refused,
            |kit| {
                let script = "import socket, sys\ntry:\n    socket.create_connection(('pypi.org', 443), 5)\n\
                              except OSError as error:\n    print('Failed to establish a new connection:', error)\n    \
                              sys.exit('ERROR: No matching distribution found for numpy')\n";
                let mut all = kit.files(&format!("{UGI}build = 'python3 install.py'\n"), &player());
                all.extend(files(&[("install.py", script)]));
                zip(&all)
            },
            &["no network", "`numpy`", "ERROR: No matching distribution found for numpy"],
        ),
        described_as(
            "long-build",
            Refused,
            &format!("{UGI}build = 'echo compiling; echo linking; sleep 600'\nbuild_time = 5\n"),
            &["5 s", "linking"],
        ),
    ]
}

/// Teams with the same agent.
pub(crate) const COPIES: [&str; 3] = ["copy-1", "copy-2", "copy-3"];

fn copies() -> Vec<Row> {
    let copy = |team| thinking(team, Accepted, "value = [move for move in moves if move]", &[]);
    COPIES.map(copy).into()
}

/// Returns agents that reach the time limit. Their course has a short one.
fn slow() -> Vec<Row> {
    vec![
        thinking(
            "slow-first-move",
            Noted,
            &format!("time.sleep({} if count == 1 else 0)", SHORT + 1.0),
            &["3.00 s", "for the first move", "for the next ones", "`isready`"],
        ),
        row(
            "unflushed-start",
            Refused,
            |kit| kit.zip(UGI, &player().replace(", flush=True", "")),
            &["the answer was not flushed: `readyok`", "flush=True"],
        ),
        row(
            "unflushed-move",
            Refused,
            |kit| kit.zip(UGI, &player().replace("moves)], flush=True", "moves)]")),
            &["the answer was not flushed: `bestmove", "flush=True"],
        ),
        thinking(
            "prompt-before-answer",
            Refused,
            "print('Enter move: ', end='')",
            &["`Enter move: bestmove", "standard error"],
        ),
    ]
}

/// Returns agents in positions with one piece. Their course begins there.
fn endings() -> Vec<Row> {
    vec![thinking(
        "last-piece",
        Refused,
        "10 // (pieces - 1)",
        &["ZeroDivisionError", "--b--/-----/-----/-----/--w-- w", "position after"],
    )]
}

/// Checks that the staff see the group of teams with the same agent.
pub(crate) fn check_copies(service: &Service) {
    let groups = service.copies(Some(&Role::Staff)).expect("hints").groups;
    let teams: Vec<BTreeSet<&str>> =
        groups.iter().map(|group| group.iter().map(|side| side.team.as_str()).collect()).collect();
    assert!(teams.contains(&COPIES.into()), "{teams:?}");
}
