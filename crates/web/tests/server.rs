//! Tests of the server with well-behaved and misbehaving clients.

use std::net::TcpStream;
use std::thread;

use crate::client::{Client, Socket, answer, connect_as, serve, socket_on, status};
use serde_json::json;
use tungstenite::Message;

#[test]
fn other_origins_and_hosts_are_refused() {
    let host = serve();
    assert_eq!(status(&host, "/", &format!("Host: {host}\r\n")), "HTTP/1.1 200 OK");
    assert_eq!(status(&host, "/css/page.css", &format!("Host: {host}\r\n")), "HTTP/1.1 200 OK");
    let port = host.rsplit(':').next().expect("a port");
    assert_eq!(status(&host, "/", &format!("Host: localhost:{port}\r\n")), "HTTP/1.1 200 OK");
    for headers in ["Host: evil.example\r\n", "", "Host: 127.0.0.1\r\n"] {
        assert_ne!(status(&host, "/", headers), "HTTP/1.1 200 OK", "{headers}");
    }
    let foreign = format!("Host: {host}\r\nOrigin: http://evil.example\r\n");
    assert_eq!(status(&host, "/", &foreign), "HTTP/1.1 403 Forbidden");
    for path in ["/../Cargo.toml", "/js/%2e%2e/%2e%2e/Cargo.toml", "/no/such/file", "//etc/passwd"] {
        assert_eq!(status(&host, path, &format!("Host: {host}\r\n")), "HTTP/1.1 404 Not Found", "{path}");
    }
    for origin in [None, Some("http://evil.example"), Some("null"), Some("https://127.0.0.1"), Some("http://localhost")]
    {
        assert!(connect_as(&host, origin, None).is_err(), "{origin:?}");
    }
}

/// Browsers cache the page's scripts permanently, because every version has a different folder. The page itself and the
/// documents are revalidated each time.
#[test]
fn unchanged_files_stay_cached() {
    let host = serve();
    let headers = format!("Host: {host}\r\n");
    let (head, page) = answer(&host, "/", &headers);
    assert!(head.contains("cache-control: no-cache"), "{head}");
    let script = page.split('"').find(|text| text.ends_with("/js/main.js")).expect("the page's script");
    let (head, main) = answer(&host, &format!("/{script}"), &headers);
    assert!(head.starts_with("HTTP/1.1 200 OK") && head.contains("immutable"), "{head}");
    assert_eq!(answer(&host, "/js/main.js", &headers).1, main);
    assert!(page.contains(&script.replace("main", "page")), "the page names the scripts of the first view");
    assert!(!page.contains("text/en.js") && !page.contains("text/de.js"), "the page does not name the languages");
    for path in ["/games.json", "/js/main.js"] {
        assert!(answer(&host, path, &headers).0.contains("cache-control: no-cache"), "{path}");
    }
    let folder = script.trim_end_matches("js/main.js");
    assert!(answer(&host, &format!("/{folder}"), &headers).0.starts_with("HTTP/1.1 404"));
    assert!(answer(&host, "/files-0000000000000000/js/main.js", &headers).0.starts_with("HTTP/1.1 404"));
}

#[test]
fn a_message_above_the_limit_closes_only_its_own_connection() {
    let host = serve();
    let (mut client, _) = Client::joined(&host, None);
    client.0.send(Message::binary(vec![0, 159, 146, 150])).expect("sent");
    assert_eq!(client.next("refused")["message"]["text"], "Messages must be text.");
    let (mut other, _) = Client::joined(&host, None);
    let _ = client.0.send(Message::text("x".repeat(1 << 20)));
    assert!((0..100).any(|_| client.0.read().is_err()));
    other.begin("jump61", None);
}

#[test]
fn a_thousand_connections_come_and_go() {
    let host = serve();
    let (mut client, _) = Client::joined(&host, None);
    let view = client.begin("jump61", Some(4));
    for i in 0..1000 {
        if i % 2 == 0 {
            // A connection without any HTTP request.
            drop(TcpStream::connect(&host).expect("a connection"));
        } else {
            drop(Client::new(&host));
        }
    }
    client.play(&view, 0);
}

#[test]
fn all_pages_can_reconnect_at_once() {
    let host = serve();
    let origin = format!("http://{host}");
    // All clients connect before the first of them sends a request.
    let streams: Vec<TcpStream> = (0..250).map(|_| TcpStream::connect(&host).expect("a connection")).collect();
    let sockets: Result<Vec<Socket>, _> =
        streams.into_iter().map(|stream| socket_on(stream, &host, Some(&origin), None)).collect();
    let mut clients: Vec<Client> = sockets.expect("a place for every page").into_iter().map(Client).collect();
    for client in &mut clients {
        client.say(&json!({"do": "join", "room": null}));
        client.next("room");
    }
}

#[test]
fn two_hundred_rooms_play_at_once() {
    let host = serve();
    let players = (0..200).map(|i| {
        let host = host.clone();
        thread::spawn(move || {
            let (mut client, _) = Client::joined(&host, None);
            let game = games::GameId::BUILT_IN[i % games::GameId::BUILT_IN.len()];
            let mut view = client.begin(game.name(), None);
            for ply in 0..12 {
                view = client.play(&view, i + ply);
            }
            assert_eq!(view["scene"]["played"].as_array().map(Vec::len), Some(12));
        })
    });
    let players: Vec<_> = players.collect();
    for player in players {
        player.join().expect("no panic");
    }
}

#[test]
fn engines_answer_every_page_in_turn() {
    let host = serve();
    // One page requests many analyses; the others still get their moves.
    let (mut thinker, _) = Client::joined(&host, None);
    for id in 0..20 {
        thinker.say(&json!({"do": "analyse", "id": id, "lines": 3, "game": {"game": "loa"}}));
    }
    // One page requests a thousand hints; the server searches one at a time.
    let (mut greedy, _) = Client::joined(&host, None);
    greedy.begin("loa", None);
    for _ in 0..1000 {
        greedy.say(&json!({"do": "act", "ply": 0, "act": {"kind": "hint"}}));
    }
    let mut clients: Vec<Client> = (0..6).map(|_| Client::joined(&host, None).0).collect();
    for client in &mut clients {
        let seats = json!([{"kind": "person"}, {"kind": "engine", "level": 1}]);
        client.say(&json!({"do": "new", "game": {"game": "loa", "size": 5}, "seats": seats}));
    }
    for client in &mut clients {
        let view = loop {
            let view = client.next("room");
            if view["scene"]["size"] == 5 {
                break view;
            }
        };
        let text = &view["scene"]["moves"][0]["text"];
        client.say(&json!({"do": "act", "ply": 0, "act": {"kind": "play", "text": text}}));
    }
    for client in &mut clients {
        client.at_ply(2);
    }
    assert!(greedy.next("hint")["thought"]["lines"].is_array());
    assert_eq!(thinker.next("thought")["id"], 19, "only the last request is answered");
    thinker.say(&json!({"do": "rest"}));
}
