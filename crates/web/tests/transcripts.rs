//! Tests of the house as driven by the server, over sockets.

use std::collections::BTreeMap;

use serde_json::Value;
use tungstenite::Message;
use web::{Archive, Server};

use crate::client::{Client, serve_with};
use crate::conformance::{Driver, run_all};

struct Sockets {
    host: String,
    clients: BTreeMap<u32, Client>,
    _folder: tempfile::TempDir,
}

impl Driver for Sockets {
    fn open(&mut self, page: u32) {
        self.clients.insert(page, Client::new(&self.host));
    }

    fn close(&mut self, page: u32) {
        self.clients.remove(&page);
    }

    fn say(&mut self, page: u32, text: &str) {
        self.client(page).0.send(Message::text(text)).expect("sent");
    }

    fn next(&mut self, page: u32) -> Value {
        self.client(page).receive()
    }
}

impl Sockets {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::bind(None, engine::Resources::default()).expect("a port");
        server.keep(Archive::open(folder.path().join("games.jsonl"), Box::new(|what| panic!("{what}"))));
        Self { host: serve_with(server), clients: BTreeMap::new(), _folder: folder }
    }

    fn client(&mut self, page: u32) -> &mut Client {
        self.clients.get_mut(&page).expect("an open page")
    }
}

#[test]
fn the_server_follows_the_transcripts() {
    run_all(Sockets::new);
}
