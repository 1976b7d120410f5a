//! A client that acts as a page, for the tests of the server.

#![allow(unreachable_pub, dead_code)] // each test module uses only some of the items

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{HandshakeError, Message, WebSocket};

use web::Server;

/// Maximum time that a test waits for a message.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// Starts a server that runs until the tests end, and returns its host and port.
pub fn serve() -> String {
    serve_with(Server::bind(None, engine::Resources::default()).expect("a port"))
}

/// Starts a configured server, and returns its host and port.
pub fn serve_with(server: Server) -> String {
    let host = server.address().trim_start_matches("http://").trim_end_matches('/').to_owned();
    thread::spawn(move || server.run());
    host
}

pub type Socket = WebSocket<TcpStream>;

pub fn connect_as(host: &str, origin: Option<&str>, cookie: Option<&str>) -> Result<Socket, tungstenite::Error> {
    socket_on(TcpStream::connect(host)?, host, origin, cookie)
}

/// Requests a WebSocket on an open connection.
pub fn socket_on(
    stream: TcpStream,
    host: &str,
    origin: Option<&str>,
    cookie: Option<&str>,
) -> Result<Socket, tungstenite::Error> {
    let mut request = format!("ws://{host}/socket").into_client_request()?;
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().expect("a header"));
    }
    if let Some(cookie) = cookie {
        request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
    }
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(HandshakeError::Failure(error)) => Err(error),
        Err(HandshakeError::Interrupted(_)) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
    }
}

/// A page's connection.
pub struct Client(pub Socket);

impl Client {
    pub fn new(host: &str) -> Self {
        Self(connect_as(host, Some(&format!("http://{host}")), None).expect("a connection"))
    }

    /// Connects a page on another device that has followed the link.
    pub fn with_cookie(host: &str, cookie: &str) -> Self {
        Self(connect_as(host, Some(&format!("http://{host}")), Some(cookie)).expect("a connection"))
    }

    /// Connects and joins a room. Returns the client and the state of the room.
    pub fn joined(host: &str, room: Option<&str>) -> (Self, Value) {
        let mut client = Self::new(host);
        client.say(&json!({"do": "join", "room": room}));
        let view = client.next("room");
        (client, view)
    }

    pub fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).expect("sent");
    }

    /// Returns the next message.
    pub fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().expect("a message") {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }

    /// Returns the next message of a kind, and skips others.
    pub fn next(&mut self, kind: &str) -> Value {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < PATIENCE, "no `{kind}` was received");
            let value = self.receive();
            if value["is"] == kind {
                return value;
            }
        }
    }

    /// Returns the room's state after this number of moves.
    pub fn at_ply(&mut self, ply: u64) -> Value {
        loop {
            let view = self.next("room");
            if view["scene"]["ply"] == ply {
                return view;
            }
        }
    }

    pub fn begin(&mut self, game: &str, size: Option<u64>) -> Value {
        let seats = json!([{"kind": "person"}, {"kind": "person"}]);
        self.say(&json!({"do": "new", "game": {"game": game, "size": size}, "seats": seats}));
        loop {
            let view = self.next("room");
            if view["scene"]["game"] == game && view["seats"][1]["kind"] == "person" && view["scene"]["ply"] == 0 {
                return view;
            }
        }
    }

    pub fn play(&mut self, view: &Value, choice: usize) -> Value {
        let moves = view["scene"]["moves"].as_array().expect("moves");
        let text = &moves[choice % moves.len()]["text"];
        let ply = view["scene"]["ply"].as_u64().expect("a ply");
        self.say(&json!({"do": "act", "ply": ply, "act": {"kind": "play", "text": text}}));
        self.at_ply(ply + 1)
    }
}

/// Returns the status line of the answer to a plain request.
pub fn status(host: &str, path: &str, headers: &str) -> String {
    answer(host, path, headers).0.lines().next().unwrap_or_default().to_owned()
}

/// Returns the head and the body of the answer to a plain request.
pub fn answer(host: &str, path: &str, headers: &str) -> (String, String) {
    let mut stream = TcpStream::connect(host).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    (head.to_owned(), body.to_owned())
}
