//! Sorts what a program prints into dumps, messages and noise, and keeps the limits on it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use process::{Child, Command, Exit, Output, Stream};
use protocol::cs61b::{Dialect, strip_prompt};

use crate::Failure;
use crate::run::Over;
use crate::transcript::{Transcript, Voice};

/// Messages that may wait before the program counts as unresponsive to its script.
const MOST_WAITING: usize = 100;
/// How long output may keep coming after a program has ended, from something it has left behind.
const AFTER_EXIT: Duration = Duration::from_millis(300);

/// How long a program may go on after the other one has failed: long enough to fail by itself, if it is the one to blame.
const AFTER_FAILURE: Duration = Duration::from_millis(500);

/// A program and what it has said.
pub(crate) struct Listener<'a> {
    child: Child,
    number: usize,
    over: &'a Over,
    transcript: &'a Transcript,
    most_lines: usize,
    lines: [usize; 2],
    in_dump: bool,
    open_streams: u8,
    /// Dumps and copied results.
    pub(crate) output: String,
    /// Messages that nobody has taken: their lines, without prompts and without the blanks at their ends.
    messages: VecDeque<String>,
}

impl<'a> Listener<'a> {
    pub(crate) fn start(
        command: &Command,
        dialect: Dialect,
        number: usize,
        over: &'a Over,
        transcript: &'a Transcript,
    ) -> Result<Self, Failure> {
        transcript.add(number, Voice::Noted, &format!("starting {command}"));
        let child = Child::start(command).map_err(|error| Failure::NoStart(error.to_string()))?;
        let most_lines = match dialect {
            Dialect::Loa => 3_000,
            Dialect::Jump61 => 1_000,
        };
        Ok(Self {
            child,
            number,
            over,
            transcript,
            most_lines,
            lines: [0, 0],
            in_dump: false,
            open_streams: 2,
            output: String::new(),
            messages: VecDeque::new(),
        })
    }

    pub(crate) fn send(&mut self, line: &[u8]) {
        self.note(Voice::Sent, &String::from_utf8_lossy(line));
        self.child.send(line.to_vec());
    }

    pub(crate) fn note(&self, voice: Voice, text: &str) {
        self.transcript.add(self.number, voice, text);
    }

    /// Copies a line to the output.
    pub(crate) fn copy(&mut self, line: &str) {
        self.output.push_str(line);
        self.output.push('\n');
    }

    /// The next message; `None` at the deadline.
    ///
    /// # Errors
    /// If the program breaks a limit, or has ended and will not say `what` was expected.
    pub(crate) fn message(&mut self, deadline: Instant, what: &'static str) -> Result<Option<String>, Failure> {
        loop {
            if let Some(message) = self.messages.pop_front() {
                return Ok(Some(message));
            }
            if self.open_streams == 0 {
                return self.ended(deadline, what).map_or(Ok(None), Err);
            }
            if self.over.get().is_some_and(|since| since.elapsed() > AFTER_FAILURE) {
                return Err(Failure::OpponentFailed);
            }
            match self.child.output(patience(deadline)) {
                Some(output) => self.hear(output)?,
                // Whatever it has left behind may hold the pipe, but the program itself will say no more.
                None if self.child.exit().is_some() => return self.ended(deadline, what).map_or(Ok(None), Err),
                None if Instant::now() >= deadline => return Ok(None),
                None => (),
            }
        }
    }

    /// The failure of a program that will say no more; `None` if it has only closed its outputs and is there at the deadline.
    fn ended(&mut self, deadline: Instant, what: &'static str) -> Option<Failure> {
        match self.child.wait(deadline)? {
            Exit::Code(0) => Some(Failure::Ended(what)),
            exit => Some(Failure::AbnormalExit(exit)),
        }
    }

    /// Closes the input and listens until the program has ended, which must be within this time and with exit code 0.
    pub(crate) fn finish(&mut self, limit: Duration) -> Result<(), Failure> {
        self.note(Voice::Noted, "end of input");
        self.child.close_input();
        let deadline = Instant::now() + limit;
        let exit = loop {
            if self.open_streams == 0 {
                break self.child.wait(deadline);
            }
            match self.child.output(patience(deadline)) {
                Some(output) => self.hear(output)?,
                None if self.child.exit().is_some() => break self.child.exit(),
                None if Instant::now() >= deadline => break None,
                None => (),
            }
            if Instant::now() >= deadline {
                break self.child.exit();
            }
        };
        match exit {
            Some(Exit::Code(0)) => {
                self.note(Voice::Noted, "exit code 0");
                Ok(())
            }
            Some(exit) => Err(Failure::AbnormalExit(exit)),
            None => Err(Failure::ExitTime(limit)),
        }
    }

    fn hear(&mut self, output: Output) -> Result<(), Failure> {
        match output {
            Output::Line(Stream::Stdout, line) => self.hear_line(&String::from_utf8_lossy(&line)),
            Output::Line(Stream::Stderr, line) => self.hear_complaint(&String::from_utf8_lossy(&line)),
            Output::Partial(..) => Ok(()),
            Output::End(_) => {
                self.open_streams -= 1;
                Ok(())
            }
        }
    }

    fn count(&mut self, stream: Stream) -> Result<(), Failure> {
        let (index, name) = match stream {
            Stream::Stdout => (0, "standard output"),
            Stream::Stderr => (1, "standard error"),
        };
        self.lines[index] += 1;
        if self.lines[index] > self.most_lines {
            return Err(Failure::TooMuchOutput { limit: self.most_lines, stream: name });
        }
        Ok(())
    }

    fn hear_line(&mut self, line: &str) -> Result<(), Failure> {
        let line = line.trim_end_matches(['\r', '\n']);
        self.note(Voice::Printed, line);
        self.count(Stream::Stdout)?;
        let line = strip_prompt(line);
        let is_marker = is_dump_mark(line);
        if is_marker || self.in_dump {
            self.copy(line);
            self.in_dump ^= is_marker;
        } else if line.trim_start().starts_with('*') {
            self.messages.push_back(line.trim_end().to_owned());
            if self.messages.len() > MOST_WAITING {
                return Err(Failure::Unresponsive(MOST_WAITING));
            }
        }
        Ok(())
    }

    fn hear_complaint(&mut self, line: &str) -> Result<(), Failure> {
        self.note(Voice::Complained, line);
        if line.contains("Exception in thread \"") {
            return Err(Failure::Exception(line.trim().to_owned()));
        }
        self.count(Stream::Stderr)
    }
}

/// Whether a line without its prompt begins or ends a dump. As for the courses, what begins with the mark is one.
pub(crate) fn is_dump_mark(line: &str) -> bool {
    line.starts_with("===")
}

/// Until when to wait before looking whether the program is still there.
fn patience(deadline: Instant) -> Instant {
    deadline.min(Instant::now() + AFTER_EXIT)
}
