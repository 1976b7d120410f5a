//! `plyhouse arena watch`: a running tournament in the browser.

use std::io::{ErrorKind, Write, stderr};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::{Course, Follower, Hand, LiveGame, Location, Recent, ResultLog, Row, Spec, Watched};
use clap::Args;
use house::messages::{AgentView, Board, BoardEnd, Game, ResultView, Tournament, TournamentState, WorkerView};
use serde_json::json;
use web::{Server, Stage};

use super::Where;
use super::foreign::Printable;
use crate::{endgames, page};

/// Where the page is if no port is named: its settings belong to its address.
const USUAL_PORT: u16 = 6175;
/// How often the store is looked at, and how often `--json` prints what is new.
const LOOK: Duration = Duration::from_millis(250);
const TELL: Duration = Duration::from_secs(1);
/// Boards that the page shows at most.
const MOST_BOARDS: usize = 24;

/// Watch a running tournament in the browser: standings, games in progress, workers, time left
///
/// The store is only read. The tournament need not have begun; the page waits for it, stays after its end, and says who
/// has won.
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    place: Where,
    /// The port; 0 for a free one. Usually 6175, or a free one if that is in use
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    network: Network,
    /// Print nothing but the address
    #[arg(long)]
    quiet: bool,
    /// Print the tournament as a line of JSON, at most once a second, whenever something is new
    #[arg(long)]
    json: bool,
}

/// Who else may watch.
#[derive(Args)]
struct Network {
    /// Let other devices on the local network watch: who has the link, which is also shown as a QR code, may come in
    #[arg(long)]
    lan: bool,
    /// The address of this machine on the local network, if it has several
    #[arg(long, value_name = "IP", requires = "lan")]
    address: Option<Ipv4Addr>,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut server = bind(options.port)?;
    let stage = server.stage();
    let address = format!("{}#/arena", server.address());
    // With `--json`, standard output is for the tournament alone.
    let mut errors = Printable::new(stderr());
    let said: &mut dyn Write = if options.json { &mut errors } else { &mut *out };
    writeln!(said, "The tournament is at {address} (Ctrl-C ends the page, not the tournament)")?;
    if options.network.lan {
        let link = page::share(options.network.address, &mut server)?;
        page::print_link(&link, "watch", said)?;
    }
    said.flush()?;
    if !options.no_open {
        page::open(&address);
    }
    let serving = std::thread::spawn(move || server.run());
    let mut teller = Teller { options, said: String::new(), json: None };
    let mut follower = Follower::new(options.place.store.location.clone(), options.place.tournament);
    while !serving.is_finished() {
        let began = Instant::now();
        teller.show(&mut follower, &stage, out)?;
        // A store that is slow to read is read less often.
        std::thread::sleep(LOOK.max(began.elapsed()));
    }
    match serving.join() {
        Ok(served) => Ok(served?),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Listens at the port that was asked for, or at the usual one, or at a free one.
fn bind(port: Option<u16>) -> anyhow::Result<Server> {
    let resources = endgames::load(games::GameId::CHECKERS)?;
    let bound = match Server::bind(port.or(Some(USUAL_PORT)), resources.clone()) {
        Err(error) if port.is_none() && error.kind() == ErrorKind::AddrInUse => Server::bind(None, resources),
        bound => bound,
    };
    bound.with_context(|| format!("cannot serve the page at port {}", port.unwrap_or(USUAL_PORT)))
}

/// Tells pages and programs how the tournament stands.
struct Teller<'a> {
    options: &'a Options,
    /// What was said last on standard error.
    said: String,
    /// When a line of JSON was printed last, and what.
    json: Option<(Instant, Tournament)>,
}

impl Teller<'_> {
    fn show(&mut self, follower: &mut Follower, stage: &Stage, out: &mut dyn Write) -> anyhow::Result<()> {
        let location = &self.options.place.store.location;
        let (tournament, boards) = match follower.look() {
            Ok(Some(watched)) => {
                self.say("");
                (tournament(&watched), boards(&watched))
            }
            Ok(None) => {
                self.say(&waiting(location, self.options.place.tournament));
                (Tournament::default(), Vec::new())
            }
            Err(error) => {
                let why = error.to_string();
                self.say(&format!("{why}; trying again"));
                // What was read before stays.
                let (_, before) = self.json.clone().unzip();
                let before = before.unwrap_or_default();
                stage.trouble(&why);
                return self.print(Tournament { trouble: Some(why), ..before }, &[], out);
            }
        };
        stage.show(tournament.clone(), boards.iter().take(MOST_BOARDS).cloned().collect());
        self.print(tournament, &boards, out)
    }

    /// Says something on standard error, once.
    fn say(&mut self, what: &str) {
        if self.said != what {
            if !what.is_empty() && !self.options.quiet {
                let _ = writeln!(Printable::new(stderr()), "{what}");
            }
            what.clone_into(&mut self.said);
        }
    }

    fn print(&mut self, tournament: Tournament, boards: &[Board], out: &mut dyn Write) -> anyhow::Result<()> {
        if !self.options.json {
            return Ok(());
        }
        // The rest of the time alone is no news.
        let still = |before: &Tournament| {
            let (per_minute, left) = (before.per_minute, before.left);
            *before == Tournament { per_minute, left, workers: before.workers.clone(), ..tournament.clone() }
        };
        if self.json.as_ref().is_some_and(|(at, before)| at.elapsed() < TELL || still(before)) {
            return Ok(());
        }
        writeln!(out, "{}", json!({ "tournament": tournament, "boards": boards }))?;
        out.flush()?;
        self.json = Some((Instant::now(), tournament));
        Ok(())
    }
}

/// What is waited for.
fn waiting(location: &Location, tournament: Option<i64>) -> String {
    let wanted = tournament.map_or_else(|| "a tournament".to_owned(), |id| format!("tournament {id}"));
    format!("waiting for {wanted} to begin in {location}")
}

fn tournament(watched: &Watched) -> Tournament {
    let Watched { tournament, rows, .. } = watched;
    let spec = &tournament.spec;
    let name = |agent: &usize| spec.agents[*agent].name.clone();
    Tournament {
        state: match watched.course {
            Course::Running => TournamentState::Running,
            Course::Stopped => TournamentState::Stopped,
            Course::Over => TournamentState::Over,
        },
        trouble: tournament.is_changed.then(|| super::changed(tournament)),
        name: spec.name.clone(),
        game: spec.game.clone(),
        size: spec.size,
        format: spec.format.name().to_owned(),
        played: watched.played,
        planned: watched.planned,
        round: watched.round,
        per_minute: watched.per_minute,
        left: watched.left.map(|left| left.as_secs_f64()),
        agents: rows.iter().map(|row| agent(spec, row)).collect(),
        winners: watched.winners.iter().map(name).collect(),
        workers: watched.crew.iter().map(worker).collect(),
        recent: watched.recent.iter().map(|recent| result(spec, recent)).collect(),
        damaged: watched.damaged,
        more_boards: watched.boards.len().saturating_sub(MOST_BOARDS),
    }
}

fn agent(spec: &Spec, row: &Row) -> AgentView {
    let standing = &row.standing;
    let is_rated = standing.elo.error.is_finite();
    AgentView {
        name: spec.agents[standing.agent].name.clone(),
        games: standing.games,
        points: row.points,
        buchholz: row.buchholz,
        elo: is_rated.then_some(standing.elo.value).filter(|elo| elo.is_finite()),
        error: is_rated.then_some(standing.elo.error),
        faults: standing.faults.clone(),
    }
}

fn worker(hand: &Hand) -> WorkerView {
    WorkerView {
        id: hand.id,
        name: hand.name.clone(),
        jobs: hand.jobs,
        busy: hand.busy,
        done: hand.done,
        failed: hand.failed,
        per_minute: hand.per_minute,
        silent: hand.silent.as_secs(),
    }
}

fn result(spec: &Spec, recent: &Recent) -> ResultView {
    ResultView {
        number: recent.number,
        names: recent.agents.map(|agent| spec.agents[agent].name.clone()),
        winner: winner(recent.result),
        ending: recent.ending.clone(),
        plies: recent.plies,
    }
}

fn winner(result: ResultLog) -> Option<usize> {
    match result {
        ResultLog::First => Some(0),
        ResultLog::Second => Some(1),
        ResultLog::Draw | ResultLog::Void => None,
    }
}

/// All boards, those of the program that runs the tournament first.
fn boards(watched: &Watched) -> Vec<Board> {
    let spec = &watched.tournament.spec;
    let goes_on = watched.course == Course::Running;
    let board = |arena::Board { worker, place, game }: &arena::Board| Board {
        key: format!("{worker}.{place}"),
        number: game.number,
        names: game.agents.map(|agent| spec.agents.get(agent).map(|agent| agent.name.clone()).unwrap_or_default()),
        game: position(spec, game),
        plies: game.plies,
        left: left(game),
        running: (goes_on && game.end.is_none()).then_some(game.turn),
        end: game.end.as_ref().map(|(result, ending)| BoardEnd { winner: winner(*result), ending: ending.clone() }),
    };
    watched.boards.iter().map(board).collect()
}

/// The position of a game with the last move alone, so that a long game is no more work than a short one.
fn position(spec: &Spec, game: &LiveGame) -> Game {
    let (start, moves) = match &game.last {
        Some((before, last)) => (before.clone(), vec![last.clone()]),
        None => (game.position.clone(), Vec::new()),
    };
    Game { game: spec.game.clone(), size: spec.size, start: Some(start), moves, limit: None }
}

/// Milliseconds that the sides have left.
fn left(game: &LiveGame) -> [Option<u64>; 2] {
    let mut left = game.clocks;
    if game.end.is_none() {
        left[game.turn] = left[game.turn].map(|left| left - game.thinking);
    }
    left.map(|left| left.map(|left| (left.max(0.0) * 1e3) as u64))
}
