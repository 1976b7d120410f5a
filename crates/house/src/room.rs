//! A room: a game on the page, with its seats. It uses no sockets, no threads and no clock of the machine: callers pass
//! the time, in milliseconds since a fixed moment.

mod ends;
mod finish;
mod undo;

use core::time::Duration;
use std::sync::Arc;

use engine::{Build, Level};
use game::{Explain as _, Message, message};
use games::{AnyRecord, Cause, Edit, End, GameId, Scene, Setting};

use crate::clock::Clocks;
use crate::messages::answer::RoomView;
use crate::messages::game::{Game, NewGame, Seat};
use crate::messages::request::Act;
use crate::table::{Standing, Table};

/// Move limit of a game that was begun without one, so that games between engines end.
const MOST_MOVES: u32 = 2_000;
/// Maximum time for an engine's move, in seconds.
const LONGEST: f64 = 60.0;
/// Maximum number of positions for an engine's move.
const MOST_NODES: u64 = 100_000_000;
/// Maximum time between two moves of engines, in milliseconds.
const SLOWEST: u64 = 10_000;
/// Default time between two moves of engines, in milliseconds.
pub const USUAL_PACE: u64 = 600;

/// Returns the error for an action in an outdated position.
pub(crate) fn outdated() -> Message {
    message!("room.outdated", "The game has continued; the board now shows its current state.")
}

fn game_over() -> Message {
    message!("room.over", "The game is over.")
}

pub(crate) fn no_such_side() -> Message {
    message!("room.no_such_side", "There are two sides.")
}

fn not_shared() -> Message {
    message!("table.not_shared", "This board is not shared.")
}

/// Level of the engine in a new room.
const USUAL_LEVEL: u8 = 3;

/// A game on the page.
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
pub struct Room {
    setting: Setting,
    /// Record, shared with searches until the next change.
    record: Arc<dyn AnyRecord>,
    /// Number of changes to the record.
    version: u64,
    /// Scene of the record, cached until the next change.
    scene: Scene,
    /// Moves that were taken back. The last entry is replayed first.
    undone: Vec<String>,
    seats: [Seat; 2],
    paused: bool,
    /// Number of moves that engines may make while paused.
    steps: u32,
    pace: u64,
    /// End by resignation, agreement or time: the loser, if there is one, and the cause.
    ended: Option<(Option<usize>, Cause)>,
    clocks: Option<Clocks>,
    /// Shared table, if several devices share the room.
    table: Option<Table>,
    /// Name of the archive entry that the next end of the game replaces, if any.
    archived: Option<String>,
    /// Moves and end of a finished game that must not be archived again: it is in the archive, or was already over when
    /// the room was created.
    known_end: Option<(Vec<String>, End)>,
    /// `true` if the user was helped; see [`Archived::helped`](crate::messages::Archived::helped).
    helped: bool,
    /// Revision number. It increases with every change.
    pub revision: u64,
    terminal: bool,
    /// `true` if no page shows the room: engines then do not think, and their clocks stop.
    asleep: bool,
}

/// A move request for an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Version of the room's record.
    version: u64,
    /// Engine.
    pub seat: Seat,
    /// Delay before the move, so that users can watch engines play.
    pub after: Duration,
}

fn engines_only() -> Message {
    message!("room.engines_only", "Engines play both sides; they do not resign.")
}

/// Returns the game with this name.
pub(crate) fn game_id(name: &str) -> Result<GameId, Message> {
    name.parse().map_err(|_| message!("room.no_such_game", "There is no game `{name}`.", name))
}

/// Returns the setting of a game.
pub(crate) fn setting(game: &Game) -> Result<Setting, Message> {
    let id = game_id(&game.game)?;
    let move_limit = game.limit.unwrap_or(MOST_MOVES).clamp(1, MOST_MOVES);
    Ok(Setting { size: game.size, ..Setting::new(id, move_limit) })
}

/// Returns the record of a game outside rooms.
pub(crate) fn record(game: &Game) -> Result<Box<dyn AnyRecord>, Message> {
    let record = setting(game)?.record(game.start.as_deref(), &texts(&game.moves));
    record.map_err(|error| error.message())
}

/// Returns the scene of a game outside rooms.
pub(crate) fn scene(game: &Game) -> Result<Scene, Message> {
    Ok(without_own_limit(record(game)?.scene()))
}

/// Edits the last position of a game. Returns the scene of a game that begins with the edited position.
pub(crate) fn edited(game: &Game, edit: Edit) -> Result<Scene, Message> {
    Ok(without_own_limit(record(game)?.edit(edit).map_err(|error| error.message())?))
}

/// Converts moves to the form that the registry accepts.
pub(crate) fn texts(moves: &[String]) -> Vec<&str> {
    moves.iter().map(String::as_str).collect()
}

/// Hides the move limit of a game that was begun without one.
fn without_own_limit(scene: Scene) -> Scene {
    Scene { limit: scene.limit.filter(|&limit| limit < MOST_MOVES), ..scene }
}

impl Room {
    /// Creates a game against the engine.
    ///
    /// # Panics
    /// Never: the default game can be begun.
    pub fn usual() -> Self {
        let game = Game { game: GameId::all()[0].to_string(), size: None, start: None, moves: vec![], limit: None };
        let level = Level::new(USUAL_LEVEL).expect("invariant: it is a level");
        let seats = [Seat::Person, Seat::engine(level)];
        Self::new(&NewGame::of(game, seats), 0, 0).expect("invariant: the usual game can be begun")
    }

    /// Creates a game that a page requests.
    pub fn new(new: &NewGame, revision: u64, now: u64) -> Result<Self, Message> {
        let setting = setting(&new.game)?;
        let record = record(&new.game)?;
        new.seats.iter().try_for_each(|seat| checked(seat, setting.game))?;
        let left = new.left.filter(|_| record.plies() > 0);
        let clocks = new.clock.map(|clock| Clocks::new(clock, left)).transpose()?;
        let scene = without_own_limit(record.scene());
        let mut room = Self {
            setting,
            known_end: scene.end.clone().map(|end| (scene.played.clone(), end)),
            scene,
            record: record.into(),
            version: 0,
            undone: Vec::new(),
            seats: new.seats,
            // Two people do not need a pause, and their clocks run.
            paused: new.paused && new.seats != [Seat::Person; 2],
            steps: 0,
            pace: USUAL_PACE,
            ended: None,
            clocks,
            table: None,
            archived: None,
            helped: new.helped.unwrap_or(!new.game.moves.is_empty()),
            revision,
            terminal: false,
            asleep: false,
        };
        room.run_clocks(now);
        Ok(room)
    }

    /// Creates a game that a terminal controls. The text program in the terminal makes the engines' moves.
    pub fn of_terminal(new: &NewGame) -> Result<Self, Message> {
        Ok(Self { terminal: true, ..Self::new(new, 0, 0)? })
    }

    /// Creates the table that several devices share: a game between two people.
    pub fn shared() -> Self {
        Self { seats: [Seat::Person; 2], table: Some(Table::default()), ..Self::usual() }
    }

    /// Replaces the game in this room at the request of a client. `next` is the result of [`Room::new`](Self::new) for
    /// `new`. The caller provides it, because creating a game with many moves is expensive.
    pub fn replace(&mut self, mut next: Self, new: &NewGame, client: &str, now: u64) -> Result<(), Message> {
        if let Some(table) = &self.table {
            table.allows_new_game(client, self.standing())?;
        }
        next.revision = self.revision + 1;
        next.version = self.version + 1;
        next.table = self.table.take();
        if let Some(table) = &mut next.table {
            table.begin(new.seats, new.swap);
        }
        if let Some(clocks) = &mut next.clocks {
            clocks.restart(now);
        }
        next.set_asleep(self.asleep, now);
        *self = next;
        Ok(())
    }

    /// Returns the state of the room for one of its clients.
    pub fn view(&self, name: &str, client: &str, now: u64) -> RoomView {
        let mut scene = self.scene.clone();
        if self.ended.is_some() {
            scene.end = self.end();
            scene.moves.clear();
        }
        RoomView {
            room: name.to_owned(),
            revision: self.revision,
            scene,
            seats: self.seats,
            paused: self.paused,
            thinking: self.turn().is_some(),
            pace: self.pace,
            undone: self.undone.iter().rev().cloned().collect(),
            terminal: self.terminal,
            clock: self.clocks.as_ref().map(|clocks| clocks.view(self.scene.turn, now)),
            table: self.table.as_ref().map(|table| table.view(client, self.record.plies())),
            helped: self.helped,
        }
    }

    fn is_over(&self) -> bool {
        self.scene.end.is_some() || self.ended.is_some()
    }

    fn standing(&self) -> Standing {
        let in_progress = !self.is_over() && self.record.plies() > 0;
        Standing { turn: self.scene.turn, in_progress }
    }

    /// Adds a page of a client, with the user's name. Returns `true` if other clients must be notified.
    pub fn enter(&mut self, client: &str, user: Option<&str>) -> bool {
        let Some(table) = &mut self.table else { return false };
        table.enter(client, self.seats);
        if let Some(user) = user {
            table.set_name(client, user);
        }
        self.revision += 1;
        true
    }

    /// Removes a page of a client. Returns `true` if other clients must be notified.
    pub fn leave(&mut self, client: &str, now: u64) -> bool {
        let Some(table) = &mut self.table else { return false };
        table.leave(client, now);
        self.revision += 1;
        true
    }

    /// Suspends the engines because no page shows the room, or resumes them. On suspension, a game of one person with
    /// running clocks is also paused, so the person loses no time while away. Returns `true` if the state has changed.
    pub fn set_asleep(&mut self, asleep: bool, now: u64) -> bool {
        let is_new = self.asleep != asleep;
        if is_new {
            self.flag(now);
            self.asleep = asleep;
            self.paused |= asleep
                && self.is_of_one_person()
                && !self.is_over()
                && self.clocks.as_ref().is_some_and(Clocks::has_begun);
            self.run_clocks(now);
        }
        is_new
    }

    /// Returns `true` if the engines are suspended.
    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Returns the number of moves in the room, including those taken back. A room without moves has no state worth
    /// keeping.
    pub fn weight(&self) -> usize {
        self.scene.played.len() + self.undone.len()
    }

    /// Returns `true` if one person plays against an engine on a board that is not shared.
    fn is_of_one_person(&self) -> bool {
        self.table.is_none() && self.seats.iter().filter(|&&seat| seat == Seat::Person).count() == 1
    }

    fn is_person(&self, side: usize) -> bool {
        self.seats[side] == Seat::Person
    }

    /// Performs an action of a client's page, if the page shows the current game.
    pub fn act(&mut self, ply: u32, act: &Act, client: &str, now: u64) -> Result<(), Message> {
        // Some actions are valid in every position.
        let free = match act {
            Act::Sit { .. }
            | Act::Stand
            | Act::Name { .. }
            | Act::Seat { .. }
            | Act::Pause { .. }
            | Act::Pace { .. } => true,
            Act::Resign | Act::Draw => self.table.is_some(),
            _ => false,
        };
        if ply != self.record.plies() && !free {
            return Err(outdated());
        }
        // The timer may not have fired yet.
        self.flag(now);
        if let Some(table) = &self.table {
            table.allows(client, act, self.standing())?;
        }
        match act {
            Act::Play { text } => {
                if !self.is_person(self.scene.turn) {
                    let side = Message::name(self.scene.sides[self.scene.turn]);
                    return Err(message!("room.engine_plays", "{side} is played by the engine.", side));
                }
                self.play(text, now)?;
                // A move of the person ends the pause.
                self.paused &= !self.is_of_one_person();
            }
            Act::Undo if self.table.as_ref().is_some_and(Table::is_between_two) => self.ask_undo(client)?,
            Act::Undo => self.undo()?,
            Act::Redo => self.redo()?,
            Act::Resign => self.resign(client)?,
            Act::Draw => self.draw(client)?,
            Act::Name { name } => self.table.as_mut().ok_or_else(not_shared)?.set_name(client, name),
            Act::Seat { side, seat } => {
                checked(seat, self.setting.game)?;
                *self.seats.get_mut(*side).ok_or_else(no_such_side)? = *seat;
                if let Some(table) = &mut self.table {
                    table.begin(self.seats, false);
                }
            }
            Act::Pause { on } => (self.paused, self.steps) = (*on, 0),
            Act::Step => (self.paused, self.steps) = (true, 1),
            Act::Pace { ms } => self.pace = (*ms).min(SLOWEST),
            Act::Limit { moves } => self.limit(moves.unwrap_or(MOST_MOVES).min(MOST_MOVES))?,
            Act::Hint => (),
            Act::Sit { side } => {
                let table = self.table.as_mut().ok_or_else(not_shared)?;
                table.sit(*side, client, self.seats, now)?;
            }
            Act::Stand => self.table.as_mut().ok_or_else(not_shared)?.stand(client),
        }
        // Before the second move, changing a player amounts to starting a new game.
        let is_help =
            matches!(act, Act::Hint | Act::Undo) || matches!(act, Act::Seat { .. } if self.record.plies() > 1);
        self.helped |= is_help;
        self.run_clocks(now);
        self.revision += 1;
        Ok(())
    }

    /// Starts or stops the clock of the side to move, depending on whether the game is running.
    fn run_clocks(&mut self, now: u64) {
        let rests = self.asleep && !self.is_person(self.scene.turn);
        let stands = self.is_over() || self.paused || rests;
        if let Some(clocks) = &mut self.clocks {
            clocks.run(clocks.has_begun() && !stands, now);
        }
    }

    /// Returns the time at which the side to move loses on time.
    pub fn deadline(&self) -> Option<u64> {
        self.clocks.as_ref()?.deadline(self.scene.turn)
    }

    /// Plays a move of the side to move.
    fn play(&mut self, text: &str, now: u64) -> Result<(), Message> {
        if self.is_over() {
            return Err(game_over());
        }
        let mover = self.scene.turn;
        // Illegal moves are refused before the record is copied for the change.
        let m = self.record.read(text).map_err(|error| error.message())?;
        self.record_mut().try_play(&m).map_err(|error| error.message())?;
        self.show();
        if let Some(table) = &mut self.table {
            table.decline(Some(mover));
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.moved(mover, now);
        }
        // The moves that were taken back remain available as long as the game follows them.
        if self.undone.last() == self.scene.played.last() {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(())
    }

    /// Plays an engine's move, if the game has not changed since the request. Returns `true` if the move was played.
    pub fn engine_plays(&mut self, turn: &Turn, text: &str, now: u64) -> bool {
        self.flag(now);
        if self.turn().is_none_or(|now| (now.version, now.seat) != (turn.version, turn.seat)) {
            return false;
        }
        let played = self.play(text, now).is_ok();
        self.steps = self.steps.saturating_sub(1);
        self.run_clocks(now);
        self.revision += u64::from(played);
        played
    }

    /// Returns the record for modification. A record that a search uses is copied first.
    fn record_mut(&mut self) -> &mut dyn AnyRecord {
        if Arc::get_mut(&mut self.record).is_none() {
            self.record = self.record.cloned().into();
        }
        Arc::get_mut(&mut self.record).expect("invariant: no search uses the copy")
    }

    /// Returns the record for a search.
    pub fn record(&self) -> Arc<dyn AnyRecord> {
        Arc::clone(&self.record)
    }

    fn show(&mut self) {
        self.version += 1;
        self.scene = without_own_limit(self.record.scene());
    }

    fn limit(&mut self, limit: u32) -> Result<(), Message> {
        if self.record_mut().set_move_limit(limit).is_err() {
            let count = self.record.plies();
            return Err(message!("room.limit", "Moves made: {count}; the limit must be higher.", count));
        }
        self.setting.move_limit = limit;
        self.show();
        Ok(())
    }

    /// Returns the request for an engine's move, if an engine is to move now.
    pub fn turn(&self) -> Option<Turn> {
        let Seat::Engine { level, seconds, nodes, build } = self.seats[self.scene.turn] else { return None };
        if self.is_over() || self.terminal || self.asleep || (self.paused && self.steps == 0) {
            return None;
        }
        let watched = !self.is_person(1 - self.scene.turn) && self.scene.ply > 0 && self.steps == 0;
        let allowed = self.clocks.as_ref().map(|clocks| clocks.budget(self.scene.turn).as_secs_f64());
        let seconds = seconds.into_iter().chain(allowed).reduce(f64::min);
        // With clocks there is no delay, because it would cost the engine time.
        let after = Duration::from_millis(if watched && allowed.is_none() { self.pace } else { 0 });
        Some(Turn { version: self.version, seat: Seat::Engine { level, seconds, nodes, build }, after })
    }
}

/// Checks an engine's time and position limits, and that the game has this build of the engine.
fn checked(seat: &Seat, game: GameId) -> Result<(), Message> {
    match *seat {
        Seat::Engine { seconds: Some(s), .. } if !(0.01..=LONGEST).contains(&s) => Err(message!(
            "seat.seconds",
            "A budget of {count} seconds for a move is not possible: expected 0.01 to {most} seconds.",
            count = s,
            most = LONGEST
        )),
        Seat::Engine { nodes: Some(n), .. } if !(1..=MOST_NODES).contains(&n) => Err(message!(
            "seat.nodes",
            "A budget of {count} positions for a move is not possible: expected 1 to {most} positions.",
            count = n,
            most = MOST_NODES
        )),
        Seat::Engine { build, .. } if build != Build::Current && !game.builds().contains(&build) => {
            Err(message!("seat.no_engine", "The game has no engine `{engine}`.", engine = build.name()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
