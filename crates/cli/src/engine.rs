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

/// Run as an engine: the Universal Game Interface on standard input and output
#[derive(Args)]
#[command(after_long_help = PlayerOptions::help())]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::game())]
    game: GameId,
    /// Squares a side of `position startpos`
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// The engine, such as `level=5`; `--help` lists the words
    #[arg(long, value_name = "PLAYER", default_value = "")]
    player: PlayerOptions,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let resources = endgames::load(options.game)?;
    let mut server = Server::new(options, resources)?;
    let mut machine = Machine::new(options.game, options.size)?.with_most(most());
    let mut lines = Lines::trimmed(io::stdin().lock());
    while let Some(line) = lines.next()? {
        match machine.line(&String::from_utf8_lossy(line)) {
            Ok(Reply::Quit) => break,
            Ok(reply) => server.obey(reply, machine.game())?,
            Err(error) => say(&format!("info string error: {error}"))?,
        }
    }
    server.stop();
    Ok(())
}

/// Tables that an engine may have, each of the size of the option `hash`.
const TABLES: u64 = 3;
/// Threads for each processor. With more, `stop` takes seconds, and nothing is gained.
const THREADS: usize = 4;

/// What the options can be set to on this machine.
fn most() -> Most {
    let usual = Most::default();
    let threads = (THREADS * processors(None)).min(usual.threads.into()) as u16;
    let hash = free_memory().map_or(usual.hash.into(), |mib| (mib / (TABLES + 1)).clamp(1, usual.hash.into())) as u32;
    Most { threads, hash }
}

/// Whether the system grants memory for tables of this many MiB each.
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
    /// Whether answers name the move that is expected next.
    names_next: bool,
    search: Option<Search>,
}

/// A search that is running.
struct Search {
    stop: Stop,
    /// Keeps the answer back while the opponent is to move.
    kept: Option<Sender<()>>,
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

    fn obey(&mut self, reply: Reply, game: &dyn AnyRecord) -> anyhow::Result<()> {
        match reply {
            Reply::Say(lines) => lines.iter().try_for_each(|line| say(line))?,
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
                say(&format!("info string error: {error}\n{NULL_MOVE}"))?;
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
                say(&format!("info string error: option hash: the system refuses {TABLES} tables of {mib} MiB"))?;
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
    fn search(&mut self, asked: Limits, game: Box<dyn AnyRecord>, ponders: bool) {
        let stop = if ponders { Stop::pondering() } else { Stop::new() };
        let (control, names_next) = (stop.clone(), self.names_next);
        let (kept, released) = mpsc::channel();
        let limits = if asked == Limits::default() { self.limits } else { self.at_level(asked) };
        let engine = Arc::clone(&self.engine);
        let thread = std::thread::spawn(move || {
            let began = Instant::now();
            let mut told = Ok(());
            let mut progress = |progress: &Progress<String>| {
                told = say(&info(progress, began.elapsed()));
            };
            let mut control = Control { stop: control, progress: Some(&mut progress), host: machine::SYSTEM };
            let choice = engine.lock().unwrap_or_else(PoisonError::into_inner).choose(&*game, &limits, &mut control);
            told?;
            // The answer may come as soon as the other end has been dropped.
            let _ = released.recv();
            match choice {
                Some(choice) => {
                    // A forced win is found without an iteration, and a last check may have changed the move.
                    say(&info(&last(&choice), began.elapsed()))?;
                    say(&answer(&choice, names_next))
                }
                None => say(&format!("info string error: there is no legal move\n{NULL_MOVE}")),
            }
        });
        self.search = Some(Search { stop, kept: ponders.then_some(kept), thread });
    }

    /// The opponent has made the move that was expected: the search becomes an ordinary one.
    fn ponderhit(&mut self) -> io::Result<()> {
        match &mut self.search {
            Some(Search { stop, kept: kept @ Some(_), .. }) => {
                stop.ponderhit();
                *kept = None;
                Ok(())
            }
            _ => say("info string error: ponderhit: no search was begun by `go ponder`"),
        }
    }

    /// A level below 10 keeps its node budget under any limit.
    fn at_level(&self, asked: Limits) -> Limits {
        let nodes = match (asked.nodes, self.limits.nodes) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Limits { nodes, ..asked }
    }

    /// Stops the search, if one is running, and waits for its answer.
    fn stop(&mut self) {
        if let Some(Search { stop, kept, thread }) = self.search.take() {
            stop.stop();
            drop(kept);
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

/// Prints a whole line in one call, because the search and the commands both print.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
