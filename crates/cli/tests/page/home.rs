//! The start page, the board on every screen size, confirmation before a game is left, and learning from mistakes.

use crate::page::site::{PERSONS, Page, Site};

/// Returns `true` if an element is completely on the screen without scrolling.
fn is_on_screen(page: &mut Page, selector: &str) -> bool {
    let inside = format!(
        "(() => {{ const e = document.querySelector({selector:?}); if (!e) return false; const r = e.getBoundingClientRect(); \
         const {{ clientWidth: width, clientHeight: height }} = document.documentElement; \
         return r.width > 0 && r.top >= 0 && r.left >= 0 && r.bottom <= height + 0.5 && r.right <= width + 0.5; }})()"
    );
    page.eval(&inside) == true
}

#[test]
fn a_game_starts_with_one_click_and_can_be_continued_later() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "", 1280, 900);
    page.wait("document.querySelectorAll('.games .picture g').length > 40");
    // Each opponent has a name, a description and a rating.
    page.choose_level("3");
    page.wait("document.querySelector('.rival strong').textContent === 'Otter'");
    assert!(page.text(".rival p").len() > 20);
    page.wait("/\\d+ Elo/.test(document.querySelector('.rival .elo').textContent)");
    page.choose_radio("Jump61");
    page.choose_radio("Blue");
    page.press_button("Start game");
    // The engine moves first, and the user's side is below the board.
    page.wait_for_moves(1);
    assert!(page.text(".strip.above").contains("Otter · level 3"));
    assert!(page.eval("document.querySelector('.strip.below select').selectedOptions[0].text") == "You");
    page.click(".square.movable");
    page.wait_for_moves(3);
    // The start page offers the game, and keeps the choices.
    page.click(".brand");
    page.wait("document.querySelector('.others .game-link')?.textContent.includes('Jump61 6 × 6')");
    assert_eq!(page.eval("document.querySelector('.games input:checked').value"), "jump61");
    page.click(".others .game-link");
    page.wait_for_moves(3);
    page.assert_clean();
}

#[test]
fn a_game_can_start_with_a_clock_and_another_engine() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "", 1280, 900);
    page.choose_radio("Checkers");
    page.choose("Clock", "180+2");
    page.click(".advanced summary");
    page.choose("Engine", "random");
    page.press_button("Start game");
    page.wait("document.querySelectorAll('.strip .clock').length === 2");
    assert!(page.text(".strip.above").contains("Random moves"));
    assert_eq!(page.text(".strip.below .clock").trim(), "3:00");
    page.key("Tab");
    page.click(".square.movable");
    page.click(".square.target");
    page.wait_for_moves(2);
    // The engine's clock gained the increment, minus the time of its move. The user's clock runs.
    page.wait("/^3:0[0-2]/.test(document.querySelector('.strip.above .clock').textContent.trim())");
    page.wait("document.querySelector('.strip.below .clock').textContent.trim().startsWith('2:5')");
    // The dialog for a new game keeps the engine.
    page.open_new_game();
    assert_eq!(page.eval("[...document.querySelectorAll('dialog select')].some((s) => s.value === 'random')"), true);
    page.press_button("Cancel");
    page.assert_clean();
}

#[test]
fn the_start_page_links_the_puzzle_of_the_day() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "", 390, 844);
    page.wait("document.querySelector('.others a[href=\"#/puzzles?day\"] .names span')?.textContent.length > 8");
    page.wait("document.querySelector('.others .picture g') !== null");
    assert!(is_on_screen(&mut page, ".button.begin"), "a game begins without scrolling");
    page.eval("document.querySelector('.others a').click()");
    page.wait("location.hash.startsWith('#/puzzles') && document.querySelector('.board .square') !== null");
    page.assert_clean();
}

#[test]
fn board_players_and_bar_fit_on_every_screen() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    for (title, size, sides) in [("Jump61", 10, ["Red", "Blue"]), ("Lines of Action", 8, ["Black", "White"])] {
        page.new_game(title, size, [(sides[0], "person"), (sides[1], "3")]);
        for (width, height) in [(390, 844), (844, 390), (390, 664), (1280, 800), (1920, 1080)] {
            page.resize(width, height);
            for part in [".strip.above", ".squares", ".strip.below", ".actions", ".status"] {
                assert!(is_on_screen(&mut page, part), "{title} at {width}×{height}: {part}");
            }
            assert!(!page.is_too_wide(), "{title} at {width}×{height}");
            // The opponent's name with its level is not cut off.
            let name = "(() => { const s = document.querySelector('.strip.above select'); return s.selectedOptions[0].text; })()";
            assert_eq!(page.eval(name), "Otter · level 3");
            let select_width =
                page.eval("document.querySelector('.strip.above select').getBoundingClientRect().width").as_f64();
            assert!(select_width > Some(100.0), "{title} at {width}×{height}: {select_width:?}");
            if title == "Lines of Action" {
                let board = page.eval("document.querySelector('.squares').getBoundingClientRect().height").as_f64();
                // In low windows the bars take a larger share of the height.
                let share = if height < 700 { 0.68 } else { 0.9 };
                let share = if width < height { share } else { 0.68 };
                let minimum = f64::from(width.min(height)) * share;
                assert!(board > Some(minimum), "{width}×{height}: the board is {board:?} high, expected > {minimum}");
            }
        }
    }
    page.assert_clean();
}

#[test]
fn the_layout_is_stable_while_the_engine_thinks() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    page.new_game("Lines of Action", 8, [("Black", "person"), ("White", "3")]);
    page.eval(
        "window.places = new Set(); window.recorder = () => { const r = (s) => { const b = document.querySelector(s).getBoundingClientRect(); return [b.top, b.height].map(Math.round).join(); }; \
         places.add(['.squares', '.strip.below', '.actions', '.status', '.moves'].map(r).join(' ')); requestAnimationFrame(recorder); }; recorder()",
    );
    page.click_square(7, 1);
    page.click_square(5, 1);
    page.wait_for_moves(2);
    page.wait("document.querySelector('.status').textContent.includes('Your turn (Black)')");
    assert_eq!(page.eval("places.size"), 1, "{:?}", page.eval("[...places]"));
    page.assert_clean();
}

#[test]
fn an_error_stays_until_it_is_closed_or_a_move_is_made() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 8, PERSONS);
    page.type_move("b1-b9");
    page.wait("document.querySelector('.error')?.textContent.includes('b1-b9')");
    // New states of the room do not remove the error. Another client in the room assigns White to an engine.
    page.eval(
        "(() => { const link = new WebSocket(`ws://${location.host}/socket`); \
         const room = JSON.parse(localStorage.getItem('plyhouse.room.play')); \
         link.onopen = () => link.send(JSON.stringify({ do: 'join', room })); \
         window.seat = (seat) => link.send(JSON.stringify({ do: 'act', ply: 0, act: { kind: 'seat', side: 1, seat } })); \
         return new Promise((done) => { link.onmessage = done; }).then(() => true); })()",
    );
    let white = "document.querySelector('.strip[aria-label=White] select').value";
    page.eval("seat({ kind: 'engine', level: '1' })");
    page.wait(&format!("{white} === '1'"));
    page.eval("seat({ kind: 'person' })");
    page.wait(&format!("{white} === 'person'"));
    assert!(page.text(".error").contains("b1-b9"));
    page.click(".error button");
    page.wait("document.querySelector('.error') === null");
    page.type_move("b1-b9");
    page.wait("document.querySelector('.error') !== null");
    page.type_move("b1-b3");
    page.wait_for_moves(1);
    assert_eq!(page.eval("document.querySelector('.error')"), serde_json::Value::Null);
    page.assert_clean();
}

#[test]
fn leaving_a_game_asks_for_confirmation() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 6, PERSONS);
    page.click_square(5, 1);
    page.click_square(3, 1);
    page.wait_for_moves(1);
    // Links to other games ask for confirmation.
    for link in ["#/play?game=jump61", "#/play?game=loa&size=4&moves=b1-b3&side=1"] {
        page.eval(&format!("location.hash = {link:?}"));
        page.wait("document.querySelector('dialog.leave') !== null");
        page.cancel_dialog();
        page.wait_for_moves(1);
        assert_eq!(page.eval("document.querySelectorAll('.squares .square').length"), 36);
    }
    // The dialog for a new game asks, too, and offers to save the game.
    page.open_new_game();
    page.choose_radio("Jump61");
    page.choose_radio("Two players");
    page.press_button("Start game");
    page.wait("document.querySelector('dialog.leave') !== null");
    page.press_button("Save it and start the new game");
    page.wait("document.querySelector('dialog') === null && document.querySelector('.board.dice') !== null");
    page.wait_for_moves(0);
    page.click(".brand");
    page.wait("document.querySelector('.asides')?.textContent.includes('Lines of Action 6 × 6')");
    page.click(".asides a");
    page.wait("document.querySelectorAll('.squares .square').length === 36");
    page.wait_for_moves(1);
    page.click(".brand");
    page.wait("document.querySelector('.others .game-link') !== null");
    assert_eq!(
        page.eval("document.querySelector('.asides')"),
        serde_json::Value::Null,
        "the game is on the board again"
    );
    page.assert_clean();
}

#[test]
fn resigning_asks_for_confirmation_and_a_rematch_swaps_sides() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 8, [("Black", "person"), ("White", "1")]);
    page.press_button("Resign");
    page.wait("[...document.querySelectorAll('button')].some((b) => b.textContent.trim() === 'Really resign?')");
    assert_eq!(page.eval("document.querySelector('.status.over')"), serde_json::Value::Null);
    page.press_button("Really resign?");
    page.wait("document.querySelector('.outcome strong')?.textContent === 'You lose'");
    page.press_button("Share");
    page.wait("document.querySelector('dialog.sharing[open]') !== null");
    page.key("Escape");
    page.wait("document.querySelector('.sharing') === null");
    page.press_button("Rematch");
    // The user has White now: the engine moves first, and the board is turned.
    page.wait_for_moves(1);
    page.wait("document.querySelector('.squares .square').dataset.place === '7,7'");
    assert_eq!(page.eval("document.querySelector('.strip.below').getAttribute('aria-label')"), "White");
    page.wait("document.querySelector('.status').textContent.includes('Your turn (White)')");
    page.assert_clean();
}

#[test]
fn a_game_can_be_played_by_touch_on_a_phone() {
    let site = Site::start();
    for (width, height) in [(390, 844), (844, 390)] {
        let mut page = Page::open(&site.address, "play", width, height);
        let touch = serde_json::json!({"enabled": true});
        page.browser.call("Emulation.setTouchEmulationEnabled", &touch).expect("touch");
        page.new_game("Lines of Action", 8, PERSONS);
        page.tap("[data-place='7,1']");
        page.wait("document.querySelector('.square.target') !== null");
        page.tap("[data-place='5,1']");
        page.wait_for_moves(1);
        page.tap(".actions > .button");
        page.wait_for_moves(0);
        page.tap("[popovertarget]");
        page.wait("document.querySelector('.sheet:popover-open') !== null");
        page.tap(".sheet .button");
        page.wait_for_moves(1);
        page.wait("document.querySelector('.sheet:popover-open') === null");
        page.assert_clean();
    }
}

#[test]
fn mistakes_of_a_game_can_be_corrected() {
    let site = Site::start();
    // Black could have won with c1-a3.
    let game = "review?game=loa&size=4&moves=b1-b3,a2-c2,c1-d1,d2-b2&side=0";
    let mut page = Page::open(&site.address, game, 1280, 900);
    let message = "document.querySelector('.lesson-box .said')?.textContent";
    page.wait(&format!("{message} === 'Black played c1-d1. Find a better move.'"));
    assert_eq!(page.eval("document.querySelectorAll('.report tbody tr').length"), 2);
    assert!(page.text(".lesson-box").contains("Blunder"));
    // Another losing move is refuted on the board.
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    page.click_square(0, 1);
    page.click_square(2, 3);
    page.wait(&format!("{message} === 'b4-d2 does not help: the reply is a3-c1.'"));
    page.wait("document.querySelector('[aria-live]').textContent.startsWith('White: a3 to c1.')");
    page.press_button("Try again");
    // The move of the game is refuted, too.
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    page.click_square(3, 2);
    page.click_square(3, 3);
    page.wait(&format!("{message}.startsWith('c1-d1 was played in the game.')"));
    page.press_button("Try again");
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    page.click_square(3, 2);
    page.click_square(1, 0);
    page.wait(&format!("{message} === 'Yes: c1-a3 is the best move.'"));
    page.press_button("Finish");
    page.wait("document.querySelector('.lesson-box').textContent.includes('You found 1 of 1.')");
    page.press_button("Start over");
    page.press_button("Show the better move");
    page.wait(&format!("{message} === 'c1-a3 was better.'"));
    page.wait("document.querySelector('[aria-live]').textContent.startsWith('Black: c1 to a3.')");
    // White's position was lost before its errors.
    page.choose_radio("White");
    page.wait("document.querySelector('.lesson-box').textContent.includes('No mistakes by White.')");
    page.assert_clean();
}
