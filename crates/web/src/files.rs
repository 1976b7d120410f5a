//! The files of the page, embedded in the program. They are served without comments and indentation, and the files of
//! the first view are joined.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::joined::{COMMON, Page, Scripts};
use crate::script::bare;

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
    "vendor/LICENSE-htm.txt",
    "vendor/LICENSE-preact.txt",
    "vendor/README.md",
    "vendor/preact-htm.js",
}

/// Placeholder in the page for the links to style sheets and preloaded scripts.
const HERE: &str = "<!-- links -->";
/// The main script.
const MAIN: &str = "js/main.js";
/// The main script on a course's server.
const COURSE_MAIN: &str = "js/course/main.js";
/// The pages and their joined scripts.
const PAGES: [Page; 2] = [
    Page { main: MAIN, joined: "js/page.js", folder: "js/" },
    Page { main: COURSE_MAIN, joined: "js/course/page.js", folder: "js/course/" },
];
/// The joined style sheets, and those that a course's server adds.
const SHEETS: [&str; 2] = ["css/page.css", "css/coursepage.css"];
/// The library that all scripts use.
const LIBRARY: &str = "vendor/preact-htm.js";

/// Returns the scripts of all pages.
fn scripts() -> Scripts<'static> {
    let is_script = |file: &&File| file.path.starts_with("js/");
    Scripts::new(FILES.iter().filter(is_script).map(|file| (file.path, file.text())), &PAGES)
}

/// Returns the files to send, except the page itself, by path.
pub(crate) fn sent() -> &'static BTreeMap<String, Vec<u8>> {
    static SENT: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    SENT.get_or_init(|| {
        let is_whole = |file: &&File| !["html", "js", "css"].contains(&extension(file.path)) || file.path == LIBRARY;
        let whole = FILES.iter().filter(is_whole).map(|file| (file.path.to_owned(), file.bytes.to_vec()));
        let joined = scripts().files().into_iter().map(|(path, text)| (path, text.into_bytes()));
        let sheets = SHEETS.iter().map(|path| ((*path).to_owned(), sheet(is_course(path)).into_bytes()));
        whole.chain(joined).chain(sheets).collect()
    })
}

/// Returns the style sheets of the page, or those that a course's server adds, as one. The page links its sheets in the
/// order in which they apply.
fn sheet(of_course: bool) -> String {
    let page = File::at("").map(File::text).unwrap_or_default();
    let linked = |path: &str| page.find(&format!("\"{path}\""));
    let is_wanted = |file: &&File| extension(file.path) == "css" && is_course(file.path) == of_course;
    let mut sheets: Vec<&File> = FILES.iter().filter(is_wanted).collect();
    sheets.sort_by_key(|file| linked(file.path));
    let text: String = sheets.into_iter().map(|file| bare(file.text())).collect();
    text.split_inclusive('\n').filter(|line| *line != "\n").collect()
}

/// Returns `true` for a file that only the page of a course's server uses.
pub(crate) fn is_course(path: &str) -> bool {
    path.starts_with("js/course/") || path.starts_with("css/course")
}

/// Returns the name of the folder for this version of the files. Browsers cache the folder permanently, because each
/// version has a different folder.
pub(crate) fn folder() -> &'static str {
    static FOLDER: OnceLock<String> = OnceLock::new();
    FOLDER.get_or_init(|| folder_of(sent()))
}

/// Returns a folder name derived from the content: if a file differs, the name differs.
pub(crate) fn folder_of(files: &BTreeMap<String, Vec<u8>>) -> String {
    let hash = files.iter().fold(Sha256::new(), |hash, (path, bytes)| hash.chain_update(path).chain_update(bytes));
    format!("files-{}", hex(&hash.finalize()[..8]))
}

/// Returns bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Returns the page, with a folder in the paths of its scripts and styles.
pub(crate) fn start(folder: &str) -> String {
    page(folder, &PAGES[0], &SHEETS[..1])
}

/// Returns the page on a course's server.
fn course_start(folder: &str) -> String {
    page(folder, &PAGES[1], &SHEETS)
}

/// Returns a page with its style sheets. The scripts of its first view are preloaded, so that a browser requests them
/// at once. Scripts of languages and of other views are fetched on demand.
fn page(folder: &str, page: &Page, sheets: &[&str]) -> String {
    let sheets = sheets.iter().map(|path| format!("<link rel=\"stylesheet\" href=\"{path}\" />"));
    let scripts = [COMMON, page.joined, LIBRARY].map(|path| format!("<link rel=\"modulepreload\" href=\"{path}\" />"));
    let links: String = sheets.chain(scripts).collect();
    let source = File::at("").map(File::text).unwrap_or_default();
    let lines = source.split_inclusive('\n').filter(|line| !line.contains("rel=\"stylesheet\""));
    let text: String = lines.collect();
    let whole = text.replace(HERE, &links).replace(MAIN, page.main);
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

/// Returns the file at a path without the leading slash. The empty path is the page itself. In the folder of this
/// version, browsers cache a file permanently.
pub(crate) fn served_at(path: &str) -> Option<Served> {
    served(path, start)
}

/// Returns a file of the page on a course's server. The page itself, at the empty path, has the views of the course in
/// place of all others.
pub fn course_file(path: &str) -> Option<Served> {
    served(path, course_start)
}

/// Returns the file at a path. `start` makes the page itself.
fn served(path: &str, start: fn(&str) -> String) -> Option<Served> {
    let kept = path.strip_prefix(folder()).and_then(|rest| rest.strip_prefix('/')).filter(|rest| !rest.is_empty());
    let cache = if kept.is_some() { "max-age=31536000, immutable" } else { "no-cache" };
    let path = kept.unwrap_or(path);
    let (kind, bytes) = match path {
        "" | "index.html" => (kind("index.html"), Cow::Owned(start(folder()).into_bytes())),
        path => (kind(path), Cow::Borrowed(sent().get(path)?.as_slice())),
    };
    Some(Served { kind, cache, bytes })
}

/// Returns the extension of a file's name without the dot.
pub(crate) fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns the media type of a file.
fn kind(path: &str) -> &'static str {
    match extension(path) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
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

    /// Returns the text of a file, empty if its bytes are not text.
    pub(crate) fn text(&self) -> &str {
        core::str::from_utf8(self.bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    use crate::joined::SEPARATE;
    use crate::script::Script;

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
    fn every_file_of_the_page_is_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut found = Vec::new();
        in_folder(&root, &root, &mut found);
        found.sort();
        let mut listed: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        listed.sort_unstable();
        assert_eq!(listed, found);
    }

    #[test]
    fn scripts_keep_the_conventions_that_joining_relies_on() {
        for file in FILES.iter().filter(|file| file.path.starts_with("js/")) {
            let (path, script) = (file.path, Script::parse(file.path, file.text()));
            let starting = |word: &str| file.text().lines().filter(|line| line.starts_with(word)).count();
            let indented = |word: &str| {
                file.text().lines().any(|line| line.trim_start() != line && line.trim_start().starts_with(word))
            };
            assert_eq!(starting("import "), script.imports.len(), "{path}: imports");
            assert_eq!(starting("export "), script.exports.len() + starting("export {};"), "{path}: exports");
            assert!(!indented("import ") && !indented("export "), "{path}: indented imports or exports");
            assert_eq!(starting("export let ") + starting("export default "), 0, "{path}");
            for import in &script.imports {
                assert!(File::at(&import.path).is_some(), "{path} imports {}", import.path);
            }
        }
        for page in &PAGES {
            let (scripts, mut known) = (scripts(), BTreeSet::new());
            for path in scripts.first(page.main) {
                known.insert(path);
                for import in &Script::parse(path, File::at(path).expect("a file").text()).imports {
                    assert!(known.contains(import.path.as_str()) || import.path == LIBRARY, "a cycle from {path}");
                }
            }
        }
    }

    /// Returns the size of the files that a page fetches before its first view and of all files that it fetches, in
    /// bytes, in a language.
    fn weights(page: &Page, of_course: bool, language: &str) -> (usize, usize) {
        let is_fetched = |path: &str| match path {
            path if is_language(path) => path.ends_with(language) && (of_course || !is_course(path)),
            path => of_course || !is_course(path),
        };
        let is_first = |path: &str| {
            let is_late = path.starts_with("js/") && ![COMMON, page.joined, page.main, SEPARATE].contains(&path);
            !is_late || is_language(path)
        };
        let size = |is_wanted: &dyn Fn(&str) -> bool| -> usize {
            sent().iter().filter(|(path, _)| is_fetched(path) && is_wanted(path)).map(|(_, bytes)| bytes.len()).sum()
        };
        (size(&is_first), size(&|_| true))
    }

    #[test]
    fn the_size_of_the_page_is_limited() {
        // A browser fetches one language, and the scripts of the first view before those of other views.
        let first = scripts().first(MAIN);
        assert!(first.contains(&"js/boards/board.js") && first.contains(&"js/text/phrases.js"), "{first:?}");
        assert!(!first.contains(&"js/views/puzzles.js") && !first.contains(&"js/boards/gif.js"), "{first:?}");
        for language in ["en.js", "de.js", "zh.js"] {
            let (first, all) = weights(&PAGES[0], false, language);
            assert!(first < 400_000, "{language}: {first} bytes for the first view, {all} in all");
            assert!(all < 480_000, "{language}: {all} bytes");
        }
    }

    #[test]
    fn the_page_of_a_course_is_light_and_fetches_its_views_only_there() {
        let first = scripts().first(COURSE_MAIN);
        assert!(first.contains(&"js/course/views/scoreboard.js"), "{first:?}");
        for view in ["js/course/views/mine.js", "js/course/views/staff.js", "js/views/play.js", "js/main.js"] {
            assert!(!first.contains(&view), "{view}");
        }
        assert!(!scripts().first(MAIN).iter().any(|path| is_course(path)));
        for language in ["en.js", "de.js", "zh.js"] {
            let (first, _) = weights(&PAGES[1], true, language);
            assert!(first < 400_000, "{language}: {first} bytes");
        }
        let page = course_file("").expect("the page");
        let page = core::str::from_utf8(&page.bytes).expect("text");
        let folder = folder();
        for path in ["js/course/main.js\"></script>", "css/page.css", "css/coursepage.css", "js/common.js"] {
            assert!(page.contains(&format!("=\"{folder}/{path}")), "{path}: {page}");
        }
        assert!(!page.contains("js/main.js") && !start(folder).contains("course"));
        let script = course_file(&format!("{folder}/js/course/main.js")).expect("a file");
        assert_eq!(script.cache, "max-age=31536000, immutable");
        assert!(course_file("js/course").is_none());
    }

    #[test]
    fn style_sheets_apply_in_the_order_of_the_page() {
        let sheet = String::from_utf8(sent()["css/page.css"].clone()).expect("text");
        let first = |path: &str| {
            let text = bare(File::at(path).expect("a sheet").text());
            sheet.find(text.trim().lines().next().expect("a line")).expect("in the sheet")
        };
        assert!(first("css/base.css") < first("css/menu.css") && first("css/arena.css") < first("css/layout.css"));
        assert!(!sheet.contains("/*\n") && sheet.len() > 50_000, "{} bytes", sheet.len());
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
