//! Attacks its own server on this machine in many ways at once, and measures the delays of other users and the memory
//! of the server.
//!
//! `cargo run --release -p plyhouse-web --example page_attack -- [SECONDS [PROGRAM]]` attacks for SECONDS (default 120,
//! at most 600) and then observes the server for a minute. With a PROGRAM, which is a `plyhouse` of any version, it
//! attacks the `page` of that program. The memory of another process is measured only on Linux.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write, stdout};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};
use web::{Archive, Server};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

/// Settings of the GNU C library, which otherwise keeps freed memory.
const MEMORY: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "2"), ("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "131072")];
/// Observation time after the attack.
const REST: Duration = Duration::from_mins(1);
/// Time before the attack, in which the players play undisturbed.
const CALM: Duration = Duration::from_secs(15);
/// Number of honest players, and their thinking time per move.
const PLAYERS: usize = 10;
const THINKS: Duration = Duration::from_millis(50);

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, archive] = &arguments[..]
        && word == "serve"
    {
        return serve(archive);
    }
    let seconds = arguments.first().map_or(Ok(120), |text| text.parse())?;
    attack(Duration::from_secs(u64::min(seconds, 600)), arguments.get(1).map(String::as_str))
}

/// Runs the server under attack, which prints its load every second.
fn serve(archive: &str) -> Result<()> {
    let server = Server::bind(None, engine::Resources::default())?;
    server.keep(Archive::open(archive.into(), Box::new(|_| ())));
    let mut out = stdout();
    writeln!(out, "at {} ", server.address())?;
    let gauge = server.gauge();
    thread::spawn(move || {
        loop {
            let (connections, pages, rooms) = (gauge.connections(), gauge.pages(), gauge.rooms());
            let _ =
                writeln!(out, "{connections} connections, {pages} pages, {rooms} rooms, {} thinking", gauge.thinking());
            sleep(Duration::from_secs(1));
        }
    });
    Ok(server.run()?)
}

/// A server in a separate process, killed on drop.
struct Victim {
    child: Child,
    host: String,
    /// The last line that the server printed.
    said: Arc<Mutex<String>>,
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Victim {
    fn start(program: Option<&str>, archive: &Path) -> Result<Self> {
        let mut command = match program {
            Some(program) => Command::new(program),
            None => Command::new(std::env::current_exe()?),
        };
        match program {
            Some(_) => command.args(["page", "--no-open", "--port", "0", "--archive"]).arg(archive),
            // The settings that `plyhouse page` sets for itself.
            None => command.arg("serve").arg(archive).envs(MEMORY),
        };
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut out = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut line = String::new();
        out.read_line(&mut line)?;
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://")).ok_or("no address")?;
        let host = address.trim_end_matches('/').to_owned();
        let said = Arc::<Mutex<String>>::default();
        let heard = Arc::clone(&said);
        thread::spawn(move || {
            for line in out.lines().map_while(std::result::Result::ok) {
                *heard.lock().unwrap_or_else(PoisonError::into_inner) = line;
            }
        });
        Ok(Self { child, host, said })
    }

    /// Returns the resident memory, in MiB.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
    }

    fn said(&self) -> String {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The state shared by all attackers.
#[derive(Clone)]
struct Attack {
    host: String,
    goes_on: Arc<AtomicBool>,
    /// Number of attempts of all kinds.
    attempts: Arc<AtomicUsize>,
}

impl Attack {
    /// Repeats an action. A client that was disconnected reconnects.
    fn repeat(&self, pause: u64, what: impl Fn(&Self) -> Result<()> + Send + 'static) -> JoinHandle<()> {
        let attack = self.clone();
        thread::spawn(move || {
            while attack.goes_on() {
                let _ = what(&attack);
                attack.attempts.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_millis(pause));
            }
        })
    }

    fn goes_on(&self) -> bool {
        self.goes_on.load(Ordering::Relaxed)
    }

    fn connect(&self) -> Result<Socket> {
        let mut request = format!("ws://{}/socket", self.host).into_client_request()?;
        request.headers_mut().insert("origin", format!("http://{}", self.host).parse()?);
        let (socket, _) = tungstenite::connect(request)?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            stream.set_write_timeout(Some(Duration::from_secs(1)))?;
        }
        Ok(socket)
    }

    /// Sends a message and waits for an answer of a kind.
    fn ask(socket: &mut Socket, question: &Value, kind: &str) -> Result<Value> {
        socket.send(Message::text(question.to_string()))?;
        loop {
            if let Message::Text(text) = socket.read()? {
                let answer: Value = serde_json::from_str(&text)?;
                if answer["is"] == kind {
                    return Ok(answer);
                }
            }
        }
    }
}

/// Returns a game with the maximum number of moves.
fn longest_game() -> Value {
    let moves = ["b1-b3", "h7-f7", "b3-b1", "f7-h7"].repeat(499);
    json!({"game": "loa", "moves": moves})
}

const PERSONS: [&str; 2] = ["person", "person"];

fn seats(kinds: [&str; 2]) -> Value {
    json!(kinds.map(|kind| match kind {
        "person" => json!({"kind": kind}),
        _ => json!({"kind": kind, "level": "10", "seconds": 60}),
    }))
}

/// Creates rooms with the longest game or with engines that search for a minute, and leaves each at once.
fn tables(attack: &Attack) -> Result<()> {
    let mut socket = attack.connect()?;
    for table in 0..30 {
        Attack::ask(&mut socket, &json!({"do": "join", "room": null}), "room")?;
        let new = match table % 3 {
            0 => json!({"do": "new", "game": longest_game(), "seats": seats(PERSONS)}),
            _ => json!({"do": "new", "game": {"game": "loa"}, "seats": seats(["engine"; 2])}),
        };
        Attack::ask(&mut socket, &new, "room")?;
        if !attack.goes_on() {
            break;
        }
    }
    Ok(())
}

/// Opens a page that requests everything, reads nothing and stays.
fn deaf(attack: &Attack) -> Result<()> {
    let mut socket = attack.connect()?;
    let say = |socket: &mut Socket, what: &Value| socket.send(Message::text(what.to_string()));
    say(&mut socket, &json!({"do": "judge", "id": 1, "game": longest_game()}))?;
    let look = json!({"do": "look", "id": 2, "game": {"game": "jump61", "size": 10}});
    while say(&mut socket, &look).is_ok() {}
    for _ in 0..300 {
        if attack.goes_on() {
            sleep(Duration::from_millis(100));
        }
    }
    Ok(())
}

/// Sends expensive questions without a pause, and reads the answers.
fn heavy(attack: &Attack) -> Result<()> {
    let mut socket = attack.connect()?;
    while attack.goes_on() {
        Attack::ask(&mut socket, &json!({"do": "look", "id": 3, "game": longest_game()}), "scene")?;
        Attack::ask(&mut socket, &json!({"do": "explore", "id": 4, "game": {"game": "loa"}}), "explored")?;
    }
    Ok(())
}

/// Runs analyses for a page that reads them.
fn analyses(attack: &Attack) -> Result<()> {
    let mut socket = attack.connect()?;
    for id in 0..20 {
        Attack::ask(
            &mut socket,
            &json!({"do": "analyse", "id": id, "lines": 5, "game": {"game": "checkers"}}),
            "thought",
        )?;
    }
    Ok(())
}

/// Sends messages above the limit, through a socket and over HTTP.
fn too_long(attack: &Attack) -> Result<()> {
    let mut socket = attack.connect()?;
    let _ = socket.send(Message::text("x".repeat(1 << 20)));
    let _ = socket.read();
    let mut stream = TcpStream::connect(&attack.host)?;
    let host = &attack.host;
    write!(stream, "POST /ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 250000\r\n\r\n")?;
    stream.write_all(&vec![b'['; 250_000])?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let _ = stream.read(&mut [0; 100]);
    Ok(())
}

/// Resigns games after one move, so that each is added to the archive.
fn given_up(attack: &Attack) -> Result<()> {
    let mut socket = attack.connect()?;
    Attack::ask(&mut socket, &json!({"do": "join", "room": null}), "room")?;
    for _ in 0..20 {
        let new = json!({"do": "new", "game": {"game": "loa", "moves": ["b1-b3"]}, "seats": seats(PERSONS)});
        Attack::ask(&mut socket, &new, "room")?;
        Attack::ask(&mut socket, &json!({"do": "act", "ply": 1, "act": {"kind": "resign"}}), "room")?;
    }
    Ok(())
}

/// Sends incomplete requests and keeps the last 600 open.
fn half_requests(attack: &Attack) -> JoinHandle<()> {
    let attack = attack.clone();
    thread::spawn(move || {
        let mut halves = VecDeque::new();
        while attack.goes_on() {
            if let Ok(mut stream) = TcpStream::connect(&attack.host) {
                let _ = write!(stream, "GET / HTTP/1.1\r\nHost:");
                halves.push_back(stream);
            }
            attack.attempts.fetch_add(1, Ordering::Relaxed);
            halves.drain(..halves.len().saturating_sub(600));
            sleep(Duration::from_millis(5));
        }
    })
}

/// Opens pages that send nothing, and keeps the last 150 open.
fn silent_pages(attack: &Attack) -> JoinHandle<()> {
    let attack = attack.clone();
    thread::spawn(move || {
        let mut pages = VecDeque::new();
        while attack.goes_on() {
            pages.extend(attack.connect());
            attack.attempts.fetch_add(1, Ordering::Relaxed);
            pages.drain(..pages.len().saturating_sub(150));
            sleep(Duration::from_millis(100));
        }
    })
}

/// Plays random games, and records the response time of each move and the number of lost connections.
fn player(attack: &Attack, times: &Mutex<Vec<Duration>>, lost: &AtomicUsize) {
    let mut room = Value::Null;
    while attack.goes_on() {
        if let Err(error) = play(attack, &mut room, times) {
            lost.fetch_add(1, Ordering::Relaxed);
            let _ = writeln!(stdout(), "a player was interrupted: {error}");
            sleep(Duration::from_millis(250));
        }
    }
}

fn play(attack: &Attack, room: &mut Value, times: &Mutex<Vec<Duration>>) -> Result<()> {
    let mut socket = attack.connect()?;
    let mut view = Attack::ask(&mut socket, &json!({"do": "join", "room": room}), "room")?;
    let new = json!({"do": "new", "game": {"game": "breakthrough"}, "seats": seats(PERSONS)});
    for choice in 0.. {
        room.clone_from(&view["room"]);
        if !attack.goes_on() {
            break;
        }
        let scene = &view["scene"];
        let moves = scene["moves"].as_array().map_or(&[][..], Vec::as_slice);
        if moves.is_empty() || view["seats"][1]["kind"] != "person" {
            view = Attack::ask(&mut socket, &new, "room")?;
            continue;
        }
        let act = json!({"kind": "play", "text": moves[7 * choice % moves.len()]["text"]});
        let began = Instant::now();
        view = Attack::ask(&mut socket, &json!({"do": "act", "ply": scene["ply"], "act": act}), "room")?;
        times.lock().unwrap_or_else(PoisonError::into_inner).push(began.elapsed());
        sleep(THINKS);
    }
    Ok(())
}

/// Returns a summary of the move times in words, and resets them.
fn summary(times: &Mutex<Vec<Duration>>) -> String {
    let mut times = std::mem::take(&mut *times.lock().unwrap_or_else(PoisonError::into_inner));
    times.sort();
    let at = |share: f64| {
        let number = (times.len().saturating_sub(1) as f64 * share) as usize;
        times.get(number).map_or(0.0, |time| 1e3 * time.as_secs_f64())
    };
    format!(
        "{} moves answered in {:.1} ms (median), {:.1} ms (99 of 100), {:.1} ms (slowest)",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    )
}

fn attack(time: Duration, program: Option<&str>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let victim = Victim::start(program, &folder.path().join("games.jsonl"))?;
    let mut out = stdout();
    let attack =
        Attack { host: victim.host.clone(), goes_on: Arc::new(AtomicBool::new(true)), attempts: Arc::default() };
    writeln!(out, "before: {} MiB", victim.memory())?;
    let (times, lost) = (Arc::<Mutex<Vec<Duration>>>::default(), Arc::<AtomicUsize>::default());
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    for _ in 0..PLAYERS {
        let (attack, times, lost) = (attack.clone(), Arc::clone(&times), Arc::clone(&lost));
        threads.push(thread::spawn(move || player(&attack, &times, &lost)));
    }
    sleep(CALM);
    writeln!(out, "before the attack: {}", summary(&times))?;
    threads.extend([half_requests(&attack), silent_pages(&attack)]);
    threads.extend((0..4).map(|_| attack.repeat(20, tables)));
    threads.extend((0..16).map(|_| attack.repeat(100, deaf)));
    threads.extend((0..4).map(|_| attack.repeat(20, heavy)));
    threads.extend((0..4).map(|_| attack.repeat(20, analyses)));
    threads.extend([attack.repeat(50, too_long), attack.repeat(50, given_up)]);
    let (began, mut most) = (Instant::now(), 0);
    let mut told = 0;
    while began.elapsed() < time {
        sleep(Duration::from_secs(1));
        most = most.max(victim.memory());
        if began.elapsed().as_secs() / 10 > told {
            told += 1;
            writeln!(out, "after {} s: {} MiB; {}", 10 * told, victim.memory(), victim.said())?;
        }
    }
    attack.goes_on.store(false, Ordering::Relaxed);
    for thread in threads {
        let _ = thread.join();
    }
    writeln!(
        out,
        "meanwhile: {}; {} interruptions; {} attempts; bar 50 ms for 99 of 100",
        summary(&times),
        lost.load(Ordering::Relaxed),
        attack.attempts.load(Ordering::Relaxed)
    )?;
    sleep(REST);
    writeln!(
        out,
        "memory: {most} MiB at most, bar 128; {} MiB after a minute of rest, bar 64; {}",
        victim.memory(),
        victim.said()
    )?;
    Ok(())
}
