//! Screenshots of every view.
mod site;
use site::{Page, Site};
#[test]
#[ignore = "makes pictures"]
fn pictures() {
    let folder = std::env::var("PICTURES").expect("a folder");
    let site = Site::start();
    let mut page = Page::open(&site.address, "play", 1280, 900);
    for theme in ["light", "dark"] {
        page.choose("Colours", theme);
        for (width, height) in [(390, 844), (1280, 800), (1920, 1080)] {
            for view in [
                "play",
                "analyse?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5",
                "play?game=jump61&start=2r3r2b1-1-1-/3r4r3b2b1-1-/1-3r4b3b1-1-/1-1-2r2b1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-",
                "play?game=checkers&start=.w.w.w.w/w...w.w./.w.w...w/..b.w.../.....b../b.b...b./.b.b.W.b/b.B...b.%20b",
                "puzzles",
                "learn/loa",
                "learn/jump61",
                "watch",
            ] {
                page.go(view, width, height);
                std::thread::sleep(std::time::Duration::from_millis(900));
                let name: String = view.chars().take(19).filter(|c| c.is_alphanumeric()).collect();
                page.browser.screenshot(format!("{folder}/{name}-{theme}-{width}.png").as_ref()).expect("a picture");
            }
        }
    }
}
