//! A minimal static file server: it sends the files of a folder without compression and caching.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::Result;

/// A running server of the files of a folder. Dropping it stops the server.
pub struct Files {
    port: u16,
    below: &'static str,
    ends: Arc<AtomicBool>,
    held: Arc<Held>,
    thread: Option<JoinHandle<()>>,
}

/// The start of the paths whose requests wait.
#[derive(Default)]
struct Held {
    start: Mutex<Option<String>>,
    changed: Condvar,
}

/// The configuration of the server.
struct Site {
    folder: PathBuf,
    below: &'static str,
    headers: &'static str,
    held: Arc<Held>,
}

impl Files {
    /// Serves a folder below a path such as `/a/b/`, on this machine at a free port. Every response contains `headers`,
    /// in which each header ends with a line end.
    ///
    /// # Errors
    /// Returns an error if no port can be opened.
    pub fn serve(folder: &Path, below: &'static str, headers: &'static str) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let ends = Arc::new(AtomicBool::new(false));
        let held = Arc::default();
        let site = Site { folder: folder.to_owned(), below, headers, held: Arc::clone(&held) };
        let (ended, site) = (Arc::clone(&ends), Arc::new(site));
        let thread = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let site = Arc::clone(&site);
                thread::spawn(move || site.answer(&stream));
            }
        });
        Ok(Self { port, below, ends, held, thread: Some(thread) })
    }

    /// Returns the address of the folder.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.below)
    }

    /// Lets requests for paths that begin with `start` wait until the next call. `None` lets none wait.
    pub fn hold(&self, start: Option<&str>) {
        *self.held.start.lock().unwrap_or_else(PoisonError::into_inner) = start.map(str::to_owned);
        self.held.changed.notify_all();
    }
}

impl Held {
    /// Waits until the requests for a path are no longer held.
    fn wait(&self, path: &str) {
        let start = self.start.lock().unwrap_or_else(PoisonError::into_inner);
        let is_held = |start: &mut Option<String>| start.as_ref().is_some_and(|start| path.starts_with(start.as_str()));
        drop(self.changed.wait_while(start, is_held));
    }
}

/// Stops the server. Later connections are refused.
impl Drop for Files {
    fn drop(&mut self) {
        self.hold(None);
        self.ends.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Site {
    /// Answers one request and closes the connection.
    fn answer(&self, mut stream: &TcpStream) {
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let name = path.strip_prefix(self.below).filter(|name| !name.contains("..")).unwrap_or("nothing");
        let name = if name.is_empty() { "index.html" } else { name };
        self.held.wait(name);
        let (status, bytes) = match fs::read(self.folder.join(name)) {
            Ok(bytes) => ("200 OK", bytes),
            Err(_) => ("404 Not Found", Vec::new()),
        };
        let (kind, length, headers) = (kind(name), bytes.len(), self.headers);
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
    }
}

/// Returns the usual media type for the extension of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}
