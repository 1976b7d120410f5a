//! A served course, and a client that writes and reads HTTP by hand.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use course::http::{Server, ServerOptions, Stopper};
use course::{Clock, Course, FastClock, Options, Role, Service, StaffAction};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Maximum time for an event.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(4);
/// Variable with the path of a `plyhouse` program. If it is set, agents play in the machine's best sandbox.
const LAUNCHER: &str = "PLYHOUSE_LAUNCHER";
/// Name of a team that would be a script on a careless page.
pub(crate) const SCRIPT: &str = "<script>alert(1)</script>";

/// A served course with the teams `ann` and `bob`. Unless it plays, no thread checks uploads or plays games.
pub(crate) struct Served {
    pub(crate) folder: TempDir,
    pub(crate) service: Arc<Service>,
    pub(crate) host: String,
    /// Lines of the log.
    pub(crate) log: Arc<Mutex<Vec<String>>>,
    /// Tokens by the ids of their teams; `staff` is the staff.
    pub(crate) tokens: BTreeMap<String, String>,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

/// Returns a course file's content in a folder, with more settings of the section `[server]`.
pub(crate) fn config(folder: &Path, server: &str) -> Course {
    let roster = format!("id,name,mail\nann,\"{SCRIPT}\",ann@example.org\nbob,Team Bob,bob@example.org\n");
    std::fs::write(folder.join("teams.csv"), roster).expect("written");
    let text = format!(
        "[course]\nname = 'Test'\nroster = 'teams.csv'\ndeadline = '2026-11-30 18:00'\ntime_zone = 'Asia/Singapore'\n\
         [game]\ngame = 'breakthrough'\nsize = 5\n[uploads]\nsize = '1M'\nper_hour = 100\n[server]\n{server}"
    );
    let mut course = Course::read(&text, folder).expect("a course");
    course.server.port = 0;
    course
}

/// Returns the path of the course's file in a folder.
pub(crate) fn store(folder: &Path) -> PathBuf {
    folder.join("course.sqlite")
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::with("", |_| ())
    }

    /// Serves a course with more settings of the section `[server]`, and with other options.
    pub(crate) fn with(server: &str, change: impl FnOnce(&mut ServerOptions)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let course = config(folder.path(), server);
        Self::of(folder, course, change)
    }

    /// Serves a course that checks uploads and plays games.
    pub(crate) fn playing() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = "[time]\nmove = 20.0\nstart = 20.0\n[agent]\ncommand = 'python3 agent.py'\ndialect = 'ugi'\n\
                        [ladder]\ncores = 2\nopening = 2\n[final]\ncores = 2\n";
        let course = config(folder.path(), settings);
        let launcher = std::env::var_os(LAUNCHER).map(PathBuf::from);
        let options = Options { launcher, checkers: Some(2), ..Options::default() };
        Self::start(folder, course, options, |_| ())
    }

    pub(crate) fn of(folder: TempDir, course: Course, change: impl FnOnce(&mut ServerOptions)) -> Self {
        Self::start(folder, course, Options { threads: false, launcher: None, ..Options::default() }, change)
    }

    fn start(folder: TempDir, mut course: Course, options: Options, change: impl FnOnce(&mut ServerOptions)) -> Self {
        let server = Server::bind(&course).expect("a port");
        course.server.port = server.address().port();
        let start = "2026-11-30T00:00:00Z".parse().expect("a time");
        let clock: Arc<dyn Clock> = Arc::new(FastClock::new(start, 1.0));
        let store = store(folder.path());
        let service = Service::open(course, &store, clock, options).expect("the course opens");
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&log);
        let mut options = ServerOptions {
            log: Arc::new(move |line| lines.lock().expect("no panic").push(line.to_owned())),
            is_verbose: true,
            ..ServerOptions::default()
        };
        change(&mut options);
        let (host, stopper) = (server.address().to_string(), server.stopper());
        let served = Arc::clone(&service);
        let run = move || server.run(&served, &store, &options).expect("the server runs");
        let thread = Some(thread::spawn(run));
        let console = folder.path().join("course.work/console.json");
        wait_until("the server has started", || console.exists());
        let action = StaffAction::parse("links", json!({"renew": true})).expect("an action");
        let links = service.act(Some(&Role::Staff), &action).expect("links").links.expect("links");
        let token = |link: &str| link.rsplit('/').next().expect("a token").to_owned();
        let mut tokens: BTreeMap<String, String> =
            links.iter().map(|link| (link.id.clone(), token(&link.link))).collect();
        let action = StaffAction::parse("renewLink", json!({"team": null})).expect("an action");
        let link = service.act(Some(&Role::Staff), &action).expect("a link").link.expect("a link");
        tokens.insert("staff".to_owned(), token(&link));
        Self { folder, service, host, log, tokens, stopper, thread }
    }

    /// Asks the server to stop.
    pub(crate) fn stop(&self) {
        self.stopper.stop();
    }

    /// Waits until the server has ended.
    pub(crate) fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends without a panic");
        }
    }

    /// Returns the header with the cookie of a role; an empty name is a visitor.
    pub(crate) fn cookie(&self, role: &str) -> String {
        let port = self.host.rsplit(':').next().expect("a port");
        self.tokens.get(role).map_or_else(String::new, |token| format!("Cookie: plyhouse-course-{port}={token}\r\n"))
    }

    /// Returns the headers of a request with the cookie of a role; an empty name is a visitor.
    pub(crate) fn headers(&self, role: &str) -> String {
        format!("Host: {}\r\n{}", self.host, self.cookie(role))
    }

    /// Returns the headers of a request that a page of the course sends.
    pub(crate) fn page_headers(&self, role: &str) -> String {
        format!("{}Origin: http://{}\r\n", self.headers(role), self.host)
    }

    /// Sends a request as a browser on the page does it.
    pub(crate) fn send(&self, role: &str, method: &str, path: &str, body: &str) -> Answer {
        self.raw(method, path, &self.page_headers(role), body.as_bytes())
    }

    pub(crate) fn get(&self, role: &str, path: &str) -> Answer {
        self.send(role, "GET", path, "")
    }

    /// Sends a file as the page does it. `name` is percent-encoded.
    pub(crate) fn upload(&self, role: &str, name: &str, bytes: &[u8]) -> Answer {
        let headers = format!("{}X-File-Name: {name}\r\n", self.page_headers(role));
        self.raw("POST", "/course/uploads", &headers, bytes)
    }

    /// Performs an action of the staff.
    pub(crate) fn act(&self, action: &str, values: &Value) -> Answer {
        self.send("staff", "POST", &format!("/course/staff/{action}"), &values.to_string())
    }

    /// Sends these bytes, and returns all that the server answers until it closes the connection.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        // The server may refuse the request and close the connection before it has received everything.
        let _ = stream.write_all(bytes);
        let (mut answer, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            answer.extend_from_slice(&buffer[..count]);
            // An end before the answer would cancel the request.
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request with these headers only.
    pub(crate) fn raw(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        let length = body.len();
        let head =
            format!("{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        stream.write_all(body).expect("sent");
        Answer::read(&mut stream)
    }

    /// Begins an upload as chunks, and returns its connection.
    pub(crate) fn begin_upload(&self, role: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        let head = format!(
            "POST /course/uploads HTTP/1.1\r\n{}X-File-Name: agent.py\r\n\
             Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
            self.page_headers(role)
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream
    }

    /// Returns the files of uploads in progress.
    pub(crate) fn parts(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder.path().join("course.work/uploads")).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    }

    /// Returns the uploads of a team.
    pub(crate) fn uploads(&self, team: &str) -> Vec<Value> {
        let uploads = self.get("staff", &format!("/course/uploads?team={team}"));
        list(&uploads.json(), "uploads")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A panic of the test matters more.
            let _ = thread.join();
        }
        self.service.stop();
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// Reads an answer until the end of its content or of the connection.
    pub(crate) fn read(stream: &mut impl Read) -> Self {
        let (mut bytes, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
        while !is_whole(&bytes)
            && let Ok(count @ 1..) = stream.read(&mut buffer)
        {
            bytes.extend_from_slice(&buffer[..count]);
        }
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status: {text}"));
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Returns the value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(": "));
        headers.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the code of the error; empty if it is none.
    pub(crate) fn code(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        body["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// Returns `true` if an error has arrived completely. A server may read the rest of the request for a while after it.
fn is_whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let is_error = ["HTTP/1.1 4", "HTTP/1.1 5"].iter().any(|start| text.starts_with(start));
    is_error && text.split_once("\r\n\r\n").is_some_and(|(_, body)| serde_json::from_str::<Value>(body).is_ok())
}

/// Returns the entries of a list in an answer.
pub(crate) fn list(answer: &Value, field: &str) -> Vec<Value> {
    answer[field].as_array().expect("a list").clone()
}

/// Sends a chunk of a body.
pub(crate) fn send_chunk(stream: &mut impl Write, bytes: &[u8]) {
    write!(stream, "{:x}\r\n", bytes.len()).expect("sent");
    stream.write_all(bytes).expect("sent");
    stream.write_all(b"\r\n").expect("sent");
}

/// Waits for an event.
pub(crate) fn wait_until(event: &str, is_over: impl Fn() -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !is_over() {
        assert!(Instant::now() < end, "no event within {TIMEOUT:?}: {event}");
        thread::sleep(Duration::from_millis(10));
    }
}
