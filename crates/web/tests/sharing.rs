//! Tests of the archive, of the shared board, and of the detection of a running server, through sockets.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::client::{self, Client, serve_with, status};
use serde_json::{Value, json};
use web::{Archive, Running, Server};

const PERSONS: [(&str, Option<u8>); 2] = [("person", None); 2];

fn seats(seats: [(&str, Option<u8>); 2]) -> Value {
    let seat = |(kind, level): (&str, Option<u8>)| match level {
        None => json!({"kind": kind}),
        Some(level) => json!({"kind": kind, "level": level}),
    };
    json!(seats.map(seat))
}

/// Starts a server with an archive in a folder, and returns its host.
fn serve_archive(folder: &std::path::Path) -> String {
    let server = Server::bind(None, engine::Resources::default()).expect("a port");
    server.keep(Archive::open(folder.join("games.jsonl"), Box::new(|what| panic!("{what}"))));
    serve_with(server)
}

/// Returns the archive once it has this number of games.
fn archived(client: &mut Client, count: u64) -> Value {
    for _ in 0..200 {
        client.say(&json!({"do": "archive", "id": 7}));
        let answer = client.next("archive");
        if answer["count"] == count {
            return answer;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("the archive never had {count} games");
}

#[test]
fn finished_games_outlive_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = serve_archive(folder.path());
    let (mut client, _) = Client::joined(&host, None);
    for game in ["loa", "jump61"] {
        let view = client.begin(game, None);
        let view = client.play(&view, 0);
        client.say(&json!({"do": "act", "ply": view["scene"]["ply"], "act": {"kind": "resign"}}));
    }
    let games = archived(&mut client, 2);
    let newest = &games["games"][0];
    assert_eq!(
        (&newest["game"], &newest["reason"], &newest["winner"]),
        (&json!("jump61"), &json!("resigned"), &json!(0))
    );
    // Another server reads the same games.
    let host = serve_archive(folder.path());
    let mut client = Client::new(&host);
    let games = archived(&mut client, 2);
    client.say(&json!({"do": "forget", "id": 3, "name": games["games"][0]["id"]}));
    assert_eq!(client.next("done")["id"], 3);
    assert_eq!(archived(&mut client, 1)["games"][0], games["games"][1]);
    // A server without an archive reports an error.
    let host = client::serve();
    let mut client = Client::new(&host);
    client.say(&json!({"do": "archive", "id": 5}));
    assert_eq!(client.next("refused")["message"]["text"], "There is no archive here.");
}

/// Starts a server on this machine and on another loopback address that represents the network. Returns both hosts and
/// the token.
fn serve_network(folder: &std::path::Path) -> (String, String, String) {
    let mut server = Server::bind(None, engine::Resources::default()).expect("a port");
    server.keep(Archive::open(folder.join("games.jsonl"), Box::new(|what| panic!("{what}"))));
    let link = server.share(Ipv4Addr::new(127, 0, 0, 2)).expect("a second address").address().to_owned();
    let (network, token) = link.trim_start_matches("http://").split_once("/?token=").expect("a token");
    let (network, token) = (network.to_owned(), token.to_owned());
    (serve_with(server), network, token)
}

#[test]
fn on_the_network_nothing_is_shown_without_the_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let (host, network, token) = serve_network(folder.path());
    let port = network.rsplit(':').next().expect("a port");
    let own = format!("Host: {network}\r\n");
    let with = |cookie: &str| format!("{own}Cookie: plyhouse-{port}={cookie}\r\n");
    for path in ["/", "/games.json", "/js/main.js", "/version", "/table.json", "/table.svg", "/?token=", "/?token=0"] {
        assert_eq!(status(&network, path, &own), "HTTP/1.1 403 Forbidden", "{path}");
        assert_eq!(status(&network, path, &with("")), "HTTP/1.1 403 Forbidden", "{path}");
    }
    let wrong = format!("{:0>32}", "1");
    assert_eq!(status(&network, "/", &with(&wrong)), "HTTP/1.1 403 Forbidden");
    // The link redirects to an address without the token.
    assert_eq!(status(&network, &format!("/?token={token}"), &own), "HTTP/1.1 303 See Other");
    // With `here`, the browser opens the view that the link names.
    for (query, entrance) in [("", "/#/table"), ("&here", "/")] {
        let (head, _) = client::answer(&network, &format!("/?token={token}{query}"), &own);
        assert!(head.lines().any(|line| line == format!("location: {entrance}")), "{head}");
    }
    assert_eq!(status(&network, "/", &with(&token)), "HTTP/1.1 200 OK");
    assert_eq!(status(&network, "/table.svg", &with(&token)), "HTTP/1.1 200 OK");
    // Requests with another host or origin are refused even with the token.
    let evil = format!("Host: evil.example:{port}\r\nCookie: plyhouse-{port}={token}\r\n");
    assert_eq!(status(&network, "/", &evil), "HTTP/1.1 403 Forbidden");
    let evil = format!("{}Origin: http://evil.example\r\n", with(&token));
    assert_eq!(status(&network, "/", &evil), "HTTP/1.1 403 Forbidden");
    assert_eq!(status(&host, "/", &format!("Host: {network}\r\n")), "HTTP/1.1 403 Forbidden");
    assert_eq!(status(&host, "/", &format!("Host: {host}\r\n")), "HTTP/1.1 200 OK", "this machine needs no token");
    let origin = format!("http://{network}");
    assert!(client::connect_as(&network, Some(&origin), None).is_err());
    assert!(client::connect_as(&network, Some(&origin), Some(&format!("plyhouse-{port}={wrong}"))).is_err());
    let cookie = format!("plyhouse-{port}={token}");
    assert!(client::connect_as(&network, Some("http://evil.example"), Some(&cookie)).is_err());
    // A client from the network does not see the archive.
    let mut guest = Client::with_cookie(&network, &cookie);
    guest.say(&json!({"do": "archive", "id": 1}));
    assert_eq!(guest.next("refused")["message"]["text"], "There is no archive here.");
}

/// Returns the state of the table after the next change.
fn table(client: &mut Client) -> Value {
    client.next("room")["table"].clone()
}

#[test]
fn two_devices_play_and_a_third_one_watches() {
    let folder = tempfile::tempdir().expect("a folder");
    let (host, network, token) = serve_network(folder.path());
    let cookie = format!("plyhouse-{}={token}", network.rsplit(':').next().expect("a port"));
    let join = |client: &mut Client, secret: &str| {
        client.say(&json!({"do": "join", "room": "table", "client": secret}));
        client.next("room")
    };
    let (mut home, mut guest) = (Client::new(&host), Client::with_cookie(&network, &cookie));
    let mut third = Client::with_cookie(&network, &cookie);
    assert_eq!(join(&mut home, "home")["table"]["you"], 0);
    assert_eq!(join(&mut guest, "guest")["table"]["you"], 1);
    let view = join(&mut third, "third");
    assert_eq!(
        view["table"],
        json!({
            "you": null, "taken": [true, true], "away": [false, false], "watching": 1, "asks": null, "offers": null,
            "names": [null, null],
        })
    );
    assert!(!view.to_string().contains("home") && !view.to_string().contains("guest"), "secrets stay secret");
    // A client cannot move for another client.
    let text = &view["scene"]["moves"][0]["text"];
    let play = json!({"do": "act", "ply": 0, "act": {"kind": "play", "text": text}});
    for (client, why) in
        [(&mut guest, "It is your opponent’s turn."), (&mut third, "You are watching; take a free seat to play.")]
    {
        client.say(&play);
        assert_eq!(client.next("refused")["message"]["text"], why);
    }
    home.say(&play);
    let view = guest.at_ply(1);
    guest.play(&view, 0);
    assert_eq!(third.at_ply(2)["table"]["you"], Value::Null, "a spectator sees every move");
    third.say(&json!({"do": "act", "ply": 2, "act": {"kind": "sit", "side": 0}}));
    assert_eq!(third.next("refused")["message"]["text"], "This seat is taken.");
    third.say(&json!({"do": "new", "game": {"game": "loa"}, "seats": seats(PERSONS)}));
    third.next("refused");
    // The network client frees its seat, and the third client takes it.
    guest.say(&json!({"do": "act", "ply": 2, "act": {"kind": "stand"}}));
    while table(&mut third)["taken"][1] != false {}
    third.say(&json!({"do": "act", "ply": 2, "act": {"kind": "sit", "side": 1}}));
    while table(&mut third)["you"] != 1 {}
    // A lost connection keeps the seat, and a new connection with the same secret takes it again.
    drop(third);
    while table(&mut home)["away"][1] != true {}
    let mut back = Client::with_cookie(&network, &cookie);
    assert_eq!(join(&mut back, "third")["table"]["you"], 1);
    back.say(&json!({"do": "act", "ply": 2, "act": {"kind": "resign"}}));
    let winner = loop {
        let view = home.next("room");
        if !view["scene"]["end"].is_null() {
            break view["scene"]["end"]["winner"].clone();
        }
    };
    assert_eq!(winner, 0, "the resigning client loses");
    archived(&mut home, 1);
    // Without `--lan` there is no shared board.
    let mut alone = Client::new(&client::serve());
    alone.say(&json!({"do": "join", "room": "table"}));
    assert!(alone.next("refused")["message"]["text"].as_str().is_some_and(|text| text.contains("--lan")));
}

#[test]
fn a_running_server_is_recognised() {
    let mut server = Server::bind(None, engine::Resources::default()).expect("a port");
    server.mark("these games".into());
    let host = serve_with(server);
    let port = host.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let found = Running::at(port).expect("a Plyhouse server");
    assert!(found.is_same("these games") && !found.is_same("other games"));
    // Not every listening program is Plyhouse.
    let other = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = other.local_addr().expect("an address").port();
    let answered = Arc::new(Mutex::new(other));
    assert_eq!(Running::at(port), None, "the other program does not answer");
    drop(answered);
    assert_eq!(Running::at(port), None, "no program listens");
}
