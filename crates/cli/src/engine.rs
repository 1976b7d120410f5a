//! `plyhouse engine`.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use clap::Args;
use console::ugi::{Machine, Most, NULL_MOVE, Reply, Setting, info};
use engine::{PlayerOptions, Resources};
use games::{AnyEngine, AnyRecord, GameId};
use search::{Choice, Control, Limits, Progress, Stop};

use crate::endgames;
use crate::input::Lines;
use crate::options::{free_memory, processors};

/// Run as an engine with the Universal Game Interface on standard input and output
#[derive(Args)]
#[command(after_long_help = PlayerOptions::help())]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::game())]
    game: GameId,
    /// Squares per side of `position startpos`
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Settings of the engine, such as `level=5`; `--help` lists them
    #[arg(long, value_name = "PLAYER", default_value = "")]
    player: PlayerOptions,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let resources = endgames::load(options.game)?;
    let mut server = Server::new(options, resources)?;
    let mut machine = Machine::new(options.game, options.size)?.with_most(maximum_settings());
    let mut lines = Lines::trimmed(io::stdin().lock());
    while let Some(line) = lines.next()? {
        match machine.line(&String::from_utf8_lossy(line)) {
            Ok(Reply::Quit) => break,
            Ok(reply) => server.execute(reply, machine.game())?,
            Err(error) => print(&format!("info string error: {error}"))?,
        }
    }
    server.stop();
    Ok(())
}

/// Maximum number of tables of an engine. The option `hash` sets the size of each table.
const TABLES: u64 = 3;
/// Maximum number of threads per processor. With more, `stop` takes seconds and the search is no faster.
const THREADS: usize = 4;

/// Returns the maximum values of the options on this machine.
fn maximum_settings() -> Most {
    let usual = Most::default();
    let threads = (THREADS * processors(None)).min(usual.threads.into()) as u16;
    let hash = free_memory().map_or(usual.hash.into(), |mib| (mib / (TABLES + 1)).clamp(1, usual.hash.into())) as u32;
    Most { threads, hash }
}

/// Returns `true` if the system can allocate the tables of an engine, each of this size in MiB.
fn is_granted(mib: u32) -> bool {
    let mut tables = Vec::<u8>::new();
    let granted =
        usize::try_from((u64::from(mib) * TABLES) << 20).is_ok_and(|bytes| tables.try_reserve_exact(bytes).is_ok());
    // The compiler may remove an unused allocation.
    std::hint::black_box(&tables);
    granted
}

type Searcher = Arc<Mutex<Box<dyn AnyEngine>>>;

struct Server {
    options: PlayerOptions,
    /// The start position of the board's size.
    start: Box<dyn AnyRecord>,
    resources: Resources,
    seed: u64,
    engine: Searcher,
    limits: Limits,
    /// `true` if answers include the expected reply to the best move.
    names_next: bool,
    search: Option<Search>,
}

/// A search that is running.
struct Search {
    stop: Stop,
    /// Delays the answer until it is dropped. Set while the engine ponders.
    hold: Option<Sender<()>>,
    thread: JoinHandle<io::Result<()>>,
}

impl Server {
    fn new(options: &Options, resources: Resources) -> anyhow::Result<Self> {
        let start = options.game.start(options.size)?;
        let options = options.player.clone();
        let engine = start.engine(&options, &resources)?;
        let limits = engine.limits();
        let engine = Arc::new(Mutex::new(engine));
        Ok(Self { options, start, resources, seed: 0, engine, limits, names_next: false, search: None })
    }

    fn execute(&mut self, reply: Reply, game: &dyn AnyRecord) -> anyhow::Result<()> {
        match reply {
            Reply::Say(lines) => lines.iter().try_for_each(|line| print(line))?,
            Reply::NewGame => {
                self.stop();
                self.lock().new_game(self.seed);
            }
            Reply::Set(setting) => {
                self.stop();
                self.set(setting)?;
            }
            Reply::Search(limits) => {
                self.stop();
                self.search(limits, game.cloned(), false);
            }
            Reply::Ponder(limits) => {
                self.stop();
                self.search(limits, game.cloned(), true);
            }
            Reply::NoSearch(error) => {
                self.stop();
                print(&format!("info string error: {error}\n{NULL_MOVE}"))?;
            }
            Reply::PonderHit => self.ponderhit()?,
            Reply::Stop | Reply::Quit => self.stop(),
        }
        Ok(())
    }

    fn set(&mut self, setting: Setting) -> anyhow::Result<()> {
        match setting {
            Setting::Ponder(ponder) => {
                self.names_next = ponder;
                return Ok(());
            }
            Setting::Seed(seed) => self.seed = seed,
            Setting::Book(book) => self.options.book = book,
            Setting::Level(level) => self.options.level = level,
            Setting::Threads(threads) => {
                self.options.threads = NonZeroUsize::new(threads.into()).unwrap_or(NonZeroUsize::MIN);
            }
            Setting::Hash(mib) if is_granted(mib) => self.options.table_mib = Some(mib as usize),
            Setting::Hash(mib) => {
                print(&format!("info string error: option hash: the system refuses {TABLES} tables of {mib} MiB"))?;
                return Ok(());
            }
        }
        let mut engine = self.start.engine(&self.options, &self.resources)?;
        engine.new_game(self.seed);
        self.limits = engine.limits();
        self.engine = Arc::new(Mutex::new(engine));
        Ok(())
    }

    /// Searches in the background, so that `stop` can be read.
    fn search(&mut self, requested: Limits, game: Box<dyn AnyRecord>, ponders: bool) {
        let stop = if ponders { Stop::pondering() } else { Stop::new() };
        let (control, names_next) = (stop.clone(), self.names_next);
        let (hold, released) = mpsc::channel();
        let limits = if requested == Limits::default() { self.limits } else { self.at_level(requested) };
        let engine = Arc::clone(&self.engine);
        let thread = std::thread::spawn(move || {
            let began = Instant::now();
            let mut printed = Ok(());
            let mut progress = |progress: &Progress<String>| {
                printed = print(&info(progress, began.elapsed()));
            };
            let mut control = Control { stop: control, progress: Some(&mut progress), host: search::SYSTEM };
            let choice = engine.lock().unwrap_or_else(PoisonError::into_inner).choose(&*game, &limits, &mut control);
            printed?;
            // The engine must not answer while it ponders. `ponderhit` and `stop` drop `hold`; an ordinary search has
            // no `hold`.
            let _ = released.recv();
            match choice {
                Some(choice) => {
                    // Report the final result: a forced win is found without an iteration, and the last check may have
                    // changed the move.
                    print(&info(&last(&choice), began.elapsed()))?;
                    print(&answer(&choice, names_next))
                }
                None => print(&format!("info string error: there is no legal move\n{NULL_MOVE}")),
            }
        });
        self.search = Some(Search { stop, hold: ponders.then_some(hold), thread });
    }

    /// Turns a ponder search into an ordinary search, because the opponent has made the expected move.
    fn ponderhit(&mut self) -> io::Result<()> {
        match &mut self.search {
            Some(Search { stop, hold: hold @ Some(_), .. }) => {
                stop.ponderhit();
                *hold = None;
                Ok(())
            }
            _ => print("info string error: ponderhit: no search was begun by `go ponder`"),
        }
    }

    /// Applies the level's node budget to the requested limits: a level below 10 keeps its budget under any limit.
    fn at_level(&self, requested: Limits) -> Limits {
        let nodes = match (requested.nodes, self.limits.nodes) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Limits { nodes, ..requested }
    }

    /// Stops the search, if one is running, and waits for its answer.
    fn stop(&mut self) {
        if let Some(Search { stop, hold, thread }) = self.search.take() {
            stop.stop();
            drop(hold);
            let _ = thread.join();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn AnyEngine>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Formats the `bestmove` line, with the expected next move if it is requested and known.
fn answer(choice: &Choice<String>, names_next: bool) -> String {
    match &last(choice).pv[..] {
        [best, next, ..] if names_next => format!("bestmove {best} ponder {next}"),
        _ => format!("bestmove {}", choice.best),
    }
}

/// Returns the final progress report of a search.
fn last(choice: &Choice<String>) -> Progress<String> {
    let Choice { best, score, pv, depth, nodes, .. } = choice;
    let pv = if pv.first() == Some(best) { pv.clone() } else { vec![best.clone()] };
    Progress { depth: *depth, score: *score, pv, nodes: *nodes }
}

/// Prints a whole line while standard output is locked, because two threads print.
fn print(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
