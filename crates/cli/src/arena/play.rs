//! `plyhouse arena run` and `plyhouse arena resume`.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail, ensure};
use arena::{
    Affinity, Draft, Format, GameLog, HeldStore, Hold, Location, Means, OnFault, OpeningOrder, Openings, Scale, Spec,
    SprtSpec, Standings, Store, Tournament, Venue, Workers, entry,
};
use clap::{Args, ValueEnum};
use engine::Resources;
use games::GameId;
use ledger::Address;
use measure::bench;
use measure::progress::Bar;
use process::interrupt;
use rating::{Sprt, Verdict};

use super::confined::{self, SandboxOption};
use super::head::{print_head, with_head};
use super::options::{PlayOptions, StoreOption, TournamentOption};
use super::{agents, interruption, list, notices, rounds, show};
use crate::endgames;
use crate::options::processors;
use crate::work::speed::speed;
use crate::work::status::note_alone;

/// Play a tournament from a file, or between agents named on the command line
#[derive(Args)]
pub(super) struct RunOptions {
    /// Tournament file (TOML); `docs/arena.md` describes its fields
    file: Option<PathBuf>,
    /// Agent: `[NAME=]DIALECT:COMMAND`, `builtin:level=5`, or a folder with an `agent.toml`; may be repeated
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    sandbox: SandboxOption,
    #[command(flatten)]
    store: StoreOption,
    #[command(flatten)]
    play: PlayOptions,
}

/// Settings of a tournament on the command line, which override those of the file.
#[derive(Args)]
pub(super) struct Overrides {
    /// Game
    #[arg(long, value_parser = crate::options::game())]
    game: Option<GameId>,
    /// Size of the board, in squares per side
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Format, which determines the pairs of agents that meet
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Number of games between two agents that meet: even, or 1 in a Swiss tournament
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Number of rounds of a Swiss tournament; defaults to the base-2 logarithm of the number of agents
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Number of random moves at the start of each game
    #[arg(long, value_name = "PLIES")]
    opening: Option<u32>,
    /// File of openings, instead of random moves: position texts, move lists, or games as SGF
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order in which the openings of the file are used
    #[arg(long, value_enum)]
    openings_order: Option<OrderName>,
    /// Number of moves after which each opening of the file is cut off
    #[arg(long, value_name = "PLIES")]
    openings_plies: Option<u32>,
    /// Seed of the openings and of random moves
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Number of moves of both sides together after which a game is drawn
    #[arg(long, value_name = "MOVES")]
    move_limit: Option<u32>,
    /// Number of occurrences of a position after which the game is drawn
    #[arg(long, value_name = "N")]
    repetitions: Option<u32>,
    /// Rule set of the game: in Lines of Action `cs61b`, `nus`, `mso` or `openspiel`
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Start position: in Lines of Action `scrambled-eggs`
    #[arg(long, value_name = "NAME")]
    start: Option<String>,
    /// Time for each move, in seconds; defaults to 5, or to 3 for `nus` agents, as in their competition
    #[arg(long, value_name = "SECONDS")]
    move_time: Option<f64>,
    /// Time for all moves of a game, in seconds
    #[arg(long, value_name = "SECONDS")]
    game_time: Option<f64>,
    /// Time added after each move, in seconds
    #[arg(long, value_name = "SECONDS")]
    increment: Option<f64>,
    /// Tolerated delay of an answer after its time limit, in seconds
    #[arg(long, value_name = "SECONDS")]
    margin: Option<f64>,
    /// Log the lines exchanged with agents, in one file per game, in this folder
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Assign separate processor cores to each game
    #[arg(long)]
    affinity: bool,
    /// End a match as soon as a sequential test decides between these two values of normalised Elo, with error rates
    /// of 5 %; append `,alpha=A`, `,beta=B` or `,model=logistic` for other rates or the logistic model
    #[arg(long, value_name = "ELO0,ELO1", value_parser = crate::matches::sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Consequence of a fault; defaults to `lose`, or to `random` for `nus` agents, as in their competition
    #[arg(long, value_enum)]
    after_fault: Option<FaultName>,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    /// Each agent plays every other agent
    RoundRobin,
    /// The first agent plays all others
    Gauntlet,
    /// Two agents play each other
    Match,
    /// Each round pairs agents with similar points that have not met before
    Swiss,
    /// The loser of a bout is eliminated; agents are seeded in the given order
    Knockout,
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderName {
    /// Order of the file
    Sequential,
    /// Random order, derived from the seed
    Random,
}

#[derive(Clone, Copy, ValueEnum)]
enum FaultName {
    /// The agent loses the game
    Lose,
    /// A random legal move replaces the agent's
    Random,
}

/// Resume an interrupted tournament
#[derive(Args)]
pub(super) struct ResumeOptions {
    #[command(flatten)]
    target: TournamentOption,
    /// Resume even if files of agents have changed
    #[arg(long)]
    accept_changes: bool,
    /// Replay damaged games, which otherwise do not count
    #[arg(long)]
    replay_damaged: bool,
    #[command(flatten)]
    sandbox: SandboxOption,
    #[command(flatten)]
    play: PlayOptions,
}

impl Overrides {
    /// Applies the overrides to a draft.
    fn apply(&self, draft: &mut Draft) -> std::io::Result<()> {
        fn set<T: Clone>(field: &mut T, value: Option<&T>) {
            if let Some(value) = value {
                field.clone_from(value);
            }
        }
        let Draft { spec, named } = draft;
        set(&mut spec.game, self.game.map(|game| game.to_string()).as_ref());
        set(&mut spec.games, self.games.as_ref());
        set(&mut spec.opening, self.opening.as_ref());
        set(&mut spec.seed, self.seed.as_ref());
        set(&mut spec.move_limit, self.move_limit.as_ref());
        set(&mut spec.time.increment, self.increment.as_ref());
        set(&mut spec.time.margin, self.margin.as_ref());
        if let Some(file) = &self.openings {
            spec.openings = Some(Openings::File(std::path::absolute(file)?));
        }
        if let Some(order) = self.openings_order {
            spec.openings_order = match order {
                OrderName::Sequential => OpeningOrder::Sequential,
                OrderName::Random => OpeningOrder::Random,
            };
        }
        spec.openings_plies = self.openings_plies.or(spec.openings_plies);
        spec.rules = self.rules.clone().or(spec.rules.take());
        spec.start = self.start.clone().or(spec.start.take());
        named.move_limit |= self.move_limit.is_some();
        if let Some(folder) = &self.log {
            spec.log = Some(std::path::absolute(folder)?);
        }
        if self.affinity && spec.affinity == Affinity::All(false) {
            spec.affinity = Affinity::All(true);
        }
        spec.size = self.size.or(spec.size);
        spec.rounds = self.rounds.or(spec.rounds);
        spec.sprt = self.sprt.map(SprtSpec).or(spec.sprt);
        spec.repetitions = self.repetitions.or(spec.repetitions);
        if self.move_time.is_some() || self.game_time.is_some() {
            (spec.time.per_move, spec.time.per_game) = (self.move_time, self.game_time);
            named.time = true;
        }
        spec.format = match self.format {
            None => spec.format,
            Some(FormatName::RoundRobin) => Format::RoundRobin,
            Some(FormatName::Gauntlet) => Format::Gauntlet,
            Some(FormatName::Match) => Format::Match,
            Some(FormatName::Swiss) => Format::Swiss,
            Some(FormatName::Knockout) => Format::Knockout,
        };
        named.after_fault |= self.after_fault.is_some();
        spec.after_fault = match self.after_fault {
            None => spec.after_fault,
            Some(FaultName::Lose) => OnFault::Lose,
            Some(FaultName::Random) => OnFault::Random,
        };
        Ok(())
    }
}

/// Builds the specification from the file and the command line.
fn spec(options: &RunOptions) -> anyhow::Result<Spec> {
    let mut draft = match &options.file {
        None => Draft::new(
            options.overrides.game.context("no tournament given: expected a file, or --game and --agent")?.name(),
        ),
        Some(file) => {
            let read = || {
                let text = std::fs::read_to_string(file)?;
                let here = std::path::absolute(file)?;
                anyhow::Ok(Draft::read(&text, here.parent().unwrap_or(Path::new(".")))?)
            };
            read().with_context(|| format!("file {}", file.display()))?
        }
    };
    options.overrides.apply(&mut draft)?;
    let agents = &mut draft.spec.agents;
    for text in &options.agents {
        let mut agent = agents::parse(text)?;
        let taken = |name: &str| agents.iter().any(|other| other.name == name);
        if taken(&agent.name) {
            let numbered = (2..=agents.len() + 1).map(|n| format!("{} ({n})", agent.name)).find(|name| !taken(name));
            agent.name = numbered.unwrap_or(agent.name);
        }
        agents.push(agent);
    }
    Ok(draft.finish()?)
}

pub(super) fn run(options: &RunOptions, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut spec = spec(options)?;
    spec.sandbox = options.sandbox.sandbox.or(spec.sandbox);
    // Errors must surface before anything is written. The lock comes before writes and builds, because another process
    // may be playing.
    let resources = resources(&spec)?;
    let location = &options.store.location;
    workers(location, &options.play)?;
    let mut venue = confined::venue(&mut spec, resources, hidden(location))?;
    scale(&mut spec, &mut venue)?;
    let games = arena::games(&spec, &venue)?;
    let hold = Hold::take(location)?;
    let entrants = entry::prepare(&spec, &venue)?;
    // Programs outside the agents' folders must exist on the workers, but not on this machine.
    if !options.play.hand_out {
        agents::check_commands(&spec, &venue)?;
    }
    let mut store = Store::open(location)?;
    let id = store.begin(&spec, games.planned(), &entrants)?;
    let tournament = store.tournament(Some(id))?;
    play(HeldStore::new(location.clone(), store, hold), location, &tournament, &venue, &options.play, out)
}

/// Returns the database whose workers play; `None` if this machine plays.
fn workers<'a>(location: &'a Location, options: &PlayOptions) -> anyhow::Result<Option<&'a Address>> {
    let address = location.address().filter(|_| options.hand_out);
    ensure!(
        address.is_some() || !options.hand_out,
        "--hand-out: the store {location} is a file, expected `--store postgres://…` so that workers can reach it"
    );
    Ok(address)
}

/// Measures the speed of this machine if time limits scale with it.
fn scale(spec: &mut Spec, venue: &mut Venue) -> anyhow::Result<()> {
    if spec.scale == Scale::Own(false) {
        return Ok(());
    }
    let speed = speed()?;
    if spec.scale == Scale::Own(true) {
        spec.scale = Scale::Speed(speed.round());
    }
    venue.speed = Some(speed);
    Ok(())
}

/// Returns the files to hide from agents.
fn hidden(store: &Location) -> Vec<PathBuf> {
    store.file().map(Path::to_owned).into_iter().collect()
}

/// Loads the endgame tables that built-in engines may use in a tournament.
fn resources(spec: &Spec) -> anyhow::Result<Resources> {
    match spec.game.parse() {
        Ok(game) => endgames::load(game),
        Err(_) => Ok(Resources::default()),
    }
}

pub(super) fn resume(options: &ResumeOptions, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let TournamentOption { store: StoreOption { location }, tournament } = &options.target;
    workers(location, &options.play)?;
    let mut store = Store::existing(location)?;
    let hold = Hold::take(location)?;
    let tournament = match tournament {
        Some(_) => store.tournament(*tournament)?,
        None => unfinished(&store)?,
    };
    if !options.play.quiet && !options.play.json {
        let (id, name, done) = (tournament.id, &tournament.spec.name, store.done(tournament.id)?.len());
        writeln!(out, "tournament {id}, {name}: {done} of {} games already played\n", tournament.planned)?;
        out.flush()?;
    }
    ensure!(!tournament.is_changed, "{}", notices::changed_header(&tournament));
    for (agent, entrant) in tournament.spec.agents.iter().zip(&tournament.entrants) {
        agents::compare(agent, entrant, options.accept_changes)?;
    }
    if options.replay_damaged {
        let damaged = store.each(tournament.id, |_| Ok::<_, arena::StoreError>(()))?;
        store.set_aside(tournament.id, &damaged)?;
    }
    if let (Some(recorded), Some(asked)) = (tournament.spec.sandbox, options.sandbox.sandbox) {
        let why = "all games of a tournament are played in the sandbox that its record names";
        ensure!(recorded == asked, "sandbox {asked}: expected {recorded}, because {why}");
    }
    let mut spec = Spec { sandbox: options.sandbox.sandbox.or(tournament.spec.sandbox), ..tournament.spec.clone() };
    let resources = resources(&spec)?;
    let mut venue = confined::venue(&mut spec, resources, hidden(location))?;
    scale(&mut spec, &mut venue)?;
    if !options.play.hand_out {
        agents::check_commands(&spec, &venue)?;
    }
    let tournament = Tournament { spec, ..tournament };
    play(HeldStore::new(location.clone(), store, hold), location, &tournament, &venue, &options.play, out)
}

/// Returns the tournament to resume: the only unfinished one, or the latest if all are finished.
fn unfinished(store: &Store) -> anyhow::Result<Tournament> {
    let mut candidates = Vec::new();
    for id in store.tournaments()? {
        // A damaged tournament must not block the others; `arena list` reports it.
        if let Ok(Some(line)) = list::describe_unfinished(store, id) {
            candidates.push((id, line));
        }
    }
    if candidates.len() > 1 {
        let lines: Vec<String> = candidates.iter().map(|(_, line)| format!("\n  --tournament {line}")).collect();
        bail!("several tournaments are unfinished, expected one of:{}", lines.concat());
    }
    Ok(store.tournament(candidates.pop().map(|(id, _)| id))?)
}

/// Plays the remaining games, then prints the standings.
fn play(
    mut held: HeldStore,
    location: &Location,
    tournament: &Tournament,
    venue: &Venue,
    options: &PlayOptions,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let spec = &tournament.spec;
    let mut standings = show::read(&held.store, tournament)?;
    let planned = u64::from(tournament.planned);
    let every = options.every(planned);
    let bar = Bar::new(options.quiet || options.json, standings.played() as u64);
    let decided = |standings: &Standings| {
        spec.sprt.is_some_and(|SprtSpec(test)| test.verdict(&standings.tally(0, 1)) != Verdict::Open)
    };
    if !decided(&standings) {
        interruption::print_standings_on_interrupt(location, tournament, options);
        let jobs = processors(options.jobs.or(spec.jobs.map(|n| n as u64))).min(Spec::MOST_JOBS);
        let (mut at_fault, mut withdrawn, mut is_overloaded) = (BTreeSet::new(), BTreeSet::new(), false);
        let watch = &mut |game: &GameLog| {
            standings.add(game);
            if !options.quiet && !options.json {
                bar.clear();
                notices::report_overload(tournament, game, &mut is_overloaded);
                notices::report_first_faults(tournament, game, &mut at_fault);
                notices::report_withdrawn(tournament, &standings, game, &mut withdrawn);
            }
            if options.json {
                writeln!(out, "{}", serde_json::to_string(game)?)?;
                out.flush()?;
            }
            let done = standings.played() as u64;
            let planned = rounds::planned(tournament, &standings);
            let decided = decided(&standings);
            if done < planned && !decided && every.is_some_and(|every| done.is_multiple_of(every)) {
                bar.clear();
                show::print(tournament, &standings, out).map_err(into_io)?;
                writeln!(out)?;
                out.flush()?;
            }
            bar.show(done, planned, &format!("{done}/{planned} games"));
            Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let done = match workers(location, options)? {
            None => {
                let means = Means { jobs, venue, remote: None, stop: &AtomicBool::new(false) };
                arena::run((&mut held.store, &held.hold), tournament, means, watch)
            }
            Some(address) => {
                let alone = &mut || note_alone(address);
                let workers = Workers { address, build: &bench::build(), alone };
                arena::hand_out(&mut held, tournament, venue, workers, watch)
            }
        };
        interrupt::wait_if_ending();
        // The standings are printed below, so an interrupt need not print them.
        interrupt::before_end(|| ());
        bar.clear();
        done?;
        // Reconnects if the connection was lost.
        held.ask(|store| Ok(store.head(tournament.id)?))?;
    }
    match (options.json, options.quiet) {
        (true, _) => {
            writeln!(out, "{}", with_head(show::json(tournament, &standings), &held.store, tournament)?)?;
        }
        (false, false) => {
            show::print(tournament, &standings, out)?;
            print_head(&held.store, tournament, out)?;
        }
        (false, true) => (),
    }
    let failed = standings.void() > 0 || !standings.all_withdrawn().is_empty();
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Converts an error from printing, and preserves I/O errors: a closed pipe is not a failure.
fn into_io(error: anyhow::Error) -> std::io::Error {
    error.downcast().unwrap_or_else(std::io::Error::other)
}
