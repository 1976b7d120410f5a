//! Rules of the house that the compiler does not know: who may use whom, which licences there may be, one crate for SQLite.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// What each crate may use of the others, in dependency order; `ARCHITECTURE.md` says why. Dependencies of tests are free.
const MAY_USE: [(&str, &[&str]); 17] = [
    ("game", &[]),
    ("loa", &["game"]),
    ("checkers", &["game"]),
    ("jump61", &["game"]),
    ("reference", &[]),
    ("search", &["game"]),
    ("engine", &["game", "loa", "checkers", "jump61", "search"]),
    ("proof", &["game", "loa", "reference", "search", "engine"]),
    ("referee", &["game"]),
    ("protocol", &["game", "loa", "checkers", "jump61", "search", "engine", "proof", "referee"]),
    ("script", &["referee", "protocol"]),
    ("arena", &["game", "referee"]),
    ("games", &["game", "loa", "checkers", "jump61", "search", "engine", "referee", "protocol", "arena"]),
    (
        "lab",
        &[
            "game",
            "loa",
            "checkers",
            "jump61",
            "reference",
            "search",
            "engine",
            "proof",
            "protocol",
            "script",
            "arena",
            "games",
            "referee",
        ],
    ),
    ("web", &["search", "engine", "protocol", "games"]),
    ("devtools", &[]),
    (
        "plyhouse-cli",
        &["game", "search", "engine", "proof", "referee", "protocol", "script", "arena", "games", "lab", "web"],
    ),
];

const PERMISSIVE: [&str; 11] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

const SQLITE: [&str; 5] = ["rusqlite", "sqlite", "sqlx-sqlite", "libsqlite3-sys", "sqlite3-sys"];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn packages(metadata: &Value) -> &[Value] {
    metadata["packages"].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn crates_use_only_what_they_may() {
    let metadata = metadata();
    let may_use: BTreeMap<&str, &[&str]> = MAY_USE.into_iter().collect();
    let ours: Vec<&Value> = packages(&metadata).iter().filter(|package| package["source"].is_null()).collect();
    assert_eq!(ours.len(), may_use.len(), "every crate of the workspace has a line in the table");
    for package in ours {
        let name = text(package, "name");
        let allowed = may_use.get(name).unwrap_or_else(|| panic!("{name} has no line in the table"));
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = text(dependency, "name");
            // A null kind is an ordinary dependency, not one of tests.
            let ours = may_use.contains_key(used) && dependency["source"].is_null();
            if ours && dependency["kind"].is_null() {
                assert!(allowed.contains(&used), "{name} must not use {used}");
            }
        }
    }
}

/// Whether a licence expression leaves a permissive choice. Expressions in use have no nested brackets.
fn is_permissive(expression: &str) -> bool {
    let normal = expression.replace('/', " OR ").replace(['(', ')'], "");
    let allowed = |licence: &str| PERMISSIVE.contains(&licence.trim());
    normal.split(" AND ").all(|all| all.split(" OR ").any(allowed))
}

#[test]
fn licences_are_permissive() {
    assert!(is_permissive("MIT OR Apache-2.0") && is_permissive("(MIT OR GPL-3.0) AND Unicode-3.0"));
    assert!(!is_permissive("GPL-3.0-or-later") && !is_permissive("MIT AND GPL-3.0") && !is_permissive(""));
    for package in packages(&metadata()) {
        let licence = text(package, "license");
        assert!(is_permissive(licence), "{} has the licence `{licence}`", text(package, "name"));
    }
}

#[test]
fn there_is_at_most_one_crate_for_sqlite() {
    let metadata = metadata();
    let found: Vec<&str> =
        packages(&metadata).iter().map(|package| text(package, "name")).filter(|name| SQLITE.contains(name)).collect();
    assert!(found.iter().filter(|name| !name.ends_with("-sys")).count() <= 1, "{found:?}");
}

#[test]
fn files_stay_short() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let lines = std::fs::read_to_string(&path).expect("a file").lines().count();
                assert!(lines <= 550, "{} has {lines} lines", path.display());
            }
        }
    }
}
