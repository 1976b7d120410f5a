//! The page as a static site: a folder that any host can serve, below any path, and that works offline after the first
//! visit.
//!
//! The site has the files of the server and the files of `page/site/`. Instead of connecting to a server, its page
//! connects to a web worker, which runs the games as a WebAssembly module (the crates `house` and `wasm`). Documents
//! that the server generates on demand (`games.json`, lessons, puzzles) are written in advance.

use std::collections::BTreeMap;

use games::GameId;
use house::about::Documents;
use sha2::{Digest, Sha256};

use crate::files::{File, extension, folder_of, hex, is_course, sent, start};
use crate::joined::SEPARATE;
use crate::script::bare;

macro_rules! site {
    ($($path:literal),* $(,)?) => {
        /// The files that only the static site has.
        const SITE: &[File] = &[$(File { path: concat!("site/", $path), bytes: include_bytes!(concat!("../page/site/", $path)) }),*];
    };
}

site! {
    "THIRD-PARTY.txt",
    "helper.js",
    "house.js",
    "icon-180.png",
    "icon-192.png",
    "icon-512.png",
    "manifest.webmanifest",
    "module.js",
    "start.js",
    "store.js",
    "sw.js",
    "thinker.js",
    "threads.js",
    "wire.js",
}

/// Languages of the lessons.
const LANGUAGES: [&str; 3] = ["en", "de", "zh"];

/// Content security policy: scripts, styles and requests of this site only. `wasm-unsafe-eval` allows only WebAssembly.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
                      form-action 'none'";

/// Returns the files of the site by their paths. `module` is the WebAssembly module of the crate `wasm`, compressed
/// with gzip.
pub fn static_site(module: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let folder = versioned(module);
    let name = folder_of(&folder);
    let mut files: BTreeMap<String, Vec<u8>> =
        folder.into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)).collect();
    files.extend(documents());
    for path in ["THIRD-PARTY.txt", "icon-180.png", "icon-192.png", "icon-512.png", "manifest.webmanifest"] {
        files.insert(path.to_owned(), of_site(path));
    }
    files.insert("icon.svg".into(), sent().get("icon.svg").cloned().unwrap_or_default());
    files.insert("index.html".into(), page(&name).into_bytes());
    let worker = service_worker(&name, &files);
    files.insert("sw.js".into(), worker.into_bytes());
    files
}

/// Returns the files that browsers may cache permanently, because their folder has a different name in each version.
fn versioned(module: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let used = sent().iter().filter(|(path, _)| !is_course(path));
    let mut files: BTreeMap<_, _> = used.map(|(path, bytes)| (path.clone(), bytes.clone())).collect();
    files.insert(SEPARATE.into(), of_site("wire.js"));
    for script in ["helper.js", "house.js", "module.js", "start.js", "store.js", "thinker.js", "threads.js"] {
        files.insert(format!("site/{script}"), of_site(script));
    }
    files.insert("site/plyhouse.bin".into(), module.to_vec());
    files
}

/// Returns the served content of a file that only the site has.
fn of_site(path: &str) -> Vec<u8> {
    let file = SITE.iter().find(|file| file.path.strip_prefix("site/") == Some(path));
    match file {
        Some(file) if extension(file.path) == "js" => bare(file.text()).into_bytes(),
        file => file.map(|file| file.bytes.to_vec()).unwrap_or_default(),
    }
}

/// Returns the documents that the page requests from its server, by path.
fn documents() -> BTreeMap<String, Vec<u8>> {
    let documents = Documents::default();
    let mut paths = vec!["games.json".to_owned()];
    for game in GameId::all() {
        paths.push(format!("games/{game}/puzzles.json"));
        paths.extend(LANGUAGES.map(|language| format!("games/{game}/lessons/{language}.json")));
    }
    let found = paths.into_iter().filter_map(|path| documents.at(&path).map(|text| (path, text.into_bytes())));
    // The site has no board that several devices share.
    found.chain([("table.json".to_owned(), br#"{"link":null}"#.to_vec())]).collect()
}

/// Returns the page, with the names of its files and its content security policy.
fn page(folder: &str) -> String {
    let head = format!(
        "<meta http-equiv=\"content-security-policy\" content=\"{POLICY}\" />\
         <link rel=\"manifest\" href=\"manifest.webmanifest\" />\
         <link rel=\"apple-touch-icon\" href=\"icon-180.png\" />\
         <meta name=\"theme-color\" content=\"#2f6f5e\" />\
         <script type=\"module\" src=\"{folder}/site/start.js\"></script>"
    );
    start(folder).replace("<meta charset=\"utf-8\" />", &format!("<meta charset=\"utf-8\" />{head}"))
}

/// Returns the service worker, which lists every file with its hash.
fn service_worker(folder: &str, files: &BTreeMap<String, Vec<u8>>) -> String {
    let version = folder_of(files);
    let address = |path: &str| if path == "index.html" { "./".to_owned() } else { path.to_owned() };
    let hashes: BTreeMap<String, String> =
        files.iter().map(|(path, bytes)| (address(path), hex(&Sha256::digest(bytes)))).collect();
    let hashes = serde_json::json!(hashes);
    let script = String::from_utf8_lossy(&of_site("sw.js")).into_owned();
    format!("const VERSION = \"{version}\";\nconst FOLDER = \"{folder}\";\nconst FILES = {hashes};\n{script}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_is_complete_and_names_only_its_own_files() {
        let files = static_site(b"a module");
        let page = String::from_utf8(files["index.html"].clone()).expect("text");
        let named = page.split(['"']).filter(|text| text.contains('.') && !text.contains([' ', ';', '\n']));
        let mut count = 0;
        for path in named {
            assert!(files.contains_key(path), "{path}");
            count += 1;
        }
        assert!(count > 8, "{count} files are named");
        assert!(files.keys().any(|path| path.ends_with("/site/plyhouse.bin")));
        let wire = files.iter().find(|(path, _)| path.ends_with("js/transport/wire.js")).expect("a wire").1;
        assert!(!String::from_utf8_lossy(wire).contains("WebSocket"), "the site has its own `wire.js`");
        assert!(SITE.iter().all(|file| !of_site(file.path.trim_start_matches("site/")).is_empty()));
        let worker = String::from_utf8(files["sw.js"].clone()).expect("text");
        for path in files.keys().filter(|path| !["index.html", "sw.js"].contains(&path.as_str())) {
            assert!(worker.contains(&format!("\"{path}\"")), "{path} is not in the service worker");
        }
        // No file depends on the location of the site.
        for (path, bytes) in &files {
            let text = String::from_utf8_lossy(bytes);
            let absolute = ["=\"/", "fetch(\"/", "url(\"/", "url(/", "from \"/", "import(\"/"];
            assert!(!absolute.iter().any(|way| text.contains(way)), "{path} names an absolute path");
        }
    }

    #[test]
    fn the_site_has_the_notices_of_third_parties() {
        let files = static_site(b"a module");
        let notices = String::from_utf8_lossy(&files["THIRD-PARTY.txt"]);
        for name in ["Preact", "serde_json"] {
            assert!(notices.contains(&format!("\n  {name} ")), "{name} is missing");
        }
        assert!(files.keys().any(|path| path.ends_with("/vendor/LICENSE-preact.txt")));
    }

    #[test]
    fn another_module_gives_another_version() {
        let worker = |module: &[u8]| static_site(module).remove("sw.js");
        assert_ne!(worker(b"a"), worker(b"b"));
        assert_eq!(worker(b"a"), worker(b"a"));
    }
}
