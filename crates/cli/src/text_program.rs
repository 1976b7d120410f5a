//! Connects a text interface to its input, its output, its log and the terminal.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use console::{Flow, Session, Sink};
use game::Diagram;
use games::GameId;

use crate::display;
use crate::input::Lines;
use crate::options::parse_or_exit;
use crate::terminal::{Boards, paint};

/// Where the lines that were read go.
pub(crate) enum Log {
    /// Nowhere.
    None,
    /// Back to the output, after the prompt.
    Echo,
    /// Into a file.
    File(File),
}

/// How a text program is run.
pub(crate) struct Setup {
    /// Read one after the other; `-` is standard input.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: Box<dyn Write>,
    pub(crate) log: Log,
    pub(crate) boards: Boards,
    /// The exit code after the first error, if errors end the program.
    pub(crate) strict: Option<u8>,
    /// Said at the start to a person at a terminal; nothing if the output goes elsewhere.
    pub(crate) greeting: Option<&'static str>,
}

/// The options of a course's text program, and what they make of it.
pub(crate) trait TextProgram: Parser {
    /// Its text interface.
    type Console: Session;
    /// Its game.
    const GAME: GameId;

    /// Whether the page is asked for.
    fn wants_display(&self) -> bool;

    /// The text interface as the options want it.
    fn console(&self) -> Self::Console;

    /// What it is connected to.
    ///
    /// # Errors
    /// If a file cannot be opened.
    fn setup(&self) -> anyhow::Result<Setup>;
}

/// A course's text program from its command line to its exit code.
pub(crate) fn main<T: TextProgram>() -> ExitCode {
    let options: T = match parse_or_exit() {
        Ok(options) => options,
        Err(code) => return code,
    };
    match options.setup() {
        Ok(setup) if options.wants_display() => display::run(&mut options.console(), setup, T::GAME),
        Ok(setup) => run(&mut options.console(), setup),
        Err(error) => fail(&error),
    }
}

/// Opens a log file anew.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn open_log(path: &Path) -> anyhow::Result<Log> {
    let file = File::create(path).with_context(|| format!("cannot open the log file {}", path.display()))?;
    Ok(Log::File(file))
}

/// Opens the output; `-` or none is standard output.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn open_output(path: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    match path {
        Some(path) if path != Path::new("-") => {
            let file = File::create(path).with_context(|| format!("cannot open the output file {}", path.display()))?;
            Ok(Box::new(file))
        }
        _ => Ok(Box::new(io::stdout())),
    }
}

pub(crate) fn open_input(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("cannot open the input file {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Output and log of a session. The first failed write is kept, and nothing is written after it.
pub(crate) struct Streams {
    output: Box<dyn Write>,
    log: Log,
    boards: Boards,
    failure: Option<io::Error>,
}

impl Streams {
    /// Those of a setup.
    pub(crate) fn new(output: Box<dyn Write>, log: Log, boards: Boards) -> Self {
        Self { output, log, boards, failure: None }
    }

    pub(crate) fn write(&mut self, text: &str) {
        if self.failure.is_none()
            && let Err(error) = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush())
        {
            self.failure = Some(error);
        }
    }
}

impl Sink for Streams {
    fn print(&mut self, line: &str) {
        self.write(&format!("{line}\n"));
    }

    fn log(&mut self, line: &str) {
        match &mut self.log {
            Log::None => (),
            Log::Echo => self.write(&(harmless(line) + "\n")),
            Log::File(file) => {
                let written = file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.flush());
                if let (Err(error), None) = (written, &self.failure) {
                    self.failure = Some(error);
                }
            }
        }
    }

    fn board(&mut self, diagram: &Diagram, asked: bool) {
        match self.boards {
            Boards::Coloured => self.print(&format!("\n{}\n", paint(diagram))),
            Boards::Plain => self.print(&format!("\n{diagram}\n")),
            Boards::Asked if asked => self.print(&format!("\n{diagram}")),
            Boards::Asked => (),
        }
    }
}

/// The line without what means something to a test harness: an echo must not be taken for a message, a prompt or a dump.
fn harmless(line: &str) -> String {
    line.replace(['*', '>'], "?").replace("===", "???")
}

/// Runs a session to its end.
pub(crate) fn run(session: &mut dyn Session, setup: Setup) -> ExitCode {
    let greeting = setup.greeting.filter(|_| io::stdin().is_terminal() && io::stdout().is_terminal());
    let mut streams = Streams::new(setup.output, setup.log, setup.boards);
    if let Some(greeting) = greeting {
        streams.print(greeting);
        streams.board(&session.diagram(), false);
    }
    for path in &setup.inputs {
        let input = match open_input(path) {
            Ok(input) => input,
            Err(error) => return fail(&error),
        };
        match read_all(session, input, &mut streams, setup.strict) {
            Ok(End::OfInput) => (),
            Ok(End::Quit) => return ExitCode::SUCCESS,
            Ok(End::Strict(code)) => return ExitCode::from(code),
            Err(error) => return gone(&error),
        }
    }
    if greeting.is_some() {
        streams.print("");
    }
    ExitCode::SUCCESS
}

/// Why reading ended.
pub(crate) enum End {
    OfInput,
    Quit,
    Strict(u8),
}

fn read_all(
    session: &mut dyn Session,
    input: Box<dyn BufRead>,
    streams: &mut Streams,
    strict: Option<u8>,
) -> io::Result<End> {
    let mut lines = Lines::trimmed(input);
    loop {
        streams.write(&session.prompt());
        let Some(line) = lines.next()? else { return Ok(End::OfInput) };
        if let Some(end) = obey(session, line, streams, strict)? {
            return Ok(end);
        }
    }
}

/// Gives a session one line; the end, if that was it.
pub(crate) fn obey(
    session: &mut dyn Session,
    line: &[u8],
    streams: &mut Streams,
    strict: Option<u8>,
) -> io::Result<Option<End>> {
    let flow = session.line(line, streams);
    if let Some(error) = streams.failure.take() {
        return Err(error);
    }
    match flow {
        Ok(Flow::Continue) => Ok(None),
        Ok(Flow::Quit) => Ok(Some(End::Quit)),
        Err(error) => {
            let _ = writeln!(io::stderr(), "Error: {error}");
            Ok(strict.map(End::Strict))
        }
    }
}

/// A reader that has gone away is no failure of ours; anything else is.
pub(crate) fn gone(error: &io::Error) -> ExitCode {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    let _ = writeln!(io::stderr(), "Error: {error}");
    ExitCode::from(1)
}

/// Says why the program cannot begin.
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "Error: {error:#}");
    ExitCode::from(1)
}
