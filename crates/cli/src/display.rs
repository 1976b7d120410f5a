//! `--display`: a text program and a page that control the same game. Actions on the page become commands. Commands are
//! executed between the moves of automated players; a command cancels the search of an automated player.

use std::collections::VecDeque;
use std::io::{Write, stderr};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use console::Session;
use engine::Resources;
use games::GameId;
use process::system::stdin_is_device;
use search::Stop;
use web::{Display, Server};

use crate::input::Lines;
use crate::options::seed_from_clock;
use crate::page;
use crate::streams::{End, Setup, Streams, advance, execute, exit_after_write_error, fail, open_input};

/// Runs a session with a page. Both end at `quit`, or at the end of the input if it had at least one line. A program
/// without any input, for example one that was started from a menu, keeps running.
pub(crate) fn run<S: Session>(session: &mut S, setup: Setup, game: GameId) -> ExitCode {
    let server = match Server::bind(None, Resources::default()) {
        Ok(server) => server,
        Err(error) => return fail(&anyhow::Error::new(error).context("cannot serve the page")),
    };
    let (outbox, inbox) = event_queue(S::is_move);
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
    // A program that was started from a menu reads `/dev/null`. Neither it nor a terminal is a script of commands.
    let varies = setup.reads_stdin() && stdin_is_device();
    let inputs = setup.inputs;
    let mut streams = Streams::new(setup.output, setup.log, setup.boards);
    if varies {
        session.vary(seed_from_clock(), &mut streams);
    }
    thread::spawn(move || read(inputs, &outbox));
    let code = MainLoop { session, inbox, streams, strict: setup.strict, display: &display }.run();
    display.end();
    code
}

/// The main loop of a game that a terminal and a page control.
struct MainLoop<'a> {
    session: &'a mut dyn Session,
    inbox: Inbox,
    streams: Streams,
    strict: Option<u8>,
    display: &'a Display,
}

impl MainLoop<'_> {
    /// Runs until the session ends.
    fn run(mut self) -> ExitCode {
        let mut is_prompted = false;
        let mut last_move = None;
        loop {
            // Created before the inbox is read, so that later commands cancel the search.
            let stop = self.inbox.new_search();
            let turn = self.turn();
            if turn == Turn::User && !is_prompted {
                self.streams.write(&self.session.prompt());
                is_prompted = true;
            }
            if let Some(event) = self.inbox.next(turn) {
                let Content::Command(line) = event.content else { return ExitCode::SUCCESS };
                match execute(self.session, &line, &mut self.streams, self.strict) {
                    Ok(None | Some(End::OfInput)) => self.show(),
                    Ok(Some(End::Quit)) => return ExitCode::SUCCESS,
                    Ok(Some(End::Strict(code))) => return ExitCode::from(code),
                    Err(error) => return exit_after_write_error(&error),
                }
                is_prompted = false;
            } else if turn == Turn::User {
                if self.inbox.wait().is_err() {
                    return ExitCode::SUCCESS;
                }
            } else if let Some(pause) = self.remaining_pause(turn, last_move) {
                self.inbox.wait_for(pause);
            } else {
                if let Err(error) = advance(self.session, &stop, &mut self.streams) {
                    return exit_after_write_error(&error);
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

    /// Returns how long the page must still show the last move of a program that plays both sides.
    fn remaining_pause(&self, turn: Turn, last_move: Option<Instant>) -> Option<Duration> {
        let since = last_move.filter(|_| turn == Turn::ProgramAlone)?.elapsed();
        self.display.pace().checked_sub(since).filter(|pause| !pause.is_zero())
    }
}

/// The player to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// A user, or no player because the game is over.
    User,
    /// The program, against a user.
    Program,
    /// The program, against itself.
    ProgramAlone,
}

/// The source of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Page,
    Input,
}

struct Event {
    source: Source,
    content: Content,
    /// `true` for a command that has the form of a move.
    is_move: bool,
}

enum Content {
    Command(Vec<u8>),
    /// The end of the inputs, after at least one line.
    EndOfInput,
}

impl Event {
    /// Returns `true` if the event must wait for the program's moves. A user's move waits for the user's turn. The end
    /// of the input always waits, as it does without a page.
    fn waits(&self, turn: Turn) -> bool {
        match turn {
            Turn::User => false,
            Turn::Program => self.is_move || matches!(self.content, Content::EndOfInput),
            Turn::ProgramAlone => matches!(self.content, Content::EndOfInput),
        }
    }
}

/// Creates a queue of events and returns its two ends.
fn event_queue(is_move: fn(&[u8]) -> bool) -> (Outbox, Inbox) {
    let (events, incoming) = mpsc::channel();
    let search = Arc::default();
    (Outbox { events, search: Arc::clone(&search), is_move }, Inbox { incoming, pending: VecDeque::new(), search })
}

/// Sends events to the session and cancels the search that they make obsolete.
#[derive(Clone)]
struct Outbox {
    events: Sender<Event>,
    search: Arc<Mutex<Stop>>,
    is_move: fn(&[u8]) -> bool,
}

impl Outbox {
    /// Sends a command. Cancels the current search unless the command is a move, because other commands may change the
    /// game. A move waits for the user's turn.
    fn command(&self, source: Source, line: Vec<u8>) {
        let is_move = (self.is_move)(&line);
        // An error means that the session has ended.
        let _ = self.events.send(Event { source, content: Content::Command(line), is_move });
        if !is_move {
            self.search.lock().unwrap_or_else(PoisonError::into_inner).stop();
        }
    }

    fn end_of_input(&self) {
        let _ = self.events.send(Event { source: Source::Input, content: Content::EndOfInput, is_move: false });
    }
}

/// Events that the session has not executed yet, in order of arrival.
struct Inbox {
    incoming: Receiver<Event>,
    pending: VecDeque<Event>,
    search: Arc<Mutex<Stop>>,
}

impl Inbox {
    /// Returns the stop flag of a new search. From now on, commands cancel this search.
    fn new_search(&self) -> Stop {
        let stop = Stop::new();
        *self.search.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        stop
    }

    /// Removes and returns the next event that need not wait. Lines of the input keep their order.
    fn next(&mut self, turn: Turn) -> Option<Event> {
        self.pending.extend(self.incoming.try_iter());
        let mut input_waits = false;
        let is_ready = |event: &Event| match event.source {
            Source::Page => !event.waits(turn),
            Source::Input => {
                input_waits |= event.waits(turn);
                !input_waits
            }
        };
        let index = self.pending.iter().position(is_ready)?;
        self.pending.remove(index)
    }

    /// Waits for an event.
    ///
    /// # Errors
    /// Returns an error if no more events can arrive.
    fn wait(&mut self) -> Result<(), RecvError> {
        self.pending.push_back(self.incoming.recv()?);
        Ok(())
    }

    /// Waits for an event, at most for this time.
    fn wait_for(&mut self, time: Duration) {
        self.pending.extend(self.incoming.recv_timeout(time).ok());
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
