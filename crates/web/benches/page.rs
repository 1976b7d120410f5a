//! Benchmarks of the page and its server: response times with 200 rooms playing at the same time, memory after a
//! thousand connections, the opening explorer with ten thousand games, the page's size, and the time to the first
//! board.

use std::io::{Write, stdout};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use devtools::Browser;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};
use web::Server;

const ROOMS: usize = 200;
const MOVES: usize = 60;
/// Number of games in the opening explorer.
const GAMES: u64 = 10_000;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Result<()> {
    let server = Server::bind(None, engine::Resources::default())?;
    let address = server.address();
    thread::spawn(move || server.run());
    let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut out = stdout();

    let mut times = rooms(&host)?;
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    writeln!(
        out,
        "{ROOMS} rooms together, {} moves: answered in {:.1} ms (median), {:.1} ms (99 of 100), {:.1} ms (slowest); bar 50 ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    )?;
    let before = memory();
    for _ in 0..1000 {
        drop(connect(&host)?);
    }
    thread::sleep(Duration::from_millis(500));
    writeln!(out, "memory: {} MiB, after a thousand more connections {} MiB", before / 1024, memory() / 1024)?;

    explorer(&mut out)?;

    let mut browser = Browser::start()?;
    let mut first = Vec::new();
    for _ in 0..9 {
        browser.open("about:blank", 1280, 900)?;
        browser.open(&format!("{address}#/play?game=loa"), 1280, 900)?;
        browser.wait_for("document.querySelector('.board .square') !== null")?;
        let shown =
            "(() => { const paint = performance.getEntriesByName('board')[0]; return paint ? paint.startTime : 0; })()";
        first.push(browser.eval(shown)?.as_f64().unwrap_or(0.0));
    }
    first.sort_by(f64::total_cmp);
    let weight = browser.eval(
        "performance.getEntriesByType('resource').reduce((sum, e) => sum + e.decodedBodySize, \
         performance.getEntriesByType('navigation')[0].decodedBodySize)",
    )?;
    writeln!(out, "first board after {:.0} ms (median of 9), {:.0} ms (slowest); bar 300 ms", first[4], first[8])?;
    writeln!(out, "page weight {:.0} kB; bar 400 kB", weight.as_f64().unwrap_or(0.0) / 1e3)?;
    cascade(&mut out, &mut browser, &address)
}

/// Measures the frame times of a cascade that crosses a board of ten by ten.
fn cascade(out: &mut impl Write, browser: &mut Browser, address: &str) -> Result<()> {
    let spots =
        |row: usize, column: usize| 4 - usize::from(row.is_multiple_of(9)) - usize::from(column.is_multiple_of(9));
    let pile = |row: usize, column: usize| match (row >= 6 && column >= 6, spots(row, column)) {
        (true, full) if (row + column) % 2 == 1 => format!("{full}b"),
        (true, full) => format!("{}b", full - 1),
        (false, full) if (row + column).is_multiple_of(3) => format!("{}r", full - 1),
        (false, full) => format!("{full}r"),
    };
    let row = |row: usize| (0..10).map(|column| pile(row, column)).collect::<String>();
    let start = (0..10).map(row).collect::<Vec<_>>().join("%2F");
    browser.open("about:blank", 1280, 900)?;
    browser.open(&format!("{address}#/play?game=jump61&size=10&start={start}"), 1280, 900)?;
    browser.wait_for("document.querySelector('[data-place=\"4,4\"].movable') !== null")?;
    // The baseline: the frame rate of this machine without any animation.
    let count = "new Promise((done) => { const frames = []; let last = performance.now(); \
        const next = (now) => { frames.push(now - last); last = now; \
            if (frames.length < 20 || GOES_ON) requestAnimationFrame(next); else done(frames); }; \
        requestAnimationFrame(next); })";
    let still = browser.eval(&count.replace("GOES_ON", "frames.length < 120"))?;
    browser.click("[data-place='4,4']")?;
    let moving = browser.eval(&count.replace("GOES_ON", "document.querySelector('.skip')"))?;
    for (name, frames) in [("without movement", still), ("while a cascade runs over 10x10", moving)] {
        let frames: Vec<f64> = frames.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let late = frames.iter().filter(|&&ms| ms > 20.0).count();
        let rate = 1e3 * frames.len() as f64 / frames.iter().sum::<f64>();
        writeln!(out, "{name}: {rate:.1} frames a second, {late} of {} late; aim 60", frames.len())?;
    }
    Ok(())
}

/// Measures a server with an archive of ten thousand random games: the time to count them and the response times.
fn explorer(out: &mut impl Write) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.jsonl");
    let setting = games::Setting::new(games::GameId::LOA, 40);
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path)?);
    for number in 0..GAMES {
        let game = setting.random(40, number)?;
        let line = json!({
            "id": number.to_string(), "date": "", "game": "loa", "moves": game.moves(),
            "seats": [{"kind": "person"}, {"kind": "person"}], "winner": number % 2, "reason": "resigned",
        });
        writeln!(file, "{line}")?;
    }
    file.flush()?;
    drop(file);
    let server = Server::bind(None, engine::Resources::default())?;
    server.keep(web::Archive::open(path, Box::new(|_| ())));
    let host = server.address().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let began = Instant::now();
    thread::spawn(move || server.run());
    let mut socket = connect(&host)?;
    let mut ask = |moves: &[&str]| -> Result<(Duration, Value)> {
        let began = Instant::now();
        let game = json!({"game": "loa", "moves": moves});
        socket.send(Message::text(json!({"do": "explore", "id": 1, "game": game}).to_string()))?;
        let answer = serde_json::from_str(socket.read()?.to_text()?)?;
        Ok((began.elapsed(), answer))
    };
    while ask(&[])?.1["moves"].as_array().is_none_or(Vec::is_empty) || ask(&[])?.1["counting"] == true {
        thread::sleep(Duration::from_millis(20));
    }
    let counted = began.elapsed();
    let mut times = Vec::new();
    for moves in [&[][..], &["b1-b3"], &["b1-b3", "a2-c2"]].into_iter().cycle().take(300) {
        times.push(ask(moves)?.0);
    }
    times.sort();
    writeln!(
        out,
        "explorer: {GAMES} games counted in {:.1} s; answered in {:.1} ms (median), {:.1} ms (slowest); bar 50 ms",
        counted.as_secs_f64(),
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[times.len() - 1].as_secs_f64() * 1e3
    )?;
    Ok(())
}

/// Plays in all rooms at the same time. Each room plays its player's moves one after the other. Returns the response
/// times.
fn rooms(host: &str) -> Result<Vec<Duration>> {
    let players: Vec<_> = (0..ROOMS)
        .map(|i| {
            let host = host.to_owned();
            thread::spawn(move || play(&host, i))
        })
        .collect();
    let mut times = Vec::new();
    for player in players {
        times.extend(player.join().map_err(|_| "a player has panicked")??);
    }
    Ok(times)
}

fn play(host: &str, i: usize) -> Result<Vec<Duration>> {
    let mut socket = connect(host)?;
    let game = games::GameId::BUILT_IN[i % games::GameId::BUILT_IN.len()].name();
    let seats = json!([{"kind": "person"}, {"kind": "person"}]);
    socket.send(Message::text(json!({"do": "join"}).to_string()))?;
    let new = json!({"do": "new", "game": {"game": game}, "seats": seats});
    let mut say = |message: Value, ply: u64| -> Result<Value> {
        socket.send(Message::text(message.to_string()))?;
        loop {
            if let Message::Text(text) = socket.read()? {
                let view: Value = serde_json::from_str(&text)?;
                if view["scene"]["game"] == game && view["scene"]["ply"] == ply && view["seats"][1]["kind"] == "person"
                {
                    return Ok(view);
                }
            }
        }
    };
    let mut view = say(new, 0)?;
    let mut times = Vec::new();
    for ply in 0..MOVES as u64 {
        let Some(moves) = view["scene"]["moves"].as_array().filter(|moves| !moves.is_empty()) else { break };
        let text = moves[(i + 7 * ply as usize) % moves.len()]["text"].clone();
        let began = Instant::now();
        view = say(json!({"do": "act", "ply": ply, "act": {"kind": "play", "text": text}}), ply + 1)?;
        times.push(began.elapsed());
        // Thinking time of a person.
        thread::sleep(Duration::from_millis(200 + 13 * (i as u64 % 17)));
    }
    Ok(times)
}

fn connect(host: &str) -> Result<WebSocket<MaybeTlsStream<TcpStream>>> {
    let mut request = format!("ws://{host}/socket").into_client_request()?;
    request.headers_mut().insert("origin", format!("http://{host}").parse()?);
    let (socket, _) = tungstenite::connect(request)?;
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_nodelay(true)?;
    }
    Ok(socket)
}

/// Returns the resident memory of this process, which includes the server, in KiB, or 0 where the system does not
/// report it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
