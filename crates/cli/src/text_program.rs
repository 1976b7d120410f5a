//! Runs a text interface from its command line to its exit code.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use console::{Session, Sink};
use games::GameId;
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use search::Stop;

use crate::display;
use crate::input::Lines;
use crate::options::{parse_or_exit, seed_from_clock};
use crate::streams::{End, Setup, Streams, advance, execute, exit_after_write_error, fail, open_input};

/// The options of a course's text program.
pub(crate) trait TextProgram: Parser {
    /// Its text interface.
    type Console: Session;
    /// Its game.
    const GAME: GameId;

    /// Returns `true` if the user requests the page.
    fn wants_display(&self) -> bool;

    /// Creates the text interface with these options.
    ///
    /// # Errors
    /// Returns an error if its automated player cannot be created.
    fn console(&self) -> anyhow::Result<Self::Console>;

    /// Opens the inputs and outputs of the text interface.
    ///
    /// # Errors
    /// Returns an error if a file cannot be opened.
    fn setup(&self) -> anyhow::Result<Setup>;
}

/// Runs a course's text program.
pub(crate) fn main<T: TextProgram>() -> ExitCode {
    let options: T = match parse_or_exit() {
        Ok(options) => options,
        Err(code) => return code,
    };
    match options.setup().and_then(|setup| Ok((setup, options.console()?))) {
        Ok((setup, mut console)) if options.wants_display() => display::run(&mut console, setup, T::GAME),
        Ok((setup, mut console)) => run(&mut console, setup),
        Err(error) => fail(&error),
    }
}

/// Runs a session until it ends.
pub(crate) fn run(session: &mut dyn Session, setup: Setup) -> ExitCode {
    let is_typed = setup.reads_stdin() && io::stdin().is_terminal();
    let is_on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let greeting = setup.greeting.filter(|_| is_on_terminal);
    let mut streams = Streams::new(setup.output, setup.log, setup.boards);
    if let Some(greeting) = greeting {
        streams.print(greeting);
        streams.board(&session.diagram(), false);
    }
    if is_typed {
        session.vary(seed_from_clock(), &mut streams);
    }
    for path in &setup.inputs {
        let input = match CommandLines::open(path, setup.edits && is_on_terminal) {
            Ok(input) => input,
            Err(error) => return fail(&error),
        };
        match read_all(session, input, &mut streams, setup.strict) {
            Ok(End::OfInput) => (),
            Ok(End::Quit) => return ExitCode::SUCCESS,
            Ok(End::Strict(code)) => return ExitCode::from(code),
            Err(error) => return exit_after_write_error(&error),
        }
    }
    if greeting.is_some() {
        streams.print("");
    }
    ExitCode::SUCCESS
}

fn read_all(
    session: &mut dyn Session,
    mut input: CommandLines,
    streams: &mut Streams,
    strict: Option<u8>,
) -> io::Result<End> {
    loop {
        let Some(line) = input.next(&session.prompt(), streams)? else { return Ok(End::OfInput) };
        if let Some(end) = execute(session, &line, streams, strict)? {
            return Ok(end);
        }
        while session.is_automated_turn() {
            advance(session, &Stop::new(), streams)?;
        }
    }
}

/// The command lines of one input.
enum CommandLines {
    Read(Lines<Box<dyn BufRead>>),
    /// Lines that a user edits at a terminal. The editor shows the prompt.
    Edited(Box<DefaultEditor>),
}

impl CommandLines {
    /// Opens an input. With `edits`, standard input has a line editor.
    fn open(path: &Path, edits: bool) -> anyhow::Result<Self> {
        if edits && path == Path::new("-") {
            let config = Config::builder().auto_add_history(true).build();
            return Ok(Self::Edited(Box::new(DefaultEditor::with_config(config)?)));
        }
        Ok(Self::Read(Lines::trimmed(open_input(path)?)))
    }

    /// Returns the next line; `None` at the end of the input.
    fn next(&mut self, prompt: &str, streams: &mut Streams) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Read(lines) => {
                streams.write(prompt);
                Ok(lines.next()?.map(<[u8]>::to_vec))
            }
            Self::Edited(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(line.into_bytes())),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            },
        }
    }
}
