//! The analysis in a real browser: variations, notes, files, the editor, proofs, and the layout on a phone.

use crate::page::site::{Page, Site};
use serde_json::json;

/// A game of three moves with a variation and notes.
const BRANCHED: &str =
    "(;GM[9]SZ[8]C[Begin];B[b1-b3]TE[1](;W[a2-c2];B[d1-d3])(;W[h2-f2]DO[]C[Why not?]CR[f2]AR[f2:d4];B[c1:a3]))";
/// View of a position in which Red wins with 1:1; the moves are appended.
const NEARLY_WON: &str = "analyse?game=jump61&size=2&start=2r2r/1r1b&moves=";

/// Pastes a text into the Share tool and opens it.
fn paste(page: &mut Page, text: &str) {
    page.wait("document.querySelector('.tool-row') !== null");
    page.press_button("Share");
    page.wait("document.querySelector('.exchange textarea') !== null");
    fill(page, ".exchange textarea", text);
    page.press_button("Open");
}

/// Sets the content of a field.
fn fill(page: &mut Page, selector: &str, text: &str) {
    page.eval(&format!(
        "(() => {{ const t = document.querySelector({selector:?}); t.value = {text:?}; t.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    ));
}

/// Presses a copy button and returns the text that it shows, which must contain `part`.
fn copied(page: &mut Page, button: &str, part: &str) -> String {
    page.press_button(button);
    page.wait(&format!("document.querySelector('.exchange textarea').value.includes({part:?})"));
    page.eval("document.querySelector('.exchange textarea').value").as_str().unwrap_or_default().to_owned()
}

/// Returns the text of the tree of moves, with single spaces.
fn tree(page: &mut Page) -> String {
    let text = page.eval("[...document.querySelectorAll('.tree > *')].map((e) => e.textContent).join(' ')");
    text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn wait_for_move(page: &mut Page, text: &str) {
    page.wait(&format!("document.querySelector('.move[aria-current]')?.textContent.trim() === {text:?}"));
    page.wait("document.querySelector('.squares .square') !== null");
}

fn wait_for_tree(page: &mut Page, count: usize) {
    page.wait(&format!("document.querySelectorAll('.tree .move').length === {count}"));
}

/// Drags with a mouse button from one square to another.
fn drag(page: &mut Page, button: &str, from: (usize, usize), to: (usize, usize)) {
    let mut centre = |(row, column): (usize, usize)| {
        let find = format!(
            "(() => {{ const r = document.querySelector('[data-place=\"{row},{column}\"]').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let place = page.eval(&find);
        [place[0].as_f64().unwrap_or(0.0), place[1].as_f64().unwrap_or(0.0)]
    };
    let (a, b) = (centre(from), centre(to));
    let held = if button == "right" { 2 } else { 1 };
    let mut send = |kind: &str, [x, y]: [f64; 2], buttons: u32| {
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
        page.browser.call("Input.dispatchMouseEvent", &event).expect("the mouse");
    };
    send("mousePressed", a, held);
    for i in 1..=8 {
        let part = f64::from(i) / 8.0;
        send("mouseMoved", [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])], held);
    }
    send("mouseReleased", b, 0);
}

/// Returns `true` if an element is completely in the window and nothing covers its centre, except the board or the bar.
fn is_visible(page: &mut Page, selector: &str) -> bool {
    let seen = format!(
        "(() => {{ const e = document.querySelector({selector:?}); const r = e.getBoundingClientRect(); \
         const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2); \
         const {{ clientWidth: width, clientHeight: height }} = document.documentElement; \
         return scrollY === 0 && r.left >= 0 && r.top >= 0 && r.right <= width && r.bottom <= height \
           && (e.contains(top) || top?.closest('.board, .bar') !== null); }})()"
    );
    page.eval(&seen).as_bool().unwrap_or(false)
}

#[test]
fn a_game_is_analysed_and_reviewed() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "analyse?game=loa&moves=b1-b3,a2-c2", 1280, 900);
    page.wait("document.querySelectorAll('.lines .value').length === 3");
    page.wait("document.querySelectorAll('.arrow').length >= 2");
    // A click on the third move of an engine line plays the line up to this move.
    page.wait("document.querySelectorAll('.lines li:first-child .move').length >= 3");
    page.click(".lines li:first-child .move:nth-of-type(3)");
    wait_for_tree(&mut page, 5);
    // The analysis is restored after a reload, at the same move.
    let current = page.text(".move[aria-current]");
    page.go("analyse", 1280, 900);
    wait_for_tree(&mut page, 5);
    wait_for_move(&mut page, current.trim());
    // The review is fast, because every position of a small board is proven quickly.
    page.go("analyse?game=loa&size=4&moves=b1-b3,a2-c2", 1280, 900);
    page.press_button("Review");
    page.press_button("Review the game");
    page.wait(
        "document.querySelectorAll('.graph polyline').length === 1 && document.querySelector('.report') !== null",
    );
    assert!(page.text(".report").contains("White"), "{}", page.text(".report"));
    page.assert_clean();
}

#[test]
fn arrow_keys_step_through_moves_after_a_click_on_the_board() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&moves=b1-b3,a2-c2,d1-d3", 1280, 900);
    wait_for_move(&mut page, "d1-d3");
    page.key("Home");
    page.wait("document.querySelector('.move[aria-current]') === null");
    page.key("ArrowRight");
    wait_for_move(&mut page, "b1-b3");
    // After another move by mouse, the focus stays on the board.
    page.wait("document.querySelector('[data-place=\"6,7\"].movable') !== null");
    page.click_square(6, 7);
    page.wait("document.querySelector('[data-place=\"6,5\"].target') !== null");
    page.click_square(6, 5);
    wait_for_move(&mut page, "h2-f2");
    page.wait("document.activeElement.closest('[role=grid]') !== null");
    page.key("ArrowLeft");
    wait_for_move(&mut page, "b1-b3");
    page.key("ArrowRight");
    wait_for_move(&mut page, "a2-c2");
    page.key("ArrowDown");
    wait_for_move(&mut page, "h2-f2");
    page.key("ArrowUp");
    wait_for_move(&mut page, "a2-c2");
    page.key("End");
    wait_for_move(&mut page, "d1-d3");
    // A move number covers a move of each side, in variations too.
    assert_eq!(tree(&mut page), "1. b1-b3 a2-c2 1…h2-f2 2. d1-d3");
    // After Tab the arrow keys move the focus on the board. From the last control above the board, Tab reaches it.
    page.eval("[...document.querySelectorAll('header a, header button, header summary')].at(-1).focus()");
    page.key("Tab");
    page.wait("document.activeElement.closest('[role=grid]') !== null");
    let before = page.eval("document.activeElement.dataset.place");
    page.key("ArrowUp");
    assert_ne!(page.eval("document.activeElement.dataset.place"), before);
    wait_for_move(&mut page, "d1-d3");
    page.assert_clean();
}

#[test]
fn files_keep_variations_and_unreadable_files_change_nothing() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=checkers", 1280, 900);
    paste(&mut page, BRANCHED);
    wait_for_tree(&mut page, 5);
    let whole = "Begin 1. b1-b3! a2-c2 1…h2-f2?!Why not?2.c1-a3 2. d1-d3";
    assert_eq!(tree(&mut page), whole);
    let file = copied(&mut page, "Copy SGF", "AP[Plyhouse");
    assert!(file.contains("(;W[h2-f2]DO[]CR[f2]AR[f2:d4]C[Why not?];B[c1:a3])"), "{file}");
    let moves = copied(&mut page, "Copy moves", "1. b1-b3");
    assert_eq!(moves, "{Begin} 1. b1-b3! a2-c2 (1… h2-f2?! {Why not?} 2. c1-a3) 2. d1-d3");
    // No link is offered, because other devices cannot open an address of this machine. The user can paste one.
    assert_eq!(page.eval("document.querySelector('.exchange').textContent.includes('Copy link')"), false);
    let link = format!("{}#/analyse?game=loa&moves=b1-b3,a2-c2,d1-d3", site.address);
    // The error names the position in the text, and the game stays.
    for (text, error) in [
        ("(;GM[9]\n;B[oops])", "line 2, column 2: B[oops]"),
        ("(;GM[9]\n;B[b1-b4](;W[a2-d2])\n(;W[a2-c2]))", "line 2, column 2: B[b1-b4]"),
        ("{x}\nb1-f9", "line 2, column 1: move 1"),
        ("1. 2. 3.", "no move found"),
    ] {
        paste(&mut page, text);
        page.wait(&format!("document.querySelector('.exchange [role=alert]')?.textContent.includes({error:?})"));
        assert_eq!(tree(&mut page), whole);
    }
    // Success removes the previous error.
    paste(&mut page, &file);
    page.wait("document.querySelector('.exchange [role=alert]') === null && document.querySelector('.notice').textContent.includes('Opened')");
    assert_eq!(tree(&mut page), whole);
    paste(&mut page, "1. b1-h1");
    wait_for_tree(&mut page, 1);
    page.press_button("Undo");
    wait_for_tree(&mut page, 5);
    // A position, a list of moves of another game, and a link can be pasted.
    paste(&mut page, "2r1-/1-1b");
    page.wait("document.querySelectorAll('.squares .square').length === 4");
    paste(&mut page, "1. 2:2 1:1");
    wait_for_tree(&mut page, 2);
    paste(&mut page, &link);
    wait_for_tree(&mut page, 3);
    page.wait("document.querySelectorAll('.squares .square').length === 64");
    page.assert_clean();
}

#[test]
fn games_are_saved_in_the_browser_with_their_variations() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa", 1280, 900);
    paste(&mut page, BRANCHED);
    wait_for_tree(&mut page, 5);
    page.press_button("Save in this browser");
    page.wait("document.querySelectorAll('.kept li').length === 1");
    page.open_new_analysis();
    page.choose("Game", "jump61");
    page.choose("Board", "4");
    page.press_button("Start");
    page.wait("document.querySelectorAll('.squares .square').length === 16");
    page.click(".kept button.link");
    wait_for_tree(&mut page, 5);
    page.click(".kept .button");
    page.wait("document.querySelectorAll('.kept li').length === 0");
    page.assert_clean();
}

#[test]
fn a_link_to_an_illegal_game_keeps_the_analysis() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "analyse?game=loa", 1280, 900);
    paste(&mut page, BRANCHED);
    wait_for_tree(&mut page, 5);
    page.go("analyse?game=loa&moves=b1-b3,a2-a9", 1280, 900);
    page.wait("document.querySelector('.notice [role=alert]')?.textContent.includes('a2-a9')");
    wait_for_tree(&mut page, 5);
    // A reload does not open a valid link again, so added moves stay.
    page.go("analyse?game=loa&moves=b1-b3", 1280, 900);
    wait_for_move(&mut page, "b1-b3");
    page.wait("document.querySelectorAll('.lines li:first-child .move').length >= 2");
    page.click(".lines li:first-child .move:nth-of-type(2)");
    wait_for_tree(&mut page, 3);
    page.go("analyse?game=loa&moves=b1-b3", 1280, 900);
    wait_for_tree(&mut page, 3);
    page.assert_clean();
}

#[test]
fn notes_and_drawings_are_kept() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&moves=b1-b3", 1280, 900);
    wait_for_move(&mut page, "b1-b3");
    page.click("[aria-label='Interesting move']");
    page.wait("document.querySelector('.tree .note')?.textContent === '!?'");
    fill(&mut page, ".notes textarea", "Towards the middle.");
    page.wait("document.querySelector('.tree .comment')?.textContent === 'Towards the middle.'");
    drag(&mut page, "right", (5, 1), (3, 3));
    page.wait("document.querySelectorAll('.marks g[class*=shape]').length === 1");
    page.press_button("Clear drawings");
    page.wait("document.querySelectorAll('.marks g[class*=shape]').length === 0");
    drag(&mut page, "right", (4, 4), (4, 4));
    page.wait("document.querySelectorAll('.marks g[class*=shape]').length === 1");
    page.go("analyse", 1280, 900);
    page.wait("document.querySelectorAll('.marks g[class*=shape]').length === 1");
    assert_eq!(tree(&mut page), "1. b1-b3!? … Towards the middle.");
    page.press_button("Delete from here");
    wait_for_tree(&mut page, 0);
    page.assert_clean();
}

/// Returns an element's background colour.
fn colour(page: &mut Page, selector: &str) -> String {
    let colour = page.eval(&format!("getComputedStyle(document.querySelector({selector:?})).backgroundColor"));
    colour.as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_bar_shows_results_in_the_colours_of_the_sides() {
    let site = Site::start();
    let mut page = Page::open(&site.address, &format!("{NEARLY_WON}1:1"), 1280, 900);
    page.wait("document.querySelector('.standing.over') !== null");
    assert!(page.text(".standing").contains("Red wins"), "{}", page.text(".standing"));
    page.wait("document.querySelector('.bar-value').textContent === '1–0'");
    assert_eq!(page.eval("getComputedStyle(document.querySelector('.bar')).getPropertyValue('--share').trim()"), "1");
    assert_eq!(colour(&mut page, ".bar-first"), colour(&mut page, ".standing .token.side0"));
    // The result is shown without the engine, too.
    page.key("l");
    page.wait("document.querySelector('.switch').getAttribute('aria-checked') === 'false'");
    assert!(page.text(".standing").contains("Red wins"));
    page.press_button("Back");
    page.wait("document.querySelector('.standing').textContent.includes('Red to move')");
    page.key("l");
    // No digit is cut off at any size.
    for view in
        ["analyse?game=loa&size=6", "analyse?game=jump61&size=3", "analyse?game=loa&start=b-b-/----/----/--ww%20b"]
    {
        page.go(view, 390, 844);
        for (width, height) in [(390, 844), (844, 390), (1280, 800), (1920, 1080)] {
            page.browser.resize(width, height).expect("a window");
            page.wait(&format!("innerWidth === {width} && document.querySelector('.bar-value').textContent !== ''"));
            let fits = page.eval(
                "(() => { const [d, b] = ['.bar-value', '.bar'].map((s) => document.querySelector(s)); \
                 const [r, o] = [d.getBoundingClientRect(), b.getBoundingClientRect()]; \
                 return d.scrollWidth <= d.clientWidth && r.left >= o.left && r.right <= o.right && r.top >= o.top && r.bottom <= o.bottom; })()",
            );
            assert_eq!(fits, true, "{view} at {width}x{height}: {}", page.text(".bar-value"));
        }
    }
    page.assert_clean();
}

#[test]
fn the_editor_paints_by_dragging_and_rejects_invalid_positions() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&moves=b1-b3", 1280, 900);
    page.press_button("Menu");
    page.press_button("Set up position");
    page.wait("document.querySelector('.brushes') !== null");
    let pieces = |count: usize| format!("document.querySelectorAll('.piece .disc').length === {count}");
    page.press_button("Start position");
    page.wait(&pieces(24));
    page.press_button("Clear board");
    page.wait(&pieces(0));
    let assert_rejected = |page: &mut Page, reason: &str| {
        page.press_button("Analyse");
        page.wait(&format!("document.querySelector('.editor [role=alert]').textContent.includes({reason:?})"));
    };
    assert_rejected(&mut page, "no pieces on the board");
    drag(&mut page, "left", (2, 1), (2, 5));
    page.wait(&pieces(5));
    assert_rejected(&mut page, "White has no pieces");
    page.press_button("White");
    page.click_square(7, 0);
    page.wait(&pieces(6));
    assert_rejected(&mut page, "White has already won");
    page.click_square(7, 7);
    page.wait(&pieces(7));
    assert_rejected(&mut page, "Black has already won");
    page.press_button("Empty");
    page.click_square(2, 3);
    page.wait(&pieces(6));
    // The next change removes the error.
    page.wait("document.querySelector('.editor [role=alert]').textContent === ''");
    page.choose("To move", "0");
    page.press_button("Analyse");
    page.wait("document.querySelector('.brushes') === null && document.querySelectorAll('.piece .disc').length === 6");
    // The editor accepts another game on a smaller board.
    page.press_button("Menu");
    page.press_button("Set up position");
    page.wait("document.querySelector('.brushes') !== null");
    page.choose("Game", "breakthrough");
    page.wait("document.querySelectorAll('.piece .pawn').length === 32");
    page.choose("Board", "5");
    page.wait("document.querySelectorAll('.squares .square').length === 25");
    page.press_button("Analyse");
    page.wait(
        "document.querySelector('.tree') !== null && document.querySelectorAll('.squares .square').length === 25",
    );
    page.assert_clean();
}

#[test]
fn the_analysis_fits_a_phone() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 390, 844);
    for game in games::GameId::BUILT_IN {
        page.go(&format!("analyse?game={game}"), 390, 844);
        page.wait("document.querySelector('.lines .move') !== null");
        for (width, height) in [(390, 844), (844, 390)] {
            page.resize(width, height);
            for part in
                [".board", ".bar", ".step-bar .button:nth-child(2)", ".step-bar .button:nth-child(3)", ".engine-value"]
            {
                assert!(is_visible(&mut page, part), "{game} at {width}x{height}: {part}");
            }
            assert!(!page.is_too_wide(), "{game} at {width}x{height} scrolls sideways");
        }
    }
    page.assert_clean();
}

#[test]
fn threats_are_shown() {
    let site = Site::start();
    // Black to move; White would connect at once.
    let mut page = Page::open(&site.address, "analyse?game=loa", 1280, 900);
    paste(&mut page, "b------b/--------/--------/---w----/--------/----w---/--------/b------b b");
    page.wait("document.querySelector('.standing')?.textContent.includes('Black to move') && document.querySelector('.lines .value') !== null");
    page.key("x");
    page.wait("document.querySelector('.passed')?.textContent === 'If Black passes:'");
    page.wait("document.querySelector('.lines .value')?.textContent.startsWith('−#1')");
    page.key("x");
    page.wait("document.querySelector('.passed') === null");
    // A game without passes has no button for threats.
    page.go("analyse?game=jump61", 1280, 900);
    page.wait(
        "document.querySelector('.lines .value') !== null && document.querySelector('.engine .icon-only') === null",
    );
    page.assert_clean();
}

#[test]
fn wins_are_proven_and_shown_reply_by_reply() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "analyse?game=loa&size=6", 1280, 900);
    // A position of the book is marked as proven.
    page.wait("document.querySelector('.proven')?.textContent === 'Proven (book): Black wins in 24 moves.'");
    page.press_button("Proof");
    page.press_button("Prove it");
    page.wait("document.querySelectorAll('.replies > li').length > 5");
    let replies = page.eval("document.querySelectorAll('.replies > li').length").as_u64().unwrap_or(0) as usize;
    page.click(".replies .twist");
    page.wait(&format!("document.querySelectorAll('.replies > li').length > {}", replies + 3));
    // A click on a move of the proof tree plays it on the board. The book also has the distance of that position.
    page.click(".replies .answer");
    wait_for_tree(&mut page, 3);
    page.wait("/Proven \\(book\\): Black wins in \\d+ moves/.test(document.querySelector('.proven')?.textContent)");
    // On the smallest board, the search finds a proof.
    page.go("analyse?game=jump61&size=2", 1280, 900);
    page.press_button("Proof");
    page.press_button("Prove it");
    page.wait("document.querySelector('.prove .result')?.textContent.startsWith('Proven: Blue wins in ')");
    page.wait("document.querySelectorAll('.replies > li').length === 4");
    // A longer search continues while another position is shown, until it is stopped.
    page.go("analyse?game=loa&moves=b1-b3", 1280, 900);
    page.press_button("Proof");
    page.press_button("Prove it");
    page.wait("/Searching: [1-9]/.test(document.querySelector('.proving')?.textContent)");
    page.key("Home");
    page.wait("document.querySelector('.prove .link')?.textContent.includes('after move 1')");
    page.press_button("Stop");
    page.wait("document.querySelector('.proving') === null");
    page.assert_clean();
}

#[test]
fn axe_finds_no_violation_in_any_tool_and_theme() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "analyse?game=loa", 1280, 900);
    paste(&mut page, BRANCHED);
    wait_for_tree(&mut page, 5);
    // The first check includes the engine's lines. Then the engine is off, because axe needs the processor.
    page.wait("document.querySelector('.lines .value') !== null");
    let mut found = page.violations("document.querySelector('main')");
    page.key("l");
    page.wait("document.querySelector('.switch').getAttribute('aria-checked') === 'false'");
    for (theme, width, height) in [("light", 1280, 900), ("dark", 390, 844), ("contrast", 844, 390)] {
        page.eval(&format!("document.documentElement.dataset.theme = '{theme}'"));
        page.resize(width, height);
        for tool in ["Notes", "Review", "Proof", "Explorer", "Share"] {
            page.press_button(tool);
            page.wait("document.querySelector('.tool-panel').children.length === 1");
            let violations = page.violations("document.querySelector('main')");
            if !violations.is_empty() {
                found.extend([theme, ", ", tool, " at ", &width.to_string(), ":\n", &violations, "\n"]);
            }
        }
        page.press_button("Menu");
        page.press_button("Set up position");
        page.wait("document.querySelector('.brushes') !== null");
        found += &page.violations("document.querySelector('main')");
        page.press_button("Cancel");
        page.wait("document.querySelector('.tree') !== null");
    }
    assert_eq!(found, "");
    page.assert_clean();
}
