//! Reviews of games, and the turning point after a loss.

use crate::page::site::{Page, Site};

/// A position in which White, to move, wins with d3-c4. After any other move, every reply wins for Black.
const START: &str = "game=breakthrough&start=----/---w/b---/--w-%20w";
const SENTENCE: &str = "White had a win in 1 move: d3-c4";

/// Loses a game against the engine, and waits for its turning point.
fn lose(page: &mut Page, width: u32, height: u32) {
    page.go(&format!("play?{START}"), width, height);
    page.wait("document.querySelectorAll('.square.movable').length === 2");
    page.click_square(3, 2);
    page.wait("document.querySelector('[data-place=\"2,2\"].target') !== null");
    page.click_square(2, 2);
    page.wait("document.querySelector('.turning-point button:not(:disabled)') !== null");
    let said = page.text(".turning-point p");
    assert!(said.contains("Turning point: 1. c1-c2 lost 100% of your winning chances."), "{said}");
    assert!(said.contains(SENTENCE), "{said}");
}

#[test]
fn a_lost_game_shows_its_turning_point() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    lose(&mut page, 1280, 900);
    page.assert_clean();
    // The trainer asks for a better move without revealing it.
    page.press_button("Find a better move");
    page.wait("document.querySelector('.said')?.textContent === 'White played c1-c2. Find a better move.'");
    assert!(!page.text(".lesson-box").contains("d3-c4"), "{}", page.text(".lesson-box"));
    page.wait("document.querySelector('[data-place=\"1,3\"].movable') !== null");
    page.click_square(1, 3);
    page.wait("document.querySelector('[data-place=\"0,2\"].target') !== null");
    page.click_square(0, 2);
    page.wait("document.querySelector('.said').textContent === 'Yes: d3-c4 is the best move.'");
    assert_eq!(page.text(".lesson-box .reason").trim(), format!("c1-c2: {SENTENCE}"));
    page.assert_clean();
    // The game continues from the position before the mistake, against the same engine.
    lose(&mut page, 1280, 900);
    page.press_button("Continue from there");
    page.wait_for_moves(0);
    page.wait("document.querySelector('[data-place=\"1,3\"].movable') !== null");
    page.click_square(1, 3);
    page.wait("document.querySelector('[data-place=\"0,2\"].target') !== null");
    page.click_square(0, 2);
    page.wait("document.querySelector('.status.over') !== null");
    assert!(page.eval("document.querySelector('.turning-point') === null") == true, "a won game has none");
    page.assert_clean();
}

#[test]
fn the_turning_point_fits_a_phone() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    lose(&mut page, 390, 844);
    assert!(!page.is_too_wide());
    let box_is_seen = "(() => { const r = document.querySelector('.turning-point').getBoundingClientRect();
        return r.height > 60 && r.width > 300; })()";
    assert_eq!(page.eval(box_is_seen), true);
    page.assert_clean();
}

#[test]
fn a_review_in_the_analysis_gives_reasons() {
    let site = Site::start();
    let mut page = Page::open(&site.address, &format!("analyse?{START}&moves=c1-c2,a2-a1&review=1"), 1280, 900);
    page.press_button("Review");
    page.wait("document.querySelector('.report') !== null");
    page.key("Home");
    page.key("ArrowRight");
    page.wait(&format!("document.querySelector('.graph-box .reason').textContent === '{SENTENCE}'"));
    // The length of a win is counted in moves of the winner.
    page.go("analyse?game=loa&size=4&start=w---/-b--/----/b--w%20b", 1280, 900);
    page.wait("document.querySelector('.lines .value')?.textContent === '#1'");
    page.assert_clean();
}

#[test]
fn the_moves_of_a_review_can_be_read_on_every_screen() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 390, 844);
    for (width, height) in [(390, 844), (360, 640), (844, 390), (820, 1180), (1280, 720)] {
        page.go("review?game=loa&size=4&moves=b1-b3,a2-c2,c1-d1,d2-b2&side=0", width, height);
        page.wait("document.querySelector('.review .moves') !== null");
        let shown = page.eval("document.querySelector('.review .moves').clientHeight").as_u64().unwrap_or(0);
        assert!(shown >= 60, "{width}×{height}: {shown} px");
    }
    page.assert_clean();
}
