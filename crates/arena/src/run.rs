//! Plays tournaments: several games at the same time, each saved as soon as it ends.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use ledger::{LedgerError, MOST_FAILURES};
use process::interrupt;
use protocol::dialects::Speaks;
use thiserror::Error;

use crate::agenda::{Agenda, Arbiter, Guard};
use crate::live::Publisher;
use crate::live::{Bulletin, Showcase};
use crate::log::{GameLog, ResultLog};
use crate::machine::describe;
use crate::openings::Openings;
use crate::outsource::{Ended, Outsourced};
use crate::plan::{Plan, PlanError};
use crate::play::{Cores, Finished, GameRunner, cores};
use crate::players::Venue;
use crate::remote::RemoteGames;
use crate::spec::{OnFault, Spec};
use crate::starts::Starts;
use crate::store::error::StoreError;
use crate::store::hold::Hold;
use crate::store::{Damaged, Store, Tournament};

/// Errors of playing a tournament.
#[derive(Debug, Error)]
pub enum RunError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game or a player of the specification does not exist.
    #[error("tournament: {0}")]
    Spec(String),
    /// The games cannot be planned.
    #[error("tournament: {0}")]
    Plan(PlanError),
    /// The store has a game that does not follow from the specification and the other games.
    #[error(
        "game {0}: it does not follow from the specification and the results of the other games; it was played by another \
         version, or the store has been changed"
    )]
    Stray(u32),
    /// A damaged game, whose result the next pairings need.
    #[error("{0}; the next round cannot be paired without its result")]
    Damaged(Damaged),
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The tournament cannot be handed out to workers.
    #[error("{0}")]
    Terms(String),
    /// Games that were set aside because too many workers failed to play them.
    #[error("{}", aside(.0))]
    Aside(Vec<(u32, String)>),
    /// The caller's `watch` function failed.
    #[error(transparent)]
    Watcher(#[from] std::io::Error),
}

impl RunError {
    /// Returns `true` if a connection was lost, so that a retry with a new one may succeed.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Store(error) => error.is_lost(),
            Self::Ledger(error) => error.may_pass(),
            _ => false,
        }
    }
}

/// Returns the message about games that were set aside.
fn aside(games: &[(u32, String)]) -> String {
    let (number, why) = games.first().map_or((0, ""), |(number, why)| (*number, why.as_str()));
    let others = if games.len() > 1 { format!(" (and {} more)", games.len() - 1) } else { String::new() };
    format!(
        "game {number}{others} was set aside, because {MOST_FAILURES} workers could not play it: {why}; `resume` offers \
         it again"
    )
}

/// Plans the games of a specification that are known before the first one is played. Checks every agent and opening.
///
/// # Errors
/// If the game or an agent does not exist, or there are not enough openings.
pub fn games(spec: &Spec, venue: &Venue) -> Result<Plan, RunError> {
    spec.new_game(0).map_err(RunError::Spec)?;
    if let Some(Openings::List(lines)) = &spec.openings {
        (0..lines.len() as u64).try_for_each(|number| spec.new_game(number).map(drop)).map_err(RunError::Spec)?;
    }
    let has_setup = spec.start.is_some() || spec.openings.as_ref().is_some_and(Openings::has_setups);
    for agent in &spec.agents {
        let named = |why| format!("agent `{}`: {why}", agent.name);
        let player = spec.player(agent, venue).map_err(|why| RunError::Spec(named(why)))?;
        let speaks = agent.dialect.as_deref().and_then(|dialect| dialect.parse::<Speaks>().ok());
        if has_setup && speaks.is_some_and(|speaks| !speaks.sets_up()) {
            let why =
                "its dialect begins every game with the usual start, but `start` or `openings` has another position";
            return Err(RunError::Spec(named(why.to_owned())));
        }
        if spec.after_fault == OnFault::Random && !player.can_be_replaced() {
            let why = "its dialect does not send whole positions, so no random move can replace the agent's own; \
                       use `after_fault = \"lose\"`";
            return Err(RunError::Spec(named(why.to_owned())));
        }
    }
    let opening = |seed| spec.new_game(seed).map(|game| game.position()).unwrap_or_default();
    Plan::new(spec, opening).map_err(RunError::Plan)
}

/// The means by which the games of a tournament are played.
pub struct Means<'a, 'remote> {
    /// Number of games that this machine plays at the same time: at least 1, or any number if there are workers.
    pub jobs: usize,
    /// The environment on this machine.
    pub venue: &'a Venue,
    /// Workers that play games, too.
    pub remote: Option<&'a mut RemoteGames<'remote>>,
    /// Flag that cancels the games in play. They end after the move in progress, and are not saved.
    pub stop: &'a AtomicBool,
}

/// Plays the remaining games of a tournament. `watch` receives each game after it was saved, and may stop the
/// tournament; unfinished games are then discarded. `hold` is the reservation of the store. Other programs can follow
/// the games with a [`Follower`](crate::follow::Follower).
///
/// # Errors
/// If the game or an agent does not exist, or the store fails. Saved games are kept.
pub fn run(
    (store, hold): (&mut Store, &Hold),
    tournament: &Tournament,
    means: Means<'_, '_>,
    watch: &mut dyn FnMut(&GameLog) -> std::io::Result<ControlFlow<()>>,
) -> Result<(), RunError> {
    let Means { jobs, venue, remote, stop } = means;
    let spec = &tournament.spec.scaled(venue.speed);
    let arbiter = &Arbiter::new(agenda(store, tournament, venue)?);
    let jobs = if remote.is_some() { jobs } else { jobs.max(1) };
    let cores = cores(&spec.affinity, jobs).map_err(RunError::Spec)?;
    let showcase = &Showcase::default();
    let is_stopped = &|| stop.load(Ordering::Relaxed) || arbiter.is_stopped();
    let runner = GameRunner { spec, venue, tournament: tournament.id, is_stopped, showcase };
    let (sender, receiver) = mpsc::sync_channel::<Result<Ended, String>>(jobs.max(1));
    let bulletin = Bulletin { tournament: tournament.id, jobs, ..Bulletin::default() };
    thread::scope(|scope| {
        let _publisher = Publisher::start(scope, hold, bulletin, showcase);
        for job in 0..jobs {
            let (sender, runner) = (sender.clone(), &runner);
            let cores = cores.as_ref().map(|cores| &cores[job]);
            scope.spawn(move || work(runner, cores, arbiter, &sender));
        }
        if let Some(remote) = remote {
            let (tournament, has_own, sender) = (tournament.id, jobs > 0, sender.clone());
            let outsourced = Outsourced { spec, tournament, arbiter, showcase, is_stopped, has_own, sender };
            scope.spawn(move || outsourced.hand_out(remote));
        }
        drop(sender);
        let machine = describe(tournament.spec.pace(venue.speed));
        let done = receive((store, tournament.id, &machine), &receiver, arbiter, watch);
        arbiter.stop();
        // Unfinished games stop after their next move. Once the receiver is dropped, no thread blocks on the channel.
        drop(receiver);
        done
    })
}

/// Returns the agenda of a stored tournament.
pub(crate) fn agenda(store: &Store, tournament: &Tournament, venue: &Venue) -> Result<Agenda, RunError> {
    let spec = &tournament.spec;
    let mut plan = games(spec, venue)?;
    let (mut results, mut starts) = (BTreeMap::new(), Starts::default());
    let damaged = store.each(tournament.id, |game| {
        results.insert(game.planned.number, (game.planned.agents, game.result));
        starts.record(&game);
        Ok::<_, StoreError>(())
    })?;
    for game in damaged {
        // A damaged game is not played again. Without rounds, no pairing depends on its result, so any result is valid
        // here.
        match plan.game(game.number).filter(|_| !spec.format.has_rounds()) {
            Some(planned) => results.insert(game.number, (planned.agents, ResultLog::Draw)),
            None => return Err(RunError::Damaged(game)),
        };
    }
    plan.record(results);
    match plan.rounds().stray() {
        Some(number) => Err(RunError::Stray(number)),
        None => Ok(Agenda::new(plan).with_starts(starts)),
    }
}

fn work(
    runner: &GameRunner<'_>,
    cores: Option<&Cores>,
    arbiter: &Arbiter,
    sender: &mpsc::SyncSender<Result<Ended, String>>,
) {
    let _guard = Guard(arbiter);
    while let Some(planned) = arbiter.next() {
        let finished = match arbiter.absent(&planned) {
            None => runner.play(planned, cores),
            Some(absent) => Finished::forfeit(runner.spec, planned, absent).map(Some),
        };
        match finished.transpose() {
            // The games were cancelled. The threads that wait for a game must end, too.
            None => return arbiter.stop(),
            Some(finished) => {
                if sender.send(finished.map(Ended::here)).is_err() {
                    return;
                }
            }
        }
    }
}

fn receive(
    (store, tournament, machine): (&mut Store, i64, &str),
    games: &mpsc::Receiver<Result<Ended, String>>,
    arbiter: &Arbiter,
    watch: &mut dyn FnMut(&GameLog) -> std::io::Result<ControlFlow<()>>,
) -> Result<(), RunError> {
    for ended in games {
        // An interrupt kills agents during their games. These games are discarded, so no agent is charged with a loss.
        if interrupt::is_ending() {
            break;
        }
        let log = match ended.map_err(RunError::Spec)? {
            Ended::Away(log) => *log,
            Ended::Here(finished) => {
                let at = store.ago(finished.took).map_err(|error| error.unsaved(finished.planned.number))?;
                finished.log(at, machine)
            }
        };
        store.save(tournament, &log)?;
        arbiter.finish(&log);
        if watch(&log)?.is_break() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
