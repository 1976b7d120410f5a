//! Execution of one script, or of two scripts whose programs play each other.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use process::Command;
use protocol::cs61b::{CourseGame, Message, parse_message, printed_move};

use crate::clock::Clock;
use crate::failure::Failure;
use crate::listen::{Listener, Over, Stop};
use crate::output::Copied;
use crate::parse::{Directive, Script};
use crate::percent::{PercentDirective, Said, read_message};
use crate::transcript::{Transcript, Voice};

/// Maximum time that `win+` waits for a win line.
const WIN_LIMIT: Duration = Duration::from_secs(5);
/// Maximum time for a program to exit after the end of its input.
const EXIT_LIMIT: Duration = Duration::from_secs(5);
/// Maximum number of messages that wait for the other program's script.
const MOST_PASSED: usize = 100;

/// The result of running one program's script.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) copied: Copied,
    pub(crate) failure: Option<Failure>,
    /// Notable event that is not a failure, as a remark for the report.
    pub(crate) remark: Option<String>,
    /// `true` if the program printed bytes outside ASCII, which are ignored.
    pub(crate) dropped_bytes: bool,
    /// First and last lines of the program's standard error.
    pub(crate) errors: String,
}

/// The connection to the other program's script.
struct Opponent {
    to: SyncSender<Passed>,
    from: Receiver<Passed>,
}

/// A message for the other program's script.
struct Passed {
    message: Message,
    /// Move as the program printed it; empty for a result.
    printed: String,
}

/// The execution of one program's script, with its clocks.
struct Runner<'a> {
    listener: Listener<'a>,
    course_game: CourseGame,
    opponent: Option<Opponent>,
    over: &'a Over,
    /// Line of the last message that a directive has taken.
    taken: String,
    clock: Clock,
}

/// Runs one script, or two whose programs play each other. Returns one result for each script.
pub(crate) fn run(
    scripts: &[Script],
    course_game: CourseGame,
    directory: Option<&PathBuf>,
    transcript: &Transcript,
) -> Vec<Run> {
    let mut opponents: Vec<Option<Opponent>> = scripts.iter().map(|_| None).collect();
    if let [first, second] = &mut opponents[..] {
        let ((to_second, from_first), (to_first, from_second)) = (sync_channel(MOST_PASSED), sync_channel(MOST_PASSED));
        *first = Some(Opponent { to: to_second, from: from_second });
        *second = Some(Opponent { to: to_first, from: from_first });
    }
    let over = &Over::new();
    thread::scope(|scope| {
        let runs: Vec<_> = scripts
            .iter()
            .zip(opponents)
            .enumerate()
            .map(|(index, (script, opponent))| {
                let command = Command { words: script.command.clone(), directory: directory.cloned() };
                scope.spawn(move || run_one(script, &command, course_game, index + 1, opponent, over, transcript))
            })
            .collect();
        runs.into_iter().map(|run| run.join().expect("invariant: running a script does not panic")).collect()
    })
}

fn run_one(
    script: &Script,
    command: &Command,
    course_game: CourseGame,
    number: usize,
    opponent: Option<Opponent>,
    over: &Over,
    transcript: &Transcript,
) -> Run {
    let is_older = script.lines.iter().any(|line| matches!(line.directive, Directive::Percent(_)));
    let listener = match Listener::start(command, course_game, number, over, transcript) {
        Ok(listener) => listener.reading(is_older.then_some(course_game)),
        Err(failure) => {
            over.get_or_init(Instant::now);
            return Run { failure: Some(failure), ..Run::default() };
        }
    };
    let mut runner = Runner { listener, course_game, opponent, over, taken: String::new(), clock: Clock::new() };
    let (failure, remark) = match runner.play(script) {
        Ok(()) => (None, None),
        Err(Stop::Failed(failure)) => {
            // Set before the channel to the other script closes, so that the other script can distinguish a failure
            // from a normal end.
            over.get_or_init(Instant::now);
            runner.listener.drain_after(&failure);
            transcript.add(number, Voice::Noted, &failure.to_string());
            (Some(failure), None)
        }
        Err(Stop::Exited(what)) => {
            let remark = format!("the program exited with code 0 before {what}; the rest of the script was skipped");
            transcript.add(number, Voice::Noted, &remark);
            (None, Some(remark))
        }
    };
    let Listener { copied, dropped_bytes, errors, .. } = runner.listener;
    Run { copied, failure, remark, dropped_bytes, errors: errors.text() }
}

impl Runner<'_> {
    fn play(&mut self, script: &Script) -> Result<(), Stop> {
        for line in &script.lines {
            match &line.directive {
                Directive::Send(line) => self.listener.send(line),
                Directive::Time { of_move, of_game } => self.clock.set(*of_move, *of_game),
                Directive::Move => self.one_move()?,
                Directive::MoveWin { copy } => self.moves_and_win(*copy)?,
                Directive::Win => self.win()?,
                Directive::RemoteMoveWin { copy } => self.remote(*copy, line.number)?,
                Directive::Percent(directive) => {
                    self.percent(directive, line.number).map_err(|stop| match stop {
                        Stop::Exited(_) => Failure::ExitAtPercent(directive.to_string()).into(),
                        failed @ Stop::Failed(_) => failed,
                    })?;
                }
            }
        }
        Ok(self.listener.finish(EXIT_LIMIT)?)
    }

    /// Waits for this program's next message, up to the time limit of a move and the remaining time of the game.
    fn own(&mut self) -> Result<Message, Stop> {
        match self.clock.wait(|deadline| self.listener.message(deadline, "its next move"))? {
            Ok(line) => self.read(line),
            Err(up) => Err(Failure::MyTime(up).into()),
        }
    }

    /// Parses a message that a directive takes, and passes it to the other program's script. If that script has ended,
    /// the message is dropped.
    fn read(&mut self, line: String) -> Result<Message, Stop> {
        self.taken = line;
        let text = self.taken.trim_start().strip_prefix('*').unwrap_or_default().trim_start();
        let message = parse_message(self.course_game, text)
            .ok_or_else(|| Failure::Malformed(game::text::excerpt(self.taken.trim())))?;
        let printed = printed_move(self.course_game, text).unwrap_or_default().to_owned();
        self.pass(message.clone(), printed)?;
        Ok(message)
    }

    /// Passes a message to the other program's script.
    fn pass(&self, message: Message, printed: String) -> Result<(), Stop> {
        let Some(opponent) = &self.opponent else { return Ok(()) };
        match opponent.to.try_send(Passed { message, printed }) {
            Err(TrySendError::Full(_)) => Err(Failure::OpponentUnresponsive(MOST_PASSED).into()),
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }

    /// Executes a `%` directive of the format of 2010 to 2016.
    fn percent(&mut self, directive: &PercentDirective, line: usize) -> Result<(), Stop> {
        self.clock.start_game();
        match directive {
            PercentDirective::Insert(_) => match self.insert(line)? {
                Message::Move(_) => Ok(()),
                Message::Result(result) => Err(at_percent(directive, &result).into()),
            },
            PercentDirective::Move(side) => {
                let said = self.said()?;
                if matches!(said.message, Message::Result(_)) || said.side.is_some_and(|found| found != *side) {
                    return Err(at_percent(directive, &self.taken).into());
                }
                self.pass_said(said.message)
            }
            PercentDirective::Answer(side) => self.answer(directive, *side, line),
            PercentDirective::Both(sides) => {
                for side in sides.iter().cycle() {
                    let said = self.said()?;
                    if let Message::Result(_) = said.message {
                        self.listener.unread(self.taken.clone());
                        break;
                    }
                    if said.side.is_some_and(|found| found != *side) {
                        return Err(at_percent(directive, &self.taken).into());
                    }
                }
                Ok(())
            }
            PercentDirective::End { winner, copy } => {
                let said = self.said()?;
                let is_other = winner.is_some() && said.side != *winner;
                if is_other || matches!(said.message, Message::Move(_)) {
                    return Err(at_percent(directive, &self.taken).into());
                }
                self.copy_taken(*copy);
                Ok(())
            }
        }
    }

    /// Executes `%ib.`: passes the other program's moves to this program, and this program's answers to the other one,
    /// until either program reports a result. A result of this program stays unread.
    fn answer(&mut self, directive: &PercentDirective, theirs: char, line: usize) -> Result<(), Stop> {
        while let Message::Move(_) = self.insert(line)? {
            let said = self.said()?;
            let is_move = matches!(said.message, Message::Move(_));
            if is_move && said.side == Some(theirs) {
                return Err(at_percent(directive, &self.taken).into());
            }
            self.pass_said(said.message)?;
            if !is_move {
                self.listener.unread(self.taken.clone());
                return Ok(());
            }
        }
        Ok(())
    }

    /// Passes a message to the other program's script. A move is passed as the command that plays it, not as printed.
    fn pass_said(&self, message: Message) -> Result<(), Stop> {
        let printed = if let Message::Move(m) = &message { m.clone() } else { String::new() };
        self.pass(message, printed)
    }

    /// Waits for the other program's next message. If it is a move, sends it to this program.
    fn insert(&mut self, line: usize) -> Result<Message, Stop> {
        if self.opponent.is_none() {
            return Err(Failure::NoOpponent(line).into());
        }
        let theirs = self.theirs()?;
        if let Message::Move(_) = theirs.message {
            self.listener.send(format!("{}\n", theirs.printed).as_bytes());
        }
        Ok(theirs.message)
    }

    /// Waits for this program's next message, which may be in the format of 2010 to 2016.
    fn said(&mut self) -> Result<Said, Stop> {
        match self.clock.wait(|deadline| self.listener.message(deadline, "its next message"))? {
            Ok(line) => {
                self.taken = line;
                let said = read_message(self.course_game, &self.taken);
                said.ok_or_else(|| Failure::Malformed(game::text::excerpt(self.taken.trim())).into())
            }
            Err(up) => Err(Failure::MyTime(up).into()),
        }
    }

    /// Executes `move`.
    fn one_move(&mut self) -> Result<(), Stop> {
        self.clock.start_game();
        match self.own()? {
            Message::Move(_) => Ok(()),
            Message::Result(result) => Err(Failure::UnexpectedWin(result).into()),
        }
    }

    /// Executes `move/win`.
    fn moves_and_win(&mut self, copy: bool) -> Result<(), Stop> {
        self.clock.start_game();
        loop {
            if let Message::Result(_) = self.own()? {
                self.copy_taken(copy);
                return Ok(());
            }
        }
    }

    /// Executes `win+`.
    fn win(&mut self) -> Result<(), Stop> {
        match self.clock.wait_briefly(WIN_LIMIT, |deadline| self.listener.message(deadline, "a win line"))? {
            Err(up) => Err(Failure::WinTime(up).into()),
            Ok(line) => match self.read(line)? {
                Message::Move(m) => Err(Failure::UnexpectedMove(m).into()),
                Message::Result(_) => {
                    self.copy_taken(true);
                    Ok(())
                }
            },
        }
    }

    /// Executes `remote move/win`.
    fn remote(&mut self, copy: bool, line: usize) -> Result<(), Stop> {
        self.clock.start_game();
        loop {
            let (mine, theirs) = match self.insert(line)? {
                Message::Move(_) => match self.own()? {
                    Message::Move(_) => continue,
                    // The opponent's move ended the game.
                    Message::Result(mine) => (mine, self.theirs()?.message),
                },
                // This program's last move ended the game.
                Message::Result(theirs) => match self.own()? {
                    Message::Move(m) => return Err(conflict(&m, &theirs).into()),
                    Message::Result(mine) => (mine, Message::Result(theirs)),
                },
            };
            return match theirs {
                Message::Result(theirs) if theirs == mine => {
                    self.copy_taken(copy);
                    Ok(())
                }
                Message::Result(theirs) => Err(conflict(&mine, &theirs).into()),
                Message::Move(theirs) => Err(conflict(&mine, &theirs).into()),
            };
        }
    }

    /// Waits for the other program's next message, up to the time limit of a move and the remaining time of the game.
    fn theirs(&mut self) -> Result<Passed, Failure> {
        let Some(opponent) = &self.opponent else { return Err(Failure::OpponentFailed) };
        let next =
            |deadline: Instant| match opponent.from.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(passed) => Ok(Some(passed)),
                Err(RecvTimeoutError::Timeout) => self.listener.drain().map(|()| None),
                Err(RecvTimeoutError::Disconnected) if self.over.get().is_some() => Err(Failure::OpponentFailed),
                Err(RecvTimeoutError::Disconnected) => Err(Failure::OpponentEnded),
            };
        self.clock.wait(next)?.map_err(Failure::OpponentTime)
    }

    /// Copies the last message's line to the output if the directive requests it (`wanted`).
    fn copy_taken(&mut self, wanted: bool) {
        if wanted {
            self.listener.copied.win(&self.taken);
        }
    }
}

fn at_percent(directive: &PercentDirective, found: &dyn ToString) -> Failure {
    let found = game::text::excerpt(found.to_string().trim());
    Failure::AtPercent { directive: directive.to_string(), found }
}

fn conflict(mine: &dyn ToString, theirs: &dyn ToString) -> Failure {
    Failure::Conflict { mine: mine.to_string(), theirs: theirs.to_string() }
}
