//! A mock of the site on this machine, with accounts, challenges and games as in the site's description and code. It
//! plays random moves, injects the planned faults, and records every request.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plyhouse::game::{Outcome, Record, Side, SplitMix64, TextGame};
use plyhouse::prelude::*;
use serde_json::{Value, json};

pub(crate) const TOKEN: &str = "secret-of-the-bot";

/// A fault of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Answers with this status and no body.
    Status(u16),
    /// Closes the connection without an answer.
    HangUp,
    /// Performs the request and closes the connection without an answer.
    Lost,
    /// Begins the stream with a damaged line.
    Damage,
    /// Ends the stream in the middle of its first line.
    Cut,
    /// Keeps the stream open and sends nothing.
    Silence,
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) at: Instant,
    /// The text of the request, such as `POST /api/challenge/c1/decline reason=variant`.
    pub(crate) text: String,
}

struct Game {
    variant: String,
    bots_side: Side,
    initial_fen: &'static str,
    record: Box<dyn TextGame>,
    resigned: bool,
}

#[derive(Default)]
struct State {
    requests: Vec<Request>,
    challenges: BTreeMap<String, Value>,
    games: BTreeMap<String, Game>,
    /// Planned faults, in order, by the beginning of the text of the requests that they affect.
    faults: BTreeMap<String, VecDeque<Fault>>,
    /// Set when the token is no longer valid and streams end.
    closed: bool,
}

#[derive(Clone)]
pub(crate) struct Mock {
    pub(crate) address: String,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl Mock {
    /// Opens a site that answers until the program ends.
    pub(crate) fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let mock = Self { address, state: Arc::default() };
        let site = mock.clone();
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let site = site.clone();
                // The bot may close a connection at any time.
                thread::spawn(move || site.serve(&connection));
            }
        });
        mock
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.state.1.notify_all();
    }

    /// Challenges the bot. `with` adds or replaces fields of the challenge.
    pub(crate) fn challenge(&self, id: &str, variant: &str, with: &Value) {
        let mut challenge = json!({
            "id": id, "challenger": {"id": "ada", "name": "Ada"}, "variant": {"key": variant},
            "timeControl": {"type": "clock", "limit": 180, "increment": 2}, "playerIndex": "p1",
        });
        for (field, value) in with.as_object().into_iter().flatten() {
            challenge[field] = value.clone();
        }
        self.change(|state| drop(state.challenges.insert(id.to_owned(), challenge)));
    }

    pub(crate) fn plan(&self, request: &str, faults: &[Fault]) {
        self.change(|state| drop(state.faults.insert(request.to_owned(), faults.iter().copied().collect())));
    }

    pub(crate) fn close(&self) {
        self.change(|state| state.closed = true);
    }

    /// Waits until a condition holds. The timeout allows for a busy machine.
    pub(crate) fn wait_for(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(5);
        while !is_so(self) {
            assert!(Instant::now() < deadline, "never: {what}; {:#?}", self.texts());
            thread::sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.lock().requests.clone()
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.text).collect()
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.texts().iter().filter(|request| request.starts_with(text)).count()
    }

    /// Returns the number of planned faults that have not occurred.
    pub(crate) fn faults_left(&self) -> usize {
        self.lock().faults.values().map(VecDeque::len).sum()
    }

    /// Returns the result of a game, once it is over.
    pub(crate) fn outcome(&self, id: &str) -> Option<Outcome> {
        self.lock().games.get(id).and_then(Game::outcome)
    }

    fn serve(&self, connection: &TcpStream) -> io::Result<()> {
        let (method, path, body, is_known) = read(connection)?;
        let text = [&*method, &*path, &*body].join(" ").trim_end().to_owned();
        let (fault, closed) = {
            let mut state = self.lock();
            state.requests.push(Request { at: Instant::now(), text: text.clone() });
            let planned = state.faults.iter_mut().find(|(request, _)| text.starts_with(request.as_str()));
            (planned.and_then(|(_, faults)| faults.pop_front()), state.closed)
        };
        match fault {
            Some(Fault::Status(status)) => return answer(connection, status, &json!({"error": "as planned"})),
            Some(Fault::HangUp) => return Ok(()),
            _ if closed || !is_known => return answer(connection, 401, &json!({"error": "No such token"})),
            _ => (),
        }
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match (&*method, parts.as_slice()) {
            ("GET", ["api", "account"]) => {
                answer(connection, 200, &json!({"id": "plybot", "username": "PlyBot", "title": "BOT"}))
            }
            ("GET", ["api", "stream", "event"]) => self.stream(connection, fault, Self::events),
            ("GET", ["api", "bot", "game", "stream", id]) => {
                self.stream(connection, fault, |site, said| site.game_lines(id, said))
            }
            ("POST", _) => {
                let done = self.act(&parts);
                self.state.1.notify_all();
                match done {
                    _ if fault == Some(Fault::Lost) => Ok(()),
                    Some(Ok(())) => answer(connection, 200, &json!({"ok": true})),
                    Some(Err(reason)) => answer(connection, 400, &json!({"error": reason})),
                    None => answer(connection, 404, &json!({"error": "Not found"})),
                }
            }
            _ => answer(connection, 404, &json!({"error": "Not found"})),
        }
    }

    /// Performs a request. Returns `None` if the path is unknown.
    fn act(&self, parts: &[&str]) -> Option<Result<(), String>> {
        let mut state = self.lock();
        match parts {
            ["api", "challenge", id, "decline"] => state.challenges.remove(*id).map(|_| Ok(())),
            ["api", "challenge", id, "accept"] => {
                let challenge = state.challenges.remove(*id)?;
                state.games.insert((*id).to_owned(), Game::new(&challenge));
                Some(Ok(()))
            }
            ["api", "bot", "game", id, "move", m] => Some(state.games.get_mut(*id)?.bots_move(m)),
            ["api", "bot", "game", id, "resign"] => {
                state.games.get_mut(*id)?.resigned = true;
                Some(Ok(()))
            }
            _ => None,
        }
    }

    /// Writes new lines repeatedly, until the site closes or the lines end.
    fn stream(
        &self,
        mut connection: &TcpStream,
        fault: Option<Fault>,
        lines: impl Fn(&Self, &mut BTreeSet<String>) -> (Vec<Value>, bool),
    ) -> io::Result<()> {
        write!(connection, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n\n")?;
        match fault {
            Some(Fault::Damage) => writeln!(connection, "{{\"type\":\"gameSta")?,
            Some(Fault::Cut) => return write!(connection, "{{\"type\":\"game"),
            Some(Fault::Silence) => {
                connection.flush()?;
                drop(self.state.1.wait_while(self.lock(), |state| !state.closed));
                return Ok(());
            }
            _ => (),
        }
        let mut said = BTreeSet::new();
        loop {
            let (new, ends) = lines(self, &mut said);
            for line in new {
                writeln!(connection, "{line}")?;
            }
            // An empty line, which the site sends every six seconds.
            writeln!(connection)?;
            connection.flush()?;
            let state = self.lock();
            if ends || state.closed {
                return Ok(());
            }
            let waited = self.state.1.wait_timeout(state, Duration::from_millis(20));
            drop(waited);
        }
    }

    fn events(&self, said: &mut BTreeSet<String>) -> (Vec<Value>, bool) {
        let state = self.lock();
        let mut lines = Vec::new();
        for (id, game) in &state.games {
            if game.outcome().is_none() && !game.resigned && said.insert(format!("game {id}")) {
                lines.push(json!({"type": "gameStart", "game": {"id": id, "compat": {"bot": true}}}));
            }
        }
        for (id, challenge) in &state.challenges {
            if said.insert(format!("challenge {id}")) {
                lines.push(json!({"type": "challenge", "challenge": challenge}));
                lines.push(json!({"type": "somethingNew", "of": "a later version"}));
            }
        }
        (lines, false)
    }

    fn game_lines(&self, id: &str, said: &mut BTreeSet<String>) -> (Vec<Value>, bool) {
        let state = self.lock();
        let Some(game) = state.games.get(id) else { return (Vec::new(), true) };
        let now = game.state();
        let lines = if said.is_empty() {
            vec![game.full(id), json!({"type": "chatLine", "room": "player", "username": "Ada", "text": "Hello"})]
        } else if said.contains(&now.to_string()) {
            Vec::new()
        } else {
            vec![now.clone()]
        };
        said.insert(now.to_string());
        (lines, game.outcome().is_some() || game.resigned)
    }
}

impl Game {
    /// Creates a game. If the opponent has the first move, plays it.
    fn new(challenge: &Value) -> Self {
        let variant = challenge["variant"]["key"].as_str().expect("a variant").to_owned();
        let record: Box<dyn TextGame> = match &*variant {
            "linesOfAction" => Box::new(Record::new(loa::Position::start(8).expect("a size"))),
            "breakthroughtroyka" => Box::new(Record::new(breakthrough::Position::start(8).expect("a size"))),
            _ => Box::new(Record::new(breakthrough::Position::start(5).expect("a size"))),
        };
        let initial_fen = crate::seat::VARIANTS.iter().find(|(key, _)| *key == variant).map_or("startpos", |v| v.1);
        // The challenger's side.
        let bots_side = if challenge["playerIndex"] == "p1" { Side::Second } else { Side::First };
        let mut game = Self { variant, bots_side, initial_fen, record, resigned: false };
        game.opponents_move();
        game
    }

    fn bots_move(&mut self, text: &str) -> Result<(), String> {
        if self.record.side_to_move() != self.bots_side || self.outcome().is_some() {
            return Err("Not your turn, or game already over".to_owned());
        }
        let (from, to) = text.split_at_checked(2).filter(|(_, to)| to.len() == 2).ok_or("Invalid UCI")?;
        self.record.play(&format!("{from}-{to}")).map_err(|error| error.to_string())?;
        self.opponents_move();
        Ok(())
    }

    fn opponents_move(&mut self) {
        if self.record.side_to_move() != self.bots_side && self.outcome().is_none() {
            let moves = self.record.legal_moves();
            let m = SplitMix64::new(u64::from(self.record.plies())).choose(&moves).expect("a move").clone();
            self.record.play(&m).expect("legal");
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.finish().map(|finish| finish.outcome)
    }

    fn state(&self) -> Value {
        let moves: Vec<String> = self.record.moves().iter().map(|m| m.replace(['-', 'x'], "")).collect();
        let status = if self.outcome().is_some() || self.resigned { "variantEnd" } else { "started" };
        let mut state = json!({
            "type": "gameState", "moves": moves.join(" "), "wtime": 180_000, "btime": 180_000, "winc": 2_000,
            "binc": 2_000, "wdraw": false, "bdraw": false, "status": status,
        });
        if let Some(Outcome::Win(side)) = self.outcome() {
            state["winner"] = json!(["p1", "p2"][side.index()]);
        }
        state
    }

    fn full(&self, id: &str) -> Value {
        let mut players = [json!({"id": "ada", "name": "Ada"}), json!({"id": "plybot", "title": "BOT"})];
        if self.bots_side == Side::First {
            players.reverse();
        }
        let [first, second] = players;
        json!({
            "type": "gameFull", "id": id, "variant": {"key": self.variant}, "p1": first, "p2": second,
            "initialFen": format!("{} w - - 0 1", self.initial_fen), "state": self.state(),
        })
    }
}

/// Reads a request. Returns the method, the path, the body, and whether the token is valid.
fn read(connection: &TcpStream) -> io::Result<(String, String, String, bool)> {
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut length, mut is_known) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        match header.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().unwrap_or_default();
            }
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                is_known = value.strip_prefix("Bearer ") == Some(TOKEN);
            }
            Some(_) => (),
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok((method, path, String::from_utf8_lossy(&body).into_owned(), is_known))
}

fn answer(mut connection: &TcpStream, status: u16, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} Answer\r\nContent-Type: application/json\r\nConnection: close");
    write!(connection, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
    connection.flush()
}
