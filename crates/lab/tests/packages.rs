//! Checks of the packages: the requirements of a registry, and the files in each package. `make packages` creates the
//! packages.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Packages that cannot be published: the packages for developers of this workspace, the Python package, and the module
/// of the static site.
const PRIVATE: [&str; 4] = ["plyhouse-devtools", "plyhouse-lab", "plyhouse-python", "plyhouse-wasm"];

/// Folders whose files may be in a package. Tests are excluded, because they use files of the whole workspace.
const FOLDERS: [&str; 4] = ["src", "data", "examples", "page"];

/// Files allowed beside these folders. Cargo writes all but the first three.
const FILES: [&str; 7] = [
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "Cargo.toml",
    "Cargo.toml.orig",
    "Cargo.lock",
    ".cargo_vcs_info.json",
];

fn cargo(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    assert!(output.status.success(), "cargo {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Returns our packages as `cargo metadata` describes them.
fn packages() -> Vec<Value> {
    let output = cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"]);
    let mut metadata: Value = serde_json::from_slice(&output).expect("JSON");
    serde_json::from_value(metadata["packages"].take()).expect("a list of packages")
}

/// Returns our packages that can be published.
fn published() -> Vec<Value> {
    packages().into_iter().filter(|package| package["publish"].is_null()).collect()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, field: &str) -> Vec<&'a str> {
    value[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn all_packages_except_the_private_ones_can_be_published() {
    let private = packages().into_iter().filter(|package| !package["publish"].is_null());
    let private: Vec<String> = private.map(|package| text(&package, "name").to_owned()).collect();
    assert_eq!(private.iter().map(String::as_str).collect::<BTreeSet<_>>(), BTreeSet::from(PRIVATE));
}

#[test]
fn packages_have_the_metadata_that_a_registry_requires() {
    for package in published() {
        let name = text(&package, "name");
        assert!(
            name == "plyhouse" || name.starts_with("plyhouse-"),
            "{name}: expected `plyhouse` or a name that begins with `plyhouse-`"
        );
        assert!(text(&package, "description").ends_with('.'), "{name}: expected a description, a sentence");
        assert_eq!(text(&package, "license"), "MIT OR Apache-2.0", "{name}");
        assert_eq!(text(&package, "documentation"), format!("https://docs.rs/{name}"));
        assert!(!text(&package, "readme").is_empty(), "{name}: expected a readme");
        let (keywords, categories) = (list(&package, "keywords"), list(&package, "categories"));
        assert!((1..=5).contains(&keywords.len()), "{name}: expected one to five keywords");
        let is_keyword = |word: &str| word.len() <= 20 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        assert!(keywords.iter().all(|word| is_keyword(word)), "{name}: {keywords:?}");
        assert!((1..=5).contains(&categories.len()), "{name}: expected one to five categories");
    }
}

/// Checks that our packages require the same version of each other, because only crates of the same release are tested
/// together. A dev-dependency has no version: cargo omits it from the package, so it may be an unpublished crate or the
/// crate itself.
#[test]
fn our_packages_require_each_other_in_the_same_version() {
    for package in published() {
        let (name, version) = (text(&package, "name"), text(&package, "version"));
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            if !dependency["source"].is_null() {
                continue;
            }
            let (used, asked) = (text(dependency, "name"), text(dependency, "req"));
            if text(dependency, "kind") == "dev" {
                assert_eq!(asked, "*", "{name}: the dev-dependency {used} must have a path and no version");
            } else {
                assert_eq!(asked, format!("={version}"), "{name}: wrong version of {used}");
                assert!(!PRIVATE.contains(&used), "{name}: {used} cannot be published, so it must not be a dependency");
            }
        }
    }
}

/// Returns the paths in `include_str!("…")` and `include_bytes!("…")`, except those in unit tests, which are at the end
/// of a file.
fn included(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let calls = code.split("include_str!(\"").skip(1).chain(code.split("include_bytes!(\"").skip(1));
    calls.filter_map(|rest| rest.split('"').next()).collect()
}

/// Returns the path without `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, component| {
        match component {
            Component::ParentDir => drop(plain.pop()),
            component => plain.push(component),
        }
        plain
    })
}

/// Lists the files of packages with a single run of cargo. Cargo prints sorted lists one after the other, without
/// names.
fn file_lists(packages: &[Value]) -> Vec<BTreeSet<PathBuf>> {
    let names = packages.iter().flat_map(|package| ["--package", text(package, "name")]);
    let arguments: Vec<&str> = ["package", "--list", "--allow-dirty", "--quiet"].into_iter().chain(names).collect();
    let output = String::from_utf8(cargo(&arguments)).expect("names of files");
    let lines: Vec<&str> = output.lines().collect();
    let lists: Vec<BTreeSet<PathBuf>> = lines
        .chunk_by(|a, b| Path::new(a) < Path::new(b))
        .map(|files| files.iter().map(PathBuf::from).collect())
        .collect();
    assert_eq!(lists.len(), packages.len(), "one list for each package:\n{output}");
    lists
}

/// Returns the files below a folder of a package, relative to the package.
fn files_below(package: &Path, folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(package.join(folder)).expect("a folder");
    entries.fold(BTreeSet::new(), |mut files, entry| {
        let entry = entry.expect("an entry");
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            files.extend(files_below(package, &path));
        } else {
            files.insert(path);
        }
        files
    })
}

#[test]
fn packages_contain_the_required_files_and_no_others() {
    assert_eq!(
        included("include_str!(\"a\") include_bytes!(\"../b\") #[cfg(test)] include_str!(\"c\")"),
        ["a", "../b"]
    );
    let packages = published();
    let lists = file_lists(&packages);
    for package in &packages {
        let name = text(package, "name");
        let folder = Path::new(text(package, "manifest_path")).parent().expect("a folder");
        let sources = files_below(folder, Path::new("src"));
        let files = lists.iter().find(|files| files.iter().filter(|file| file.starts_with("src")).eq(&sources));
        let files = files.unwrap_or_else(|| panic!("{name}: no list of files has the whole folder src"));
        for file in files {
            let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
            let is_known = if parts.len() == 1 { FILES.contains(&parts[0]) } else { FOLDERS.contains(&parts[0]) };
            assert!(
                is_known && !parts.contains(&"node_modules"),
                "{name}: {} must not be in the package",
                file.display()
            );
        }
        for file in &FILES[..3] {
            assert!(files.contains(Path::new(file)), "{name}: {file} is missing");
        }
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
            let source = std::fs::read_to_string(folder.join(file)).expect("a file");
            for path in included(&source) {
                let needed = plain(&file.parent().expect("a folder").join(path));
                assert!(
                    files.contains(&needed),
                    "{name}: {} includes {path}, which is not in the package",
                    file.display()
                );
            }
        }
    }
}
