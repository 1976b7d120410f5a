//! Finds answers that an agent wrote, but that did not arrive as expected.

use std::time::{Duration, Instant};

use game::text::excerpt;
use game::{Side, TextGame};
use process::sandbox::Access;
use process::{Output, Stream};
use protocol::{Heard, Lifetime, TimeLeft};
use referee::{Fault, FaultKind};

use crate::agent_spec::Words;
use crate::entry::launch::start;
use crate::entry::subject::Subject;

/// The expected answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaited<'a> {
    /// A report that the agent is ready.
    Ready,
    /// A move within this time.
    Move(&'a TimeLeft),
}

/// Repeats the requests to an agent that was waiting instead of answering, and closes its input, so that it ends and
/// flushes its output. Returns the fault and the remedy if the answer arrives now, or if it is in the middle of a line.
pub(crate) fn hidden_answer(
    &Subject { spec, agent, venue }: &Subject<'_>,
    game: &dyn TextGame,
    side: Side,
    awaited: Awaited<'_>,
) -> Option<(Fault, String)> {
    let mut dialect = spec.dialect(agent).ok()?;
    if dialect.lifetime() == Lifetime::Move {
        return None;
    }
    let mut lines = dialect.greet(game, side, 1).lines;
    lines.extend(dialect.configure().unwrap_or_default().lines);
    let (limit, keyword) = match awaited {
        Awaited::Ready => (Some(Duration::from_secs_f64(spec.time.start)), "readyok"),
        Awaited::Move(time) => {
            lines.extend(dialect.ask(game, time).lines);
            (time.patience(), "bestmove")
        }
    };
    let words = agent.command.as_ref().map(Words::words)?;
    let (_host, mut child) = start(agent, venue, Access::Read, None, words).ok()?;
    for line in lines {
        child.send(line.into_bytes());
    }
    child.close_input();
    let deadline = Instant::now() + limit?;
    while let Some(output) = child.output(deadline) {
        match output {
            Output::Line(Stream::Stdout, line) => {
                let line = String::from_utf8_lossy(&line).into_owned();
                let is_answer = match dialect.hear(&line) {
                    Heard::Ready => awaited == Awaited::Ready,
                    Heard::Move(_) => awaited != Awaited::Ready,
                    _ => false,
                };
                if is_answer {
                    return Some(not_flushed(&line));
                }
                if matches!(agent.dialect.as_deref(), Some("ugi" | "uci")) && line.contains(keyword) {
                    return Some(within_line(&line, keyword));
                }
            }
            Output::End(Stream::Stdout) => break,
            _ => (),
        }
    }
    None
}

fn not_flushed(line: &str) -> (Fault, String) {
    let line = excerpt(line);
    let detail = format!("the answer was not flushed: `{line}` came only after the end of the input");
    let remedy = "Flush after each line: `print(…, flush=True)`, `fflush(stdout)`, `System.out.flush()`.";
    (Fault::new(FaultKind::Stall, detail), remedy.to_owned())
}

fn within_line(line: &str, keyword: &str) -> (Fault, String) {
    let detail = format!("`{}` found, expected a line that begins with `{keyword}`", excerpt(line));
    let remedy = "Standard output is for answers. Print prompts and everything else to standard error.";
    (Fault::new(FaultKind::Unreadable, detail), remedy.to_owned())
}
