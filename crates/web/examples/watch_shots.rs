//! Takes screenshots of a tournament that `plyhouse arena watch` shows: on a laptop and on a phone, then more on the
//! laptop, half a second apart.
//!
//! ```sh
//! cargo run --release -p plyhouse-web --example watch_shots -- ADDRESS FOLDER [FRAMES [LANGUAGE [THEME]]]
//! ```

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use devtools::Browser;
use serde_json::json;

const USAGE: &str = "usage: watch_shots ADDRESS FOLDER [FRAMES [LANGUAGE [THEME]]]";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, folder, rest @ ..] = words.as_slice() else { return Err(USAGE.into()) };
    let word = |place: usize, usual: &str| rest.get(place).cloned().unwrap_or_else(|| usual.to_owned());
    let (frames, folder): (u32, _) = (word(0, "0").parse()?, PathBuf::from(folder));
    std::fs::create_dir_all(&folder)?;
    let mut browser = Browser::start()?;
    browser.open(address, 1280, 900)?;
    let settings = json!({ "language": word(1, "en"), "theme": word(2, "light") }).to_string();
    browser.eval(&format!("localStorage.setItem('plyhouse.settings', {settings:?})"))?;
    for (width, height) in [(390, 844), (1280, 900)] {
        browser.open("about:blank", width, height)?;
        browser.open(address, width, height)?;
        browser.wait_for("document.querySelectorAll('.in-play .picture').length > 0")?;
        thread::sleep(Duration::from_millis(700));
        let whole = browser.eval("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")?;
        let tall = whole[1].as_u64().unwrap_or_default().min(1600) as u32;
        browser.resize(width, tall.max(height))?;
        thread::sleep(Duration::from_millis(300));
        browser.screenshot(&folder.join(format!("watch-{width}.png")))?;
        browser.resize(width, height)?;
    }
    for frame in 0..frames {
        browser.screenshot(&folder.join(format!("frame-{frame:02}.png")))?;
        thread::sleep(Duration::from_millis(500));
    }
    let complaints = browser.complaints()?;
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("; ").into()) }
}
