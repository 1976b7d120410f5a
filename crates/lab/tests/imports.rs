//! The imports inside each crate: every file imports an item from the file that defines it, and no files import each
//! other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Names of modules from the crate to an item, such as `["store", "Tournament"]` for `crate::store::Tournament`.
type Names = Vec<String>;

/// The parts of a file that matter for imports.
#[derive(Default)]
struct File {
    path: PathBuf,
    /// Imported and re-exported paths by the name that they bind, without paths from other crates.
    bound: BTreeMap<String, Names>,
    /// Paths in private imports and in code.
    used: BTreeSet<Names>,
}

/// Files of a crate by the path of their module.
type Files = BTreeMap<Names, File>;

/// Allowed circles: the first file of each in alphabetical order, and the reason.
const CIRCLES: [(&str, &str); 1] =
    [("games::about", "a `GameId` is a handle to a trait object, whose methods name the types of the other files")];

/// Returns the path of the module that a file defines. Returns `None` for programs.
fn module(file: &Path) -> Option<Names> {
    let mut names: Names = file.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    match names.last().map(String::as_str) {
        Some("main") => return None,
        Some("lib" | "mod") => drop(names.pop()),
        _ => {}
    }
    (names.first().is_none_or(|name| name != "bin")).then_some(names)
}

/// Reads the files of a crate, without their test modules.
fn read(source: &Path) -> Files {
    let mut files = Files::new();
    let mut tokens = Vec::new();
    for path in super::house_rules::sources(source) {
        let Some(name) = module(path.strip_prefix(source).expect("below the folder")) else { continue };
        if name.last().is_some_and(|name| name == "tests") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        tokens.push((
            name.clone(),
            code.parse::<TokenStream>().unwrap_or_else(|why| panic!("{}: {why}", path.display())),
        ));
        files.insert(name, File { path, ..File::default() });
    }
    let modules: BTreeSet<Names> = files.keys().cloned().collect();
    for (name, tokens) in tokens {
        let mut reader =
            Reader { modules: &modules, module: name.clone(), file: files.remove(&name).expect("read above") };
        reader.statements(tokens);
        let file = reader.file;
        files.insert(name, file);
    }
    files
}

/// Collects the paths of a file.
struct Reader<'a> {
    modules: &'a BTreeSet<Names>,
    /// Path of the module that is being read, which may be an inline module of the file.
    module: Names,
    file: File,
}

impl Reader<'_> {
    /// Collects the paths of code, which may contain imports.
    fn statements(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        let mut public = false;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Ident(word) if word == "pub" => {
                    public = true;
                    at += 1;
                    if matches!(&tokens[at], TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis) {
                        at += 1;
                    }
                    continue;
                }
                TokenTree::Ident(word) if word == "use" => {
                    let end = at + tokens[at..].iter().position(|token| is(token, ';')).expect("a semicolon");
                    self.tree(&Names::new(), &tokens[at + 1..end], public);
                    at = end;
                }
                TokenTree::Ident(word) if word == "mod" => {
                    if let [_, TokenTree::Ident(name), TokenTree::Group(group), ..] = &tokens[at..] {
                        self.module.push(name.to_string());
                        self.statements(group.stream());
                        self.module.pop();
                        at += 2;
                    }
                }
                TokenTree::Ident(_) => at = self.path(&tokens, at),
                // `$crate::Item` in a macro is resolved in the crates that use the macro.
                token if is(token, '$') => at += 1,
                TokenTree::Group(group) => self.statements(group.stream()),
                _ => {}
            }
            public = false;
            at += 1;
        }
    }

    /// Collects the paths of an import from its tree.
    fn tree(&mut self, prefix: &Names, tokens: &[TokenTree], public: bool) {
        let mut path = prefix.clone();
        let mut alias = None;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if word == "as" => alias = tokens.get(at + 1).map(ToString::to_string),
                TokenTree::Ident(word) if alias.is_none() => path.push(word.to_string()),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for tree in inner.split(|token| is(token, ',')).filter(|tree| !tree.is_empty()) {
                        self.tree(&path, tree, public);
                    }
                    return;
                }
                _ => {}
            }
        }
        if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
            path.pop();
        }
        let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
        let Some(path) = self.absolute(&path) else { return };
        if !public {
            self.file.used.insert(path.clone());
        }
        // Other files cannot import through an inline module's private imports.
        if self.modules.contains(&self.module) {
            self.file.bound.insert(name, path);
        }
    }

    /// Collects the path that starts at an index, and returns the index of its last token.
    fn path(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let mut path = vec![tokens[at].to_string()];
        let mut end = at;
        while let [colon, second, TokenTree::Ident(name), ..] = &tokens[end + 1..]
            && is(colon, ':')
            && is(second, ':')
        {
            path.push(name.to_string());
            end += 3;
        }
        if path.len() > 1
            && let Some(path) = self.absolute(&path)
        {
            self.file.used.insert(path);
        }
        end
    }

    /// Returns a path from the crate's root, or `None` if the path leads outside the crate or to a local name.
    fn absolute(&self, path: &Names) -> Option<Names> {
        let mut base = self.module.clone();
        let mut names = path.as_slice();
        if names[0] == "crate" {
            base.clear();
            names = &names[1..];
        } else if names[0] == "self" || names[0] == "super" {
            while let [first, rest @ ..] = names
                && (first == "self" || first == "super")
            {
                if first == "super" {
                    base.pop();
                }
                names = rest;
            }
        } else {
            let child: Names = base.iter().chain(&names[..1]).cloned().collect();
            if !self.modules.contains(&child) {
                return None;
            }
        }
        base.extend_from_slice(names);
        Some(base)
    }
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Splits a path into the file that it leads to and the names inside that file.
fn split<'a>(files: &Files, path: &'a Names) -> (&'a [String], &'a [String]) {
    (0..=path.len()).rev().map(|end| path.split_at(end)).find(|(file, _)| files.contains_key(*file)).expect("the root")
}

/// Returns the paths in a crate that lead to an item through a file that only imports or re-exports it.
fn detours(files: &Files) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.values() {
        for path in &file.used {
            let (target, inside) = split(files, path);
            let Some(item) = inside.first() else { continue };
            let Some(bound) = files[target].bound.get(item) else { continue };
            if files[target].path != file.path && bound != path {
                let direct = bound.join("::");
                found.push(format!(
                    "{}: crate::{} is defined in crate::{direct}",
                    file.path.display(),
                    path.join("::")
                ));
            }
        }
    }
    found
}

/// Returns groups of files that reach each other by imports.
fn circles(files: &Files) -> Vec<Vec<&Names>> {
    let next = |name: &Names| -> BTreeSet<&Names> {
        let reached = files[name].used.iter().map(|path| split(files, path).0);
        reached
            .filter_map(|target| files.get_key_value(target))
            .map(|(target, _)| target)
            .filter(|&to| to != name)
            .collect()
    };
    let reach = |from: &Names| {
        let (mut seen, mut open) = (BTreeSet::new(), next(from));
        while let Some(name) = open.pop_first() {
            if seen.insert(name) {
                open.extend(next(name));
            }
        }
        seen
    };
    let reached: BTreeMap<&Names, BTreeSet<&Names>> = files.keys().map(|name| (name, reach(name))).collect();
    let mut circles: Vec<Vec<&Names>> = Vec::new();
    for name in files.keys().filter(|name| reached[name].contains(name)) {
        let with = |circle: &Vec<&Names>| reached[circle[0]].contains(name) && reached[name].contains(circle[0]);
        match circles.iter_mut().find(|circle| with(circle)) {
            Some(circle) => circle.push(name),
            None => circles.push(vec![name]),
        }
    }
    circles
}

/// Returns the name and the source files of each crate.
fn crates() -> impl Iterator<Item = (String, Files)> {
    let folder = super::house_rules::root().join("crates");
    let names = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    names
        .filter(|path| path.join("src").is_dir())
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), read(&path.join("src"))))
}

#[test]
fn items_are_imported_from_the_file_that_defines_them() {
    let found: Vec<String> = crates().flat_map(|(_, files)| detours(&files)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut found = Vec::new();
    for (name, files) in crates() {
        for circle in circles(&files) {
            let names: Vec<String> = circle.iter().map(|file| format!("{name}::{}", file.join("::"))).collect();
            if !CIRCLES.iter().any(|(first, _)| *first == names[0]) {
                found.push(names.join(", "));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn circles_and_detours_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    file("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;");
    file(
        "a.rs",
        "use super::b::{self, B as Other};\npub struct A;\n#[cfg(test)]\nmod tests {\n    use crate::c::C;\n}",
    );
    file("b.rs", "pub struct B;\nfn f() -> Vec<crate::c::C> { todo!() }");
    file("c.rs", "// use crate::a::A;\npub struct C;");
    assert!(circles(&read(folder.path())).is_empty() && detours(&read(folder.path())).is_empty());
    file("c.rs", "pub struct C;\nfn g() { let _ = crate::A; }");
    assert_eq!(detours(&read(folder.path())).len(), 1);
    file("c.rs", "pub struct C;\nfn g() { let _ = crate::a::A; }");
    let files = read(folder.path());
    assert_eq!(circles(&files), [[&vec!["a".to_owned()], &vec!["b".to_owned()], &vec!["c".to_owned()]]]);
}
