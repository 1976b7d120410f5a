//! `plyhouse arena run` and `plyhouse arena resume`.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use arena::{
    Affinity, Draft, Format, GameLog, HeldStore, Hold, Location, OnFault, OpeningOrder, Openings, Rules, Scale, Spec,
    SprtSpec, Standings, Store, Tournament, Venue, Workers,
};
use clap::{Args, ValueEnum};
use engine::Resources;
use games::GameId;
use ledger::Address;
use measure::bench;
use process::interrupt;
use rating::{Sprt, Verdict};

use super::confined::{self, SandboxOption};
use super::{StoreOption, Where, agents, farewell, list, notices, print_head, rounds, show};
use crate::endgames;
use crate::options::processors;
use crate::progress::Bar;
use crate::work::{note_alone, speed};

/// Play a tournament of a file, or of agents on the command line
#[derive(Args)]
pub(super) struct RunOptions {
    /// The tournament as a TOML file; `docs/arena.md` has the fields
    file: Option<PathBuf>,
    /// An agent: `[NAME=]DIALECT:COMMAND`, `builtin:level=5`, or a folder with an `agent.toml`; give as many as you
    /// like
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    sandbox: SandboxOption,
    #[command(flatten)]
    store: StoreOption,
    #[command(flatten)]
    talk: Talk,
}

/// Settings of a tournament on the command line. They override the file.
#[derive(Args)]
pub(super) struct Changes {
    /// The game
    #[arg(long, value_parser = crate::options::game())]
    game: Option<GameId>,
    /// Squares a side
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// The pairs of agents that play
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Games of each pair of agents that meet, an even number; 1 is possible in a Swiss
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Rounds of a Swiss; by default the logarithm of the number of agents to base 2
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Random moves that begin each game
    #[arg(long, value_name = "PLIES")]
    opening: Option<u32>,
    /// A file of openings instead: position texts, move lists, or games as SGF
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The order of the file's openings
    #[arg(long, value_enum)]
    openings_order: Option<OrderName>,
    /// Moves after which each of the file's openings is cut off
    #[arg(long, value_name = "PLIES")]
    openings_plies: Option<u32>,
    /// Seed of openings and random moves
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Moves of both sides together after which a game is drawn
    #[arg(long, value_name = "MOVES")]
    move_limit: Option<u32>,
    /// The game is drawn when a position occurs this many times
    #[arg(long, value_name = "N")]
    repetitions: Option<u32>,
    /// The draws of another program's rules
    #[arg(long, value_enum)]
    rules: Option<RulesName>,
    /// Seconds for a move; 5 by default, 3 for `nus` agents as in their competition
    #[arg(long, value_name = "SECONDS")]
    move_time: Option<f64>,
    /// Seconds for all moves of a game
    #[arg(long, value_name = "SECONDS")]
    game_time: Option<f64>,
    /// Seconds that each move adds
    #[arg(long, value_name = "SECONDS")]
    increment: Option<f64>,
    /// Seconds over the limit that are no fault
    #[arg(long, value_name = "SECONDS")]
    margin: Option<f64>,
    /// Write everything that is said in each game to a file in this folder
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Give each game processor cores of its own
    #[arg(long)]
    affinity: bool,
    /// Stop a match as soon as a sequential test decides between these two values of normalised Elo (errors 5 % each);
    /// `,alpha=A`, `,beta=B` and `,model=logistic` change that
    #[arg(long, value_name = "ELO0,ELO1", value_parser = crate::matches::sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// The consequence of a fault; `lose` by default, `random` for `nus` agents as in their competition
    #[arg(long, value_enum)]
    after_fault: Option<FaultName>,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    /// Each agent plays every other one
    RoundRobin,
    /// The first agent plays all others
    Gauntlet,
    /// Two agents play each other
    Match,
    /// In each round, agents with about the same points play each other, and never the same two again
    Swiss,
    /// An agent that loses a bout is out; the order of the agents is that of their seeds
    Knockout,
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderName {
    /// That of the file
    Sequential,
    /// A random one, from the seed
    Random,
}

#[derive(Clone, Copy, ValueEnum)]
enum RulesName {
    /// OpenSpiel's and Kaggle's for Lines of Action: a board that occurs twice is a draw, and so are 1000 moves
    Openspiel,
}

#[derive(Clone, Copy, ValueEnum)]
enum FaultName {
    /// The agent loses the game
    Lose,
    /// A random legal move replaces the agent's
    Random,
}

/// Continue a tournament that was interrupted: the one that is not finished
#[derive(Args)]
pub(super) struct ResumeOptions {
    #[command(flatten)]
    place: Where,
    /// Continue even if files of agents have changed
    #[arg(long)]
    accept_changes: bool,
    /// Play damaged games again. Without this they stay as they are, and do not count
    #[arg(long)]
    replay_damaged: bool,
    #[command(flatten)]
    sandbox: SandboxOption,
    #[command(flatten)]
    talk: Talk,
}

/// How games are run and what is printed.
#[derive(Args)]
pub(super) struct Talk {
    /// Let workers on other machines play, which this store gives the games to (see `plyhouse work`)
    #[arg(long, conflicts_with = "jobs")]
    pub(super) hand_out: bool,
    /// Games at the same time; by default one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(super) jobs: Option<u64>,
    /// Print the standings after each N games, too; by default, on a terminal, after each tenth of the tournament, at
    /// least ten games apart
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["quiet", "json"])]
    every: Option<u64>,
    /// Print nothing
    #[arg(long)]
    pub(super) quiet: bool,
    /// Print each finished game as a line of JSON, and the standings as the last line
    #[arg(long)]
    pub(super) json: bool,
}

impl Changes {
    /// Changes a tournament.
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
        if let Some(RulesName::Openspiel) = self.rules {
            spec.rules = Some(Rules::OpenSpiel);
        }
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

fn spec(options: &RunOptions) -> anyhow::Result<Spec> {
    let mut draft = match &options.file {
        None => Draft::new(options.changes.game.context("no tournament: give a file, or --game and --agent")?.name()),
        Some(file) => {
            let read = || {
                let text = std::fs::read_to_string(file)?;
                let here = std::path::absolute(file)?;
                anyhow::Ok(Draft::read(&text, here.parent().unwrap_or(Path::new(".")))?)
            };
            read().with_context(|| format!("file {}", file.display()))?
        }
    };
    options.changes.apply(&mut draft)?;
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
    // Every error is found before anything is written, and nothing is written or built while another process plays.
    let resources = resources(&spec)?;
    let location = &options.store.location;
    workers(location, &options.talk)?;
    let mut venue = confined::venue(&mut spec, resources, hidden(location))?;
    scale(&mut spec, &mut venue)?;
    let games = arena::games(&spec, &venue)?;
    let hold = Hold::take(location)?;
    let entrants = agents::prepare(&spec, &venue)?;
    // Programs that lie outside of an agent's folder need not exist where games are only handed out.
    if !options.talk.hand_out {
        agents::check_commands(&spec, &venue)?;
    }
    let mut store = Store::open(location)?;
    let id = store.begin(&spec, games.planned(), &entrants)?;
    let tournament = store.tournament(Some(id))?;
    go_on(HeldStore::new(location.clone(), store, hold), location, &tournament, &venue, &options.talk, out)
}

/// Where the workers are that should play; `None` if this machine does.
fn workers<'a>(location: &'a Location, talk: &Talk) -> anyhow::Result<Option<&'a Address>> {
    let address = location.address().filter(|_| talk.hand_out);
    ensure!(
        address.is_some() || !talk.hand_out,
        "--hand-out: the store {location} is a file, expected `--store postgres://…`, which workers can reach"
    );
    Ok(address)
}

/// Measures this machine if times depend on its speed.
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

/// The files that no agent may see.
fn hidden(store: &Location) -> Vec<PathBuf> {
    store.file().map(Path::to_owned).into_iter().collect()
}

/// The large data that our engines may use in a tournament.
fn resources(spec: &Spec) -> anyhow::Result<Resources> {
    match spec.game.parse() {
        Ok(game) => endgames::load(game),
        Err(_) => Ok(Resources::default()),
    }
}

pub(super) fn resume(options: &ResumeOptions, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Where { store: StoreOption { location }, tournament } = &options.place;
    workers(location, &options.talk)?;
    let mut store = Store::existing(location)?;
    let hold = Hold::take(location)?;
    let tournament = match tournament {
        Some(_) => store.tournament(*tournament)?,
        None => unfinished(&store)?,
    };
    if !options.talk.quiet && !options.talk.json {
        let (id, name, done) = (tournament.id, &tournament.spec.name, store.done(tournament.id)?.len());
        writeln!(out, "tournament {id}, {name}: {done} of {} games already played\n", tournament.planned)?;
        out.flush()?;
    }
    ensure!(!tournament.is_changed, "{}", super::changed(&tournament));
    for (agent, entrant) in tournament.spec.agents.iter().zip(&tournament.entrants) {
        agents::compare(agent, entrant, options.accept_changes)?;
    }
    if options.replay_damaged {
        let damaged = store.each(tournament.id, |_| Ok::<_, arena::StoreError>(()))?;
        store.set_aside(tournament.id, &damaged)?;
    }
    if let (Some(recorded), Some(asked)) = (tournament.spec.sandbox, options.sandbox.sandbox) {
        let why = "all games of a tournament are played in the same sandbox, since its record names it";
        ensure!(recorded == asked, "sandbox {asked}: {why}: expected {recorded}");
    }
    let mut spec = Spec { sandbox: options.sandbox.sandbox.or(tournament.spec.sandbox), ..tournament.spec.clone() };
    let resources = resources(&spec)?;
    let mut venue = confined::venue(&mut spec, resources, hidden(location))?;
    scale(&mut spec, &mut venue)?;
    if !options.talk.hand_out {
        agents::check_commands(&spec, &venue)?;
    }
    let tournament = Tournament { spec, ..tournament };
    go_on(HeldStore::new(location.clone(), store, hold), location, &tournament, &venue, &options.talk, out)
}

/// The tournament to continue: the only one that is not finished, or the latest if all are.
fn unfinished(store: &Store) -> anyhow::Result<Tournament> {
    let mut open = Vec::new();
    for id in store.tournaments()? {
        // A damaged tournament must not keep the others from going on; `arena list` names it.
        if let Ok(Some(line)) = list::open(store, id) {
            open.push((id, line));
        }
    }
    if open.len() > 1 {
        let lines: Vec<String> = open.iter().map(|(_, line)| format!("\n  --tournament {line}")).collect();
        bail!("several tournaments are not finished; say which to continue:{}", lines.concat());
    }
    Ok(store.tournament(open.pop().map(|(id, _)| id))?)
}

fn go_on(
    mut held: HeldStore,
    location: &Location,
    tournament: &Tournament,
    venue: &Venue,
    talk: &Talk,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let spec = &tournament.spec;
    let mut standings = show::read(&held.store, tournament)?;
    let planned = u64::from(tournament.planned);
    let every = talk.every(planned);
    let bar = Bar::new(talk.quiet || talk.json, standings.played() as u64);
    let decided = |standings: &Standings| {
        spec.sprt.is_some_and(|SprtSpec(test)| test.verdict(&standings.tally(0, 1)) != Verdict::Open)
    };
    if !decided(&standings) {
        farewell::prepare(location, tournament, talk);
        let jobs = processors(talk.jobs.or(spec.jobs.map(|n| n as u64))).min(Spec::MOST_JOBS);
        let (mut at_fault, mut withdrawn, mut is_overloaded) = (BTreeSet::new(), BTreeSet::new(), false);
        let watch = &mut |game: &GameLog| {
            standings.add(game);
            if !talk.quiet && !talk.json {
                bar.clear();
                notices::name_pressure(tournament, game, &mut is_overloaded);
                notices::name_faults(tournament, game, &mut at_fault);
                notices::name_withdrawn(tournament, &standings, game, &mut withdrawn);
            }
            if talk.json {
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
        let done = match workers(location, talk)? {
            None => arena::run((&mut held.store, &held.hold), tournament, jobs, venue, watch),
            Some(address) => {
                let alone = &mut || note_alone(address);
                let workers = Workers { address, build: &bench::build(), alone };
                arena::hand_out(&mut held, tournament, venue, workers, watch)
            }
        };
        interrupt::wait_if_ending();
        // From here on the end is near anyway.
        interrupt::before_end(|| ());
        bar.clear();
        done?;
        // The last connection may be gone by now.
        held.ask(|store| Ok(store.head(tournament.id)?))?;
    }
    match (talk.json, talk.quiet) {
        (true, _) => {
            writeln!(out, "{}", show::with_head(show::json(tournament, &standings), &held.store, tournament)?)?;
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

/// An error of printing. A closed pipe must stay one, because it is no failure.
fn into_io(error: anyhow::Error) -> std::io::Error {
    error.downcast().unwrap_or_else(std::io::Error::other)
}

impl Talk {
    /// The number of games after which the standings are printed.
    fn every(&self, planned: u64) -> Option<u64> {
        /// Fewer games change little.
        const LEAST: u64 = 10;
        let on_terminal = !self.quiet && !self.json && std::io::stdout().is_terminal();
        self.every.or(on_terminal.then_some(planned.div_ceil(10).max(LEAST)))
    }
}
