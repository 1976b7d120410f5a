//! The page by keyboard alone, in a real browser: Tab, arrow keys, Enter, Escape. No test here clicks.

use crate::page::site::{Page, Site, path};
use games::{GameId, Task};

/// Presses Tab until an element has the focus.
fn tab_to(page: &mut Page, selector: &str) {
    for _ in 0..120 {
        if page.eval(&format!("document.activeElement?.matches({selector:?}) ?? false")) == true {
            return;
        }
        page.key("Tab");
    }
    panic!("Tab does not reach {selector}");
}

/// Presses Tab until a button with this text has the focus, then presses Enter.
fn press_by_keyboard(page: &mut Page, label: &str) {
    page.wait(&format!(
        "[...document.querySelectorAll('button, a')].some((e) => e.textContent.trim() === {label:?} && !e.disabled)"
    ));
    for _ in 0..120 {
        if page.eval("document.activeElement?.textContent.trim()") == label {
            return page.key("Enter");
        }
        page.key("Tab");
    }
    panic!("Tab does not reach the button {label}");
}

/// Moves the focus to the board and makes a move.
fn play_move(page: &mut Page, game: GameId, start: &str, moves: &[&str], text: &str) {
    page.wait("document.querySelector('.square.movable') !== null");
    tab_to(page, ".square");
    for place in path(game, Some(start), moves, text) {
        choose_square(page, place);
    }
}

fn choose_square(page: &mut Page, place: [usize; 2]) {
    page.move_focus(place);
    page.key("Enter");
}

#[test]
fn a_game_can_be_chosen_and_started() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 1280, 900);
    tab_to(&mut page, ".games input:checked");
    page.key("ArrowRight");
    page.wait("document.querySelector('.games input:checked').value === 'checkers'");
    tab_to(&mut page, ".strength input");
    let before = page.text(".rival strong");
    page.key("ArrowRight");
    page.wait(&format!("document.querySelector('.rival strong').textContent !== {before:?}"));
    let rival = page.text(".rival strong");
    press_by_keyboard(&mut page, "Start game");
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    assert!(page.text(".strip.above").contains(&rival));
    // The settings open, change and close, and the focus returns to where it was.
    tab_to(&mut page, ".settings summary");
    page.key("Enter");
    page.wait("document.querySelector('.settings[open]') !== null");
    tab_to(&mut page, ".settings .menu section:nth-of-type(2) select");
    page.key("d");
    page.wait("document.documentElement.dataset.theme === 'dark'");
    page.key("Escape");
    page.wait("document.querySelector('.settings[open]') === null && document.activeElement.matches('summary')");
    // Leaving a game asks for confirmation, which Escape cancels.
    press_by_keyboard(&mut page, "New game");
    page.wait("document.querySelector('dialog[open]')?.contains(document.activeElement)");
    page.key("Escape");
    page.wait("document.querySelector('dialog') === null");
    page.assert_clean();
}

#[test]
fn a_puzzle_can_be_solved() {
    let site = Site::start();
    let game = GameId::LOA;
    let all = game.puzzles();
    let (number, puzzle) = all.iter().enumerate().find(|(_, p)| p.task == Task::Win(3)).expect("a win in two");
    let mut page = Page::open(&site.address, &format!("puzzles?game=loa&number={}", number + 1), 1280, 900);
    let line: Vec<&str> = puzzle.solution.iter().map(String::as_str).collect();
    page.wait("document.querySelector('.verdict')?.textContent.includes('Your move')");
    play_move(&mut page, game, &puzzle.start, &[], line[0]);
    page.wait(&format!("document.querySelector('.verdict').textContent.includes({:?})", line[1]));
    play_move(&mut page, game, &puzzle.start, &line[..2], line[2]);
    page.wait("document.querySelector('.verdict').textContent.includes('Solved!')");
    press_by_keyboard(&mut page, "Next puzzle");
    page.wait("document.querySelector('.verdict').textContent.includes('Your move')");
    // The board has the focus again.
    press_by_keyboard(&mut page, "Hint");
    page.wait("document.querySelector('.square.hint') !== null");
    page.assert_clean();
}

#[test]
fn a_mistake_can_be_corrected() {
    let site = Site::start();
    // Black could have won with c1-a3.
    let game = "review?game=loa&size=4&moves=b1-b3,a2-c2,c1-d1,d2-b2&side=0";
    let mut page = Page::open(&site.address, game, 1280, 900);
    let message = "document.querySelector('.lesson-box .said')?.textContent";
    page.wait(&format!("{message} === 'Black played c1-d1. Find a better move.'"));
    page.wait("document.querySelectorAll('.square.movable').length > 0");
    tab_to(&mut page, ".square");
    choose_square(&mut page, [3, 2]);
    choose_square(&mut page, [1, 0]);
    page.wait(&format!("{message}?.startsWith('Yes: c1-a3 is ')"));
    page.assert_clean();
}

#[test]
fn the_analysis_tools_can_be_used() {
    let site = Site::start();
    let near = "analyse?game=loa&start=------/-b-b--/------/--b---/----w-/w----w%20b";
    let mut page = Page::open(&site.address, near, 1280, 900);
    press_by_keyboard(&mut page, "Explorer");
    page.wait("document.querySelector('.tool-panel')?.textContent.includes('Your games')");
    press_by_keyboard(&mut page, "Proof");
    press_by_keyboard(&mut page, "Prove it");
    page.wait("/Proven/.test(document.querySelector('.prove .result')?.textContent ?? '')");
    press_by_keyboard(&mut page, "Share");
    page.wait("[...document.querySelectorAll('.tool-panel button')].some((b) => b.textContent.includes('Copy'))");
    page.assert_clean();
}
