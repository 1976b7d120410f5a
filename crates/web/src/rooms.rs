//! All rooms of this server, and the engines that play in them.

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

/// How long a room stays that no page is in.
pub(crate) const IDLE: Duration = Duration::from_hours(3);
/// The same for a room in which no move was made.
const IDLE_UNTOUCHED: Duration = Duration::from_mins(1);
/// How long engines play on where nobody looks: about as long as a page takes to load again.
const UNWATCHED: Duration = Duration::from_secs(2);
/// Most rooms.
const MOST_ROOMS: usize = 1_024;
/// Moves that all rooms that no page is in may remember together; with more, some of them go.
const MOST_MOVES_LEFT: usize = 50_000;
/// Moves that all rooms with pages may remember together; with more, no long game is begun or goes on.
const MOST_MOVES: usize = 100_000;
/// A game that is long, in moves.
const LONG: usize = 400;
/// What is said if there is no room for another game.
const FULL: &str = "All rooms are taken; close another page.";

/// The rooms by name.
pub(crate) struct Rooms {
    open: Mutex<HashMap<String, Arc<OpenRoom>>>,
    pub(crate) engines: Arc<Engines>,
    /// Moves that the rooms with pages remember, as they were last counted.
    moves: AtomicUsize,
    /// The place to answer a message that is much work.
    pub(crate) heavy: Semaphore,
    /// Places to read files, to search for replies in a proof, and to write to the archive.
    pub(crate) files: Errands,
    pub(crate) replies: Errands,
    archiving: Errands,
    /// The terminal that drives the one game of this server, and its room, if there is a terminal.
    terminal: OnceLock<(Terminal, Arc<OpenRoom>)>,
    /// The room that several devices share, if this server is on the local network.
    table: OnceLock<Arc<OpenRoom>>,
    /// Where finished games go.
    archive: OnceLock<Arc<Archive>>,
    /// What the games of the archive and of files have in common.
    pub(crate) explorer: Arc<Explorer>,
    /// The tournament that this server shows, if it shows one.
    stage: OnceLock<Seats>,
    /// Whether the program has ended. Every page listens.
    ended: watch::Sender<bool>,
}

/// The name by which pages enter the room that several devices share.
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

    /// From now on finished games go into an archive.
    pub(crate) fn set_archive(&self, archive: Archive) {
        let _ = self.archive.set(Arc::new(archive));
    }

    /// The archive, if there is one.
    pub(crate) fn archive(&self) -> Option<Arc<Archive>> {
        self.archive.get().cloned()
    }

    /// Lets the explorer count what is new in the archive. Whether another thread is doing so already.
    pub(crate) fn count_games(&self) -> bool {
        self.explorer.follow(|| Some(self.archive()?.all()))
    }

    /// From now on pages can look at this tournament.
    pub(crate) fn set_stage(&self, seats: Seats) {
        let _ = self.stage.set(seats);
    }

    /// From where pages look at the tournament.
    pub(crate) fn stage(&self) -> Option<&Seats> {
        self.stage.get()
    }

    /// From now on there is a room that several devices share.
    pub(crate) fn set_table(&self) {
        let _ = self.table.set(Arc::new(OpenRoom::new(TABLE.into(), Room::shared())));
    }

    /// From now on there is one room, which belongs to a terminal.
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

    /// Whether a page shows the terminal's game.
    pub(crate) fn is_terminal_watched(&self) -> bool {
        self.terminal.get().is_some_and(|(_, open)| !open.is_left())
    }

    /// Says that the program has ended.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Becomes `true` when the program has ended.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// Waits until no page listens any more.
    pub(crate) async fn all_gone(&self) {
        self.ended.closed().await;
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        lock(&self.open).len()
    }

    /// The room of this name, or a new one; a terminal's, if there is one. Whether it is new.
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

    /// Removes rooms that have been idle for this long, or for less if nothing was played there. Lets engines rest
    /// where nobody looks.
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
                // The lock is held while it is seen whether somebody looks, as it is when somebody comes.
                let mut game = lock(&room.room);
                let rests = room.is_left() && game.set_asleep(true, now());
                drop(game);
                if rests {
                    self.go_on(&room);
                }
            }
        }
    }

    /// Writes to the archive what could not be written before.
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

    /// A page of a client, which listens already, comes into a room.
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

    /// A page of a client, which does not listen any more, goes.
    pub(crate) fn leave(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str) {
        *lock(&room.used) = Instant::now();
        let matters = lock(&room.room).leave(client, now());
        if matters {
            self.go_on(room);
        }
    }

    /// Whether the rooms remember so much that a game of this length cannot be begun or go on.
    fn is_full_for(&self, moves: usize) -> bool {
        moves > LONG && self.moves.load(Ordering::Relaxed) + moves > MOST_MOVES
    }

    /// Carries out the request of a client's page in a room, and lets the engine move if it is its turn.
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

    /// Begins another game in a room.
    pub(crate) fn begin(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str, new: &NewGame) -> Result<(), String> {
        if let Some((terminal, room)) = self.terminal.get() {
            return terminal.begin(&room.view(client).scene, new);
        }
        let moves = new.game.moves.len();
        if self.is_full_for(moves) {
            return Err(FULL.into());
        }
        let before = room.weight();
        // Made before anything is locked, because others want to look at the room meanwhile.
        let next = Room::new(new, 0, now())?;
        lock(&room.room).replace(next, new, client, now())?;
        // Roughly, until they are counted again: moves that were played since then are not among them.
        let _ = self
            .moves
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |known| Some((known + moves).saturating_sub(before)));
        self.go_on(room);
        Ok(())
    }

    /// Tells every page in the room, starts or stops its engine and its timer, and archives a game that has ended.
    pub(crate) fn go_on(self: &Arc<Self>, open: &Arc<OpenRoom>) {
        // Held from here on, so that of two changes the later one decides what is thought about.
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
        // A search for another turn ends, or loses its place in the queue.
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

/// Removes the room that nobody misses most: of those that no page is in, one without a move, or else the one that was
/// left first. A page that comes back goes on in a new one with the game that it remembers. Returns its weight.
fn remove_least(rooms: &mut HashMap<String, Arc<OpenRoom>>) -> Option<usize> {
    let left = rooms.values().filter(|room| room.is_left());
    let least = left.min_by_key(|room| (room.weight() > 0, *lock(&room.used)))?.clone();
    rooms.remove(&least.name)?.end();
    Some(least.weight())
}

/// The time of the machine since 1970.
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A name for a game in the archive.
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

    /// A room in which a move was made.
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
        // When all have moves, the one that was left first goes.
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
