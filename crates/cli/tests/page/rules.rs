//! The rules of a game and its start on the page: chosen in the dialogs, and kept by everything that begins with the
//! same game.

use crate::page::site::{Page, Site};

/// Opens the dialog for a new analysis.
fn open_dialog(page: &mut Page) {
    page.press_button("Menu");
    page.press_button("New analysis");
    page.wait("document.querySelector('dialog[open]') !== null");
}

/// JavaScript expression for the selected rules in the open dialog; null if it offers none.
const RULES: &str = "[...document.querySelectorAll('dialog[open] .field')] \
    .find((field) => field.querySelector('span').textContent === 'Rules')?.querySelector('select').value ?? null";

/// Checks the position of the analysis, with the button that copies its text.
fn assert_position(page: &mut Page, text: &str) {
    page.wait("document.querySelector('.tool-row') !== null");
    page.press_button("Share");
    page.press_button("Copy position");
    page.wait(&format!("document.querySelector('.exchange textarea').value === {text:?}"));
}

#[test]
fn a_new_analysis_has_the_chosen_rules_and_start() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa", 1280, 900);
    open_dialog(&mut page);
    assert_eq!(page.eval(RULES), "", "the rules of the current analysis");
    page.choose("Rules", "scrambled-eggs mso");
    page.choose("Board", "6");
    page.press_button("Start");
    page.wait("document.querySelectorAll('.squares .square').length === 36");
    let eggs = "-wbwb-/b----w/w----b/b----w/w----b/-bwbw- b mso";
    assert_position(&mut page, eggs);
    // A reload restores them, and the next analysis has the same rules.
    page.go("analyse", 1280, 900);
    assert_position(&mut page, eggs);
    open_dialog(&mut page);
    assert_eq!(page.eval(RULES), "scrambled-eggs mso");
    assert_eq!(page.violations("'dialog[open]'"), "");
    // Other games have their own rules.
    page.choose("Game", "jump61");
    page.wait(&format!("({RULES}) === null"));
    page.choose("Game", "loa");
    page.wait(&format!("({RULES}) === ''"));
    page.press_button("Cancel");
    page.wait("document.querySelector('dialog') === null");
    page.assert_clean();
}

#[test]
fn the_editor_and_a_game_from_an_analysis_keep_the_rules() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&start=mso", 1280, 900);
    let count = |pieces: usize| format!("document.querySelectorAll('.piece .disc').length === {pieces}");
    let edit = |page: &mut Page| {
        page.wait("document.querySelector('.tool-row') !== null");
        page.press_button("Menu");
        page.press_button("Set up position");
        page.wait("document.querySelector('.brushes') !== null");
    };
    edit(&mut page);
    page.press_button("Clear board");
    page.wait(&count(0));
    page.press_button("Start position");
    page.wait(&count(24));
    page.choose("Board", "5");
    page.wait(&count(12));
    page.press_button("Clear board");
    page.wait(&count(0));
    page.choose("To move", "1");
    for (brush, squares) in [("Black", [(0, 0), (4, 4)]), ("White", [(0, 4), (4, 0)])] {
        page.press_button(brush);
        for (row, column) in squares {
            page.click_square(row, column);
        }
    }
    page.wait(&count(4));
    page.press_button("Analyse");
    let set_up = "b---w/-----/-----/-----/w---b w mso";
    assert_position(&mut page, set_up);
    // The position is played under these rules, and so is the next game.
    page.press_button("Play from here");
    page.wait(&format!("location.hash.startsWith('#/play') && {}", count(4)));
    page.press_button("New game");
    page.wait("document.querySelector('dialog[open]') !== null");
    assert_eq!(page.eval(RULES), "mso");
    page.press_button("Cancel");
    page.wait("document.querySelector('dialog') === null");
    page.press_button("Analyse");
    page.wait("location.hash.startsWith('#/analyse')");
    page.wait("document.querySelector('.tool-row') !== null");
    assert_position(&mut page, set_up);
    page.assert_clean();
}

#[test]
fn the_dialogs_are_as_wide_as_their_fields() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&start=mso", 1280, 900);
    let fits = "(() => { const d = document.querySelector('dialog[open]'); return d.scrollWidth <= d.clientWidth; })()";
    // The last is a desktop of 1280×720 at 200 % zoom.
    for (width, height) in [(1280, 900), (390, 844), (640, 360)] {
        page.resize(width, height);
        open_dialog(&mut page);
        page.choose("Rules", "scrambled-eggs");
        assert_eq!(page.eval(fits), true, "new analysis, {width}×{height}");
        page.press_button("Cancel");
        page.wait("document.querySelector('dialog') === null");
    }
    page.go("play?game=loa&start=mso", 1280, 900);
    for (width, height) in [(1280, 900), (390, 844), (640, 360)] {
        page.resize(width, height);
        page.press_button("New game");
        page.wait("document.querySelector('dialog[open]') !== null");
        page.eval("document.querySelector('dialog details').open = true");
        assert_eq!(page.eval(fits), true, "new game, {width}×{height}");
        page.press_button("Cancel");
        page.wait("document.querySelector('dialog') === null");
    }
    page.assert_clean();
}
