//! The program `loa6`.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use console::loa6::{NAME, Request, RequestError, RequestReader, answer, choose};

use crate::input::Lines;
use crate::options::{parse_or_exit, seed_from_clock};

/// The 6x6 Lines of Action agent of CS3243: one request on standard input, one line as the answer.
///
/// Requests: `identify`; or `move`, the number of turns elapsed, `6`, and six rows of `.`, `X` and `O`, the top one
/// first. The agent plays X and answers like `D1B3`, rows counted from the top.
#[derive(Parser)]
#[command(name = "loa6", version)]
pub(crate) struct Options {}

/// Time for a move. The limit is three seconds including process start; half of it is a margin for loaded machines.
const MOVETIME: Duration = Duration::from_millis(1500);

/// Runs the program.
pub fn main() -> ExitCode {
    if let Err(code) = parse_or_exit::<Options>() {
        return code;
    }
    // Standard input is not locked: the answer must not wait for the end of the input, and the process must not wait
    // for a thread that holds the lock.
    let mut lines = Lines::exact(BufReader::new(io::stdin()));
    match request(&mut lines) {
        Ok(Ok(request)) => reply(&request),
        Ok(Err(error)) => fail(&error.to_string()),
        Err(error) => fail(&error.to_string()),
    }
}

fn request(lines: &mut Lines<impl io::BufRead>) -> io::Result<Result<Request, RequestError>> {
    let mut reader = RequestReader::default();
    loop {
        let Some(line) = lines.next()? else { return Ok(Err(reader.end())) };
        match reader.line(line) {
            Ok(None) => (),
            Ok(Some(request)) => return Ok(Ok(request)),
            Err(error) => return Ok(Err(error)),
        }
    }
}

fn reply(request: &Request) -> ExitCode {
    let text = match request {
        Request::Identify => NAME.to_owned(),
        Request::Move(position) => match choose(position, MOVETIME, seed_from_clock(), search::SYSTEM) {
            Some(m) => answer(m),
            None => return fail("X has no legal move"),
        },
    };
    let mut output = io::stdout();
    match writeln!(output, "{text}").and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "loa6: {message}");
    ExitCode::from(1)
}
