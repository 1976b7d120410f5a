//! Golden transcripts: the exact output of whole sessions of the programs. In `testdata/golden/`, `PROGRAM.NAME.in` is
//! the input and `PROGRAM.NAME.out` the expected output. The engines play the same moves in debug and release builds
//! and on every machine. After an intended change of play, update the transcripts with
//! `UPDATE_GOLDEN=1 cargo test -p plyhouse-cli golden::`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn program(name: &str) -> &'static str {
    match name {
        "loa" => env!("CARGO_BIN_EXE_loa"),
        "loa6" => env!("CARGO_BIN_EXE_loa6"),
        "jump61" => env!("CARGO_BIN_EXE_jump61"),
        "checkers" => env!("CARGO_BIN_EXE_checkers"),
        _ => panic!("no program `{name}`"),
    }
}

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/golden");
    let paths = fs::read_dir(folder).expect("the transcripts").map(|entry| entry.expect("an entry").path());
    let mut inputs: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "in")).collect();
    inputs.sort();
    inputs
}

/// Returns standard output unchanged, followed by the lines of standard error and the exit code, each with a label.
fn transcript(input: &Path) -> String {
    let name = input.file_name().and_then(|name| name.to_str()).expect("a name");
    let output = Command::new(program(name.split('.').next().expect("a program")))
        .stdin(fs::File::open(input).expect("the input"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .expect("the program runs");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        text.extend(["\n[stderr] ", line]);
    }
    let code = output.status.code().unwrap_or(-1);
    text + &format!("\n[exit code] {code}\n")
}

#[test]
fn sessions_match_the_golden_transcripts() {
    let inputs = inputs();
    assert!(inputs.len() >= 8);
    for input in inputs {
        let path = input.with_extension("out");
        let now = transcript(&input);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &now).expect("written");
        }
        let golden = fs::read_to_string(&path).expect("the transcript");
        assert_eq!(now, golden, "{}", path.display());
    }
}
