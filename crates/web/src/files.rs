//! The files of the page, embedded in the program and served without comments and indentation.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

/// A file of the page.
pub(crate) struct File {
    /// Path on the server, without the leading slash.
    pub(crate) path: &'static str,
    pub(crate) bytes: &'static [u8],
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        /// All files of the page; a test compares the list with the folder.
        pub(crate) const FILES: &[File] =
            &[$(File { path: $path, bytes: include_bytes!(concat!("../page/", $path)) }),*];
    };
}

files! {
    "css/analysis.css",
    "css/arena.css",
    "css/base.css",
    "css/board.css",
    "css/course.css",
    "css/coursestaff.css",
    "css/coursework.css",
    "css/engine.css",
    "css/home.css",
    "css/ladder.css",
    "css/layout.css",
    "css/lessons.css",
    "css/menu.css",
    "css/panels.css",
    "css/pieces.css",
    "css/play.css",
    "css/puzzles.css",
    "css/records.css",
    "css/replay.css",
    "css/review.css",
    "css/settings.css",
    "css/sharing.css",
    "css/strips.css",
    "icon.svg",
    "index.html",
    "js/boards/board.js",
    "js/boards/cascade.js",
    "js/boards/dice.js",
    "js/boards/film.js",
    "js/boards/gif.js",
    "js/boards/marks.js",
    "js/boards/men.js",
    "js/boards/motion.js",
    "js/boards/picture.js",
    "js/boards/pieces.js",
    "js/boards/pointer.js",
    "js/boards/portrait.js",
    "js/boards/refusal.js",
    "js/boards/sheet.js",
    "js/boards/sound.js",
    "js/boards/squares.js",
    "js/boards/wish.js",
    "js/course/main.js",
    "js/course/sending.js",
    "js/course/state/games.js",
    "js/course/state/graph.js",
    "js/course/state/route.js",
    "js/course/state/staff.js",
    "js/course/state/time.js",
    "js/course/state/upload.js",
    "js/course/text/de.js",
    "js/course/text/en.js",
    "js/course/text/index.js",
    "js/course/text/zh.js",
    "js/course/transport.js",
    "js/course/types.js",
    "js/course/views/confirm.js",
    "js/course/views/copies.js",
    "js/course/views/game.js",
    "js/course/views/mine.js",
    "js/course/views/parts.js",
    "js/course/views/scoreboard.js",
    "js/course/views/staff.js",
    "js/course/views/team.js",
    "js/main.js",
    "js/panels/actions.js",
    "js/panels/analysing.js",
    "js/panels/archive.js",
    "js/panels/climb.js",
    "js/panels/clock.js",
    "js/panels/controls.js",
    "js/panels/editor.js",
    "js/panels/exchange.js",
    "js/panels/explorer.js",
    "js/panels/files.js",
    "js/panels/leave.js",
    "js/panels/lesson.js",
    "js/panels/liveboards.js",
    "js/panels/look.js",
    "js/panels/moves.js",
    "js/panels/newanalysis.js",
    "js/panels/newgame.js",
    "js/panels/notes.js",
    "js/panels/past.js",
    "js/panels/playing.js",
    "js/panels/proof.js",
    "js/panels/puzzle.js",
    "js/panels/puzzleset.js",
    "js/panels/replay.js",
    "js/panels/report.js",
    "js/panels/result.js",
    "js/panels/review.js",
    "js/panels/settings.js",
    "js/panels/setup.js",
    "js/panels/sharing.js",
    "js/panels/standings.js",
    "js/panels/strips.js",
    "js/panels/table.js",
    "js/panels/thoughts.js",
    "js/panels/variations.js",
    "js/panels/watchchoice.js",
    "js/state/archive.js",
    "js/state/aside.js",
    "js/state/cascade.js",
    "js/state/check.js",
    "js/state/clock.js",
    "js/state/commands.js",
    "js/state/course.js",
    "js/state/daily.js",
    "js/state/games.js",
    "js/state/inline.js",
    "js/state/ladder.js",
    "js/state/memory.js",
    "js/state/past.js",
    "js/state/pending.js",
    "js/state/pieces.js",
    "js/state/playback.js",
    "js/state/premove.js",
    "js/state/puzzle.js",
    "js/state/review.js",
    "js/state/scene.js",
    "js/state/setup.js",
    "js/state/share.js",
    "js/state/skill.js",
    "js/state/study.js",
    "js/state/tournament.js",
    "js/state/tree.js",
    "js/state/types.js",
    "js/state/words.js",
    "js/text/de.js",
    "js/text/en.js",
    "js/text/index.js",
    "js/text/phrases.js",
    "js/text/phrases/de.js",
    "js/text/phrases/zh.js",
    "js/text/zh.js",
    "js/transport/analysis.js",
    "js/transport/archive.js",
    "js/transport/desk.js",
    "js/transport/explorer.js",
    "js/transport/games.js",
    "js/transport/ladder.js",
    "js/transport/lesson.js",
    "js/transport/past.js",
    "js/transport/pictures.js",
    "js/transport/playback.js",
    "js/transport/review.js",
    "js/transport/room.js",
    "js/transport/socket.js",
    "js/transport/solving.js",
    "js/transport/study.js",
    "js/transport/tournament.js",
    "js/transport/translated.js",
    "js/transport/wire.js",
    "js/views/analyse.js",
    "js/views/arena.js",
    "js/views/home.js",
    "js/views/ladder.js",
    "js/views/later.js",
    "js/views/learn.js",
    "js/views/play.js",
    "js/views/puzzles.js",
    "js/views/review.js",
    "vendor/README.md",
    "vendor/preact-htm.js",
}

/// Placeholder in the page for the preload links.
const HERE: &str = "<!-- preload -->";
/// The main script.
const MAIN: &str = "js/main.js";
/// The main script on a course's server.
const COURSE_MAIN: &str = "js/course/main.js";

/// Returns preload links to the scripts of the first view. Scripts of languages and of other views are fetched on
/// demand.
fn preloads(main: &str) -> String {
    first_scripts(main).into_iter().fold(String::new(), |mut links, path| {
        let _ = write!(links, "<link rel=\"modulepreload\" href=\"{path}\" />");
        links
    })
}

/// Returns the paths of the main script and of the scripts that it imports, directly or indirectly. Dynamic imports
/// (`import(…)`) are excluded.
fn first_scripts(main: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![main.to_owned()];
    while let Some(path) = open.pop() {
        if let Some(file) = File::at(&path)
            && found.insert(path.clone())
        {
            open.extend(imports(core::str::from_utf8(file.bytes).unwrap_or_default(), &path));
        }
    }
    found
}

/// Returns the paths of the files that a script imports.
fn imports(script: &str, path: &str) -> Vec<String> {
    let folder: Vec<&str> = path.split('/').collect();
    let target = |line: &str| {
        let (_, name) = line.rsplit_once(" from \"")?;
        let mut parts = folder[..folder.len() - 1].to_vec();
        for part in name.strip_suffix("\";")?.split('/') {
            match part {
                "." => (),
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        Some(parts.join("/"))
    };
    script.lines().filter(|line| line.starts_with(['i', 'e', '}'])).filter_map(target).collect()
}

/// Returns the name of the folder for this version of the files. Browsers cache the folder permanently, because each
/// version has a different folder.
pub(crate) fn folder() -> &'static str {
    static FOLDER: OnceLock<String> = OnceLock::new();
    FOLDER
        .get_or_init(|| folder_of(FILES.iter().filter(|file| !file.is_start()).map(|file| (file.path, file.served()))))
}

/// Returns a folder name derived from the content: if a file differs, the name differs.
pub(crate) fn folder_of<'a>(files: impl Iterator<Item = (&'a str, Cow<'a, [u8]>)>) -> String {
    let hash = files.fold(Sha256::new(), |hash, (path, bytes)| hash.chain_update(path).chain_update(bytes)).finalize();
    hash[..8].iter().fold("files-".to_owned(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

/// Returns the page, with a folder in the paths of its scripts and styles.
pub(crate) fn start(folder: &str) -> String {
    page(folder, MAIN, "")
}

/// Returns the page on a course's server.
fn course_start(folder: &str) -> String {
    let sheets = FILES.iter().filter(|file| file.is_course() && file.path.starts_with("css/"));
    let links = sheets.fold(String::new(), |mut links, file| {
        let _ = write!(links, "<link rel=\"stylesheet\" href=\"{}\" />", file.path);
        links
    });
    page(folder, COURSE_MAIN, &links)
}

/// Returns the page with a main script and additional links.
fn page(folder: &str, main: &str, links: &str) -> String {
    let text = File::at("").and_then(|file| core::str::from_utf8(file.bytes).ok()).unwrap_or_default();
    let whole = text.replace(HERE, &format!("{links}{}", preloads(main))).replace(MAIN, main);
    let in_folder = |text: String, at: &str| text.replace(&format!("=\"{at}"), &format!("=\"{folder}/{at}"));
    ["css/", "js/", "vendor/", "icon.svg"].into_iter().fold(whole, in_folder)
}

/// A file as a server sends it.
pub struct Served {
    /// Media type.
    pub kind: &'static str,
    /// Value of the header `Cache-Control`.
    pub cache: &'static str,
    /// Content.
    pub bytes: Cow<'static, [u8]>,
}

/// Returns the file at a path without the leading slash. In the folder of this version, browsers cache it permanently.
pub(crate) fn served_at(path: &str) -> Option<Served> {
    let kept = path.strip_prefix(folder()).and_then(|rest| rest.strip_prefix('/')).filter(|rest| !rest.is_empty());
    let cache = if kept.is_some() { "max-age=31536000, immutable" } else { "no-cache" };
    File::at(kept.unwrap_or(path)).map(|file| Served { kind: file.kind(), cache, bytes: file.served() })
}

/// Returns a file of the page on a course's server. The page itself, at the empty path, has the views of the course in
/// place of all others.
pub fn course_file(path: &str) -> Option<Served> {
    let mut served = served_at(path)?;
    if path.is_empty() || path == "index.html" {
        served.bytes = Cow::Owned(course_start(folder()).into_bytes());
    }
    Some(served)
}

/// Returns `true` if a file holds the strings of one language.
#[cfg(test)]
fn is_language(path: &str) -> bool {
    ["en.js", "de.js", "zh.js"].contains(&path.rsplit('/').next().unwrap_or_default())
}

impl File {
    /// Returns the file at a path. The empty path is the page itself.
    pub(crate) fn at(path: &str) -> Option<&'static Self> {
        let path = if path.is_empty() { "index.html" } else { path };
        FILES.iter().find(|file| file.path == path)
    }

    /// Returns `true` for the page itself, which names the folder of the other files.
    pub(crate) fn is_start(&self) -> bool {
        self.path == "index.html"
    }

    /// Returns `true` for a file that only the page of a course's server uses.
    pub(crate) fn is_course(&self) -> bool {
        self.path.starts_with("js/course/") || self.path.starts_with("css/course")
    }

    /// Returns the content to send. Comments that fill whole lines become empty lines, and the indentation is removed.
    /// This saves a third of the page's size, and line numbers in a browser's messages remain correct. The page itself
    /// names every script of the first view, so a browser requests them at once instead of following the imports.
    pub(crate) fn served(&self) -> Cow<'static, [u8]> {
        let is_ours = ["js/", "css/", "site/"].iter().any(|folder| self.path.starts_with(folder));
        match core::str::from_utf8(self.bytes) {
            Ok(_) if self.is_start() => Cow::Owned(start(folder()).into_bytes()),
            Ok(text) if is_ours => Cow::Owned(bare(text).into_bytes()),
            _ => Cow::Borrowed(self.bytes),
        }
    }

    /// Returns the media type.
    pub(crate) fn kind(&self) -> &'static str {
        match self.path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("json") => "application/json",
            Some("svg") => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// Replaces comments that fill whole lines of a script or style sheet with empty lines, and removes the indentation.
fn bare(text: &str) -> String {
    let mut is_inside = false;
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = is_inside || trimmed.starts_with("/*");
        let is_comment = begins && (trimmed.ends_with("*/") || !trimmed.contains("*/"));
        is_inside = is_comment && !trimmed.ends_with("*/");
        if !is_comment && !trimmed.starts_with("//") {
            code.push_str(line.trim_start());
        }
        code.push('\n');
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn comments_and_indentation_are_not_served_and_lines_keep_their_numbers() {
        let text = "// a\n/** b */\n/**\n * c\n */\nconst d = /** @type {e} */ (f); // g\n  /** @type {h} */ (i);\n";
        let code = "\n\n\n\n\nconst d = /** @type {e} */ (f); // g\n/** @type {h} */ (i);\n";
        assert_eq!(bare(text), code);
        for file in FILES.iter().filter(|file| file.path.starts_with("js/")) {
            let (text, served) = (core::str::from_utf8(file.bytes).expect("text"), file.served());
            let served = core::str::from_utf8(&served).expect("text");
            for (before, after) in text.lines().zip(served.lines()) {
                let is_comment = ["//", "/*", "*"].iter().any(|start| before.trim().starts_with(start));
                assert!(before.trim_start() == after || (after.is_empty() && is_comment), "{}: {before}", file.path);
            }
            assert_eq!(text.lines().count(), served.lines().count(), "{}", file.path);
        }
    }

    /// Collects the files of a folder, except files that only the checks need.
    fn in_folder(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below").to_str().expect("a name").to_owned();
            if path.is_dir() {
                if !["node_modules", "site", "tests"].contains(&name.as_str()) {
                    in_folder(&path, root, found);
                }
            } else if !["package.json", "package-lock.json", "tsconfig.json"].contains(&name.as_str())
                && !name.ends_with(".d.ts")
            {
                found.push(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served_and_the_size_is_limited() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut found = Vec::new();
        in_folder(&root, &root, &mut found);
        found.sort();
        let mut served: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        served.sort_unstable();
        assert_eq!(served, found);
        // A browser fetches one language, and the scripts of the first view before those of other views.
        let first = first_scripts(MAIN);
        assert!(first.contains("js/boards/board.js") && first.contains("js/text/phrases.js"), "{first:?}");
        assert!(!first.contains("js/views/puzzles.js") && !first.contains("js/boards/gif.js"), "{first:?}");
        for language in ["en.js", "de.js", "zh.js"] {
            let is_fetched =
                |file: &&File| !file.is_course() && (file.path.ends_with(language) || !is_language(file.path));
            let weight: usize = FILES.iter().filter(is_fetched).map(|file| file.served().len()).sum();
            let is_first = |file: &&File| {
                !file.kind().starts_with("text/javascript") || is_language(file.path) || first.contains(file.path)
            };
            let first_weight: usize =
                FILES.iter().filter(is_fetched).filter(is_first).map(|file| file.served().len()).sum();
            assert!(first_weight < 400_000, "{language}: {first_weight} bytes for the first view, {weight} in all");
            assert!(weight < 480_000, "{language}: {weight} bytes");
        }
    }

    #[test]
    fn the_page_of_a_course_is_light_and_fetches_its_views_only_there() {
        let first = first_scripts(COURSE_MAIN);
        assert!(first.contains("js/course/views/scoreboard.js"), "{first:?}");
        for view in ["js/course/views/mine.js", "js/course/views/staff.js", "js/views/play.js", "js/main.js"] {
            assert!(!first.contains(view), "{view}");
        }
        assert!(!first_scripts(MAIN).iter().any(|path| path.starts_with("js/course/")));
        for language in ["en.js", "de.js", "zh.js"] {
            let is_first = |file: &&File| match file.kind().starts_with("text/javascript") {
                true if is_language(file.path) => file.path.ends_with(language),
                true => first.contains(file.path) || file.path.starts_with("vendor/"),
                false => true,
            };
            let weight: usize = FILES.iter().filter(is_first).map(|file| file.served().len()).sum();
            assert!(weight < 400_000, "{language}: {weight} bytes");
        }
        let page = course_file("").expect("the page");
        let page = core::str::from_utf8(&page.bytes).expect("text");
        let folder = folder();
        for path in ["js/course/main.js\"></script>", "css/course.css", "css/coursestaff.css"] {
            assert!(page.contains(&format!("=\"{folder}/{path}")), "{path}: {page}");
        }
        assert!(!page.contains("js/main.js") && !start(folder).contains("course"));
        let script = course_file(&format!("{folder}/js/course/main.js")).expect("a file");
        assert_eq!(script.cache, "max-age=31536000, immutable");
        assert!(course_file("js/course").is_none());
    }

    #[test]
    fn lines_of_the_page_are_at_most_120_columns_wide() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        for folder in ["js", "css", "site", "tests"] {
            let mut found = Vec::new();
            in_folder(&root.join(folder), &root, &mut found);
            assert!(found.len() >= 3, "{folder}");
            for name in found.iter().filter(|name| *name != "tests/messages.json" && !name.contains(".png")) {
                let text = std::fs::read_to_string(root.join(name)).expect("a file");
                for (number, line) in (1..).zip(text.lines()) {
                    let width = line.chars().count();
                    assert!(width <= 120, "{name}, line {number}: {width} columns");
                }
            }
        }
    }
}
