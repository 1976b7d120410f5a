//! Input, output, log and terminal of a text interface.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use console::{Flow, Session, Sink};
use game::Diagram;
use search::Stop;

use crate::terminal::{Boards, paint};

/// The destination for a copy of the input lines.
pub(crate) enum Log {
    /// No copy.
    None,
    /// The output, after the prompt.
    Echo,
    /// A file.
    File(File),
}

/// The inputs and outputs of a text program.
pub(crate) struct Setup {
    /// Files that are read one after the other; `-` is standard input.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: Box<dyn Write>,
    pub(crate) log: Log,
    pub(crate) boards: Boards,
    /// The exit code after the first error; `None` if errors do not end the program.
    pub(crate) strict: Option<u8>,
    /// `true` if a user at a terminal can edit lines and recall earlier ones.
    pub(crate) edits: bool,
    /// The greeting for a user at a terminal; `None` if the output goes elsewhere.
    pub(crate) greeting: Option<&'static str>,
}

impl Setup {
    /// Returns `true` if standard input is among the inputs.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.inputs.iter().any(|path| path == Path::new("-"))
    }
}

/// Creates an empty log file.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub(crate) fn open_log(path: &Path) -> anyhow::Result<Log> {
    let file = File::create(path).with_context(|| format!("cannot open the log file {}", path.display()))?;
    Ok(Log::File(file))
}

/// Opens the output; `-` or `None` is standard output.
///
/// # Errors
/// Returns an error if the file cannot be written.
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

/// Output and log of a session. After a failed write, nothing more is written to the output until the error is checked.
pub(crate) struct Streams {
    output: Box<dyn Write>,
    log: Log,
    boards: Boards,
    failure: Option<io::Error>,
}

impl Streams {
    /// Creates streams.
    pub(crate) fn new(output: Box<dyn Write>, log: Log, boards: Boards) -> Self {
        Self { output, log, boards, failure: None }
    }

    /// Returns the error of a write since the last check.
    fn check(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
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

    fn board(&mut self, diagram: &Diagram, requested: bool) {
        match self.boards {
            Boards::Coloured => self.print(&format!("\n{}\n", paint(diagram))),
            Boards::Plain => self.print(&format!("\n{diagram}\n")),
            Boards::OnRequest if requested => self.print(&format!("\n{diagram}")),
            Boards::OnRequest => (),
        }
    }
}

/// Replaces the characters that a test harness interprets, so that an echo does not look like a message, a prompt or a
/// dump.
fn harmless(line: &str) -> String {
    line.replace(['*', '>'], "?").replace("===", "???")
}

/// The reason why reading ended.
pub(crate) enum End {
    OfInput,
    Quit,
    Strict(u8),
}

/// Executes one line in a session, without moves of automated players. Returns the reason if the line ended the
/// session.
pub(crate) fn execute(
    session: &mut dyn Session,
    line: &[u8],
    streams: &mut Streams,
    strict: Option<u8>,
) -> io::Result<Option<End>> {
    let flow = session.command(line, streams);
    streams.check()?;
    match flow {
        Ok(Flow::Continue) => Ok(None),
        Ok(Flow::Quit) => Ok(Some(End::Quit)),
        Err(error) => {
            let _ = writeln!(io::stderr(), "Error: {error}");
            Ok(strict.map(End::Strict))
        }
    }
}

/// Lets the automated player to move make one move, unless its search is stopped.
pub(crate) fn advance(session: &mut dyn Session, stop: &Stop, streams: &mut Streams) -> io::Result<()> {
    session.advance(stop, streams);
    streams.check()
}

/// Prints the error of a failed write and returns the exit code. A reader that closes the pipe is not an error.
pub(crate) fn exit_after_write_error(error: &io::Error) -> ExitCode {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    let _ = writeln!(io::stderr(), "Error: {error}");
    ExitCode::from(1)
}

/// Prints an error and returns exit code 1.
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    // The error may quote control characters from other people's files and programs.
    let _ = writeln!(io::stderr(), "Error: {}", game::text::printable(&format!("{error:#}")));
    ExitCode::from(1)
}
