//! The page in a real browser.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use browser::Browser;

/// A server that ends with the test.
struct Site {
    child: Child,
    address: String,
}

impl Site {
    fn start() -> Self {
        Self::at(None)
    }

    fn at(port: Option<&str>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plyhouse"));
        command.args(["page", "--no-open"]).stdout(Stdio::piped());
        if let Some(port) = port {
            command.args(["--port", port]);
        }
        let mut child = command.spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.split_whitespace().find(|word| word.starts_with("http://")).expect("an address").to_owned();
        Self { child, address }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn shots() {
    let site = Site::start();
    let mut browser = Browser::start().expect("a browser");
    for (view, width) in [("play", 1280), ("analyse", 1280), ("puzzles", 1280), ("learn/loa", 1280), ("watch", 1280), ("play", 390)] {
        browser.open("about:blank", width, 900).expect("nothing");
        browser.open(&format!("{}#/{view}", site.address), width, 900).expect("the page");
        std::thread::sleep(std::time::Duration::from_millis(300));
        println!("{view} {:?} {:?}", browser.complaints(), browser.eval("document.body.innerText.slice(0, 300)"));
        browser.wait_for("document.querySelector('.board .square') !== null").expect("a board");
        std::thread::sleep(std::time::Duration::from_millis(900));
        let name = view.replace('/', "-");
        browser.screenshot(format!("/tmp/shots/{name}-{width}.png").as_ref()).expect("a picture");
    }
    println!("{:?}", browser.complaints());
}
