//! The rooms, and the engines that play in them.

use std::sync::Arc;

use game::{Message, message};
use games::GameId;

use crate::House;
use crate::effect::{Effect, Moment};
use crate::library::utc;
use crate::messages::game::NewGame;
use crate::messages::request::Act;
use crate::open_room::{OpenRoom, Waiting};
use crate::page::Post;
use crate::queue::Owner;
use crate::room::Room;
use crate::task::{Goal, Subject, Task};
use crate::terminal::Terminal;

/// Name under which pages join the shared room.
const TABLE: &str = "table";
/// Length above which a game is long, in moves.
const LONG: usize = 400;
/// Maximum length of a game that is created at once instead of by a task, in moves.
const LIGHT: usize = 50;
/// Maximum length of a browser's secret, in bytes.
const LONGEST_SECRET: usize = 100;

/// Returns the error for a house without capacity for another room or game.
fn full() -> Message {
    message!("house.full", "All rooms are taken; close another page.")
}

impl House {
    /// Creates the room that several devices share.
    pub fn set_table(&mut self) {
        self.rooms.insert(TABLE.into(), OpenRoom::new(Room::shared(), 0, true));
    }

    /// Makes a terminal's room the only room.
    pub fn set_terminal(&mut self, game: GameId, room: Room) {
        let name = self.new_name();
        self.rooms.insert(name.clone(), OpenRoom::new(room, 0, true));
        self.terminal = Some(Terminal::new(game, name));
    }

    /// Shows the result of a command. `is_busy` means that the text program is about to move.
    pub fn show_terminal(&mut self, mut room: Room, is_busy: bool, now: Moment) {
        let Some((name, open)) = self.terminal_room() else { return };
        room.revision = open.room.revision + 1;
        (open.room, open.is_busy) = (room, is_busy);
        self.room_changed(&name, now);
    }

    /// Returns `true` if a page shows the terminal's game.
    pub fn is_terminal_watched(&mut self) -> bool {
        self.terminal_room().is_some_and(|(_, open)| !open.pages.is_empty())
    }

    fn terminal_room(&mut self) -> Option<(String, &mut OpenRoom)> {
        let name = self.terminal.as_ref()?.room.clone();
        let open = self.rooms.get_mut(&name)?;
        Some((name, open))
    }

    /// Returns the name of a page's room, and the page's client.
    fn joined(&self, page: u32) -> Result<(String, String), Message> {
        let page = self.pages.get(&page).and_then(|page| Some((page.room.clone()?, page.client.clone())));
        page.filter(|(name, _)| self.rooms.contains_key(name))
            .ok_or_else(|| message!("house.no_room", "Join a room first."))
    }

    /// Enters the room with this name, or a new room, and leaves the previous one.
    pub(crate) fn join(
        &mut self,
        number: u32,
        name: Option<String>,
        client: Option<String>,
        now: Moment,
    ) -> Result<(), Message> {
        let (name, is_new) = self.find_room(name, now)?;
        self.alarm_is_old = true;
        self.leave(number, now);
        let (Some(page), Some(open)) = (self.pages.get_mut(&number), self.rooms.get_mut(&name)) else { return Ok(()) };
        if let Some(client) = client.filter(|client| !client.is_empty() && client.len() <= LONGEST_SECRET) {
            page.client = client;
        }
        page.room = Some(name.clone());
        open.pages.insert(number);
        open.used = now.ms;
        let wakes = open.room.set_asleep(false, now.ms);
        let matters = open.room.enter(&page.client, page.user.as_deref()) || wakes;
        if is_new {
            page.made.push_back(name.clone());
        }
        let oldest = if page.made.len() > self.limits.rooms_of_page { page.made.pop_front() } else { None };
        if let Some(oldest) = oldest
            && self.rooms.get(&oldest).is_some_and(OpenRoom::is_left)
        {
            self.remove_room(&oldest);
        }
        self.tidy();
        if matters {
            self.room_changed(&name, now);
        }
        self.post(number, Post::Room);
        Ok(())
    }

    /// Returns the name of the room to enter. The flag is `true` for a new room.
    fn find_room(&mut self, name: Option<String>, now: Moment) -> Result<(String, bool), Message> {
        if let Some(terminal) = &self.terminal {
            return Ok((terminal.room.clone(), false));
        }
        let is_table = name.as_deref() == Some(TABLE);
        if let Some(name) = name.filter(|name| self.rooms.contains_key(name)) {
            return Ok((name, false));
        }
        if is_table {
            return Err((self.limits.no_table)());
        }
        if self.rooms() >= self.limits.rooms {
            self.remove_least().ok_or_else(full)?;
        }
        let name = self.new_name();
        self.rooms.insert(name.clone(), OpenRoom::new(Room::usual(), now.ms, false));
        Ok((name, true))
    }

    /// Removes a page from its room.
    pub(crate) fn leave(&mut self, number: u32, now: Moment) {
        let Some(page) = self.pages.get_mut(&number) else { return };
        let (Some(name), client) = (page.room.take(), page.client.clone()) else { return };
        let Some(open) = self.rooms.get_mut(&name) else { return };
        open.pages.remove(&number);
        open.used = now.ms;
        self.alarm_is_old = true;
        let matters = open.room.leave(&client, now.ms);
        let rests = open.rest(&self.limits) <= now.ms && open.room.set_asleep(true, now.ms);
        if matters || rests {
            self.room_changed(&name, now);
        }
    }

    /// Removes rooms without pages, if there are too many of them or they store too many moves.
    pub(crate) fn tidy(&mut self) {
        let left = || self.rooms.values().filter(|open| open.is_left());
        let (mut count, mut moves) = (left().count(), left().map(|open| open.room.weight()).sum::<usize>());
        while (count > self.limits.rooms_left || moves > self.limits.moves_left)
            && let Some(weight) = self.remove_least()
        {
            (count, moves) = (count - 1, moves - weight);
        }
    }

    /// Removes the least important room without pages: a room without moves if there is one, otherwise the least
    /// recently used room. When a page reconnects, it starts a new room with the game that it has stored. Returns the
    /// number of the room's moves.
    fn remove_least(&mut self) -> Option<usize> {
        let left = self.rooms.iter().filter(|(_, open)| open.is_left());
        let (name, open) = left.min_by_key(|(_, open)| (open.room.weight() > 0, open.used))?;
        let (name, weight) = (name.clone(), open.room.weight());
        self.remove_room(&name);
        Some(weight)
    }

    fn remove_room(&mut self, name: &str) {
        if let Some(OpenRoom { engine: Some((_, Waiting::For(task))), .. }) = self.rooms.remove(name) {
            self.cancel(Some(task));
        }
    }

    /// Returns `true` if too many moves are stored to start or continue a game of this length.
    fn is_full_for(&self, moves: usize) -> bool {
        let used = || self.rooms.values().filter(|open| !open.is_left()).map(|open| open.room.weight()).sum::<usize>();
        moves > LONG && used() + moves > self.limits.moves
    }

    /// Performs a page's action in its room.
    pub(crate) fn act(&mut self, page: u32, ply: u32, act: &Act, now: Moment) -> Result<(), Message> {
        let (name, client) = self.joined(page)?;
        let Some(open) = self.rooms.get_mut(&name) else { return Ok(()) };
        if let Some(terminal) = &self.terminal {
            let command = terminal.act(&open.view(&name, &client, now).scene, ply, act)?;
            self.effects.extend(command.map(|text| Effect::Command { text }));
        } else {
            let weight = open.room.weight();
            let is_full = matches!(act, Act::Play { .. }) && self.is_full_for(weight);
            let open = self.rooms.get_mut(&name).filter(|_| !is_full);
            let done = open.map_or_else(|| Err(full()), |open| open.room.act(ply, act, &client, now.ms));
            // After an error, the page also receives the current state, because its own state may be outdated.
            self.room_changed(&name, now);
            done?;
        }
        if *act == Act::Hint
            && let Some(open) = self.rooms.get(&name)
        {
            let game = Subject::Record(open.room.record());
            self.search(page, |page| &mut page.hint, Some((game, Goal::Hint { ply })));
        }
        Ok(())
    }

    /// Starts a new game in a page's room. A long game is created by a task.
    pub(crate) fn begin_game(&mut self, page: u32, new: NewGame, now: Moment) -> Result<(), Message> {
        let (name, client) = self.joined(page)?;
        if let (Some(terminal), Some(open)) = (&self.terminal, self.rooms.get(&name)) {
            let commands = terminal.begin(&open.view(&name, &client, now).scene, &new)?;
            self.effects.extend(commands.into_iter().map(|text| Effect::Command { text }));
            return Ok(());
        }
        if self.is_full_for(new.game.moves.len()) {
            return Err(full());
        }
        if new.game.moves.len() > LIGHT {
            self.add_pending(page, Task::Begin(Box::new(new)));
            return Ok(());
        }
        let room = Room::new(&new, 0, now.ms)?;
        self.install(page, &new, room, now)
    }

    /// Replaces the game in a page's room.
    pub(crate) fn install(&mut self, page: u32, new: &NewGame, room: Room, now: Moment) -> Result<(), Message> {
        let (name, client) = self.joined(page)?;
        if self.is_full_for(new.game.moves.len()) {
            return Err(full());
        }
        if let Some(open) = self.rooms.get_mut(&name) {
            open.room.replace(room, new, &client, now.ms)?;
        }
        self.room_changed(&name, now);
        Ok(())
    }

    /// Plays an engine's move. Moves for outdated positions are ignored.
    pub(crate) fn engine_moves(&mut self, name: &str, text: &str, now: Moment) {
        let Some(open) = self.rooms.get_mut(name) else { return };
        if let Some((turn, _)) = open.engine.take() {
            open.room.engine_plays(&turn, text, now.ms);
        }
        self.room_changed(name, now);
    }

    /// Returns the time of the next wake-up, in milliseconds.
    pub(crate) fn next_alarm(&self) -> Option<u64> {
        self.rooms.values().map(|open| open.alarm(&self.limits)).min().filter(|&at| at < u64::MAX)
    }

    /// Handles what is due: ends games on time, starts and suspends engines, removes idle rooms.
    pub fn wake(&mut self, now: Moment) {
        (self.alarm, self.alarm_is_old) = (None, true);
        let due = self.rooms.iter().filter(|(_, open)| open.alarm(&self.limits) <= now.ms);
        for name in due.map(|(name, _)| name.clone()).collect::<Vec<_>>() {
            let Some(open) = self.rooms.get_mut(&name) else { continue };
            if open.end(&self.limits) <= now.ms {
                self.remove_room(&name);
                continue;
            }
            open.room.flag(now.ms);
            if open.rest(&self.limits) <= now.ms {
                open.room.set_asleep(true, now.ms);
            }
            self.room_changed(&name, now);
        }
    }

    /// Notifies every page in a room, starts or stops its engine, and archives a finished game.
    fn room_changed(&mut self, name: &str, now: Moment) {
        self.alarm_is_old = true;
        self.archive_if_over(name, now);
        let pages = self.rooms.get(name).map(|open| open.pages.clone()).unwrap_or_default();
        for page in pages {
            self.post(page, Post::Room);
        }
        self.let_engine_move(name, now);
    }

    /// Stores a finished game. The task begins before pages receive the result, because a user who sees the result may
    /// close the page.
    fn archive_if_over(&mut self, name: &str, now: Moment) {
        let Some(open) = self.rooms.get_mut(name).filter(|_| self.library.store().is_some()) else { return };
        let random = &mut self.random;
        if let Some(game) = open.room.take_finished(|| format!("{:016x}", random()), utc(now.date)) {
            self.queue.add(Owner::None, Task::Keep(Arc::clone(&self.library), game));
            self.start_tasks();
        }
    }

    /// Starts the engine if it is to move and the delay has passed. Cancels a search for another turn.
    fn let_engine_move(&mut self, name: &str, now: Moment) {
        let Some(open) = self.rooms.get(name) else { return };
        let wanted = open.room.turn().filter(|_| !self.is_full_for(open.room.weight()));
        let Some(open) = self.rooms.get_mut(name) else { return };
        let mut before = None;
        if open.engine.map(|(turn, _)| turn) != wanted {
            before = open.engine.take();
            open.engine = wanted.map(|turn| (turn, Waiting::Until(now.ms + turn.after.as_millis() as u64)));
        }
        if let Some((turn, Waiting::Until(at))) = open.engine
            && at <= now.ms
        {
            let (game, seed) = (Subject::Record(open.room.record()), (self.random)());
            let task = Task::Search { game, goal: Goal::Move { seat: turn.seat, seed } };
            open.engine = Some((turn, Waiting::For(self.queue.add(Owner::Room(name.to_owned()), task))));
        }
        if let Some((_, Waiting::For(task))) = before {
            self.cancel(Some(task));
        }
    }
}
