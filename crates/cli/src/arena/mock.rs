//! `plyhouse arena mock`: agents that misbehave, for tests of tournaments.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use clap::{Args, ValueEnum};
use console::loa6::{Request, RequestReader, answer};
use console::{Flow, Session, Transcript, ugi};
use engine::{Level, PlayerOptions};
use game::{Position as _, SplitMix64};
use games::GameId;

use crate::input::Lines;

/// Run as an agent that plays random moves and misbehaves at its N-th move, to test a tournament or your own harness
#[derive(Args)]
pub(super) struct Options {
    /// Dialect of the agent
    #[arg(value_enum)]
    dialect: Dialect,
    /// Misbehaviour of the agent
    #[arg(value_enum)]
    behaviour: Behaviour,
    /// Number of the move at which it misbehaves, counted from 1
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    at: u32,
    /// Game of a `cs61b` agent: loa or jump61
    #[arg(long, default_value = "loa")]
    game: GameId,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dialect {
    /// 6x6 Lines of Action, one process per move
    Nus,
    /// 8x8 Lines of Action or Jump61, one process per game
    Cs61b,
    /// Lines of Action of any size, one process per game
    Ugi,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Behaviour {
    /// Never misbehaves
    Honest,
    /// Answers with an illegal move
    Illegal,
    /// Exits with code 3
    Crash,
    /// Ends by a signal
    Abort,
    /// Waits forever
    Hang,
    /// Computes forever
    Slow,
    /// Answers with malformed lines
    Garbage,
    /// Answers without ending the line, then waits
    NoNewline,
    /// Answers with a line that never ends
    EndlessLine,
    /// Prints lines forever without answering
    Flood,
    /// Starts a process in a new session, then continues to play
    Orphan,
    /// Exits immediately
    NoStart,
    /// Falsely claims that the first side has won; only for `cs61b`
    FalseClaim,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut mock = Mock { options, out, moves: 0 };
    if options.behaviour == Behaviour::NoStart {
        return Ok(());
    }
    match options.dialect {
        Dialect::Nus => mock.nus(),
        Dialect::Cs61b => mock.cs61b(),
        Dialect::Ugi => mock.ugi(),
    }
}

struct Mock<'a> {
    options: &'a Options,
    out: &'a mut dyn Write,
    /// Number of its moves so far.
    moves: u32,
}

impl Mock<'_> {
    /// Prints a line and flushes it.
    fn print_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// Plays the move `good`, or misbehaves if this is the chosen move. `illegal` is an illegal move.
    fn make_move(&mut self, good: &str, illegal: &str) -> io::Result<()> {
        self.moves += 1;
        if self.moves != self.options.at {
            return self.print_line(good);
        }
        match self.options.behaviour {
            Behaviour::Honest | Behaviour::NoStart => self.print_line(good),
            Behaviour::Illegal => self.print_line(illegal),
            Behaviour::Crash => {
                let _ = writeln!(io::stderr(), "mock: something went wrong in move {}", self.moves);
                std::process::exit(3)
            }
            Behaviour::Abort => std::process::abort(),
            Behaviour::Hang => wait(),
            Behaviour::Slow => loop {
                std::hint::spin_loop();
            },
            // These lines look like messages of the dialects but are malformed.
            Behaviour::Garbage => self.print_line("* \u{1b}[2J?!\u{7}").and_then(|()| self.print_line("bestmove")),
            Behaviour::NoNewline => {
                write!(self.out, "{good}")?;
                self.out.flush()?;
                wait()
            }
            Behaviour::EndlessLine => loop {
                self.out.write_all(&[b'x'; 4096])?;
            },
            Behaviour::Flood => loop {
                self.print_line(if self.options.dialect == Dialect::Nus { "" } else { "thinking" })?;
            },
            Behaviour::Orphan => {
                let mut command = Command::new("setsid");
                command.args(["sleep", "600"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                if let Err(error) = command.spawn() {
                    let _ = writeln!(io::stderr(), "mock: setsid: {error}");
                }
                self.print_line(good)
            }
            Behaviour::FalseClaim => {
                let winner = if self.options.game == GameId::JUMP61 { "Red" } else { "Black" };
                self.print_line(&format!("* {winner} wins."))?;
                self.print_line(good)
            }
        }
    }

    fn nus(&mut self) -> anyhow::Result<()> {
        let mut reader = RequestReader::default();
        let mut lines = Lines::exact(io::stdin().lock());
        let mut turns = 0;
        let mut number = 0;
        while let Some(line) = lines.next()? {
            number += 1;
            if number == 2 {
                turns = String::from_utf8_lossy(line).trim().parse().unwrap_or(0);
            }
            match reader.line(line)? {
                None => (),
                Some(Request::Identify) => return Ok(self.print_line("mock")?),
                Some(Request::Move(position)) => {
                    // Each move has its own process, so the number of moves comes from the request.
                    self.moves = (turns - 1).max(0) as u32 / 2;
                    let moves = position.movable();
                    let mut rng = SplitMix64::new(position.key().0);
                    let Some(&m) = rng.choose(&moves) else { return Ok(()) };
                    return Ok(self.make_move(&answer(m), "A1A1")?);
                }
            }
        }
        Err(reader.end().into())
    }

    /// Runs the built-in text program at its lowest level and changes its output.
    fn cs61b(&mut self) -> anyhow::Result<()> {
        let player = PlayerOptions { level: Level::new(1)?, ..PlayerOptions::default() };
        let mut session: Box<dyn Session> = if self.options.game == GameId::JUMP61 {
            Box::new(console::jump61::Console::new(&player)?)
        } else {
            Box::new(console::loa::Console::new(&player)?)
        };
        let mut lines = Lines::trimmed(io::stdin().lock());
        loop {
            write!(self.out, "{}", session.prompt())?;
            self.out.flush()?;
            let Some(line) = lines.next()? else { return Ok(()) };
            let mut transcript = Transcript::default();
            let flow = session.line(line, &mut transcript);
            for line in transcript.printed {
                if line.starts_with("* ") && !line.contains("wins") && !line.contains("Tie") {
                    self.make_move(&line, if self.options.game == GameId::JUMP61 { "* 10 10" } else { "* a1-a1" })?;
                } else {
                    self.print_line(&line)?;
                }
            }
            match flow {
                Ok(Flow::Quit) => return Ok(()),
                Ok(Flow::Continue) => (),
                Err(error) => writeln!(io::stderr(), "Error: {error}")?,
            }
        }
    }

    fn ugi(&mut self) -> anyhow::Result<()> {
        let mut machine = ugi::Machine::new(GameId::LOA, None)?;
        let mut lines = Lines::trimmed(io::stdin().lock());
        while let Some(line) = lines.next()? {
            match machine.line(&String::from_utf8_lossy(line)) {
                Ok(ugi::Reply::Say(lines)) => lines.iter().try_for_each(|line| self.print_line(line))?,
                Ok(ugi::Reply::Search(_)) => {
                    let moves = machine.game().legal_moves();
                    let mut rng = SplitMix64::new(machine.game().key().0);
                    let m = rng.choose(&moves).cloned().unwrap_or_default();
                    self.make_move(&format!("bestmove {m}"), "bestmove a1-a1")?;
                }
                Ok(ugi::Reply::Quit) => return Ok(()),
                Ok(ugi::Reply::NoSearch(error)) => {
                    writeln!(io::stderr(), "{error}")?;
                    self.print_line(ugi::NULL_MOVE)?;
                }
                Ok(_) => (),
                Err(error) => writeln!(io::stderr(), "{error}")?,
            }
        }
        Ok(())
    }
}

/// Waits forever.
fn wait() -> ! {
    loop {
        sleep(Duration::from_hours(1));
    }
}
