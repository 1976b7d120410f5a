//! The page's files, inside the program.

/// A file of the page.
pub(crate) struct File {
    /// Path on the server, without the first slash.
    pub(crate) path: &'static str,
    pub(crate) bytes: &'static [u8],
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        /// All files of the page; a test compares them with the folder.
        pub(crate) const FILES: &[File] =
            &[$(File { path: $path, bytes: include_bytes!(concat!("../page/", $path)) }),*];
    };
}

files! {
    "css/base.css",
    "css/board.css",
    "css/panels.css",
    "icon.svg",
    "index.html",
    "js/boards/board.js",
    "js/boards/marks.js",
    "js/boards/pieces.js",
    "js/main.js",
    "js/panels/analysing.js",
    "js/panels/controls.js",
    "js/panels/editor.js",
    "js/panels/exchange.js",
    "js/panels/look.js",
    "js/panels/moves.js",
    "js/panels/newgame.js",
    "js/panels/playing.js",
    "js/panels/seats.js",
    "js/panels/settings.js",
    "js/panels/thoughts.js",
    "js/state/check.js",
    "js/state/games.js",
    "js/state/memory.js",
    "js/state/puzzle.js",
    "js/state/scene.js",
    "js/state/share.js",
    "js/state/study.js",
    "js/state/tree.js",
    "js/state/types.js",
    "js/state/words.js",
    "js/text/en.js",
    "js/text/index.js",
    "js/transport/analysis.js",
    "js/transport/desk.js",
    "js/transport/games.js",
    "js/transport/room.js",
    "js/transport/socket.js",
    "js/views/analyse.js",
    "js/views/learn.js",
    "js/views/play.js",
    "js/views/puzzles.js",
    "vendor/README.md",
    "vendor/preact-htm.js",
}

impl File {
    /// The file at a path; the page itself at the empty path.
    pub(crate) fn at(path: &str) -> Option<&'static Self> {
        let path = if path.is_empty() { "index.html" } else { path };
        FILES.iter().find(|file| file.path == path)
    }

    /// Its media type.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The files of a folder without those that only the checks need.
    fn in_folder(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below").to_str().expect("a name").to_owned();
            if path.is_dir() {
                if name != "node_modules" && name != "tests" {
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
    fn every_file_of_the_page_is_served_and_it_weighs_little() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut found = Vec::new();
        in_folder(&root, &root, &mut found);
        found.sort();
        let mut served: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        served.sort_unstable();
        assert_eq!(served, found);
        let weight: usize = FILES.iter().map(|file| file.bytes.len()).sum();
        assert!(weight < 350_000, "{weight} bytes");
    }

    #[test]
    fn lines_of_the_page_are_at_most_120_columns_wide() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        for folder in ["js", "css", "tests"] {
            let mut found = Vec::new();
            in_folder(&root.join(folder), &root, &mut found);
            assert!(found.len() >= 3, "{folder}");
            for name in found {
                let text = std::fs::read_to_string(root.join(&name)).expect("a file");
                for (number, line) in (1..).zip(text.lines()) {
                    let width = line.chars().count();
                    assert!(width <= 120, "{name}, line {number}: {width} columns");
                }
            }
        }
    }
}
