//! Movement on the boards of the page, in a real browser: what is seen between two positions, dragging, touch,
//! sound, and the menu of settings.

use crate::page::site::{PERSONS, Page, Site};
use serde_json::{Value, json};

/// Records what is visible in every frame and after every change of the document.
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

/// Begins a game and waits until it is on the board.
pub(super) fn begin(page: &mut Page, title: &str, size: usize, seats: [(&str, &str); 2]) {
    page.new_game(title, size, seats);
    page.wait(&format!("document.querySelector('h1').textContent === {title:?}"));
    page.wait("document.querySelector('.square.movable') !== null");
}

/// What was seen since the recorder was started, up to the frame that shows what the page holds now.
fn seen(page: &mut Page) -> Vec<Value> {
    page.eval("window.looked = false");
    page.wait("window.looked");
    page.eval("window.seen").as_array().expect("a list").clone()
}

/// Whether anything moves in a moment.
fn moves_in(moment: &Value) -> bool {
    moment["moving"].as_array().is_some_and(|moving| !moving.is_empty()) || moment["skip"] == true
}

/// The middle of a square.
pub(super) fn middle(page: &mut Page, place: &str) -> (f64, f64) {
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

/// Goes from one point to another in steps.
pub(super) fn between((x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    (1..=6).map(move |i| (x0 + (x1 - x0) * f64::from(i) / 6.0, y0 + (y1 - y0) * f64::from(i) / 6.0))
}

fn touch_drag(page: &mut Page, from: (f64, f64), to: (f64, f64)) {
    touch(page, "touchStart", &[from]);
    for point in between(from, to) {
        touch(page, "touchMove", &[point]);
    }
    touch(page, "touchEnd", &[]);
}

fn tap(page: &mut Page, place: &str) {
    let point = middle(page, place);
    touch(page, "touchStart", &[point]);
    touch(page, "touchEnd", &[]);
}

/// Black's only man can jump over White's, and has won then.
fn last_jump() -> String {
    let rows = ["........", "........", "...w....", "..b.....", "........", "........", "........", "........"];
    format!("play?game=checkers&start={}%20b", rows.join("/"))
}

#[test]
fn an_answer_waits_until_the_own_move_is_done() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    begin(&mut page, "Lines of Action", 8, [("Black", "person"), ("White", "1")]);
    page.eval(RECORDER);
    page.click_square(7, 3);
    page.wait("document.querySelector('.square.target') !== null");
    page.click_square(5, 5);
    page.wait_for_moves(2);
    page.wait("document.querySelector('[data-moving]') === null && document.querySelector('.square.movable') !== null");
    let seen = seen(&mut page);
    let answered = seen.iter().position(|moment| moment["moves"] == 2).expect("an answer");
    let own = &seen[..answered];
    assert!(own.iter().any(|moment| moment["moving"][0]["to"] == "5,5"), "the own piece moves: {own:?}");
    assert!(!moves_in(own.last().expect("a moment")), "it has arrived before the answer: {own:?}");
    assert!(seen[answered..].iter().any(moves_in), "the answer moves, too");
    // Jump61: the second spot in the corner makes it topple.
    begin(&mut page, "Jump61", 6, [("Red", "person"), ("Blue", "1")]);
    for own in [1, 3] {
        page.wait_for_moves(own - 1);
        page.wait("document.querySelector('[data-place=\"0,0\"]').classList.contains('movable')");
        page.eval("window.seen.length = 0");
        page.click_square(0, 0);
        page.wait_for_moves(own + 1);
    }
    let seen = self::seen(&mut page);
    let answered = seen.iter().position(|moment| moment["moves"] == 4).expect("an answer");
    let own: Vec<&Value> = seen[..answered].iter().filter(|moment| moment["moves"] == 3).collect();
    assert!(own.iter().any(|moment| moment["flying"] == 2), "two spots fly from the corner: {own:?}");
    assert!(!moves_in(own.last().expect("a moment")), "the cascade has ended before the answer: {own:?}");
    page.was_clean();
}

/// Stops timers up to a length, in milliseconds, from now on: a cascade stands still, and a move that was shown before
/// the server's answer is not taken back.
const FREEZE: &str = "(() => { const timer = window.setTimeout; \
    window.setTimeout = (act, ms = 0, ...rest) => ms > 99 && ms <= 3000 ? 0 : timer(act, ms, ...rest); })()";

#[test]
fn an_undo_and_a_new_game_do_not_wait() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    page.browser.call("Animation.enable", &json!({})).expect("animations");
    page.eval(FREEZE);
    let at_start = "document.querySelector('.piece[data-at=\"6,0\"]') !== null && \
                    document.querySelector('.piece[data-at=\"5,0\"], .square.last') === null && \
                    document.querySelector('.square.movable') !== null";
    let end_with = |page: &mut Page, end: &dyn Fn(&mut Page)| {
        begin(page, "Breakthrough", 8, [("White", "person"), ("Black", "person")]);
        // Pieces stand still on their way.
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
    page.was_clean();
}

#[test]
fn a_result_is_told_after_the_last_movement() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, &last_jump(), 1280, 900);
    page.choose("White", "person");
    page.wait("document.querySelectorAll('.square.movable').length === 1");
    page.eval(RECORDER);
    page.click(".square.movable");
    page.click("[data-place='1,4']");
    page.wait("document.querySelector('.status.over') !== null");
    let seen = seen(&mut page);
    assert!(seen.iter().any(|moment| moment["gone"] == 1), "what is taken fades: {seen:?}");
    assert!(seen.iter().any(moves_in) && !seen.iter().any(|moment| moves_in(moment) && moment["over"] == true));
    // A cascade that wins.
    let full = "2r3r2r/3r4r3r/2r3r1b".replace('/', "%2F");
    page.go(&format!("play?game=jump61&start={full}"), 1280, 900);
    page.choose("Blue", "person");
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    page.eval(RECORDER);
    page.click_square(0, 0);
    page.wait("document.querySelector('.status.over') !== null");
    let seen = self::seen(&mut page);
    assert!(seen.iter().any(|moment| moment["flying"] != 0));
    assert!(!seen.iter().any(|moment| moves_in(moment) && moment["over"] == true), "{seen:?}");
    page.was_clean();
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
        begin(&mut page, title, size, seats);
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
    page.was_clean();
}

#[test]
fn a_dragged_piece_goes_on_from_where_it_is() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    begin(&mut page, "Lines of Action", 8, PERSONS);
    page.eval(RECORDER);
    let (from, to) = (middle(&mut page, "7,3"), middle(&mut page, "5,5"));
    // Out of the board, and back without a move.
    let outside = (from.0 + 900.0, from.1 - 200.0);
    mouse(&mut page, "mousePressed", from);
    between(from, outside).for_each(|point| mouse(&mut page, "mouseMoved", point));
    let under = "(() => { const r = document.querySelector('.piece[data-at=\"7,3\"]').getBoundingClientRect(); return r.x + r.width / 2; })()";
    assert!((page.eval(under).as_f64().expect("x") - outside.0).abs() < 2.0, "it is under the pointer");
    assert_eq!(page.eval("getComputedStyle(document.querySelector('.squares')).overflow"), "visible");
    mouse(&mut page, "mouseReleased", outside);
    page.wait("document.querySelector('[data-moving], [data-dragged]') === null");
    let x = page.eval(under).as_f64().expect("x");
    assert!((x - from.0).abs() < 2.0, "it is back on its square: {x} {from:?}");
    let back = seen(&mut page);
    assert!(back.iter().any(|moment| moment["moving"][0]["x"].as_f64().is_some_and(|x| x > 3.5)), "visibly: {back:?}");
    assert_eq!(page.moves(), 0);
    // To its square: the rest of the way only.
    page.eval("window.seen.length = 0");
    mouse(&mut page, "mousePressed", from);
    let low = (to.0, to.1 + 25.0);
    between(from, low).for_each(|point| mouse(&mut page, "mouseMoved", point));
    mouse(&mut page, "mouseReleased", low);
    page.wait_for_moves(1);
    page.wait("document.querySelector('[data-moving]') === null");
    for moment in seen(&mut page) {
        for piece in moment["moving"].as_array().expect("a list") {
            let (x, y) = (piece["x"].as_f64().expect("x"), piece["y"].as_f64().expect("y"));
            assert!((x - 5.0).abs() < 0.1 && (4.9..5.5).contains(&y), "it starts where it was dropped: {moment}");
        }
    }
    // The window gets another size during a drag: the piece stays under the pointer.
    let from = middle(&mut page, "1,0");
    mouse(&mut page, "mousePressed", from);
    between(from, (from.0 + 90.0, from.1 + 90.0)).for_each(|point| mouse(&mut page, "mouseMoved", point));
    page.resize(390, 844);
    let to = middle(&mut page, "1,2");
    mouse(&mut page, "mouseMoved", to);
    let under = under.replace("7,3", "1,0");
    assert!((page.eval(&under).as_f64().expect("x") - to.0).abs() < 2.0, "it is under the pointer");
    mouse(&mut page, "mouseReleased", to);
    page.wait_for_moves(2);
    assert!(page.text(".moves").contains("a7-c7"), "{}", page.text(".moves"));
    // A second finger puts the piece back.
    page.browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true})).expect("a touch screen");
    page.wait("document.querySelector('[data-place=\"7,1\"].movable') !== null");
    let (from, to) = (middle(&mut page, "7,1"), middle(&mut page, "5,1"));
    touch(&mut page, "touchStart", &[from]);
    between(from, to).for_each(|point| touch(&mut page, "touchMove", &[point]));
    page.wait("document.querySelector('[data-dragged]') !== null");
    touch(&mut page, "touchStart", &[to, from]);
    touch(&mut page, "touchMove", &[from, to]);
    touch(&mut page, "touchEnd", &[]);
    page.wait("document.querySelector('[data-dragged], [data-moving], .square.held, .frame') === null");
    assert_eq!(page.moves(), 2);
    touch_drag(&mut page, from, to);
    page.wait_for_moves(3);
    page.was_clean();
}

#[test]
fn squares_are_painted_by_dragging() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa", 1280, 900);
    page.press_button("Set up position");
    page.wait("document.querySelector('.brushes') !== null");
    page.press_button("Clear board");
    page.wait("document.querySelectorAll('.piece').length === 0");
    let (from, to) = (middle(&mut page, "3,1"), middle(&mut page, "3,6"));
    mouse(&mut page, "mousePressed", from);
    between(from, to).for_each(|point| mouse(&mut page, "mouseMoved", point));
    mouse(&mut page, "mouseReleased", to);
    page.wait("document.querySelectorAll('.piece:not(.gone)').length === 6");
    page.click_square(0, 0);
    page.wait("document.querySelectorAll('.piece:not(.gone)').length === 7");
    page.was_clean();
}

/// A board of its own in the page, on which something can be drawn.
const DRAWING_BOARD: &str = "(async () => {
    const { html, render } = await import(document.querySelector('script[src]').src + '/../../vendor/preact-htm.js');
    const { Board } = await import(document.querySelector('script[src]').src + '/../../js/boards/board.js');
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
})()";

#[test]
fn arrows_and_circles_are_drawn_with_the_right_button_and_with_a_long_press() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "learn/loa", 1280, 900);
    page.eval(DRAWING_BOARD);
    let right = |page: &mut Page, kind: &str, (x, y): (f64, f64), modifiers: u32| {
        let buttons = if kind == "mouseReleased" { 0 } else { 2 };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": "right", "buttons": buttons, "clickCount": 1, "modifiers": modifiers
        });
        page.browser.call("Input.dispatchMouseEvent", &event).expect("a mouse");
    };
    let (from, to) = (middle(&mut page, "0,0"), middle(&mut page, "2,1"));
    right(&mut page, "mousePressed", from, 0);
    right(&mut page, "mouseMoved", to, 0);
    page.wait("document.querySelectorAll('.marks .shape0 line').length === 1");
    right(&mut page, "mouseReleased", to, 0);
    let shift = 8;
    right(&mut page, "mousePressed", to, shift);
    right(&mut page, "mouseReleased", to, shift);
    page.wait("document.querySelectorAll('.marks .shape1 circle').length === 1");
    // A long press draws, where there is no right button.
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
    page.was_clean();
}

/// A page that is touched.
fn touched(page: &mut Page, view: &str, width: u32, height: u32) {
    page.browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true})).expect("a touch screen");
    // No game is in progress.
    page.eval("localStorage.clear()");
    page.go(view, width, height);
    page.wait("document.querySelectorAll('.square.movable').length > 2");
}

#[test]
fn all_games_are_played_by_touch() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    let moves = "document.querySelectorAll('.moves .move:not(.gone)').length";
    for (width, height) in [(390, 844), (844, 390)] {
        for (game, sides, tapped, dragged) in [
            ("loa", ["Black", "White"], ["7,1", "5,1"], ["2,0", "2,2"]),
            ("checkers", ["Black", "White"], ["5,0", "4,1"], ["2,1", "3,0"]),
            ("breakthrough", ["White", "Black"], ["6,0", "5,0"], ["1,1", "2,1"]),
        ] {
            touched(&mut page, &format!("play?game={game}"), width, height);
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
            let [from, to] = dragged.map(|place| middle(&mut page, place));
            touch_drag(&mut page, from, to);
            page.wait(&format!("{moves} === 2"));
            assert_eq!(page.eval("[scrollX, scrollY]"), before, "{game} at {width}: the page stays where it is");
        }
        touched(&mut page, "play?game=jump61", width, height);
        page.choose("Blue", "person");
        page.wait("document.querySelectorAll('.square.movable').length === 36");
        tap(&mut page, "2,2");
        page.wait(&format!("{moves} === 1"));
        let before = page.eval("[scrollX, scrollY]");
        let (from, to) = (middle(&mut page, "3,3"), middle(&mut page, "1,3"));
        touch_drag(&mut page, from, to);
        assert_eq!(page.eval("[scrollX, scrollY]"), before);
        tap(&mut page, "0,0");
        page.wait(&format!("{moves} === 2"));
        assert_eq!(page.moves(), 2, "a stroke is not a tap");
    }
    page.was_clean();
}

#[test]
fn who_wants_less_movement_gets_none_and_still_sees_each_position() {
    let site = Site::start();
    let mut page = Page::open_in_real_time(&site.address, "play", 1280, 900);
    let reduced = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    page.browser.call("Emulation.setEmulatedMedia", &reduced).expect("a wish");
    page.go("play", 1280, 900);
    begin(&mut page, "Jump61", 3, [("Red", "person"), ("Blue", "1")]);
    page.eval(RECORDER);
    page.wait("document.querySelector('[data-place=\"0,0\"]').classList.contains('movable')");
    page.click_square(0, 0);
    page.wait("document.querySelectorAll('.moves .move').length >= 2");
    let seen = seen(&mut page);
    assert!(seen.iter().any(|moment| moment["moves"] == 1), "the own move is seen without the answer: {seen:?}");
    assert!(!seen.iter().any(|moment| moves_in(moment) || moment["flying"] != 0));
    assert!(
        page.eval("document.querySelector('.sound').ariaLabel").as_str().expect("a label").contains("on"),
        "silent"
    );
    page.was_clean();
}

/// Counts what the page does with loudspeakers.
const EARS: &str = "window.contexts = 0; window.tones = 0;
    const Real = window.AudioContext;
    window.AudioContext = class extends Real { constructor() { super(); window.contexts += 1; } };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };";

#[test]
fn sounds_are_made_after_a_gesture_and_one_click_silences_them() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": EARS})).expect("ears");
    page.go("play", 390, 844);
    assert_eq!(page.eval("window.contexts"), 0, "none before the first gesture");
    begin(&mut page, "Breakthrough", 4, [("White", "person"), ("Black", "person")]);
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
    assert_eq!(page.eval("window.tones"), before, "silence");
    page.go("play", 390, 844);
    page.click(".squares");
    assert_eq!(page.eval("window.contexts"), 0, "silence is remembered");
    page.was_clean();
}

#[test]
fn the_menu_of_settings_closes_and_its_themes_are_seen() {
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
        assert_eq!(page.eval(open), true, "a choice leaves the menu open");
        page.click(".brand");
        page.wait(&format!("!{open}"));
        page.was_clean();
    }
}
