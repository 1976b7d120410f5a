//! Server state in a real browser: address, settings and finished games after a restart, clocks, the shared board.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use crate::page::site::{FIND, Page, Site, address_in, find_puzzle, is_win, path};
use crate::tournaments::wait;
use games::GameId;
use serde_json::json;

/// Replaces the page's content with one of its panels.
fn show_panel(page: &mut Page, file: &str, name: &str, props: &str) {
    let show = format!(
        "(async (find) => {{ \
           const {{ html, render, useMemo }} = await find('vendor/preact-htm.js'); \
           const {{ useDesk }} = await find('js/transport/desk.js'); \
           const {{ {name} }} = await find('js/panels/{file}'); \
           window.said = []; \
           function Shown() {{ const desk = useDesk(); const props = useMemo(() => ({props}), []); \
             return html`<main><h1>Panel</h1><${{{name}}} desk=${{desk}} ...${{props}} /></main>`; }} \
           const place = document.createElement('div'); document.body.replaceChildren(place); \
           render(html`<${{Shown}} />`, place); return true; }})({FIND})"
    );
    page.eval(&show);
}

/// Plays a short game against the engine, which Black resigns.
fn resign_a_game(page: &mut Page) {
    let game = json!({
        "game": {"game": "loa", "size": 6, "start": null, "moves": ["b1-b3", "a2-c2"], "limit": null},
        "seats": [{"kind": "person"}, {"kind": "engine", "level": 1, "nodes": 50}],
    });
    start_stored_game(page, &game);
    page.wait("document.querySelector('.square.movable') !== null");
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait("document.querySelector('.status').textContent.includes('resigns')");
}

/// Makes the page start a stored game, as after a restart of the server.
fn start_stored_game(page: &mut Page, game: &serde_json::Value) {
    page.eval(&format!("localStorage.setItem('plyhouse.game.play', {:?})", game.to_string()));
    page.eval("localStorage.setItem('plyhouse.room.play', '\"gone\"')");
    page.go("play", 1280, 900);
}

#[test]
fn a_restart_keeps_settings_games_and_links() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.eval("localStorage.setItem('plyhouse.settings', JSON.stringify({ theme: 'dark' }))");
    page.turn_engine_off();
    resign_a_game(&mut page);
    let (port, folder) = (site.port().to_owned(), Arc::clone(&site.folder));
    let archive = folder.path().join("games.jsonl");
    wait(|| std::fs::read_to_string(&archive).is_ok_and(|text| text.ends_with('\n')));
    drop(site);
    let site = Site::in_folder(folder, &["--port", &port]);
    assert!(site.address.contains(&port));
    page.go("play", 1280, 900);
    // The page may have tried to connect, or to prefetch views, while the server was down.
    let errors = page.browser.complaints().expect("the browser");
    let is_lost = |error: &String| error.contains("/socket' failed") || error.contains("ERR_CONNECTION_REFUSED");
    assert!(errors.iter().all(is_lost), "{errors:?}");
    assert_eq!(page.eval("document.documentElement.dataset.theme"), "dark");
    page.wait_for_moves(2);
    page.go("analyse?game=loa&size=6&moves=b1-b3", 1280, 900);
    page.wait_for_moves(1);
    // The archive has the finished game.
    show_panel(&mut page, "archive.js", "Finished", "{}");
    page.wait("document.querySelectorAll('.archive li').length === 1");
    let text = page.text(".archive li");
    for part in ["You lost", "by resignation", "Hedgehog · level 1", "Lines of Action", "2 moves"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let link = page.eval("document.querySelector('.archive li a').getAttribute('href')");
    assert_eq!(link, "#/analyse?game=loa&size=6&moves=b1-b3%2Ca2-c2&review=1");
    // The explorer lists the moves played in the first position. A click plays a move.
    let props =
        "{ game: { game: 'loa', size: 6, start: null, moves: [] }, side: 'Black', onPlay: (m) => window.said.push(m) }";
    show_panel(&mut page, "explorer.js", "Explorer", props);
    page.wait("document.querySelectorAll('.explorer tbody tr').length === 1");
    assert_eq!(page.text(".explorer tbody td.number"), "1");
    page.click(".explorer .move");
    assert_eq!(page.eval("window.said.join()"), "b1-b3");
    assert_eq!(page.eval("document.querySelector('.shares').getAttribute('aria-label')"), "0 won, 0 drawn, 1 lost");
    page.click(".explorer .sources input");
    page.wait("document.querySelector('.explorer table') === null");
    // A second click confirms the deletion of a game.
    show_panel(&mut page, "archive.js", "Finished", "{}");
    page.wait("document.querySelector('.archive li button') !== null");
    page.click(".archive li button");
    page.press_button("Delete for good");
    page.wait("document.body.textContent.includes('Your finished games will be listed here.')");
    page.assert_clean();
}

#[test]
fn a_clock_runs_out_without_a_move() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    let game = json!({
        "game": {"game": "loa", "size": 6, "start": null, "moves": ["b1-b3"], "limit": null},
        "seats": [{"kind": "person"}, {"kind": "person"}],
        "clock": {"kind": "game", "ms": 60_000, "increment": 0},
        "left": [60_000, 2_500],
    });
    // Recording starts before the page loads, because loading may take longer than the clock runs.
    let recorder = "window.seen = []; new MutationObserver(() => { \
         const clocks = ['Black', 'White'].map((side) => document.querySelector(`.strip[aria-label=${side}] .clock`)); \
         if (clocks.every(Boolean)) window.seen.push(clocks.map((clock) => clock.textContent).join()); \
         }).observe(document, { subtree: true, childList: true, characterData: true });";
    page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": recorder })).expect("a script");
    start_stored_game(&mut page, &game);
    page.wait("document.querySelector('.status.over') !== null");
    assert!(page.text(".status").contains("Black wins: White’s time ran out."), "{}", page.text(".status"));
    let seen = page.eval("window.seen");
    let texts: Vec<&str> = seen.as_array().into_iter().flatten().filter_map(|text| text.as_str()).collect();
    // Black's clock stands still, and White's counts down to zero.
    let left: Vec<f64> = texts
        .iter()
        .map(|text| text.strip_prefix("1:00,0:0").or(text.strip_prefix("1:00,")).expect("a minute for Black"))
        .map(|left| left.parse().expect("seconds"))
        .collect();
    assert!(left.is_sorted_by(|earlier, later| earlier >= later), "{texts:?}");
    assert_eq!(texts.last(), Some(&"1:00,0.0"));
    page.assert_clean();
}

#[test]
fn a_restored_game_on_clocks_waits_for_the_user() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    let game = json!({
        "game": {"game": "loa", "size": 6, "start": null, "moves": ["b1-b3", "a2-c2"], "limit": null},
        "seats": [{"kind": "person"}, {"kind": "engine", "level": "1", "nodes": 50}],
        "clock": {"kind": "game", "ms": 60_000, "increment": 0},
        "left": [50_000, 40_000],
    });
    start_stored_game(&mut page, &game);
    page.wait("document.querySelector('.status p').textContent === 'Paused'");
    assert_eq!(page.eval("document.querySelector('.clock.runs')"), serde_json::Value::Null);
    page.press_button("Continue");
    page.wait("document.querySelector('.strip[aria-label=Black] .clock.runs') !== null");
    page.assert_clean();
}

/// Stops the server, acts on the page, and starts the server again at the same address.
fn restart(site: Site, meanwhile: impl FnOnce()) -> Site {
    let (port, folder) = (site.port().to_owned(), Arc::clone(&site.folder));
    drop(site);
    meanwhile();
    Site::in_folder(folder, &["--port", &port])
}

/// Condition that the page has noticed the loss of the server.
const AWAY: &str = "document.querySelector('.lost').textContent !== ''";
/// Condition that the engine has evaluated the position on the board.
const EVALUATED: &str = "/depth \\d/.test(document.querySelector('.depth')?.textContent)";

#[test]
fn an_analysis_continues_after_a_restart() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "analyse?game=loa&size=6&moves=b1-b3", 1280, 900);
    page.wait(EVALUATED);
    let site = restart(site, || {
        page.wait(AWAY);
        page.click(".square.movable");
        page.click(".square.target");
        page.wait_for_moves(2);
    });
    // The board shows the position of the tree, and the engine evaluates it.
    page.wait("document.querySelector('.square.movable') !== null");
    page.wait(EVALUATED);
    // After a visit to another view, the saved tree and its last position are shown even without the server.
    page.visit("");
    let _site = restart(site, || {
        page.visit("analyse");
        page.wait_for_moves(2);
        assert_eq!(page.eval("document.querySelectorAll('.squares .square').length"), 36);
    });
    page.wait("document.querySelector('.square.movable') !== null");
    page.wait(EVALUATED);
}

#[test]
fn lessons_puzzles_and_reviews_continue_after_a_restart() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "learn/loa", 1280, 900);
    page.wait("document.body.textContent.includes('1. One group')");
    let site = restart(site, || {
        page.wait(AWAY);
        page.press_button("Next lesson");
        page.wait("document.body.textContent.includes('2. How far a piece goes')");
    });
    page.wait("document.querySelector('.squares.live') !== null && document.querySelector('.error') === null");
    let (number, puzzle) = find_puzzle(GameId::LOA, is_win(3));
    page.open_puzzle(GameId::LOA, number);
    let first = path(GameId::LOA, Some(&puzzle.start), &[], &puzzle.solution[0]);
    let site = restart(site, || {
        page.wait(AWAY);
        page.play_move(&first);
    });
    page.wait_for_verdict(&puzzle.solution[1]);
    page.go("review?game=loa&size=6&moves=b1-b3,a2-c2,d1-d3,f2-d2", 1280, 900);
    let _site = restart(site, || page.wait(AWAY));
    page.wait("document.querySelector('main.review') !== null");
}

/// Actions on the list of finished games wait for each other, and an error disappears with the next success.
#[test]
fn the_list_of_finished_games_is_never_outdated() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    let desk = "{ desk: (() => { \
        const game = (id) => ({ id, date: '2026-01-01T00:00:00Z', game: 'loa', size: 8, start: null, moves: [id], limit: null, \
          clock: null, seats: [{ kind: 'person' }, { kind: 'engine', level: '1' }], winner: 0, reason: 'board' }); \
        return { archive: ({ skip }) => skip ? new Promise((go) => (window.release = () => go({ games: [game('c')], count: 3 }))) \
            : Promise.resolve({ games: [game('a'), game('b')], count: 3 }), \
          forget: () => Promise.resolve(), look: () => new Promise(() => 0), close() {} }; })() }";
    show_panel(&mut page, "archive.js", "Finished", desk);
    page.wait("document.querySelectorAll('.archive li').length === 2");
    page.press_button("Show more (1)");
    page.wait("window.release !== undefined");
    page.click(".archive li button");
    page.press_button("Delete for good");
    page.eval("window.release()");
    page.wait("document.querySelectorAll('.archive li').length === 2 && !document.querySelector('.archive > button')");
    page.assert_clean();
}

const YOU_ARE_WHITE: &str =
    "document.querySelector('.strip[aria-label=White] select').selectedOptions[0].textContent === 'You'";

#[test]
fn two_browsers_share_a_board_and_a_third_one_watches() {
    let site = Site::with(&["--lan", "--address", "127.0.0.3"]);
    let mut home = Page::open(&site.address, "table", 1280, 900);
    home.wait("document.querySelector('.table-link img')?.naturalWidth > 100");
    let link = home.eval("document.querySelector('.table-link input').value");
    let link = link.as_str().expect("a link").to_owned();
    assert!(link.starts_with("http://127.0.0.3:"), "{link}");
    let follow_link = || {
        let mut browser = devtools::Browser::start().expect("a browser");
        browser.open(&link, 390, 844).expect("the page");
        let mut page = Page::new(browser, link.split('?').next().unwrap_or_default());
        page.wait("document.querySelectorAll('.table-seats').length === 1");
        assert_eq!(page.eval("location.href"), format!("{}#/table", page.address), "the token is not in the address");
        page
    };
    let mut guest = follow_link();
    let mut third = follow_link();
    home.wait("document.querySelector('.table-seats').textContent.includes('1 spectator')");
    guest.wait(YOU_ARE_WHITE);
    assert!(third.text(".table-seats").contains("You are watching."));
    guest.wait("document.querySelector('.square.movable') === null");
    home.click_square(7, 1);
    home.click_square(5, 1);
    guest.wait_for_moves(1);
    guest.wait("document.querySelector('.square.movable') !== null");
    third.wait_for_moves(1);
    assert_eq!(third.eval("document.querySelectorAll('.square.movable').length"), 0);
    assert_eq!(home.eval("document.querySelectorAll('.square.movable').length"), 0);
    guest.click(".square.movable");
    guest.click(".square.target");
    home.wait_for_moves(2);
    // A spectator sees the board, but has no enabled controls.
    let enabled = "[...document.querySelectorAll('.actions button, .strip select')].filter((e) => !e.disabled) \
         .map((e) => e.textContent.trim()).filter((label) => /Undo|Redo|Hint|Resign|New game|Black|White/.test(label)).join()";
    assert_eq!(third.eval(enabled), "");
    // The guest enters a name, and both players agree to a draw.
    guest.eval(
        "(() => { const input = document.querySelector('.table-seats input'); input.value = 'Ann'; \
         input.dispatchEvent(new Event('change', { bubbles: true })); })()",
    );
    home.wait("document.querySelector('.strip[aria-label=White] select').selectedOptions[0].textContent === 'Ann'");
    guest.press_button("Offer draw");
    home.press_button("Accept draw");
    third.wait("document.querySelector('.status.over')?.textContent.includes('agreed to a draw')");
    // The guest leaves, and the spectator takes over.
    guest.press_button("Leave the board");
    third.wait(
        "[...document.querySelectorAll('.table-seats button')].some((b) => b.textContent.includes('Play White'))",
    );
    third.press_button("Play White");
    third.wait(YOU_ARE_WHITE);
    for page in [&mut home, &mut third] {
        page.assert_clean();
    }
}

#[test]
fn axe_finds_no_violation_in_the_panels_and_at_the_shared_board() {
    let site = Site::with(&["--lan", "--address", "127.0.0.5"]);
    let mut page = Page::open(&site.address, "play", 1280, 900);
    resign_a_game(&mut page);
    let mut found = String::new();
    // Themes differ only in colours, so only one theme is checked with all rules.
    let mut check_themes = |page: &mut Page| {
        for theme in ["light", "dark", "contrast"] {
            page.eval(&format!("document.documentElement.dataset.theme = '{theme}'"));
            found += &if theme == "light" { page.violations("document") } else { page.colour_violations("document") };
        }
    };
    page.go("table", 390, 844);
    page.wait("document.querySelector('.table-link img') !== null");
    page.eval("document.querySelector('.table-link').open = true");
    check_themes(&mut page);
    let game = "{ game: { game: 'loa', size: 6, start: null, moves: [] }, side: 'Black', onPlay: () => 0 }";
    for (file, name, props, content) in
        [("archive.js", "Finished", "{}", ".archive li"), ("explorer.js", "Explorer", game, ".explorer tbody tr")]
    {
        show_panel(&mut page, file, name, props);
        page.wait(&format!("document.querySelector('{content}') !== null"));
        check_themes(&mut page);
    }
    page.go("play", 1280, 900);
    let clock = "{ clock: { clock: { kind: 'move', ms: 9000 }, left: [9000, 5000], running: 1, at: performance.now() }, side: 1, name: 'White', own: false }";
    page.eval(&format!(
        "(async (find) => {{ const {{ html, render }} = await find('vendor/preact-htm.js'); \
         const {{ Clock }} = await find('js/panels/clock.js'); \
         const place = document.querySelector('main').appendChild(document.createElement('div')); \
         render(html`<${{Clock}} ...${{{clock}}} />`, place); return true; }})({FIND})"
    ));
    page.wait("document.querySelector('.clock.runs.low') !== null");
    check_themes(&mut page);
    assert_eq!(found, "");
    page.assert_clean();
}

/// Starts the program at its default port, and returns it with its standard output.
fn start(folder: &std::path::Path) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyhouse"))
        .args(["page", "--no-open"])
        .env("PLYHOUSE_ARCHIVE", folder.join("games.jsonl"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let out = BufReader::new(child.stdout.take().expect("a pipe"));
    (child, out)
}

fn line(out: &mut impl BufRead) -> String {
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    line
}

#[test]
fn a_second_start_reports_the_first_and_a_port_in_use_is_avoided() {
    let folder = tempfile::tempdir().expect("a folder");
    // If another program has the default port on this machine, this part is skipped.
    let (mut first, mut out) = start(folder.path());
    let said = line(&mut out);
    if said.contains(":6174/") {
        let (mut second, mut out) = start(folder.path());
        let said = line(&mut out);
        assert!(said.starts_with("Plyhouse is already running at http://127.0.0.1:6174/"), "{said}");
        assert!(second.wait().expect("it ends").success());
        // A server with another archive counts as another server.
        let other = tempfile::tempdir().expect("a folder");
        let (mut third, mut out) = start(other.path());
        let said = line(&mut out);
        assert!(said.starts_with("Port 6174 is in use by another Plyhouse, version "), "{said}");
        assert!(!address_in(&line(&mut out)).contains(":6174"));
        third.kill().expect("killed");
        third.wait().expect("it ends");
    }
    first.kill().expect("killed");
    first.wait().expect("it ends");
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 6174));
    let (mut next, mut out) = start(folder.path());
    let said = line(&mut out);
    // If the port was freed or taken in the meantime, the message is not checked.
    assert!(said.starts_with("Port 6174 is in use by ") || taken.is_err(), "{said}");
    next.kill().expect("killed");
    next.wait().expect("it ends");
}
