//! The static site in a real browser: served as plain files below a path, and then offline.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::page::ladder::{assert_at_second_rung, import};
use crate::page::site::{Page, find_puzzle, is_win};
use devtools::Files;
use games::GameId;
use serde_json::{Value, json};

/// Path of the site on its host.
const BASE_PATH: &str = "/courses/games/";

/// Headers that a host must send to allow threads.
const ISOLATED: &str = "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n";

/// Returns the folder of a site that `make modules` has built in the target folder of these tests.
fn built(kind: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let folder = target.join("modules").join(kind);
    assert!(folder.join("index.html").is_file(), "{} is missing: run `make modules` first", folder.display());
    folder
}

#[test]
fn the_site_has_notices_and_does_not_name_the_folder_that_it_was_built_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a folder");
    let root = root.to_string_lossy();
    for kind in ["static", "threaded"] {
        let site = built(kind);
        let notices = std::fs::read_to_string(site.join("THIRD-PARTY.txt")).expect("notices");
        assert!(notices.contains("\n  Preact "), "{notices}");
        let entries = std::fs::read_dir(&site).expect("a folder").flatten();
        let module = entries.map(|entry| entry.path().join("site/plyhouse.bin")).find(|path| path.is_file());
        let module = File::open(module.expect("a module")).expect("a file");
        let unpacked = Command::new("gzip").arg("-dc").stdin(module).output().expect("gzip runs").stdout;
        let names = |text: &str| unpacked.windows(text.len()).any(|bytes| bytes == text.as_bytes());
        assert!(names("/cargo/registry/") && !names(&root) && !names("/.cargo/registry/"), "{kind}");
    }
}

fn serve() -> Files {
    Files::serve(&built("static"), BASE_PATH, "").expect("a port")
}

/// Checks analysis lines, the opening book, a proof with its replies, and the endgame tables.
fn check_engines(page: &mut Page) {
    page.go("analyse?game=loa&moves=b1-b3", 1280, 900);
    page.wait("document.querySelector('.lines .value') !== null");
    page.go("analyse?game=loa&size=6", 1280, 900);
    page.wait("document.querySelector('.proven')?.textContent === 'Proven (book): Black wins in 24 moves.'");
    page.press_button("Proof");
    page.press_button("Prove it");
    page.wait("document.querySelectorAll('.replies > li').length > 5");
    let replies = page.eval("document.querySelectorAll('.replies > li').length").as_u64().unwrap_or(0);
    page.click(".replies .twist");
    page.wait(&format!("document.querySelectorAll('.replies > li').length > {}", replies + 3));
    let two_pieces = "......../......../...W..../......../......../..B...../......../........ b";
    page.go(&format!("analyse?game=checkers&start={}", two_pieces.replace(' ', "%20")), 1280, 900);
    page.wait("document.body.innerText.includes('Endgame tables: a draw.')");
}

#[test]
fn the_site_works_below_a_path_and_then_offline() {
    let server = serve();
    let mut page = Page::open(&server.address(), "home", 1280, 900);
    page.wait("navigator.serviceWorker.ready.then((found) => found.active.state === 'activated')");
    let found = page.browser.call("Page.getInstallabilityErrors", &json!({})).expect("an answer");
    // A test's browser context counts as incognito, which is the only error that is allowed here.
    let only = json!([{ "errorId": "in-incognito", "errorArguments": [] }]);
    assert_eq!(found["installabilityErrors"], only, "the site can be installed");
    // The first page still fetches views from the host. The next one has all files from the service worker.
    page.go("home", 1280, 900);
    page.wait("navigator.serviceWorker.controller !== null");
    drop(server);
    page.play_every_game("10");
    check_engines(&mut page);
    let (number, puzzle) = find_puzzle(GameId::LOA, is_win(3));
    page.open_puzzle(GameId::LOA, number);
    page.solve(GameId::LOA, &puzzle);
    page.assert_clean();
}

#[test]
fn games_survive_a_reload_in_the_browser() {
    let server = serve();
    let mut page = Page::open(&server.address(), "play", 390, 800);
    page.new_game("Lines of Action", 4, [("Black", "person"), ("White", "person")]);
    page.play_move(&[[3, 1], [1, 1]]);
    page.wait_for_moves(1);
    // The game continues after a reload.
    page.go("play", 390, 800);
    page.wait_for_moves(1);
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait("document.querySelector('.status').textContent.includes('resigns')");
    for _ in 0..2 {
        page.go("home", 390, 800);
        page.wait("document.querySelectorAll('.archive li').length === 1");
    }
    assert!(!page.is_too_wide());
    // The sections above the list appear later and move it down.
    page.wait("['Continue', 'Puzzle of the day'].every((part) => document.body.innerText.includes(part))");
    page.click(".archive li button");
    page.press_button("Delete for good");
    page.wait("document.querySelector('.archive li') === null");
    page.go("home", 390, 800);
    page.wait("document.querySelector('.home .picture g') !== null");
    assert_eq!(page.eval("document.querySelectorAll('.archive li').length"), 0);
    page.assert_clean();
}

#[test]
fn the_ladder_is_kept_in_the_browser() {
    let server = serve();
    let mut page = Page::open(&server.address(), "ladder/loa", 390, 844);
    page.wait("document.querySelector('.rung.next strong')?.textContent === 'Chick'");
    let won = |id: u32| {
        let seats = json!([{ "kind": "person" }, { "kind": "engine", "level": "gentle1" }]);
        let date = format!("2025-11-21T20:14:{id}Z");
        let game = json!({ "id": id.to_string(), "date": date, "game": "loa", "moves": ["b1-b3"], "seats": seats,
                           "winner": 0, "reason": "resigned" });
        format!("{game}\n")
    };
    import(&mut page, &[won(10), won(11)].concat());
    page.wait("document.querySelector('.ladder-files').textContent.includes('2 games added.')");
    assert_at_second_rung(&mut page);
    page.go("ladder/loa", 390, 844);
    assert_at_second_rung(&mut page);
    page.assert_clean();
}

#[test]
fn a_search_stops_at_once_and_never_blocks_the_page() {
    let server = serve();
    let mut page = Page::open(&server.address(), "analyse?game=loa", 1280, 900);
    page.wait("document.querySelector('.lines .value') !== null");
    // The page draws frames during the search, which is still running afterwards: the depth changes.
    let frames = "new Promise((done) => { let count = 0; \
                  const frame = () => { count += 1; if (count < 30) requestAnimationFrame(frame); else done(count); }; \
                  requestAnimationFrame(frame); })";
    assert_eq!(page.eval(frames), 30);
    let depth = page.text(".depth");
    page.wait(&format!("document.querySelector('.depth').textContent !== {depth:?}"));
    // A move on the board is analysed although the search for the previous position has not ended.
    page.play_move(&[[7, 1], [5, 1]]);
    page.wait_for_moves(1);
    page.wait("document.querySelector('.lines .value') !== null");
    reload_during_a_proof(&mut page);
    page.assert_clean();
}

/// Returns the web workers that the page has started, including those from before its last reload. Each has its parent:
/// the page or another worker.
fn workers(page: &mut Page) -> Vec<(String, String)> {
    let own = page.browser.call("Target.getTargetInfo", &json!({})).expect("the page");
    let all = page.browser.call("Target.getTargets", &json!({ "filter": [{ "type": "worker" }] })).expect("workers");
    let text = |target: &Value, key| target[key].as_str().unwrap_or_default().to_owned();
    let context = text(&own["targetInfo"], "browserContextId");
    let all = all["targetInfos"].as_array().into_iter().flatten();
    all.filter(|worker| text(worker, "browserContextId") == context)
        .map(|worker| (text(worker, "targetId"), text(worker, "parentId")))
        .collect()
}

/// Returns the number of helpers of the search. The page starts the worker of the games, which starts the worker of the
/// search, which starts the helpers.
fn helpers(page: &mut Page) -> usize {
    let workers = workers(page);
    let parent_of = |id: &str| workers.iter().find(|worker| worker.0 == id).map(|worker| &*worker.1);
    let searches = workers.iter().filter(|worker| parent_of(&worker.1).is_some());
    let helpers = searches.map(|search| workers.iter().filter(|worker| worker.1 == search.0).count());
    helpers.max().expect("a search")
}

/// Asserts that a reload leaves no worker behind: a remaining worker would keep the memory of its search.
fn reload_during_a_proof(page: &mut Page) {
    page.eval("localStorage.setItem('plyhouse.analysis', JSON.stringify({ on: false, tool: 'proof' }))");
    for _ in 0..2 {
        page.eval("window.before = true");
        page.browser.call("Page.reload", &json!({})).expect("the page");
        page.wait("window.before === undefined && document.querySelector('.prove') !== null");
        page.press_button("Prove it");
        page.wait("/Searching: [1-9]/.test(document.querySelector('.proving')?.textContent)");
    }
    // Two workers remain: one for the games and one for the search. The browser ends the others within seconds.
    let end = Instant::now() + Duration::from_mins(1);
    while workers(page).len() > 2 {
        assert!(Instant::now() < end, "{:?}", workers(page));
        page.eval("new Promise((go) => setTimeout(go, 100))");
    }
    page.press_button("Stop");
    page.visit("learn/jump61");
    page.visit("analyse?game=jump61&size=2");
    page.press_button("Prove it");
    page.wait("document.querySelectorAll('.replies > li').length === 4");
}

#[test]
fn searches_use_every_processor_where_the_host_allows_threads() {
    let folder = built("threaded");
    // The helpers of the search, and the processors that the browser offers for threads.
    let analyse = |headers| {
        let server = Files::serve(&folder, BASE_PATH, headers).expect("a port");
        let mut page = Page::open(&server.address(), "analyse?game=loa", 1280, 900);
        page.wait("document.querySelector('.lines .value') !== null");
        page.play_move(&[[7, 1], [5, 1]]);
        page.wait_for_moves(1);
        page.wait("document.querySelector('.lines .value') !== null");
        page.assert_clean();
        let cores = page.eval("crossOriginIsolated ? navigator.hardwareConcurrency : 1").as_u64().expect("a number");
        (helpers(&mut page), cores as usize)
    };
    // Without isolation, the same site has one thread in this browser. Helpers are started before the first search.
    assert_eq!(analyse(""), (0, 1));
    let (helpers, cores) = analyse(ISOLATED);
    assert_eq!(helpers + 1, cores, "the search has a thread for each processor");
}

/// Replaces a folder with a copy of the site that has another version: in the name of the versioned folder, in the
/// service worker and in the page.
fn write_version(to: &Path, version: &str) {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).expect("a folder");
        for entry in std::fs::read_dir(from).expect("a folder").flatten() {
            let target = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &target);
            } else {
                std::fs::copy(entry.path(), target).expect("a file");
            }
        }
    }
    let site = built("static");
    let files = std::fs::read_dir(&site).expect("a folder").flatten().map(|entry| entry.file_name());
    let name = files.filter_map(|name| name.into_string().ok()).find(|name| name.starts_with("files-")).expect("files");
    let _ = std::fs::remove_dir_all(to);
    copy(&site, to);
    std::fs::rename(to.join(&name), to.join(format!("files-{version}"))).expect("a folder");
    for (file, title) in [("index.html", true), ("sw.js", false)] {
        let text = std::fs::read_to_string(to.join(file)).expect("a file");
        let text = text.replace(name.trim_start_matches("files-"), version);
        let text = text.replace("const VERSION = \"", &format!("const VERSION = \"{version}-"));
        let text = if title { text.replace("<body", &format!("<body data-version=\"{version}\"")) } else { text };
        std::fs::write(to.join(file), text).expect("a file");
    }
}

/// The versions of the page and of its files.
const VERSIONS: &str = "[document.body.dataset.version, ...new Set(performance.getEntriesByType('resource')\
                        .map((file) => /files-(\\w+)/.exec(file.name)?.[1]).filter((name) => name))]";
/// The notice that offers a new version.
const OFFER: &str = ".news.shown .button";

/// A host with a site that is updated, and a page of the first version.
struct Updated {
    folder: tempfile::TempDir,
    server: Files,
    page: Page,
}

impl Updated {
    /// The host lets browsers cache everything for ten minutes.
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        write_version(&folder.path().join("site"), "one");
        let headers = "Cache-Control: max-age=600\r\n";
        let server = Files::serve(&folder.path().join("site"), BASE_PATH, headers).expect("a port");
        let mut page = Page::open(&server.address(), "home", 1280, 900);
        page.wait("navigator.serviceWorker.ready.then((found) => found.active.state === 'activated')");
        Self { folder, server, page }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("site").join(name)
    }

    fn update(&self) {
        write_version(&self.folder.path().join("site"), "two");
    }

    /// Opens the page and checks the version of its files.
    fn assert_version(&mut self, version: &str) {
        self.page.go("home", 1280, 900);
        assert_eq!(self.page.eval(VERSIONS), json!([version, version]));
    }

    fn wait_for_offer(&mut self) {
        self.page
            .wait("navigator.serviceWorker.getRegistration().then((found) => found.waiting?.state === 'installed')");
        self.page.wait(&format!("document.querySelector('{OFFER}') !== null"));
    }
}

/// After an update, all files of a page have the same version: the old version until its last page is closed, then the
/// new version.
#[test]
fn an_update_never_mixes_two_versions() {
    let mut site = Updated::start();
    site.update();
    site.assert_version("one");
    // The browser looks for a new version when it loads a page. The new version waits.
    site.wait_for_offer();
    site.assert_version("one");
    site.page.go("play", 1280, 900);
    assert_eq!(site.page.eval(VERSIONS), json!(["one", "one"]));
    site.page.browser.open("about:blank", 1280, 900).expect("an empty page");
    // The new version takes over shortly after the last page of the old one is closed.
    let arrived = (0..100).any(|_| {
        site.page.go("home", 1280, 900);
        let found = site.page.eval(VERSIONS);
        if found != json!(["two", "two"]) {
            assert_eq!(found, json!(["one", "one"]));
            site.page.browser.open("about:blank", 1280, 900).expect("an empty page");
        }
        found == json!(["two", "two"])
    });
    assert!(arrived, "the new version does not take over: {}", site.page.eval(VERSIONS));
    let Updated { server, mut page, .. } = site;
    drop(server);
    page.go("home", 1280, 900);
    assert_eq!(page.eval(VERSIONS), json!(["two", "two"]), "the new version works offline");
    page.browser.open(&format!("{}index.html", page.address), 1280, 900).expect("the page");
    page.wait("document.querySelector('main') !== null");
    page.assert_clean();
}

/// While a host is updated, it may send the new service worker with the old page, or files of two versions. Then the
/// old version stays, and a later visit finds the complete new one.
#[test]
fn a_version_with_a_stale_file_is_not_installed() {
    for stale in ["index.html", "games.json"] {
        let mut site = Updated::start();
        let old = std::fs::read(site.file(stale)).expect("a file");
        site.update();
        let new = std::fs::read(site.file(stale)).expect("a file");
        let old = if old == new { [old, b" ".to_vec()].concat() } else { old };
        std::fs::write(site.file(stale), old).expect("a file");
        let update = "navigator.serviceWorker.getRegistration().then((found) => found.update()).then(\
                      (found) => new Promise((done) => { const worker = found.installing; \
                        if (!worker) done(found.waiting?.state ?? 'none'); \
                        worker.onstatechange = () => done(worker.state); }), () => 'refused')";
        let state = site.page.eval(update);
        assert!(["redundant", "refused"].contains(&state.as_str().unwrap_or_default()), "{stale}: {state}");
        site.assert_version("one");
        assert_eq!(site.page.eval(&format!("document.querySelector('{OFFER}') === null")), json!(true));
        std::fs::write(site.file(stale), new).expect("a file");
        site.assert_version("one");
        site.wait_for_offer();
    }
}

/// The user can switch to a new version, from a host that sends its files slowly. Another tab keeps working with the
/// old version until its user switches, too.
#[test]
fn a_new_version_is_offered_in_every_tab() {
    let mut site = Updated::start();
    site.server.hold(Some("files-two"));
    site.update();
    site.assert_version("one");
    site.page.wait("navigator.serviceWorker.getRegistration().then((found) => found.installing !== null)");
    site.assert_version("one");
    assert_eq!(site.page.eval("document.querySelector('.news.shown') === null"), json!(true));
    let mut other = Page::new(site.page.browser.another().expect("a page"), &site.server.address());
    other.go("home", 1280, 900);
    site.server.hold(None);
    site.wait_for_offer();
    other.click(OFFER);
    other.wait("document.body?.dataset.version === 'two' && document.querySelector('main') !== null");
    site.page.wait("navigator.serviceWorker.getRegistration().then((found) => found.waiting === null)");
    // This tab still has the old version, with files that it has not fetched before.
    assert_eq!(site.page.eval("document.body.dataset.version"), json!("one"));
    let folder = "document.querySelector('script[src*=\"/js/\"]').src.replace(/js.*/, '')";
    let late = format!("fetch({folder} + 'js/boards/gif.js').then((answer) => answer.ok)");
    assert_eq!(site.page.eval(&late), json!(true), "files of the old version are still cached");
    site.page.click(OFFER);
    site.page.wait("document.body?.dataset.version === 'two' && document.querySelector('main') !== null");
    assert_eq!(site.page.eval(VERSIONS), json!(["two", "two"]));
    other.assert_clean();
    site.page.assert_clean();
}
