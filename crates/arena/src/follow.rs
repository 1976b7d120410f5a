//! Follows a tournament that another program runs, without writing to its store.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ledger::{Ledger, LedgerError};
use rating::Verdict;

use crate::boards::{Board, BoardKey, Boards};
use crate::format::Format;
use crate::live::{Bulletin, LiveGame};
use crate::log::{GameLog, ResultLog};
use crate::rate::{Pace, seconds_of};
use crate::rounds::{Bout, Rounds};
use crate::run::RunError;
use crate::sprt::SprtSpec;
use crate::standings::{Standing, Standings};
use crate::store::error::StoreError;
use crate::store::location::Location;
use crate::store::{Store, Tournament};
use crate::tables::SwissRow;

/// A program counts as stopped if its last publication is at least this old.
const STALE_AFTER: Duration = Duration::from_secs(5);
/// Time between two queries of the workers.
const QUERY_INTERVAL: Duration = Duration::from_secs(1);
/// Time before a lost connection to the ledger is reopened.
const RECONNECT_DELAY: Duration = Duration::from_secs(5);
/// Maximum number of recent results.
const MAX_RECENT: usize = 12;

/// The state of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// A program runs the tournament.
    Running,
    /// Games are left, and no program runs the tournament.
    Stopped,
    /// All games are finished, or the sequential test has a verdict.
    Over,
}

/// A snapshot of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// Tournament.
    pub tournament: Arc<Tournament>,
    /// State.
    pub course: Course,
    /// Number of finished games, including damaged ones.
    pub played: u32,
    /// Number of games, finished or not. It may grow in a knockout.
    pub planned: u32,
    /// Current round, from 1, and number of rounds; `None` in formats without rounds.
    pub round: Option<[u32; 2]>,
    /// Recent rate in games per minute; `None` until it can be measured.
    pub per_minute: Option<f64>,
    /// Remaining time at that rate, while a program runs the tournament.
    pub left: Option<Duration>,
    /// Standings, the best agent first.
    pub rows: Arc<Vec<Row>>,
    /// Winners of a finished tournament; more than one if they share the first place.
    pub winners: Vec<usize>,
    /// Games in play, and finished games whose board no other game needs yet.
    pub boards: Vec<Board>,
    /// Workers that play the games, or the program itself.
    pub crew: Vec<Hand>,
    /// Latest results, the newest first.
    pub recent: Vec<Recent>,
    /// Number of damaged games, which do not count.
    pub damaged: u32,
}

/// A row of the standings.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Results and ratings.
    pub standing: Standing,
    /// Points. In a Swiss they include points from byes.
    pub points: f64,
    /// Sum of the opponents' points, in a Swiss.
    pub buchholz: Option<f64>,
}

/// A worker, or the program that runs the tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// Number of the worker; 0 for the program that runs the tournament.
    pub id: i64,
    /// Machine and process of the worker; empty for the program that runs the tournament.
    pub name: String,
    /// Maximum number of simultaneous games.
    pub jobs: u64,
    /// Number of games in play.
    pub busy: u64,
    /// Number of finished games.
    pub done: u64,
    /// Number of games that could not be played.
    pub failed: u64,
    /// Recent rate in games per minute.
    pub per_minute: Option<f64>,
    /// Time since the last sign of life.
    pub silent: Duration,
}

/// A recent result.
#[derive(Clone, Debug, PartialEq)]
pub struct Recent {
    /// Number of the game in the plan.
    pub number: u32,
    /// Agent indices, in the order [first side, second side].
    pub agents: [usize; 2],
    /// Result.
    pub result: ResultLog,
    /// Name of the reason.
    pub ending: String,
    /// Position text before the opening.
    pub start: String,
    /// Moves, including the opening.
    pub moves: Vec<String>,
    /// Duration in seconds.
    pub seconds: f64,
}

/// A follower of a tournament. It reads each saved game once, and never writes to the store.
pub struct Follower {
    location: Location,
    /// Number of the tournament; the latest one if unset.
    wanted: Option<i64>,
    store: Option<Store>,
    followed: Option<Followed>,
    workers: WorkerMonitor,
    boards: Boards,
}

/// The state of a tournament so far.
struct Followed {
    tournament: Arc<Tournament>,
    /// Number of the run that was published last.
    run: Option<u64>,
    /// Place of the last game that was read, in the order of saving.
    place: i64,
    standings: Standings,
    rounds: Rounds,
    damaged: u32,
    pace: Pace,
    recent: VecDeque<Recent>,
    rows: Arc<Vec<Row>>,
    refresh: Refresh,
}

/// The schedule of a computation that is slow with many agents. The computation runs after a change. If it takes more
/// than 50 ms, it does not run again until ten times its duration has passed.
struct Refresh {
    /// `true` if something has changed since the last computation.
    is_due: bool,
    /// End of the pause.
    earliest: Option<Instant>,
}

impl Refresh {
    fn is_now(&self, now: Instant) -> bool {
        self.is_due && self.earliest.is_none_or(|earliest| earliest <= now)
    }

    /// Records that a computation has ended at the time `end` and took `cost`.
    fn finished(&mut self, end: Instant, cost: Duration) {
        *self = Self { is_due: false, earliest: (cost > Duration::from_millis(50)).then(|| end + 10 * cost) };
    }
}

impl Follower {
    /// Creates a follower of the tournament with this number, or of the latest one in the store. The store and the
    /// tournament need not exist yet.
    pub fn new(location: Location, wanted: Option<i64>) -> Self {
        let workers = WorkerMonitor::default();
        Self { location, wanted, store: None, followed: None, workers, boards: Boards::default() }
    }

    /// Returns the current state of the tournament; `None` if it has not begun.
    ///
    /// # Errors
    /// If the store cannot be read, or the tournament is damaged. The next call tries again.
    pub fn look(&mut self) -> Result<Option<Watched>, RunError> {
        match self.update() {
            Err(RunError::Store(StoreError::Missing(_) | StoreError::Empty | StoreError::NoTournament(_))) => Ok(None),
            Err(error) => {
                self.store = None;
                Err(error)
            }
            watched => watched.map(Some),
        }
    }

    /// Returns the numbers of an agent's games in ascending order, as far as the pairings are known. They include
    /// unfinished games.
    pub fn games_of(&self, agent: usize) -> Vec<u32> {
        let bouts = self.followed.iter().flat_map(|followed| followed.rounds.bouts());
        bouts.filter(|bout| bout.agents.contains(&agent)).flat_map(Bout::numbers).collect()
    }

    fn update(&mut self) -> Result<Watched, RunError> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::watch(&self.location)?,
        };
        let store = self.store.insert(store);
        let id = match self.wanted {
            Some(id) => id,
            None => store.tournaments()?.pop().ok_or(StoreError::Empty)?,
        };
        // The published games are read before the saved ones, so that no game is missed between the two.
        let published = store.snapshot()?.filter(|(bulletin, age)| bulletin.tournament == id && *age < STALE_AFTER);
        let run = published.as_ref().map(|(bulletin, _)| bulletin.run);
        let is_old = |followed: &Followed| followed.tournament.id != id || followed.is_outdated(run);
        if self.followed.as_ref().is_none_or(is_old) {
            self.followed = Some(Followed::begin(store.tournament(Some(id))?)?);
            self.boards.clear();
        }
        let Some(followed) = &mut self.followed else { return Err(StoreError::Empty.into()) };
        if run.is_some() && run != followed.run {
            // Games that the earlier run cancelled are played again, so its boards are obsolete.
            self.boards.clear();
            followed.run = run;
        }
        let now = Instant::now();
        let published = published.map(|(bulletin, age)| (bulletin, age.as_secs_f64()));
        if let Some((bulletin, age)) = &published {
            self.workers.update(&self.location, bulletin);
            self.boards.show(&games(bulletin, *age, &self.workers.shown), now);
        }
        followed.read(store, &mut self.boards, now)?;
        let time = seconds_of(&store.ago(Duration::ZERO)?).unwrap_or_default();
        Ok(followed.watched(published.as_ref().map(|(bulletin, _)| bulletin), &self.workers, &self.boards, time))
    }
}

/// Returns the published games by board.
fn games(bulletin: &Bulletin, age: f64, shown: &[(i64, f64, Vec<Option<LiveGame>>)]) -> BTreeMap<BoardKey, LiveGame> {
    let own = bulletin.games.iter().enumerate().map(|(place, game)| ((0, place), age, game));
    let away = shown.iter().flat_map(|(worker, age, games)| {
        games.iter().enumerate().map(move |(place, game)| ((*worker, place), *age, game))
    });
    own.chain(away)
        .filter_map(|(key, age, game)| {
            let game = game.clone().filter(|game| game.tournament == bulletin.tournament)?;
            Some((key, LiveGame { thinking: game.thinking + age, ..game }))
        })
        .collect()
}

impl Followed {
    fn begin(tournament: Tournament) -> Result<Self, RunError> {
        let rounds = Rounds::new(&tournament.spec).map_err(|error| RunError::Spec(error.to_string()))?;
        Ok(Self {
            standings: Standings::new(tournament.spec.agents.len()),
            tournament: Arc::new(tournament),
            run: None,
            place: 0,
            rounds,
            damaged: 0,
            pace: Pace::default(),
            recent: VecDeque::new(),
            rows: Arc::default(),
            refresh: Refresh { is_due: true, earliest: None },
        })
    }

    /// Returns `true` if damaged games may have been set aside, so that all games must be counted again.
    fn is_outdated(&self, run: Option<u64>) -> bool {
        self.damaged > 0 && run.is_some() && run != self.run
    }

    /// Reads the games that have been saved since the last call.
    fn read(&mut self, store: &Store, boards: &mut Boards, now: Instant) -> Result<(), RunError> {
        let tournament = Arc::clone(&self.tournament);
        self.place = store.each_after(&tournament, self.place, |game| {
            self.refresh.is_due = true;
            match game {
                Ok(game) => self.count(&game, boards, now),
                Err(_) => self.damaged += 1,
            }
        })?;
        // After the last game, no later call may follow.
        if self.refresh.is_now(now) || (self.refresh.is_due && self.is_over()) {
            let began = Instant::now();
            self.rows = Arc::new(self.rows());
            self.refresh.finished(Instant::now(), began.elapsed());
        }
        Ok(())
    }

    fn count(&mut self, game: &GameLog, boards: &mut Boards, now: Instant) {
        self.standings.add(game);
        self.rounds.record(game.planned.number, game.planned.agents, game.result);
        self.pace.record(seconds_of(&game.began).unwrap_or_default() + game.seconds);
        self.recent.truncate(MAX_RECENT - 1);
        self.recent.push_front(Recent {
            number: game.planned.number,
            agents: game.planned.agents,
            result: game.result,
            ending: game.ending.clone(),
            start: game.start.clone(),
            moves: game.all_moves().map(str::to_owned).collect(),
            seconds: game.seconds,
        });
        if boards.has_open(game.planned.number)
            && let Some(last) = LiveGame::last_of(self.tournament.id, &self.tournament.spec, game)
        {
            boards.end(last, now);
        }
    }

    /// Computes the standings, the best agent first. In a knockout, the round of the elimination decides, not the
    /// points.
    fn rows(&self) -> Vec<Row> {
        let mut table = self.standings.table();
        if let Some((cup, _)) = self.rounds.knockout() {
            let ranking = cup.ranking();
            table.sort_by_cached_key(|standing| ranking.iter().position(|&agent| agent == standing.agent));
        }
        let Some(swiss) = self.rounds.swiss_table() else {
            let row = |standing: Standing| Row { points: standing.points(), standing, buchholz: None };
            return table.into_iter().map(row).collect();
        };
        let mut standings: BTreeMap<usize, Standing> = table.into_iter().map(|row| (row.agent, row)).collect();
        let row = |row: &SwissRow| {
            let standing = standings.remove(&row.agent)?;
            Some(Row { standing, points: row.points, buchholz: Some(row.buchholz) })
        };
        swiss.rows.iter().filter_map(row).collect()
    }

    fn is_over(&self) -> bool {
        let is_decided = self
            .tournament
            .spec
            .sprt
            .is_some_and(|SprtSpec(test)| test.verdict(&self.standings.tally(0, 1)) != Verdict::Open);
        is_decided || self.played() >= self.rounds.planned()
    }

    fn played(&self) -> u32 {
        self.standings.played() as u32 + self.damaged
    }

    /// Returns the winners of a finished tournament; empty while the rows are out of date.
    fn winners(&self) -> Vec<usize> {
        let table = &self.rows;
        let Some(best) = table.first().filter(|_| !self.refresh.is_due) else { return Vec::new() };
        match self.tournament.spec.format {
            Format::Knockout => self.rounds.bracket().and_then(|cup| cup.champion).into_iter().collect(),
            Format::Swiss => vec![best.standing.agent].into_iter().filter(|_| best.points > 0.0).collect(),
            Format::RoundRobin | Format::Gauntlet | Format::Match => {
                let share = |row: &Row| row.points / f64::from(row.standing.played().max(1));
                let is_equal = |row: &&Row| row.standing.played() > 0 && share(row) >= share(best);
                table.iter().take_while(is_equal).map(|row| row.standing.agent).collect()
            }
        }
    }

    fn watched(&self, bulletin: Option<&Bulletin>, workers: &WorkerMonitor, boards: &Boards, time: f64) -> Watched {
        let course = match bulletin {
            _ if self.is_over() => Course::Over,
            Some(_) => Course::Running,
            None => Course::Stopped,
        };
        let (played, planned) = (self.played(), self.rounds.planned());
        let per_minute = bulletin.and_then(|bulletin| self.pace.per_minute(time, bulletin.running));
        let rest = f64::from(planned.saturating_sub(played));
        let left = per_minute.filter(|_| course == Course::Running).map(|rate| 60.0 * rest / rate);
        let round = self.rounds.bouts().map(|bout| bout.round + 1).max().unwrap_or(1);
        let boards = boards.all();
        Watched {
            tournament: Arc::clone(&self.tournament),
            course,
            played,
            planned,
            round: self.tournament.spec.format.has_rounds().then(|| [round, self.rounds.number_of_rounds()]),
            per_minute,
            left: left.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            rows: Arc::clone(&self.rows),
            winners: if course == Course::Over { self.winners() } else { Vec::new() },
            crew: bulletin.map_or_else(Vec::new, |bulletin| match bulletin.build {
                Some(_) => workers.workers.clone(),
                None => vec![self.program(bulletin, per_minute, &boards)],
            }),
            boards,
            recent: self.recent.iter().cloned().collect(),
            damaged: self.damaged,
        }
    }

    /// Describes the program that runs the tournament and plays the games itself.
    fn program(&self, bulletin: &Bulletin, per_minute: Option<f64>, boards: &[Board]) -> Hand {
        Hand {
            id: 0,
            name: String::new(),
            jobs: bulletin.jobs as u64,
            busy: boards.iter().filter(|board| board.game.end.is_none()).count() as u64,
            done: self.standings.played() as u64,
            failed: 0,
            per_minute,
            silent: Duration::ZERO,
        }
    }
}

/// A monitor of the workers to which a tournament is handed out.
#[derive(Default)]
struct WorkerMonitor {
    ledger: Option<Ledger>,
    /// Time of the next query, or of the next attempt to connect.
    next: Option<Instant>,
    workers: Vec<Hand>,
    /// Published games of each worker, with the age of the publication in seconds.
    shown: Vec<(i64, f64, Vec<Option<LiveGame>>)>,
    /// Recent counts of each worker's finished games, with the times at which they were read.
    paces: BTreeMap<i64, VecDeque<(Instant, u64)>>,
}

impl WorkerMonitor {
    /// Updates the workers, if the games are handed out. Without a connection, the last known state is kept.
    fn update(&mut self, location: &Location, bulletin: &Bulletin) {
        let (Some(build), Some(address)) = (&bulletin.build, location.address()) else {
            *self = Self::default();
            return;
        };
        let now = Instant::now();
        if self.ledger.is_none() && self.next.is_none_or(|next| next <= now) {
            self.ledger = Ledger::watch(address).ok().flatten();
            self.next = self.ledger.is_none().then(|| now + RECONNECT_DELAY);
        }
        if self.query(build, now).is_err() {
            (self.ledger, self.next) = (None, Some(now + RECONNECT_DELAY));
        }
    }

    fn query(&mut self, build: &str, now: Instant) -> Result<(), LedgerError> {
        let Some(ledger) = &mut self.ledger else { return Ok(()) };
        let read = |(worker, age, text): (i64, Duration, String)| {
            Some((worker, age.as_secs_f64(), serde_json::from_str(&text).ok()?))
        };
        self.shown = ledger.shown()?.into_iter().filter_map(read).collect();
        if self.next.is_some_and(|next| next > now) {
            return Ok(());
        }
        self.next = Some(now + QUERY_INTERVAL);
        let workers = ledger.workers(build)?;
        self.paces.retain(|id, _| workers.iter().any(|worker| worker.id == *id));
        self.workers.clear();
        for worker in workers {
            let pace = self.paces.entry(worker.id).or_default();
            self.workers.push(Hand {
                id: worker.id,
                name: worker.name,
                jobs: worker.jobs,
                busy: worker.busy,
                done: worker.done,
                failed: worker.failed,
                per_minute: recent_pace(pace, now, worker.done),
                silent: worker.silent,
            });
        }
        Ok(())
    }
}

/// Returns the rate of the last two minutes, in jobs per minute.
fn recent_pace(pace: &mut VecDeque<(Instant, u64)>, now: Instant, done: u64) -> Option<f64> {
    const WINDOW: Duration = Duration::from_mins(2);
    const MIN_TIME: Duration = Duration::from_secs(3);
    pace.push_back((now, done));
    while pace.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= WINDOW) {
        pace.pop_front();
    }
    let (from, before) = *pace.front()?;
    let time = now.duration_since(from);
    (time >= MIN_TIME).then(|| 60.0 * (done - before) as f64 / time.as_secs_f64())
}

#[cfg(test)]
mod tests;
