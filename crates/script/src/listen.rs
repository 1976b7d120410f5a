//! Listener for a program's output. It sorts the output into dumps, messages and noise, and enforces the output limits.

use std::collections::VecDeque;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use process::{Child, Command, Exit, Output, Stream};
use protocol::cs61b::{CourseGame, strip_prompt};

use crate::excerpt::{Excerpt, shorten};
use crate::failure::Failure;
use crate::output::Copied;
use crate::percent::read_message;
use crate::transcript::{Transcript, Voice};

/// Maximum number of unread messages while the script runs. A program with more counts as unresponsive.
const MOST_WAITING: usize = 100;
/// Maximum number of unread messages at the end of the script. The course's script adds two end-of-stream markers to
/// the same queue.
const MOST_LEFT: usize = 98;
/// Maximum wait for output after a program has exited. A child process that it left behind may keep the pipe open.
const AFTER_EXIT: Duration = Duration::from_millis(300);
/// Maximum number of pieces of output that are processed after a failure. A program may print endlessly.
const MOST_AFTER_FAILURE: usize = 1_000;
/// Maximum time for which a program may continue after the other program has failed. If it caused that failure, it
/// fails by itself within this time.
const AFTER_FAILURE: Duration = Duration::from_millis(500);

/// The time at which one of two programs first failed. The other program may stop after that.
pub(crate) type Over = OnceLock<Instant>;

/// The reason why a script stops before its end.
pub(crate) enum Stop {
    /// The test fails.
    Failed(Failure),
    /// The program exited with code 0 before it printed the expected text. That is not a failure in the course's
    /// script: the output decides.
    Exited(&'static str),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A running program and its output so far.
pub(crate) struct Listener<'a> {
    child: Child,
    number: usize,
    over: &'a Over,
    transcript: &'a Transcript,
    most_lines: usize,
    /// Numbers of lines on standard output and on standard error.
    lines: [usize; 2],
    open_streams: u8,
    /// Time at which the program's exit was detected.
    exited: Option<Instant>,
    /// Current maximum number of unread messages.
    most_unread: usize,
    /// The game, if messages may be in the format of 2010 to 2016. The number of unread messages is then unlimited.
    older: Option<CourseGame>,
    pub(crate) copied: Copied,
    /// Lines of unread messages, without prompts and trailing blanks.
    messages: VecDeque<String>,
    /// `true` if the program printed bytes outside ASCII. As in the course's script, these bytes are ignored.
    pub(crate) dropped_bytes: bool,
    /// Excerpt of standard error.
    pub(crate) errors: Excerpt,
}

impl<'a> Listener<'a> {
    pub(crate) fn start(
        command: &Command,
        course_game: CourseGame,
        number: usize,
        over: &'a Over,
        transcript: &'a Transcript,
    ) -> Result<Self, Failure> {
        transcript.add(number, Voice::Noted, &format!("starting {command}"));
        let child = Child::start(command).map_err(|error| Failure::NoStart(error.to_string()))?;
        let most_lines = match course_game {
            CourseGame::Loa => 3_000,
            CourseGame::Jump61 => 1_000,
        };
        Ok(Self {
            child,
            number,
            over,
            transcript,
            most_lines,
            lines: [0, 0],
            open_streams: 2,
            exited: None,
            most_unread: MOST_WAITING,
            older: None,
            copied: Copied::default(),
            messages: VecDeque::new(),
            dropped_bytes: false,
            errors: Excerpt::of_errors(),
        })
    }

    /// Also accepts messages in this game's format of 2010 to 2016, if a game is given.
    pub(crate) fn reading(self, older: Option<CourseGame>) -> Self {
        Self { older, ..self }
    }

    /// Sends a line with its newline. Only the last line may lack one.
    pub(crate) fn send(&mut self, line: &[u8]) {
        self.copied.sent(line);
        self.note(Voice::Sent, String::from_utf8_lossy(line).trim_end_matches('\n'));
        self.child.send_bytes(line.to_vec());
    }

    pub(crate) fn note(&self, voice: Voice, text: &str) {
        self.transcript.add(self.number, voice, text);
    }

    /// Returns the next message; `None` at the deadline.
    ///
    /// # Errors
    /// Returns an error if the program exceeds a limit, or has ended before it printed the expected message (`what`).
    pub(crate) fn message(&mut self, deadline: Instant, what: &'static str) -> Result<Option<String>, Stop> {
        loop {
            if let Some(message) = self.messages.pop_front() {
                return Ok(Some(message));
            }
            if self.open_streams == 0 {
                return self.ended(deadline, what).map_or(Ok(None), Err);
            }
            if self.over.get().is_some_and(|since| since.elapsed() > AFTER_FAILURE) {
                return Err(Failure::OpponentFailed.into());
            }
            match self.child.output(deadline) {
                Some(output) => self.hear(output)?,
                None if self.has_left() => return self.ended(deadline, what).map_or(Ok(None), Err),
                None if Instant::now() >= deadline => return Ok(None),
                None => (),
            }
        }
    }

    /// Puts a message back at the front of the queue of unread messages.
    pub(crate) fn unread(&mut self, message: String) {
        self.messages.push_front(message);
    }

    /// Processes the output that has arrived.
    ///
    /// # Errors
    /// Returns an error if the program exceeds a limit.
    pub(crate) fn drain(&mut self) -> Result<(), Failure> {
        while let Some(output) = self.child.output(Instant::now()) {
            self.hear(output)?;
        }
        Ok(())
    }

    /// Processes output that explains a failure: the rest of a stack trace, or the output that has already arrived.
    /// Further failures are ignored.
    pub(crate) fn drain_after(&mut self, failure: &Failure) {
        let patience = if matches!(failure, Failure::Exception(_)) { AFTER_EXIT } else { Duration::ZERO };
        let deadline = Instant::now() + patience;
        for _ in 0..MOST_AFTER_FAILURE {
            let Some(output) = self.child.output(deadline) else { return };
            let _ = self.hear(output);
        }
    }

    /// Returns `true` if the program exited long enough ago that no more output is expected. A child process that it
    /// left behind may keep the pipe open.
    fn has_left(&mut self) -> bool {
        self.child.exit().is_some() && self.exited.get_or_insert_with(Instant::now).elapsed() >= AFTER_EXIT
    }

    /// Waits until the deadline for a program without further output to exit, and returns the reason why its script
    /// stops; `None` if the program still runs.
    fn ended(&mut self, deadline: Instant, what: &'static str) -> Option<Stop> {
        match self.child.wait(deadline)? {
            Exit::Code(0) => Some(Stop::Exited(what)),
            exit => Some(Failure::AbnormalExit(exit).into()),
        }
    }

    /// Closes the input and processes output until the program has ended.
    ///
    /// # Errors
    /// Returns an error if the program exceeds a limit, does not end within this time, or ends with an exit code other
    /// than 0.
    pub(crate) fn finish(&mut self, limit: Duration) -> Result<(), Failure> {
        self.note(Voice::Noted, "end of input");
        self.most_unread = MOST_LEFT;
        self.check_unread()?;
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
            Output::Line(Stream::Stdout, line) => self.hear_line(&line),
            Output::Line(Stream::Stderr, line) => self.hear_error_line(&String::from_utf8_lossy(&line)),
            Output::NoNewline(Stream::Stdout) => {
                self.copied.no_newline();
                Ok(())
            }
            Output::NoNewline(Stream::Stderr) | Output::Partial(..) => Ok(()),
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

    fn hear_line(&mut self, line: &[u8]) -> Result<(), Failure> {
        self.note(Voice::Printed, String::from_utf8_lossy(line).trim_end_matches(['\r', '\n']));
        self.count(Stream::Stdout)?;
        let ascii: String = line.iter().filter(|byte| byte.is_ascii()).map(|&byte| char::from(byte)).collect();
        self.dropped_bytes |= ascii.len() < line.len();
        let line = strip_prompt(ascii.trim_end_matches(['\r', '\n']));
        let is_message = self.older.map_or_else(
            || line.trim_start().starts_with('*'),
            |course_game| read_message(course_game, line).is_some(),
        );
        if !self.copied.printed(line) && is_message {
            self.messages.push_back(line.trim_end().to_owned());
        }
        self.check_unread()
    }

    fn check_unread(&self) -> Result<(), Failure> {
        if self.messages.len() <= self.most_unread || self.older.is_some() {
            return Ok(());
        }
        Err(match self.most_unread {
            MOST_LEFT => Failure::Unread(MOST_LEFT),
            limit => Failure::Unresponsive(limit),
        })
    }

    fn hear_error_line(&mut self, line: &str) -> Result<(), Failure> {
        self.note(Voice::Error, line);
        self.errors.push(line.trim_end());
        if line.contains("Exception in thread \"") {
            return Err(Failure::Exception(shorten(line.trim())));
        }
        self.count(Stream::Stderr)
    }
}

/// Returns the next time to check whether the program still runs: after [`AFTER_EXIT`], but at most the deadline.
fn patience(deadline: Instant) -> Instant {
    deadline.min(Instant::now() + AFTER_EXIT)
}
