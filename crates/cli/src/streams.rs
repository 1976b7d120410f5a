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

/// The destination of the lines that were read.
pub(crate) enum Log {
    /// Nowhere.
    None,
    /// Back to the output, after the prompt.
    Echo,
    /// Into a file.
    File(File),
}

/// The inputs and outputs of a text program.
pub(crate) struct Setup {
    /// Read one after the other; `-` is standard input.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: Box<dyn Write>,
    pub(crate) log: Log,
    pub(crate) boards: Boards,
    /// The exit code after the first error, if errors end the program.
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

/// Opens an empty log file.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn open_log(path: &Path) -> anyhow::Result<Log> {
    let file = File::create(path).with_context(|| format!("cannot open the log file {}", path.display()))?;
    Ok(Log::File(file))
}

/// Opens the output; `-` or `None` is standard output.
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

/// Output and log of a session. After the first failed write nothing more is written; the error is kept.
pub(crate) struct Streams {
    output: Box<dyn Write>,
    log: Log,
    boards: Boards,
    failure: Option<io::Error>,
}

impl Streams {
    /// Streams without a failure.
    pub(crate) fn new(output: Box<dyn Write>, log: Log, boards: Boards) -> Self {
        Self { output, log, boards, failure: None }
    }

    /// The failure of a write since the last check.
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

    fn board(&mut self, diagram: &Diagram, asked: bool) {
        match self.boards {
            Boards::Coloured => self.print(&format!("\n{}\n", paint(diagram))),
            Boards::Plain => self.print(&format!("\n{diagram}\n")),
            Boards::Asked if asked => self.print(&format!("\n{diagram}")),
            Boards::Asked => (),
        }
    }
}

/// The line without the characters that a test harness interprets, which are replaced: an echo must not look like a
/// message, a prompt or a dump.
fn harmless(line: &str) -> String {
    line.replace(['*', '>'], "?").replace("===", "???")
}

/// The reason why reading ended.
pub(crate) enum End {
    OfInput,
    Quit,
    Strict(u8),
}

/// Gives a session one line; automated players do not move yet. Returns the end if the line ended the session.
pub(crate) fn obey(
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

/// Lets the automated player that is to move make one move, unless it is stopped.
pub(crate) fn advance(session: &mut dyn Session, stop: &Stop, streams: &mut Streams) -> io::Result<()> {
    session.advance(stop, streams);
    streams.check()
}

/// The exit code after a failed write. A reader that has closed the pipe is not an error.
pub(crate) fn gone(error: &io::Error) -> ExitCode {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    let _ = writeln!(io::stderr(), "Error: {error}");
    ExitCode::from(1)
}

/// Prints why the program cannot start. The reason may quote other people's files and programs.
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "Error: {}", game::text::printable(&format!("{error:#}")));
    ExitCode::from(1)
}
