//! A course of many teams, its server as a process that can be killed, and requests to it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use ureq::http::Request;

/// Name of the course file.
const FILE: &str = "x.toml";
/// Maximum time for an event.
const TIMEOUT: Duration = Duration::from_mins(10);
/// Maximum size of an answer, in bytes.
const LONGEST: u64 = 64 << 20;

/// The sender of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sender {
    Visitor,
    /// A team, by its index.
    Team(usize),
    Staff,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) tag: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }
}

/// A course with a fast clock in a temporary folder, and its server process.
pub(crate) struct Served {
    folder: tempfile::TempDir,
    speed: AtomicU32,
    server: Mutex<Option<Child>>,
    /// Host and port of the server, which change at each start.
    host: RwLock<String>,
    /// Token of the staff, and then those of the teams.
    tokens: Vec<String>,
    client: ureq::Agent,
    /// Largest resident memory of all servers that have ended, in KiB.
    peak: AtomicU64,
}

impl Served {
    /// Starts a course of `teams` teams with the settings of a course file. Its clock runs `speed` times as fast.
    pub(crate) fn new(teams: usize, settings: &str, speed: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let rows: Vec<String> = (0..teams).map(|team| format!("{0},Team {team},{0}@example.org\n", id(team))).collect();
        fs::write(folder.path().join("teams.csv"), format!("id,name,mail\n{}", rows.concat())).expect("written");
        fs::write(folder.path().join(FILE), settings).expect("written");
        let client = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .timeout_global(Some(TIMEOUT))
            .max_idle_connections_per_host(64)
            .build();
        let mut served = Self {
            folder,
            speed: speed.into(),
            server: Mutex::default(),
            host: RwLock::default(),
            tokens: Vec::new(),
            client: client.into(),
            peak: AtomicU64::new(0),
        };
        let printed = served.start();
        let token = |link: &Value| link.as_str().and_then(|link| link.rsplit('/').next()).expect("a link").to_owned();
        served.tokens.push(token(&printed["staff"]));
        let links = served.act("links");
        served.tokens.extend(links["links"].as_array().expect("links").iter().map(|link| token(&link["link"])));
        assert_eq!(served.tokens.len(), teams + 1);
        served
    }

    /// Returns the number of teams.
    pub(crate) fn teams(&self) -> usize {
        self.tokens.len() - 1
    }

    /// Returns the path of the database.
    pub(crate) fn store(&self) -> PathBuf {
        course::Rehearsal::of(&self.folder.path().join(FILE)).store().to_owned()
    }

    /// Returns the address of the page.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/", self.host.read().expect("no panic"))
    }

    /// Runs a command of `plyhouse course` for this course, and returns its output.
    pub(crate) fn command(&self, arguments: &[&str]) -> String {
        let mut command = self.program();
        let output = command.args([arguments[0], FILE, "--rehearse"]).args(&arguments[1..]).output();
        let output = output.expect("the program runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plyhouse"));
        command.arg("course").current_dir(self.folder.path()).env("PLYHOUSE_ENDGAMES", "/no/endgames");
        command
    }

    /// Starts the server, and returns what it prints.
    pub(crate) fn start(&self) -> Value {
        let mut guard = self.server.lock().expect("no panic");
        let log = File::options().create(true).append(true).open(self.folder.path().join("log")).expect("a log");
        let speed = self.speed.load(Ordering::Relaxed);
        let mut command = self.program();
        command.args(["serve", FILE, "--rehearse", &speed.to_string(), "--port", "0", "--json"]);
        let server = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn();
        let mut server = server.expect("the program runs");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let printed: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}; log: {}", self.log()));
        let address = printed["address"].as_str().expect("an address");
        address.clone_into(&mut self.host.write().expect("no panic"));
        *guard = Some(server);
        printed
    }

    /// Returns the log of all servers.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Ends the server with a signal, and waits for it and for all programs that it has started.
    pub(crate) fn end(&self, signal: Signal) {
        let mut server = self.server.lock().expect("no panic").take().expect("a running server");
        self.peak.fetch_max(memory(&server), Ordering::Relaxed);
        kill_process(Pid::from_child(&server), signal).expect("sent");
        let status = server.wait().expect("a child");
        assert!(signal == Signal::KILL || status.success(), "{status}; log: {}", self.log());
        let end = Instant::now() + TIMEOUT;
        while processes_in(self.folder.path()) > 0 {
            assert!(Instant::now() < end, "programs of the server are still running");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sets the speed of the clock of the next server.
    pub(crate) fn set_speed(&self, speed: u32) {
        self.speed.store(speed, Ordering::Relaxed);
    }

    /// Makes the next server open the ladder again after the final, for late uploads.
    pub(crate) fn reopen_ladder(&self) {
        let path = self.folder.path().join(FILE);
        let text = fs::read_to_string(&path).expect("the course file");
        fs::write(&path, text.replace("[game]", "late = 'open-ladder'\n[game]")).expect("written");
    }

    /// Returns the largest resident memory of all servers so far, in KiB. It does not include programs that they start.
    pub(crate) fn peak_memory(&self) -> u64 {
        let running = self.server.lock().expect("no panic").as_ref().map_or(0, memory);
        self.peak.fetch_max(running, Ordering::Relaxed).max(running)
    }

    /// Copies the database of a killed server.
    pub(crate) fn copy_crashed(&self) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        for file in course::CourseStore::files(&self.store()).iter().take(2).filter(|file| file.exists()) {
            fs::copy(file, folder.path().join(file.file_name().expect("a name"))).expect("copied");
        }
        let store = folder.path().join(self.store().file_name().expect("a name"));
        (folder, store)
    }

    /// Sends a request without a body. Returns `None` without an answer.
    pub(crate) fn get(&self, sender: Sender, path: &str, tag: Option<&str>) -> Option<Answer> {
        let mut request = self.request(sender, "GET", path);
        if let Some(tag) = tag {
            request = request.header("If-None-Match", tag);
        }
        answer(self.client.run(request.body(()).expect("a request")))
    }

    /// Sends a file to the course. Returns `None` if no answer came, which does not mean that the file was lost.
    pub(crate) fn upload(&self, team: usize, file: &[u8]) -> Option<Answer> {
        let request = self.request(Sender::Team(team), "POST", "/course/uploads");
        let request = request.header("X-File-Name", format!("submission-{}.zip", id(team)));
        answer(self.client.run(request.body(file).expect("a request")))
    }

    /// Performs an action of the staff. Returns `None` if no answer came.
    pub(crate) fn try_act(&self, action: &str, values: &Value) -> Option<Answer> {
        self.post(Sender::Staff, &format!("/course/staff/{action}"), values)
    }

    /// Sends values. Returns `None` if no answer came.
    pub(crate) fn post(&self, sender: Sender, path: &str, values: &Value) -> Option<Answer> {
        let request = self.request(sender, "POST", path);
        answer(self.client.run(request.body(values.to_string()).expect("a request")))
    }

    /// Performs an action of the staff that needs no values, and returns its result.
    pub(crate) fn act(&self, action: &str) -> Value {
        let answer = self.try_act(action, &json!({})).expect("a server");
        assert_eq!(answer.status, 200, "{action}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// Returns a view of the staff.
    pub(crate) fn view(&self, path: &str) -> Value {
        let answer = self.get(Sender::Staff, path, None).expect("a server");
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// Returns all rows of a scoreboard.
    pub(crate) fn standings(&self, kind: &str) -> Vec<Value> {
        let page = |page: u64| self.view(&format!("/course/standings?kind={kind}&page={page}"));
        let pages = page(1)["pages"].as_u64().expect("a number");
        (1..=pages).flat_map(|number| page(number)["rows"].as_array().expect("rows").clone()).collect()
    }

    /// Waits until the view at a path meets a condition, and returns it.
    pub(crate) fn wait_for(&self, path: &str, is_over: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + TIMEOUT;
        loop {
            let view = self.view(path);
            if is_over(&view) {
                return view;
            }
            assert!(Instant::now() < end, "no event within {TIMEOUT:?}: {path}: {view}; log: {}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the course is in a phase.
    pub(crate) fn wait_for_phase(&self, phase: &str) {
        self.wait_for("/course/about", |about| about["phase"] == phase);
    }

    /// Waits until the list of a kind of games has at least `least` games, and returns it.
    pub(crate) fn wait_for_games(&self, kind: &str, least: usize) -> Value {
        let is_long = |page: &Value| page["games"].as_array().is_some_and(|games| games.len() >= least);
        self.wait_for(&format!("/course/games?kind={kind}"), is_long)
    }

    /// Returns the number of games on the ladder.
    pub(crate) fn games(&self) -> u64 {
        self.view("/course/about")["games"].as_u64().expect("a number")
    }

    fn request(&self, sender: Sender, method: &str, path: &str) -> ureq::http::request::Builder {
        let host = self.host.read().expect("no panic").clone();
        let request = Request::builder().method(method).uri(format!("http://{host}{path}"));
        let request = request.header("Origin", format!("http://{host}"));
        let token = match sender {
            Sender::Visitor => return request,
            Sender::Staff => self.tokens.first(),
            Sender::Team(team) => self.tokens.get(team + 1),
        };
        let port = host.rsplit(':').next().unwrap_or_default();
        request.header("Cookie", format!("plyhouse-course-{port}={}", token.expect("a link")))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Ok(mut server) = self.server.lock()
            && let Some(mut server) = server.take()
        {
            // A panic of the test matters more.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// Returns the settings of a course with a deadline in UTC, such as `2026-11-30 18:00`.
pub(crate) fn settings(deadline: &str) -> String {
    format!(
        "[course]\nname = 'Load'\nroster = 'teams.csv'\ndeadline = '{deadline}'\ntime_zone = 'UTC'\n\
         [game]\ngame = 'breakthrough'\nsize = 5\n[time]\nmove = 20.0\nstart = 20.0\n\
         [agent]\ncommand = 'sh agent.sh'\ndialect = 'ugi'\n[uploads]\nper_hour = 1000\n\
         [ladder]\ncores = 2\n[final]\nformat = 'swiss'\nrounds = 2\ncores = 2\n[grading]\naccepted = 10\n"
    )
}

/// Returns the id of a team.
pub(crate) fn id(team: usize) -> String {
    format!("A{team:04}X")
}

/// Returns the largest resident memory of a process, in KiB.
fn memory(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).expect("its memory")
}

/// Returns the number of processes whose working directory is a folder or below it.
fn processes_in(folder: &Path) -> usize {
    let all = fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    all.filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))).count()
}

fn answer(result: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Option<Answer> {
    let mut response = result.ok()?;
    let tag = response.headers().get("etag").and_then(|tag| tag.to_str().ok()).map(str::to_owned);
    let body = response.body_mut().with_config().limit(LONGEST).read_to_vec().ok()?;
    Some(Answer { status: response.status().as_u16(), tag, body })
}
