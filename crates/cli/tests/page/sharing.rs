//! The dialog for sharing a game, in a real browser.

use crate::page::site::{PERSONS, Page, Site};
use games::{GameId, Setting};

/// Replaces the clipboard and the downloads of the page with `window.copied` and `window.saved`.
const CAUGHT: &str = "(() => { window.saved = []; const make = URL.createObjectURL; \
    URL.createObjectURL = (blob) => { window.blob = blob; return make.call(URL, blob); }; \
    HTMLAnchorElement.prototype.click = function () { window.saved.push({ name: this.download, blob: window.blob }); }; \
    Object.defineProperty(navigator, 'clipboard', { configurable: true, \
      value: { writeText: async (text) => { window.copied = text; } } }); return true; })()";

/// Expression for the number of frames of the saved animated picture, its size in bytes, its width in pixels, and the
/// duration of its last frame in seconds.
const FILM: &str = "(async () => { const { blob } = window.saved.at(-1); \
    const decoder = new ImageDecoder({ data: await blob.arrayBuffer(), type: 'image/gif' }); await decoder.tracks.ready; \
    const { frameCount } = decoder.tracks.selectedTrack; \
    const { image } = await decoder.decode({ frameIndex: frameCount - 1 }); \
    return [frameCount, blob.size, image.displayWidth, image.duration / 1e6]; })()";

fn copied(page: &mut Page, button: &str) -> String {
    page.eval("window.copied = null");
    page.press_button(button);
    page.wait("typeof window.copied === 'string'");
    page.eval("window.copied").as_str().unwrap_or_default().to_owned()
}

/// Presses a button that saves a file, and waits until a file with this name is saved.
fn save(page: &mut Page, button: &str, name: &str) {
    page.eval("window.saved.length = 0");
    page.press_button(button);
    page.wait(&format!("window.saved.at(-1)?.name === {name:?}"));
    page.wait(&format!("document.querySelector('.sharing [role=status]').textContent === 'Saved as {name}.'"));
}

fn open_dialog(page: &mut Page) {
    page.press_button("Share");
    page.wait("document.querySelector('dialog.sharing[open]') !== null");
}

#[test]
fn a_game_is_shared_in_each_form() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 8, PERSONS);
    for (number, place) in [(1, "7,1"), (0, "5,1"), (1, "6,0"), (2, "6,2")] {
        page.click(&format!("[data-place='{place}']"));
        if number != 1 {
            page.wait_for_moves(if number == 0 { 1 } else { 2 });
        }
    }
    page.eval(CAUGHT);
    open_dialog(&mut page);
    assert!(copied(&mut page, "Copy SGF").contains(";B[b1-b3];W[a2-c2]"));
    assert_eq!(copied(&mut page, "Copy moves"), "1. b1-b3 a2-c2");
    let position = copied(&mut page, "Copy position");
    assert!(position.ends_with(" b") && position.contains('/'), "{position}");
    save(&mut page, "Save SGF", "loa.sgf");
    assert!(page.eval("window.saved.at(-1).blob.text()").as_str().is_some_and(|text| text.starts_with("(;FF[4]")));
    save(&mut page, "Picture (PNG)", "loa.png");
    let size = "createImageBitmap(window.saved.at(-1).blob).then(({ width, height }) => `${width} ${height}`)";
    assert_eq!(page.eval(size), "1080 1080");
    save(&mut page, "Animated GIF", "loa.gif");
    let film = page.eval(FILM);
    assert_eq!((&film[0], &film[2], &film[3]), (&3.into(), &480.into(), &3.into()), "{film}");
    // No link is offered, because other devices cannot open an address of this machine.
    assert_eq!(page.eval("/127\\.0\\.0\\.1|link/i.test(document.querySelector('.sharing').textContent)"), false);
    assert_eq!(page.violations("document.querySelector('.sharing')"), "");
    // The open dialog shows new moves of the game.
    page.eval("document.querySelector('[data-place=\"7,3\"]').click()");
    page.eval("document.querySelector('[data-place=\"5,3\"]').click()");
    page.wait("document.querySelector('.sharing canvas').getAttribute('aria-label') === 'Position after 3 moves'");
    assert_eq!(copied(&mut page, "Copy moves"), "1. b1-b3 a2-c2 2. d1-d3");
    // If the browser refuses to copy, the dialog shows the text.
    page.eval("navigator.clipboard.writeText = () => Promise.reject(new Error())");
    page.press_button("Copy moves");
    page.wait("document.querySelector('.sharing textarea')?.value === '1. b1-b3 a2-c2 2. d1-d3'");
    page.wait("document.activeElement.matches('.sharing textarea')");
    page.key("Escape");
    page.wait("document.querySelector('.sharing') === null");
    // The dialog can share an earlier position of the game.
    page.key("Home");
    open_dialog(&mut page);
    page.wait("document.querySelector('.sharing canvas').getAttribute('aria-label') === 'Position after 0 moves'");
    page.assert_clean();
}

/// Returns the moves of a game of 100 plies.
fn long_game() -> Vec<String> {
    let setting = Setting::new(GameId::LOA, 200);
    for seed in 0_usize.. {
        let mut record = setting.record(None, &[]).expect("a game");
        let mut state = seed;
        while record.finish().is_none() && record.moves().len() < 100 {
            let legal = record.legal_moves();
            state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
            record.play(&legal[(state >> 8) % legal.len()]).expect("a legal move");
        }
        if record.moves().len() == 100 {
            return record.moves();
        }
    }
    unreachable!("some game is long")
}

#[test]
fn the_picture_of_a_long_game_is_small() {
    let site = Site::start();
    let moves = long_game();
    let view = format!("analyse?game=loa&moves={}", moves.join(","));
    let mut page = Page::open_without_engine(&site.address, &view, 1280, 900);
    page.press_button("Share");
    page.press_button("Pictures");
    page.wait("document.querySelector('dialog.sharing[open]') !== null");
    page.eval(CAUGHT);
    save(&mut page, "Animated GIF", "loa.gif");
    let film = page.eval(FILM);
    assert_eq!((&film[0], &film[2]), (&101.into(), &480.into()), "{film}");
    assert!(film[1].as_u64().is_some_and(|bytes| bytes < 2 << 20), "{film}");
    page.assert_clean();
}

#[test]
fn finished_games_are_filtered_opened_and_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = |id: &str, game: &str, moves: &str, winner: &str| {
        format!(
            r#"{{"id":"{id}","date":"2026-11-25T12:14:56Z","game":"{game}","moves":[{moves}],"seats":[{{"kind":"person"}},{{"kind":"engine","level":"gentle2"}}],"winner":{winner},"reason":"resigned"}}"#
        )
    };
    let games = [line("a", "loa", r#""b1-b3","a2-c2""#, "0"), line("b", "jump61", r#""1:1""#, "1")];
    std::fs::write(folder.path().join("games.jsonl"), games.join("\n") + "\n").expect("a file");
    let site = Site::in_folder(folder.into(), &[]);
    let mut page = Page::open(&site.address, "home", 1280, 900);
    let rows = |count: usize| format!("document.querySelectorAll('.archive li').length === {count}");
    page.wait(&rows(2));
    page.wait("document.querySelectorAll('.archive .picture g').length > 24");
    let set = |label: &str, value: &str| {
        format!(
            "(() => {{ const field = [...document.querySelectorAll('.finished .field')].find((f) => \
             f.querySelector('span').textContent === {label:?}); const select = field.querySelector('select'); \
             select.value = {value:?}; select.dispatchEvent(new Event('change', {{ bubbles: true }})); return true; }})()"
        )
    };
    page.eval(&set("Result", "won"));
    page.wait(&rows(1));
    assert!(page.text(".archive li").contains("Lines of Action"), "{}", page.text(".archive li"));
    page.eval(&set("Game", "jump61"));
    page.wait("document.querySelector('.finished').textContent.includes('No finished game matches')");
    page.press_button("Show all games");
    page.wait(&rows(2));
    page.eval(&set("Game", "loa"));
    page.wait(&rows(1));
    let review = page.eval("document.querySelector('.archive li > a.button').getAttribute('href')");
    assert_eq!(review, "#/review?game=loa&moves=b1-b3%2Ca2-c2&side=0");
    page.click(".archive li button");
    page.press_button("Delete for good");
    page.wait("document.querySelector('.finished').textContent.includes('No finished game matches')");
    page.assert_clean();
}

#[test]
fn a_view_that_cannot_be_fetched_is_fetched_again() {
    let site = Site::start();
    let mut page = Page::new(devtools::Browser::start().expect("a browser"), &site.address);
    page.shorten_pauses(3000);
    page.browser.call("Network.enable", &serde_json::json!({})).expect("the network");
    let block = |page: &mut Page, urls: &[&str]| {
        page.browser.call("Network.setBlockedURLs", &serde_json::json!({ "urls": urls })).expect("the network");
    };
    block(&mut page, &["*views/puzzles.js*"]);
    page.go("home", 1280, 900);
    page.click("nav a[href='#/puzzles']");
    page.wait("document.querySelector('main.wait [role=status]')?.textContent.startsWith('Connection lost')");
    assert_eq!(page.eval("document.activeElement.getAttribute('href')"), "#/puzzles");
    block(&mut page, &[]);
    page.wait("document.querySelector('.board .square') !== null");
}
