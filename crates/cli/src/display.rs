//! `--display`: a text program with a page beside it. The page's actions become commands, so that both drive the same
//! game.

use std::io::{self, Write, stderr};
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::thread;

use console::Session;
use engine::Resources;
use games::GameId;
use web::Server;

use crate::input::Lines;
use crate::page;
use crate::streams::{End, Setup, Streams, fail, gone, obey, open_input};

/// What the page and the inputs send to the session.
enum Event {
    /// A command.
    Line(Vec<u8>),
    /// The inputs have ended after at least one line.
    EndOfInput,
}

/// Runs a session with a page. `quit` ends both, and so does the end of the input after at least one line. A program
/// that was started without any input, for example from a menu, stays with its page.
pub(crate) fn run(session: &mut dyn Session, setup: Setup, game: GameId) -> ExitCode {
    let server = match Server::bind(None, Resources::default()) {
        Ok(server) => server,
        Err(error) => return fail(&anyhow::Error::new(error).context("cannot serve the page")),
    };
    let (events, coming) = mpsc::channel();
    let from_page = events.clone();
    let display = server.belong_to_terminal(
        game,
        &session.shown(),
        Box::new(move |command| {
            let _ = from_page.send(Event::Line(command.into_bytes()));
        }),
    );
    let address = server.address();
    // Standard output belongs to the text interface.
    let _ = writeln!(stderr(), "The game is at {address}");
    thread::spawn(move || server.run());
    page::open(&address);
    let inputs = setup.inputs;
    thread::spawn(move || read(inputs, &events));
    let mut streams = Streams::new(setup.output, setup.log, setup.boards);
    loop {
        streams.write(&session.prompt());
        let Ok(Event::Line(line)) = coming.recv() else { return ExitCode::SUCCESS };
        display.show(&session.shown(), true);
        match obey(session, &line, &mut streams, setup.strict) {
            Ok(None | Some(End::OfInput)) => display.show(&session.shown(), false),
            Ok(Some(End::Quit)) => return ExitCode::SUCCESS,
            Ok(Some(End::Strict(code))) => return ExitCode::from(code),
            Err(error) => return gone(&error),
        }
    }
}

/// Reads the inputs one after the other.
fn read(inputs: Vec<std::path::PathBuf>, events: &Sender<Event>) {
    let mut lines = 0;
    for path in inputs {
        if let Err(error) = read_one(&path, events, &mut lines) {
            let _ = writeln!(stderr(), "Error: {error:#}");
        }
    }
    if lines > 0 {
        let _ = events.send(Event::EndOfInput);
    }
}

/// Reads an input to its end and counts its lines.
fn read_one(path: &std::path::Path, events: &Sender<Event>, lines: &mut u64) -> anyhow::Result<()> {
    let mut input = Lines::trimmed(open_input(path)?);
    while let Some(line) = input.next()? {
        *lines += 1;
        events.send(Event::Line(line.to_vec())).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
    }
    Ok(())
}
