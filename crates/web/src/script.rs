//! A script of the page: its imports and exports, and the text that is sent.
//!
//! Scripts are written in a subset of JavaScript that is easy to read line by line: statements with `import` and
//! `export` begin in the first column, `import` statements end with `";`, and declarations are exported where they are
//! made.

use std::fmt::Write as _;
use std::ops::Range;

/// An `import` statement.
pub(crate) struct Import {
    /// Path of the imported script, from the folder of the page.
    pub(crate) path: String,
    /// Pattern that takes the same names from an object: `{ a, b: c }`, or `a` for `* as a`.
    pub(crate) pattern: String,
    /// Location of the statement in the script, in bytes.
    range: Range<usize>,
}

/// A script, with its statements that concern other scripts.
pub(crate) struct Script<'a> {
    path: &'a str,
    text: &'a str,
    pub(crate) imports: Vec<Import>,
    /// Names of the exported declarations.
    pub(crate) exports: Vec<&'a str>,
}

impl<'a> Script<'a> {
    /// Finds the imports and exports of the script at a path.
    pub(crate) fn parse(path: &'a str, text: &'a str) -> Self {
        let (mut imports, mut exports, mut start) = (Vec::new(), Vec::new(), 0);
        for line in text.split_inclusive('\n') {
            if line.starts_with("import ") {
                imports.extend(import(path, text, start));
            }
            if let Some(declaration) = line.strip_prefix("export ") {
                exports.extend(declared(declaration));
            }
            start += line.len();
        }
        Self { path, text, imports, exports }
    }

    /// Returns the script with imports replaced. An import for which `replacement` returns `None` remains.
    pub(crate) fn with_imports(&self, replacement: impl Fn(&Import) -> Option<String>) -> String {
        let (mut text, mut copied) = (String::with_capacity(self.text.len()), 0);
        for import in &self.imports {
            if let Some(other) = replacement(import) {
                text.push_str(&self.text[copied..import.range.start]);
                text.push_str(&other);
                copied = import.range.end;
            }
        }
        text.push_str(&self.text[copied..]);
        text
    }

    /// Returns the script as the body of a function in another file: imports replaced, exports as plain declarations,
    /// and relative addresses adapted to the location of that file.
    pub(crate) fn as_body(&self, file: &str, replacement: impl Fn(&Import) -> String) -> String {
        let text = self.with_imports(|import| Some(replacement(import)));
        let own = format!("new URL(\"{}\", import.meta.url)", relative(file, self.path));
        let mut body = String::with_capacity(text.len());
        for line in bare(&text).lines().filter(|line| !line.is_empty()) {
            let line = line.strip_prefix("export ").unwrap_or(line).replace("import.meta.url", &own);
            let _ = writeln!(body, "{}", self.with_moved_imports(&line, file));
        }
        body
    }

    /// Returns a line with the addresses of its dynamic imports relative to another file.
    fn with_moved_imports(&self, line: &str, file: &str) -> String {
        let mut parts = line.split("import(\"");
        let mut moved = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (address, rest) = part.split_once('"').unwrap_or((part, ""));
            let _ = write!(moved, "import(\"{}\"{rest}", relative(file, &resolve(self.path, address)));
        }
        moved
    }
}

/// Returns the import whose statement begins at `start`.
fn import(path: &str, text: &str, start: usize) -> Option<Import> {
    let length = text[start..].find("\";")?;
    let statement = text[start..start + length].strip_prefix("import ")?;
    let (names, address) = statement.rsplit_once(" from \"")?;
    let pattern = names.strip_prefix("* as ").map_or_else(|| names.replace(" as ", ": "), str::to_owned);
    Some(Import { path: resolve(path, address), pattern, range: start..start + length + 2 })
}

/// Returns the name that a declaration declares.
fn declared(declaration: &str) -> Option<&str> {
    let declaration = declaration.strip_prefix("async ").unwrap_or(declaration);
    let name = ["const ", "function ", "class "].iter().find_map(|keyword| declaration.strip_prefix(keyword))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next().filter(|name| !name.is_empty())
}

/// Returns the path that a relative address in a file names.
fn resolve(file: &str, address: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in address.split('/') {
        match part {
            "." => (),
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the relative address of a path in a file.
pub(crate) fn relative(file: &str, path: &str) -> String {
    let (file, path): (Vec<_>, Vec<_>) = (file.split('/').collect(), path.split('/').collect());
    let folders = file.len() - 1;
    let shared = file[..folders].iter().zip(&path).take_while(|(a, b)| a == b).count();
    let up = if folders == shared { "./".to_owned() } else { "../".repeat(folders - shared) };
    format!("{up}{}", path[shared..].join("/"))
}

/// Replaces comments that fill whole lines of a script or style sheet with empty lines, and removes type annotations
/// and the indentation. This saves a third of the page's size, and lines keep their numbers.
pub(crate) fn bare(text: &str) -> String {
    let mut is_inside = false;
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = is_inside || trimmed.starts_with("/*");
        let is_comment = begins && (trimmed.ends_with("*/") || !trimmed.contains("*/"));
        is_inside = is_comment && !trimmed.ends_with("*/");
        if !is_comment && !trimmed.starts_with("//") {
            code.push_str(without_annotations(line).trim_start());
        }
        code.push('\n');
    }
    code
}

/// Removes type annotations such as `/** @type {number} */` that begin and end in this line. No string of a script
/// contains such a text.
fn without_annotations(line: &str) -> String {
    let mut parts = line.split("/** @");
    let mut code = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("*/") {
            Some((_, rest)) => code.push_str(rest),
            None => code.extend(["/** @", part]),
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_are_not_served_and_lines_keep_their_numbers() {
        let text = "// a\n/** b */\n/**\n * c\n */\nconst d = /** @type {e} */ (f); // g\n  /** @type {h} */ (i);\n";
        assert_eq!(bare(text), "\n\n\n\n\nconst d =  (f); // g\n(i);\n");
        let text =
            "(/** @type {a} */ b, /** @type {c} */ d) => b / d;\nlet e; /** @type {\n f} */\nlet g = 1 /* h */;\n";
        assert_eq!(bare(text), "( b,  d) => b / d;\nlet e; /** @type {\nf} */\nlet g = 1 /* h */;\n");
    }

    #[test]
    fn imports_and_exports_are_found() {
        let text = "import { a, b as c } from \"../x/y.js\";\nimport {\n  d,\n} from \"./z.js\";\n\
                    import * as T from \"./t.js\";\n/** @typedef {import(\"./no.js\").No} No */\n\
                    export const e = 1;\nexport async function f() {}\nexport class G {}\nexport {};\n";
        let script = Script::parse("js/p/q.js", text);
        let found: Vec<_> = script.imports.iter().map(|import| (&*import.path, &*import.pattern)).collect();
        let expected = [("js/x/y.js", "{ a, b: c }"), ("js/p/z.js", "{\n  d,\n}"), ("js/p/t.js", "T")];
        assert_eq!(found, expected);
        assert_eq!(script.exports, ["e", "f", "G"]);
        let other = script.with_imports(|import| (import.pattern == "T").then(|| "const T = $t;".into()));
        assert_eq!(other, text.replace("import * as T from \"./t.js\";", "const T = $t;"));
    }

    #[test]
    fn a_body_keeps_the_meaning_of_addresses() {
        let text = "import { a } from \"./a.js\";\n\n// A comment.\nexport const b = () => import(\"./b.js\");\n\
                    const c = new URL(\"c.txt\", import.meta.url);\n";
        let body = Script::parse("js/p/q.js", text).as_body("js/joined.js", |_| "const { a } = $a;".into());
        let expected = "const { a } = $a;\nconst b = () => import(\"./p/b.js\");\n\
                        const c = new URL(\"c.txt\", new URL(\"./p/q.js\", import.meta.url));\n";
        assert_eq!(body, expected);
    }

    #[test]
    fn addresses_are_resolved_and_made_relative() {
        for (file, path, address) in [
            ("js/a.js", "js/b.js", "./b.js"),
            ("js/x/a.js", "js/b.js", "../b.js"),
            ("js/x/a.js", "js/y/b.js", "../y/b.js"),
            ("js/a.js", "vendor/b.js", "../vendor/b.js"),
        ] {
            assert_eq!(relative(file, path), address);
            assert_eq!(resolve(file, address), path);
        }
    }
}
