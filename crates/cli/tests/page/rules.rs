//! The rules of a game and its start on the page: chosen in the dialogs and in the editor, kept by everything that
//! begins with the same game, and named where the game is described.

use crate::page::site::{Page, Site};

/// JavaScript expression for the selected rules in the open dialog or in the editor; null if it offers none.
const RULES: &str = "[...document.querySelectorAll(':is(dialog[open], .editor) .field')] \
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
    page.open_new_analysis();
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
    page.open_new_analysis();
    assert_eq!(page.eval(RULES), "scrambled-eggs mso");
    assert_eq!(page.violations("'dialog[open]'"), "");
    // Other games have their own rules.
    page.choose("Game", "jump61");
    page.wait(&format!("({RULES}) === null"));
    page.choose("Game", "loa");
    page.wait(&format!("({RULES}) === ''"));
    page.cancel_dialog();
    page.assert_clean();
}

/// Opens the editor.
fn edit(page: &mut Page) {
    page.wait("document.querySelector('.tool-row') !== null");
    page.press_button("Set up position");
    page.wait("document.querySelector('.brushes') !== null");
}

/// Paints squares with a brush.
fn paint(page: &mut Page, brush: &str, squares: [(usize, usize); 2]) {
    page.press_button(brush);
    for (row, column) in squares {
        page.click_square(row, column);
    }
}

/// JavaScript condition: the board has this number of pieces.
fn has_pieces(count: usize) -> String {
    format!("document.querySelectorAll('.piece .disc').length === {count}")
}

#[test]
fn the_editor_and_a_game_from_an_analysis_keep_the_rules() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&start=mso", 1280, 900);
    edit(&mut page);
    page.press_button("Clear board");
    page.wait(&has_pieces(0));
    page.press_button("Start position");
    page.wait(&has_pieces(24));
    page.choose("Board", "5");
    page.wait(&has_pieces(12));
    page.press_button("Clear board");
    page.wait(&has_pieces(0));
    page.choose("To move", "1");
    paint(&mut page, "Black", [(0, 0), (4, 4)]);
    paint(&mut page, "White", [(0, 4), (4, 0)]);
    page.wait(&has_pieces(4));
    page.press_button("Analyse");
    let set_up = "b---w/-----/-----/-----/w---b w mso";
    assert_position(&mut page, set_up);
    // The position is played under these rules, and so is the next game.
    page.press_button("Play from here");
    page.wait(&format!("location.hash.startsWith('#/play') && {}", has_pieces(4)));
    page.open_new_game();
    assert_eq!(page.eval(RULES), "mso");
    page.cancel_dialog();
    page.press_button("Analyse");
    page.wait("location.hash.startsWith('#/analyse')");
    page.wait("document.querySelector('.tool-row') !== null");
    assert_position(&mut page, set_up);
    page.assert_clean();
}

#[test]
fn the_editor_changes_the_rules_of_a_position() {
    let site = Site::start();
    let usual = "-b--b-/w----w/------/------/w----w/-b--b- w";
    let view = format!("analyse?game=loa&start={}", usual.replace(' ', "%20"));
    let mut page = Page::open_without_engine(&site.address, &view, 1280, 900);
    edit(&mut page);
    assert_eq!(page.eval(RULES), "");
    page.choose("Rules", "mso");
    page.wait(&format!("({RULES}) === 'mso' && {}", has_pieces(8)));
    assert_eq!(page.violations("document.querySelector('main')"), "");
    page.press_button("Analyse");
    assert_position(&mut page, &format!("{usual} mso"));
    edit(&mut page);
    page.choose("Rules", "");
    page.wait(&format!("({RULES}) === '' && {}", has_pieces(8)));
    page.press_button("Analyse");
    assert_position(&mut page, usual);
    // Both sides are connected. Whether this is a win or a draw depends on the rules.
    edit(&mut page);
    page.press_button("Clear board");
    page.wait(&has_pieces(0));
    paint(&mut page, "Black", [(0, 0), (0, 1)]);
    paint(&mut page, "White", [(5, 0), (5, 1)]);
    page.wait(&has_pieces(4));
    let error = "document.querySelector('.editor [role=alert]').textContent";
    page.press_button("Analyse");
    page.wait(&format!("{error} === 'Black has already won here: all its pieces are connected.'"));
    page.choose("Rules", "mso");
    page.wait(&format!("{error} === ''"));
    page.press_button("Analyse");
    page.wait(&format!("{error} === 'The game is already drawn here.'"));
    // A game with a single set of rules has no choice.
    page.choose("Game", "jump61");
    page.wait(&format!("document.querySelector('.board.dice') !== null && ({RULES}) === null"));
    page.choose("Game", "loa");
    page.wait(&format!("({RULES}) === ''"));
    page.assert_clean();
}

/// Returns a line of the archive: a game of 6×6 Lines of Action that ended after these moves.
fn finished(id: &str, start: &str, moves: &str) -> String {
    format!(
        r#"{{"id":"{id}","date":"2026-11-25T12:14:56Z","game":"loa","size":6,"start":{start},"moves":{moves},"seats":[{{"kind":"person"}},{{"kind":"engine","level":"gentle2"}}],"winner":0,"reason":"resigned"}}"#
    )
}

/// Starts a server whose archive has these games.
fn site_with(games: &[String]) -> Site {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("games.jsonl"), games.join("\n") + "\n").expect("a file");
    Site::in_folder(folder.into(), &[])
}

/// JavaScript condition: an element with this selector contains the text.
fn described(selector: &str, text: &str) -> String {
    format!(
        "[...document.querySelectorAll({selector:?})].some((e) => e.textContent.replace(/\\s/g, ' ').includes({text:?}))"
    )
}

#[test]
fn unusual_rules_are_named_in_games_and_lists() {
    let eggs = r#""-wbwb-/b----w/w----b/b----w/w----b/-bwbw- b mso""#;
    let site = site_with(&[finished("a", "null", "[]"), finished("b", eggs, "[]")]);
    let mut page = Page::open_without_engine(&site.address, "play?game=loa&size=6&start=mso", 1280, 900);
    page.wait("document.querySelector('.status .variant')?.textContent === 'Olympiad rules'");
    page.choose("White", "person");
    page.click_square(5, 1);
    page.click_square(3, 1);
    page.wait_for_moves(1);
    // The ribbon of an earlier position does not cover the second line of the status.
    page.key("ArrowLeft");
    let visibility = "getComputedStyle(document.querySelector('.status .variant')).visibility";
    page.wait(&format!("document.querySelector('.past-ribbon') && {visibility} === 'hidden'"));
    page.key("Escape");
    page.wait(&format!("!document.querySelector('.past-ribbon') && {visibility} === 'visible'"));
    page.press_button("Analyse");
    page.wait("document.querySelector('.standing .variant')?.textContent === 'Olympiad rules'");
    page.visit("home");
    page.wait(&described(".others .game-link", "Lines of Action 6 × 6 · Olympiad rules"));
    page.wait(&described(".archive .what", "Lines of Action 6 × 6 · 0 moves"));
    page.wait(&described(".archive .what", "Lines of Action 6 × 6 · Scrambled Eggs, Olympiad rules · 0 moves"));
    // The saved games and the result of a game.
    page.visit("play");
    page.open_new_game();
    page.press_button("Start game");
    page.press_button("Save it and start the new game");
    page.wait_for_moves(0);
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait("document.querySelector('.outcome .variant')?.textContent === 'Olympiad rules'");
    page.visit("home");
    page.wait(&described(".asides", "Lines of Action 6 × 6 · Olympiad rules"));
    let watched = r#"{"game":{"game":"loa","size":6,"start":"scrambled-eggs"},"seats":[{"kind":"engine","level":"1"},{"kind":"engine","level":"1"}]}"#;
    page.eval(&format!("localStorage['plyhouse.game.watch'] = {watched:?}"));
    page.go("watch", 1280, 900);
    page.wait("document.querySelector('.watching .variant')?.textContent === 'Scrambled Eggs'");
    // Usual rules have no name.
    page.go("analyse?game=loa&size=6", 1280, 900);
    page.wait("document.querySelector('.standing') !== null && document.querySelector('.variant') === null");
    page.assert_clean();
}

#[test]
fn saved_analyses_are_named_with_their_rules() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&size=6&start=mso", 1280, 900);
    let name = described(".kept .link", "Lines of Action 6 × 6 · Olympiad rules, 0 moves");
    page.wait("document.querySelector('.tool-row') !== null");
    page.press_button("Share");
    page.press_button("Save in this browser");
    page.wait(&name);
    // An analysis under the usual rules has none to name.
    page.go("analyse?game=loa&size=6", 390, 844);
    page.wait(&format!("document.querySelector('.standing') && !document.querySelector('.variant') && {name}"));
    assert!(!page.is_too_wide());
    page.click(".kept .link");
    page.wait("document.querySelector('.standing .variant')?.textContent === 'Olympiad rules'");
    page.assert_clean();
}

#[test]
fn the_dialog_before_leaving_a_game_names_its_rules() {
    let site = Site::start();
    let view = "play?game=loa&size=6&start=scrambled-eggs%20mso";
    let mut page = Page::open_without_engine(&site.address, view, 1280, 900);
    page.wait("document.querySelector('.status .variant') !== null");
    page.choose("White", "person");
    page.type_move("b1-b3");
    page.wait_for_moves(1);
    page.eval("location.hash = '#/play?game=jump61'");
    let variant = "document.querySelector('dialog.leave .variant')?.textContent";
    page.wait(&format!("{variant} === 'Scrambled Eggs, Olympiad rules'"));
    assert_eq!(page.violations("document.querySelector('dialog')"), "");
    page.press_button("Discard it");
    page.wait("document.querySelector('.board.dice') !== null");
    page.assert_clean();
}

#[test]
fn the_explorer_counts_games_under_the_rules_of_the_analysis() {
    let usual = finished("a", "null", r#"["b1-b3"]"#);
    let mso = finished("b", r#""mso""#, r#"["b1-d3"]"#);
    let eggs = finished("c", r#""scrambled-eggs mso""#, r#"["d1-d3"]"#);
    let site = site_with(&[usual, mso, eggs]);
    let mut page = Page::open_without_engine(&site.address, "analyse?game=loa&size=6", 1280, 900);
    page.wait("document.querySelector('.tool-row') !== null");
    page.press_button("Explorer");
    let shown = "[...document.querySelectorAll('.explorer .move')].map((e) => e.textContent.trim()).join()";
    for (start, mv) in [("", "b1-b3"), ("&start=mso", "b1-d3"), ("&start=scrambled-eggs%20mso", "d1-d3")] {
        page.go(&format!("analyse?game=loa&size=6{start}"), 1280, 900);
        page.wait(&format!("({shown}) === {mv:?}"));
    }
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
        page.open_new_analysis();
        page.choose("Rules", "scrambled-eggs");
        assert_eq!(page.eval(fits), true, "new analysis, {width}×{height}");
        page.cancel_dialog();
    }
    page.go("play?game=loa&start=mso", 1280, 900);
    for (width, height) in [(1280, 900), (390, 844), (640, 360)] {
        page.resize(width, height);
        page.open_new_game();
        page.eval("document.querySelector('dialog details').open = true");
        assert_eq!(page.eval(fits), true, "new game, {width}×{height}");
        page.cancel_dialog();
    }
    page.assert_clean();
}
