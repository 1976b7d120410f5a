//! Ends of a game that do not follow from its board: resignation, agreement, time.

use game::{Message, message};
use games::{Cause, End, Highlight};

use super::{Room, engines_only, game_over, not_shared};

impl Room {
    /// Returns the end of the game, if it is over.
    pub(super) fn end(&self) -> Option<End> {
        let Some((loser, cause)) = self.ended else { return self.scene.end.clone() };
        let name = |side: usize| Message::name(self.scene.sides[side]);
        let message = match loser.map(|side| (name(side), name(1 - side))) {
            None => message!("end.agreed", "No winner: the players have agreed to a draw."),
            Some((loser, winner)) if cause == Cause::Time => {
                message!("end.time", "{winner} wins: {loser}’s time ran out.", winner, loser)
            }
            Some((loser, winner)) => message!("end.resigned", "{loser} resigns: {winner} wins.", loser, winner),
        };
        Some(End { winner: loser.map(|side| 1 - side), cause, message, highlight: Highlight::default() })
    }

    /// Ends the game if the side to move has run out of time.
    pub fn flag(&mut self, now: u64) {
        let turn = self.scene.turn;
        if !self.is_over() && self.clocks.as_ref().is_some_and(|clocks| clocks.is_out(turn, now)) {
            self.ended = Some((Some(turn), Cause::Time));
            self.run_clocks(now);
            self.revision += 1;
        }
    }

    /// Resigns for a client at the table. Without a table, resigns for the side to move if a person plays it, and
    /// otherwise for the other side.
    pub(super) fn resign(&mut self, client: &str) -> Result<(), Message> {
        if self.is_over() {
            return Err(game_over());
        }
        let turn = self.scene.turn;
        let side = match &self.table {
            Some(table) => table.side_of(client),
            None => [turn, 1 - turn].into_iter().find(|&side| self.is_person(side)),
        };
        self.ended = Some((Some(side.ok_or_else(engines_only)?), Cause::Resigned));
        Ok(())
    }

    /// Records that a client offers a draw, or ends the game if the client accepts its opponent's offer.
    pub(super) fn draw(&mut self, client: &str) -> Result<(), Message> {
        if self.is_over() {
            return Err(game_over());
        }
        if self.table.as_mut().ok_or_else(not_shared)?.draws(client)? {
            self.ended = Some((None, Cause::Agreed));
        }
        Ok(())
    }

    /// Revokes an end that does not follow from the board. Returns `true` if it was a resignation or an agreed draw. If
    /// it was a loss on time, returns `false`, because the caller must also take the last move back.
    pub(super) fn reopen(&mut self) -> bool {
        matches!(self.ended.take(), Some((_, Cause::Resigned | Cause::Agreed)))
    }
}
