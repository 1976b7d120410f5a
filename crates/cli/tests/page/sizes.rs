//! The layout of every view at ten sizes, from a desktop to a phone, in a real browser.

use std::fmt::Write as _;

use devtools::Browser;
use serde_json::{Value, json};

use crate::page::site::{Page, Site};

/// Widths and heights of windows. The last is a desktop of 1280×720 at 200 % zoom.
const SIZES: [(u32, u32); 10] = [
    (1440, 900),
    (1280, 720),
    (1024, 768),
    (820, 1180),
    (834, 1194),
    (768, 1024),
    (844, 390),
    (390, 844),
    (360, 640),
    (640, 360),
];

/// Views with a board as their main element: name and address.
const BOARDS: [(&str, &str); 6] = [
    ("play", "play"),
    ("watch", "watch"),
    ("analysis", "analyse?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5"),
    ("puzzles", "puzzles?game=loa&number=3"),
    ("lessons", "learn/loa"),
    ("review", "review?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5&side=0"),
];

/// Minimum side length of a board, as a fraction of the shorter side of the window.
const MINIMUM: f64 = 0.6;

/// Functions that measure the page, installed as `sizes`.
const MEASURES: &str = "window.sizes = (() => { \
    const root = document.documentElement; \
    const box = (e) => e.getBoundingClientRect(); \
    const bar = () => { const r = box(document.querySelector('.top nav')); return r.top > 300 ? r.top : root.clientHeight; }; \
    const seen = (e) => { const r = box(e); \
      return Math.max(0, Math.min(r.right, root.clientWidth) - Math.max(r.left, 0)) * Math.max(0, Math.min(r.bottom, bar()) - Math.max(r.top, 0)); }; \
    const name = (e) => `${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''} ${e.textContent.trim().slice(0, 20)}`; \
    const hidden = '.unseen, .squares, dialog:not([open]), details:not([open]) > :not(summary), [popover]:not(:popover-open)'; \
    return { \
      board: () => { const r = box(document.querySelector('.squares')); \
        return { width: r.width, height: r.height, whole: r.top >= 0 && r.left >= 0 && r.bottom <= bar() + 0.5 && r.right <= root.clientWidth + 0.5 }; }, \
      larger: () => { const area = seen(document.querySelector('.squares')); \
        return [...document.querySelectorAll('header, main > *, main > section > *')] \
          .filter((e) => !e.matches('.unseen, section') && !e.querySelector('.squares') && seen(e) > area).map(name); }, \
      small: () => [...document.querySelectorAll('a[href], button, select, input, textarea, summary, label.radio, label.check')] \
        .filter((e) => !e.closest(hidden) && !e.matches('label input, p a, p button, .variation *')) \
        .filter((e) => { const r = box(e); return r.width > 0 && (r.width < 43.5 || r.height < 43.5); }) \
        .map((e) => `${name(e)} ${Math.round(box(e).width)}x${Math.round(box(e).height)}`), \
      cut: () => [...document.querySelectorAll('.tool, .top nav a, .tabs a, .actions > .button, .step-bar > .button')] \
        .filter((e) => { const r = box(e); return e.scrollWidth > e.clientWidth || r.left < 0 || r.right > root.clientWidth + 0.5; }).map(name), \
      covered: () => { scrollTo(0, root.scrollHeight); \
        const low = [...document.querySelectorAll('main, .actions.handy, .step-bar')].filter((e) => box(e).bottom > bar() + 0.5).map(name); \
        scrollTo(0, 0); return low; }, \
    }; })(); true";

/// Sets the size of the window. Windows less than 1280 pixels wide have a touchscreen.
fn set_size(page: &mut Page, (width, height): (u32, u32)) {
    let touch = json!({ "enabled": width < 1280 });
    page.browser.call("Emulation.setTouchEmulationEnabled", &touch).expect("touch");
    page.resize(width, height);
}

/// Returns the names of the elements that a measure reports, as one line.
fn complaint(page: &mut Page, measure: &str) -> String {
    let Value::Array(names) = page.eval(&format!("sizes.{measure}()")) else { return "no list".to_owned() };
    if names.is_empty() { String::new() } else { format!("{measure}: {names:?}\n") }
}

/// Returns the defects of a view at a size, and the width of its board.
fn check_board(page: &mut Page, size: (u32, u32)) -> (String, f64) {
    set_size(page, size);
    let board = page.eval("sizes.board()");
    let side = board["width"].as_f64().expect("a width");
    let mut found = String::new();
    if side < MINIMUM * f64::from(size.0.min(size.1)) {
        writeln!(found, "the board is {side} px wide").expect("text");
    }
    if board["whole"] != true {
        writeln!(found, "the board is not whole on the screen").expect("text");
    }
    if page.is_too_wide() {
        writeln!(found, "the page is wider than the window").expect("text");
    }
    let touch = if size.0 < 1280 { &["small"][..] } else { &[] };
    for measure in ["larger", "cut", "covered"].iter().chain(touch) {
        found += &complaint(page, measure);
    }
    (found, side)
}

#[test]
fn the_board_is_the_largest_element_of_every_view_at_every_size() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "home", 1440, 900);
    let (mut found, mut table) = (String::new(), String::new());
    for (name, view) in BOARDS {
        page.go(view, 1440, 900);
        page.wait("document.querySelector('.board .square') !== null");
        page.eval(MEASURES);
        write!(table, "| {name} |").expect("text");
        for size in SIZES {
            let (wrong, side) = check_board(&mut page, size);
            write!(table, " {side:.0} |").expect("text");
            if !wrong.is_empty() {
                writeln!(found, "{name} at {}x{}:\n{wrong}", size.0, size.1).expect("text");
            }
        }
        table += "\n";
    }
    assert_eq!(found, "", "{table}");
    page.assert_clean();
}

#[test]
fn the_panel_of_the_analysis_fits_beside_a_scrollbar() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa", 1280, 720);
    page.wait("document.querySelector('.engine .stepper') !== null");
    // The browser of the tests hides scrollbars. The border takes the width of a scrollbar on Windows.
    page.eval("document.querySelector('.analysis-panel').style.borderRight = '17px solid'");
    let too_wide = "['.analysis-panel', '.engine', '.step-bar'].map((e) => document.querySelector(e)) \
        .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.className).join()";
    for (width, height) in [(568, 320), (640, 360), (701, 400), (760, 400), (844, 390), (1000, 560)] {
        page.resize(width, height);
        assert_eq!(page.eval(too_wide), "", "{width}×{height}");
        assert!(!page.is_too_wide(), "{width}×{height}");
    }
    page.assert_clean();
}

#[test]
fn a_game_starts_without_scrolling_at_every_size() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 1440, 900);
    page.eval(MEASURES);
    let mut found = String::new();
    for size in SIZES {
        set_size(&mut page, size);
        let mut wrong = String::new();
        // The button is on the screen, and nothing covers it.
        let on_top = "(() => { const e = document.querySelector('.button.begin'); const r = e.getBoundingClientRect(); \
             const { clientHeight: height } = document.documentElement; scrollTo(0, 0); \
             return r.top >= 0 && r.bottom <= height && e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })()";
        if page.eval(on_top) != true {
            wrong += "the button is not on the screen\n";
        }
        if page.is_too_wide() {
            wrong += "the page is wider than the window\n";
        }
        let top = "document.querySelector('.button.begin').getBoundingClientRect().top";
        let before = page.eval(top);
        page.choose_radio("Two players");
        page.eval("scrollTo(0, 0)");
        if page.eval(top) != before {
            writeln!(wrong, "the button moves from {before} to {}", page.eval(top)).expect("text");
        }
        page.choose_radio("Computer");
        page.eval("scrollTo(0, 0)");
        let measures = if size.0 < 1280 { &["cut", "covered", "small"][..] } else { &["cut", "covered"] };
        for measure in measures {
            wrong += &complaint(&mut page, measure);
        }
        if !wrong.is_empty() {
            writeln!(found, "{}x{}:\n{wrong}", size.0, size.1).expect("text");
        }
    }
    assert_eq!(found, "");
    page.assert_clean();
}

#[test]
fn the_play_view_without_a_game_shows_the_start_page() {
    let site = Site::start();
    let mut page = Page::first_visit(Browser::start().expect("a browser"), &site.address);
    page.go("learn/loa", 1280, 900);
    page.click(".top nav a");
    page.wait("location.hash === '#/play' && document.querySelector('.home .games .picture g') !== null");
    let offered = page.text(".rival strong");
    assert!(!offered.is_empty());
    // A reload shows the start page again.
    page.go("play", 1280, 900);
    page.wait("document.querySelector('.home .rival') !== null");
    page.press_button("Start game");
    page.wait("document.querySelector('.strip.above select') !== null");
    let opponent = "document.querySelector('.strip.above select').selectedOptions[0].text";
    assert!(page.eval(opponent).as_str().expect("a name").starts_with(&offered), "{offered}");
    // A started game is kept, even before its first move.
    page.go("play", 1280, 900);
    page.wait("document.querySelector('.strip.above select') !== null");
    page.assert_clean();
}

#[test]
fn one_dialog_is_open_at_a_time() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 6, [("Black", "person"), ("White", "person")]);
    page.click_square(5, 1);
    page.click_square(3, 1);
    page.wait_for_moves(1);
    page.open_new_game();
    page.press_button("Start game");
    page.wait("document.querySelector('dialog.leave[open]') !== null");
    assert_eq!(page.eval("document.querySelectorAll('dialog').length"), 1);
    page.cancel_dialog();
    page.wait_for_moves(1);
    page.assert_clean();
}
