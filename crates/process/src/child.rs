//! Child processes: started without a shell, read line by line, and ended with all their descendants.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{self, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::pressure::ThreadTimes;

/// Maximum length of a line, in bytes. The rest of a longer line is dropped.
pub const LONGEST_LINE: usize = 64 << 10;
/// Maximum number of pieces of output that are queued for the caller. When the queue is full, the child blocks.
const WAITING: usize = 256;
/// Interval at which `wait` checks whether a child has ended.
const POLL: Duration = Duration::from_millis(2);

/// A command that starts a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Program and its arguments.
    pub words: Vec<String>,
    /// Working directory; the caller's directory if unset.
    pub directory: Option<PathBuf>,
}

impl Command {
    /// Creates a command from a program with arguments, in the caller's directory.
    pub fn new<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Self {
        Self { words: words.into_iter().map(Into::into).collect(), directory: None }
    }

    /// Returns the command as the standard library's type, with pipes for all three streams.
    ///
    /// # Errors
    /// Returns an error if the command is empty.
    pub(crate) fn piped(&self) -> Result<process::Command, StartError> {
        let (program, arguments) = self.words.split_first().ok_or(StartError::Empty)?;
        let mut command = process::Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Ok(command)
    }

    /// Returns the error for a command that the system could not start.
    pub(crate) fn refused(&self, source: io::Error) -> StartError {
        StartError::Refused { command: self.to_string(), source }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}

/// Errors of starting a program.
#[derive(Debug, Error)]
pub enum StartError {
    /// The command is empty.
    #[error("empty command: expected a program and its arguments")]
    Empty,
    /// The system could not start the program.
    #[error("cannot start `{command}`: {source}")]
    Refused {
        /// Text of the command.
        command: String,
        /// Error of the system.
        source: io::Error,
    },
}

/// One of a child's two output streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// A piece of a child's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A whole line without its newline, at most [`LONGEST_LINE`] bytes of it.
    Line(Stream, Vec<u8>),
    /// The beginning of a line that has not ended yet, such as a prompt.
    Partial(Stream, Vec<u8>),
    /// A note that the stream's last line, which was delivered before, had no newline.
    NoNewline(Stream),
    /// The end of the stream.
    End(Stream),
}

/// The way in which a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// An exit with this code.
    Code(i32),
    /// A signal.
    Signal(i32),
    /// A limit of the host: the child exceeded it and was ended.
    Limit(Limit),
}

/// A limit that a [`Host`](crate::host::Host) sets. The host determines its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Memory of all its processes together.
    Memory,
    /// Number of its processes and threads.
    Processes,
    /// Processor time of all its processes together.
    ProcessorTime,
    /// Number of bytes that it has written to files.
    Disk,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "memory",
            Self::Processes => "processes",
            Self::ProcessorTime => "processor time",
            Self::Disk => "disk",
        })
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => write!(f, "ended at its limit of {limit}"),
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => match signal_hook::low_level::signal_name(*signal) {
                Some(name) => write!(f, "signal {signal}, {name}"),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// The process behind a [`Child`]'s pipes, with the operations that depend on its host.
pub trait Body: Send {
    /// Returns how the process ended, if it has ended.
    fn exit(&mut self) -> Option<Exit>;

    /// Returns the processor time that the process and its descendants have used so far, if the system reports it.
    fn cpu(&mut self) -> Option<Duration>;

    /// Returns the times of the threads of the process and its descendants; empty if the system does not report them.
    fn threads(&mut self) -> ThreadTimes {
        ThreadTimes::new()
    }

    /// Ends the process and all its descendants.
    fn kill(&mut self);
}

/// The parent's ends of a child's standard input, output and error.
pub struct Pipes {
    /// Standard input of the child.
    pub stdin: Box<dyn Write + Send>,
    /// Standard output of the child.
    pub stdout: Box<dyn Read + Send>,
    /// Standard error of the child.
    pub stderr: Box<dyn Read + Send>,
}

impl Pipes {
    /// Takes the pipes of a process that was started by [`Command::piped`].
    pub(crate) fn of(process: &mut process::Child) -> Self {
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("invariant: all three streams are pipes")
        };
        Self { stdin: Box::new(stdin), stdout: Box::new(stdout), stderr: Box::new(stderr) }
    }
}

/// A running program. Dropping it ends it, together with all its descendants.
pub struct Child {
    body: Box<dyn Body>,
    /// Queue of the input; `None` once the input is closed.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    exit: Option<Exit>,
    /// Processor time at the last measurement.
    cpu: Option<Duration>,
}

impl Child {
    /// Creates a child from a program that a host has started.
    pub fn over(body: Box<dyn Body>, pipes: Pipes) -> Self {
        // Each thread ends when its pipe is closed or the other end of its channel is dropped. The threads are not
        // joined, because an escaped process may hold a pipe forever.
        let (sender, output) = sync_channel(WAITING);
        let other = sender.clone();
        thread::spawn(move || read(pipes.stdout, Stream::Stdout, &other));
        thread::spawn(move || read(pipes.stderr, Stream::Stderr, &sender));
        let (input, lines) = channel();
        thread::spawn(move || write(pipes.stdin, &lines));
        Self { body, input: Some(input), output, exit: None, cpu: None }
    }

    /// Queues a line, given without its newline, for the child's input and returns immediately. Does nothing if the
    /// child has closed its input.
    pub fn send(&mut self, mut line: Vec<u8>) {
        line.push(b'\n');
        self.send_bytes(line);
    }

    /// Like [`send`](Self::send), without adding a newline.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // An error means that the child has closed its input, so the writer thread has ended.
            let _ = input.send(bytes);
        }
    }

    /// Closes the child's input after all queued input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the next piece of output; `None` if there is none before the deadline, or if both streams have ended.
    pub fn output(&mut self, deadline: Instant) -> Option<Output> {
        self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
    }

    /// Returns how the child ended, if it has ended. The first call that detects the end also ends the remaining
    /// descendants.
    pub fn exit(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            // The system discards the processor time once the child has been waited for.
            self.cpu();
            self.exit = self.body.exit();
        }
        self.exit
    }

    /// Returns the processor time that the child and its descendants have used so far. `None` except on Linux.
    pub fn cpu(&mut self) -> Option<Duration> {
        if self.exit.is_none()
            && let Some(cpu) = self.body.cpu()
        {
            // Descendants that have ended are no longer counted, so the sum may decrease; keep the maximum.
            self.cpu = self.cpu.max(Some(cpu));
        }
        self.cpu
    }

    /// Returns the times of the threads of the child and its descendants; empty if the system does not report them.
    pub(crate) fn threads(&mut self) -> ThreadTimes {
        self.body.threads()
    }

    /// Waits until the child has ended, at most until the deadline. Returns how it ended, if it has ended.
    pub fn wait(&mut self, deadline: Instant) -> Option<Exit> {
        while self.exit().is_none() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        self.exit()
    }

    /// Ends the child and all its descendants, in any session or group.
    pub fn kill(&mut self) {
        if self.exit().is_some() {
            return;
        }
        self.body.kill();
        // A killed process ends soon. A process that is stuck in the kernel must not block the caller.
        self.wait(Instant::now() + Duration::from_secs(2));
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write(mut stdin: impl Write, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Delivers a stream line by line until it ends or the receiver is dropped.
fn read(mut stream: impl Read, which: Stream, sender: &SyncSender<Output>) {
    let mut chunk = vec![0; 16 << 10];
    let mut line = Vec::new();
    loop {
        let count = match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let mut rest = &chunk[..count];
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            keep(&mut line, &rest[..end]);
            rest = &rest[end + 1..];
            if sender.send(Output::Line(which, std::mem::take(&mut line))).is_err() {
                return;
            }
        }
        let had_room = line.len() < LONGEST_LINE;
        keep(&mut line, rest);
        if !line.is_empty() && had_room && sender.send(Output::Partial(which, line.clone())).is_err() {
            return;
        }
    }
    if !line.is_empty() {
        for last in [Output::Line(which, line), Output::NoNewline(which)] {
            if sender.send(last).is_err() {
                return;
            }
        }
    }
    let _ = sender.send(Output::End(which));
}

fn keep(line: &mut Vec<u8>, piece: &[u8]) {
    let room = LONGEST_LINE - line.len();
    line.extend_from_slice(&piece[..piece.len().min(room)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Child {
        Child::start(&Command::new(["sh", "-c", script])).expect("sh starts")
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_mins(2)
    }

    fn next_line(child: &mut Child) -> Option<String> {
        loop {
            match child.output(soon())? {
                Output::Line(Stream::Stdout, line) => return Some(String::from_utf8_lossy(&line).into_owned()),
                Output::End(Stream::Stdout) => return None,
                _ => (),
            }
        }
    }

    #[test]
    fn lines_partial_lines_and_the_exit_code() {
        let mut child = sh("read x; echo got $x; printf 'b> '; read y; exit 3");
        child.send(b"one".to_vec());
        assert_eq!(next_line(&mut child).as_deref(), Some("got one"));
        assert_eq!(child.output(soon()), Some(Output::Partial(Stream::Stdout, b"b> ".to_vec())));
        child.close_input();
        assert_eq!(child.wait(soon()), Some(Exit::Code(3)));
    }

    #[test]
    fn a_last_line_without_a_newline_is_reported() {
        for (script, has_newline) in [("printf end", false), ("printf end; sleep 0.1; echo", true)] {
            let mut child = sh(script);
            let mut outputs = Vec::new();
            while let Some(output) = child.output(soon()) {
                if !matches!(output, Output::Partial(..) | Output::End(Stream::Stderr)) {
                    outputs.push(output);
                }
            }
            let mut expected = vec![Output::Line(Stream::Stdout, b"end".to_vec()), Output::End(Stream::Stdout)];
            if !has_newline {
                expected.insert(1, Output::NoNewline(Stream::Stdout));
            }
            assert_eq!(outputs, expected, "{script}");
        }
    }

    #[test]
    fn a_signal_is_told_from_a_code() {
        let exit = sh("kill -9 $$").wait(soon());
        assert_eq!(exit, Some(Exit::Signal(9)));
        assert_eq!(exit.map(|exit| exit.to_string()).as_deref(), Some("signal 9, SIGKILL"));
    }

    #[test]
    fn a_child_that_never_reads_does_not_block_us() {
        let mut child = sh("sleep 60");
        for _ in 0..2_000 {
            child.send(vec![b'x'; 1_000]);
        }
        child.kill();
        assert!(child.exit().is_some());
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut child = sh("head -c 300000 /dev/zero | tr '\\0' x; echo; echo next");
        assert_eq!(next_line(&mut child).map(|line| line.len()), Some(LONGEST_LINE));
        assert_eq!(next_line(&mut child).as_deref(), Some("next"));
    }

    #[test]
    fn a_program_that_is_not_there() {
        let error = Child::start(&Command::new(["no-such-program-anywhere"])).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.starts_with("cannot start `no-such-program-anywhere`: ")));
        assert!(Child::start(&Command::default()).is_err());
    }

    /// Checks descendants in the process group, and descendants that have left it, where the system can find them.
    #[test]
    fn everything_that_was_started_is_ended() {
        let escape = if cfg!(target_os = "linux") { "setsid sh -c 'echo $$; exec sleep 600' &" } else { "" };
        let mut child = sh(&format!("sh -c 'echo $$; exec sleep 600' & {escape} sleep 600"));
        let count = if cfg!(target_os = "linux") { 2 } else { 1 };
        let pids: Vec<String> = (0..count).filter_map(|_| next_line(&mut child)).collect();
        assert_eq!(pids.len(), count);
        child.kill();
        let gone = |pid: &String| {
            let alive = format!("kill -0 {pid} 2>/dev/null && ! grep -q '^State:.Z' /proc/{pid}/status");
            !std::process::Command::new("sh").args(["-c", &alive]).status().is_ok_and(|status| status.success())
        };
        let patience = soon();
        while !pids.iter().all(gone) {
            assert!(Instant::now() < patience, "{pids:?} are still there");
            thread::sleep(Duration::from_millis(10));
        }
    }
}
