//! `--display`: a text program with a page beside it. The page's wishes become commands, so that both drive the same game.

use std::io::{self, Write, stderr};
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::thread;

use console::Session;
use games::GameId;
use web::Server;

use crate::input::Lines;
use crate::page;
use crate::text_program::{End, Setup, Streams, fail, gone, obey, open_input};

/// Runs a session with a page. `quit` ends both; the end of the input ends neither.
pub(crate) fn run(session: &mut dyn Session, setup: Setup, game: GameId) -> ExitCode {
    let server = match Server::bind(None) {
        Ok(server) => server,
        Err(error) => return fail(&anyhow::Error::new(error).context("cannot serve the page")),
    };
    let (lines, coming) = mpsc::channel();
    let from_page = lines.clone();
    let display = server.belong_to_terminal(
        game,
        &session.shown(),
        Box::new(move |command| {
            let _ = from_page.send(command.into_bytes());
        }),
    );
    let address = server.address();
    // Standard output belongs to the text interface.
    let _ = writeln!(stderr(), "The game is at {address}");
    thread::spawn(move || server.run());
    page::open(&address);
    let inputs = setup.inputs;
    thread::spawn(move || read(inputs, &lines));
    let mut streams = Streams::new(setup.output, setup.log, setup.boards);
    loop {
        streams.write(&session.prompt());
        let Ok(line) = coming.recv() else { return ExitCode::SUCCESS };
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
fn read(inputs: Vec<std::path::PathBuf>, lines: &Sender<Vec<u8>>) {
    for path in inputs {
        if let Err(error) = read_one(&path, lines) {
            let _ = writeln!(stderr(), "Error: {error:#}");
        }
    }
}

fn read_one(path: &std::path::Path, lines: &Sender<Vec<u8>>) -> anyhow::Result<()> {
    let mut input = Lines::trimmed(open_input(path)?);
    while let Some(line) = input.next()? {
        lines.send(line.to_vec()).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
    }
    Ok(())
}
