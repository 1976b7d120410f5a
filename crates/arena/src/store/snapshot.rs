//! The live state of a tournament: a text that the running program publishes beside the store and removes when it ends.
//! It is not part of the tournament, and may be lost.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::postgres::Client;

use super::location::Kind;
use crate::store::location::Location;

/// Table of the text in a PostgreSQL store. It is unlogged, which makes writing cheap.
const TABLE: &str = "CREATE UNLOGGED TABLE IF NOT EXISTS plyhouse.live (tournament BIGINT NOT NULL DEFAULT 0 \
                     PRIMARY KEY, seen TIMESTAMPTZ NOT NULL, snapshot TEXT NOT NULL)";

/// Time before a lost connection is reopened.
const RECONNECT_DELAY: Duration = Duration::from_secs(3);

/// A writer of the live state. Errors are ignored, because the tournament does not depend on the live state.
pub(crate) struct Snapshot {
    location: Location,
    /// Connection, if the store is a database that can be reached.
    client: Option<Client>,
    /// Time of the next attempt to connect.
    next: Instant,
}

impl Snapshot {
    pub(crate) fn at(location: &Location) -> Self {
        Self { location: location.clone(), client: None, next: Instant::now() }
    }

    /// Replaces the text.
    pub(crate) fn write(&mut self, text: &str) {
        match self.location.kind() {
            Kind::File(store) => {
                let (path, fresh) = (snapshot_path(store), snapshot_path(&snapshot_path(store)));
                // Renamed, so that readers never see a partial text.
                let _ = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &path));
            }
            Kind::Server(_) => {
                let statement = "INSERT INTO plyhouse.live (seen, snapshot) VALUES (now(), $1) \
                                 ON CONFLICT (tournament) DO UPDATE SET seen = now(), snapshot = $1";
                self.run(|client| client.execute(statement, &[&text]).map(drop));
            }
        }
    }

    /// Removes the text.
    pub(crate) fn remove(&mut self) {
        match self.location.kind() {
            Kind::File(store) => drop(std::fs::remove_file(snapshot_path(store))),
            // TRUNCATE releases the space, unlike DELETE.
            Kind::Server(_) => self.run(|client| client.batch_execute("TRUNCATE plyhouse.live")),
        }
    }

    fn run(&mut self, statement: impl FnOnce(&mut Client) -> Result<(), ::postgres::Error>) {
        let Kind::Server(address) = self.location.kind() else { return };
        if self.client.is_none() && self.next <= Instant::now() {
            self.next = Instant::now() + RECONNECT_DELAY;
            let made = address.connect().and_then(|mut client| client.batch_execute(TABLE).map(|()| client));
            self.client = made.ok();
        }
        if let Some(client) = &mut self.client
            && statement(client).is_err()
        {
            self.client = None;
        }
    }
}

/// Returns the path of the text beside a store file. Sandboxes hide all files whose names begin with the store's name.
fn snapshot_path(store: &Path) -> PathBuf {
    let mut name = store.to_owned().into_os_string();
    name.push(".live");
    name.into()
}

/// Reads the text beside a store file. Returns it with its age.
pub(super) fn read(store: &Path) -> Option<(String, Duration)> {
    let path = snapshot_path(store);
    let text = std::fs::read_to_string(&path).ok()?;
    let age = path.metadata().and_then(|data| data.modified()).ok()?.elapsed().unwrap_or_default();
    Some((text, age))
}
