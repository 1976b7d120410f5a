//! Abuse tests: clients that exhaust connections, search slots, rooms or memory. Each test checks that other clients
//! are still served.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::client::{Client, serve, status};
use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::protocol::frame::coding::CloseCode;

/// Maximum number of connections without a complete request, as in `docs/page.md`.
const HALF_REQUESTS: usize = 320;

/// Returns `true` if the server has closed a connection that has no data to read.
fn has_ended(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a setting");
    match stream.read(&mut [0; 64]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

/// Polls a condition, because the server acts asynchronously.
fn wait_until(mut is_so: impl FnMut() -> bool) -> bool {
    (0..1200).any(|_| {
        let now = is_so();
        if !now {
            thread::sleep(Duration::from_millis(100));
        }
        now
    })
}

#[test]
fn incomplete_requests_do_not_block_complete_ones() {
    let host = serve();
    let half = || {
        let mut stream = TcpStream::connect(&host).expect("a connection");
        write!(stream, "GET / HTTP/1.1\r\nHost:").expect("sent");
        stream
    };
    let mut halves: Vec<TcpStream> = (0..450).map(|_| half()).collect();
    assert_eq!(status(&host, "/", &format!("Host: {host}\r\n")), "HTTP/1.1 200 OK");
    Client::joined(&host, None);
    let ended = |halves: &mut Vec<TcpStream>| halves.iter_mut().map(has_ended).filter(|&ended| ended).count();
    assert!(
        wait_until(|| ended(&mut halves) >= 450 - HALF_REQUESTS),
        "{} of 450 half requests were ended",
        ended(&mut halves)
    );
}

/// Opens a page that never reads, and sends requests from it until the server accepts no more.
fn deaf_page(host: &str, game: &Value) -> Client {
    let mut deaf = Client::new(host);
    deaf.0.get_ref().set_write_timeout(Some(Duration::from_millis(500))).expect("a setting");
    deaf.say(&json!({"do": "judge", "id": 1, "game": game}));
    let look = json!({"do": "look", "id": 2, "game": {"game": "jump61", "size": 10}}).to_string();
    while deaf.0.send(Message::text(look.clone())).is_ok() {}
    deaf
}

#[test]
fn pages_that_never_read_occupy_no_search_slots() {
    let host = serve();
    let (mut player, _) = Client::joined(&host, None);
    let mut view = player.begin("jump61", Some(10));
    for choice in 0..30 {
        view = player.play(&view, 7 * choice);
    }
    let game = json!({"game": "jump61", "size": 10, "moves": view["scene"]["played"]});
    let places = thread::available_parallelism().map_or(1, usize::from);
    let deaf: Vec<Client> = (0..places).map(|_| deaf_page(&host, &game)).collect();
    // The evaluations for this page are not delayed by evaluations that other pages do not read.
    player.say(&json!({"do": "judge", "id": 7, "game": game}));
    for ply in (0..=30).rev() {
        assert_eq!(player.next("thought")["ply"], ply);
    }
    drop(deaf);
}

/// Starts a game between engines that think for a minute per move. Returns the client, and the room's name for a page
/// that returns later.
fn slow_engines(host: &str) -> (Client, String) {
    let (mut client, view) = Client::joined(host, None);
    let engine = json!({"kind": "engine", "level": "10", "seconds": 60});
    client.say(&json!({"do": "new", "game": {"game": "loa"}, "seats": [engine, engine]}));
    while client.next("room")["thinking"] != true {}
    (client, view["room"].as_str().expect("a name").to_owned())
}

#[test]
fn engines_stop_in_rooms_without_pages_and_continue_when_a_page_returns() {
    let host = serve();
    let places = thread::available_parallelism().map_or(1, usize::from);
    let rooms: Vec<String> = (0..4 * places).map(|_| slow_engines(&host).1).collect();
    // If the abandoned engines continued, all slots would be in use for three minutes, longer than the test waits.
    let (mut other, _) = Client::joined(&host, None);
    let seats = json!([{"kind": "engine", "level": 1, "nodes": 50}, {"kind": "person"}]);
    other.say(&json!({"do": "new", "game": {"game": "loa"}, "seats": seats}));
    other.at_ply(1);
    let (_, view) = Client::joined(&host, Some(&rooms[0]));
    assert_eq!((&view["room"], &view["thinking"]), (&json!(rooms[0]), &json!(true)));
}

/// Returns the memory that this process has allocated, in KiB; 0 if the system does not report it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmData:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Reloads a page repeatedly during proofs. Each proof takes half a gigabyte on the server.
#[test]
fn reloads_during_a_proof_free_its_memory() {
    let host = serve();
    let mut taken = Vec::new();
    for _ in 0..10 {
        let mut page = Client::new(&host);
        page.say(&json!({"do": "prove", "id": 1, "game": {"game": "loa", "moves": ["b1-b3"]}}));
        while page.next("proof")["nodes"] == 0 {}
        taken.push(memory());
    }
    assert!(taken[9] < taken[1] + (512 << 10), "KiB during each proof: {taken:?}");
    // The next proof is found and shown.
    let mut page = Client::new(&host);
    page.say(&json!({"do": "prove", "id": 2, "game": {"game": "jump61", "size": 2}}));
    while page.next("proof")["state"] != "won" {}
    page.say(&json!({"do": "replies", "id": 3, "line": []}));
    let answer = page.next("replies");
    assert_eq!(answer["replies"].as_array().map(Vec::len), Some(4), "{answer}");
}

/// Creates a room in which a move was made.
fn touched(client: &mut Client) -> String {
    client.say(&json!({"do": "join", "room": null}));
    client.next("room");
    let view = client.begin("breakthrough", Some(5));
    let view = client.play(&view, 0);
    view["room"].as_str().expect("a name").to_owned()
}

/// Returns, for each room, `true` if the server still has it.
fn known(host: &str, rooms: &[String]) -> Vec<bool> {
    let mut client = Client::new(host);
    let mut is_known = |name: &String| {
        client.say(&json!({"do": "join", "room": name}));
        // A pending view of the previous room may come first.
        let view = client.next("room");
        view["room"] == json!(name)
    };
    rooms.iter().map(&mut is_known).collect()
}

#[test]
fn the_rooms_of_one_page_are_limited_and_do_not_replace_others() {
    let host = serve();
    let (mut player, _) = Client::joined(&host, None);
    let mine = touched(&mut player);
    drop(player);
    let mut greedy = Client::new(&host);
    let rooms: Vec<String> = (0..40).map(|_| touched(&mut greedy)).collect();
    for _ in 0..6000 {
        greedy.say(&json!({"do": "join", "room": null}));
        greedy.next("room");
    }
    let kept = known(&host, &rooms).into_iter().filter(|&known| known).count();
    assert!(kept <= 8, "{kept} of 40 rooms of one page are kept");
    assert_eq!(known(&host, &[mine]), [true], "the player may return to this game");
}

#[test]
fn a_message_that_is_too_long_is_answered_and_the_close_has_a_reason() {
    let host = serve();
    for length in [40_000, 70_000, 1 << 20] {
        let mut client = Client::new(&host);
        let text = json!({"do": "read", "id": 1, "text": "x".repeat(length), "game": {"game": "loa"}});
        let _ = client.0.send(Message::text(text.to_string()));
        let refused = client.next("refused");
        assert_eq!(refused["message"]["text"], "A message was too long: 32 kB at most.", "{length}");
        let close = loop {
            if let Message::Close(frame) = client.0.read().expect("a close with a reason") {
                break frame.expect("a reason");
            }
        };
        assert_eq!((close.code, close.reason.as_str()), (CloseCode::Size, "A message was too long: 32 kB at most."));
    }
}

/// Sends a question over HTTP, as the page does for long questions. Returns the status and the answer.
fn ask(host: &str, origin: &str, question: &Value) -> (String, Value) {
    let body = question.to_string();
    let mut stream = TcpStream::connect(host).expect("a connection");
    write!(
        stream,
        "POST /ask HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    (head.lines().next().unwrap_or_default().to_owned(), serde_json::from_str(body).unwrap_or_default())
}

#[test]
fn long_texts_are_read_up_to_the_limit() {
    let host = serve();
    let own = format!("http://{host}");
    let read = |text: String| json!({"do": "read", "id": 3, "text": text, "game": {"game": "checkers"}});
    let line =
        "{\"number\":0,\"start\":\"-bb-/w--w/w--w/-bb- b\",\"opening\":[\"b1-b3\"],\"moves\":[{\"text\":\"a2-c2\"}]}\n";
    // An arena export of sixty games has about this length.
    let export = format!("{{\"tournament\":{{}}}}\n{}", line.repeat(1000));
    assert!(export.len() > 86_000);
    let (status, answer) = ask(&host, &own, &read(export));
    assert_eq!((status.as_str(), &answer["is"], &answer["id"]), ("HTTP/1.1 200 OK", &json!("game"), &json!(3)));
    assert_eq!(answer["game"]["moves"], json!(["b1-b3", "a2-c2"]));
    let (_, answer) = ask(&host, &own, &read("x".repeat(300_000)));
    assert_eq!(answer["message"]["text"], "That is too long: 256 kB at most.");
    let (_, answer) = ask(&host, &own, &json!({"do": "rest"}));
    assert!(answer["message"]["text"].as_str().is_some_and(|text| text.starts_with("Not understood")), "{answer}");
    let (status, _) = ask(&host, "http://evil.example", &read(line.to_owned()));
    assert_eq!(status, "HTTP/1.1 403 Forbidden");
}
