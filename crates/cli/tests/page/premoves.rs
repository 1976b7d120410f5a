//! Moves that are chosen before the user's turn, in a real browser.

use crate::page::motion::{centre, mouse, start_game, steps_between};
use crate::page::site::{Page, Site};
use serde_json::json;

/// Script that delays the moves of an engine on the second side, from `hold = true` until `release()`. A state that
/// repeats the last delivered ply is not delayed, so that a late repetition cannot hold back the user's own move.
/// `room` is the last state of the room. `skipped` is true if the first state after the user's move already contained
/// the reply.
const HOLD: &str = "window.hold = false; window.held = []; window.shown = 0; window.release = () => {
    window.hold = false;
    for (const deliver of window.held.splice(0)) deliver();
};
const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
Object.defineProperty(WebSocket.prototype, 'onmessage', { set(receive) {
    set.call(this, (event) => {
        const message = JSON.parse(event.data);
        if (message.seats) window.room = message;
        const isReply = message.scene?.turn === 0 && message.scene.ply > window.shown;
        if (isReply) window.skipped = message.scene.ply > window.shown + 1;
        if (window.hold && (window.held.length > 0 || isReply)) return window.held.push(() => receive(event));
        if (message.seats) window.shown = message.scene.ply;
        receive(event);
    });
} });";

/// Condition that a premove is set.
const CHOSEN: &str = "document.querySelectorAll('.square.wish').length === 2";

/// Chooses a premove by two clicks.
fn choose(page: &mut Page, from: (usize, usize), to: (usize, usize)) {
    page.click_square(from.0, from.1);
    page.click_square(to.0, to.1);
    page.wait(CHOSEN);
}

/// Opens a view in which the engine's moves can be delayed.
fn open(site: &Site, view: &str, width: u32, height: u32) -> Page {
    let mut page = Page::new(devtools::Browser::start().expect("a browser"), &site.address);
    page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": HOLD})).expect("a script");
    page.go(view, width, height);
    page
}

/// Makes a move and delays the engine's reply. The server sends only the latest state: if that already has the reply,
/// the move is taken back and made again.
fn play(page: &mut Page, from: (usize, usize), to: (usize, usize)) {
    page.wait("document.querySelector('.square.movable') !== null");
    let before = page.moves();
    page.click_square(from.0, from.1);
    page.wait("document.querySelector('.square.target') !== null");
    page.eval("window.skipped = false; window.hold = true");
    page.click_square(to.0, to.1);
    let made = format!("document.querySelectorAll('.moves .move:not(.gone)').length === {}", before + 1);
    page.wait(&format!("window.skipped || {made}"));
    if page.eval("window.skipped") == true {
        page.eval("release()");
        page.wait_for_moves(before + 2);
        page.press_button("Undo");
        page.wait_for_moves(before);
        play(page, from, to);
    }
}

/// Opens a game of Breakthrough against an engine whose reply is delayed, with the premove h2-h3.
pub(super) fn open_with_premove(site: &Site) -> Page {
    let mut page = open(site, "play", 1280, 900);
    start_game(&mut page, "Breakthrough", 8, [("White", "person"), ("Black", "1")]);
    play(&mut page, (6, 0), (5, 0));
    choose(&mut page, (6, 7), (5, 7));
    page
}

#[test]
fn a_premove_is_played_dropped_or_cancelled() {
    let site = Site::start();
    let mut page = open_with_premove(&site);
    page.eval("release()");
    page.wait_for_moves(4);
    assert!(page.text(".moves").contains("h2-h3"), "{}", page.text(".moves"));
    // An illegal premove is dropped, and the board marks its squares.
    play(&mut page, (5, 7), (4, 7));
    choose(&mut page, (6, 6), (2, 6));
    page.wait("(release(), document.querySelectorAll('.frame.dropped').length === 2)");
    page.wait("document.querySelector('.square.movable') !== null && document.querySelector('.frame') === null");
    assert_eq!(page.moves(), 6);
    // A premove can be dragged and cancelled.
    play(&mut page, (5, 0), (4, 0));
    let (from, to) = (centre(&mut page, "6,6"), centre(&mut page, "5,6"));
    mouse(&mut page, "mousePressed", from);
    steps_between(from, to).for_each(|point| mouse(&mut page, "mouseMoved", point));
    mouse(&mut page, "mouseReleased", to);
    page.wait(CHOSEN);
    page.key("Escape");
    page.wait("document.querySelector('.square.wish') === null");
    page.eval("release()");
    page.wait("document.querySelector('.square.movable') !== null");
    assert_eq!(page.moves(), 8);
    // An undo removes a premove.
    page.choose("Black", "10");
    // The page adds the thinking time to the level that the server has confirmed.
    page.wait("window.room.seats[1].level === '10'");
    page.choose("Thinking time (Black)", "20");
    page.wait("window.room.seats[1].seconds === 20");
    page.click_square(4, 0);
    page.wait("document.querySelector('.square.target') !== null");
    page.click(".square.target");
    page.wait_for_moves(9);
    choose(&mut page, (6, 6), (5, 6));
    page.press_button("Undo");
    page.wait_for_moves(8);
    page.wait("document.querySelector('.square.movable') !== null && document.querySelector('.square.wish') === null");
    page.click_square(6, 1);
    page.wait("document.querySelector('.square.target') !== null");
    page.click_square(5, 1);
    page.wait_for_moves(9);
    assert!(page.text(".moves").contains("b2-b3"), "{}", page.text(".moves"));
    page.assert_clean();
}

/// Black's only legal move captures the piece of the premove.
#[test]
fn a_premove_of_a_captured_piece_is_dropped() {
    let site = Site::start();
    let mut page = open(&site, "play?game=breakthrough&start=-----/-----/b----/ww---/----w%20w", 390, 844);
    play(&mut page, (4, 4), (3, 4));
    choose(&mut page, (3, 1), (2, 1));
    // The page is scrolled before the reply arrives.
    page.eval("scrollTo(0, 1000)");
    page.wait("(release(), document.querySelectorAll('.frame.dropped').length === 2)");
    page.wait("document.querySelector('.square.movable') !== null && document.querySelector('.frame') === null");
    assert_eq!(page.moves(), 2);
    assert!(page.text(".moves").contains("a3xb2"), "{}", page.text(".moves"));
    assert_eq!(page.eval("document.querySelector('.square.wish')"), serde_json::Value::Null);
    page.assert_clean();
}
