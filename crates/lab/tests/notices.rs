//! The licences of third-party code. Each artefact contains a file `THIRD-PARTY.txt`: the archive, the Debian package,
//! the wheel and the static site. `make notices` writes these files after a change of dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// An artefact with third-party code.
struct Artefact {
    title: &'static str,
    /// Path of the notices, relative to the root of the workspace.
    file: &'static str,
    /// The package that the artefact is built from.
    package: &'static str,
    /// Targets that the artefact is built for.
    targets: &'static [&'static str],
    /// `true` if the artefact contains the page.
    has_page: bool,
    /// Packages that the notices must name.
    known: &'static [&'static str],
}

const SYSTEMS: &[&str] =
    &["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-gnu"];

const ARTEFACTS: [Artefact; 3] = [
    Artefact {
        title: "the programs of Plyhouse",
        file: "packaging/THIRD-PARTY.txt",
        package: "plyhouse-cli",
        targets: SYSTEMS,
        has_page: true,
        known: &["Preact", "htm", "tokio", "rustls", "ring", "SQLite", "The Rust standard library"],
    },
    Artefact {
        title: "the Python package of Plyhouse",
        file: "bindings/python/THIRD-PARTY.txt",
        package: "plyhouse-python",
        targets: SYSTEMS,
        has_page: false,
        known: &["pyo3", "numpy", "The Rust standard library"],
    },
    Artefact {
        title: "the static site of Plyhouse",
        file: "crates/web/page/site/THIRD-PARTY.txt",
        package: "plyhouse-wasm",
        targets: &["wasm32-unknown-unknown", "wasm32-wasip1-threads"],
        has_page: true,
        known: &["Preact", "htm", "serde_json", "wasi-libc", "The Rust standard library"],
    },
];

/// The MIT licence after its copyright line.
const MIT: &str = include_str!("../../../LICENSE-MIT");

/// Returns the text of a licence with uniform line ends and empty lines.
fn normal(text: &str) -> String {
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        if !(line.is_empty() && (out.is_empty() || lines.get(number + 1).is_none_or(|next| next.is_empty()))) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Returns the MIT licence with a copyright line.
fn mit(holders: &str) -> String {
    let terms = MIT.split_once("Permission is hereby").expect("the text of the licence").1;
    normal(&format!("MIT License\n\nCopyright (c) {holders}\n\nPermission is hereby{terms}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// Returns what `cargo metadata` prints for some targets.
fn metadata(targets: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked"]).current_dir(root());
    for target in targets {
        command.args(["--filter-platform", target]);
    }
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Returns the third-party packages whose code becomes part of a package: its normal dependencies except procedural
/// macros, and their dependencies.
fn dependencies<'a>(metadata: &'a Value, package: &str) -> Vec<&'a Value> {
    let list = |value: &'a Value| value.as_array().into_iter().flatten();
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"]).map(|item| (text(item, "id"), item)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(node, "id"), node)).collect();
    let is_macro = |package: &'a Value| {
        list(&package["targets"]).flat_map(|target| list(&target["kind"])).any(|kind| kind == "proc-macro")
    };
    let mut waiting: Vec<&str> =
        packages.values().filter(|item| text(item, "name") == package).map(|item| text(item, "id")).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if is_macro(packages[id]) || !found.insert(id) {
            continue;
        }
        let used = list(&nodes[id]["deps"]).filter(|used| list(&used["dep_kinds"]).any(|kind| kind["kind"].is_null()));
        waiting.extend(used.map(|used| text(used, "pkg")));
    }
    let mut found: Vec<&Value> =
        found.into_iter().map(|id| packages[id]).filter(|item| !item["source"].is_null()).collect();
    found.sort_by_key(|item| (text(item, "name"), text(item, "version")));
    found
}

/// Returns the licence files of a package by name.
fn licence_files(package: &Value) -> BTreeMap<String, String> {
    let folder = Path::new(text(package, "manifest_path")).parent().expect("a folder");
    let entries = std::fs::read_dir(folder).expect("the package's source").flatten();
    let files = entries.filter(|entry| entry.path().is_file()).filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().to_uppercase();
        let is_licence = ["LICEN", "COPY", "NOTICE", "UNLICEN"].iter().any(|start| name.starts_with(start));
        is_licence.then(|| std::fs::read_to_string(entry.path()).ok()).flatten().map(|text| (name, normal(&text)))
    });
    files.collect()
}

/// Returns the licences under which a package is used. If the package offers a choice that includes the MIT licence, it
/// is used under this one.
fn licences(package: &Value) -> Vec<String> {
    let expression = text(package, "license");
    let files = licence_files(package);
    let has_choice = !expression.contains("AND") && expression.split([' ', '/']).any(|word| word == "MIT");
    if has_choice {
        let is_mit = |name: &str, text: &str| {
            name.contains("MIT") || text.contains("Permission is hereby granted, free of charge, to any")
        };
        let chosen = files.iter().find(|(name, text)| is_mit(name, text)).map(|(_, text)| text.clone());
        return vec![chosen.unwrap_or_else(|| mit(&holders(package)))];
    }
    if files.is_empty() && expression == "BSL-1.0" {
        let boost = include_str!("licences/BSL-1.0.txt");
        return vec![normal(boost)];
    }
    assert!(!files.is_empty(), "{}: no text for the licence {expression}", text(package, "name"));
    files.into_values().collect()
}

/// Returns the authors that a package names, or its contributors.
fn holders(package: &Value) -> String {
    let authors: Vec<&str> = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if authors.is_empty() { format!("the contributors of {}", text(package, "name")) } else { authors.join(", ") }
}

/// Returns third-party code that is no package of cargo: name, licence, address and the text of the licence.
fn others(artefact: &Artefact, names: &BTreeSet<&str>) -> Vec<[String; 4]> {
    let read = |path: &str| normal(&std::fs::read_to_string(root().join(path)).expect(path));
    let mut found = Vec::new();
    let mut add = |name: &str, licence: &str, address: &str, text: String| {
        found.push([name.to_owned(), licence.to_owned(), address.to_owned(), text]);
    };
    let rust = mit("The Rust Project Contributors");
    add("The Rust standard library", "MIT OR Apache-2.0", "https://github.com/rust-lang/rust", rust);
    if artefact.has_page {
        let [preact, htm] = ["preact", "htm"].map(|name| read(&format!("crates/web/page/vendor/LICENSE-{name}.txt")));
        add("Preact 10.5.13", "MIT", "https://github.com/preactjs/preact", preact);
        add("htm 3.1.1", "Apache-2.0", "https://github.com/developit/htm", htm);
    }
    if names.contains("libsqlite3-sys") {
        let text = "The authors of SQLite have dedicated its code to the public domain.\n".to_owned();
        add("SQLite", "public domain", "https://www.sqlite.org/copyright.html", text);
    }
    if artefact.targets.contains(&"wasm32-wasip1-threads") {
        let text = mit("2005-2020 Rich Felker, et al. (musl); the contributors of wasi-libc");
        let licence = "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT";
        add("wasi-libc", licence, "https://github.com/WebAssembly/wasi-libc", text);
    }
    found
}

/// Returns the notices of an artefact. Packages with the same text share it.
fn notices(artefact: &Artefact) -> String {
    let metadata = metadata(artefact.targets);
    let packages = dependencies(&metadata, artefact.package);
    let names = packages.iter().map(|package| text(package, "name")).collect();
    let mut list = String::new();
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for [name, licence, address, terms] in others(artefact, &names) {
        let _ = writeln!(list, "  {name} ({licence}), {address}");
        users.entry(terms).or_default().push(name);
    }
    for package in packages {
        let name = format!("{} {}", text(package, "name"), text(package, "version"));
        let (licence, address) = (text(package, "license"), text(package, "repository"));
        let comma = if address.is_empty() { "" } else { ", " };
        let _ = writeln!(list, "  {name} ({licence}){comma}{address}");
        for terms in licences(package) {
            users.entry(terms).or_default().push(name.clone());
        }
    }
    let mut texts: Vec<(Vec<String>, String)> = users.into_iter().map(|(terms, names)| (names, terms)).collect();
    texts.sort();
    let mut out = format!(
        "Third-party code in {}\n\n\
         Plyhouse itself is licensed under MIT or Apache-2.0. It contains code of the packages below, some of them only\n\
         on some systems. A package with a choice of licences that includes MIT is used under MIT.\n\n{list}",
        artefact.title
    );
    let line = "-".repeat(100);
    for (names, terms) in texts {
        let _ = write!(out, "\n{line}\n{}\n{line}\n\n{terms}", names.join("\n"));
    }
    out
}

#[test]
fn notices_are_complete() {
    let is_update = std::env::var_os("UPDATE_NOTICES").is_some();
    for artefact in &ARTEFACTS {
        let path = root().join(artefact.file);
        let current = notices(artefact);
        if is_update {
            std::fs::write(&path, &current).expect("the notices can be written");
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == current, "{} is out of date; `make notices` updates it", artefact.file);
        for name in artefact.known {
            assert!(stored.contains(&format!("\n  {name} ")), "{}: {name} is missing", artefact.file);
        }
    }
}

#[test]
fn procedural_macros_and_tools_for_tests_need_no_notice() {
    let metadata = metadata(SYSTEMS);
    let names: BTreeSet<&str> = dependencies(&metadata, "plyhouse-cli").iter().map(|item| text(item, "name")).collect();
    assert!(names.contains("serde") && names.contains("clap"), "{names:?}");
    for absent in ["serde_derive", "cc", "divan", "plyhouse-search"] {
        assert!(!names.contains(absent), "{absent}");
    }
}

/// Checks the statement of versions in the notices against the list of the page's third-party code.
#[test]
fn notices_name_the_versions_of_the_page() {
    let vendored = std::fs::read_to_string(root().join("crates/web/page/vendor/README.md")).expect("a file");
    let page = &ARTEFACTS[0];
    for [name, ..] in others(page, &BTreeSet::new()).iter().filter(|[_, _, address, _]| !address.contains("rust-lang"))
    {
        assert!(vendored.contains(name.as_str()), "{name}: another version in vendor/README.md");
    }
}
