//! A game that is registered at run time, on the page in a real browser: the example `new_game`.

use crate::new_game::example;
use crate::page::site::{Page, Site};

#[test]
fn a_game_in_one_file_is_played_and_analysed() {
    let site = Site::of(&example());
    let mut page = Page::open(&site.address, "home", 1280, 900);
    assert_eq!(page.text(".radio:has(input:checked) strong"), "Konane", "the page begins with the new game");
    assert_eq!(page.eval("document.querySelector('a[href=\"#/learn/konane\"]')"), serde_json::Value::Null);
    page.go("play", 1280, 900);
    page.new_game("Konane", 6, [("Black", "person"), ("White", "gentle1")]);
    // Black removes the stone in the corner, and White a stone beside it.
    page.click_square(0, 0);
    page.wait_for_moves(2);
    assert_eq!(page.eval("document.querySelectorAll('.pieces .piece:not(.gone)').length"), 34);
    for plies in [4, 6] {
        let jump = "document.querySelector('.square.movable').dataset.wanted = ''";
        page.wait("document.querySelector('.square.movable') !== null");
        page.eval(jump);
        page.click("[data-wanted]");
        page.wait("document.querySelector('.square.target') !== null");
        page.click(".square.target");
        page.wait_for_moves(plies);
        page.eval("document.querySelectorAll('[data-wanted]').forEach((square) => delete square.dataset.wanted)");
    }
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait("document.querySelector('.status').textContent.includes(' resigns: ')");
    // The archive has the game.
    page.go("home", 1280, 900);
    page.wait("document.querySelector('main').textContent.includes('Konane 6')");
    page.go("analyse?game=konane&size=4", 1280, 900);
    page.wait("document.querySelector('.lines li') !== null");
    assert_eq!(
        page.eval("[...document.querySelectorAll('button')].some((b) => b.textContent.trim() === 'Edit position')"),
        false
    );
    page.go("watch", 1280, 900);
    assert_eq!(page.text("h1"), "Konane");
    for view in ["puzzles?game=konane", "learn/konane"] {
        page.go(view, 1280, 900);
        assert_ne!(page.text("h1"), "Konane", "{view} shows a game that has some");
    }
    page.assert_clean();
}
