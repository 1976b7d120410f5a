mod patience;

use std::time::{Duration, Instant};

use game::{MoveError, Outcome, Side, TextGame};
use process::{Bare, Child, Command, Exit, Host, Output, Stream};
use protocol::{Dialect, Heard, Info, Lifetime, Talk, TimeLeft};

use crate::capped::{Capped, complaint};
use crate::player::{Farewell, Fault, FaultKind, Player, Turn};
use crate::transcript::{Speaker, Transcript};
use patience::{Patience, is_late, late};

/// Maximum output of a program before an answer, in bytes.
const MUCH: usize = 1 << 20;
/// Maximum time for a program to exit after its answer or the end of the game.
const LINGER: Duration = Duration::from_secs(1);
/// Minimum and maximum time for a late program to answer after `stop`. Between these bounds, the time equals the limit
/// of the move, because a program that starts slowly often needs about twice that limit.
const STOPPING: [Duration; 2] = [LINGER, Duration::from_secs(5)];

/// A program that plays: a command and the dialect of the program.
///
/// Every wait has a deadline, and every process is ended together with its descendants.
pub struct Agent {
    command: Command,
    /// Host that runs the processes.
    host: Box<dyn Host>,
    /// Maximum output in a game, in bytes.
    most_output: u64,
    /// Output in this game so far, in bytes.
    written: u64,
    dialect: Box<dyn Dialect>,
    side: Side,
    seed: u64,
    start_time: Duration,
    child: Option<Child>,
    stderr: Capped,
    /// Processor time of children that have ended.
    spent: Option<Duration>,
    /// Processor time of the child at the last measurement.
    seen: Option<Duration>,
    /// Search information that the program has reported since the last request.
    info: Info,
    /// First unrequested answer, until it is reported.
    unasked: Option<String>,
    transcript: Option<Transcript>,
}

/// The event that ended a wait.
enum Waited {
    Ready,
    Move(String),
    Fault(Fault),
}

/// The expected answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
    /// A report that the program is ready. A move before this report counts as unrequested.
    Ready,
    Move,
}

/// The result of reading the program's output.
struct Listened {
    end: Waited,
    claim: Option<Outcome>,
}

/// The result of a request for a move.
struct Answer {
    result: Result<String, Fault>,
    claim: Option<Outcome>,
    cpu: Option<Duration>,
    /// Time that the program spent ready to run while other programs had the processor.
    waited: Duration,
}

impl Answer {
    /// Creates the result for a fault that occurred before the request.
    fn failed(fault: Fault) -> Self {
        Self { result: Err(fault), claim: None, cpu: None, waited: Duration::ZERO }
    }
}

impl Agent {
    /// Creates a player without starting the program.
    pub fn new(command: Command, dialect: Box<dyn Dialect>) -> Self {
        Self::hosted(command, dialect, Box::new(Bare), u64::MAX)
    }

    /// Creates a player whose processes run on a host such as a sandbox. `most_output` is the maximum output in a game
    /// on standard output and standard error together, in bytes.
    pub fn hosted(command: Command, dialect: Box<dyn Dialect>, host: Box<dyn Host>, most_output: u64) -> Self {
        Self {
            command,
            host,
            most_output,
            written: 0,
            dialect,
            side: Side::First,
            seed: 0,
            start_time: Duration::ZERO,
            child: None,
            stderr: Capped::default(),
            spent: Some(Duration::ZERO),
            seen: Some(Duration::ZERO),
            info: Info::default(),
            unasked: None,
            transcript: None,
        }
    }

    fn start(&mut self) -> Result<Child, Fault> {
        self.seen = Some(Duration::ZERO);
        self.write(Speaker::Note, format_args!("starts {}", self.command));
        self.host.start(&self.command).map_err(|error| Fault::new(FaultKind::NoStart, error.to_string()))
    }

    /// Starts the process for a whole game and waits until it is ready.
    fn start_and_greet(&mut self, game: &dyn TextGame) -> Result<(), Fault> {
        let deadline = Instant::now() + self.start_time;
        let mut child = self.start()?;
        let greeting = self.dialect.greet(game, self.side, self.seed);
        let mut ready = self.get_ready(&mut child, &greeting, deadline);
        if ready.is_ok()
            && let Some(talk) = self.dialect.configure()
        {
            ready = self.get_ready(&mut child, &talk, deadline);
        }
        match ready {
            Ok(()) => self.child = Some(child),
            Err(fault) => return Err(self.not_ready(child, &fault)),
        }
        Ok(())
    }

    /// Sends lines, and waits until the program is ready if they ask for that.
    fn get_ready(&mut self, child: &mut Child, talk: &Talk, deadline: Instant) -> Result<(), Fault> {
        self.say(child, talk);
        if talk.awaits_ready
            && let Waited::Fault(fault) = self.listen(child, &mut Patience::until(Some(deadline)), Awaits::Ready).end
        {
            return Err(fault);
        }
        Ok(())
    }

    /// Ends a program that did not become ready, and returns its fault. An exceeded resource limit keeps its kind;
    /// every other kind becomes [`FaultKind::NoStart`].
    fn not_ready(&mut self, child: Child, why: &Fault) -> Fault {
        self.bury(child);
        let kind = if why.kind.is_of_start() { why.kind } else { FaultKind::NoStart };
        Fault::new(kind, format!("{}{}", Fault::NOT_READY, why.detail))
    }

    /// Reads the program's output until the program answers or ends, or its time is up.
    fn listen(&mut self, child: &mut Child, patience: &mut Patience, awaits: Awaits) -> Listened {
        let (mut claim, mut said, mut partial) = (None, 0, String::new());
        let end = loop {
            let until = patience.next();
            let output = if Instant::now() >= until { None } else { child.output(until) };
            if let Some(Output::Line(_, line)) = &output {
                self.written += line.len() as u64 + 1;
            }
            match output {
                Some(Output::Line(..)) if self.written > self.most_output => {
                    let detail = format!("it has written more than {} bytes in this game", self.most_output);
                    break Waited::Fault(Fault::new(FaultKind::Output, detail));
                }
                Some(Output::Line(Stream::Stdout, line)) => {
                    said += line.len() + 1;
                    partial.clear();
                    match self.hear(&line) {
                        Heard::Nothing | Heard::Info(_) if said > MUCH => {
                            let detail = format!("it has written {MUCH} bytes without an answer");
                            break Waited::Fault(Fault::new(FaultKind::Output, detail));
                        }
                        Heard::Nothing => (),
                        Heard::Info(info) => self.info.update(info),
                        Heard::Ready => break Waited::Ready,
                        Heard::Move(m) if awaits == Awaits::Ready => self.not_asked_for(m),
                        Heard::Move(m) => break Waited::Move(m),
                        Heard::Claim(outcome) => claim = Some(outcome),
                        Heard::Unreadable(why) => break Waited::Fault(Fault::new(FaultKind::Unreadable, why)),
                    }
                }
                Some(Output::Line(Stream::Stderr, line)) => self.complain(&line),
                Some(Output::Partial(Stream::Stdout, text)) => partial = String::from_utf8_lossy(&text).into_owned(),
                Some(Output::Partial(Stream::Stderr, _) | Output::End(Stream::Stderr) | Output::NoNewline(_)) => (),
                Some(Output::End(Stream::Stdout)) => break Waited::Fault(self.ended(child)),
                None if Instant::now() >= until && patience.may_wait(child) => (),
                // The output of a program that is ended at a limit may close only after the deadline.
                None if matches!(child.exit(), Some(Exit::Limit(_))) => break Waited::Fault(self.ended(child)),
                None => {
                    let (wait, waited) = (patience.elapsed(), patience.waited(child));
                    let used = child.cpu().zip(self.seen).map(|(after, before)| after.saturating_sub(before));
                    break Waited::Fault(late(wait, used, waited, &partial, self.stderr.error_line()));
                }
            }
        };
        Listened { end, claim }
    }

    /// Returns the fault of a program that has closed its output instead of answering.
    fn ended(&mut self, child: &mut Child) -> Fault {
        let deadline = Instant::now() + LINGER;
        while let Some(output) = child.output(deadline) {
            if let Output::Line(Stream::Stderr, line) = output {
                self.complain(&line);
            }
            // A program that keeps writing errors always has more output.
            if Instant::now() >= deadline {
                break;
            }
        }
        let exit = child.wait(deadline).or_else(|| {
            // On a busy machine, a sandbox may report the end only after this deadline. A signal may come from the kill
            // itself.
            child.kill();
            child.exit().filter(|exit| !matches!(exit, Exit::Signal(_)))
        });
        let (kind, detail) = match exit {
            Some(Exit::Code(0)) if self.dialect.lifetime() == Lifetime::Move => {
                (FaultKind::Unreadable, "it ended without an answer".to_owned())
            }
            Some(Exit::Limit(limit)) => (limit.into(), format!("it was ended at its limit of {limit}")),
            Some(exit) => (FaultKind::Crash, exit.to_string()),
            None => (FaultKind::Crash, "it closed its output".to_owned()),
        };
        Fault::new(kind, detail + &complaint(self.stderr.error_line()))
    }

    /// Reads all pending output before a move is requested, so that an earlier answer is not taken for the next one.
    /// Returns the end of the game that the program has announced.
    fn clear(&mut self, child: &mut Child, deadline: Option<Instant>) -> Result<Option<Outcome>, Fault> {
        if self.dialect.lifetime() == Lifetime::Move {
            return Ok(None);
        }
        let mut claim = None;
        if let Some(talk) = self.dialect.hail() {
            self.say(child, &talk);
            let heard = self.listen(child, &mut Patience::until(deadline), Awaits::Ready);
            claim = heard.claim;
            if let Waited::Fault(fault) = heard.end {
                return Err(fault);
            }
        } else {
            let mut said = 0;
            while said <= MUCH
                && let Some(output) = child.output(Instant::now())
            {
                match output {
                    Output::Line(Stream::Stdout, line) => {
                        said += line.len() + 1;
                        match self.hear(&line) {
                            Heard::Move(m) => self.not_asked_for(m),
                            Heard::Claim(outcome) => claim = Some(outcome),
                            _ => (),
                        }
                    }
                    Output::Line(Stream::Stderr, line) => {
                        said += line.len() + 1;
                        self.complain(&line);
                    }
                    Output::End(Stream::Stdout) => return Err(self.ended(child)),
                    _ => (),
                }
            }
        }
        self.info = Info::default();
        Ok(claim)
    }

    fn not_asked_for(&mut self, answer: String) {
        self.unasked.get_or_insert(answer);
    }

    /// Interprets a line of the program.
    fn hear(&mut self, line: &[u8]) -> Heard {
        let line = String::from_utf8_lossy(line);
        self.write(Speaker::Program, format_args!("{line}"));
        self.dialect.hear(&line)
    }

    /// Stores a line of the program's standard error.
    fn complain(&mut self, line: &[u8]) {
        self.write(Speaker::StandardError, format_args!("{}", String::from_utf8_lossy(line)));
        self.stderr.add(line);
    }

    fn say(&self, child: &mut Child, talk: &Talk) {
        for line in &talk.lines {
            self.write(Speaker::Referee, format_args!("{line}"));
            child.send(line.clone().into_bytes());
        }
        if talk.ends_input {
            child.close_input();
        }
    }

    fn write(&self, speaker: Speaker, text: core::fmt::Arguments<'_>) {
        if let Some(transcript) = &self.transcript {
            transcript.write(self.side, speaker, text);
        }
    }

    /// Waits briefly for a program to exit by itself, and reads the rest of its output.
    fn hear_out(&mut self, child: &mut Child) -> Option<Outcome> {
        let deadline = Instant::now() + LINGER;
        let (mut claim, mut said) = (None, 0);
        while let Some(output) = child.output(deadline) {
            match output {
                Output::Line(Stream::Stdout, line) => {
                    said += line.len();
                    if let Heard::Claim(outcome) = self.hear(&line) {
                        claim = Some(outcome);
                    }
                }
                Output::Line(Stream::Stderr, line) => {
                    said += line.len();
                    self.complain(&line);
                }
                _ => (),
            }
            if said > MUCH || Instant::now() >= deadline {
                break;
            }
        }
        child.wait(deadline);
        claim
    }

    /// Ends a process with its descendants, and adds its processor time to the sum.
    fn bury(&mut self, mut child: Child) {
        self.spent = self.spent.zip(child.cpu()).map(|(sum, more)| sum + more);
        child.kill();
    }

    /// Starts the process for a whole game again if it was ended after a fault. As before the game, the start does not
    /// count against the player's clock.
    fn restart(&mut self, game: &dyn TextGame) -> Result<(), Fault> {
        if self.child.is_none() && self.dialect.lifetime() == Lifetime::Game {
            self.start_and_greet(game)?;
        }
        Ok(())
    }

    fn answer(&mut self, game: &dyn TextGame, time: &TimeLeft, began: Instant) -> Answer {
        let mut child = match self.child.take().map_or_else(|| self.start(), Ok) {
            Ok(child) => child,
            Err(fault) => return Answer::failed(fault),
        };
        let deadline = time.patience().map(|patience| began + patience);
        let early = match self.clear(&mut child, deadline) {
            Ok(claim) => claim,
            Err(fault) => {
                self.bury(child);
                return Answer::failed(fault);
            }
        };
        let talk = self.dialect.ask(game, time);
        self.say(&mut child, &talk);
        let mut patience = Patience::of_move(began, time.patience());
        let mut heard = self.listen(&mut child, &mut patience, Awaits::Move);
        let waited = patience.waited(&mut child);
        heard.claim = heard.claim.or(early);
        // This time includes computation during the opponent's turn. To exclude it, each move would need a second
        // measurement, which would double the cost.
        let now = child.cpu();
        let cpu = now.zip(self.seen).map(|(now, before)| now.saturating_sub(before));
        self.seen = now;
        let result = match heard.end {
            Waited::Move(m) => {
                self.child = Some(child);
                self.dialect.read(game, m).map_err(|error| Fault::refused(self, &error))
            }
            Waited::Ready => {
                self.bury(child);
                Err(Fault::new(FaultKind::Unreadable, "it said that it was ready instead of moving"))
            }
            Waited::Fault(fault) => {
                if is_late(&fault) {
                    self.child = Some(child);
                } else {
                    self.bury(child);
                }
                Err(fault)
            }
        };
        Answer { result, claim: heard.claim, cpu, waited }
    }

    /// Stops the search of a late program and reads the late answer, so that the program can continue in the same
    /// process. If there is no answer, or the dialect cannot stop a search, ends the process.
    fn stop(&mut self, fault: Fault, time: &TimeLeft) -> Fault {
        let Some(mut child) = self.child.take() else { return fault };
        let Some(talk) = self.dialect.stop() else {
            self.bury(child);
            return fault;
        };
        self.say(&mut child, &talk);
        let [least, most] = STOPPING;
        let within = time.patience().unwrap_or(most).clamp(least, most);
        let mut patience = Patience::until(Some(Instant::now() + within));
        let stopped = self.listen(&mut child, &mut patience, Awaits::Move);
        let what = match stopped.end {
            Waited::Move(answer) => {
                self.seen = child.cpu();
                self.child = Some(child);
                format!("it answered {} after `stop`, too late", game::text::excerpt(&answer))
            }
            Waited::Ready | Waited::Fault(_) => {
                self.bury(child);
                format!("nor within {} s after `stop`, so its process was ended", within.as_secs_f64())
            }
        };
        Fault::new(fault.kind, format!("{}; {what}", fault.detail))
    }
}

impl Player for Agent {
    fn begin(&mut self, game: &dyn TextGame, side: Side, seed: u64, within: Duration) -> Result<(), Fault> {
        (self.side, self.seed, self.start_time) = (side, seed, within);
        self.unasked = None;
        self.stderr = Capped::default();
        self.spent = Some(Duration::ZERO);
        self.written = 0;
        // Opening the host does not count against the player's clock.
        self.host.open().map_err(|error| Fault::new(FaultKind::NoStart, error.to_string()))?;
        match self.dialect.lifetime() {
            Lifetime::Game => {
                self.start_and_greet(game)?;
                self.host.set_to_move(false);
                Ok(())
            }
            // A process for a single move is started on the player's clock. A missing program is already detected here.
            Lifetime::Move => {
                self.host.check(&self.command).map_err(|error| Fault::new(FaultKind::NoStart, error.to_string()))
            }
        }
    }

    fn choose(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Turn {
        self.host.set_to_move(true);
        let restarted = self.restart(game);
        let began = Instant::now();
        let Answer { result, mut claim, cpu, waited } = match restarted {
            Ok(()) => self.answer(game, time, began),
            Err(fault) => Answer::failed(fault),
        };
        let wall = began.elapsed();
        let answer = result.map_err(|fault| if is_late(&fault) { self.stop(fault, time) } else { fault });
        if self.dialect.lifetime() == Lifetime::Move
            && let Some(mut child) = self.child.take()
        {
            claim = self.hear_out(&mut child).or(claim);
            self.bury(child);
            // Processes that the program has left running must not compute during the opponent's turn.
            self.host.clear();
        }
        self.host.set_to_move(false);
        let unasked = self.unasked.take().map(|answer| {
            let answer = game::text::excerpt(&answer);
            Fault::new(FaultKind::Unasked, format!("it sent the answer `{answer}` without a request for a move"))
        });
        Turn { answer, claim, wall, waited, cpu, info: core::mem::take(&mut self.info), unasked }
    }

    fn write_down(&mut self, transcript: &Transcript) {
        self.transcript = Some(transcript.clone());
    }

    fn end(&mut self, game: &dyn TextGame) -> Farewell {
        let mut claim = None;
        if let Some(mut child) = self.child.take() {
            self.host.set_to_move(true);
            let talk = self.dialect.part(game);
            self.say(&mut child, &talk);
            child.close_input();
            claim = self.hear_out(&mut child);
            self.bury(child);
        }
        self.host.close();
        Farewell { claim, stderr: self.stderr.text(), cpu: self.spent }
    }

    fn can_be_replaced(&self) -> bool {
        self.dialect.tells_all()
    }

    fn explain(&self, error: &MoveError) -> String {
        self.dialect.explain(error)
    }
}

#[cfg(test)]
mod tests;
