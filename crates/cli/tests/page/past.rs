//! Looking back during a game, in a real browser.

use crate::page::premoves::open_with_premove;
use crate::page::site::{PERSONS, Page, Site};

/// Waits until the ribbon contains a text.
fn wait_for_ribbon(page: &mut Page, text: &str) {
    page.wait(&format!("document.querySelector('.past-ribbon')?.textContent.includes({text:?})"));
}

const NO_RIBBON: &str = "document.querySelector('.past-ribbon') === null";

#[test]
fn moves_and_keys_show_the_past() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    page.new_game("Lines of Action", 6, PERSONS);
    for (ply, [from, to]) in [[(5, 1), (3, 1)], [(4, 0), (4, 2)], [(5, 3), (3, 3)]].into_iter().enumerate() {
        page.click_square(from.0, from.1);
        page.click_square(to.0, to.1);
        page.wait_for_moves(ply + 1);
    }
    page.press_button("a2-c2");
    wait_for_ribbon(&mut page, "After move 2: a2-c2");
    // The earlier position covers the present one, and has no legal moves.
    page.wait("document.querySelector(\".past .square[data-place='5,3']\").ariaLabel.includes('Black')");
    page.key("ArrowLeft");
    wait_for_ribbon(&mut page, "After move 1: b1-b3");
    page.key("Home");
    wait_for_ribbon(&mut page, "Start of the game");
    page.key("ArrowRight");
    wait_for_ribbon(&mut page, "After move 1");
    page.key("Escape");
    page.wait(NO_RIBBON);
    // A square, the button and the last move lead back to the present.
    page.key("ArrowLeft");
    wait_for_ribbon(&mut page, "After move 2");
    page.click(".past [data-place='3,1']");
    page.wait(NO_RIBBON);
    page.key("ArrowLeft");
    page.press_button("Back to the game");
    page.wait(NO_RIBBON);
    page.key("ArrowLeft");
    wait_for_ribbon(&mut page, "After move 2");
    page.key("End");
    page.wait(NO_RIBBON);
    // A move in the present ends the view of an earlier position.
    page.key("ArrowLeft");
    wait_for_ribbon(&mut page, "After move 2");
    page.type_move("f2-d2");
    page.wait_for_moves(4);
    page.wait(NO_RIBBON);
    // After a reload the server sends the earlier positions.
    page.go("play", 1280, 900);
    page.wait_for_moves(4);
    page.press_button("b1-b3");
    wait_for_ribbon(&mut page, "After move 1: b1-b3");
    assert_eq!(page.violations("'.past-ribbon'"), "");
    // An undo ends the view.
    page.press_button("Undo");
    page.wait(NO_RIBBON);
    page.assert_clean();
}

#[test]
fn a_premove_survives_and_a_new_move_only_marks_the_ribbon() {
    let site = Site::start();
    let mut page = open_with_premove(&site);
    page.key("ArrowLeft");
    wait_for_ribbon(&mut page, "Start of the game");
    page.eval("release()");
    // The reply, the premove and the next reply are played while the board shows the earlier position.
    page.wait_for_moves(4);
    assert!(page.text(".moves").contains("h2-h3"), "{}", page.text(".moves"));
    page.wait("document.querySelector('.past-ribbon .fresh') !== null");
    wait_for_ribbon(&mut page, "Start of the game");
    page.press_button("Back to the game");
    page.wait("document.querySelector('.square.movable') !== null");
    page.assert_clean();
}
