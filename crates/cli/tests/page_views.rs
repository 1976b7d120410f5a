//! Analysis, puzzles, watching, lessons and the page beside a terminal, in a real browser.

mod site;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use games::GameId;
use site::{Page, Site, address_in};

#[test]
fn a_game_is_analysed() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "analyse?game=loa&size=6&moves=b1-b3,a2-a6", 1280, 900);
    page.wait("document.querySelectorAll('.lines li').length === 3");
    page.wait("document.querySelectorAll('.arrow').length >= 2");
    // A new branch; the old one is kept.
    page.press_button("Back");
    page.wait("document.querySelector('.move[aria-current]').textContent === 'b1-b3'");
    page.wait("document.querySelector('[data-place=\"3,0\"].movable') !== null");
    page.click("[data-place='3,0']");
    page.wait("document.querySelector('.square.target') !== null");
    page.click(".square.target");
    page.wait("document.querySelectorAll('.branches li').length === 1");
    assert!(page.text(".branches li").contains("a2-a6"));
    page.key("Home");
    page.wait("document.querySelector('.move[aria-current]') === null");
    page.key("End");
    page.wait("document.querySelectorAll('.moves .move').length === 2 && document.querySelector('.move[aria-current]') !== null");
    // A line of the engine is played by a click on its third move.
    page.wait("document.querySelectorAll('.lines li:first-child .move').length >= 3");
    page.click(".lines li:first-child .move:nth-of-type(3)");
    page.wait("document.querySelectorAll('.moves .move').length === 5");
    page.press_button("Judge the game");
    page.wait(
        "document.querySelectorAll('.graph polyline').length === 1 && !document.body.innerText.includes('Judging')",
    );
    assert!(page.text(".panel-side").contains("Black: "), "mistakes are counted");
    // The study is restored after a reload.
    page.go("analyse", 1280, 900);
    page.wait("document.querySelectorAll('.moves .move').length === 5");
    page.was_clean();
}

#[test]
fn games_come_in_and_go_out() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "analyse?game=loa", 1280, 900);
    page.click(".exchange summary");
    let paste = |page: &mut Page, text: &str| {
        let set = format!(
            "(() => {{ const t = document.querySelector('.exchange textarea'); t.value = {text:?}; t.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        );
        page.eval(&set);
        page.press_button("Open");
    };
    paste(&mut page, "(;GM[9]SZ[8];B[b1-b3];W[a2-c2];B[d1-f3])");
    page.wait("document.querySelectorAll('.moves .move').length === 3");
    page.press_button("Copy SGF");
    page.wait("document.querySelector('.exchange textarea').value.includes('AP[Plyhouse')");
    page.press_button("Copy link");
    page.wait("document.querySelector('.exchange textarea').value.includes('#/analyse?')");
    let link = page.eval("document.querySelector('.exchange textarea').value");
    paste(&mut page, "2r1-/1-1b");
    page.wait("document.querySelectorAll('.squares .square').length === 4");
    paste(&mut page, "1. 2:2 1:1");
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    paste(&mut page, link.as_str().expect("a link"));
    page.wait("document.querySelectorAll('.moves .move').length === 3");
    page.wait("document.querySelectorAll('.squares .square').length === 64");
    paste(&mut page, "b1-b9");
    page.wait("document.querySelector('.exchange [role=status]').textContent.includes('b1-b9')");
    page.press_button("Keep this game");
    page.wait("document.querySelectorAll('.kept a').length === 1");
    // A position is set up by hand.
    page.press_button("Edit position");
    page.wait("document.querySelector('.brushes') !== null");
    page.press_button("Empty board");
    for (row, column) in [(0, 0), (7, 7)] {
        page.click_square(row, column);
    }
    page.press_button("White");
    for (row, column) in [(3, 3), (5, 5)] {
        page.click_square(row, column);
    }
    page.choose("To move", "1");
    page.wait("document.querySelector('.panel-side select').value === '1'");
    page.press_button("Done");
    page.wait("document.querySelector('.brushes') === null && document.querySelectorAll('.square .disc').length === 4");
    page.press_button("Play on from here");
    page.wait("document.querySelector('.seats') !== null && document.querySelectorAll('.square .disc').length === 4");
    page.was_clean();
}

#[test]
fn a_puzzle_is_missed_and_solved() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "puzzles", 1280, 900);
    page.choose("Game", "jump61");
    page.wait("document.querySelectorAll('.squares .square').length === 36");
    page.press_button("Show the solution");
    page.wait("document.querySelector('.panel-side [role=status]').textContent.startsWith('The win: ')");
    let solution = page.text(".panel-side [role=status]");
    // Another puzzle is opened while the solution is still being played: the new puzzle does not change.
    page.click(".dot:nth-child(2)");
    page.wait("document.querySelector('.panel-side [role=status]').textContent.startsWith('Puzzle 2 of')");
    std::thread::sleep(std::time::Duration::from_millis(1200));
    assert!(page.text("[aria-live]").starts_with("New game."), "{}", page.text("[aria-live]"));
    page.click(".dot:nth-child(1)");
    page.press_button("Show the solution");
    page.wait("document.querySelector('.panel-side [role=status]').textContent.startsWith('The win: ')");
    let moves: Vec<String> = solution.trim().trim_start_matches("The win: ").split(' ').map(str::to_owned).collect();
    page.wait(&format!("document.querySelector('[aria-live]').textContent.includes({:?})", "wins:"));
    page.click(".dot:nth-child(1)");
    page.wait("document.querySelector('.panel-side [role=status]').textContent.startsWith('Puzzle 1 of')");
    // The first move of the solution, and then the moves that win.
    let place = |text: &str| {
        let (row, column) = text.split_once(':').expect("row and column");
        format!(
            "[data-place='{},{}']",
            row.parse::<usize>().expect("a row") - 1,
            column.parse::<usize>().expect("a column") - 1
        )
    };
    page.wait("document.querySelector('.square.movable') !== null");
    page.click(&place(&moves[0]));
    page.wait("['Right. Go on.', 'Solved!'].some((t) => document.querySelector('.panel-side [role=status]').textContent.trim().startsWith(t))");
    // Sooner or later a move is wrong.
    for i in 0..8 {
        page.click(".dot:nth-child(30)");
        page.wait("document.querySelector('.panel-side [role=status]').textContent.trim().startsWith('Puzzle 30 of')");
        page.wait("document.querySelector('.square.movable') !== null");
        page.eval(&format!(
            "(() => {{ document.querySelectorAll('[data-wanted]').forEach((e) => delete e.dataset.wanted); \
             const all = [...document.querySelectorAll('.square.movable')]; all[{i} * 3 % all.length].dataset.wanted = 'move'; }})()"
        ));
        page.click("[data-wanted=move]");
        page.wait("/lets the win go|Right. Go on|Solved/.test(document.querySelector('.panel-side [role=status]').textContent)");
        if page.text(".panel-side [role=status]").contains("lets the win go") {
            page.press_button("Try again");
            page.wait(
                "document.querySelector('.panel-side [role=status]').textContent.trim().startsWith('Puzzle 30 of')",
            );
            page.was_clean();
            return;
        }
    }
    panic!("every move wins");
}

#[test]
fn engines_are_watched() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "watch", 1280, 900);
    page.wait("document.querySelector('.status').textContent.includes('Paused')");
    page.press_button("One move");
    page.wait_for_moves(1);
    page.choose("Pace", "100");
    page.press_button("Go on");
    page.wait("document.querySelectorAll('.moves .move:not(.gone)').length >= 4");
    page.press_button("Pause");
    page.wait("document.querySelector('.status').textContent.includes('Paused')");
    let stopped = page.moves();
    page.press_button("Undo");
    page.wait_for_moves(stopped - 1);
    page.was_clean();
}

#[test]
fn lessons_are_played_through() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "learn/loa", 1280, 900);
    page.wait("document.querySelectorAll('.example .board').length >= 3");
    page.click(".example .steps button:nth-child(3)");
    page.wait("document.querySelector('.example figcaption').textContent.includes('Black wins')");
    for game in GameId::ALL {
        page.go(&format!("learn/{game}"), 1280, 900);
        page.wait("document.querySelectorAll('.example .board').length >= 2");
        page.wait(
            "document.querySelectorAll('.example').length === document.querySelectorAll('.example .board').length",
        );
        let steps = page.eval("document.querySelectorAll('.example .steps').length").as_u64();
        for i in 0..steps.expect("a number") {
            page.eval(&format!("document.querySelectorAll('.example .steps button:nth-child(3)')[{i}].click()"));
        }
        page.wait(&format!(
            "[...document.querySelectorAll('.example figcaption')].filter((c) => c.textContent).length === {}",
            steps.unwrap_or(0)
        ));
    }
    page.was_clean();
}

/// Violations that axe-core finds, in words.
fn violations(page: &mut Page) -> String {
    let axe = include_str!("../../devtools/vendor/axe.min.js");
    page.eval(&format!("{axe}; true"));
    let found = page.eval(
        "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')}`).join('\\n'))",
    );
    found.as_str().unwrap_or("?").to_owned()
}

#[test]
fn axe_finds_no_violation_in_any_view_and_theme() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    let mut found = String::new();
    for theme in ["light", "dark", "contrast"] {
        page.choose("Colours", theme);
        let views = ["play", "analyse?game=checkers", "puzzles", "watch"].map(str::to_owned);
        let lessons = GameId::ALL.map(|game| format!("learn/{game}"));
        for view in views.iter().chain(&lessons) {
            page.go(view, 1280, 900);
            let violations = violations(&mut page);
            if !violations.is_empty() {
                found = format!("{found}{theme}, {view}:\n{violations}\n");
            }
        }
        page.go("analyse?game=loa", 390, 844);
        page.click(".exchange summary");
        page.press_button("Edit position");
        page.wait("document.querySelector('.brushes') !== null");
        found += &violations(&mut page);
        page.go("play", 390, 844);
        page.press_button("New game");
        page.wait("document.querySelector('dialog[open]') !== null");
        found += &violations(&mut page);
    }
    assert_eq!(found, "");
    page.was_clean();
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
        page.wait("document.querySelectorAll('.seat select')[1].value === 'person'");
        page.click_square(own[0].0, own[0].1);
        if own[0] != own[1] {
            page.click_square(own[1].0, own[1].1);
        }
        page.wait_for_moves(1);
        writeln!(input, "{typed}").expect("it reads");
        page.wait_for_moves(2);
        page.press_button("Undo");
        page.wait_for_moves(1);
        // The page lets the engine take over.
        let side = if first == "1 1" { "Blue" } else { "White" };
        page.choose(side, "3");
        page.wait("document.querySelectorAll('.moves .move:not(.gone)').length >= 2");
        page.press_button("New game");
        page.wait("document.querySelectorAll('.moves .move').length <= 1");
        page.wait("document.querySelector('.status p').textContent.includes('to move')");
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
