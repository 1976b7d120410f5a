//! `plyhouse arena mock`: agents that misbehave, to try a tournament with.

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

#[cfg(target_os = "linux")]
mod attack;

/// Be an agent that makes random moves and misbehaves at its N-th move, to test a tournament or a harness of your own
#[derive(Args)]
pub(super) struct Options {
    /// The dialect
    #[arg(value_enum)]
    dialect: Dialect,
    /// The misbehaviour
    #[arg(value_enum)]
    behaviour: Behaviour,
    /// The move at which it misbehaves, from 1
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    at: u32,
    /// loa or jump61, for `cs61b`
    #[arg(long, default_value = "loa")]
    game: GameId,
    /// What it tries at that move, besides: an attack on the arena, its opponents or the machine
    #[cfg(target_os = "linux")]
    #[arg(long, value_enum, value_name = "NAME")]
    attack: Option<attack::Attack>,
    #[cfg(target_os = "linux")]
    #[command(flatten)]
    range: attack::Range,
    /// Be a process that an attack starts
    #[cfg(target_os = "linux")]
    #[arg(long, value_enum, hide = true)]
    accomplice: Option<attack::Accomplice>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dialect {
    /// 6x6 Lines of Action, one process a move
    Nus,
    /// 8x8 Lines of Action or Jump61, one process a game
    Cs61b,
    /// Lines of Action, any size, one process a game
    Ugi,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Behaviour {
    /// Never misbehaves
    Honest,
    /// Answers with an illegal move
    Illegal,
    /// Ends with exit code 3
    Crash,
    /// Ends by a signal
    Abort,
    /// Waits forever
    Hang,
    /// Computes forever
    Slow,
    /// Answers with nonsense
    Garbage,
    /// Answers without the end of a line, and waits
    NoNewline,
    /// Answers with a line that never ends
    EndlessLine,
    /// Prints line after line without an answer
    Flood,
    /// Starts a process in a new session, and plays on
    Orphan,
    /// Ends immediately
    NoStart,
    /// Announces that it has won; only for `cs61b`
    FalseClaim,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    #[cfg(target_os = "linux")]
    if let Some(accomplice) = options.accomplice {
        accomplice.run(&options.range);
    }
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
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// Makes a move, or misbehaves at the right move. `illegal` is an illegal move.
    fn move_or_not(&mut self, good: &str, illegal: &str) -> io::Result<()> {
        self.moves += 1;
        #[cfg(target_os = "linux")]
        if let Some(attack) = self.options.attack
            && self.moves >= self.options.at
        {
            attack.strike(&self.options.range, self.moves > self.options.at);
        }
        if self.moves != self.options.at {
            return self.say(good);
        }
        match self.options.behaviour {
            Behaviour::Honest | Behaviour::NoStart => self.say(good),
            Behaviour::Illegal => self.say(illegal),
            Behaviour::Crash => {
                let _ = writeln!(io::stderr(), "mock: something went wrong in move {}", self.moves);
                std::process::exit(3)
            }
            Behaviour::Abort => std::process::abort(),
            Behaviour::Hang => wait(),
            Behaviour::Slow => loop {
                std::hint::spin_loop();
            },
            // A line that looks like a message of the dialect but is malformed.
            Behaviour::Garbage => self.say("* \u{1b}[2J?!\u{7}").and_then(|()| self.say("bestmove")),
            Behaviour::NoNewline => {
                write!(self.out, "{good}")?;
                self.out.flush()?;
                wait()
            }
            Behaviour::EndlessLine => loop {
                self.out.write_all(&[b'x'; 4096])?;
            },
            Behaviour::Flood => loop {
                self.say(if self.options.dialect == Dialect::Nus { "" } else { "thinking" })?;
            },
            Behaviour::Orphan => {
                let mut command = Command::new("setsid");
                command.args(["sleep", "600"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                if let Err(error) = command.spawn() {
                    let _ = writeln!(io::stderr(), "mock: setsid: {error}");
                }
                self.say(good)
            }
            Behaviour::FalseClaim => {
                let winner = if self.options.game == GameId::JUMP61 { "Red" } else { "Black" };
                self.say(&format!("* {winner} wins."))?;
                self.say(good)
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
                Some(Request::Identify) => return Ok(self.say("mock")?),
                Some(Request::Move(position)) => {
                    // Each move has its own process. The request tells the number of moves so far.
                    self.moves = (turns - 1).max(0) as u32 / 2;
                    let moves = position.movable();
                    let mut rng = SplitMix64::new(position.key().0);
                    let Some(&m) = rng.choose(&moves) else { return Ok(()) };
                    return Ok(self.move_or_not(&answer(m), "A1A1")?);
                }
            }
        }
        Err(reader.end().into())
    }

    /// Runs our own program at its lowest level and changes its output.
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
            let mut said = Transcript::default();
            let flow = session.line(line, &mut said);
            for line in said.printed {
                if line.starts_with("* ") && !line.contains("wins") && !line.contains("Tie") {
                    self.move_or_not(&line, if self.options.game == GameId::JUMP61 { "* 10 10" } else { "* a1-a1" })?;
                } else {
                    self.say(&line)?;
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
                Ok(ugi::Reply::Say(lines)) => lines.iter().try_for_each(|line| self.say(line))?,
                Ok(ugi::Reply::Search(_)) => {
                    let moves = machine.game().legal_moves();
                    let mut rng = SplitMix64::new(machine.game().key().0);
                    let m = rng.choose(&moves).cloned().unwrap_or_default();
                    self.move_or_not(&format!("bestmove {m}"), "bestmove a1-a1")?;
                }
                Ok(ugi::Reply::Quit) => return Ok(()),
                Ok(ugi::Reply::NoSearch(error)) => {
                    writeln!(io::stderr(), "{error}")?;
                    self.say(ugi::NULL_MOVE)?;
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
