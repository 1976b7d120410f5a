//! The rooms, and the engines that play in them.

use room::archive::utc;
use room::messages::{Act, Answer, NewGame};
use room::{Room, Turn};

use crate::House;
use crate::effect::{Effect, Moment, Task};

/// Maximum number of rooms without pages. The one that was left first is removed.
const MOST_LEFT: usize = 16;

/// A room and the state of its engine.
pub(crate) struct OpenRoom {
    pub(crate) room: Room,
    /// The engine's pending turn and its state.
    turn: Option<(Turn, Waiting)>,
    /// Time when the last page left the room, in milliseconds.
    left: Option<u64>,
    /// Time of the last requested wake-up, in milliseconds.
    wake: Option<u64>,
}

/// The state of an engine's pending turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    /// Not started: the start time, in milliseconds.
    Until(u64),
    /// Searching: the number of the task.
    For(u32),
}

impl House {
    /// Returns the room of a page.
    pub(crate) fn room_of(&mut self, page: u32) -> Result<&mut OpenRoom, String> {
        let name = self.pages.get(&page).and_then(|page| page.room.as_ref());
        name.and_then(|name| self.rooms.get_mut(name)).ok_or_else(|| "Join a room first.".into())
    }

    /// Adds a page to the room with this name, or to a new room.
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

    /// Removes a page from its room. Suspends the engines of a room without pages.
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

    /// Removes the oldest rooms without pages above [`MOST_LEFT`].
    fn tidy(&mut self) {
        let left = self.rooms.iter().filter_map(|(name, open)| Some((open.left?, name.clone())));
        let mut left: Vec<(u64, String)> = left.collect();
        left.sort_unstable();
        for (_, name) in &left[..left.len().saturating_sub(MOST_LEFT)] {
            self.rooms.remove(name);
        }
    }

    /// Performs a page's action in its room.
    pub(crate) fn act(&mut self, page: u32, ply: u32, act: &Act, now: Moment) -> Result<(), String> {
        let client = self.pages.get(&page).map(|page| page.client.clone()).unwrap_or_default();
        let done = self.room_of(page)?.room.act(ply, act, &client, now.ms);
        // The page also receives the current state, in case its own state is outdated or invalid.
        if let Some(name) = self.pages.get(&page).and_then(|page| page.room.clone()) {
            self.go_on(&name, now);
        }
        done
    }

    /// Starts a new game in a page's room.
    pub(crate) fn begin_game(&mut self, page: u32, new: &NewGame, now: Moment) -> Result<(), String> {
        let client = self.pages.get(&page).map(|page| page.client.clone()).unwrap_or_default();
        let next = Room::new(new, 0, now.ms)?;
        self.room_of(page)?.room.replace(next, new, &client, now.ms)?;
        if let Some(name) = self.pages.get(&page).and_then(|page| page.room.clone()) {
            self.go_on(&name, now);
        }
        Ok(())
    }

    /// Plays an engine's move from a thinker. Moves for outdated positions are ignored.
    pub fn moved(&mut self, task: u32, text: Option<&str>, now: Moment) {
        let is_it = |open: &OpenRoom| open.turn.as_ref().is_some_and(|(_, waiting)| *waiting == Waiting::For(task));
        let Some((name, open)) = self.rooms.iter_mut().find(|(_, open)| is_it(open)) else { return };
        if let (Some((turn, _)), Some(text)) = (open.turn.take(), text) {
            open.room.engine_plays(&turn, text, now.ms);
        }
        let name = name.clone();
        self.go_on(&name, now);
    }

    /// Handles the requested wake-ups that are due: ends games on time and starts engines.
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

    /// Notifies every page in a room, starts or stops its engine, schedules the next wake-up, and archives a finished
    /// game.
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

    /// Starts the engine if it is its turn and its delay has passed, and ends a search for another turn.
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

    /// Schedules a wake-up for the end of a clock or the start of an engine.
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
