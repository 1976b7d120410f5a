//! Real programs for tests: headless Chromium, controlled by its `DevTools` protocol, a PostgreSQL server
//! ([`Database`]), and a static file server ([`Files`]). Also free ports for other servers ([`free_ports`]).
//!
//! Tests use the browser's own mouse and keyboard instead of calling the page's functions. They can read the page's
//! console and its network requests.
//!
//! Only tests and benchmarks use this crate, and it uses no other crate of the workspace. A test that finds no browser
//! fails and reports what to install; a test that finds no PostgreSQL is skipped with a notice.
//!
//! ```no_run
//! let mut browser = devtools::Browser::start()?;
//! browser.open("about:blank", 390, 800)?;
//! assert_eq!(browser.eval("1 + 1")?, 2);
//! # Ok::<(), anyhow::Error>(())
//! ```
#![allow(clippy::missing_panics_doc, reason = "for tests")]

mod chromium;
mod files;
mod ports;
mod postgres;

use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

pub use chromium::Chromium;
pub use files::Files;
pub use ports::free_ports;
pub use postgres::{Database, Postgres};

/// Timeout of every operation, long enough for a loaded machine.
const PATIENCE: Duration = Duration::from_mins(3);
/// Maximum time that one evaluation in the page waits for a condition, in milliseconds.
const LOOK: u32 = 5_000;

/// Expression that waits for the next frame of the page and for tasks that the frame queues, such as effects of
/// components.
const FRAME: &str = "new Promise((go) => { const done = () => setTimeout(go); requestAnimationFrame(done); \
                     setTimeout(done, 100); })";

/// A page in a separate window, with its own storage and cache. One Chromium serves many pages at the same time.
/// Dropping a `Browser` closes the page and deletes its storage.
pub struct Browser {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    /// Identifier of the browser context, which holds the stored data of the page.
    context: Value,
    session: Option<String>,
    next_id: u64,
    /// Results of calls, in the order of arrival, until they are read.
    answers: Vec<Value>,
    /// `true` from [`wait_for`](Self::wait_for) until the next frame that a click or other input waits for.
    is_fresh: bool,
    /// Errors of the page.
    complaints: Vec<String>,
    /// Network requests of the page.
    requests: Vec<String>,
    loads: u32,
}

impl Browser {
    /// Opens an empty page in the Chromium given by [`Chromium::variable`], or else in the Chromium of this process,
    /// which the first call starts.
    ///
    /// # Errors
    /// Returns an error if no browser is installed, or it does not start.
    pub fn start() -> Result<Self> {
        Self::start_in(None)
    }

    /// Opens another empty page with the same stored data and the same service workers as this one.
    ///
    /// # Errors
    /// Returns an error if the browser has ended.
    pub fn another(&self) -> Result<Self> {
        Self::start_in(Some(self.context.clone()))
    }

    /// Opens an empty page in a browser context, or in a new one.
    fn start_in(context: Option<Value>) -> Result<Self> {
        let address = chromium::address()?;
        let (socket, _) = tungstenite::connect(&address).with_context(|| format!("DevTools at {address}"))?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_millis(50)))?;
        }
        let mut browser = Self {
            socket,
            context: Value::Null,
            session: None,
            next_id: 1,
            answers: Vec::new(),
            is_fresh: false,
            complaints: Vec::new(),
            requests: Vec::new(),
            loads: 0,
        };
        browser.context = match context {
            Some(context) => context,
            // The context is deleted when this connection ends.
            None => browser.call("Target.createBrowserContext", &json!({"disposeOnDetach": true}))?["browserContextId"]
                .take(),
        };
        // In its own window, a page is never in the background.
        let wanted = json!({"url": "about:blank", "browserContextId": browser.context, "newWindow": true});
        let target = browser.call("Target.createTarget", &wanted)?["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", &json!({"targetId": target, "flatten": true}))?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}))?;
        }
        // The page keeps the focus regardless of the active window.
        browser.call("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}))?;
        Ok(browser)
    }

    /// Opens an address in a window of this size and waits until the page is loaded.
    ///
    /// # Errors
    /// Returns an error if the address cannot be loaded.
    pub fn open(&mut self, address: &str, width: u32, height: u32) -> Result<()> {
        self.resize(width, height)?;
        let before = self.loads;
        let answer = self.call("Page.navigate", &json!({"url": address}))?;
        ensure!(answer["errorText"].is_null(), "{address}: {}", answer["errorText"]);
        self.until("the page is loaded", |browser| Ok(browser.loads > before))
    }

    /// Changes the size of the window.
    ///
    /// # Errors
    /// Returns an error if the browser refuses.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<()> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", &size).map(drop)
    }

    /// Evaluates an expression in the page.
    ///
    /// # Errors
    /// Returns an error if the expression throws.
    pub fn eval(&mut self, expression: &str) -> Result<Value> {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &asked)?;
        ensure!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until an expression in the page is true. An exception counts as false, because the page may be loading.
    /// The page evaluates the expression after each change of the document, and at least every 30 ms.
    ///
    /// # Errors
    /// Returns an error if the expression does not become true in time.
    pub fn wait_for(&mut self, expression: &str) -> Result<()> {
        let look = format!(
            "(async () => {{ const end = performance.now() + {LOOK}; \
             const holds = async () => {{ try {{ return (await ({expression})) === true; }} catch {{ return false; }} }}; \
             const change = () => new Promise((go) => {{ \
               const seen = new MutationObserver(() => setTimeout(go)); \
               seen.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }}); \
               setTimeout(go, 30); }}); \
             for (;;) {{ if (await holds()) return true; if (performance.now() > end) return false; await change(); }} }})()"
        );
        self.is_fresh = true;
        self.until(expression, |browser| Ok(browser.eval(&look).is_ok_and(|value| value == true)))
    }

    /// Clicks with the mouse in the middle of the first element that matches a selector. Waits until the element does
    /// not move, because a click could miss a moving element.
    ///
    /// # Errors
    /// Returns an error if there is no such element, or it moves for too long.
    pub fn click(&mut self, selector: &str) -> Result<()> {
        let find = format!(
            "(async () => {{ const find = () => document.querySelector({selector:?}); const frame = () => {FRAME}; \
             const middle = (e) => {{ const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }}; \
             find()?.scrollIntoView({{ block: 'center' }}); let before = [NaN, NaN]; \
             for (let i = 0; i < 600; i += 1) {{ const e = find(); if (!e) return null; const now = middle(e); \
             if (now[0] === before[0] && now[1] === before[1]) return now; before = now; await frame(); }} \
             return null; }})()"
        );
        let place = self.eval(&find)?;
        ensure!(place.is_array(), "no element {selector}, or it does not stop moving");
        self.is_fresh = false;
        let event = |(kind, buttons)| {
            json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": buttons, "clickCount": 1
            })
        };
        let events = [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)].map(event);
        self.call_all("Input.dispatchMouseEvent", &events)
    }

    /// Presses a key: `ArrowLeft`, `Enter`, `a`.
    ///
    /// # Errors
    /// Returns an error if the browser refuses.
    pub fn press(&mut self, key: &str) -> Result<()> {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            " " => 32,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => key.bytes().next().map_or(0, |b| u32::from(b.to_ascii_uppercase())),
        };
        let text = match key {
            "Enter" => "\r",
            _ if key.chars().count() == 1 => key,
            _ => "",
        };
        let mut down = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if !text.is_empty() {
            down["text"] = text.into();
        }
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call_all("Input.dispatchKeyEvent", &[down, up])
    }

    /// Takes a screenshot of the window and writes it to a file.
    ///
    /// # Errors
    /// Returns an error if the screenshot cannot be taken or written.
    pub fn screenshot(&mut self, path: &Path) -> Result<()> {
        let picture = self.picture(None)?;
        std::fs::write(path, picture).with_context(|| format!("file {}", path.display()))
    }

    /// Returns a screenshot of the window, or of a part of it (left, top, width and height in pixels), as a PNG file.
    ///
    /// # Errors
    /// Returns an error if the screenshot cannot be taken.
    pub fn picture(&mut self, part: Option<[f64; 4]>) -> Result<Vec<u8>> {
        let mut wanted = json!({"format": "png"});
        if let Some([x, y, width, height]) = part {
            wanted["clip"] = json!({"x": x, "y": y, "width": width, "height": height, "scale": 1});
        }
        let picture = self.call("Page.captureScreenshot", &wanted)?;
        decode(picture["data"].as_str().context("no picture")?)
    }

    /// Calls a method of the `DevTools` protocol and returns its result. Input after [`wait_for`](Self::wait_for) waits
    /// for the next frame first.
    ///
    /// # Errors
    /// Returns an error if the browser refuses, or does not answer.
    pub fn call(&mut self, method: &str, parameters: &Value) -> Result<Value> {
        let id = self.send(method, parameters)?;
        self.answer(id, method)
    }

    /// Calls a method several times without waiting in between.
    fn call_all(&mut self, method: &str, parameters: &[Value]) -> Result<()> {
        let ids = parameters.iter().map(|parameters| self.send(method, parameters)).collect::<Result<Vec<_>>>()?;
        ids.into_iter().try_for_each(|id| self.answer(id, method).map(drop))
    }

    /// Sends a call and returns its number.
    fn send(&mut self, method: &str, parameters: &Value) -> Result<u64> {
        if self.is_fresh && method.starts_with("Input.") {
            self.is_fresh = false;
            self.eval(FRAME)?;
        }
        let id = self.next_id;
        self.next_id += 1;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.socket.send(Message::text(message.to_string()))?;
        Ok(id)
    }

    /// Waits for the result of a call.
    fn answer(&mut self, id: u64, method: &str) -> Result<Value> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.answers.iter().position(|answer| answer["id"] == id) {
                let mut answer = self.answers.swap_remove(at);
                ensure!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return Ok(answer["result"].take());
            }
            ensure!(Instant::now() < end, "{method}: no answer within {} s", PATIENCE.as_secs());
            self.receive()?;
        }
    }

    /// Returns the errors since the last call: messages on the console, exceptions, failed requests.
    ///
    /// # Errors
    /// Returns an error if the browser has ended.
    pub fn complaints(&mut self) -> Result<Vec<String>> {
        self.eval(FRAME)?;
        Ok(std::mem::take(&mut self.complaints))
    }

    /// Returns the addresses that the page requested since the last call.
    ///
    /// # Errors
    /// Returns an error if the browser has ended.
    pub fn requests(&mut self) -> Result<Vec<String>> {
        self.eval(FRAME)?;
        Ok(std::mem::take(&mut self.requests))
    }

    fn until(&mut self, what: &str, mut done: impl FnMut(&mut Self) -> Result<bool>) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while !done(self)? {
            if Instant::now() > end {
                bail!("not within {} s: {what}", PATIENCE.as_secs());
            }
            self.receive()?;
        }
        Ok(())
    }

    /// Records the next message, if one arrives soon.
    fn receive(&mut self) -> Result<()> {
        let message = match self.socket.read() {
            Ok(Message::Text(text)) => serde_json::from_str::<Value>(&text)?,
            Ok(_) => return Ok(()),
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
            {
                return Ok(());
            }
            Err(error) => return Err(error).context("the connection to the browser is lost"),
        };
        let what = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loads += 1,
            Some("Runtime.exceptionThrown") => self.complaints.push(what["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") if what["type"] == "error" => {
                self.complaints.push(what["args"].to_string());
            }
            Some("Log.entryAdded") if what["entry"]["level"] == "error" => {
                self.complaints.push(what["entry"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                self.requests.extend(what["request"]["url"].as_str().map(str::to_owned));
            }
            None => self.answers.push(message),
            _ => (),
        }
        Ok(())
    }
}

/// Decodes Base64.
fn decode(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for c in text.bytes().filter(|&c| c != b'=') {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => bail!("`{}` is not a Base64 character", char::from(c)),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn base_64() {
        assert_eq!(super::decode("SGVsbG8h").expect("text"), b"Hello!");
        assert_eq!(super::decode("SGk=").expect("text"), b"Hi");
    }
}
