//! Takes screenshots of every view of the page, on a phone in both orientations, a laptop and a large screen, in all
//! color schemes.
//!
//! ```sh
//! cargo run --release -p plyhouse-web --example page_shots -- FOLDER [LANGUAGE [VIEW]]
//! ```

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use devtools::Browser;
use serde_json::json;
use web::Server;

const SCREENS: [(u32, u32); 4] = [(390, 844), (844, 390), (1280, 800), (1920, 1080)];
const THEMES: [&str; 3] = ["light", "dark", "contrast"];

/// Names of the screenshots, the views that they show, and the actions before each screenshot.
const VIEWS: [(&str, &str, &str); 17] = [
    ("home", "", ""),
    ("new-game", "play?game=loa", "document.querySelector('button:has(path[d=\"M12 5v14M5 12h14\"])').click()"),
    ("settings", "play?game=loa", "document.querySelector('details.settings summary').click()"),
    ("play", "play?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5", ""),
    (
        "jump61",
        "play?game=jump61&start=2r3r2b1-1-1-/3r4r3b2b1-1-/1-3r4b3b1-1-/1-1-2r2b1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-",
        "",
    ),
    (
        "checkers",
        "play?game=checkers&start=.w.w.w.w/w...w.w./.w.w...w/..b.w.../.....b../b.b...b./.b.b.W.b/b.B...b.%20b",
        "",
    ),
    ("breakthrough", "play?game=breakthrough&start=b-b-bb/b-w-wb/-bb-b-/----w-/b-ww-w/wwww-w%20w", ""),
    ("analyse", "analyse?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5", ""),
    ("analyse-jump61", "analyse?game=jump61&moves=1:1,6:6,1:2,6:5", ""),
    ("review", "review?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5", ""),
    ("puzzles", "puzzles?game=loa&number=40", ""),
    ("puzzles-jump61", "puzzles?game=jump61&number=40", ""),
    ("learn-loa", "learn/loa", ""),
    ("learn-checkers", "learn/checkers", ""),
    ("learn-jump61", "learn/jump61", ""),
    ("learn-breakthrough", "learn/breakthrough", ""),
    ("watch", "watch", ""),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().ok_or("usage: page_shots FOLDER [LANGUAGE [VIEW]]")?);
    let language = words.next().unwrap_or_else(|| "en".to_owned());
    let only = words.next();
    std::fs::create_dir_all(&folder)?;
    let server = Server::bind(None, engine::Resources::default())?;
    let address = server.address();
    thread::spawn(move || server.run());
    let mut browser = Browser::start()?;
    browser.open(&address, 1280, 800)?;
    for theme in THEMES {
        let settings = json!({ "theme": theme, "language": language }).to_string();
        for (width, height) in SCREENS {
            for (name, view, act) in VIEWS {
                if only.as_deref().is_some_and(|only| only != name) {
                    continue;
                }
                // Prevents a saved game of the previous screenshot from continuing.
                let fresh = format!("localStorage.clear(); localStorage.setItem('plyhouse.settings', {settings:?})");
                browser.eval(&fresh)?;
                browser.open("about:blank", width, height)?;
                browser.open(&format!("{address}#/{view}"), width, height)?;
                browser.wait_for("document.querySelector('.board .square, .home .picture g') !== null")?;
                browser.eval(act)?;
                // Wait for the engine's first lines and for the pieces to reach their squares.
                thread::sleep(Duration::from_millis(900));
                browser.screenshot(&folder.join(format!("{name}-{theme}-{width}.png")))?;
            }
        }
    }
    Ok(())
}
