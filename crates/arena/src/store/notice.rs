//! What the program that runs a tournament publishes beside a store: one text, which is gone when the program ends. It
//! is no part of any tournament, and nobody misses it after a crash.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::postgres::Client;

use super::Location;
use super::location::Kind;

/// Where the text of a PostgreSQL store is. A table that is not logged costs the server little.
const TABLE: &str = "CREATE UNLOGGED TABLE IF NOT EXISTS plyhouse.live (tournament BIGINT NOT NULL DEFAULT 0 \
                     PRIMARY KEY, seen TIMESTAMPTZ NOT NULL, snapshot TEXT NOT NULL)";

/// How long to wait before connecting again.
const BREATH: Duration = Duration::from_secs(3);

/// The place for the text. Failures are ignored: a tournament goes on without it.
pub(crate) struct Notice {
    location: Location,
    /// The connection, if the store is in a database and there is one.
    client: Option<Client>,
    /// When to connect again.
    next: Instant,
}

impl Notice {
    pub(crate) fn at(location: &Location) -> Self {
        Self { location: location.clone(), client: None, next: Instant::now() }
    }

    /// Replaces the text.
    pub(crate) fn put_up(&mut self, text: &str) {
        match self.location.kind() {
            Kind::File(store) => {
                let (path, fresh) = (beside(store), beside(&beside(store)));
                // A reader sees one text or the other.
                let _ = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &path));
            }
            Kind::Server(_) => {
                let statement = "INSERT INTO plyhouse.live (seen, snapshot) VALUES (now(), $1) \
                                 ON CONFLICT (tournament) DO UPDATE SET seen = now(), snapshot = $1";
                self.ask(|client| client.execute(statement, &[&text]).map(drop));
            }
        }
    }

    /// Removes the text.
    pub(crate) fn take_down(&mut self) {
        match self.location.kind() {
            Kind::File(store) => drop(std::fs::remove_file(beside(store))),
            // Unlike a deleted row, this gives the space back.
            Kind::Server(_) => self.ask(|client| client.batch_execute("TRUNCATE plyhouse.live")),
        }
    }

    fn ask(&mut self, question: impl FnOnce(&mut Client) -> Result<(), ::postgres::Error>) {
        let Kind::Server(address) = self.location.kind() else { return };
        if self.client.is_none() && self.next <= Instant::now() {
            self.next = Instant::now() + BREATH;
            let made = address.connect().and_then(|mut client| client.batch_execute(TABLE).map(|()| client));
            self.client = made.ok();
        }
        if let Some(client) = &mut self.client
            && question(client).is_err()
        {
            self.client = None;
        }
    }
}

/// The file beside a store. Like its journal, it begins with the store's name, so that a sandbox hides it, too.
fn beside(store: &Path) -> PathBuf {
    let mut name = store.to_owned().into_os_string();
    name.push(".live");
    name.into()
}

/// The text beside a file, and how old it is.
pub(super) fn read(store: &Path) -> Option<(String, Duration)> {
    let path = beside(store);
    let text = std::fs::read_to_string(&path).ok()?;
    let age = path.metadata().and_then(|data| data.modified()).ok()?.elapsed().unwrap_or_default();
    Some((text, age))
}
