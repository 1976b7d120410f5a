//! Typed moves and questions, illegal moves, imports from other programs, and live regions, in a real browser.

use crate::page::motion::{centre, mouse};
use crate::page::site::{PERSONS, Page, Site, find_puzzle, is_win, path};

/// Expression for the text of all live regions of the page.
const SPOKEN: &str = "[...document.querySelectorAll('[role=status], [role=alert], [aria-live]')].map((e) => e.textContent.trim()).join(' | ')";

/// Waits until a live region contains a text.
fn wait_for_speech(page: &mut Page, text: &str) {
    page.wait(&format!("{SPOKEN}.includes({text:?})"));
}

/// Returns the text in the field for moves.
fn field(page: &mut Page) -> String {
    page.eval("document.querySelector('.typed input').value").as_str().unwrap_or_default().to_owned()
}

#[test]
fn typed_moves_have_many_spellings_and_stay_after_an_error() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play?game=loa", 1280, 900);
    page.new_game("Lines of Action", 8, PERSONS);
    for (text, error) in [
        ("foo", "I can't read “foo”. Type a move like b1-d3."),
        ("d1-d5", "d1-d5 is not legal: two pieces stand on the d-file, so the piece moves exactly two squares."),
    ] {
        page.type_move(text);
        page.wait(&format!("document.querySelector('.error span')?.textContent === {error:?}"));
        assert_eq!(field(&mut page), text);
    }
    let spellings = ["b1b3", "A2-C2", "d1 d3", "h2\u{2013}f2", "e1xe3", "h7:f7"];
    for (number, text) in (1..).zip(spellings) {
        page.type_move(text);
        page.wait_for_moves(number);
        page.wait("document.querySelector('.typed input').value === ''");
    }
    assert_eq!(page.eval("document.querySelector('.error')"), serde_json::Value::Null);
    page.new_game("Jump61", 4, [("Red", "person"), ("Blue", "person")]);
    for (number, text) in (1..).zip(["3 4", "1-1", "3:4", "1x1"]) {
        page.type_move(text);
        page.wait_for_moves(number);
    }
    page.assert_clean();
}

#[test]
fn an_illegal_move_on_the_board_shows_the_rule_at_the_square() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play?game=loa", 1280, 900);
    page.new_game("Lines of Action", 8, PERSONS);
    let shows = |page: &mut Page, text: &str| {
        page.wait(&format!("document.querySelector('.why')?.textContent === {text:?}"));
        wait_for_speech(page, text);
    };
    // Clicks on d1, then e4.
    page.click_square(7, 3);
    page.click_square(4, 4);
    let rule = "d1-e4 is not legal: a piece moves along a file, a rank or a diagonal.";
    shows(&mut page, rule);
    let gap = page.eval(
        "document.querySelector(\"[data-place='4,4']\").getBoundingClientRect().top - \
         document.querySelector('.why').getBoundingClientRect().bottom",
    );
    assert!(gap.as_f64().is_some_and(|gap| (0.0..10.0).contains(&gap)), "the sentence is above its square: {gap}");
    // The next action removes the rule.
    page.click_square(7, 3);
    page.wait("document.querySelector('.why') === null");
    page.key("Escape");
    // A drag from d1 to d5.
    let [from, to] = ["7,3", "3,3"].map(|place| centre(&mut page, place));
    for (kind, at) in [("mousePressed", from), ("mouseMoved", to), ("mouseMoved", to), ("mouseReleased", to)] {
        mouse(&mut page, kind, at);
    }
    shows(&mut page, "d1-d5 is not legal: two pieces stand on the d-file, so the piece moves exactly two squares.");
    page.click_square(6, 0);
    shows(&mut page, "a2 cannot move: the piece on a2 is White's, and Black is to move.");
    assert_eq!(page.violations("document.querySelector('main')"), "");
    page.new_game("Jump61", 4, [("Red", "person"), ("Blue", "person")]);
    page.click_square(0, 0);
    page.wait_for_moves(1);
    page.click_square(0, 0);
    shows(&mut page, "1:1 is not legal: the square is Red's.");
    // The other views with a board show the rule, too.
    page.turn_engine_off();
    page.go("analyse?game=loa", 1280, 900);
    page.click_square(7, 3);
    page.click_square(4, 4);
    shows(&mut page, rule);
    page.go("analyse?game=breakthrough", 1280, 900);
    page.click_square(7, 3);
    shows(&mut page, "The piece on d1 has no legal move.");
    page.assert_clean();
}

#[test]
fn the_field_for_moves_answers_questions() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play?game=loa", 1280, 900);
    page.new_game("Lines of Action", 4, PERSONS);
    for (question, answer) in [
        ("legal b1", "3 legal moves: b1-"),
        ("last", "New game. Black to move."),
        ("clock", "This game has no clock."),
        ("board", "4: Black piece b, c\n3: White piece a, d"),
        ("scan a", "a: White piece 3, 2"),
        ("pieces", "Black piece b4, c4, b1, c1"),
        ("help", "legal: the legal moves"),
    ] {
        page.type_move(question);
        page.wait(&format!("document.querySelector('.typed-answer[role=status]').textContent.startsWith({answer:?})"));
        assert_eq!(field(&mut page), "");
    }
    assert_eq!((page.moves(), page.eval("document.querySelector('.error')")), (0, serde_json::Value::Null));
    assert_eq!(page.violations("document.querySelector('main')"), "");
    // The next move removes the answer.
    page.type_move("b1-b3");
    page.wait("document.querySelector('.typed-answer').textContent === ''");
    page.assert_clean();
}

/// Pastes a text into the Share tool of the analysis and opens it.
fn paste(page: &mut Page, text: &str) {
    page.wait("document.querySelector('.tool-row') !== null");
    page.press_button("Share");
    page.wait("document.querySelector('.exchange textarea') !== null");
    page.eval(&format!(
        "(() => {{ const t = document.querySelector('.exchange textarea'); t.value = {text:?}; t.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    ));
    page.press_button("Open");
}

#[test]
fn imports_keep_legal_moves_and_report_illegal_ones() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa", 1280, 900);
    let moves = |count: usize| format!("document.querySelectorAll('.tree .move').length === {count}");
    for text in [
        "\u{feff}(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])",
        "(;GM[LOA]VV[1]P0[id \"x\"]P1[id \"y\"];B[1 b1-b3];W[2 a2-c2])\u{1a}",
        "(;Game[9]Size[8]PlayerBlack[A];Black[b1b3];White[a2c2])",
        "1. b1:b3 A2:C2",
    ] {
        paste(&mut page, "b1-h1");
        page.wait(&moves(1));
        paste(&mut page, text);
        page.wait(&moves(2));
    }
    paste(&mut page, "(;GM[9];B[b1-b3](;W[a2-c2];B[d1-d3])(;W[a2-h7];B[d1-d3]))");
    page.wait(&moves(3));
    wait_for_speech(&mut page, "Opened. 2 moves left out: SGF, line 1, column 39: W[a2-h7]: a2-h7 is not legal: ");
    // The next attempt removes the message of the last success.
    for (text, error) in [
        ("(;GM[9]SU[Parachute];B[b1-b3])", "SU[Parachute]: this start is not supported"),
        ("(;GM[9];B[b1-b3]", "The file ends too early."),
    ] {
        paste(&mut page, text);
        page.wait(&format!("document.querySelector('.exchange [role=alert]')?.textContent.includes({error:?})"));
        assert_eq!(page.text(".notice").trim(), "");
        page.wait(&moves(3));
    }
    page.assert_clean();
}

#[test]
fn every_view_speaks_moves_results_and_errors() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "play?game=loa", 1280, 900);
    page.new_game("Lines of Action", 4, PERSONS);
    page.type_move("b1-b3");
    wait_for_speech(&mut page, "Black: b1 to b3. White to move.");
    page.type_move("b1-b3");
    wait_for_speech(&mut page, "b1-b3 is not legal: ");
    page.press_button("Resign");
    page.press_button("Really resign?");
    wait_for_speech(&mut page, "resigns: ");
    page.go("analyse?game=loa&moves=b1-b3", 1280, 900);
    wait_for_speech(&mut page, "Black: b1 to b3. White to move.");
    let (number, puzzle) = find_puzzle(games::GameId::LOA, is_win(3));
    page.go(&format!("puzzles?game=loa&number={}", number + 1), 1280, 900);
    for [row, column] in path(games::GameId::LOA, Some(&puzzle.start), &[], &puzzle.solution[0]) {
        page.click_square(row, column);
    }
    // The defence follows the right move.
    let (from, to) = puzzle.solution[1].split_once('-').expect("two squares");
    wait_for_speech(&mut page, &format!(": {from} to {to}. "));
    page.go("learn/loa", 1280, 900);
    page.wait("document.querySelector('.square.movable') !== null");
    page.click(".square.movable");
    page.click(".square.target");
    wait_for_speech(&mut page, " to move.");
    page.wait("document.querySelector('.answer[role=status]').textContent !== ''");
    page.go("review?game=loa&size=4&moves=b1-b3,a2-c2,c1-d1,d2-b2&side=0", 1280, 900);
    wait_for_speech(&mut page, "White: a2 to c2. Black to move.");
    page.assert_clean();
}

#[test]
fn low_time_and_lost_connections_are_spoken() {
    let site = Site::with(&["--lan", "--address", "127.0.0.6"]);
    let mut page = Page::open(&site.address, "play?game=loa", 1280, 900);
    page.eval("localStorage['plyhouse.game.play'] = JSON.stringify({ game: { game: 'loa', size: 6, moves: ['b1-b3'] }, \
         seats: [{ kind: 'person' }, { kind: 'person' }], clock: { kind: 'game', ms: 60000, increment: 0 }, left: [60000, 9000] })");
    page.eval("localStorage.setItem('plyhouse.room.play', '\"gone\"')");
    page.go("play", 1280, 900);
    wait_for_speech(&mut page, "White has less than 10 seconds.");
    // The shared board and the watch view speak, too.
    page.go("table", 1280, 900);
    wait_for_speech(&mut page, "New game. Black to move.");
    page.go("watch", 1280, 900);
    wait_for_speech(&mut page, " to move.");
    drop(site);
    wait_for_speech(&mut page, "Connection lost.");
}
