//! The rooms, and the engines that play in them.

use room::archive::utc;
use room::messages::{Act, Answer, NewGame};
use room::{Room, Turn};

use crate::House;
use crate::effect::{Effect, Moment, Task};

/// Most rooms that no page is in. The one that was left first goes.
const MOST_LEFT: usize = 16;

/// A room with the engine at work.
pub(crate) struct OpenRoom {
    pub(crate) room: Room,
    /// The engine's move that is waited for, and how.
    turn: Option<(Turn, Waiting)>,
    /// When the last page left it.
    left: Option<u64>,
    /// The latest wish to be woken.
    wake: Option<u64>,
}

/// How an engine's move is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    /// The engine begins at this time, in milliseconds.
    Until(u64),
    /// It thinks: the number of its task.
    For(u32),
}

impl House {
    /// The room that a page is in.
    pub(crate) fn room_of(&mut self, page: u32) -> Result<&mut OpenRoom, String> {
        let name = self.pages.get(&page).and_then(|page| page.room.as_ref());
        name.and_then(|name| self.rooms.get_mut(name)).ok_or_else(|| "Join a room first.".into())
    }

    /// A page comes into the room of this name, or into a new one.
    pub(crate) fn enter(&mut self, page: u32, name: Option<String>, now: Moment) {
        let name = name.filter(|name| self.rooms.contains_key(name)).unwrap_or_else(|| {
            let name = self.new_name();
            let open = OpenRoom { room: Room::usual(), turn: None, left: None, wake: None };
            self.rooms.insert(name.clone(), open);
            name
        });
        if let (Some(page), Some(open)) = (self.pages.get_mut(&page), self.rooms.get_mut(&name)) {
            page.room = Some(name.clone());
            open.left = None;
            open.room.set_asleep(false, now.ms);
            open.room.enter(&page.client);
        }
        self.go_on(&name, now);
    }

    /// A page leaves its room. Engines rest where nobody looks.
    pub(crate) fn leave(&mut self, page: u32, now: Moment) {
        let Some(page) = self.pages.get_mut(&page) else { return };
        let (Some(name), client) = (page.room.take(), page.client.clone()) else { return };
        let is_left = !self.pages.values().any(|page| page.room.as_ref() == Some(&name));
        if let Some(open) = self.rooms.get_mut(&name) {
            open.room.leave(&client, now.ms);
            if is_left {
                open.left = Some(now.ms);
                open.room.set_asleep(true, now.ms);
            }
        }
        self.go_on(&name, now);
        self.tidy();
    }

    /// Removes rooms if too many are left.
    fn tidy(&mut self) {
        let left = self.rooms.iter().filter_map(|(name, open)| Some((open.left?, name.clone())));
        let mut left: Vec<(u64, String)> = left.collect();
        left.sort_unstable();
        for (_, name) in &left[..left.len().saturating_sub(MOST_LEFT)] {
            self.rooms.remove(name);
        }
    }

    /// Carries out what a page wants in its room.
    pub(crate) fn act(&mut self, page: u32, ply: u32, act: &Act, now: Moment) -> Result<(), String> {
        let client = self.pages.get(&page).map(|page| page.client.clone()).unwrap_or_default();
        let done = self.room_of(page)?.room.act(ply, act, &client, now.ms);
        // A page that is behind or wrong is told how the room stands, too.
        if let Some(name) = self.pages.get(&page).and_then(|page| page.room.clone()) {
            self.go_on(&name, now);
        }
        done
    }

    /// Begins another game in a page's room.
    pub(crate) fn begin_game(&mut self, page: u32, new: &NewGame, now: Moment) -> Result<(), String> {
        let client = self.pages.get(&page).map(|page| page.client.clone()).unwrap_or_default();
        let next = Room::new(new, 0, now.ms)?;
        self.room_of(page)?.room.replace(next, new, &client, now.ms)?;
        if let Some(name) = self.pages.get(&page).and_then(|page| page.room.clone()) {
            self.go_on(&name, now);
        }
        Ok(())
    }

    /// A thinker says which move an engine makes. A move for a position that is gone is not made.
    pub fn moved(&mut self, task: u32, text: Option<&str>, now: Moment) {
        let is_it = |open: &OpenRoom| open.turn.as_ref().is_some_and(|(_, waiting)| *waiting == Waiting::For(task));
        let Some((name, open)) = self.rooms.iter_mut().find(|(_, open)| is_it(open)) else { return };
        if let (Some((turn, _)), Some(text)) = (open.turn.take(), text) {
            open.room.engine_plays(&turn, text, now.ms);
        }
        let name = name.clone();
        self.go_on(&name, now);
    }

    /// The time has come that the house has wished to be woken at: clocks may have run out, engines may begin.
    pub fn wake(&mut self, now: Moment) {
        let names: Vec<String> = self.rooms.keys().cloned().collect();
        for name in names {
            let Some(open) = self.rooms.get_mut(&name) else { continue };
            if open.wake.is_some_and(|at| at <= now.ms) {
                open.wake = None;
                open.room.flag(now.ms);
                self.go_on(&name, now);
            }
        }
    }

    /// Tells every page in a room, starts or stops its engine, asks to be woken for its clocks, and archives a game
    /// that has ended.
    fn go_on(&mut self, name: &str, now: Moment) {
        self.archive_if_over(name, now);
        let seen: Vec<(u32, String)> = self
            .pages
            .iter()
            .filter(|(_, page)| page.room.as_deref() == Some(name))
            .map(|(&number, page)| (number, page.client.clone()))
            .collect();
        for (page, client) in seen {
            if let Some(open) = self.rooms.get(name) {
                let view = open.room.view(name, &client, now.ms);
                self.tell(page, Answer::Room(Box::new(view)));
            }
        }
        self.let_engine_move(name, now);
        self.set_alarm(name);
    }

    fn archive_if_over(&mut self, name: &str, now: Moment) {
        let id = self.new_name();
        let Some(open) = self.rooms.get_mut(name) else { return };
        if let Some(game) = open.room.take_finished(|| id, utc(now.date)) {
            self.keep(game);
        }
    }

    /// Lets the engine begin whose turn it is, and ends a search for another turn.
    fn let_engine_move(&mut self, name: &str, now: Moment) {
        let Some(open) = self.rooms.get_mut(name) else { return };
        let wanted = open.room.turn();
        let is_new = open.turn.as_ref().map(|(turn, _)| turn) != wanted.as_ref();
        let before = if is_new { open.turn.take() } else { None };
        if is_new {
            open.turn = wanted.map(|turn| {
                let begins = now.ms + turn.after.as_millis() as u64;
                (turn, Waiting::Until(begins))
            });
        }
        let due = match &open.turn {
            Some((turn, Waiting::Until(at))) if *at <= now.ms => Some(turn.clone()),
            _ => None,
        };
        if let Some((_, Waiting::For(task))) = before {
            self.end(Some(task));
        }
        let Some(turn) = due else { return };
        let seed = self.random.next_u64();
        let task = self.begin(None, Task::Move { turn: turn.clone(), seed });
        if let Some(open) = self.rooms.get_mut(name) {
            open.turn = Some((turn, Waiting::For(task)));
        }
    }

    /// Wishes to be woken when a clock runs out or an engine begins.
    fn set_alarm(&mut self, name: &str) {
        let Some(open) = self.rooms.get_mut(name) else { return };
        let begins = match open.turn {
            Some((_, Waiting::Until(at))) => Some(at),
            _ => None,
        };
        let next = open.room.deadline().into_iter().chain(begins).min();
        if next != open.wake {
            open.wake = next;
            if let Some(at) = next {
                self.effects.push(Effect::Wake { at });
            }
        }
    }
}
