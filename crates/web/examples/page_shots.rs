//! Takes pictures of every view of the page, on a phone, a laptop and a large screen, in light and in dark colours.
//!
//! ```sh
//! cargo run -p plyhouse-web --example page_shots -- FOLDER
//! ```

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use devtools::Browser;
use web::Server;

const SCREENS: [(u32, u32); 3] = [(390, 844), (1280, 800), (1920, 1080)];

/// Names of the pictures and the views that they show.
const VIEWS: [(&str, &str); 11] = [
    ("play", "play"),
    ("analyse", "analyse?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5"),
    ("jump61", "play?game=jump61&start=2r3r2b1-1-1-/3r4r3b2b1-1-/1-3r4b3b1-1-/1-1-2r2b1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-"),
    (
        "checkers",
        "play?game=checkers&start=.w.w.w.w/w...w.w./.w.w...w/..b.w.../.....b../b.b...b./.b.b.W.b/b.B...b.%20b",
    ),
    ("breakthrough", "play?game=breakthrough&start=b-b-bb/b-w-wb/-bb-b-/----w-/b-ww-w/wwww-w%20w"),
    ("puzzles", "puzzles"),
    ("learn-loa", "learn/loa"),
    ("learn-checkers", "learn/checkers"),
    ("learn-jump61", "learn/jump61"),
    ("learn-breakthrough", "learn/breakthrough"),
    ("watch", "watch"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: page_shots FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let server = Server::bind(None, engine::Resources::default())?;
    let address = server.address();
    thread::spawn(move || server.run());
    let mut browser = Browser::start()?;
    browser.open(&address, 1280, 800)?;
    for theme in ["light", "dark"] {
        browser.eval(&format!("localStorage.setItem('plyhouse.settings', '{{\"theme\":\"{theme}\"}}')"))?;
        for (width, height) in SCREENS {
            for (name, view) in VIEWS {
                browser.open("about:blank", width, height)?;
                browser.open(&format!("{address}#/{view}"), width, height)?;
                browser.wait_for("document.querySelector('.board .square') !== null")?;
                // The engine's first lines, pieces on their squares.
                thread::sleep(Duration::from_millis(900));
                browser.screenshot(&folder.join(format!("{name}-{theme}-{width}.png")))?;
            }
        }
    }
    Ok(())
}
