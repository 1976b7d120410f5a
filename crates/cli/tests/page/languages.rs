//! The page in languages other than English, in a real browser.

use crate::page::site::{Page, Site, path, position};
use games::{GameId, Task};
use serde_json::json;

/// Selects a language in the settings and waits for the reload.
fn select_language(page: &mut Page, label: &str, language: &str) {
    page.eval("window.before = true");
    page.choose(label, language);
    page.wait("window.before === undefined && document.querySelector('.home .picture g') !== null");
    assert_eq!(page.eval("document.documentElement.lang"), language);
}

#[test]
fn the_language_setting_is_applied_and_kept() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 1280, 900);
    assert_eq!(page.text(".home h1"), "What shall we play?");
    select_language(&mut page, "Language", "de");
    assert_eq!(page.text(".home h1"), "Was spielen wir?");
    // The setting survives a reload.
    page.go("home", 1280, 900);
    select_language(&mut page, "Sprache", "zh");
    assert_eq!(page.text(".home h1"), "下什么棋？");
    select_language(&mut page, "语言", "en");
    assert_eq!(page.text(".home h1"), "What shall we play?");
    page.assert_clean();
}

#[test]
fn the_default_language_follows_the_browser() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 1280, 900);
    for (accepted, heading) in [
        ("de-AT,de", "Was spielen wir?"),
        ("zh-CN", "下什么棋？"),
        ("fr,de", "Was spielen wir?"),
        ("fr", "What shall we play?"),
    ] {
        let agent = json!({ "userAgent": "test", "acceptLanguage": accepted });
        page.browser.call("Network.setUserAgentOverride", &agent).expect("a language");
        page.go("home", 1280, 900);
        assert_eq!(page.text(".home h1"), heading, "{accepted}");
    }
}

#[test]
fn errors_results_and_lessons_are_translated() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 1280, 900);
    let puzzle = GameId::LOA.puzzles().into_iter().find(|puzzle| puzzle.task == Task::Win(3)).expect("a win in two");
    let line: Vec<&str> = puzzle.solution.iter().map(String::as_str).collect();
    let winning = path(GameId::LOA, Some(&puzzle.start), &line[..2], line[2]);
    let turn = position(GameId::LOA, Some(&puzzle.start), &[]).turn;
    let (start, moves) = (puzzle.start.replace(' ', "%20"), line[..2].join(","));
    let near_end = format!("play?game=loa&side={turn}&start={start}&moves={moves}");
    for (language, label, hint, error, result, lesson) in [
        ("de", "Language", "Zug eingeben", "ist nicht erlaubt: ", " gewinnt: ", "Eine Gruppe"),
        ("zh", "Sprache", "输入着法", "", "获胜：", ""),
    ] {
        select_language(&mut page, label, language);
        page.go(&near_end, 1280, 900);
        page.wait("document.querySelector('.square.movable') !== null");
        assert!(page.eval("document.body.innerText").as_str().is_some_and(|text| text.contains(hint)), "{hint}");
        page.type_move("a1-a1");
        page.wait("document.querySelector('.error')?.textContent.includes('a1-a1')");
        let shown = page.text(".error");
        assert!(shown.contains(error) && !shown.contains("illegal move"), "{shown}");
        for [row, column] in &winning {
            page.click_square(*row, *column);
        }
        page.wait(&format!("document.querySelector('[aria-live]').textContent.includes({result:?})"));
        page.go("learn/loa", 1280, 900);
        assert!(page.text(".step-text").contains(lesson));
        assert!(!page.text(".step-text").contains("You win"));
        page.go("home", 1280, 900);
    }
    page.assert_clean();
}

/// Longer words are not cut off, and the page does not scroll horizontally.
#[test]
fn every_view_fits_in_every_language() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 1280, 900);
    let cut = "[...document.querySelectorAll('button, a.button, .strip, .tabs, .tabs a, nav, nav a, .tool-row, .report')] \
               .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && !e.closest('.line-moves, .moves, .lines, [role=switch]')) \
               .map((e) => e.textContent.trim()).join(' | ')";
    let views = [
        "home",
        "play",
        "analyse?game=checkers",
        "puzzles?game=jump61&number=3",
        "watch",
        "learn/breakthrough",
        "review?game=loa&size=4&moves=b1-b3,a2-c2",
    ];
    let mut found = Vec::new();
    for language in ["en", "de", "zh"] {
        let settings = json!({ "language": language }).to_string();
        page.eval(&format!("localStorage.setItem('plyhouse.settings', {settings:?})"));
        page.go("learn/loa", 1280, 800);
        assert_eq!(page.eval("document.documentElement.lang"), language);
        for view in views {
            page.visit(view);
            for (width, height) in [(360, 740), (390, 844), (844, 390), (1280, 800)] {
                page.resize(width, height);
                let text = page.eval(cut);
                // On the narrowest phones the menu itself scrolls horizontally.
                if text != "" && width > 360 {
                    found.push(format!("{language}, {view} at {width}x{height}: {text}"));
                }
                if page.is_too_wide() {
                    found.push(format!("{language}, {view} at {width}x{height} is too wide"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(GameId::BUILT_IN.len(), 4);
    page.assert_clean();
}
