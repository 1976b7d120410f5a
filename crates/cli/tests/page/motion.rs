//! Animations between positions, dragging, touch, sound and the settings menu, in a real browser.

use crate::page::site::{FIND, PERSONS, Page, Site};
use serde_json::{Value, json};

/// Script that records the visible state in every frame and after every change of the document.
const RECORDER: &str = "(() => {
    window.seen = [];
    const count = (what) => document.querySelectorAll(what).length;
    const look = () => {
        const board = document.querySelector('.squares').getBoundingClientRect();
        const square = board.width / Math.sqrt(count('.square'));
        const moving = [...document.querySelectorAll('.piece[data-moving]')].map((piece) => {
            const r = piece.getBoundingClientRect();
            return { to: piece.dataset.at, x: (r.x - board.x) / square, y: (r.y - board.y) / square };
        });
        const now = {
            moves: count('.moves .move:not(.gone)'), moving, flying: count('.flying'), skip: count('.skip') > 0,
            over: count('.status.over') > 0, gone: count('.piece.gone'),
        };
        if (JSON.stringify(window.seen.at(-1)) !== JSON.stringify(now)) window.seen.push(now);
    };
    const frame = () => {
        look();
        window.looked = true;
        requestAnimationFrame(frame);
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
    frame();
})()";

/// Starts a game and waits until it is on the board.
pub(super) fn start_game(page: &mut Page, title: &str, size: usize, seats: [(&str, &str); 2]) {
    page.new_game(title, size, seats);
    page.wait(&format!("document.querySelector('h1').textContent === {title:?}"));
    page.wait("document.querySelector('.square.movable') !== null");
}

/// Returns the states recorded since the recorder was started, up to a frame that shows the page's current content.
fn recorded(page: &mut Page) -> Vec<Value> {
    page.eval("window.looked = false");
    page.wait("window.looked");
    page.eval("window.seen").as_array().expect("a list").clone()
}

/// Returns `true` if a recorded state contains an animation.
fn is_moving(state: &Value) -> bool {
    state["moving"].as_array().is_some_and(|moving| !moving.is_empty()) || state["skip"] == true
}

/// Scrolls a square into view and returns its centre.
pub(super) fn centre(page: &mut Page, place: &str) -> (f64, f64) {
    let found = page.eval(&format!(
        "(() => {{ const square = document.querySelector('[data-place=\"{place}\"]'); \
         square.scrollIntoView({{ block: 'nearest' }}); const r = square.getBoundingClientRect(); \
         return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
    ));
    (found[0].as_f64().expect("x"), found[1].as_f64().expect("y"))
}

pub(super) fn mouse(page: &mut Page, kind: &str, (x, y): (f64, f64)) {
    let buttons = i32::from(kind != "mouseReleased");
    let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
    page.browser.call("Input.dispatchMouseEvent", &event).expect("a mouse");
}

fn touch(page: &mut Page, kind: &str, fingers: &[(f64, f64)]) {
    let points: Vec<Value> = fingers.iter().enumerate().map(|(id, (x, y))| json!({"x": x, "y": y, "id": id})).collect();
    let event = json!({"type": kind, "touchPoints": points});
    page.browser.call("Input.dispatchTouchEvent", &event).expect("a finger");
}

/// Returns points on the line from one point to another, in six steps.
pub(super) fn steps_between((x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    (1..=6).map(move |i| (x0 + (x1 - x0) * f64::from(i) / 6.0, y0 + (y1 - y0) * f64::from(i) / 6.0))
}

fn touch_drag(page: &mut Page, from: (f64, f64), to: (f64, f64)) {
    touch(page, "touchStart", &[from]);
    for point in steps_between(from, to) {
        touch(page, "touchMove", &[point]);
    }
    touch(page, "touchEnd", &[]);
}

fn tap(page: &mut Page, place: &str) {
    let point = centre(page, place);
    touch(page, "touchStart", &[point]);
    touch(page, "touchEnd", &[]);
}

/// Returns a view in which Black's only man can jump over White's only man and win.
fn last_jump() -> String {
    let rows = ["........", "........", "...w....", "..b.....", "........", "........", "........", "........"];
    format!("play?game=checkers&start={}%20b", rows.join("/"))
}

#[test]
fn the_engines_move_waits_for_the_animation_of_the_users_move() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    start_game(&mut page, "Lines of Action", 8, [("Black", "person"), ("White", "1")]);
    page.eval(RECORDER);
    page.click_square(7, 3);
    page.wait("document.querySelector('.square.target') !== null");
    page.click_square(5, 5);
    page.wait_for_moves(2);
    page.wait("document.querySelector('[data-moving]') === null && document.querySelector('.square.movable') !== null");
    let states = recorded(&mut page);
    let answered = states.iter().position(|state| state["moves"] == 2).expect("an answer");
    let own = &states[..answered];
    assert!(own.iter().any(|state| state["moving"][0]["to"] == "5,5"), "the user's piece moves: {own:?}");
    assert!(!is_moving(own.last().expect("a state")), "it arrives before the answer: {own:?}");
    assert!(states[answered..].iter().any(is_moving), "the answer is animated, too");
    // Jump61: a corner overflows with its second spot.
    start_game(&mut page, "Jump61", 6, [("Red", "person"), ("Blue", "1")]);
    for own in [1, 3] {
        page.wait_for_moves(own - 1);
        page.wait("document.querySelector('[data-place=\"0,0\"]').classList.contains('movable')");
        page.eval("window.seen.length = 0");
        page.click_square(0, 0);
        page.wait_for_moves(own + 1);
    }
    let states = recorded(&mut page);
    let answered = states.iter().position(|state| state["moves"] == 4).expect("an answer");
    let own: Vec<&Value> = states[..answered].iter().filter(|state| state["moves"] == 3).collect();
    assert!(own.iter().any(|state| state["flying"] == 2), "two spots fly from the corner: {own:?}");
    assert!(!is_moving(own.last().expect("a state")), "the cascade ends before the answer: {own:?}");
    page.assert_clean();
}

/// Script that suppresses later timers of 100 to 3000 ms: a cascade stands still, and a move that is shown before the
/// server's answer is not taken back.
const FREEZE: &str = "(() => { const timer = window.setTimeout; \
    window.setTimeout = (act, ms = 0, ...rest) => ms > 99 && ms <= 3000 ? 0 : timer(act, ms, ...rest); })()";

#[test]
fn undo_and_new_game_do_not_wait_for_animations() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    page.browser.call("Animation.enable", &json!({})).expect("animations");
    page.eval(FREEZE);
    let at_start = "document.querySelector('.piece[data-at=\"6,0\"]') !== null && \
                    document.querySelector('.piece[data-at=\"5,0\"], .square.last') === null && \
                    document.querySelector('.square.movable') !== null";
    let end_with = |page: &mut Page, end: &dyn Fn(&mut Page)| {
        start_game(page, "Breakthrough", 8, [("White", "person"), ("Black", "person")]);
        // Animations practically stand still.
        page.browser.call("Animation.setPlaybackRate", &json!({"playbackRate": 0.001})).expect("a rate");
        page.click_square(6, 0);
        page.wait("document.querySelector('.square.target') !== null");
        page.click_square(5, 0);
        page.wait_for_moves(1);
        page.wait("document.querySelector('[data-moving]') !== null");
        end(page);
        page.wait_for_moves(0);
        page.wait(at_start);
        page.browser.call("Animation.setPlaybackRate", &json!({"playbackRate": 1})).expect("a rate");
        page.wait("document.querySelector('[data-moving]') === null");
    };
    end_with(&mut page, &|page| page.press_button("Undo"));
    end_with(&mut page, &|page| {
        page.new_game("Breakthrough", 8, [("White", "person"), ("Black", "person")]);
    });
    page.assert_clean();
}

#[test]
fn the_result_is_shown_after_the_last_animation() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, &last_jump(), 1280, 900);
    page.choose("White", "person");
    page.wait("document.querySelectorAll('.square.movable').length === 1");
    page.eval(RECORDER);
    page.click(".square.movable");
    page.click("[data-place='1,4']");
    page.wait("document.querySelector('.status.over') !== null");
    let states = recorded(&mut page);
    assert!(states.iter().any(|state| state["gone"] == 1), "the captured piece fades: {states:?}");
    assert!(states.iter().any(is_moving) && !states.iter().any(|state| is_moving(state) && state["over"] == true));
    // The result also waits for a winning cascade.
    let full = "2r3r2r/3r4r3r/2r3r1b".replace('/', "%2F");
    page.go(&format!("play?game=jump61&start={full}"), 1280, 900);
    page.choose("Blue", "person");
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    page.eval(RECORDER);
    page.click_square(0, 0);
    page.wait("document.querySelector('.status.over') !== null");
    let states = recorded(&mut page);
    assert!(states.iter().any(|state| state["flying"] != 0));
    assert!(!states.iter().any(|state| is_moving(state) && state["over"] == true), "{states:?}");
    page.assert_clean();
}

#[test]
fn every_game_marks_the_held_piece_and_the_last_move() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    let colour = |page: &mut Page, place: &str| {
        page.eval(&format!("getComputedStyle(document.querySelector('[data-place=\"{place}\"]')).backgroundColor"))
    };
    for (title, size, seats, from, to) in [
        ("Checkers", 8, PERSONS, "5,0", "4,1"),
        ("Lines of Action", 8, PERSONS, "7,1", "5,1"),
        ("Breakthrough", 8, [("White", "person"), ("Black", "person")], "6,0", "5,0"),
    ] {
        start_game(&mut page, title, size, seats);
        let before = [from, to].map(|place| colour(&mut page, place));
        page.click(&format!("[data-place='{from}']"));
        page.wait(&format!("document.querySelector('[data-place=\"{from}\"]').classList.contains('held')"));
        assert_ne!(colour(&mut page, from), before[0], "{title}: held");
        page.click(&format!("[data-place='{to}']"));
        page.wait_for_moves(1);
        for (place, before) in [from, to].into_iter().zip(before) {
            page.wait(&format!("document.querySelector('[data-place=\"{place}\"]').classList.contains('last')"));
            assert_ne!(colour(&mut page, place), before, "{title}: last move");
        }
    }
    page.assert_clean();
}

#[test]
fn a_dropped_piece_moves_from_where_it_was_released() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    start_game(&mut page, "Lines of Action", 8, PERSONS);
    page.eval(RECORDER);
    let (from, to) = (centre(&mut page, "7,3"), centre(&mut page, "5,5"));
    // Released outside the board, the piece returns without a move.
    let outside = (from.0 + 900.0, from.1 - 200.0);
    mouse(&mut page, "mousePressed", from);
    steps_between(from, outside).for_each(|point| mouse(&mut page, "mouseMoved", point));
    let under = "(() => { const r = document.querySelector('.piece[data-at=\"7,3\"]').getBoundingClientRect(); return r.x + r.width / 2; })()";
    assert!((page.eval(under).as_f64().expect("x") - outside.0).abs() < 2.0, "the piece is under the pointer");
    assert_eq!(page.eval("getComputedStyle(document.querySelector('.squares')).overflow"), "visible");
    mouse(&mut page, "mouseReleased", outside);
    page.wait("document.querySelector('[data-moving], [data-dragged]') === null");
    let x = page.eval(under).as_f64().expect("x");
    assert!((x - from.0).abs() < 2.0, "the piece is back on its square: {x} {from:?}");
    let states = recorded(&mut page);
    assert!(
        states.iter().any(|state| state["moving"][0]["x"].as_f64().is_some_and(|x| x > 3.5)),
        "animated: {states:?}"
    );
    assert_eq!(page.moves(), 0);
    // Released on the target square, the piece moves only the remaining distance.
    page.eval("window.seen.length = 0");
    mouse(&mut page, "mousePressed", from);
    let low = (to.0, to.1 + 25.0);
    steps_between(from, low).for_each(|point| mouse(&mut page, "mouseMoved", point));
    mouse(&mut page, "mouseReleased", low);
    page.wait_for_moves(1);
    page.wait("document.querySelector('[data-moving]') === null");
    for state in recorded(&mut page) {
        for piece in state["moving"].as_array().expect("a list") {
            let (x, y) = (piece["x"].as_f64().expect("x"), piece["y"].as_f64().expect("y"));
            assert!((x - 5.0).abs() < 0.1 && (4.9..5.5).contains(&y), "it starts where it was dropped: {state}");
        }
    }
    // The piece stays under the pointer when the window is resized during a drag.
    let from = centre(&mut page, "1,0");
    mouse(&mut page, "mousePressed", from);
    steps_between(from, (from.0 + 90.0, from.1 + 90.0)).for_each(|point| mouse(&mut page, "mouseMoved", point));
    page.resize(390, 844);
    let to = centre(&mut page, "1,2");
    mouse(&mut page, "mouseMoved", to);
    let under = under.replace("7,3", "1,0");
    assert!((page.eval(&under).as_f64().expect("x") - to.0).abs() < 2.0, "the piece is under the pointer");
    mouse(&mut page, "mouseReleased", to);
    page.wait_for_moves(2);
    assert!(page.text(".moves").contains("a7-c7"), "{}", page.text(".moves"));
    // A second finger puts the piece back.
    page.browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true})).expect("a touch screen");
    page.wait("document.querySelector('[data-place=\"7,1\"].movable') !== null");
    let (from, to) = (centre(&mut page, "7,1"), centre(&mut page, "5,1"));
    touch(&mut page, "touchStart", &[from]);
    steps_between(from, to).for_each(|point| touch(&mut page, "touchMove", &[point]));
    page.wait("document.querySelector('[data-dragged]') !== null");
    touch(&mut page, "touchStart", &[to, from]);
    touch(&mut page, "touchMove", &[from, to]);
    touch(&mut page, "touchEnd", &[]);
    page.wait("document.querySelector('[data-dragged], [data-moving], .square.held, .frame') === null");
    assert_eq!(page.moves(), 2);
    touch_drag(&mut page, from, to);
    page.wait_for_moves(3);
    page.assert_clean();
}

#[test]
fn dragging_in_the_editor_paints_squares() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa", 1280, 900);
    page.press_button("Set up position");
    page.wait("document.querySelector('.brushes') !== null");
    page.press_button("Clear board");
    page.wait("document.querySelectorAll('.piece').length === 0");
    let (from, to) = (centre(&mut page, "3,1"), centre(&mut page, "3,6"));
    mouse(&mut page, "mousePressed", from);
    steps_between(from, to).for_each(|point| mouse(&mut page, "mouseMoved", point));
    mouse(&mut page, "mouseReleased", to);
    page.wait("document.querySelectorAll('.piece:not(.gone)').length === 6");
    page.click_square(0, 0);
    page.wait("document.querySelectorAll('.piece:not(.gone)').length === 7");
    page.assert_clean();
}

/// Script that replaces the page with a board that can be drawn on.
const DRAWING_BOARD: &str = "(async (find) => {
    const { html, render } = await find('vendor/preact-htm.js');
    const { Board } = await find('js/boards/board.js');
    const scene = {
        game: 'loa', size: 4, sides: ['Black', 'White'], start: '', position: '', turn: 0, ply: 0, limit: null, played: [],
        rows: Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => ['.', null])),
        rowLabels: ['4', '3', '2', '1'], columnLabels: ['a', 'b', 'c', 'd'], moves: [], last: null, frames: [],
        flights: [], end: null, pieces: [0, 0], lost: [0, 0], lines: [], groups: [],
    };
    const root = document.getElementById('app');
    render(null, root);
    root.replaceChildren(document.createElement('div'));
    root.firstChild.style.width = '400px';
    window.shapes = [];
    const draw = () => render(html`<${Board} scene=${scene} shapes=${window.shapes} onDraw=${onDraw} />`, root.firstChild);
    const onDraw = (shape) => { window.shapes = [...window.shapes, shape]; draw(); };
    draw();
})";

#[test]
fn the_right_button_and_a_long_press_draw_arrows_and_circles() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "learn/loa", 1280, 900);
    page.eval(&format!("{DRAWING_BOARD}({FIND})"));
    let right = |page: &mut Page, kind: &str, (x, y): (f64, f64), modifiers: u32| {
        let buttons = if kind == "mouseReleased" { 0 } else { 2 };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": "right", "buttons": buttons, "clickCount": 1, "modifiers": modifiers
        });
        page.browser.call("Input.dispatchMouseEvent", &event).expect("a mouse");
    };
    let (from, to) = (centre(&mut page, "0,0"), centre(&mut page, "2,1"));
    right(&mut page, "mousePressed", from, 0);
    right(&mut page, "mouseMoved", to, 0);
    page.wait("document.querySelectorAll('.marks .shape0 line').length === 1");
    right(&mut page, "mouseReleased", to, 0);
    let shift = 8;
    right(&mut page, "mousePressed", to, shift);
    right(&mut page, "mouseReleased", to, shift);
    page.wait("document.querySelectorAll('.marks .shape1 circle').length === 1");
    // On a touch screen a long press replaces the right button.
    page.browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true})).expect("a touch screen");
    touch(&mut page, "touchStart", &[from]);
    page.wait("document.querySelectorAll('.marks .shape0').length === 2");
    touch(&mut page, "touchMove", &[to]);
    touch(&mut page, "touchEnd", &[]);
    page.wait("window.shapes.length === 3");
    let expected = json!([
        {"path": [[0, 0], [2, 1]], "colour": 0}, {"path": [[2, 1]], "colour": 1}, {"path": [[0, 0], [2, 1]], "colour": 0}
    ]);
    assert_eq!(page.eval("window.shapes"), expected);
    page.assert_clean();
}

/// Opens a view with touch emulation and without a saved game.
fn open_with_touch(page: &mut Page, view: &str, width: u32, height: u32) {
    page.browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true})).expect("a touch screen");
    page.eval("localStorage.clear()");
    page.go(view, width, height);
    page.wait("document.querySelectorAll('.square.movable').length > 2");
}

#[test]
fn every_game_can_be_played_by_touch() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    let moves = "document.querySelectorAll('.moves .move:not(.gone)').length";
    for (width, height) in [(390, 844), (844, 390)] {
        for (game, sides, tapped, dragged) in [
            ("loa", ["Black", "White"], ["7,1", "5,1"], ["2,0", "2,2"]),
            ("checkers", ["Black", "White"], ["5,0", "4,1"], ["2,1", "3,0"]),
            ("breakthrough", ["White", "Black"], ["6,0", "5,0"], ["1,1", "2,1"]),
        ] {
            open_with_touch(&mut page, &format!("play?game={game}"), width, height);
            page.choose(sides[1], "person");
            page.wait("document.querySelectorAll('.square.movable').length > 0");
            tap(&mut page, tapped[0]);
            page.wait("document.querySelector('.square.target') !== null");
            tap(&mut page, tapped[1]);
            page.wait(&format!("{moves} === 1"));
            page.wait(&format!(
                "document.querySelector('[data-place=\"{}\"]').classList.contains('movable')",
                dragged[0]
            ));
            let before = page.eval("[scrollX, scrollY]");
            let [from, to] = dragged.map(|place| centre(&mut page, place));
            touch_drag(&mut page, from, to);
            page.wait(&format!("{moves} === 2"));
            assert_eq!(page.eval("[scrollX, scrollY]"), before, "{game} at {width}: the page does not scroll");
        }
        open_with_touch(&mut page, "play?game=jump61", width, height);
        page.choose("Blue", "person");
        page.wait("document.querySelectorAll('.square.movable').length === 36");
        tap(&mut page, "2,2");
        page.wait(&format!("{moves} === 1"));
        let before = page.eval("[scrollX, scrollY]");
        let (from, to) = (centre(&mut page, "3,3"), centre(&mut page, "1,3"));
        touch_drag(&mut page, from, to);
        assert_eq!(page.eval("[scrollX, scrollY]"), before);
        tap(&mut page, "0,0");
        page.wait(&format!("{moves} === 2"));
        assert_eq!(page.moves(), 2, "a swipe is not a tap");
    }
    page.assert_clean();
}

#[test]
fn reduced_motion_shows_each_position_without_animation() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    let reduced = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    page.browser.call("Emulation.setEmulatedMedia", &reduced).expect("media features");
    page.go("play", 1280, 900);
    start_game(&mut page, "Jump61", 3, [("Red", "person"), ("Blue", "1")]);
    page.eval(RECORDER);
    page.wait("document.querySelector('[data-place=\"0,0\"]').classList.contains('movable')");
    page.click_square(0, 0);
    page.wait("document.querySelectorAll('.moves .move').length >= 2");
    let states = recorded(&mut page);
    assert!(states.iter().any(|state| state["moves"] == 1), "the user's move is shown without the answer: {states:?}");
    assert!(!states.iter().any(|state| is_moving(state) || state["flying"] != 0));
    assert!(
        page.eval("document.querySelector('.sound').ariaLabel").as_str().expect("a label").contains("on"),
        "sound is off"
    );
    page.assert_clean();
}

/// Script that counts the page's audio contexts and tones.
const AUDIO_COUNTER: &str = "window.contexts = 0; window.tones = 0;
    const Real = window.AudioContext;
    window.AudioContext = class extends Real { constructor() { super(); window.contexts += 1; } };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };";

#[test]
fn sound_starts_after_a_gesture_and_one_click_mutes_it() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": AUDIO_COUNTER})).expect("a script");
    page.go("play", 390, 844);
    assert_eq!(page.eval("window.contexts"), 0, "no sound before the first gesture");
    start_game(&mut page, "Breakthrough", 4, [("White", "person"), ("Black", "person")]);
    let play = |page: &mut Page, moves: usize| {
        page.wait("document.querySelector('.square.movable') !== null");
        page.click(".square.movable");
        page.wait("document.querySelector('.square.target') !== null");
        page.click(".square.target");
        page.wait_for_moves(moves);
        page.wait("document.querySelector('[data-moving]') === null");
    };
    play(&mut page, 1);
    page.wait("window.contexts === 1 && window.tones >= 3");
    page.click(".sound");
    page.wait("document.querySelector('.sound').ariaLabel.includes('on')");
    let before = page.eval("window.tones");
    play(&mut page, 2);
    assert_eq!(page.eval("window.tones"), before, "sound is muted");
    page.go("play", 390, 844);
    page.click(".squares");
    assert_eq!(page.eval("window.contexts"), 0, "muting is remembered");
    page.assert_clean();
}

#[test]
fn the_settings_menu_closes_and_its_colours_are_applied() {
    let site = Site::start();
    for (width, height) in [(1280, 900), (390, 844)] {
        let mut page = Page::open(&site.address, "play", width, height);
        let open = "document.querySelector('.settings').open";
        page.click(".settings summary");
        page.wait(open);
        page.key("Escape");
        page.wait(&format!("!{open} && document.activeElement.matches('.settings summary')"));
        page.click(".settings summary");
        page.wait(open);
        let sticks_out = "(() => { const r = document.querySelector('.menu').getBoundingClientRect(); \
            const { clientWidth: width, clientHeight: height } = document.documentElement; \
            return r.left < 0 || r.right > width + 1 || r.bottom > height + 1; })()";
        assert_eq!(page.eval(sticks_out), false);
        let colour = "getComputedStyle(document.querySelector('.square')).backgroundColor";
        let before = page.eval(colour);
        page.click(".swatch input[value=green]");
        page.wait(&format!("{colour} !== {before}"));
        assert_eq!(page.eval(open), true, "the menu stays open after a choice");
        page.click(".brand");
        page.wait(&format!("!{open}"));
        page.assert_clean();
    }
}
