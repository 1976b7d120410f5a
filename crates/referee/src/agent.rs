use std::time::{Duration, Instant};

use game::{MoveError, Outcome, Side, TextGame};

use crate::{Farewell, Fault, FaultKind, Player, Turn};
use process::{Child, Command, Exit, Output, Stream};
use protocol::{Dialect, Heard, Lifetime, Talk, TimeLeft};

/// Bytes that are kept of the beginning, and of the end, of a player's standard error in a game.
const KEPT: usize = 16 << 10;
/// The most bytes that a program may write before an answer.
const MUCH: usize = 1 << 20;
/// How long a program may take to end when it has answered or the game is over.
const LINGER: Duration = Duration::from_secs(1);
/// A player that computed for less than this share of its time, in percent, was idle.
const IDLE_PERCENT: u32 = 5;

/// A program that plays: a command and the program's dialect.
///
/// Every wait has a deadline, and every process is ended together with the processes that it has started.
pub struct Agent {
    command: Command,
    dialect: Box<dyn Dialect>,
    side: Side,
    seed: u64,
    start_time: Duration,
    child: Option<Child>,
    stderr: Capped,
    /// Processor time of children that have ended.
    spent: Option<Duration>,
    /// Processor time of the child when it was last measured.
    seen: Option<Duration>,
}

/// How a wait ended.
enum Waited {
    Ready,
    Move(String),
    Fault(Fault),
}

/// The result of listening.
struct Listened {
    end: Waited,
    claim: Option<Outcome>,
}

impl Agent {
    /// Makes a player without starting the program.
    pub fn new(command: Command, dialect: Box<dyn Dialect>) -> Self {
        Self {
            command,
            dialect,
            side: Side::First,
            seed: 0,
            start_time: Duration::ZERO,
            child: None,
            stderr: Capped::default(),
            spent: Some(Duration::ZERO),
            seen: Some(Duration::ZERO),
        }
    }

    fn start(&mut self) -> Result<Child, Fault> {
        self.seen = Some(Duration::ZERO);
        Child::start(&self.command).map_err(|error| Fault::new(FaultKind::NoStart, error.to_string()))
    }

    /// Starts the process for a whole game and waits until it is ready.
    fn start_and_greet(&mut self, game: &dyn TextGame) -> Result<(), Fault> {
        let deadline = Instant::now() + self.start_time;
        let mut child = self.start()?;
        let talk = self.dialect.greet(game, self.side, self.seed);
        say(&mut child, &talk);
        if talk.awaits_ready {
            match self.listen(&mut child, Some(deadline)).end {
                Waited::Ready => (),
                Waited::Move(m) => return Err(self.not_ready(child, &format!("it moved `{m}` before it was asked"))),
                Waited::Fault(fault) => return Err(self.not_ready(child, &fault.detail)),
            }
        }
        self.child = Some(child);
        Ok(())
    }

    fn not_ready(&mut self, child: Child, why: &str) -> Fault {
        self.bury(child);
        Fault::new(FaultKind::NoStart, format!("not ready: {why}"))
    }

    /// Reads the program's output until it answers or ends, or its time is up.
    fn listen(&mut self, child: &mut Child, deadline: Option<Instant>) -> Listened {
        let (mut claim, mut said, mut partial) = (None, 0, String::new());
        let began = Instant::now();
        let end = loop {
            // Without a limit the wait is repeated, because every single wait has a deadline.
            let until = deadline.unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
            let output = if Instant::now() >= until { None } else { child.output(until) };
            match output {
                Some(Output::Line(Stream::Stdout, line)) => {
                    said += line.len() + 1;
                    partial.clear();
                    match self.dialect.hear(&String::from_utf8_lossy(&line)) {
                        Heard::Nothing if said > MUCH => {
                            let detail = format!("it has written {MUCH} bytes without an answer");
                            break Waited::Fault(Fault::new(FaultKind::Unreadable, detail));
                        }
                        Heard::Nothing => (),
                        Heard::Ready => break Waited::Ready,
                        Heard::Move(m) => break Waited::Move(m),
                        Heard::Claim(outcome) => claim = Some(outcome),
                        Heard::Unreadable(why) => break Waited::Fault(Fault::new(FaultKind::Unreadable, why)),
                    }
                }
                Some(Output::Line(Stream::Stderr, line)) => self.stderr.add(&line),
                Some(Output::Partial(Stream::Stdout, text)) => partial = String::from_utf8_lossy(&text).into_owned(),
                Some(Output::Partial(Stream::Stderr, _) | Output::End(Stream::Stderr) | Output::NoNewline(_)) => (),
                Some(Output::End(Stream::Stdout)) => break Waited::Fault(self.ended(child)),
                None if deadline.is_none() => (),
                None => {
                    let wait = began.elapsed();
                    let used = child.cpu().zip(self.seen).map(|(after, before)| after.saturating_sub(before));
                    break Waited::Fault(late(wait, used, &partial, self.stderr.last_line()));
                }
            }
        };
        Listened { end, claim }
    }

    /// The fault of a program that has closed its output instead of answering.
    fn ended(&mut self, child: &mut Child) -> Fault {
        let deadline = Instant::now() + LINGER;
        while let Some(output) = child.output(deadline) {
            if let Output::Line(Stream::Stderr, line) = output {
                self.stderr.add(&line);
            }
        }
        let (kind, detail) = match child.wait(deadline) {
            Some(Exit::Code(0)) if self.dialect.lifetime() == Lifetime::Move => {
                (FaultKind::Unreadable, "it ended without an answer".to_owned())
            }
            Some(exit) => (FaultKind::Crash, exit.to_string()),
            None => (FaultKind::Crash, "it closed its output".to_owned()),
        };
        Fault::new(kind, detail + &complaint(self.stderr.last_line()))
    }

    /// Gives a program a moment to end by itself, and reads the rest of its output.
    fn hear_out(&mut self, child: &mut Child) -> Option<Outcome> {
        let deadline = Instant::now() + LINGER;
        let (mut claim, mut said) = (None, 0);
        while let Some(output) = child.output(deadline) {
            match output {
                Output::Line(Stream::Stdout, line) => {
                    said += line.len();
                    if let Heard::Claim(outcome) = self.dialect.hear(&String::from_utf8_lossy(&line)) {
                        claim = Some(outcome);
                    }
                }
                Output::Line(Stream::Stderr, line) => {
                    said += line.len();
                    self.stderr.add(&line);
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

    /// Ends a process with all processes that it has started, and adds up its processor time.
    fn bury(&mut self, mut child: Child) {
        self.spent = self.spent.zip(child.cpu()).map(|(sum, more)| sum + more);
        child.kill();
    }

    fn answer(
        &mut self,
        game: &dyn TextGame,
        time: &TimeLeft,
    ) -> (Result<String, Fault>, Option<Outcome>, Option<Duration>) {
        let began = Instant::now();
        let child = match (self.child.take(), self.dialect.lifetime()) {
            (Some(child), _) => Ok(child),
            (None, Lifetime::Move) => self.start(),
            // The last process was ended after a fault.
            (None, Lifetime::Game) => self
                .start_and_greet(game)
                .and_then(|()| self.child.take().ok_or_else(|| Fault::new(FaultKind::NoStart, "it was not started"))),
        };
        let mut child = match child {
            Ok(child) => child,
            Err(fault) => return (Err(fault), None, None),
        };
        let talk = self.dialect.ask(game, time);
        say(&mut child, &talk);
        let heard = self.listen(&mut child, time.limit.map(|limit| began + limit));
        // The time includes what it computed while the other side was to move. Measuring twice a move would cost twice
        // as much.
        let now = child.cpu();
        let cpu = now.zip(self.seen).map(|(now, before)| now.saturating_sub(before));
        self.seen = now;
        match heard.end {
            Waited::Move(m) => {
                self.child = Some(child);
                (Ok(m), heard.claim, cpu)
            }
            Waited::Ready => {
                self.bury(child);
                let fault = Fault::new(FaultKind::Unreadable, "it said that it was ready instead of moving");
                (Err(fault), heard.claim, cpu)
            }
            Waited::Fault(fault) => {
                self.bury(child);
                (Err(fault), heard.claim, cpu)
            }
        }
    }
}

impl Player for Agent {
    fn begin(&mut self, game: &dyn TextGame, side: Side, seed: u64, within: Duration) -> Result<(), Fault> {
        (self.side, self.seed, self.start_time) = (side, seed, within);
        self.stderr = Capped::default();
        self.spent = Some(Duration::ZERO);
        match self.dialect.lifetime() {
            Lifetime::Game => self.start_and_greet(game),
            Lifetime::Move => Ok(()),
        }
    }

    fn choose(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Turn {
        let began = Instant::now();
        let (answer, mut claim, cpu) = self.answer(game, time);
        let wall = began.elapsed();
        if self.dialect.lifetime() == Lifetime::Move
            && let Some(mut child) = self.child.take()
        {
            claim = self.hear_out(&mut child).or(claim);
            self.bury(child);
        }
        Turn { answer, claim, wall, cpu }
    }

    fn end(&mut self, game: &dyn TextGame) -> Farewell {
        let mut claim = None;
        if let Some(mut child) = self.child.take() {
            let talk = self.dialect.part(game);
            say(&mut child, &talk);
            child.close_input();
            claim = self.hear_out(&mut child);
            self.bury(child);
        }
        Farewell { claim, stderr: self.stderr.text(), cpu: self.spent }
    }

    fn can_be_replaced(&self) -> bool {
        self.dialect.tells_all()
    }

    fn explain(&self, error: &MoveError) -> String {
        self.dialect.explain(error)
    }
}

fn say(child: &mut Child, talk: &Talk) {
    for line in &talk.lines {
        child.send(line.clone().into_bytes());
    }
    if talk.ends_input {
        child.close_input();
    }
}

/// The fault of a program that gave no answer in time: it was computing, or it was idle.
fn late(wait: Duration, used: Option<Duration>, partial: &str, last_line: Option<String>) -> Fault {
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let idle = used.is_some_and(|used| used * 100 < wait * IDLE_PERCENT);
    let kind = if idle { FaultKind::Stall } else { FaultKind::Time };
    let used = used.map(|used| format!(", of which it used the processor for {}", seconds(used))).unwrap_or_default();
    let partial = match partial.trim() {
        "" => String::new(),
        partial => format!("; it has written `{}` without the end of the line", game::text::excerpt(partial)),
    };
    let detail = format!("no answer in {}{used}{partial}{}", seconds(wait), complaint(last_line));
    Fault::new(kind, detail)
}

/// The program's last line on standard error, which often tells why it does not answer.
fn complaint(last_line: Option<String>) -> String {
    last_line.map(|line| format!("; its last line on standard error: {line}")).unwrap_or_default()
}

/// Lines of text. Only the first and the last ones are kept when there are many.
#[derive(Default)]
struct Capped {
    head: String,
    tail: String,
    left_out: usize,
}

impl Capped {
    fn add(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let to =
            if self.tail.is_empty() && self.head.len() + line.len() < KEPT { &mut self.head } else { &mut self.tail };
        to.push_str(&line);
        to.push('\n');
        if self.tail.len() > 2 * KEPT {
            self.trim();
        }
    }

    /// Drops the beginning of the tail.
    fn trim(&mut self) {
        let cut = self.tail.len().saturating_sub(KEPT);
        let cut = (cut..=self.tail.len()).find(|&at| self.tail.is_char_boundary(at)).unwrap_or(0);
        self.left_out += cut;
        self.tail.drain(..cut);
    }

    fn last_line(&self) -> Option<String> {
        let text = if self.tail.is_empty() { &self.head } else { &self.tail };
        text.lines().rfind(|line| !line.trim().is_empty()).map(|line| line.chars().take(200).collect())
    }

    fn text(&mut self) -> String {
        if self.tail.len() > KEPT {
            self.trim();
        }
        let gap =
            if self.left_out > 0 { format!("[… {} bytes left out …]\n", self.left_out) } else { String::new() };
        format!("{}{gap}{}", self.head, self.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_of_many_lines_are_kept() {
        let mut capped = Capped::default();
        for i in 0..100_000 {
            capped.add(format!("line {i}").as_bytes());
        }
        let text = capped.text();
        assert!(text.starts_with("line 0\nline 1\n") && text.ends_with("line 99998\nline 99999\n"), "{text}");
        assert!(text.len() < 2 * KEPT + 100 && text.contains(" bytes left out"));
        assert_eq!(capped.last_line().as_deref(), Some("line 99999"));
        let mut short = Capped::default();
        short.add("é".as_bytes());
        assert_eq!(short.text(), "é\n");
    }
}
