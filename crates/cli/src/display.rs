//! `--display`: a text program with a page beside it. The page's actions become commands, so that both drive the same
//! game. Between two moves of the automated players the program obeys what has come in; a command ends their search.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Write, stderr, stdin};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use console::Session;
use engine::Resources;
use games::GameId;
use search::Stop;
use web::{Display, Server};

use crate::input::Lines;
use crate::options::seed_from_clock;
use crate::page;
use crate::streams::{End, Setup, Streams, advance, fail, gone, obey, open_input};

/// Runs a session with a page. `quit` ends both, and so does the end of the input after at least one line. A program
/// that was started without any input, for example from a menu, stays with its page.
pub(crate) fn run<S: Session>(session: &mut S, setup: Setup, game: GameId) -> ExitCode {
    let server = match Server::bind(None, Resources::default()) {
        Ok(server) => server,
        Err(error) => return fail(&anyhow::Error::new(error).context("cannot serve the page")),
    };
    let (outbox, inbox) = post(S::is_move);
    let from_page = outbox.clone();
    let display = server.belong_to_terminal(
        game,
        &session.shown(),
        Box::new(move |command| from_page.command(Source::Page, command.into_bytes())),
    );
    let address = server.address();
    // Standard output belongs to the text interface.
    let _ = writeln!(stderr(), "The game is at {address}");
    thread::spawn(move || server.run());
    page::open(&address);
    let varies = setup.reads_stdin() && is_terminal_or_null(stdin().as_fd());
    let inputs = setup.inputs;
    let mut streams = Streams::new(setup.output, setup.log, setup.boards);
    if varies {
        session.vary(seed_from_clock(), &mut streams);
    }
    thread::spawn(move || read(inputs, &outbox));
    let code = Desk { session, inbox, streams, strict: setup.strict, display: &display }.play();
    display.end();
    code
}

/// Returns `true` for a terminal and for `/dev/null`, the input of a program that was started from a menu: the commands
/// do not come from a script.
fn is_terminal_or_null(input: BorrowedFd) -> bool {
    let metadata = input.try_clone_to_owned().and_then(|input| File::from(input).metadata());
    metadata.is_ok_and(|metadata| metadata.file_type().is_char_device())
}

/// A game that a terminal and a page drive.
struct Desk<'a> {
    session: &'a mut dyn Session,
    inbox: Inbox,
    streams: Streams,
    strict: Option<u8>,
    display: &'a Display,
}

impl Desk<'_> {
    /// Plays to the end of the session.
    fn play(mut self) -> ExitCode {
        let mut is_prompted = false;
        let mut last_move = None;
        loop {
            // Made before the inbox is looked at, so that what comes in later ends the search.
            let stop = self.inbox.new_search();
            let turn = self.turn();
            if turn == Turn::User && !is_prompted {
                self.streams.write(&self.session.prompt());
                is_prompted = true;
            }
            if let Some(event) = self.inbox.next(turn) {
                let Content::Command(line) = event.content else { return ExitCode::SUCCESS };
                match obey(self.session, &line, &mut self.streams, self.strict) {
                    Ok(None | Some(End::OfInput)) => self.show(),
                    Ok(Some(End::Quit)) => return ExitCode::SUCCESS,
                    Ok(Some(End::Strict(code))) => return ExitCode::from(code),
                    Err(error) => return gone(&error),
                }
                is_prompted = false;
            } else if turn == Turn::User {
                if self.inbox.wait().is_err() {
                    return ExitCode::SUCCESS;
                }
            } else if let Some(rest) = self.rest(turn, last_move) {
                self.inbox.wait_for(rest);
            } else {
                if let Err(error) = advance(self.session, &stop, &mut self.streams) {
                    return gone(&error);
                }
                self.show();
                last_move = Some(Instant::now());
                is_prompted = false;
            }
        }
    }

    fn turn(&self) -> Turn {
        match (self.session.is_automated_turn(), self.session.shown().automated) {
            (false, _) => Turn::User,
            (true, [true, true]) => Turn::ProgramAlone,
            (true, _) => Turn::Program,
        }
    }

    fn show(&self) {
        self.display.show(&self.session.shown(), self.session.is_automated_turn());
    }

    /// How long the page's users can still look at the last move of a game that the program plays alone.
    fn rest(&self, turn: Turn, last_move: Option<Instant>) -> Option<Duration> {
        let since = last_move.filter(|_| turn == Turn::ProgramAlone)?.elapsed();
        self.display.pace().checked_sub(since).filter(|rest| !rest.is_zero())
    }
}

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// A user, or nobody because the game is over.
    User,
    /// The program, against a user.
    Program,
    /// The program, against itself.
    ProgramAlone,
}

/// Where an event comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Page,
    Input,
}

struct Event {
    source: Source,
    content: Content,
    /// Whether it is a move in its form.
    is_move: bool,
}

enum Content {
    Command(Vec<u8>),
    /// The inputs have ended after at least one line.
    EndOfInput,
}

impl Event {
    /// Whether it must wait for the program's moves. A move that a user types ahead waits for a turn of the user's; the
    /// end of the input waits in any case, as it does without a page.
    fn waits(&self, turn: Turn) -> bool {
        match turn {
            Turn::User => false,
            Turn::Program => self.is_move || matches!(self.content, Content::EndOfInput),
            Turn::ProgramAlone => matches!(self.content, Content::EndOfInput),
        }
    }
}

/// The two ends of the way to the session.
fn post(is_move: fn(&[u8]) -> bool) -> (Outbox, Inbox) {
    let (events, coming) = mpsc::channel();
    let search = Arc::default();
    (Outbox { events, search: Arc::clone(&search), is_move }, Inbox { coming, waiting: VecDeque::new(), search })
}

/// Sends events to the session and ends the search that they concern.
#[derive(Clone)]
struct Outbox {
    events: Sender<Event>,
    search: Arc<Mutex<Stop>>,
    is_move: fn(&[u8]) -> bool,
}

impl Outbox {
    /// Sends a command. Whatever it changes, the search that runs meanwhile is not for the game after it; a move waits.
    fn command(&self, source: Source, line: Vec<u8>) {
        let is_move = (self.is_move)(&line);
        // A session that has ended hears nothing.
        let _ = self.events.send(Event { source, content: Content::Command(line), is_move });
        if !is_move {
            self.search.lock().unwrap_or_else(PoisonError::into_inner).stop();
        }
    }

    fn end_of_input(&self) {
        let _ = self.events.send(Event { source: Source::Input, content: Content::EndOfInput, is_move: false });
    }
}

/// The events that the session has not obeyed yet, in order of arrival.
struct Inbox {
    coming: Receiver<Event>,
    waiting: VecDeque<Event>,
    search: Arc<Mutex<Stop>>,
}

impl Inbox {
    /// The stop of a new search, which commands end from now on.
    fn new_search(&self) -> Stop {
        let stop = Stop::new();
        *self.search.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        stop
    }

    /// The next event that need not wait. The lines of the input stay in order.
    fn next(&mut self, turn: Turn) -> Option<Event> {
        self.waiting.extend(self.coming.try_iter());
        let mut input_waits = false;
        let may_come = |event: &Event| match event.source {
            Source::Page => !event.waits(turn),
            Source::Input => {
                input_waits |= event.waits(turn);
                !input_waits
            }
        };
        let index = self.waiting.iter().position(may_come)?;
        self.waiting.remove(index)
    }

    /// Waits until something comes in.
    ///
    /// # Errors
    /// If nothing can come in any more.
    fn wait(&mut self) -> Result<(), RecvError> {
        self.waiting.push_back(self.coming.recv()?);
        Ok(())
    }

    /// Waits until something comes in, at most for this time.
    fn wait_for(&mut self, time: Duration) {
        self.waiting.extend(self.coming.recv_timeout(time).ok());
    }
}

/// Reads the inputs one after the other.
fn read(inputs: Vec<std::path::PathBuf>, outbox: &Outbox) {
    let mut lines = 0;
    for path in inputs {
        if let Err(error) = read_one(&path, outbox, &mut lines) {
            let _ = writeln!(stderr(), "Error: {error:#}");
        }
    }
    if lines > 0 {
        outbox.end_of_input();
    }
}

/// Reads an input to its end and counts its lines.
fn read_one(path: &std::path::Path, outbox: &Outbox, lines: &mut u64) -> anyhow::Result<()> {
    let mut input = Lines::trimmed(open_input(path)?);
    while let Some(line) = input.next()? {
        *lines += 1;
        outbox.command(Source::Input, line.to_vec());
    }
    Ok(())
}
