//! The watch view, accessibility of all views, and the page beside a terminal, in a real browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use crate::page::site::{Page, Site, address_in};
use games::GameId;

#[test]
fn the_watch_view_steps_plays_pauses_and_undoes() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "watch", 1280, 900);
    page.press_button("Pause");
    page.wait("document.querySelector('.status').textContent.includes('Paused')");
    let moves = page.moves();
    page.press_button("Step");
    page.wait_for_moves(moves + 1);
    page.choose("Speed", "100");
    page.press_button("Resume");
    page.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length >= {}", moves + 4));
    page.press_button("Pause");
    page.wait("document.querySelector('.status').textContent.includes('Paused')");
    let stopped = page.moves();
    page.press_button("Undo");
    page.wait_for_moves(stopped - 1);
    page.assert_clean();
}

/// Returns the violations that axe finds in each theme. Themes differ only in colours, so one theme is checked with all
/// rules and the others with the colour rules.
fn violations_in_each_theme(page: &mut Page, what: &str) -> String {
    let mut found = String::new();
    for theme in ["light", "dark", "contrast"] {
        page.choose("Theme", theme);
        page.wait(&format!("document.documentElement.dataset.theme === {theme:?}"));
        let violations =
            if theme == "light" { page.violations("document") } else { page.colour_violations("document") };
        if !violations.is_empty() {
            found = format!("{found}{theme}, {what}:\n{violations}\n");
        }
    }
    found
}

#[test]
fn axe_finds_no_violation_in_any_view_and_theme() {
    let site = Site::start();
    let mut page = Page::open_without_engine(&site.address, "learn/loa", 1280, 900);
    let views =
        ["home", "play", "analyse?game=checkers", "puzzles", "watch", "review?game=loa&size=4&moves=b1-b3,a2-c2"]
            .map(str::to_owned);
    let lessons = GameId::BUILT_IN.map(|game| format!("learn/{game}"));
    let mut found = String::new();
    for view in views.iter().chain(&lessons) {
        page.visit(view);
        found += &violations_in_each_theme(&mut page, view);
    }
    page.go("play", 390, 844);
    page.open_new_game();
    found += &violations_in_each_theme(&mut page, "the dialog for a new game");
    assert_eq!(found, "");
    page.assert_clean();
}

#[test]
fn a_terminal_and_a_page_play_the_same_game() {
    for (program, own, typed, first) in [
        (env!("CARGO_BIN_EXE_loa"), [(7, 1), (5, 1)], "h7-f7", "b1-b3"),
        (env!("CARGO_BIN_EXE_jump61"), [(0, 0), (0, 0)], "6 6", "1 1"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        let mut child = Command::new(program)
            .args(["--display", "--level", "1", &format!("--log={}", log.display())])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("a line");
        let mut input = child.stdin.take().expect("a pipe");
        writeln!(input, "manual {}", if first == "1 1" { "blue" } else { "white" }).expect("it reads");
        let mut page = Page::open(&address_in(&line), "play", 1280, 900);
        let side = if first == "1 1" { "Blue" } else { "White" };
        page.wait(&format!("document.querySelector('.strip[aria-label={side}] select')?.value === 'person'"));
        page.click_square(own[0].0, own[0].1);
        if own[0] != own[1] {
            page.click_square(own[1].0, own[1].1);
        }
        page.wait_for_moves(1);
        writeln!(input, "{typed}").expect("it reads");
        page.wait_for_moves(2);
        page.press_button("Undo");
        page.wait_for_moves(1);
        // An engine takes over the side on the page.
        page.choose(side, "3");
        page.wait("document.querySelectorAll('.moves .move:not(.gone)').length >= 2");
        page.press_button("New game");
        page.wait("document.querySelectorAll('.moves .move').length <= 1");
        page.wait("/to move|Your turn/.test(document.querySelector('.status p').textContent)");
        writeln!(input, "quit").expect("it reads");
        assert!(child.wait().expect("it ends").success());
        let mut printed = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut printed).expect("text");
        assert!(printed.contains("* "), "the engine's move: {printed}");
        let log = std::fs::read_to_string(log).expect("a log");
        for wanted in [first, typed, "undo", "auto", if side == "Blue" { "size 6" } else { "new" }] {
            assert!(log.contains(wanted), "{wanted} in {log}");
        }
    }
}
