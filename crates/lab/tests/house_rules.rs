//! Rules that the compiler does not check: dependencies between the crates, access to the machine, allowed licences, a
//! single crate for SQLite, and the sizes of comments and files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The plane of a crate. A pure crate has no process, socket, file, SQL, thread or clock except those passed to it. A
/// machine crate may use the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plane {
    Pure,
    Machine,
}
use Plane::{Machine, Pure};

/// Allowed dependencies of each crate on the others, in dependency order; `ARCHITECTURE.md` describes the crates.
/// Dependencies of tests are unrestricted.
const MAY_USE: [(&str, Plane, &[&str]); 29] = [
    ("game", Pure, &[]),
    ("board", Pure, &["game"]),
    ("reference", Pure, &[]),
    ("rating", Pure, &["game"]),
    ("search", Pure, &["game"]),
    ("engine", Pure, &["game", "search"]),
    ("loa", Pure, &["game", "board", "search", "engine"]),
    ("checkers", Pure, &["game", "search", "engine"]),
    ("jump61", Pure, &["game", "search", "engine"]),
    ("breakthrough", Pure, &["game", "board", "search", "engine"]),
    ("proof", Pure, &["game", "loa", "jump61", "breakthrough", "reference", "search", "engine"]),
    ("protocol", Pure, &["game", "loa"]),
    ("console", Pure, &["game", "loa", "checkers", "jump61", "search", "engine", "proof", "games"]),
    (
        "games",
        Pure,
        &["game", "loa", "checkers", "jump61", "breakthrough", "reference", "search", "engine", "proof", "protocol"],
    ),
    ("house", Pure, &["game", "checkers", "search", "engine", "games", "rating"]),
    ("plyhouse", Pure, &["game", "loa", "checkers", "jump61", "breakthrough", "search", "engine", "proof", "protocol"]),
    (
        "python",
        Machine,
        &["game", "loa", "checkers", "jump61", "breakthrough", "search", "engine", "protocol", "games", "rating"],
    ),
    ("process", Machine, &[]),
    ("script", Machine, &["game", "process", "protocol"]),
    ("referee", Machine, &["game", "process", "protocol"]),
    ("arena", Machine, &["game", "search", "engine", "games", "rating", "process", "protocol", "referee", "ledger"]),
    (
        "course",
        Machine,
        &[
            "game", "search", "engine", "games", "rating", "process", "protocol", "referee", "ledger", "arena",
            "house", "web",
        ],
    ),
    ("ledger", Machine, &[]),
    ("measure", Machine, &["game", "search", "engine", "games", "rating", "ledger"]),
    ("web", Machine, &["search", "game", "engine", "console", "games", "house"]),
    ("wasm", Machine, &["search", "house"]),
    ("devtools", Machine, &[]),
    (
        "lab",
        Machine,
        &[
            "game",
            "loa",
            "checkers",
            "jump61",
            "breakthrough",
            "search",
            "engine",
            "proof",
            "protocol",
            "console",
            "games",
            "rating",
            "script",
            "arena",
            "measure",
            "ledger",
            "web",
        ],
    ),
    (
        "cli",
        Machine,
        &[
            "game", "checkers", "search", "engine", "proof", "protocol", "console", "games", "rating", "process",
            "script", "referee", "arena", "course", "measure", "web", "ledger", "house",
        ],
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

/// The file that contains the system's clock and threads, which callers pass to searches.
const HOST: &str = "search/src/system.rs";

/// Returns cargo's metadata of our packages, and of their dependencies unless the arguments exclude them.
fn metadata(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(arguments)
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

/// Returns a crate's name without the prefix that all our packages share.
fn short(name: &str) -> &str {
    name.strip_prefix("plyhouse-").unwrap_or(name)
}

#[test]
fn crates_have_only_allowed_dependencies() {
    let metadata = metadata(&["--no-deps"]);
    let may_use: BTreeMap<&str, (Plane, &[&str])> =
        MAY_USE.into_iter().map(|(name, plane, used)| (name, (plane, used))).collect();
    let ours: Vec<&Value> = packages(&metadata).iter().filter(|package| package["source"].is_null()).collect();
    assert_eq!(ours.len(), may_use.len(), "every crate of the workspace has a line in the table");
    for package in ours {
        let name = short(text(package, "name"));
        let (plane, allowed) = may_use.get(name).unwrap_or_else(|| panic!("{name} has no line in the table"));
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            // Only ordinary dependencies have the kind null, so dev-dependencies are skipped.
            if !dependency["kind"].is_null() {
                continue;
            }
            let used = short(text(dependency, "name"));
            let ours = dependency["source"].is_null();
            assert!(!ours || allowed.contains(&used), "{name} must not use {used}");
            let crosses =
                *plane == Pure && if ours { may_use[used].0 == Machine } else { !PURE_LIBRARIES.contains(&used) };
            assert!(!crosses, "{name} is pure and must not use {used}");
        }
    }
}

/// External crates that pure crates may use. None of them accesses the machine.
const PURE_LIBRARIES: [&str; 7] =
    ["integer-blossom", "jiff", "prefetch-index", "serde", "serde_json", "sha2", "thiserror"];

/// Paths of the standard library that access the machine.
const MACHINE_PATHS: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "std::env",
    "std::io::std",
    "Instant::now",
    "SystemTime",
    "std::os",
];

/// Returns `true` if the code of a line, without comments, accesses the machine.
fn accesses_machine(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    MACHINE_PATHS.iter().any(|path| code.contains(path))
}

#[test]
fn pure_crates_do_not_access_the_machine() {
    assert!(accesses_machine("let now = Instant::now();") && !accesses_machine("// Instant::now()"));
    for (name, _, _) in MAY_USE.into_iter().filter(|&(_, plane, _)| plane == Pure) {
        for path in sources(&root().join("crates").join(name).join("src")) {
            if path.ends_with(HOST) {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a file");
            // Unit tests are at the end of a file. They may measure time.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let found = code.lines().position(accesses_machine);
            assert!(
                found.is_none(),
                "{}:{}: a pure crate accesses the machine",
                path.display(),
                found.unwrap_or(0) + 1
            );
        }
    }
}

/// Paths that exist on some systems only.
const SYSTEM_PATHS: [&str; 7] =
    ["std::os::", "rustix::", "nix::", "landlock::", "seccompiler::", "win32job::", "signal::unix"];

/// Files and folders in `crates` with code for one system. Everything else compiles on Linux, macOS and Windows.
const SYSTEM_CODE: [&str; 9] = [
    "cli/src/memory.rs",
    "course/src/http/signals",
    "devtools/src",
    "lab/src",
    "process/src/affinity.rs",
    "process/src/sandbox",
    "process/src/unix",
    "process/src/windows",
    "web/src/driver.rs",
];

/// Returns the index of the first line of code with a path that exists on some systems only.
fn names_a_system(text: &str) -> Option<usize> {
    // Unit tests are at the end of a file. They may need Unix.
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code.split("#[cfg(all(test, ").next().unwrap_or_default();
    code.lines().position(|line| {
        let code = line.split("//").next().unwrap_or_default();
        let is_whole = |(at, _)| !code[..at].ends_with(char::is_alphanumeric);
        SYSTEM_PATHS.iter().any(|path| code.match_indices(path).any(is_whole))
    })
}

#[test]
fn code_for_one_system_is_in_few_files() {
    assert_eq!(
        names_a_system("// rustix::fs\nuse crate::unix::tree;\nuse std::os::unix::fs::PermissionsExt;"),
        Some(2)
    );
    assert_eq!(names_a_system("use std::fs;\n#[cfg(test)]\nmod tests {\n    use std::os::fd::OwnedFd;\n}"), None);
    let folder = root().join("crates");
    for (name, _, _) in MAY_USE {
        let source = if name == "python" { root().join("bindings/python/src") } else { folder.join(name).join("src") };
        for path in sources(&source) {
            if SYSTEM_CODE.iter().any(|code| path.starts_with(folder.join(code))) {
                continue;
            }
            let found = names_a_system(&std::fs::read_to_string(&path).expect("a file"));
            assert!(
                found.is_none(),
                "{}:{}: a path that does not exist on every system",
                path.display(),
                found.unwrap_or(0) + 1
            );
        }
    }
}

/// Returns `true` if a licence expression allows a permissive choice. The expressions in use have no nested
/// parentheses.
fn is_permissive(expression: &str) -> bool {
    let normal = expression.replace('/', " OR ").replace(['(', ')'], "");
    let allowed = |licence: &str| PERMISSIVE.contains(&licence.trim());
    normal.split(" AND ").all(|all| all.split(" OR ").any(allowed))
}

#[test]
fn licences_are_permissive() {
    assert!(is_permissive("MIT OR Apache-2.0") && is_permissive("(MIT OR GPL-3.0) AND Unicode-3.0"));
    assert!(!is_permissive("GPL-3.0-or-later") && !is_permissive("MIT AND GPL-3.0") && !is_permissive(""));
    for package in packages(&metadata(&[])) {
        let licence = text(package, "license");
        assert!(is_permissive(licence), "{} has the licence `{licence}`", text(package, "name"));
    }
}

#[test]
fn there_is_at_most_one_crate_for_sqlite() {
    let metadata = metadata(&[]);
    let found: Vec<&str> =
        packages(&metadata).iter().map(|package| text(package, "name")).filter(|name| SQLITE.contains(name)).collect();
    assert!(found.iter().filter(|name| !name.ends_with("-sys")).count() <= 1, "{found:?}");
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns every Rust file of the workspace.
fn all_sources() -> Vec<PathBuf> {
    ["crates", "bindings/python/src"].iter().flat_map(|folder| sources(&root().join(folder))).collect()
}

/// Returns every Rust file below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// Returns the index of the first line with a comment that is wider than the limit for code. Examples and tables are
/// exempt, because they cannot be wrapped.
fn wide_comment(text: &str) -> Option<usize> {
    let mut in_example = false;
    text.lines().position(|line| {
        let comment = line.trim_start().strip_prefix("//").unwrap_or_default();
        in_example ^= comment.trim_start_matches(['/', '!', ' ']).starts_with("```");
        !in_example && !comment.is_empty() && !comment.contains(" | ") && line.chars().count() > 120
    })
}

#[test]
fn comments_are_not_wider_than_code() {
    let wide = format!("// {}", "x ".repeat(60));
    assert!(wide_comment(&wide) == Some(0) && wide_comment(&format!("//! ```\n{wide}\n//! ```")).is_none());
    let in_file = |path: &PathBuf| {
        let line = wide_comment(&std::fs::read_to_string(path).expect("a file"))?;
        Some(format!("{}:{}", path.display(), line + 1))
    };
    let found: Vec<String> = all_sources().iter().filter_map(in_file).collect();
    assert!(found.is_empty(), "comments wider than 120 columns: {found:?}");
}

#[test]
fn files_stay_short() {
    for path in all_sources() {
        let lines = std::fs::read_to_string(&path).expect("a file").lines().count();
        assert!(lines <= 550, "{} has {lines} lines", path.display());
    }
}
