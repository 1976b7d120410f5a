//! Playing on the page in a real browser.

use crate::page::site::{PERSONS, Page, Site};

#[test]
fn every_game_can_be_finished_by_mouse() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.play_every_game("person");
    page.assert_clean();
}

#[test]
fn lines_of_action_can_be_played_by_keyboard_alone() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 4, PERSONS);
    // Tab reaches only a1; b1 is next to it. The piece on b1 moves two squares, because two pieces stand on the file.
    page.eval("document.querySelector('.square[tabindex=\"0\"]').focus()");
    page.key("ArrowRight");
    assert_eq!(page.eval("document.activeElement.getAttribute('aria-label')"), "b1, Black piece, can move");
    page.key("Enter");
    page.wait("document.activeElement.getAttribute('aria-label').includes('selected')");
    page.key("Escape");
    page.wait("!document.activeElement.getAttribute('aria-label').includes('selected')");
    page.key("Enter");
    page.key("ArrowUp");
    page.key("ArrowUp");
    page.wait("document.activeElement.getAttribute('aria-label').includes('can go here')");
    page.key("Enter");
    page.wait_for_moves(1);
    page.wait("document.querySelector('[aria-live]').textContent.startsWith('Black: b1 to b3. White to move.')");
    // The other moves are typed.
    for _ in 0..60 {
        if page.eval("document.querySelector('.status.over') !== null") == true {
            break;
        }
        let before = page.moves();
        let first = page.eval(&format!("(() => {{ const all = [...document.querySelectorAll('.square.movable')]; const p = all[{before} * 7 % all.length].dataset.place.split(',').map(Number); return 'abcd'[p[1]] + (4 - p[0]); }})()"));
        page.eval(&format!("document.querySelector('[data-place=\"{},{}\"]').focus()", row(&first), column(&first)));
        page.key("Enter");
        page.wait("document.querySelector('.square.target') !== null");
        let to = page.eval("(() => { const p = document.querySelector('.square.target').dataset.place.split(',').map(Number); return 'abcd'[p[1]] + (4 - p[0]); })()");
        page.type_move(&format!("{}-{}", first.as_str().expect("a square"), to.as_str().expect("a square")));
        page.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length === {}", before + 1));
    }
    assert!(page.text(".status").contains("wins: "), "{}", page.text(".status"));
    page.assert_clean();
}

#[test]
fn the_other_games_can_be_played_by_keyboard_alone() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.choose("Cascades", "0");
    page.new_game("Jump61", 2, [("Red", "person"), ("Blue", "person")]);
    page.eval("document.querySelector('.square[tabindex=\"0\"]').focus()");
    for _ in 0..40 {
        page.wait("document.querySelector('.square.movable, .status.over') !== null");
        if page.eval("document.querySelector('.status.over') !== null") == true {
            break;
        }
        let before = page.moves();
        let place = page.eval("document.querySelector('.square.movable').dataset.place.split(',').map(Number)");
        page.move_focus(serde_json::from_value(place).expect("a row and a column"));
        page.key("Enter");
        page.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length > {before}"));
    }
    assert!(page.text(".status").contains("every square has its colour"), "{}", page.text(".status"));
    page.go("play?game=breakthrough&start=-b--/--w-/----/----%20w", 1280, 900);
    page.wait("document.querySelectorAll('.square.movable').length === 1");
    page.eval("document.querySelector('.square[tabindex=\"0\"]').focus()");
    page.move_focus([1, 2]);
    page.key("Enter");
    page.move_focus([0, 2]);
    page.key("Enter");
    page.wait("document.querySelector('.status.over') !== null");
    assert_eq!(page.text(".outcome p").trim(), "White wins: a piece is on the far rank.");
    page.go(&crate::page::site::checkers_near_the_end(), 1280, 900);
    page.choose("White", "person");
    page.wait("document.querySelectorAll('.square.movable').length === 1");
    page.eval("document.querySelector('.square[tabindex=\"0\"]').focus()");
    page.move_focus([3, 2]);
    page.key("Enter");
    page.move_focus([1, 4]);
    page.key("Enter");
    page.wait("document.querySelector('.status.over') !== null");
    assert_eq!(page.text(".outcome p").trim(), "Black wins: White has no legal move.");
    page.assert_clean();
}

/// Returns the row of a square on a board of four rows.
fn row(square: &serde_json::Value) -> u8 {
    4 - (square.as_str().expect("a square").as_bytes()[1] - b'0')
}

fn column(square: &serde_json::Value) -> u8 {
    square.as_str().expect("a square").as_bytes()[0] - b'a'
}

#[test]
fn the_engine_answers_and_undo_takes_back_its_move() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 8, [("Black", "person"), ("White", "1")]);
    page.choose("Thinking time (White)", "10000 n");
    page.click_square(7, 1);
    page.wait("document.querySelectorAll('.marks .action').length === 4");
    assert_eq!(page.text(".marks .count text"), "2", "two pieces on the file");
    page.click_square(5, 1);
    page.wait_for_moves(2);
    page.press_button("Undo");
    page.wait_for_moves(0);
    assert_eq!(page.eval("document.querySelectorAll('.moves .gone').length"), 2, "the undone line is kept");
    page.press_button("Redo");
    page.wait_for_moves(2);
    // The engine takes over Black during the game and then plays both sides, until the user takes over both.
    page.choose("Black", "1");
    page.wait("document.querySelectorAll('.moves .move:not(.gone)').length >= 4");
    page.choose("Black", "person");
    page.choose("White", "person");
    page.wait("document.querySelector('.status p').textContent.endsWith(' to move')");
    // Once the fields of the engines have disappeared, the buttons below them stay in place.
    page.wait("![...document.querySelectorAll('.field span')].some((e) => e.textContent.startsWith('Thinking time'))");
    let before = page.moves();
    // A hint shows first the piece, then the move, then the line.
    page.press_button("Hint");
    page.wait("document.querySelectorAll('.square.hint').length === 1");
    page.press_button("Hint");
    page.wait("document.querySelectorAll('.square.hint').length === 2 && document.querySelector('.arrow') !== null");
    page.press_button("Hint");
    page.wait("/^Hint: .*[^.]$/.test(document.querySelector('.help-text').textContent)");
    // Drag the hinted piece to its square.
    drag(&mut page, ".square.hint.movable", ".square.hint:not(.movable)");
    page.wait_for_moves(before + 1);
    page.press_button("Flip");
    page.wait("document.querySelector('.squares .square').dataset.place === '7,7'");
    page.press_button("Groups");
    page.wait("document.querySelector('.square.group0, .square.group1') !== null");
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait("document.querySelector('.status').textContent.includes(' resigns: ')");
    page.assert_clean();
}

/// Drags with the mouse from one element to another.
fn drag(page: &mut Page, from: &str, to: &str) {
    let middle = |page: &mut Page, selector: &str| {
        page.eval(&format!("(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"))
    };
    let (a, b) = (middle(page, from), middle(page, to));
    let between = serde_json::json!([
        f64::midpoint(a[0].as_f64().expect("x"), b[0].as_f64().expect("x")),
        f64::midpoint(a[1].as_f64().expect("y"), b[1].as_f64().expect("y")),
    ]);
    for (kind, at, buttons) in
        [("mousePressed", &a, 1), ("mouseMoved", &between, 1), ("mouseMoved", &b, 1), ("mouseReleased", &b, 0)]
    {
        let event = serde_json::json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "buttons": buttons, "clickCount": 1});
        page.browser.call("Input.dispatchMouseEvent", &event).expect("a mouse");
    }
}

#[test]
fn every_game_can_be_finished_against_the_engine() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    page.choose("Cascades", "0");
    for (title, size, seats) in [
        ("Lines of Action", 4, [("Black", "person"), ("White", "2")]),
        ("Jump61", 3, [("Red", "1"), ("Blue", "person")]),
        ("Breakthrough", 4, [("White", "person"), ("Black", "1")]),
    ] {
        page.new_game(title, size, seats);
        for _ in 0..60 {
            page.wait(
                "document.querySelector('.status.over') !== null || document.querySelector('.square.movable') !== null",
            );
            if page.eval("document.querySelector('.status.over') !== null") == true {
                break;
            }
            let before = page.moves();
            page.click(".square.movable");
            page.wait(&format!("document.querySelector('.square.target') !== null || document.querySelectorAll('.moves .move:not(.gone)').length > {before}"));
            if page.moves() == before && page.eval("document.querySelector('.square.target') !== null") == true {
                page.click(".square.target");
            }
            page.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length > {before}"));
        }
        assert!(page.text(".status").contains("wins: "), "{title}: {}", page.text(".status"));
        assert!(!page.is_too_wide(), "{title} is wider than the phone");
    }
    // In checkers each side has one man, and the engine plays White.
    let rows = ["........", "........", "...w....", "........", ".b......", "........", "........", "........"];
    page.go(&format!("play?game=checkers&start={}%20b", rows.join("/")), 390, 844);
    for _ in 0..60 {
        page.wait("document.querySelector('.status.over, .square.movable') !== null");
        if page.eval("document.querySelector('.status.over') !== null") == true {
            break;
        }
        let before = page.moves();
        page.click(".square.movable");
        page.wait("document.querySelector('.square.target') !== null");
        page.click(".square.target");
        page.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length > {before}"));
    }
    assert!(page.eval("document.querySelector('.status.over') !== null") == true, "{}", page.text(".status"));
    page.assert_clean();
}

#[test]
fn a_cascade_can_be_skipped_and_ends_with_a_new_game() {
    let site = Site::start();
    let full = "2r3r2r/3r4r3r/2r3r1b".replace('/', "%2F");
    let mut page = Page::open(&site.address, &format!("play?game=jump61&start={full}"), 1280, 900);
    page.choose("Blue", "person");
    page.choose("Cascades", "600");
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    page.click_square(0, 0);
    page.wait("document.querySelector('.skip') !== null");
    page.click(".skip");
    page.wait("document.querySelector('.skip') === null");
    page.wait("document.querySelector('.status.over') !== null");
    // A new game starts during a cascade, which does not end by itself because its timers are suppressed.
    page.press_button("Undo");
    page.wait(
        "document.querySelectorAll('.square.movable').length > 0 && document.querySelector('.status.over') === null",
    );
    page.eval("window.setTimeout = (act, ms = 0, ...rest) => (ms < 40 ? window.realTimer(act, ms, ...rest) : 0)");
    page.click_square(0, 0);
    page.wait("document.querySelector('.skip') !== null");
    page.new_game("Jump61", 3, [("Red", "person"), ("Blue", "person")]);
    page.wait("document.querySelector('.skip, .flying, .square.last, .status.over') === null");
    page.click_square(1, 1);
    page.wait_for_moves(1);
    assert_eq!(page.text(".moves .move:not(.gone)").trim(), "2:2");
    page.assert_clean();
}

#[test]
fn invalid_links_show_an_error_and_a_playable_board() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play?game=jump61&start=9r", 1280, 900);
    page.wait("document.querySelector('.error').textContent.length > 5");
    page.click_square(7, 1);
    page.wait("document.querySelector('.square.target') !== null");
    page.load("analyse?game=loa&moves=b1-b9", 1280, 900);
    page.wait("document.querySelector('[role=alert]')?.textContent.includes('b1-b9')");
    page.wait("document.querySelectorAll('.piece .disc').length === 24");
    page.assert_clean();
}

#[test]
fn a_game_survives_a_reload_a_second_page_and_a_server_restart() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 6, PERSONS);
    page.click_square(5, 1);
    page.click_square(3, 1);
    page.wait_for_moves(1);
    // Reload the page.
    page.go("play", 1280, 900);
    page.wait_for_moves(1);
    // Open a second page in the same room.
    let room = page.eval("localStorage.getItem('plyhouse.room.play')");
    let mut other = Page::open(&site.address, "learn/loa", 800, 700);
    other.eval(&format!("localStorage.setItem('plyhouse.room.play', {:?})", room.as_str().expect("a room")));
    other.go("play", 800, 700);
    other.wait_for_moves(1);
    other.click(".square.movable");
    other.click(".square.target");
    page.wait_for_moves(2);
    // Kill and restart the server: the page continues the game from its own copy.
    let port = site.port().to_owned();
    drop(site);
    page.wait("document.querySelector('.status').textContent.includes('Connection lost')");
    let _site = Site::on_port(&port);
    page.wait("!document.querySelector('.status').textContent.includes('Connection lost')");
    page.wait_for_moves(2);
    page.wait("document.querySelector('.square.movable') !== null");
    page.click(".square.movable");
    page.click(".square.target");
    page.wait_for_moves(3);
}
