//! `plyhouse arena watch`: shows a running tournament in the browser.

use std::io::{ErrorKind, Write, stderr};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::{Course, Follower, Hand, LiveGame, Location, Recent, ResultLog, Row, Spec, Watched};
use clap::Args;
use house::messages::{AgentView, Board, BoardEnd, Game, ResultView, Tournament, TournamentState, WorkerView};
use serde_json::json;
use web::{Server, Stage};

use super::escaping::EscapingWriter;
use super::notices::changed_header;
use super::options::TournamentOption;
use crate::{endgames, page};

/// Port if none is given. It is fixed because browsers store the page's settings by address.
const DEFAULT_PORT: u16 = 6175;
/// Minimum time between two reads of the store.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Minimum time between two lines of `--json`.
const JSON_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of boards on the page.
const MAX_BOARDS: usize = 24;

/// Watch a running tournament in the browser: standings, games in progress, workers, time left
///
/// The store is only read. The page waits for a tournament that has not begun, and shows the winner after its end.
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    target: TournamentOption,
    /// Port, or 0 for any free port; defaults to 6175, or to any free port if that is in use
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    network: Network,
    /// Print only the address
    #[arg(long)]
    quiet: bool,
    /// Print the tournament as a line of JSON after each change, at most once a second
    #[arg(long)]
    json: bool,
}

/// Options for access from other devices.
#[derive(Args)]
struct Network {
    /// Let other devices on the local network watch; access needs the link, which is also printed as a QR code
    #[arg(long)]
    lan: bool,
    /// Address of this machine on the local network, if it has several
    #[arg(long, value_name = "IP", requires = "lan")]
    address: Option<Ipv4Addr>,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut server = bind(options.port)?;
    let stage = server.stage();
    let address = format!("{}#/arena", server.address());
    // With `--json`, standard output has only the tournament.
    let mut errors = EscapingWriter::new(stderr());
    let notices: &mut dyn Write = if options.json { &mut errors } else { &mut *out };
    writeln!(notices, "The tournament is at {address} (Ctrl-C ends the page, not the tournament)")?;
    if options.network.lan {
        let link = page::share(options.network.address, &mut server)?;
        page::print_link(&link, "watch", notices)?;
    }
    notices.flush()?;
    if !options.no_open {
        page::open(&address);
    }
    let serving = std::thread::spawn(move || server.run());
    let mut publisher = Publisher { options, last_notice: String::new(), last_json: None };
    let mut follower = Follower::new(options.target.store.location.clone(), options.target.tournament);
    while !serving.is_finished() {
        let began = Instant::now();
        publisher.update(&mut follower, &stage, out)?;
        // A slow store is read less often.
        std::thread::sleep(POLL_INTERVAL.max(began.elapsed()));
    }
    match serving.join() {
        Ok(served) => Ok(served?),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Listens on the requested port. If no port is requested, listens on the default port, or on any free port if the
/// default port is in use.
fn bind(port: Option<u16>) -> anyhow::Result<Server> {
    let resources = endgames::load(games::GameId::CHECKERS)?;
    let bound = match Server::bind(port.or(Some(DEFAULT_PORT)), resources.clone()) {
        Err(error) if port.is_none() && error.kind() == ErrorKind::AddrInUse => Server::bind(None, resources),
        bound => bound,
    };
    bound.with_context(|| format!("cannot serve the page at port {}", port.unwrap_or(DEFAULT_PORT)))
}

/// A publisher of the tournament's state to pages and to standard output.
struct Publisher<'a> {
    options: &'a Options,
    /// Last notice on standard error.
    last_notice: String,
    /// Time and content of the last line of JSON.
    last_json: Option<(Instant, Tournament)>,
}

impl Publisher<'_> {
    /// Reads the tournament and publishes its state.
    fn update(&mut self, follower: &mut Follower, stage: &Stage, out: &mut dyn Write) -> anyhow::Result<()> {
        let location = &self.options.target.store.location;
        let (tournament, boards) = match follower.look() {
            Ok(Some(watched)) => {
                self.notify("");
                (tournament(&watched), boards(&watched))
            }
            Ok(None) => {
                self.notify(&waiting_notice(location, self.options.target.tournament));
                (Tournament::default(), Vec::new())
            }
            Err(error) => {
                let why = error.to_string();
                self.notify(&format!("{why}; retrying"));
                // The last state remains visible.
                let (_, before) = self.last_json.clone().unzip();
                let before = before.unwrap_or_default();
                stage.trouble(&why);
                return self.print(Tournament { trouble: Some(why), ..before }, &[], out);
            }
        };
        stage.show(tournament.clone(), boards.iter().take(MAX_BOARDS).cloned().collect());
        self.print(tournament, &boards, out)
    }

    /// Prints a notice on standard error unless it repeats the last one.
    fn notify(&mut self, notice: &str) {
        if self.last_notice != notice {
            if !notice.is_empty() && !self.options.quiet {
                let _ = writeln!(EscapingWriter::new(stderr()), "{notice}");
            }
            notice.clone_into(&mut self.last_notice);
        }
    }

    /// Prints a line of JSON if the tournament has changed, at most once per [`JSON_INTERVAL`].
    fn print(&mut self, tournament: Tournament, boards: &[Board], out: &mut dyn Write) -> anyhow::Result<()> {
        if !self.options.json {
            return Ok(());
        }
        // If only times or workers have changed, nothing is printed.
        let is_unchanged = |before: &Tournament| {
            let (per_minute, left) = (before.per_minute, before.left);
            *before == Tournament { per_minute, left, workers: before.workers.clone(), ..tournament.clone() }
        };
        if self.last_json.as_ref().is_some_and(|(at, before)| at.elapsed() < JSON_INTERVAL || is_unchanged(before)) {
            return Ok(());
        }
        writeln!(out, "{}", json!({ "tournament": tournament, "boards": boards }))?;
        out.flush()?;
        self.last_json = Some((Instant::now(), tournament));
        Ok(())
    }
}

/// Returns the notice for a tournament that has not begun.
fn waiting_notice(location: &Location, tournament: Option<i64>) -> String {
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
        trouble: tournament.is_changed.then(|| changed_header(tournament)),
        name: spec.name.clone(),
        game: spec.game.clone(),
        size: spec.size,
        variant: variant(spec),
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
        more_boards: watched.boards.len().saturating_sub(MAX_BOARDS),
    }
}

/// Returns the names of the start and the rule set; empty for the usual ones.
fn variant(spec: &Spec) -> String {
    spec.setting().map(|setting| setting.rules.variant()).unwrap_or_default()
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

fn worker(worker: &Hand) -> WorkerView {
    WorkerView {
        id: worker.id,
        name: worker.name.clone(),
        jobs: worker.jobs,
        busy: worker.busy,
        done: worker.done,
        failed: worker.failed,
        per_minute: worker.per_minute,
        silent: worker.silent.as_secs(),
    }
}

fn result(spec: &Spec, recent: &Recent) -> ResultView {
    ResultView {
        number: recent.number,
        names: recent.agents.map(|agent| spec.agents[agent].name.clone()),
        winner: winner(recent.result),
        ending: recent.ending.clone(),
        plies: recent.moves.len(),
        record: record(spec, &recent.start, &recent.moves),
    }
}

fn winner(result: ResultLog) -> Option<usize> {
    match result {
        ResultLog::First => Some(0),
        ResultLog::Second => Some(1),
        ResultLog::Draw | ResultLog::Void => None,
    }
}

/// Returns all boards, starting with those of the program that runs the tournament.
fn boards(watched: &Watched) -> Vec<Board> {
    let spec = &watched.tournament.spec;
    let is_running = watched.course == Course::Running;
    let board = |arena::Board { worker, place, game }: &arena::Board| Board {
        key: format!("{worker}.{place}"),
        number: game.number,
        names: game.agents.map(|agent| spec.agents.get(agent).map(|agent| agent.name.clone()).unwrap_or_default()),
        game: position(spec, game),
        record: record(spec, &game.start, &game.moves),
        plies: game.plies,
        left: left(game),
        running: (is_running && game.end.is_none()).then_some(game.turn),
        end: game.end.as_ref().map(|(result, ending)| BoardEnd { winner: winner(*result), ending: ending.clone() }),
    };
    watched.boards.iter().map(board).collect()
}

/// Returns the last position of a game as the position before it and the last move, so that the cost does not depend on
/// the length of the game.
fn position(spec: &Spec, game: &LiveGame) -> Game {
    let (start, moves) = match &game.last {
        Some((before, last)) => (before.clone(), vec![last.clone()]),
        None => (game.position.clone(), Vec::new()),
    };
    Game { game: spec.game.clone(), size: spec.size, start: Some(start), moves, limit: None }
}

/// Returns a game from its beginning; `None` if it was published by an older version, which does not publish the
/// beginning.
fn record(spec: &Spec, start: &str, moves: &[String]) -> Option<Game> {
    let start = Some(start.to_owned()).filter(|start| !start.is_empty())?;
    let (game, moves) = (spec.game.clone(), moves.to_vec());
    Some(Game { game, size: spec.size, start: Some(start), moves, limit: None })
}

/// Returns the remaining time of each side, in milliseconds.
fn left(game: &LiveGame) -> [Option<u64>; 2] {
    let mut left = game.clocks;
    if game.end.is_none() {
        left[game.turn] = left[game.turn].map(|left| left - game.thinking);
    }
    left.map(|left| left.map(|left| (left.max(0.0) * 1e3) as u64))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn unusual_rules_and_starts_are_named() {
        for (rules, expected) in [
            ("", ""),
            ("rules = 'nus'", ""),
            ("rules = 'mso'", "mso"),
            ("rules = 'openspiel'", "openspiel"),
            ("start = 'scrambled-eggs'", "scrambled-eggs"),
            ("rules = 'mso'\nstart = 'scrambled-eggs'", "scrambled-eggs mso"),
        ] {
            let agents = "[[agent]]\nname = 'a'\nbuiltin = 'level=1'\n[[agent]]\nname = 'b'\nbuiltin = 'level=2'";
            let spec = Spec::read(&format!("game = 'loa'\n{rules}\n{agents}"), Path::new("")).expect("a tournament");
            assert_eq!(variant(&spec), expected, "{rules}");
        }
    }
}
