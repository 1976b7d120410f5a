//! The entry of a finished game in the archive.

use super::Room;
use crate::clock::Clocks;
use crate::messages::game::{Archived, Who};

impl Room {
    /// Returns the game for the archive if it has ended and this end is not archived yet. `id` creates a name in the
    /// archive.
    ///
    /// If a game continues after its end, its next end replaces the entry. The exception is a game of one person who
    /// played an engine without help: its entry remains, so the ladder still counts a loss if the person takes the last
    /// move back.
    pub fn take_finished(&mut self, id: impl FnOnce() -> String, date: String) -> Option<Archived> {
        let end = self.end().filter(|_| self.record.plies() > 0 && !self.terminal)?;
        let scene = &self.scene;
        if self.known_end.as_ref().is_some_and(|(played, known)| *played == scene.played && *known == end) {
            return None;
        }
        self.known_end = Some((scene.played.clone(), end.clone()));
        let is_usual = self.setting.record(None, &[]).is_ok_and(|usual| usual.position() == scene.start);
        let helped = self.helped || self.table.is_some();
        let id = self.archived.take().unwrap_or_else(id);
        self.archived = (helped || !self.is_of_one_person()).then(|| id.clone());
        Some(Archived {
            id,
            date,
            game: scene.game.clone(),
            size: Some(scene.size),
            start: (!is_usual).then(|| scene.start.clone()),
            moves: scene.played.clone(),
            limit: scene.limit,
            clock: self.clocks.as_ref().map(Clocks::clock),
            seats: [0, 1].map(|side| self.who(side)),
            winner: end.winner,
            reason: end.cause.name().to_owned(),
            helped,
        })
    }

    /// Returns the player of a side, including the name at a shared table.
    fn who(&self, side: usize) -> Who {
        match (Who::from(self.seats[side]), &self.table) {
            (Who::Person { .. }, Some(table)) => Who::Person { name: table.names()[side].clone() },
            (who, _) => who,
        }
    }
}
