//! Uploads as students deliver them. The archives are built here.

mod hostile;

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use arena::{AgentSpec, Words};
use course::intake::{IntakeError, Limits, receive};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// An `agent.toml` that starts `agent.py`.
const TOML: &[u8] = b"command = \"python3 agent.py\"\ndialect = \"nus\"\n";
/// The files of an ordinary submission.
const PLAIN: [(&str, &[u8]); 2] = [("agent.toml", TOML), ("agent.py", b"print(1)\n")];

/// The result of an intake: the files of the folder with their contents, and the notes; or the refusal.
type Outcome = Result<(Vec<(String, Vec<u8>)>, Vec<String>), String>;

/// Receives an upload in a new folder.
fn received(bytes: &[u8], name: &str, limits: &Limits, defaults: &AgentSpec) -> Outcome {
    let home = tempfile::tempdir().expect("a folder");
    let (file, into) = (home.path().join("upload"), home.path().join("agent"));
    fs::write(&file, bytes).expect("written");
    match receive(&file, name, &into, limits, defaults) {
        Ok(intake) => {
            assert_eq!(intake.folder, into);
            Ok((files(&into), intake.notes.iter().map(ToString::to_string).collect()))
        }
        Err(IntakeError::Refused(refusal)) => {
            assert!(!into.exists(), "a refused upload leaves no files");
            assert!(!refusal.what.is_empty() && !refusal.remedy.is_empty(), "{refusal:?}");
            Err(refusal.to_string())
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Returns the files below a folder with their contents, sorted by path. Folders end in `/`.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(&here).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below it").to_str().expect("UTF-8").to_owned();
            let data = path.symlink_metadata().expect("there");
            assert!(!data.is_symlink(), "{name}");
            if data.is_dir() {
                found.push((format!("{name}/"), Vec::new()));
                folders.push(path);
            } else {
                found.push((name, fs::read(&path).expect("readable")));
            }
        }
    }
    found.sort();
    found
}

fn plain_options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

/// Builds a zip archive.
fn zip<S: AsRef<str>, B: AsRef<[u8]>>(entries: &[(S, B)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        let name = name.as_ref();
        if name.ends_with('/') {
            writer.add_directory(name, plain_options()).expect("added");
        } else {
            writer.start_file(name, plain_options()).expect("added");
            writer.write_all(content.as_ref()).expect("written");
        }
    }
    writer.finish().expect("finished").into_inner()
}

/// Replaces bytes at every place. Both texts have the same length.
fn replaced(mut bytes: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(old)).collect();
    assert!(!places.is_empty(), "{old:?} occurs");
    for at in places {
        bytes[at..at + old.len()].copy_from_slice(new);
    }
    bytes
}

fn accepted(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let (files, notes) = received(bytes, "submission-U0000001X.zip", &Limits::default(), &AgentSpec::default())
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    (files.into_iter().map(|(name, _)| name).collect(), notes)
}

fn refused(bytes: &[u8]) -> String {
    received(bytes, "submission-U0000001X.zip", &Limits::default(), &AgentSpec::default()).expect_err("refused")
}

#[test]
fn ordinary_submissions_are_accepted_without_notes() {
    assert_eq!(accepted(&zip(&PLAIN)), (vec!["agent.py".to_owned(), "agent.toml".to_owned()], Vec::new()));
    let names = ["agent.toml", "Größe 2/mein Agent.py", "李雷/🦀 👩\u{200d}💻.txt", "leer/"];
    let (files, notes) = accepted(&zip(&names.map(|name| (name, TOML))));
    assert!(names.iter().all(|name| files.iter().any(|file| file == name)), "{files:?}");
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn folders_around_the_agent_are_removed() {
    let nested = |prefix: &str| PLAIN.map(|(name, content)| (format!("{prefix}{name}"), content));
    for prefix in ["submission/", "U0000001X/submission-U0000001X/", "a/b/c/"] {
        let (files, notes) = accepted(&zip(&nested(prefix)));
        assert_eq!(files, ["agent.py", "agent.toml"]);
        let folder = prefix.trim_end_matches('/');
        assert_eq!(notes, [format!("all files are in the folder `{folder}`; moved up")]);
    }
    let with = |name: &'static str| {
        let mut entries = nested("me/agent/").to_vec();
        entries.extend([("me/".to_owned(), &b""[..]), ("me/agent/data/".to_owned(), b""), (name.to_owned(), b"x")]);
        zip(&entries)
    };
    let (files, notes) = accepted(&with("me/report.pdf"));
    assert_eq!(files, ["agent.py", "agent.toml", "data/"]);
    assert_eq!(notes[0], "there are documents outside the agent's folder: `me/report.pdf`; left out");
    let refusal = refused(&with("me/board.py"));
    assert!(refusal.contains("in the folder `me/agent`") && refusal.contains("such as `me/board.py`"), "{refusal}");
    let refusal = refused(&with("other/agent.toml"));
    assert!(refusal.contains("`me/board.py`") || refusal.contains("files outside"), "{refusal}");
    let two: Vec<_> = nested("a/").into_iter().chain(nested("b/")).collect();
    let refusal = refused(&zip(&two));
    assert!(refusal.contains("more than one folder with an `agent.toml`: `a` and `b`"), "{refusal}");
}

#[test]
fn files_of_systems_are_ignored() {
    let mut entries = PLAIN.to_vec();
    let junk =
        ["__MACOSX/._agent.py", "__MACOSX/a/b", ".DS_Store", "Thumbs.db", ".git/config", "__pycache__/agent.pyc"];
    entries.extend(junk.map(|name| (name, &b"x"[..])));
    let (files, notes) = accepted(&zip(&entries));
    assert_eq!(files, ["agent.py", "agent.toml"]);
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(note.contains("`.DS_Store`") && note.contains("`__MACOSX`") && note.ends_with("; ignored"), "{note}");
    // Ignored files do not count towards the limit of files, nor prevent that a folder is removed.
    let many: Vec<_> = (0..2500).map(|i| (format!("x/.git/objects/{i}"), &b"x"[..])).collect();
    let all: Vec<_> = PLAIN.map(|(name, content)| (format!("x/{name}"), content)).into_iter().chain(many).collect();
    assert_eq!(accepted(&zip(&all)).0, ["agent.py", "agent.toml"]);
    let refusal = refused(&zip(&[(".DS_Store", b"x")]));
    assert!(refusal.contains("no files of an agent"), "{refusal}");
}

#[test]
fn scripts_get_unix_line_ends_and_permissions() {
    let script = b"\xef\xbb\xbf#!/bin/sh\r\nexec python3 agent.py\r\n";
    let binary = b"#!/usr/bin/env python3\nPK\0\r\n\0";
    let entries = [
        ("agent.toml", &b"\xef\xbb\xbfcommand = \"./run\"\r\ndialect = \"nus\"\r\n"[..]),
        ("run", script),
        ("plain.sh", b"echo 1\r\n"),
        ("Makefile", b"all:\r\n\techo\r\n"),
        ("app", binary),
        ("tool", b"\x7fELF\r\n"),
        ("data.txt", b"a\r\nb\r\n"),
    ];
    let (files, notes) =
        received(&zip(&entries), "a.zip", &Limits::default(), &AgentSpec::default()).expect("accepted");
    let content = |name: &str| {
        let found = files.iter().find(|(found, _)| found == name).expect(name);
        String::from_utf8_lossy(&found.1).into_owned()
    };
    assert_eq!(content("run"), "#!/bin/sh\nexec python3 agent.py\n");
    assert_eq!(content("plain.sh"), "echo 1\n");
    assert_eq!(content("Makefile"), "all:\n\techo\n");
    assert_eq!(content("app").as_bytes(), binary);
    assert_eq!(content("tool"), "\x7fELF\r\n");
    assert_eq!(content("data.txt"), "a\r\nb\r\n");
    assert_eq!(content("agent.toml"), "command = \"./run\"\r\ndialect = \"nus\"\r\n");
    for expected in [
        "a byte-order mark at the beginning of `agent.toml`; removed",
        "line ends of Windows (CR LF) in `run`, `plain.sh` and `Makefile`; converted to Unix line ends",
        "a byte-order mark at the beginning of `run`; removed",
        "no permission to run `run`; run permission set",
    ] {
        assert!(notes.iter().any(|note| note == expected), "{expected}: {notes:?}");
    }
    let refusal = refused(&zip(&[("agent.toml", TOML), ("x", b"#!/usr/bin/env python3\r\nPK\0")]));
    assert!(refusal.contains("line 1 of `x` ends in CR LF"), "{refusal}");
}

#[cfg(unix)]
#[test]
fn permissions_are_set() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().expect("a folder");
    let (file, into) = (home.path().join("upload"), home.path().join("agent"));
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, mode, content) in [
        ("agent.toml", 0o600, TOML),
        ("script", 0o644, b"#!/bin/sh\n"),
        ("allowed", 0o700, b"x"),
        ("suid", 0o4755, b"x"),
        ("other", 0o777 & !0o111, b"x"),
    ] {
        writer.start_file(name, plain_options().unix_permissions(mode)).expect("added");
        writer.write_all(content).expect("written");
    }
    fs::write(&file, writer.finish().expect("finished").into_inner()).expect("written");
    receive(&file, "a.zip", &into, &Limits::default(), &AgentSpec::default()).expect("accepted");
    for (name, mode) in
        [("agent.toml", 0o644), ("script", 0o755), ("allowed", 0o755), ("suid", 0o755), ("other", 0o644)]
    {
        let found = fs::metadata(into.join(name)).expect(name).permissions().mode() & 0o7777;
        assert_eq!(found, mode, "{name}: {found:o}");
    }
}

#[test]
fn only_programs_that_the_agent_starts_need_a_permission() {
    let script = &b"#!/usr/bin/env python3\nprint(1)\n"[..];
    let note = |defaults: &AgentSpec, entries: &[(&str, &[u8])]| {
        let (_, notes) = received(&zip(entries), "a.zip", &Limits::default(), defaults).expect("accepted");
        notes.join("; ")
    };
    let permitted = |name: &str| format!("no permission to run `{name}`; run permission set");
    assert_eq!(note(&course("python3 agent.py", None), &[("agent.py", script)]), "");
    assert_eq!(note(&course("./agent.py", None), &[("agent.py", script), ("other.py", script)]), permitted("agent.py"));
    let built = course("python3 agent.py", Some("cd . && ./prepare.py; python3 install.py"));
    let files = [("agent.py", script), ("prepare.py", script), ("install.py", script)];
    assert_eq!(note(&built, &files), permitted("prepare.py"));
    let described = &b"command = './agent.py'\ndialect = 'ugi'\ndirectory = 'src'\n"[..];
    let python = course("python3 agent.py", None);
    let files = [("agent.toml", described), ("src/agent.py", script), ("agent.py", script)];
    assert_eq!(note(&python, &files), permitted("src/agent.py"));
    // A single file has no permissions at all.
    for command in ["python3 agent.py", "./agent.py"] {
        let (_, notes) = received(script, "agent.py", &Limits::default(), &course(command, None)).expect("accepted");
        assert_eq!(notes, Vec::<String>::new(), "{command}");
    }
}

#[test]
fn the_description_gets_its_name() {
    for name in ["agent.toml.txt", "Agent.TOML", "x/Agent.toml"] {
        let (files, notes) = accepted(&zip(&[(name, TOML), (&name.replace("gent.", "gents."), b"print(1)\n")]));
        assert!(files.contains(&"agent.toml".to_owned()), "{files:?}");
        assert!(notes.iter().any(|note| note.ends_with("; renamed to `agent.toml`")), "{notes:?}");
    }
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(TOML.iter().flat_map(|&byte| [byte, 0])).collect();
    for (content, expected) in [(&utf16[..], "`agent.toml` is in UTF-16"), (b"{\\rtf1", "text with formatting (RTF)")] {
        let refusal = refused(&zip(&[("agent.toml", content)]));
        assert!(refusal.contains(expected) && refusal.contains("plain text"), "{refusal}");
    }
}

#[test]
fn other_kinds_of_files_are_refused_by_their_names() {
    for (bytes, expected) in [
        (&b"Rar!\x1a\x07\x01\0rest"[..], "`submission-U0000001X.zip` is a RAR archive, despite its name; unpack it"),
        (b"7z\xbc\xaf\x27\x1crest", "is a 7-Zip archive, despite its name"),
        (b"\x1f\x8b\x08rest", "is a gzip-compressed file, such as a .tar.gz archive, despite its name"),
        (b"", "is empty; check the file"),
        (b"<!doctype html>", "is a web page, despite its name"),
        (b"print(1)", "is text instead of a zip archive"),
    ] {
        let refusal = refused(bytes);
        assert!(refusal.contains(expected), "{refusal}");
    }
    let whole = zip(&PLAIN);
    for length in [10, whole.len() / 2, whole.len() - 1] {
        let refusal = refused(&whole[..length]);
        assert!(refusal.contains("incomplete or damaged") && refusal.contains("upload it again"), "{refusal}");
    }
    let refusal = refused(&zip(&[("submission/agent.zip", &whole)]));
    assert!(refusal.contains("another archive, `submission/agent.zip`, and no agent beside it"), "{refusal}");
    let (_, notes) = accepted(&zip(&[PLAIN[0], PLAIN[1], ("weights.gz", b"\x1f\x8b")]));
    assert_eq!(notes, ["the archive contains other archives: `weights.gz`; kept as they are"]);
    let refusal = refused(&zip(&[("[Content_Types].xml", b"x"), ("word/document.xml", b"x")]));
    assert!(refusal.contains("an Office document"), "{refusal}");
    let refusal = refused(&zip(&[("META-INF/MANIFEST.MF", b"x"), ("Agent.class", b"x")]));
    assert!(refusal.contains("a Java archive") && refusal.contains("java -jar"), "{refusal}");
}

/// Sets the system that made each entry: the upper byte of the version, at 5 of the list's entry.
fn made_by(mut bytes: Vec<u8>, system: u8) -> Vec<u8> {
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")).collect();
    for at in places {
        bytes[at + 5] = system;
        bytes[at + 38..at + 42].fill(0);
    }
    bytes
}

#[test]
fn names_of_windows_are_read() {
    let backslashes = zip(&[("x/agent.toml", TOML), ("x/src/agent.py", b"x")]);
    let backslashes = replaced(replaced(backslashes, b"x/src/", b"x\\src\\"), b"x/agent", b"x\\agent");
    let (files, notes) = accepted(&made_by(backslashes.clone(), 0));
    assert_eq!(files, ["agent.toml", "src/", "src/agent.py"]);
    assert!(notes[0].contains("backslashes") && notes[0].ends_with("; read as folders"), "{notes:?}");
    let refusal = refused(&made_by(replaced(backslashes, b"x\\src\\", b"..\\..\\"), 0));
    assert!(refusal.contains("leads out of its folder"), "{refusal}");
    // 0x81 is ü in code page 437.
    let encoded = replaced(zip(&[("agent.toml", TOML), ("m~ller.py", b"x")]), b"m~ller", b"m\x81ller");
    let (files, notes) = accepted(&encoded);
    assert!(files.contains(&"müller.py".to_owned()), "{files:?}");
    assert!(notes[0].contains("not in UTF-8: `müller.py`; read as code page 437"), "{notes:?}");
    // The flag for UTF-8 is set for names that are not ASCII.
    let wrong = replaced(zip(&[("agent.toml", TOML), ("mü.py", b"x")]), "mü".as_bytes(), b"m\xfcx");
    let refusal = refused(&wrong);
    assert!(refusal.contains("is not valid UTF-8"), "{refusal}");
}

fn course(command: &str, build: Option<&str>) -> AgentSpec {
    AgentSpec {
        command: Some(Words::Text(command.to_owned())),
        dialect: Some("nus".to_owned()),
        build: build.map(str::to_owned),
        ..AgentSpec::default()
    }
}

#[test]
fn a_single_file_is_accepted_if_the_course_names_it() {
    let python = course("python3 agent.py", None);
    let java = course("java -cp . Agent", Some("javac Agent.java"));
    let c = course("./agent", Some("gcc -O2 -o agent agent.c -lm"));
    for (name, defaults, file) in [
        ("agent.py", &python, "agent.py"),
        ("C:\\fakepath\\agent.py", &python, "agent.py"),
        ("agent (1).py", &python, "agent.py"),
        ("my bot.py", &python, "agent.py"),
        ("Agent.java", &java, "Agent.java"),
        ("Agent (2).java", &java, "Agent.java"),
        ("agent.c", &c, "agent.c"),
        ("agent.js", &course("node agent.js", None), "agent.js"),
        ("agent.sh", &course("./agent.sh", None), "agent.sh"),
    ] {
        let (files, notes) = received(b"#!/bin/x\r\n", name, &Limits::default(), defaults).expect(name);
        assert_eq!(files, [(file.to_owned(), b"#!/bin/x\n".to_vec())], "{name}");
        let is_renamed = notes.iter().any(|note| note.ends_with(&format!("; renamed to `{file}`")));
        assert_eq!(is_renamed, !name.ends_with(file), "{name}: {notes:?}");
    }
    for (name, defaults, expected) in [
        ("agent.py", &java, "but the course starts `java -cp . Agent`; rename it to `Agent.java`, or hand in a zip"),
        ("MyAgent.java", &java, "rename it to `Agent.java`"),
        ("agent.c", &AgentSpec::default(), "nothing says how to start it; hand in a zip archive"),
        ("agent.c", &python, "command = \"./agent\"\ndialect = \"nus\"\nbuild = \"gcc -O2 -o agent agent.c -lm\""),
        ("agent.txt", &python, "is a single file"),
    ] {
        let refusal = received(b"code\n", name, &Limits::default(), defaults).expect_err(name);
        assert!(refusal.contains(expected), "{refusal}");
    }
    let jar = zip(&[("META-INF/MANIFEST.MF", b"x")]);
    let (files, _) =
        received(&jar, "agent.jar", &Limits::default(), &course("java -jar agent.jar", None)).expect("accepted");
    assert_eq!(files[0].0, "agent.jar");
}

#[test]
fn files_without_a_description_need_the_courses_command() {
    let sources = zip(&[("x/agent.c", &b"int main() {}"[..]), ("x/board.c", b""), ("x/board.h", b"")]);
    let refusal = refused(&sources);
    assert!(refusal.starts_with("there is no `agent.toml`"), "{refusal}");
    assert!(refusal.contains("command = \"./agent\"\n") && refusal.contains("\nbuild = \"gcc -O2 -o agent *.c -lm\""));
    let c = course("./agent", Some("gcc -o agent agent.c board.c"));
    let (files, _) = received(&sources, "a.zip", &Limits::default(), &c).expect("accepted");
    assert_eq!(files.len(), 3);
    let refusal = received(&sources, "a.zip", &Limits::default(), &course("python3 agent.py", None)).expect_err("C");
    assert!(refusal.contains("nor the file `agent.py`"), "{refusal}");
    let classes = zip(&[("Agent.class", b"\xca\xfe\xba\xbe"), ("Board.class", b"\xca\xfe\xba\xbe")]);
    assert!(refused(&classes).contains("command = \"java -cp . Agent\""));
    assert!(received(&classes, "a.zip", &Limits::default(), &course("java -cp . Agent", None)).is_ok());
    // The folder belongs to the course's command.
    let kept = zip(&[("src/agent.py", b"x")]);
    let (files, _) = received(&kept, "a.zip", &Limits::default(), &course("python3 src/agent.py", None)).expect("kept");
    assert_eq!(files.last().expect("a file").0, "src/agent.py");
}

#[test]
fn an_existing_folder_is_left_alone() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("upload");
    fs::write(&file, zip(&PLAIN)).expect("written");
    let into: PathBuf = home.path().join("agent");
    fs::create_dir(&into).expect("a folder");
    fs::write(into.join("kept"), "x").expect("written");
    let error = receive(&file, "a.zip", &into, &Limits::default(), &AgentSpec::default()).expect_err("it exists");
    assert!(matches!(error, IntakeError::Io { .. }) && into.join("kept").exists(), "{error}");
}
