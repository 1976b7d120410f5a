//! Follows a tournament that another program runs, in either kind of store, without writing to it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ledger::{Ledger, LedgerError};
use rating::Verdict;

use crate::boards::{Board, Boards, Spot};
use crate::rate::{Pace, seconds_of};
use crate::{
    Bulletin, Format, GameLog, LiveGame, Location, ResultLog, Rounds, RunError, SprtSpec, Standing, Standings, Store,
    StoreError, Tournament,
};

/// A program that has published nothing for so long does not run any more.
const SILENT: Duration = Duration::from_secs(5);
/// How often workers are asked about, and how long after a failure.
const ASK: Duration = Duration::from_secs(1);
const BREATH: Duration = Duration::from_secs(5);
/// The results that are told, the newest first.
const RECENT: usize = 12;

/// Whether a tournament goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// A program runs it.
    Running,
    /// Games are left, and no program runs it.
    Stopped,
    /// All games have been played, or its test has decided.
    Over,
}

/// A tournament as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The tournament.
    pub tournament: Arc<Tournament>,
    /// Whether it goes on.
    pub course: Course,
    /// Number of the games that have been played; damaged ones are among them.
    pub played: u32,
    /// Number of all games. In a knockout it grows.
    pub planned: u32,
    /// The round that is being played, from 1, and number of rounds; none where there are no rounds.
    pub round: Option<[u32; 2]>,
    /// Games a minute, of late; none while too few have been played.
    pub per_minute: Option<f64>,
    /// How long the rest will take at that rate, while a program runs it.
    pub left: Option<Duration>,
    /// The agents, the best first.
    pub rows: Arc<Vec<Row>>,
    /// Who has won, once it is over; several if they share the first place.
    pub winners: Vec<usize>,
    /// The games that are being played, and those that were played last at their places.
    pub boards: Vec<Board>,
    /// Who plays.
    pub crew: Vec<Hand>,
    /// The last results, the newest first.
    pub recent: Vec<Recent>,
    /// Number of games that are damaged and do not count.
    pub damaged: u32,
}

/// An agent's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its games.
    pub standing: Standing,
    /// Its points; in a Swiss with those of a bye.
    pub points: f64,
    /// In a Swiss, the sum of its opponents' points.
    pub buchholz: Option<f64>,
}

/// A worker, or the program itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// Its number; 0 for the program that runs the tournament.
    pub id: i64,
    /// Its machine and process; empty for the program itself.
    pub name: String,
    /// Games that it can play at the same time.
    pub jobs: u64,
    /// Games that it plays.
    pub busy: u64,
    /// Games that it has played.
    pub done: u64,
    /// Games that it could not play.
    pub failed: u64,
    /// Games a minute, of late.
    pub per_minute: Option<f64>,
    /// How long ago it was heard of.
    pub silent: Duration,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Recent {
    /// The game's number in the plan.
    pub number: u32,
    /// The agents, that with the first side first.
    pub agents: [usize; 2],
    /// The result.
    pub result: ResultLog,
    /// The name of its reason.
    pub ending: String,
    /// Moves, with those of the opening.
    pub plies: usize,
    /// Seconds that it took.
    pub seconds: f64,
}

/// Follows a tournament. It reads each game once, and never writes.
pub struct Follower {
    location: Location,
    /// The tournament's number; the latest one if unset.
    wanted: Option<i64>,
    store: Option<Store>,
    followed: Option<Followed>,
    workers: Crew,
    boards: Boards,
}

/// What is known of a tournament so far.
struct Followed {
    tournament: Arc<Tournament>,
    /// The run that was published last.
    run: Option<u64>,
    /// The place of the last game that was read.
    place: i64,
    standings: Standings,
    rounds: Rounds,
    damaged: u32,
    pace: Pace,
    recent: VecDeque<Recent>,
    rows: Arc<Vec<Row>>,
    /// When the rows may be computed again, if they are out of date: with many agents that takes its time.
    next_rows: Option<Instant>,
}

impl Follower {
    /// Follows the tournament with this number, or the latest one of a store. Neither need exist yet.
    pub fn new(location: Location, wanted: Option<i64>) -> Self {
        let workers = Crew::default();
        Self { location, wanted, store: None, followed: None, workers, boards: Boards::default() }
    }

    /// Looks at the tournament; `None` if it has not begun.
    ///
    /// # Errors
    /// If the store cannot be read, or the tournament is damaged. The next look tries again.
    pub fn look(&mut self) -> Result<Option<Watched>, RunError> {
        match self.see() {
            Err(RunError::Store(StoreError::Missing(_) | StoreError::Empty | StoreError::NoTournament(_))) => Ok(None),
            Err(error) => {
                self.store = None;
                Err(error)
            }
            watched => watched.map(Some),
        }
    }

    fn see(&mut self) -> Result<Watched, RunError> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::watch(&self.location)?,
        };
        let store = self.store.insert(store);
        let id = match self.wanted {
            Some(id) => id,
            None => store.tournaments()?.pop().ok_or(StoreError::Empty)?,
        };
        // First what is being played, then what has been: a game is in one of the two.
        let notice = store.notice()?.filter(|(bulletin, age)| bulletin.tournament == id && *age < SILENT);
        let run = notice.as_ref().map(|(bulletin, _)| bulletin.run);
        let is_old = |followed: &Followed| followed.tournament.id != id || followed.is_outdated(run);
        if self.followed.as_ref().is_none_or(is_old) {
            self.followed = Some(Followed::begin(store.tournament(Some(id))?)?);
            self.boards.clear();
        }
        let Some(followed) = &mut self.followed else { return Err(StoreError::Empty.into()) };
        if run.is_some() && run != followed.run {
            // The games that an earlier run has broken off are played again, or were.
            self.boards.clear();
            followed.run = run;
        }
        let now = Instant::now();
        let notice = notice.map(|(bulletin, age)| (bulletin, age.as_secs_f64()));
        if let Some((bulletin, age)) = &notice {
            self.workers.look(&self.location, bulletin);
            self.boards.show(&games(bulletin, *age, &self.workers.shown), now);
        }
        followed.read(store, &mut self.boards, now)?;
        let time = seconds_of(&store.ago(Duration::ZERO)?).unwrap_or_default();
        Ok(followed.watched(notice.as_ref().map(|(bulletin, _)| bulletin), &self.workers, &self.boards, time))
    }
}

/// The games that are being played, by their boards.
fn games(bulletin: &Bulletin, age: f64, shown: &[(i64, f64, Vec<Option<LiveGame>>)]) -> BTreeMap<Spot, LiveGame> {
    let own = bulletin.games.iter().enumerate().map(|(place, game)| ((0, place), age, game));
    let away = shown.iter().flat_map(|(worker, age, games)| {
        games.iter().enumerate().map(move |(place, game)| ((*worker, place), *age, game))
    });
    own.chain(away)
        .filter_map(|(spot, age, game)| {
            let game = game.clone().filter(|game| game.tournament == bulletin.tournament)?;
            Some((spot, LiveGame { thinking: game.thinking + age, ..game }))
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
            next_rows: Some(Instant::now()),
        })
    }

    /// Whether damaged games may have been set aside since, so that all games must be counted again.
    fn is_outdated(&self, run: Option<u64>) -> bool {
        self.damaged > 0 && run.is_some() && run != self.run
    }

    /// Reads the games that have been saved since the last look.
    fn read(&mut self, store: &Store, boards: &mut Boards, now: Instant) -> Result<(), RunError> {
        let tournament = Arc::clone(&self.tournament);
        self.place = store.each_after(&tournament, self.place, |game| {
            self.next_rows.get_or_insert(now);
            match game {
                Ok(game) => self.count(&game, boards, now),
                Err(_) => self.damaged += 1,
            }
        })?;
        if self.next_rows.is_some_and(|next| next <= now) {
            let began = Instant::now();
            self.rows = Arc::new(self.rows());
            self.next_rows = None;
            let cost = began.elapsed();
            if cost > Duration::from_millis(50) {
                // The next look at the table waits, so that a large one does not keep a processor busy.
                self.next_rows = Some(Instant::now() + 10 * cost);
            }
        }
        Ok(())
    }

    fn count(&mut self, game: &GameLog, boards: &mut Boards, now: Instant) {
        self.standings.add(game);
        self.rounds.record(game.planned.number, game.planned.agents, game.result);
        self.pace.note(seconds_of(&game.began).unwrap_or_default() + game.seconds);
        self.recent.truncate(RECENT - 1);
        self.recent.push_front(Recent {
            number: game.planned.number,
            agents: game.planned.agents,
            result: game.result,
            ending: game.ending.clone(),
            plies: game.opening.len() + game.moves.len(),
            seconds: game.seconds,
        });
        if boards.has_open(game.planned.number)
            && let Some(last) = LiveGame::last_of(self.tournament.id, &self.tournament.spec, game)
        {
            boards.end(last, now);
        }
    }

    /// The agents, the best first.
    fn rows(&self) -> Vec<Row> {
        let table = self.standings.table();
        let Some(swiss) = self.rounds.swiss_table() else {
            let row = |standing: Standing| Row { points: standing.points(), standing, buchholz: None };
            return table.into_iter().map(row).collect();
        };
        let mut standings: BTreeMap<usize, Standing> = table.into_iter().map(|row| (row.agent, row)).collect();
        let row = |row: &crate::SwissRow| {
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

    /// Who has won, once it is over and the rows are up to date.
    fn winners(&self) -> Vec<usize> {
        let table = &self.rows;
        let Some(best) = table.first().filter(|_| self.next_rows.is_none()) else { return Vec::new() };
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

    fn watched(&self, bulletin: Option<&Bulletin>, workers: &Crew, boards: &Boards, time: f64) -> Watched {
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
                Some(_) => workers.hands.clone(),
                None => vec![self.program(bulletin, per_minute, &boards)],
            }),
            boards,
            recent: self.recent.iter().cloned().collect(),
            damaged: self.damaged,
        }
    }

    /// The program that plays the games itself.
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

/// The workers of a tournament that is handed out.
#[derive(Default)]
struct Crew {
    ledger: Option<Ledger>,
    /// When to ask next.
    next: Option<Instant>,
    hands: Vec<Hand>,
    /// What they play, and how old that is in seconds.
    shown: Vec<(i64, f64, Vec<Option<LiveGame>>)>,
    /// When how many games were done by each worker, in seconds since the beginning.
    paces: BTreeMap<i64, VecDeque<(Instant, u64)>>,
}

impl Crew {
    /// Looks at the workers, unless the program plays itself. Without a connection they stay as they were.
    fn look(&mut self, location: &Location, bulletin: &Bulletin) {
        let (Some(build), Some(address)) = (&bulletin.build, location.address()) else {
            *self = Self::default();
            return;
        };
        let now = Instant::now();
        if self.ledger.is_none() && self.next.is_none_or(|next| next <= now) {
            self.ledger = Ledger::watch(address).ok().flatten();
            self.next = self.ledger.is_none().then(|| now + BREATH);
        }
        if self.ask(build, now).is_err() {
            (self.ledger, self.next) = (None, Some(now + BREATH));
        }
    }

    fn ask(&mut self, build: &str, now: Instant) -> Result<(), LedgerError> {
        let Some(ledger) = &mut self.ledger else { return Ok(()) };
        let read = |(worker, age, text): (i64, Duration, String)| {
            Some((worker, age.as_secs_f64(), serde_json::from_str(&text).ok()?))
        };
        self.shown = ledger.shown()?.into_iter().filter_map(read).collect();
        if self.next.is_some_and(|next| next > now) {
            return Ok(());
        }
        self.next = Some(now + ASK);
        let workers = ledger.workers(build)?;
        self.paces.retain(|id, _| workers.iter().any(|worker| worker.id == *id));
        self.hands.clear();
        for worker in workers {
            let pace = self.paces.entry(worker.id).or_default();
            self.hands.push(Hand {
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

/// Jobs a minute, of the last two minutes.
fn recent_pace(pace: &mut VecDeque<(Instant, u64)>, now: Instant, done: u64) -> Option<f64> {
    const WINDOW: Duration = Duration::from_mins(2);
    const LEAST: Duration = Duration::from_secs(3);
    pace.push_back((now, done));
    while pace.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= WINDOW) {
        pace.pop_front();
    }
    let (from, before) = *pace.front()?;
    let time = now.duration_since(from);
    (time >= LEAST).then(|| 60.0 * (done - before) as f64 / time.as_secs_f64())
}
