//! All rooms of the server, and the engines that play in them.

use core::time::Duration;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use engine::Resources;
use search::Stop;
use tokio::sync::{Semaphore, watch};

use crate::archive::Archive;
use crate::engines::{Engines, Thinking};
use crate::errands::Errands;
use crate::open_room::{OpenRoom, Timer, lock, new_name, now};
use crate::stage::Seats;
use crate::terminal::Terminal;
use room::archive::utc;
use room::explorer::Explorer;
use room::messages::{Act, NewGame};
use room::{Room, Turn};

/// Idle time after which a room without pages is removed.
pub(crate) const IDLE: Duration = Duration::from_hours(3);
/// Idle time after which a room without pages and without moves is removed.
const IDLE_UNTOUCHED: Duration = Duration::from_mins(1);
/// Time for which engines continue in a room without pages: about as long as a page takes to reload.
const UNWATCHED: Duration = Duration::from_secs(2);
/// Maximum number of rooms.
const MOST_ROOMS: usize = 1_024;
/// Maximum number of moves stored in all rooms without pages. Above it, some of these rooms are removed.
const MOST_MOVES_LEFT: usize = 50_000;
/// Maximum number of moves stored in all rooms with pages. Above it, long games are not started or continued.
const MOST_MOVES: usize = 100_000;
/// Length above which a game is long, in moves.
const LONG: usize = 400;
/// Error when the server has no capacity for another room or game.
const FULL: &str = "All rooms are taken; close another page.";

/// All rooms by name, with the engines and the shared resources.
pub(crate) struct Rooms {
    open: Mutex<HashMap<String, Arc<OpenRoom>>>,
    pub(crate) engines: Arc<Engines>,
    /// Number of moves stored in rooms with pages, updated once a second and when a game begins.
    moves: AtomicUsize,
    /// The slot for answering expensive messages.
    pub(crate) heavy: Semaphore,
    /// Slots for reading files, for finding replies in a proof, and for writing to the archive.
    pub(crate) files: Errands,
    pub(crate) replies: Errands,
    archiving: Errands,
    /// The terminal that drives this server's only game, and its room.
    terminal: OnceLock<(Terminal, Arc<OpenRoom>)>,
    /// The room that several devices share on the local network.
    table: OnceLock<Arc<OpenRoom>>,
    /// The archive of finished games.
    archive: OnceLock<Arc<Archive>>,
    /// The opening explorer, which counts the games of the archive and of files.
    pub(crate) explorer: Arc<Explorer>,
    /// The tournament that this server shows.
    stage: OnceLock<Seats>,
    /// Set when the program has ended. Every page subscribes.
    ended: watch::Sender<bool>,
}

/// Name under which pages join the shared room.
const TABLE: &str = "table";

impl Rooms {
    pub(crate) fn new(resources: Resources) -> Self {
        Self {
            open: Mutex::default(),
            engines: Arc::new(Engines::new(resources)),
            moves: AtomicUsize::new(0),
            heavy: Semaphore::new(1),
            files: Errands::new(2),
            replies: Errands::new(1),
            archiving: Errands::new(1),
            terminal: OnceLock::new(),
            table: OnceLock::new(),
            archive: OnceLock::new(),
            explorer: Arc::default(),
            stage: OnceLock::new(),
            ended: watch::Sender::new(false),
        }
    }

    /// Sets the archive for finished games.
    pub(crate) fn set_archive(&self, archive: Archive) {
        let _ = self.archive.set(Arc::new(archive));
    }

    /// Returns the archive, if there is one.
    pub(crate) fn archive(&self) -> Option<Arc<Archive>> {
        self.archive.get().cloned()
    }

    /// Updates the explorer with the changes of the archive. Returns `true` if another thread is already doing so.
    pub(crate) fn count_games(&self) -> bool {
        self.explorer.follow(|| Some(self.archive()?.all()))
    }

    /// Lets pages subscribe to a tournament.
    pub(crate) fn set_stage(&self, seats: Seats) {
        let _ = self.stage.set(seats);
    }

    /// Returns the way to subscribe to the tournament.
    pub(crate) fn stage(&self) -> Option<&Seats> {
        self.stage.get()
    }

    /// Creates the room that several devices share.
    pub(crate) fn set_table(&self) {
        let _ = self.table.set(Arc::new(OpenRoom::new(TABLE.into(), Room::shared())));
    }

    /// Makes a terminal's room the only room.
    pub(crate) fn set_terminal(&self, terminal: Terminal, room: Room) {
        let _ = self.terminal.set((terminal, Arc::new(OpenRoom::new(new_name(), room))));
    }

    /// Shows the result of a command.
    pub(crate) fn show_terminal(&self, mut room: Room, busy: bool) {
        let Some((_, open)) = self.terminal.get() else { return };
        let revision = {
            let mut shown = lock(&open.room);
            room.revision = shown.revision + 1;
            *shown = room;
            shown.revision
        };
        open.busy.store(busy, Ordering::Relaxed);
        open.changed.send_replace(revision);
    }

    /// Returns `true` if a page shows the terminal's game.
    pub(crate) fn is_terminal_watched(&self) -> bool {
        self.terminal.get().is_some_and(|(_, open)| !open.is_left())
    }

    /// Notifies the pages that the program has ended.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Returns a receiver that becomes `true` when the program has ended.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// Waits until no page is subscribed any more.
    pub(crate) async fn all_gone(&self) {
        self.ended.closed().await;
    }

    /// Returns the number of rooms.
    pub(crate) fn count(&self) -> usize {
        lock(&self.open).len()
    }

    /// Returns the room with this name, or a new one. A terminal's room replaces them all. The flag is `true` for a new
    /// room.
    pub(crate) fn enter_room(&self, name: Option<&str>) -> Result<(Arc<OpenRoom>, bool), String> {
        if let Some((_, room)) = self.terminal.get() {
            return Ok((Arc::clone(room), false));
        }
        if name == Some(TABLE) {
            let table = self.table.get().ok_or("There is no shared board: `plyhouse page --lan` serves one.")?;
            return Ok((Arc::clone(table), false));
        }
        let mut rooms = lock(&self.open);
        if let Some(room) = name.and_then(|name| rooms.get(name)) {
            *lock(&room.used) = Instant::now();
            return Ok((Arc::clone(room), false));
        }
        if rooms.len() >= MOST_ROOMS {
            remove_least(&mut rooms).ok_or(FULL)?;
        }
        let room = Arc::new(OpenRoom::new(new_name(), Room::usual()));
        rooms.insert(room.name.clone(), Arc::clone(&room));
        Ok((room, true))
    }

    /// Removes rooms without pages that have been idle for this long, or for a shorter time if they have no moves.
    /// Suspends engines in rooms without pages.
    pub(crate) fn tidy(self: &Arc<Self>, longest: Duration) {
        let mut open = lock(&self.open);
        open.retain(|_, room| {
            let idle = lock(&room.used).elapsed();
            let is_over = idle >= longest || (idle >= IDLE_UNTOUCHED && room.weight() == 0);
            let stays = !(room.is_left() && is_over);
            if !stays {
                room.end();
            }
            stays
        });
        let weight = |is_left| {
            let rooms = open.values().filter(|room| room.is_left() == is_left);
            rooms.map(|room| room.weight()).sum::<usize>()
        };
        self.moves.store(weight(false), Ordering::Relaxed);
        let mut left = weight(true);
        while left > MOST_MOVES_LEFT
            && let Some(weight) = remove_least(&mut open)
        {
            left = left.saturating_sub(weight);
        }
        let all: Vec<Arc<OpenRoom>> = open.values().chain(self.table.get()).cloned().collect();
        drop(open);
        for room in all {
            if lock(&room.used).elapsed() >= UNWATCHED {
                // The room is locked while its subscribers are counted; [`Self::enter`] takes the same lock.
                let mut game = lock(&room.room);
                let rests = room.is_left() && game.set_asleep(true, now());
                drop(game);
                if rests {
                    self.go_on(&room);
                }
            }
        }
    }

    /// Retries the failed writes to the archive.
    pub(crate) fn flush(&self) {
        if let Some(archive) = self.archive() {
            tokio::spawn(self.archiving.clone().run(move || archive.flush()));
        }
    }

    /// Removes a room if no page is in it.
    pub(crate) fn close_if_left(&self, room: &OpenRoom) {
        let mut open = lock(&self.open);
        if room.is_left() && open.remove(&room.name).is_some() {
            room.end();
        }
    }

    /// Adds a client's page, which is already subscribed, to a room.
    pub(crate) fn enter(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str) {
        let matters = {
            let mut room = lock(&room.room);
            let wakes = room.set_asleep(false, now());
            room.enter(client) || wakes
        };
        if matters {
            self.go_on(room);
        }
    }

    /// Removes a client's page, which is no longer subscribed, from a room.
    pub(crate) fn leave(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str) {
        *lock(&room.used) = Instant::now();
        let matters = lock(&room.room).leave(client, now());
        if matters {
            self.go_on(room);
        }
    }

    /// Returns `true` if too many moves are stored to start or continue a game of this length.
    fn is_full_for(&self, moves: usize) -> bool {
        moves > LONG && self.moves.load(Ordering::Relaxed) + moves > MOST_MOVES
    }

    /// Performs the action of a client's page in a room, and starts the engine if it is its turn.
    pub(crate) fn act(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str, ply: u32, act: &Act) -> Result<(), String> {
        if let Some((terminal, room)) = self.terminal.get() {
            return terminal.act(&room.view(client).scene, ply, act);
        }
        {
            let mut room = lock(&room.room);
            if matches!(act, Act::Play { .. }) && self.is_full_for(room.weight()) {
                return Err(FULL.into());
            }
            room.act(ply, act, client, now())?;
        }
        self.go_on(room);
        Ok(())
    }

    /// Starts a new game in a room.
    pub(crate) fn begin(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str, new: &NewGame) -> Result<(), String> {
        if let Some((terminal, room)) = self.terminal.get() {
            return terminal.begin(&room.view(client).scene, new);
        }
        let moves = new.game.moves.len();
        if self.is_full_for(moves) {
            return Err(FULL.into());
        }
        let before = room.weight();
        // Built before the room is locked, so that other clients can read the room meanwhile.
        let next = Room::new(new, 0, now())?;
        lock(&room.room).replace(next, new, client, now())?;
        // An estimate until the next count: it omits moves that were played since the last one.
        let _ = self
            .moves
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |known| Some((known + moves).saturating_sub(before)));
        self.go_on(room);
        Ok(())
    }

    /// Notifies every page in the room, starts or stops its engine and its timer, and archives a finished game.
    pub(crate) fn go_on(self: &Arc<Self>, open: &Arc<OpenRoom>) {
        // Held from here on, so that the later of two changes decides what is searched.
        let mut running = lock(&open.turn);
        let (revision, wanted, deadline, finished) = {
            let mut room = lock(&open.room);
            let finished = self.archive.get().and_then(|_| room.take_finished(new_id, utc(since_1970().as_secs())));
            let wanted = room.turn().filter(|_| !self.is_full_for(room.weight()));
            open.weight.store(room.weight(), Ordering::Relaxed);
            (room.revision, wanted, room.deadline(), finished)
        };
        if !open.is_left() {
            *lock(&open.used) = Instant::now();
        }
        open.changed.send_replace(revision);
        if let (Some(game), Some(archive)) = (finished, self.archive()) {
            tokio::spawn(self.archiving.clone().run(move || archive.add(game)));
        }
        self.set_timer(open, deadline);
        if running.as_ref().map(|(turn, _)| turn) == wanted.as_ref() {
            return;
        }
        // Cancels a search for another turn, or removes it from the queue.
        *running = None;
        let Some(turn) = wanted else { return };
        let stop = Stop::new();
        let moves = Arc::clone(self).engine_moves(Arc::clone(open), turn.clone(), stop.clone());
        *running = Some((turn, Thinking::begin(stop, moves)));
    }

    fn set_timer(self: &Arc<Self>, open: &Arc<OpenRoom>, deadline: Option<u64>) {
        let mut timer = lock(&open.timer);
        if timer.as_ref().map(|(at, _)| *at) == deadline {
            return;
        }
        *timer = deadline.map(|at| {
            let (rooms, open) = (Arc::clone(self), Arc::clone(open));
            let task = tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(at.saturating_sub(now()))).await;
                lock(&open.room).flag(now());
                rooms.go_on(&open);
            });
            (at, Timer(task.abort_handle()))
        });
    }

    async fn engine_moves(self: Arc<Self>, room: Arc<OpenRoom>, turn: Turn, stop: Stop) {
        tokio::time::sleep(turn.after).await;
        let thought = self.engines.turn(turn.clone(), stop.clone()).await;
        let text = thought.as_ref().and_then(|thought| thought.lines.first()?.moves.first());
        if stop.check(0).is_ok()
            && let Some(text) = text
        {
            lock(&room.room).engine_plays(&turn, text, now());
        }
        {
            let mut running = lock(&room.turn);
            if running.as_ref().is_some_and(|(now, _)| *now == turn) {
                *running = None;
            }
        }
        self.go_on(&room);
    }
}

/// Removes the least important room without pages: a room without moves if there is one, otherwise the least recently
/// used room. A page that returns starts a new room with the game that it has stored. Returns the room's weight.
fn remove_least(rooms: &mut HashMap<String, Arc<OpenRoom>>) -> Option<usize> {
    let left = rooms.values().filter(|room| room.is_left());
    let least = left.min_by_key(|room| (room.weight() > 0, *lock(&room.used)))?.clone();
    rooms.remove(&least.name)?.end();
    Some(least.weight())
}

/// Returns the time since 1970.
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Returns a new id for a game in the archive.
fn new_id() -> String {
    new_name()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use room::messages::{Game, Seat};

    fn rooms() -> Arc<Rooms> {
        Arc::new(Rooms::new(Resources::default()))
    }

    fn enter(rooms: &Rooms, name: Option<&str>) -> Arc<OpenRoom> {
        rooms.enter_room(name).expect("a room").0
    }

    /// Returns a room in which a move was made.
    fn played(rooms: &Arc<Rooms>) -> Arc<OpenRoom> {
        let room = enter(rooms, None);
        rooms.act(&room, "me", 0, &Act::Play { text: "b1-b3".into() }).expect("legal");
        room
    }

    #[test]
    fn idle_rooms_end_and_used_ones_stay() {
        let rooms = rooms();
        let (used, left) = (enter(&rooms, None), enter(&rooms, None));
        let listener = used.listen();
        rooms.tidy(Duration::from_hours(1));
        assert!(Arc::ptr_eq(&enter(&rooms, Some(&left.name)), &left), "not idle for long");
        rooms.tidy(Duration::ZERO);
        assert!(Arc::ptr_eq(&enter(&rooms, Some(&used.name)), &used));
        assert!(!Arc::ptr_eq(&enter(&rooms, Some(&left.name)), &left));
        drop(listener);
        rooms.tidy(Duration::ZERO);
        assert!(!Arc::ptr_eq(&enter(&rooms, Some(&used.name)), &used));
    }

    #[test]
    fn rooms_without_a_move_make_room_first_and_those_with_pages_never() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let _entered = runtime.enter();
        let rooms = rooms();
        let first = played(&rooms);
        let watched = enter(&rooms, None);
        let _listener = watched.listen();
        for _ in 0..2 * MOST_ROOMS {
            enter(&rooms, None);
        }
        assert_eq!(rooms.count(), MOST_ROOMS);
        for kept in [&first, &watched] {
            assert!(Arc::ptr_eq(&enter(&rooms, Some(&kept.name)), kept));
        }
        // When every room has moves, the least recently used one is removed.
        let later: Vec<_> = (0..MOST_ROOMS).map(|_| played(&rooms)).collect();
        assert!(!Arc::ptr_eq(&enter(&rooms, Some(&first.name)), &first));
        for kept in [&later[MOST_ROOMS - 1], &watched] {
            assert!(Arc::ptr_eq(&enter(&rooms, Some(&kept.name)), kept));
        }
    }

    #[test]
    fn rooms_remember_so_many_moves_and_no_more() {
        let rooms = rooms();
        let game = Game {
            game: "loa".into(),
            size: None,
            start: None,
            moves: ["b1-b3", "h7-f7", "b3-b1", "f7-h7"].repeat(450).into_iter().map(str::to_owned).collect(),
            limit: None,
        };
        let long = NewGame::of(game, [Seat::Person; 2]);
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let _entered = runtime.enter();
        let short = NewGame::of(Game { moves: vec![], ..long.game.clone() }, long.seats);
        let open: Vec<_> = (0..60).map(|_| enter(&rooms, None)).collect();
        let pages: Vec<_> = open.iter().map(|room| room.listen()).collect();
        let begun = open.iter().filter(|room| rooms.begin(room, "me", &long).is_ok()).count();
        assert_eq!(begun, MOST_MOVES / 1_800);
        rooms.begin(&open[59], "me", &short).expect("a short game is always begun");
        rooms.begin(&open[0], "me", &short).expect("a short game is always begun");
        rooms.begin(&open[59], "me", &long).expect("there is room again");
        drop(pages);
        rooms.tidy(IDLE);
        let left: usize = open.iter().filter(|room| lock(&rooms.open).contains_key(&room.name)).count();
        assert_eq!(left, MOST_MOVES_LEFT / 1_800);
        assert!(lock(&rooms.open).contains_key(&open[59].name));
    }
}
