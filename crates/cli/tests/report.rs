//! The arena's report in a real browser, from disk.

use std::path::{Path, PathBuf};
use std::process::Command;

use devtools::Browser;

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

fn site(folder: &Path) -> PathBuf {
    let run = |arguments: &[&str]| {
        let output = Command::new(PLYHOUSE).arg("arena").args(arguments).current_dir(folder).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let crash = format!("crash=cs61b:{PLYHOUSE} arena mock cs61b crash --at 9");
    let agents = ["--agent", "builtin:level=1", "--agent", "builtin:level=5", "--agent", &crash];
    run(&[&["run", "--game", "loa", "--opening", "2", "--quiet", "--game-time", "90"][..], &agents].concat());
    run(&["report", "site", "--quiet"]);
    folder.join("site")
}

#[test]
fn a_report_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = site(folder.path());
    a_game_is_replayed_by_mouse_keyboard_and_slider(&site);
    columns_sort_and_faults_are_shown(&site);
}

fn a_game_is_replayed_by_mouse_keyboard_and_slider(site: &Path) {
    let mut browser = Browser::start().expect("a browser");
    let eval = |browser: &mut Browser, text: &str| browser.eval(text).expect(text);
    let page = |name: &str| format!("file://{}", site.join(name).display());
    for width in [390, 1280] {
        browser.open(&page("game-0.html"), width, 900).expect("the page");
        let moves = eval(&mut browser, "document.querySelectorAll('.moves button').length").as_u64().expect("a number");
        assert!(moves > 4);
        let pieces = "document.querySelectorAll('#board .piece').length";
        let says = "document.getElementById('says').textContent";
        assert!(eval(&mut browser, says).as_str().is_some_and(|text| text.contains(&format!("Move {moves}, "))));
        browser.click("#first").expect("a button");
        assert_eq!((eval(&mut browser, says), eval(&mut browser, pieces)), ("Start".into(), 24.into()));
        browser.press("ArrowRight").expect("a key");
        assert!(
            eval(&mut browser, says)
                .as_str()
                .is_some_and(|text| text.starts_with("Move 1, ") && text.ends_with("opening"))
        );
        assert_eq!(eval(&mut browser, "document.querySelectorAll('#board .from, #board .to').length"), 2);
        browser.click(".moves li:nth-child(4) button").expect("a move");
        assert!(eval(&mut browser, says).as_str().is_some_and(|text| text.starts_with("Move 4, ")));
        assert!(
            eval(&mut browser, "document.getElementById('clock1').textContent")
                .as_str()
                .is_some_and(|text| text.ends_with("s left"))
        );
        browser.press("Home").expect("a key");
        // It plays by itself to the end.
        browser.click("#play").expect("a button");
        browser.wait_for("document.getElementById('says').textContent.startsWith('Move 2,')").expect("it plays");
        browser.click("#play").expect("a button");
        browser.press("End").expect("a key");
        let last = eval(&mut browser, "document.querySelector('.moves [aria-current]').textContent");
        assert!(last.as_str().is_some_and(|text| text.starts_with(&format!("{moves}."))), "{last}");
        let wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(eval(&mut browser, wide), false, "nothing sticks out at {width}");
    }
    assert_eq!(browser.complaints().expect("the browser"), Vec::<String>::new());
    let asked = browser.requests().expect("the browser");
    assert!(asked.iter().all(|address| address.starts_with("file://")), "{asked:?}");
}

fn columns_sort_and_faults_are_shown(site: &Path) {
    let mut browser = Browser::start().expect("a browser");
    browser.open(&format!("file://{}", site.join("index.html").display()), 1280, 900).expect("the page");
    let names =
        "[...document.querySelectorAll('main table')[0].tBodies[0].rows].map(row => row.cells[1].dataset.v).join()";
    let by_rank = browser.eval(names).expect("names");
    assert_eq!(by_rank, "plyhouse level=5,plyhouse level=1,crash");
    browser.click("main table th:nth-child(2) button").expect("a head");
    assert_eq!(browser.eval(names).expect("names"), "plyhouse level=5,plyhouse level=1,crash");
    browser.click("main table th:nth-child(2) button").expect("a head");
    assert_eq!(browser.eval(names).expect("names"), "crash,plyhouse level=1,plyhouse level=5");
    let text = browser.eval("document.querySelector('main').innerText").expect("text");
    assert!(text.as_str().is_some_and(|text| text.contains("crash ")), "{text}");
    browser.click("td.name a[href='agent-2.html']").expect("a link");
    browser.wait_for("document.querySelector('h1').textContent === 'crash'").expect("the agent's page");
    let text = browser.eval("document.querySelector('main').innerText").expect("text");
    assert!(text.as_str().is_some_and(|text| text.contains("exit code 3")), "{text}");
    for width in [390, 1280] {
        browser.resize(width, 900).expect("a size");
        let wide = browser.eval("document.documentElement.scrollWidth > document.documentElement.clientWidth");
        assert_eq!(wide.expect("a truth"), false, "nothing sticks out at {width}");
    }
    assert_eq!(browser.complaints().expect("the browser"), Vec::<String>::new());
}
