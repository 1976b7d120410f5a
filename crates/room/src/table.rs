//! A table that several devices share: who sits at which side, and what the others may do.
//!
//! A client is a browser; its pages share a secret that nobody else learns. No clock of the machine is read here.

use std::collections::HashMap;

use crate::messages::{Act, Seat, TableView};

/// How long a seat is kept for somebody whose connection is lost, in milliseconds.
const KEPT: u64 = 30_000;

/// Who is at the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    sitting: [Option<Sitter>; 2],
    /// How many pages each client has open here.
    pages: HashMap<String, usize>,
    /// The side that asks to take its move back, and after how many moves it asked.
    wish: Option<(usize, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sitter {
    client: String,
    /// Since when none of its pages is here.
    away: Option<u64>,
}

/// How the game stands, as far as it decides what may be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) turn: usize,
    /// Whether moves have been made and the game is not over.
    pub(crate) going_on: bool,
}

impl Table {
    /// A page of a client comes; the client gets a free seat.
    pub(crate) fn enter(&mut self, client: &str, seats: [Seat; 2]) {
        *self.pages.entry(client.to_owned()).or_default() += 1;
        if let Some(side) = self.side_of(client) {
            self.put(side, client);
            return;
        }
        if let Some(side) = [0, 1].into_iter().find(|&side| seats[side] == Seat::Person && self.sitting[side].is_none())
        {
            self.put(side, client);
        }
    }

    /// A page of a client goes; its seat is kept for a while.
    pub(crate) fn leave(&mut self, client: &str, now: u64) {
        let Some(pages) = self.pages.get_mut(client) else { return };
        *pages -= 1;
        if *pages == 0 {
            self.pages.remove(client);
            for sitter in self.sitting.iter_mut().flatten().filter(|sitter| sitter.client == client) {
                sitter.away = Some(now);
            }
        }
    }

    fn put(&mut self, side: usize, client: &str) {
        self.sitting[side] = Some(Sitter { client: client.to_owned(), away: None });
    }

    /// The side at which a client sits.
    pub(crate) fn side_of(&self, client: &str) -> Option<usize> {
        self.sitting.iter().position(|sitter| sitter.as_ref().is_some_and(|sitter| sitter.client == client))
    }

    /// Whether two clients play against each other.
    pub(crate) fn is_between_two(&self) -> bool {
        self.sitting.iter().all(Option::is_some)
    }

    /// A client asks to take its move back, or agrees to the other's wish. The side that gets its move back if both
    /// agree.
    pub(crate) fn takes_back(&mut self, client: &str, ply: u32) -> Option<usize> {
        let side = self.side_of(client)?;
        match self.wish {
            Some((other, then)) if other != side && then == ply => {
                self.wish = None;
                Some(other)
            }
            _ => {
                self.wish = Some((side, ply));
                None
            }
        }
    }

    /// Takes a seat of a person that is free, or whose owner has been away for long.
    ///
    /// # Errors
    /// If it is not free.
    pub(crate) fn sit(&mut self, side: usize, client: &str, seats: [Seat; 2], now: u64) -> Result<(), String> {
        if seats.get(side) != Some(&Seat::Person) {
            return Err("The engine plays this side.".into());
        }
        if let Some(sitter) = self.sitting[side].as_ref().filter(|sitter| sitter.client != client)
            && sitter.away.is_none_or(|since| now < since + KEPT)
        {
            return Err("This seat is taken.".into());
        }
        self.stand(client);
        self.put(side, client);
        Ok(())
    }

    /// A client gives up its seat.
    pub(crate) fn stand(&mut self, client: &str) {
        if let Some(side) = self.side_of(client) {
            self.sitting[side] = None;
        }
    }

    /// Whether a client may do this now.
    ///
    /// # Errors
    /// If not; the text says why.
    pub(crate) fn allows(&self, client: &str, act: &Act, standing: Standing) -> Result<(), String> {
        let Standing { turn, going_on, .. } = standing;
        if matches!(act, Act::Sit { .. } | Act::Stand) {
            return Ok(());
        }
        let side = self.side_of(client).ok_or("You are watching; take a free seat to play.")?;
        let two = self.is_between_two();
        match act {
            Act::Play { .. } if side != turn => Err("It is your opponent’s turn.".into()),
            Act::Redo | Act::Pause { .. } | Act::Step | Act::Limit { .. } | Act::Hint if two => {
                Err("Not in a game between two people.".into())
            }
            Act::Seat { side: other, .. } if two && going_on || self.is_of_another(*other, client) => {
                Err("Finish the game first; nobody’s seat is changed by others.".into())
            }
            _ => Ok(()),
        }
    }

    fn is_of_another(&self, side: usize, client: &str) -> bool {
        self.sitting.get(side).is_some_and(|sitter| sitter.as_ref().is_some_and(|sitter| sitter.client != client))
    }

    /// Whether a client may begin another game now.
    ///
    /// # Errors
    /// If not; the text says why.
    pub(crate) fn allows_new_game(&self, client: &str, standing: Standing) -> Result<(), String> {
        self.side_of(client).ok_or("You are watching; take a free seat to play.")?;
        if self.is_between_two() && standing.going_on {
            return Err("Finish the game first, or resign.".into());
        }
        Ok(())
    }

    /// A game begins: who sits where an engine now plays takes the other seat if it is free, and watches otherwise.
    pub(crate) fn begin(&mut self, seats: [Seat; 2], swap: bool) {
        self.wish = None;
        if swap {
            self.sitting.swap(0, 1);
        }
        for side in [0, 1] {
            if seats[side] != Seat::Person
                && let Some(sitter) = self.sitting[side].take()
                && seats[1 - side] == Seat::Person
                && self.sitting[1 - side].is_none()
            {
                self.sitting[1 - side] = Some(sitter);
            }
        }
    }

    /// The table as a client sees it after some moves.
    pub(crate) fn view(&self, client: &str, ply: u32) -> TableView {
        let watching = self.pages.keys().filter(|client| self.side_of(client).is_none()).count();
        TableView {
            you: self.side_of(client),
            taken: [0, 1].map(|side| self.sitting[side].is_some()),
            away: [0, 1].map(|side| self.sitting[side].as_ref().is_some_and(|sitter| sitter.away.is_some())),
            watching,
            asks: self.wish.filter(|&(_, then)| then == ply).map(|(side, _)| side),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::Level;

    use super::*;

    const PERSONS: [Seat; 2] = [Seat::Person; 2];
    const ENGINE: Seat = Seat::engine(Level::FULL);

    fn standing(turn: usize, going_on: bool) -> Standing {
        Standing { turn, going_on }
    }

    fn move_of() -> Act {
        Act::Play { text: "b1-b3".into() }
    }

    #[test]
    fn the_first_two_sit_and_the_third_watches() {
        let mut table = Table::default();
        for client in ["a", "b", "c", "b"] {
            table.enter(client, PERSONS);
        }
        assert_eq!(["a", "b", "c"].map(|client| table.side_of(client)), [Some(0), Some(1), None]);
        assert_eq!(
            table.view("c", 0),
            TableView { you: None, taken: [true; 2], away: [false; 2], watching: 1, asks: None }
        );
        assert!(table.allows("a", &move_of(), standing(0, true)).is_ok());
        for (client, turn) in [("a", 1), ("b", 0), ("c", 0), ("c", 1)] {
            assert!(table.allows(client, &move_of(), standing(turn, true)).is_err(), "{client}");
        }
        for act in [Act::Resign, Act::Hint, Act::Step, Act::Redo, Act::Pace { ms: 1 }] {
            assert!(table.allows("c", &act, standing(0, true)).is_err(), "those who watch do nothing");
        }
        for act in [Act::Redo, Act::Pause { on: true }, Act::Limit { moves: None }, Act::Hint] {
            assert!(table.allows("a", &act, standing(0, true)).is_err());
        }
        assert!(table.allows("a", &Act::Resign, standing(1, true)).is_ok());
    }

    #[test]
    fn a_seat_is_kept_for_a_while() {
        let mut table = Table::default();
        table.enter("a", PERSONS);
        table.enter("b", PERSONS);
        table.enter("b", PERSONS);
        table.enter("c", PERSONS);
        table.leave("b", 5);
        assert!(table.sit(1, "c", PERSONS, 100_000).is_err(), "another page of b is there");
        table.leave("b", 10);
        assert_eq!(table.view("c", 0).away, [false, true]);
        assert!(table.sit(1, "c", PERSONS, KEPT).is_err());
        table.enter("b", PERSONS);
        assert_eq!(table.view("c", 0).away, [false; 2], "it came back");
        table.leave("b", 10);
        assert!(table.sit(1, "c", PERSONS, KEPT + 10).is_ok());
        table.enter("b", PERSONS);
        assert_eq!((table.side_of("b"), table.side_of("c")), (None, Some(1)));
        table.stand("c");
        assert!(table.sit(1, "b", PERSONS, 0).is_ok());
        assert!(table.sit(2, "b", PERSONS, 0).is_err() && table.sit(1, "b", [Seat::Person, ENGINE], 0).is_err());
        assert_eq!(table.view("nobody", 0).you, None);
    }

    #[test]
    fn games_begin_between_games() {
        let mut table = Table::default();
        table.enter("a", PERSONS);
        table.enter("b", PERSONS);
        assert!(table.allows_new_game("a", standing(0, true)).is_err());
        assert!(table.allows_new_game("a", standing(0, false)).is_ok());
        assert!(table.allows_new_game("c", standing(0, false)).is_err());
        table.begin(PERSONS, true);
        assert_eq!((table.side_of("a"), table.side_of("b")), (Some(1), Some(0)));
        table.begin([Seat::Person, ENGINE], false);
        assert_eq!((table.side_of("a"), table.side_of("b")), (None, Some(0)));
        table.begin([ENGINE, Seat::Person], false);
        assert_eq!(table.side_of("b"), Some(1), "the other side");
        let seat = Act::Seat { side: 0, seat: Seat::Person };
        assert!(
            table.allows("b", &seat, standing(0, true)).is_ok() && table.allows("a", &seat, standing(0, true)).is_err()
        );
    }
}
