//! `plyhouse solve` and `plyhouse book`.

pub(crate) mod searches;

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write, stderr};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use game::{Side, plural};
use ledger::Address;
use measure::progress::Bar;
use proof::{
    Agenda, Book, Certifier, Job, Log, Numbers, Outcome, Question, QuestionError, Storage, Tree, Wins, Workers,
    pack_book, read_plan, work, write_certificate,
};
use search::Stop;

use crate::analyse::counted;
use crate::options::{check_writable, processors};
use searches::{LARGEST_TABLE, Searches};

/// Prove that the first player wins on a small board, by independent jobs that are saved in a log
#[derive(Args)]
pub(crate) struct Options {
    /// The game
    #[arg(value_enum)]
    game: Solvable,
    #[command(flatten)]
    asked: Asked,
    /// Save finished jobs in this file, and resume from it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Number of concurrent jobs; the number of processors if unset
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=256))]
    workers: Option<u64>,
    /// Distribute the jobs to the workers of this PostgreSQL database: `postgres://USER@HOST/DATABASE` (see
    /// `plyhouse work`)
    #[arg(long, value_name = "URL", conflicts_with_all = ["workers", "rebuild"])]
    store: Option<Address>,
    /// Maximum number of open jobs, and so of busy workers; it affects which jobs are chosen
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=4096))]
    ahead: u64,
    /// Size of each job's transposition table
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=LARGEST_TABLE))]
    table: u64,
    /// Expansion limit of a position's first job; the second job's limit is eight times as high, the third's sixty-four
    /// times
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    effort: u64,
    /// Write a certificate when the win is proven, or when it is refuted: then it proves that White does not lose, with
    /// the colours exchanged
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Run no new jobs: make the certificate from the jobs in the log
    #[arg(long, requires = "log", requires = "certificate")]
    rebuild: bool,
    /// Print only the result
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// The question to prove.
#[derive(Args)]
struct Asked {
    /// Squares per side
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(4..=6))]
    size: u64,
    /// Prove that Black wins after these moves, such as `b1-b3` or `b1-b3,a2-c2`
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    after: Vec<String>,
    /// Start from this position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true, conflicts_with = "size")]
    position: Option<String>,
    /// Prove that White wins instead; the colours are exchanged, because proofs and certificates are about Black
    #[arg(long)]
    white: bool,
    /// Count a win only if the winner alone is connected, as in the rules of the Computer Olympiads
    #[arg(long)]
    alone: bool,
}

impl Asked {
    fn question(&self) -> Result<Question, QuestionError> {
        let question = match &self.position {
            None => Question::new(self.size as usize, &self.after)?,
            Some(text) => Question::about(text, &self.after)?,
        };
        let question = question.counting(if self.alone { Wins::Alone } else { Wins::All });
        if self.white { question.exchanged() } else { Ok(question) }
    }
}

/// Games that can be solved.
#[derive(Clone, Copy, ValueEnum)]
enum Solvable {
    /// Lines of Action
    Loa,
}

/// Make `loa6`'s opening book from a certificate: Black's moves up to the point where a short search wins
#[derive(Args)]
pub(crate) struct BookOptions {
    /// The certificate
    certificate: PathBuf,
    /// The book
    file: PathBuf,
    /// Leave out positions that Black wins within this many plies
    #[arg(long, value_name = "PLIES", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=15))]
    depth: u32,
}

pub(crate) fn run_book(options: &BookOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let named = || format!("certificate {}", options.certificate.display());
    let mut input = BufReader::new(File::open(&options.certificate).with_context(named)?);
    let (header, plan) = read_plan(&mut input).with_context(named)?;
    if plan.is_defence() {
        bail!("{}: a defence; a book needs a win", named());
    }
    let bytes = pack_book(&plan, header.size(), options.depth);
    let book = Book::new(&bytes)?;
    std::fs::write(&options.file, &bytes).with_context(|| format!("book {}", options.file.display()))?;
    writeln!(out, "{} of {} records, {} bytes, to depth {}", book.len(), plan.len(), bytes.len(), book.depth())?;
    Ok(())
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let Solvable::Loa = options.game;
    let asked = options.asked.question()?;
    let began = Instant::now();
    let (mut log, known) = match &options.log {
        None => (Log::nowhere(asked), Vec::new()),
        Some(path) => opened(path, asked).with_context(|| format!("log {}", path.display()))?,
    };
    if let Some(path) = &options.certificate {
        check_certificate(path, options.log.as_deref())?;
    }
    let question = log.question().clone();
    let (effort, ahead, mib) = (options.effort, options.ahead as usize, options.table as usize);
    let mut agenda = Agenda::new(&question, effort, ahead, &known)?;
    let quiet = options.quiet || options.json;
    let mut tell = |job: &Job, tree: &Tree| {
        if !quiet {
            let _ = report(job, tree, began);
        }
    };
    let mut whole = None;
    if options.rebuild {
        whole = all_of(&agenda, &question, effort, &known)?;
    } else if let Some(store) = &options.store {
        let searches = Searches { question: question.clone(), effort, ahead, mib };
        searches.hand_out(store, &mut agenda, &mut log, &mut tell)?;
    } else {
        let workers = Workers { count: processors(options.workers), table_mib: mib, host: search::SYSTEM };
        work(&mut agenda, &mut log, workers, &Stop::new(), &mut tell)?;
    }
    let solved = match &whole {
        Some(tree) => Solved { tree, jobs: &known, before: known.len() },
        None => Solved { tree: agenda.tree(), jobs: agenda.done(), before: agenda.recalled() },
    };
    let certified = match &options.certificate {
        None => None,
        Some(path) => {
            let proof = solved.tree.proof().or_else(|| solved.tree.refutation());
            let proof = proof.with_context(|| format!("no certificate: {question} is open"))?;
            Some(certify(path, &question, proof, options)?)
        }
    };
    show(options, &question, &solved, certified.as_ref(), out)
}

/// The result of a proof.
struct Solved<'a> {
    tree: &'a Tree,
    /// The jobs of the tree.
    jobs: &'a [Job],
    /// Number of these jobs that were already in the log at the start.
    before: usize,
}

/// Opens the log of a question and returns it with its jobs.
fn opened(path: &Path, question: Question) -> anyhow::Result<(Log, Vec<Job>)> {
    let (log, known) = Log::open(Box::new(LogFile::open(path)?), question)?;
    // Checked here so that the error for a job of another question names the log.
    Agenda::new(log.question(), 1, 1, &known)?;
    Ok((log, known))
}

/// Checks before the search that the certificate can be written and does not replace the log.
fn check_certificate(path: &Path, log: Option<&Path>) -> anyhow::Result<()> {
    let named = || format!("certificate {}", path.display());
    if let (Some(log), Ok(existing)) = (log, path.canonicalize())
        && log.canonicalize().with_context(named)? == existing
    {
        bail!("{}: this file is the log; give another file", named());
    }
    check_writable(path).with_context(named)
}

/// Returns the tree of all jobs in a log if the agenda's own jobs do not settle the question. This happens if the log
/// was made with other options.
fn all_of(agenda: &Agenda, question: &Question, effort: u64, known: &[Job]) -> anyhow::Result<Option<Tree>> {
    if agenda.tree().numbers().is_settled() {
        return Ok(None);
    }
    let mut tree = Tree::new(question, effort)?;
    for job in known {
        tree.add(job.clone())?;
    }
    Ok(Some(tree))
}

/// The file of a log.
struct LogFile(File);

impl LogFile {
    /// Opens the file, or creates it. Locks it, because two processes would overwrite each other's jobs.
    fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(io::Error::other("another process is using this log")),
            // Some file systems of clusters have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self(file)),
        }
    }
}

impl Read for LogFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    /// Waits until the data is on disk, so that no job is lost if the machine fails.
    fn flush(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

impl Storage for LogFile {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::Start(length)).map(drop)
    }
}

/// Prints a line on standard error for a finished job.
fn report(job: &Job, tree: &Tree, began: Instant) -> std::io::Result<()> {
    let found = match &job.outcome {
        Outcome::Won { plies } => format!("won in {plies}"),
        Outcome::Refuted => "no win".into(),
        Outcome::Open { proof, disproof, .. } => format!("open {proof}/{disproof}"),
    };
    let root = tree.numbers();
    let branches = tree.branches();
    let won = branches.iter().filter(|(_, numbers)| numbers.proof == 0).count();
    writeln!(
        stderr(),
        "{:>6.0} s  {}  {found}, {:.2} M of {:.0} M  root {}/{}, {won} of {} moves",
        began.elapsed().as_secs_f64(),
        job.position,
        job.expansions as f64 / 1e6,
        job.budget as f64 / 1e6,
        root.proof,
        root.disproof,
        branches.len(),
    )
}

fn verdict(numbers: Numbers) -> &'static str {
    match (numbers.proof, numbers.disproof) {
        (0, _) => "won",
        (_, 0) => "not won",
        _ => "open",
    }
}

/// A written certificate.
struct Certified {
    /// The position, if the certificate is a defence: Black does not lose from it.
    held: Option<String>,
    records: usize,
    hash: String,
}

fn certify(path: &Path, question: &Question, proof: proof::Proof, options: &Options) -> anyhow::Result<Certified> {
    let all = proof.jobs.len() as u64;
    let is_defence = proof.side == Side::Second;
    let bar = Bar::with_lines(options.quiet || options.json, 0);
    let mut certifier = Certifier::new(question.clone(), proof).context("no certificate")?;
    let mut done = 0;
    bar.show(0, all, "reading the proofs");
    while search::with_large_stack(|| certifier.step(&Stop::new()))? {
        done += 1;
        bar.show(done, all, &format!("reading the proofs: {done} of {all} jobs, {} records", certifier.records()));
    }
    let (start, plan) = certifier.finish()?;
    bar.clear();
    let named = || format!("certificate {}", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(named)?);
    let hash = write_certificate(&start, &plan, &mut file).with_context(named)?;
    Ok(Certified { held: is_defence.then(|| start.to_string()), records: plan.len(), hash })
}

fn show(
    options: &Options,
    question: &Question,
    &Solved { tree, jobs, before }: &Solved<'_>,
    certified: Option<&Certified>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let numbers = tree.numbers();
    let expansions: u64 = jobs.iter().map(|job| job.expansions).sum();
    let seconds = jobs.iter().map(|job| job.ms).sum::<u64>() as f64 / 1e3;
    if options.json {
        let branches = tree.branches();
        let branches: HashMap<String, &str> = branches.iter().map(|(m, n)| (m.to_string(), verdict(*n))).collect();
        let report = serde_json::json!({
            "question": question.to_string(), "verdict": verdict(numbers), "plies": (numbers.proof == 0).then_some(numbers.plies),
            "jobs": jobs.len(), "jobs_before": before, "expansions": expansions, "job_seconds": seconds,
            "moves": branches, "records": certified.map(|c| c.records), "hash": certified.map(|c| c.hash.clone()),
            "held": certified.and_then(|c| c.held.clone()),
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    let length = if numbers.proof == 0 { length(numbers.plies.into(), options) } else { String::new() };
    writeln!(out, "{question}: {}{length}", verdict(numbers))?;
    writeln!(
        out,
        "{} job{}, {:.2} M expansions, {seconds:.0} s",
        jobs.len(),
        plural(jobs.len()),
        expansions as f64 / 1e6
    )?;
    if let Some(certified) = certified {
        writeln!(out, "certificate: {} records, sha256 {}", certified.records, certified.hash)?;
        if let Some(held) = &certified.held {
            writeln!(out, "with the colours exchanged, it is a defence: Black does not lose from {held}")?;
        }
    }
    Ok(())
}

/// Returns the length of a win as text: an upper bound, counted from the position after the moves of `--after`.
fn length(plies: u64, options: &Options) -> String {
    let after = if options.asked.after.is_empty() { "" } else { " after these moves" };
    let bound = if plies > 1 { " (an upper bound; `plyhouse verify --details` finds the longest line)" } else { "" };
    format!(", within {}{after}{bound}", counted(plies))
}
