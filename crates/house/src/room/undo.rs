//! Taking moves back, and replaying them.

use game::{Message, message};

use super::{Room, game_over};
use crate::messages::game::Seat;

fn nothing_to_undo() -> Message {
    message!("undo.nothing", "There is no move to take back.")
}

impl Room {
    /// Handles a request to take a move back between two people. The move is taken back when both have asked for it.
    pub(super) fn ask_undo(&mut self, client: &str) -> Result<(), Message> {
        let ply = self.record.plies();
        let Some(table) = &mut self.table else { return Ok(()) };
        // A client that has not moved yet has nothing to take back.
        let least = if table.side_of(client) == Some(self.scene.turn) { 2 } else { 1 };
        if ply < least && self.ended.is_none() {
            return Err(nothing_to_undo());
        }
        let Some(side) = table.takes_back(client, ply) else { return Ok(()) };
        table.decline(None);
        if self.reopen() {
            return Ok(());
        }
        while let Some(last) = self.record_mut().undo() {
            self.undone.push(last);
            self.go_clocks(-1);
            if self.record.side_to_move().index() == side {
                break;
            }
        }
        self.show();
        Ok(())
    }

    /// Takes moves back until the user is to move.
    pub(super) fn undo(&mut self) -> Result<(), Message> {
        if self.reopen() {
            return Ok(());
        }
        let no_user = !self.seats.contains(&Seat::Person);
        loop {
            let last = self.record_mut().undo().ok_or_else(nothing_to_undo)?;
            self.undone.push(last);
            self.go_clocks(-1);
            let at_start = self.record.plies() == 0;
            if no_user || at_start || self.is_person(self.record.side_to_move().index()) {
                break;
            }
        }
        // If an engine is to move, it would immediately move again without the pause.
        self.paused |= no_user || !self.is_person(self.record.side_to_move().index());
        self.show();
        Ok(())
    }

    fn go_clocks(&mut self, by: isize) {
        if let Some(clocks) = &mut self.clocks {
            clocks.go(by);
        }
    }

    /// Replays moves that were taken back, until the user is to move.
    pub(super) fn redo(&mut self) -> Result<(), Message> {
        if self.undone.is_empty() {
            return Err(message!("undo.nothing_to_redo", "Nothing was taken back."));
        }
        if self.is_over() {
            return Err(game_over());
        }
        while let Some(next) = self.undone.pop() {
            // The move limit may have been lowered since the move was taken back.
            if self.record_mut().try_play(&next).is_err() {
                self.undone.push(next);
                break;
            }
            self.go_clocks(1);
            if self.is_person(self.record.side_to_move().index()) || self.paused {
                break;
            }
        }
        self.show();
        Ok(())
    }
}
