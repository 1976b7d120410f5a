//! Files of submissions, and the archives that students make of them.

use std::io::{Cursor, Write};
use std::path::Path;
use std::process::Command;

use arena::{AgentSpec, Spec};
use course::Course;
use protocol::TimeLeft;
use protocol::dialects::{Speaks, Variant};
use protocol::{Dialect, Heard};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Number of moves of a game that agents find in their book.
const MOVES: usize = 12;

/// Files of a submission: paths and contents.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// Answers of agents in the games of the checks, so that agents in any language need no rules: each line is
/// `KEY=ANSWER`. Both sides play the first legal move.
pub(crate) struct Kit {
    /// For `ugi`. The key is the list of moves.
    ugi: String,
    /// For `nus`. The key is the board.
    nus: String,
}

impl Kit {
    /// Reads the games of the checks in a course.
    pub(crate) fn new(course: &Course) -> Self {
        let engine = |name: &str| AgentSpec {
            name: name.to_owned(),
            builtin: Some("level=1".to_owned()),
            ..AgentSpec::default()
        };
        let spec = course.ladder_spec(vec![engine("a"), engine("b")]).expect("the rules of the ladder");
        let mut kit = Self { ugi: String::new(), nus: String::new() };
        for opening in [0, 3, spec.opening] {
            kit.add(&Spec { opening, ..spec.clone() });
        }
        kit
    }

    fn add(&mut self, spec: &Spec) {
        let mut game = spec.new_game(spec.openings.is_none().into()).expect("a game");
        let usual_start = spec.replay(&game.start(), &[]).expect("a game").start();
        let variant = Variant { game: spec.game.clone(), title: String::new(), size: 6, usual_start, rules: None };
        for _ in 0..MOVES {
            let Some(best) = game.legal_moves().into_iter().next() else { return };
            self.ugi.extend([&game.moves().join(" "), "=", &best, "\n"]);
            if let Ok(mut nus) = Speaks::Nus.dialect(&variant) {
                let asked = nus.ask(&*game, &TimeLeft::default()).lines;
                let answer = squares().find(|answer| nus_move(&mut *nus, answer).as_ref() == Some(&best));
                self.nus.extend([&asked[3..].join(" "), "=", &answer.expect("a legal move"), "\n"]);
            }
            game.play(&best).expect("legal");
        }
    }

    /// Returns the files of an agent in Python.
    pub(crate) fn files(&self, description: &str, agent: &str) -> Files {
        let book = if description.contains("nus") { &self.nus } else { &self.ugi };
        files(&[("agent.toml", description), ("agent.py", agent), ("book.txt", book)])
    }

    /// Returns the archive of an agent in Python.
    pub(crate) fn zip(&self, description: &str, agent: &str) -> Vec<u8> {
        zip(&self.files(description, agent))
    }

    /// Returns the class of an agent in Java, without a description. Needs [`javac`].
    pub(crate) fn classes(&self) -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("Agent.java"), JAVA).expect("written");
        let compiled =
            Command::new("javac").args(["--release", "11", "Agent.java"]).current_dir(folder.path()).status();
        assert!(compiled.is_ok_and(|status| status.success()), "the source is compiled");
        let class = std::fs::read(folder.path().join("Agent.class")).expect("the class");
        [vec![("Agent.class".to_owned(), class)], files(&[("book.txt", &self.ugi)])].concat()
    }
}

/// Returns all pairs of squares, as agents of `nus` write them.
fn squares() -> impl Iterator<Item = String> {
    let all = || (b'A'..=b'F').flat_map(|column| (b'1'..=b'6').map(move |row| [char::from(column), char::from(row)]));
    all().flat_map(move |from| all().map(move |to| from.into_iter().chain(to).collect()))
}

fn nus_move(dialect: &mut dyn Dialect, answer: &str) -> Option<String> {
    if let Heard::Move(found) = dialect.hear(answer) { Some(found) } else { None }
}

/// An agent in Python for `ugi`. `THINK` is replaced by a statement before each move.
const PYTHON: &str = r#"import sys, time
book = dict(line.rstrip("\n").split("=") for line in open("book.txt"))
moves, pieces, count = [], 8, 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        if words[1] == "fen":
            pieces = words[2].count(words[3])
    elif words[0] == "go":
        count += 1
        THINK
        print("bestmove", book[" ".join(moves)], flush=True)
    elif words[0] == "quit":
        break
"#;

/// Returns an agent for `ugi` with a statement before each move.
pub(crate) fn thinker(statement: &str) -> String {
    PYTHON.replace("THINK", statement)
}

/// Returns an agent for `ugi`.
pub(crate) fn player() -> String {
    thinker("pass")
}

/// Returns an agent for `nus`. `name` and `answer` are statements; `move` is the move.
pub(crate) fn competitor(name: &str, answer: &str) -> String {
    format!(
        "import sys\nlines = sys.stdin.read().splitlines()\nif lines[0] == 'identify':\n    {name}\nelse:\n    \
         book = dict(line.rstrip('\\n').split('=') for line in open('book.txt'))\n    \
         move = book[' '.join(lines[3:9])]\n    {answer}\n"
    )
}

const JAVA: &str = r#"
import java.nio.file.*;
import java.util.*;

public class Agent {
    public static void main(String[] arguments) throws Exception {
        Map<String, String> book = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("book.txt"))) {
            book.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
        }
        Scanner input = new Scanner(System.in);
        String moves = "";
        while (input.hasNextLine()) {
            String line = input.nextLine();
            if (line.equals("isready")) System.out.println("readyok");
            if (line.startsWith("position")) moves = line.contains(" moves ") ? line.split(" moves ")[1] : "";
            if (line.startsWith("go")) System.out.println("bestmove " + book.get(moves));
            if (line.equals("quit")) return;
        }
    }
}
"#;

pub(crate) fn files(files: &[(&str, &str)]) -> Files {
    files.iter().map(|(name, content)| ((*name).to_owned(), content.as_bytes().to_vec())).collect()
}

/// Returns the files with a folder before their names.
pub(crate) fn within(folder: &str, files: Files) -> Files {
    files.into_iter().map(|(name, content)| (format!("{folder}/{name}"), content)).collect()
}

/// Returns a zip archive of these files, without permissions to run them.
pub(crate) fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(name, options.unix_permissions(0o644)).expect("added");
        writer.write_all(content).expect("written");
    }
    writer.finish().expect("finished").into_inner()
}

/// Returns a zip archive with a symbolic link.
pub(crate) fn zip_with_link(files: &[(String, Vec<u8>)], name: &str, target: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new_append(Cursor::new(zip(files))).expect("an archive");
    writer.add_symlink(name, target, SimpleFileOptions::default()).expect("added");
    writer.finish().expect("finished").into_inner()
}

/// Replaces the name of an entry by one of the same length that the writer of archives would not accept.
pub(crate) fn renamed(mut archive: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = (0..archive.len()).filter(|&at| archive[at..].starts_with(from.as_bytes())).collect();
    assert_eq!(places.len(), 2, "the name is in the file's header and in the list of files");
    for at in places {
        archive[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    archive
}

/// Marks all entries as encrypted, which is bit 0 of the flags in each header.
pub(crate) fn encrypted(archive: Vec<u8>) -> Vec<u8> {
    patched(archive, 6, 8, |flags| flags[0] |= 1)
}

/// Declares a size of all entries.
pub(crate) fn of_size(archive: Vec<u8>, size: u32) -> Vec<u8> {
    patched(archive, 22, 24, |field| field[..4].copy_from_slice(&size.to_le_bytes()))
}

/// Changes a field in the header of each file and in the list of files.
fn patched(mut archive: Vec<u8>, in_header: usize, in_list: usize, change: impl Fn(&mut [u8])) -> Vec<u8> {
    for (signature, field) in [(b"PK\x03\x04", in_header), (b"PK\x01\x02", in_list)] {
        let places: Vec<usize> = (0..archive.len()).filter(|&at| archive[at..].starts_with(signature)).collect();
        for at in places {
            change(&mut archive[at + field..]);
        }
    }
    archive
}

/// Returns the header of a program for another architecture than that of this machine.
pub(crate) fn foreign_program() -> Vec<u8> {
    const ARM: u8 = 183;
    const X86: u8 = 62;
    let machine = if cfg!(target_arch = "aarch64") { X86 } else { ARM };
    let mut program = b"\x7fELF\x02\x01\x01".to_vec();
    program.resize(16, 0);
    program.extend([2, 0, machine, 0]);
    program.resize(120, 0);
    program
}

/// Returns `true` if this machine can compile Java.
pub(crate) fn javac() -> bool {
    Command::new("javac").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Returns `true` if this machine has the program.
pub(crate) fn has(program: &str) -> bool {
    Path::new(program).exists()
}
