//! The ladder in a real browser: from the first visit to the second opponent, after a restart, and from a file.

use std::sync::Arc;

use crate::page::site::{Page, Site};
use crate::tournaments::wait;
use devtools::Browser;
use engine::{PlayerOptions, Resources};
use games::{Asked, GameId, Setting};
use search::Stop;
use serde_json::json;

const GAME: GameId = GameId::BREAKTHROUGH;
/// Expression: the game is over.
const OVER: &str = "document.querySelector('.status.over') !== null";

/// Returns our engine's move in the page's game.
fn best_move(page: &mut Page) -> String {
    let played = page.eval("JSON.parse(localStorage['plyhouse.game.play']).game.moves.join(' ')");
    let moves: Vec<&str> = played.as_str().unwrap_or_default().split_whitespace().collect();
    let setting = Setting::new(GAME, u32::MAX);
    let record = setting.record(None, &moves).expect("legal moves");
    let player = PlayerOptions { nodes: Some(3_000), ..PlayerOptions::default() };
    let asked = Asked { player: &player, resources: &Resources::default(), host: search::SYSTEM, seed: 1 };
    let thought = record.think(&asked, Stop::new(), &mut |_| ()).expect("a player").expect("a move");
    thought.lines[0].moves[0].clone()
}

/// Wins the page's game with the moves of our engine.
fn win(page: &mut Page) {
    for _ in 0..100 {
        page.wait(&format!("document.querySelector('.square.movable') !== null || {OVER}"));
        if page.eval(OVER) == true {
            assert!(page.text(".status.over strong").contains("You win"), "{}", page.text(".status.over"));
            return;
        }
        let count = page.moves() + 2;
        let text = best_move(page);
        page.type_move(&text);
        page.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length === {count} || {OVER}"));
    }
    panic!("the game does not end");
}

/// Adds the games of a file on the page of the ladder.
pub(super) fn import(page: &mut Page, text: &str) {
    let text = json!(text);
    page.eval(&format!(
        "(() => {{ const files = new DataTransfer(); files.items.add(new File([{text}], 'games.jsonl')); \
         const input = document.querySelector('.ladder-files input'); input.files = files.files; \
         input.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    ));
}

/// Waits until the first opponent is beaten and the second one is next.
pub(super) fn assert_at_second_rung(page: &mut Page) {
    page.wait("document.querySelector('.rung.next strong')?.textContent === 'Lamb'");
    assert_eq!(page.text(".rung.beaten strong"), "Chick");
    assert_eq!(page.eval("document.querySelectorAll('.rung').length"), 13);
    assert_eq!(page.eval("document.querySelectorAll('.rung .portrait').length"), 13);
    assert!(page.text(".rung.beaten").contains("2–0"), "{}", page.text(".rung.beaten"));
    assert!(page.text(".ladder-next").contains("Next: Lamb"), "{}", page.text(".ladder-next"));
}

#[test]
fn the_second_opponent_is_reached_and_kept() {
    let site = Site::start();
    let mut page = Page::first_visit(Browser::start().expect("a browser"), &site.address);
    page.shorten_pauses(2_000);
    page.go("home", 1280, 900);
    page.wait("document.querySelector('.rung-link')?.textContent.includes('Next: Chick')");
    page.go("ladder/breakthrough", 1280, 900);
    page.wait("document.querySelector('.rung.next strong')?.textContent === 'Chick'");
    page.press_button("Play against Chick");
    win(&mut page);
    page.wait("document.querySelector('.climb')?.textContent.includes('Next: Chick – you are 1–0')");
    // In the next game the user has the other side.
    page.press_button("Play against Chick");
    page.wait(&format!("document.querySelectorAll('.moves .move').length === 1 && !({OVER})"));
    win(&mut page);
    page.wait("document.querySelector('.climb')?.textContent.includes('Next: Lamb – not played yet')");
    page.click(".climb a");
    assert_at_second_rung(&mut page);
    page.wait("/\\d+ ± \\d+/.test(document.querySelector('.ladder-rating').textContent)");
    for (width, height) in [(1280, 900), (390, 844), (360, 640), (844, 390)] {
        page.resize(width, height);
        assert!(!page.is_too_wide(), "{width} × {height}");
        assert_eq!(page.violations("document"), "", "{width} × {height}");
    }
    page.assert_clean();
    let (port, folder) = (site.port().to_owned(), Arc::clone(&site.folder));
    let archive = folder.path().join("games.jsonl");
    wait(|| std::fs::read_to_string(&archive).is_ok_and(|text| text.lines().count() == 2 && text.ends_with('\n')));
    drop(site);
    let site = Site::in_folder(folder, &["--port", &port]);
    page.go("ladder/breakthrough", 1280, 900);
    assert_at_second_rung(&mut page);
    // The page may have tried to connect while the server was down.
    let errors = page.browser.complaints().expect("the browser");
    assert!(errors.iter().all(|error| error.contains("/socket' failed")), "{errors:?}");
    page.eval("URL.createObjectURL = (blob) => { window.saved = blob; return '#'; }");
    page.press_button("Save as a file");
    page.wait("window.saved !== undefined");
    let saved = page.eval("window.saved.text()");
    let saved = saved.as_str().expect("a text");
    assert_eq!(saved, std::fs::read_to_string(&archive).expect("the archive"));
    restore(saved);
    drop(site);
}

/// Restores exported games on another server.
fn restore(saved: &str) {
    let site = Site::start();
    let mut page = Page::open(&site.address, "ladder/breakthrough", 390, 844);
    page.wait("document.querySelector('.rung.next strong')?.textContent === 'Chick'");
    import(&mut page, saved);
    page.wait("document.querySelector('.ladder-files').textContent.includes('2 games added.')");
    assert_at_second_rung(&mut page);
    import(&mut page, &format!("{saved}nonsense\n"));
    page.wait("document.querySelector('.ladder-files').textContent.includes('0 games added. 2 were already here.')");
    let error = page.text(".ladder-files .error");
    assert!(error.contains("1 line was skipped. Line 3 is not a finished game"), "{error}");
    page.go("ladder/breakthrough", 390, 844);
    assert_at_second_rung(&mut page);
    page.assert_clean();
}
