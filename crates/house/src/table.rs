//! A table that several devices share: the client at each side, and the permissions of the clients.
//!
//! A client is a browser. Its pages share a secret that no other client has. The table does not read the machine's
//! clock.

use std::collections::HashMap;

use game::{Message, message};

use crate::messages::answer::TableView;
use crate::messages::game::Seat;
use crate::messages::request::Act;

/// Time for which a seat is kept after its client's connection is lost, in milliseconds.
const KEPT: u64 = 30_000;
/// Maximum length of a user's name, in characters.
const LONGEST_NAME: usize = 24;

/// The clients at the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    sitting: [Option<Sitter>; 2],
    /// Number of open pages of each client.
    pages: HashMap<String, usize>,
    /// Names of the clients with an open page or a seat.
    names: HashMap<String, String>,
    /// Side that asks to take its move back, and the number of moves at the time of this request.
    wish: Option<(usize, u32)>,
    /// Side that offers a draw. Its opponent's next move declines the offer.
    offer: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sitter {
    client: String,
    /// Time at which its last page was closed; `None` while a page is open.
    away: Option<u64>,
}

/// The state of the game that determines which actions are allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) turn: usize,
    /// `true` if moves have been made and the game is not over.
    pub(crate) in_progress: bool,
}

fn watching() -> Message {
    message!("table.watching", "You are watching; take a free seat to play.")
}

fn alone() -> Message {
    message!("table.no_opponent", "There is no opponent at this board.")
}

/// Removes control characters, invisible characters and surplus spaces from a name, and shortens it.
fn cleaned(name: &str) -> String {
    // Zero-width characters and writing-direction marks, which could change the text around the name.
    let is_seen = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let words: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let seen: String = words.chars().filter(is_seen).take(LONGEST_NAME).collect();
    seen.trim().to_owned()
}

impl Table {
    /// Sets the name of a client. An empty name removes it.
    pub(crate) fn set_name(&mut self, client: &str, name: &str) {
        let name = cleaned(name);
        if name.is_empty() {
            self.names.remove(client);
        } else {
            self.names.insert(client.to_owned(), name);
        }
    }

    /// Returns the names of the players.
    pub(crate) fn names(&self) -> [Option<String>; 2] {
        self.sitting.each_ref().map(|sitter| self.names.get(&sitter.as_ref()?.client).cloned())
    }

    /// Removes the names of the clients without an open page and without a seat.
    fn forget_names(&mut self) {
        let mut names = core::mem::take(&mut self.names);
        names.retain(|client, _| self.pages.contains_key(client) || self.side_of(client).is_some());
        self.names = names;
    }

    /// Records that a client offers a draw. Returns `true` if its opponent has already offered one.
    ///
    /// # Errors
    /// If the client has no opponent.
    pub(crate) fn draws(&mut self, client: &str) -> Result<bool, Message> {
        let side = self.side_of(client).filter(|_| self.is_between_two()).ok_or_else(alone)?;
        let is_agreed = self.offer == Some(1 - side);
        self.offer = (!is_agreed).then_some(side);
        Ok(is_agreed)
    }

    /// Withdraws the offer of the mover's opponent. If `mover` is `None`, withdraws any offer.
    pub(crate) fn decline(&mut self, mover: Option<usize>) {
        self.offer = self.offer.filter(|&side| mover == Some(side));
    }

    /// Adds a page of a client. A client without a seat gets a free one.
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

    /// Removes a page of a client. The client's seat is kept for a while.
    pub(crate) fn leave(&mut self, client: &str, now: u64) {
        let Some(pages) = self.pages.get_mut(client) else { return };
        *pages -= 1;
        if *pages == 0 {
            self.pages.remove(client);
            for sitter in self.sitting.iter_mut().flatten().filter(|sitter| sitter.client == client) {
                sitter.away = Some(now);
            }
            self.forget_names();
        }
    }

    fn put(&mut self, side: usize, client: &str) {
        self.sitting[side] = Some(Sitter { client: client.to_owned(), away: None });
    }

    /// Returns the side of a client; `None` if it has no seat.
    pub(crate) fn side_of(&self, client: &str) -> Option<usize> {
        self.sitting.iter().position(|sitter| sitter.as_ref().is_some_and(|sitter| sitter.client == client))
    }

    /// Returns `true` if two clients play against each other.
    pub(crate) fn is_between_two(&self) -> bool {
        self.sitting.iter().all(Option::is_some)
    }

    /// Records that a client asks to take its move back, or agrees to the opponent's request. If both agree, returns
    /// the side whose move is taken back.
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

    /// Gives a client the seat of a side that a person plays. The seat must be free, or its client must have been away
    /// for at least [`KEPT`].
    ///
    /// # Errors
    /// If the seat is not free.
    pub(crate) fn sit(&mut self, side: usize, client: &str, seats: [Seat; 2], now: u64) -> Result<(), Message> {
        if seats.get(side) != Some(&Seat::Person) {
            return Err(message!("table.engine_side", "The engine plays this side."));
        }
        if let Some(sitter) = self.sitting[side].as_ref().filter(|sitter| sitter.client != client)
            && sitter.away.is_none_or(|since| now < since + KEPT)
        {
            return Err(message!("table.taken", "This seat is taken."));
        }
        self.stand(client);
        self.put(side, client);
        self.forget_names();
        Ok(())
    }

    /// Frees the seat of a client.
    pub(crate) fn stand(&mut self, client: &str) {
        if let Some(side) = self.side_of(client) {
            self.sitting[side] = None;
            self.offer = None;
        }
    }

    /// Checks whether a client may perform an action now.
    ///
    /// # Errors
    /// If the action is not allowed. The error explains why.
    pub(crate) fn allows(&self, client: &str, act: &Act, standing: Standing) -> Result<(), Message> {
        let Standing { turn, in_progress, .. } = standing;
        if matches!(act, Act::Sit { .. } | Act::Stand | Act::Name { .. }) {
            return Ok(());
        }
        let side = self.side_of(client).ok_or_else(watching)?;
        let two = self.is_between_two();
        match act {
            Act::Play { .. } if side != turn => Err(message!("table.not_your_turn", "It is your opponent’s turn.")),
            Act::Redo | Act::Pause { .. } | Act::Step | Act::Limit { .. } | Act::Hint if two => {
                Err(message!("table.between_two", "This is not possible in a game between two people."))
            }
            Act::Seat { side: other, .. } if two && in_progress || self.is_of_another(*other, client) => {
                Err(message!("table.seat_of_other", "Finish the game first. You cannot change another player’s seat."))
            }
            _ => Ok(()),
        }
    }

    fn is_of_another(&self, side: usize, client: &str) -> bool {
        self.sitting.get(side).is_some_and(|sitter| sitter.as_ref().is_some_and(|sitter| sitter.client != client))
    }

    /// Checks whether a client may begin another game now.
    ///
    /// # Errors
    /// If a new game is not allowed. The error explains why.
    pub(crate) fn allows_new_game(&self, client: &str, standing: Standing) -> Result<(), Message> {
        self.side_of(client).ok_or_else(watching)?;
        if self.is_between_two() && standing.in_progress {
            return Err(message!("table.game_runs", "Finish the game first, or resign."));
        }
        Ok(())
    }

    /// Begins a game. A client whose side is now played by an engine gets the other seat if it is free, and watches
    /// otherwise.
    pub(crate) fn begin(&mut self, seats: [Seat; 2], swap: bool) {
        (self.wish, self.offer) = (None, None);
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

    /// Returns the table as a client sees it after `ply` moves.
    pub(crate) fn view(&self, client: &str, ply: u32) -> TableView {
        let watching = self.pages.keys().filter(|client| self.side_of(client).is_none()).count();
        TableView {
            you: self.side_of(client),
            taken: [0, 1].map(|side| self.sitting[side].is_some()),
            away: [0, 1].map(|side| self.sitting[side].as_ref().is_some_and(|sitter| sitter.away.is_some())),
            watching,
            asks: self.wish.filter(|&(_, then)| then == ply).map(|(side, _)| side),
            offers: self.offer,
            names: self.names(),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::Level;

    use super::*;

    const PERSONS: [Seat; 2] = [Seat::Person; 2];
    const ENGINE: Seat = Seat::engine(Level::FULL);

    fn standing(turn: usize, in_progress: bool) -> Standing {
        Standing { turn, in_progress }
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
        let expected = TableView {
            you: None,
            taken: [true; 2],
            away: [false; 2],
            watching: 1,
            asks: None,
            offers: None,
            names: [None, None],
        };
        assert_eq!(table.view("c", 0), expected);
        assert!(table.allows("a", &move_of(), standing(0, true)).is_ok());
        for (client, turn) in [("a", 1), ("b", 0), ("c", 0), ("c", 1)] {
            assert!(table.allows(client, &move_of(), standing(turn, true)).is_err(), "{client}");
        }
        for act in [Act::Resign, Act::Hint, Act::Step, Act::Redo, Act::Pace { ms: 1 }] {
            assert!(table.allows("c", &act, standing(0, true)).is_err(), "spectators cannot act");
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
        assert!(table.sit(1, "c", PERSONS, 100_000).is_err(), "b has another open page");
        table.leave("b", 10);
        assert_eq!(table.view("c", 0).away, [false, true]);
        assert!(table.sit(1, "c", PERSONS, KEPT).is_err());
        table.enter("b", PERSONS);
        assert_eq!(table.view("c", 0).away, [false; 2], "b is back");
        table.leave("b", 10);
        assert!(table.sit(1, "c", PERSONS, KEPT + 10).is_ok());
        table.enter("b", PERSONS);
        assert_eq!((table.side_of("b"), table.side_of("c")), (None, Some(1)));
        table.stand("c");
        assert!(table.sit(1, "b", PERSONS, 0).is_ok());
        assert!(table.sit(2, "b", PERSONS, 0).is_err() && table.sit(1, "b", [Seat::Person, ENGINE], 0).is_err());
        assert_eq!(table.view("unknown", 0).you, None);
    }

    #[test]
    fn names_are_cleaned_and_forgotten() {
        let mut table = Table::default();
        for (client, name) in [("a", "  Ann\u{7}\u{202e}   Lee "), ("b", "\u{200b} \n"), ("c", &"é".repeat(99))] {
            table.enter(client, PERSONS);
            table.set_name(client, name);
        }
        assert_eq!(table.view("c", 0).names, [Some("Ann Lee".to_owned()), None]);
        table.stand("a");
        table.leave("a", 0);
        assert!(table.sit(0, "c", PERSONS, 0).is_ok());
        table.leave("c", 0);
        assert_eq!(table.names()[0].as_ref().map(|name| name.chars().count()), Some(LONGEST_NAME), "c has a seat");
        table.enter("a", PERSONS);
        assert!(table.sit(0, "a", PERSONS, KEPT).is_ok());
        assert_eq!(table.names(), [None, None]);
    }

    #[test]
    fn an_offer_stands_until_the_opponent_moves() {
        let mut table = Table::default();
        table.enter("a", PERSONS);
        assert!(table.draws("a").is_err(), "no opponent");
        table.enter("b", PERSONS);
        table.enter("c", PERSONS);
        assert!(table.draws("c").is_err(), "watches");
        assert_eq!((table.draws("a"), table.draws("a")), (Ok(false), Ok(false)));
        table.decline(Some(0));
        assert_eq!(table.view("b", 0).offers, Some(0), "the offering side's own move keeps the offer");
        table.decline(Some(1));
        assert_eq!(table.view("b", 0).offers, None);
        assert_eq!((table.draws("b"), table.draws("a")), (Ok(false), Ok(true)));
        table.draws("a").expect("another offer");
        table.decline(None);
        assert_eq!(table.view("b", 0).offers, None, "moves were taken back");
    }

    #[test]
    fn a_new_game_begins_only_if_no_game_is_in_progress() {
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
        assert_eq!(table.side_of("b"), Some(1), "b moves to the other seat");
        let seat = Act::Seat { side: 0, seat: Seat::Person };
        assert!(
            table.allows("b", &seat, standing(0, true)).is_ok() && table.allows("a", &seat, standing(0, true)).is_err()
        );
    }
}
