//! Joins the scripts of the page, so that a browser needs few requests before it shows a board.
//!
//! A browser spends more time on requests for a hundred small files than on running them. The scripts that a page needs
//! at once are therefore sent in one file for each page, and one for the scripts that every page needs. In such a file
//! a script is a function that returns its exports, and other files import them under the script's name:
//!
//! ```js
//! import * as $vendor_preact_htm from "../vendor/preact-htm.js";
//! const $state_words = await (async () => {
//! const { html } = $vendor_preact_htm;
//! function spoken(move) { … }
//! return { spoken };
//! })();
//! export { $state_words, … };
//! ```
//!
//! The main scripts, and the scripts that are fetched on demand (`import(…)`), remain files of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::script::{Script, bare, relative};

/// A script that stays a file of its own, because the static site replaces it and loads it before all others.
pub(crate) const SEPARATE: &str = "js/transport/wire.js";
/// The file with the scripts that every page needs.
pub(crate) const COMMON: &str = "js/common.js";

/// A page.
pub(crate) struct Page {
    /// Path of the main script.
    pub(crate) main: &'static str,
    /// Path of the file with the other scripts that only this page needs at once.
    pub(crate) joined: &'static str,
    /// Folder of the scripts in that file. Scripts in other folders may be fetched on demand by other pages, which must
    /// not fetch this page's scripts with them.
    pub(crate) folder: &'static str,
}

/// The scripts of all pages.
pub(crate) struct Scripts<'a> {
    /// The scripts by path.
    by_path: BTreeMap<&'a str, Script<'a>>,
    /// Joined files by the paths of their scripts.
    places: BTreeMap<&'a str, &'static str>,
    /// Paths of the joined scripts. Each path follows those that its script imports.
    order: Vec<&'a str>,
}

impl<'a> Scripts<'a> {
    /// Reads the scripts, given as paths and texts, and decides which are joined.
    pub(crate) fn new(texts: impl Iterator<Item = (&'a str, &'a str)>, pages: &[Page]) -> Self {
        let by_path = texts.map(|(path, text)| (path, Script::parse(path, text))).collect();
        let mut all = Self { by_path, places: BTreeMap::new(), order: Vec::new() };
        for page in pages {
            for path in all.first(page.main).into_iter().filter(|path| ![page.main, SEPARATE].contains(path)) {
                if all.places.contains_key(path) {
                    all.places.insert(path, COMMON);
                } else if path.starts_with(page.folder) {
                    all.places.insert(path, page.joined);
                    all.order.push(path);
                }
            }
        }
        all
    }

    /// Returns the paths of a script and of the scripts that it imports directly or indirectly. Each path follows those
    /// that its script imports. Dynamic imports are excluded.
    pub(crate) fn first(&self, main: &str) -> Vec<&'a str> {
        let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
        self.visit(main, &mut seen, &mut order);
        order
    }

    fn visit(&self, path: &str, seen: &mut BTreeSet<&'a str>, order: &mut Vec<&'a str>) {
        let Some((&path, script)) = self.by_path.get_key_value(path) else { return };
        if seen.insert(path) {
            for import in &script.imports {
                self.visit(&import.path, seen, order);
            }
            order.push(path);
        }
    }

    /// Returns the files to send, by path.
    pub(crate) fn files(&self) -> BTreeMap<String, String> {
        let places: BTreeSet<&str> = self.places.values().copied().collect();
        let joined = places.into_iter().map(|place| (place.to_owned(), self.joined(place)));
        let single = self.by_path.iter().filter(|(path, _)| !self.places.contains_key(*path));
        joined.chain(single.map(|(path, script)| ((*path).to_owned(), self.single(path, script)))).collect()
    }

    /// Returns a joined file.
    fn joined(&self, place: &str) -> String {
        let is_inside = |path: &str| self.places.get(path).is_some_and(|other| *other == place);
        let (mut outside, mut bodies, mut names) = (BTreeSet::new(), String::new(), Vec::new());
        for path in self.order.iter().copied().filter(|path| is_inside(path)) {
            let script = &self.by_path[path];
            outside.extend(script.imports.iter().map(|import| import.path.as_str()).filter(|path| !is_inside(path)));
            let body = script.as_body(place, |import| format!("const {} = {};", import.pattern, name(&import.path)));
            let (name, exports) = (name(path), script.exports.join(", "));
            let _ = write!(bodies, "const {name} = await (async () => {{\n{body}return {{ {exports} }};\n}})();\n");
            names.push(name);
        }
        let imports = outside.into_iter().fold(String::new(), |mut imports, path| {
            let _ = writeln!(imports, "{}", self.import(path, place));
            imports
        });
        format!("{imports}{bodies}export {{ {} }};\n", names.join(", "))
    }

    /// Returns a script that is not joined. Its lines keep their numbers.
    fn single(&self, path: &str, script: &Script<'_>) -> String {
        bare(&script.with_imports(|import| {
            self.places.contains_key(import.path.as_str()).then(|| {
                let statement = self.import(&import.path, path);
                format!("{statement} const {} = {};", import.pattern, name(&import.path))
            })
        }))
    }

    /// Returns the statement with which a file imports another script under that script's name.
    fn import(&self, path: &str, file: &str) -> String {
        match self.places.get(path) {
            Some(place) => format!("import {{ {} }} from \"{}\";", name(path), relative(file, place)),
            None => format!("import * as {} from \"{}\";", name(path), relative(file, path)),
        }
    }
}

/// Returns the name of a script in joined files, such as `$state_words` for `js/state/words.js`.
fn name(path: &str) -> String {
    let stem = path.trim_start_matches("js/").trim_end_matches(".js");
    format!("${}", stem.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [(&str, &str); 8] = [
        ("js/main.js", "import { a } from \"./x/a.js\";\nimport { wire } from \"./transport/wire.js\";\na(wire);\n"),
        (
            "js/other/main.js",
            "import { b } from \"../x/b.js\";\nimport { d } from \"../x/d.js\";\n\
             import { o } from \"./o.js\";\nb(d, o);\n",
        ),
        ("js/other/o.js", "export const o = 1;\n"),
        ("js/x/d.js", "export const d = 1;\n"),
        (
            "js/x/a.js",
            "import { p } from \"../../vendor/p.js\";\nimport * as B from \"./b.js\";\n\
             export const a = () => import(\"./late.js\").then(() => p(B.b()));\n",
        ),
        ("js/x/b.js", "export function b() {}\n"),
        ("js/x/late.js", "import {\n  b as c,\n} from \"./b.js\";\nimport { p } from \"../../vendor/p.js\";\nc(p);\n"),
        ("js/transport/wire.js", "export const wire = 1;\n"),
    ];
    const PAGES: [Page; 2] = [
        Page { main: "js/main.js", joined: "js/page.js", folder: "js/" },
        Page { main: "js/other/main.js", joined: "js/other/page.js", folder: "js/other/" },
    ];

    #[test]
    fn scripts_of_the_first_view_are_joined_and_others_import_them() {
        let files = Scripts::new(TEXTS.into_iter(), &PAGES).files();
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        let expected = [
            "js/common.js",
            "js/main.js",
            "js/other/main.js",
            "js/other/page.js",
            "js/page.js",
            "js/transport/wire.js",
            "js/x/d.js",
            "js/x/late.js",
        ];
        assert_eq!(paths, expected);
        assert_eq!(
            files["js/other/main.js"],
            "import { $x_b } from \"../common.js\"; const { b } = $x_b;\nimport { d } from \"../x/d.js\";\n\
             import { $other_o } from \"./page.js\"; const { o } = $other_o;\nb(d, o);\n"
        );
        assert_eq!(
            files["js/page.js"],
            "import { $x_b } from \"./common.js\";\nimport * as $vendor_p from \"../vendor/p.js\";\n\
             const $x_a = await (async () => {\nconst { p } = $vendor_p;\nconst B = $x_b;\n\
             const a = () => import(\"./x/late.js\").then(() => p(B.b()));\nreturn { a };\n})();\nexport { $x_a };\n"
        );
        assert_eq!(
            files["js/common.js"],
            "const $x_b = await (async () => {\nfunction b() {}\nreturn { b };\n})();\nexport { $x_b };\n"
        );
        assert_eq!(
            files["js/x/late.js"],
            "import { $x_b } from \"../common.js\"; const {\nb: c,\n} = $x_b;\n\
             import { p } from \"../../vendor/p.js\";\nc(p);\n"
        );
    }
}
