//! Cascades step by step, the ends of games, the start of a puzzle, watching, and the editor, in a real browser.

use crate::page::motion::{centre, mouse, start_game, steps_between};
use crate::page::site::{Page, Site, find_puzzle, is_win, path};
use devtools::Browser;
use games::GameId;
use serde_json::{Value, json};

/// A position of Jump61 in which Red's move in the corner wins in a cascade of four waves.
const FULL: &str = "2r3r2r%2F3r4r3r%2F2r3r1b";
/// Condition that a cascade is running.
const RUNNING: &str = "document.querySelector('.cascade.running') !== null";
/// Expression for the text beside a paused cascade.
const WAVE: &str = "document.querySelector('.cascade [role=status]').textContent";

/// Script that counts the page's timers of two seconds and suppresses them.
const NO_FALLBACK: &str = "(() => { window.fallbacks = 0; const timer = window.setTimeout; \
    window.setTimeout = (act, ms = 0, ...rest) => { \
        if (ms < 2000 || ms >= 3000) return timer(act, ms, ...rest); \
        window.fallbacks += 1; return 0; }; })()";

#[test]
fn a_new_puzzle_can_be_played_as_soon_as_it_is_shown() {
    let site = Site::start();
    let mut page = Page::new(Browser::start().expect("a browser"), &site.address);
    page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": NO_FALLBACK})).expect("a script");
    for game in [GameId::LOA, GameId::JUMP61] {
        let (number, _) = find_puzzle(game, is_win(3));
        page.open_puzzle(game, number);
        page.wait("document.querySelector('.square.movable') !== null");
        // In the frame that first shows the next task, pieces can move.
        page.eval(&format!(
            "(() => {{ const next = 'Puzzle {} of'; const look = () => {{ \
             if (!document.querySelector('.task').textContent.includes(next)) return requestAnimationFrame(look); \
             return requestAnimationFrame(() => {{ window.playable = document.querySelectorAll('.square.movable').length; }}); }}; \
             window.playable = null; look(); }})()",
            number + 2
        ));
        page.press_button("Next puzzle");
        page.wait("window.playable !== null");
        assert!(page.eval("window.playable").as_u64() > Some(0), "{game}");
    }
    let (number, puzzle) = find_puzzle(GameId::LOA, is_win(3));
    page.open_puzzle(GameId::LOA, number);
    page.play_move(&path(GameId::LOA, Some(&puzzle.start), &[], &puzzle.solution[0]));
    page.wait_for_verdict(&puzzle.solution[1]);
    page.assert_clean();
}

/// Opens a game of Jump61 that is about to be won by a cascade, with persons on both sides.
fn open_full(page: &mut Page, width: u32, height: u32) {
    page.go(&format!("play?game=jump61&start={FULL}"), width, height);
    page.choose("Blue", "person");
    page.wait("document.querySelectorAll('.square.movable').length > 0");
}

/// Waits until the cascade is paused at a wave.
fn wait_for_wave(page: &mut Page, wave: u32) {
    page.wait(&format!("{WAVE} === 'Wave {wave} of 4' && document.querySelector('.flying') === null"));
}

#[test]
fn a_cascade_is_paused_stepped_and_replayed() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    open_full(&mut page, 1280, 900);
    page.choose("Cascades", "-250");
    page.click_square(0, 0);
    wait_for_wave(&mut page, 0);
    page.key(" ");
    wait_for_wave(&mut page, 1);
    page.press_button("Next wave");
    wait_for_wave(&mut page, 2);
    assert_eq!(page.moves(), 0, "the move is described after the cascade");
    // Escape closes a dialog, and the cascade stays paused.
    page.open_new_game();
    page.key("Escape");
    page.wait("document.querySelector('dialog[open]') === null");
    assert_eq!(page.eval(RUNNING), true);
    wait_for_wave(&mut page, 2);
    page.press_button("Play the cascade");
    page.wait("document.querySelector('.status.over') !== null");
    page.press_button("Replay the cascade");
    wait_for_wave(&mut page, 0);
    page.key("Escape");
    page.wait(&format!("!({RUNNING})"));
    page.assert_clean();
}

#[test]
fn the_space_bar_pauses_a_running_cascade_and_touch_steps_it() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 390, 844);
    open_full(&mut page, 390, 844);
    page.choose("Cascades", "600");
    page.click_square(0, 0);
    page.wait(RUNNING);
    page.key(" ");
    page.wait(&format!("/^Wave [0-3]/.test({WAVE}) && document.querySelector('.flying') === null"));
    let before = page.text(".cascade [role=status]");
    // The release of the space bar does not click the focused square.
    assert_eq!(page.eval(RUNNING), true);
    page.browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true})).expect("a touch screen");
    page.click_square(1, 1);
    page.wait(&format!("!({RUNNING}) || {WAVE} !== {before:?}"));
    let small =
        "[...document.querySelectorAll('.cascade button')].filter((b) => b.getBoundingClientRect().height < 44)";
    page.wait(&format!("{small}.length === 0"));
    page.assert_clean();
}

#[test]
fn an_analysis_replays_a_cascade_and_keeps_its_own_keys() {
    let site = Site::start();
    let link = format!("analyse?game=jump61&start={FULL}&moves=1+1");
    let mut page = Page::open_without_engine(&site.address, &link, 1280, 900);
    page.choose("Cascades", "-250");
    page.press_button("Replay the cascade");
    wait_for_wave(&mut page, 0);
    page.key(" ");
    wait_for_wave(&mut page, 1);
    page.key("Escape");
    page.wait(&format!("!({RUNNING})"));
    // Stepping back and forward plays the cascade, too.
    page.key("ArrowLeft");
    page.wait("document.querySelector('.cascade') === null");
    page.key("ArrowRight");
    wait_for_wave(&mut page, 0);
    page.key("ArrowLeft");
    page.wait("document.querySelector('.cascade') === null");
    page.assert_clean();
}

/// Script that records the pitches of all tones, in hertz.
const PITCHES: &str = "window.pitches = []; const tone = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (value, at) {
        if (value > 60) window.pitches.push(Math.round(value));
        return tone.call(this, value, at);
    };";

/// Opens a game that a link contains.
fn open_game(page: &mut Page, game: &Value) {
    page.eval(&format!("window.link = encodeURIComponent(JSON.stringify({game}))"));
    let link = page.eval("window.link").as_str().expect("a link").to_owned();
    page.eval("localStorage.removeItem('plyhouse.game.play'); localStorage.removeItem('plyhouse.room.play')");
    page.go(&format!("play?new={link}"), 1280, 900);
    page.wait("document.querySelector('.square.movable') !== null");
}

/// A position of Lines of Action in which Black wins with `f3-f4`.
const NEARLY_CONNECTED: &str = "--------/--------/---b----/----b---/--------/-----b--/--------/w------w b";

#[test]
fn wins_losses_and_draws_differ_in_picture_and_sound() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": PITCHES})).expect("a script");
    let seats = json!([{"kind": "person"}, {"kind": "engine", "level": "1"}]);
    let sounds = |page: &mut Page, pitch: u32| page.wait(&format!("window.pitches.includes({pitch})"));
    open_game(&mut page, &json!({"game": {"game": "loa", "start": NEARLY_CONNECTED}, "seats": seats}));
    page.click_square(5, 5);
    page.click_square(4, 5);
    page.wait("document.querySelector('.status.over.win .outcome > .icon') !== null");
    page.wait("document.querySelectorAll('.ending line').length === 2");
    sounds(&mut page, 680);
    open_game(&mut page, &json!({"game": {"game": "loa"}, "seats": seats}));
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait("document.querySelector('.status.over.loss .outcome > .icon') !== null");
    page.wait("document.querySelector('.ending rect, .ending line') === null");
    sounds(&mut page, 214);
    open_game(&mut page, &json!({"game": {"game": "loa", "limit": 1}, "seats": seats}));
    page.click_square(7, 1);
    page.click_square(5, 1);
    page.wait("document.querySelector('.status.over.draw .outcome > .icon') !== null");
    sounds(&mut page, 382);
    page.assert_clean();
}

#[test]
fn every_game_marks_the_decisive_squares() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    let persons = json!([{"kind": "person"}, {"kind": "person"}]);
    for (game, start, squares, marks) in [
        ("breakthrough", "------/w-----/------/------/-----b/------ w", vec!["1,0", "0,1"], 6),
        (
            "checkers",
            "......../......../...w..../..b...../......../......../......../........ b",
            vec!["3,2", "1,4"],
            1,
        ),
        ("jump61", "2r3r2r/3r4r3r/2r3r1b", vec!["0,0"], 9),
    ] {
        open_game(&mut page, &json!({"game": {"game": game, "start": start}, "seats": persons}));
        for place in squares {
            page.click(&format!("[data-place='{place}']"));
        }
        page.wait(&format!("document.querySelectorAll('.ending .won').length === {marks}"));
        page.wait("document.querySelector('.status.over.over') !== null");
    }
    page.assert_clean();
}

#[test]
fn a_low_clock_sounds_once_for_its_owner() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": PITCHES})).expect("a script");
    open_game(
        &mut page,
        &json!({
            "game": {"game": "loa", "moves": ["b1-b3", "a2-c2"]}, "seats": [{"kind": "person"}, {"kind": "person"}],
            "clock": {"kind": "game", "ms": 60_000, "increment": 0}, "left": [60_000, 6_200],
        }),
    );
    page.click(".square.movable");
    page.wait("document.querySelector('.square.target') !== null");
    page.click(".square.target");
    page.wait_for_moves(3);
    page.wait("window.pitches.includes(1360)");
    // The next second passes without another warning: two ticks, each of one tone.
    page.wait("/^[0-4]\\./.test(document.querySelector('.clock.runs time').textContent)");
    assert_eq!(page.eval("window.pitches.filter((pitch) => pitch === 1360).length"), 2);
    page.assert_clean();
}

#[test]
fn the_watch_view_starts_automatically_and_offers_every_game() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "watch", 1280, 900);
    page.wait("document.querySelectorAll('.moves .move').length > 0");
    page.wait(&format!("document.querySelectorAll('.board-card').length === {}", GameId::BUILT_IN.len()));
    assert_eq!(page.eval("document.querySelectorAll('.board-card[aria-pressed=true]').length"), 1);
    page.wait("document.querySelectorAll('.board-card .picture .die').length > 0");
    page.click(".board-card:has(.dice)");
    page.wait("document.querySelector('h1').textContent === 'Jump61'");
    page.wait("document.querySelectorAll('.moves .move').length > 1");
    drop(site);
    page.wait("document.querySelectorAll('.board-card:not(:disabled)').length === 0");
}

#[test]
fn the_editor_moves_pieces_by_dragging_and_erases_them() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa", 1280, 900);
    page.press_button("Set up position");
    page.wait("document.querySelector('.brushes') !== null");
    let drag = |page: &mut Page, from: (f64, f64), to: (f64, f64)| {
        mouse(page, "mousePressed", from);
        steps_between(from, to).for_each(|point| mouse(page, "mouseMoved", point));
        mouse(page, "mouseReleased", to);
    };
    let count = "document.querySelectorAll('.piece:not(.gone)').length";
    let (from, to) = (centre(&mut page, "0,1"), centre(&mut page, "3,3"));
    drag(&mut page, from, to);
    page.wait(&format!("document.querySelector('.piece[data-at=\"3,3\"]') !== null && {count} === 24"));
    page.wait("document.querySelector('.piece[data-at=\"0,1\"]') === null");
    // Dragging a piece off the board removes it.
    drag(&mut page, to, (to.0 + 900.0, to.1));
    page.wait(&format!("{count} === 23"));
    // A click paints a piece with the brush, and the right button and Delete erase.
    page.click_square(3, 3);
    page.wait(&format!("document.querySelector('.piece[data-at=\"3,3\"] .side0') !== null && {count} === 24"));
    for (kind, buttons) in [("mousePressed", 2), ("mouseReleased", 0)] {
        let event = json!({"type": kind, "x": to.0, "y": to.1, "button": "right", "buttons": buttons, "clickCount": 1});
        page.browser.call("Input.dispatchMouseEvent", &event).expect("a mouse");
    }
    page.wait(&format!("{count} === 23"));
    page.click_square(7, 1);
    page.key("Delete");
    page.wait(&format!("{count} === 22"));
    page.assert_clean();
}

#[test]
fn a_premove_waits_for_a_paused_cascade() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    start_game(&mut page, "Jump61", 3, PERSONS_OF_JUMP61);
    page.choose("Cascades", "-250");
    for (moves, place) in [(1, (0, 0)), (2, (2, 2))] {
        page.click_square(place.0, place.1);
        page.wait_for_moves(moves);
        page.wait("document.querySelector('.square.movable') !== null");
    }
    page.click_square(0, 0);
    page.wait(RUNNING);
    assert_eq!(page.eval("document.querySelectorAll('.square.movable').length"), 0, "no moves during a cascade");
    page.key("Escape");
    page.wait_for_moves(3);
    page.wait("document.querySelector('.square.movable') !== null");
    page.assert_clean();
}

/// Seats of a game of Jump61 between two persons.
const PERSONS_OF_JUMP61: [(&str, &str); 2] = [("Red", "person"), ("Blue", "person")];
