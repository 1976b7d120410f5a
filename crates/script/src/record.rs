//! Recorder: records a game as a test.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use process::{Child, Command, Exit, Output, Stream};
use protocol::cs61b::{CourseGame, Message, parse_message, strip_prompt};

use crate::files::write;
use crate::output::{is_dump_mark, win_line};
use crate::suite::{ExitKind, Options, run_main};

/// The options of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordOptions {
    /// Path and name `X` of the files `X-1.in` and `X-1.std`.
    pub name: PathBuf,
    /// Command that starts the program. It becomes the script's command.
    pub command: String,
    /// Game; if unset, it is derived from the command.
    pub game: Option<CourseGame>,
    /// Working directory of the program; the caller's directory if unset.
    pub cwd: Option<PathBuf>,
    /// `true` to overwrite existing files.
    pub force: bool,
    /// `true` if a user types the lines. Otherwise they may be a log of a game, in which the program's own moves follow
    /// the commands; those moves are not sent.
    pub interactive: bool,
}

/// Timeout of the next prompt.
const PATIENCE: Duration = Duration::from_mins(2);
/// Timeout of the program's first output.
const FIRST: Duration = Duration::from_secs(5);
/// Time limits of a script without a `time` directive, in seconds: per move and per game.
const LIMITS: (u64, u64) = (10, 60);
/// Time without output after which an answer counts as complete, for programs without prompts.
const QUIET: Duration = Duration::from_secs(2);

/// Sends the lines of `input` to the program, shows its output on `out`, and writes the test. Then runs the test once,
/// because it fails if the program does not play the same moves again.
pub fn record(options: &RecordOptions, input: &mut dyn BufRead, out: &mut dyn Write, err: &mut dyn Write) -> ExitKind {
    match record_files(options, input, out) {
        Ok(script) => {
            let test =
                Options { paths: vec![script], game: options.game, cwd: options.cwd.clone(), ..Options::default() };
            let kind = run_main(&test, out, err);
            if kind != ExitKind::Passed {
                let _ = writeln!(
                    err,
                    "Error: the new test does not pass. If the program plays differently each time, send it a `seed` \
                     first."
                );
            }
            kind
        }
        Err(error) => {
            let _ = writeln!(err, "Error: {error}");
            ExitKind::NotRun
        }
    }
}

fn record_files(options: &RecordOptions, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<PathBuf> {
    let name = options.name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (script, standard) =
        (options.name.with_file_name(format!("{name}-1.in")), options.name.with_file_name(format!("{name}-1.std")));
    for path in [&script, &standard] {
        if !options.force && path.exists() {
            return Err(io::Error::other(format!("{} exists: expected a new name, or --force", path.display())));
        }
    }
    let mut recorder = Recorder::start(options)?;
    recorder.listen(FIRST, out)?;
    play(options, &mut recorder, input, out)?;
    write(&script, &recorder.script_with_limits())?;
    write(&standard, &recorder.standard)?;
    writeln!(out, "\nwrote {} and {}", script.display(), standard.display())?;
    Ok(script)
}

fn play(
    options: &RecordOptions,
    recorder: &mut Recorder,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        // To the program this is a comment, but in the test it would be a directive. Only the recorder writes
        // directives.
        if text.starts_with("#*") {
            continue;
        }
        // The test ends with a dump of the position, so the program must still be running.
        if ["quit", "q"].contains(&text.to_ascii_lowercase().as_str()) {
            break;
        }
        if options.interactive || !recorder.is_automated_move(&text) {
            recorder.say(&text, out)?;
        }
        if recorder.has_left {
            return Ok(());
        }
    }
    recorder.say("dump", out)?;
    if !recorder.has_left {
        recorder.script.push_str("quit\n");
    }
    Ok(())
}

/// A recorder: the running program and the test so far.
struct Recorder {
    child: Child,
    course_game: CourseGame,
    script: String,
    standard: String,
    in_dump: bool,
    /// `true` if the program prints prompts.
    prompts: bool,
    /// Part of the unfinished line that was shown: the prompt.
    shown: String,
    /// `true` if the program has exited with code 0, after a command that it interpreted as `quit`.
    has_left: bool,
    /// Moves of the program that come next in a log of the game, and that must not be sent.
    automated: VecDeque<String>,
    /// Number of moves that the program has printed since the last command.
    moves: usize,
    /// Number of results that the program has printed since the last command.
    results: usize,
    /// Start of the program's current answer.
    since: Instant,
    /// Longest time that the program took for a single move, and for a whole answer to a line.
    slowest: (Duration, Duration),
}

impl Recorder {
    fn start(options: &RecordOptions) -> io::Result<Self> {
        let words = options.command.split_ascii_whitespace().map(str::to_owned).collect();
        let command = Command { words, directory: options.cwd.clone() };
        let child = Child::start(&command).map_err(io::Error::other)?;
        let guess = if options.command.contains("jump61") { CourseGame::Jump61 } else { CourseGame::Loa };
        Ok(Self {
            child,
            course_game: options.game.unwrap_or(guess),
            script: format!("#* {}\n", options.command),
            standard: String::new(),
            in_dump: false,
            prompts: false,
            shown: String::new(),
            has_left: false,
            automated: VecDeque::new(),
            moves: 0,
            results: 0,
            since: Instant::now(),
            slowest: (Duration::ZERO, Duration::ZERO),
        })
    }

    /// Returns `true` if a line is the program's own last move, as it occurs in a log of the game. In a log, these
    /// moves directly follow the command that caused them. Any other line ends this sequence, because a later line with
    /// the same move may be the other side's.
    fn is_automated_move(&mut self, line: &str) -> bool {
        match parse_message(self.course_game, line) {
            Some(Message::Move(m)) if self.automated.front() == Some(&m) => {
                self.automated.pop_front();
                true
            }
            _ => {
                self.automated.clear();
                false
            }
        }
    }

    /// Sends a line and reads the answer. Adds the line to the script, with directives that wait for the same answer.
    fn say(&mut self, line: &str, out: &mut dyn Write) -> io::Result<()> {
        self.child.send(line.as_bytes().to_vec());
        self.script.push_str(line);
        self.script.push('\n');
        (self.moves, self.results) = (0, 0);
        let start = Instant::now();
        self.since = start;
        self.listen(QUIET, out)?;
        if self.moves > 0 {
            self.slowest.1 = self.slowest.1.max(start.elapsed());
        }
        match (self.moves, self.results) {
            (moves, 0) => self.script.push_str(&"#*move\n".repeat(moves)),
            (0 | 1, _) => {
                self.script.push_str(if self.moves == 1 { "#*move\n#*win+\n" } else { "#*win+\n" });
            }
            _ => self.script.push_str("#*move/win+\n"),
        }
        Ok(())
    }

    /// Returns the script. If a default limit is less than twice the time that the program took, the script sets limits
    /// of at least twice that time.
    fn script_with_limits(&self) -> String {
        let twice = |time: Duration, least: u64| least.max((time * 2).as_secs_f64().ceil() as u64);
        let limits = (twice(self.slowest.0, LIMITS.0), twice(self.slowest.1, LIMITS.1));
        match self.script.split_once('\n') {
            Some((command, rest)) if limits != LIMITS => {
                format!("{command}\n#*time {} {}\n{rest}", limits.0, limits.1)
            }
            _ => self.script.clone(),
        }
    }

    /// Reads output until the program prints a new prompt. If it has never printed one, reads output until the program
    /// has printed nothing for the duration `quiet`.
    fn listen(&mut self, quiet: Duration, out: &mut dyn Write) -> io::Result<()> {
        let mut deadline = Instant::now() + if self.prompts { PATIENCE } else { quiet };
        loop {
            match self.child.output(deadline) {
                Some(Output::Line(Stream::Stdout, line)) => {
                    let text = String::from_utf8_lossy(&line).into_owned();
                    writeln!(out, "{}", text.strip_prefix(&self.shown).unwrap_or(&text))?;
                    self.shown.clear();
                    self.hear(&text);
                }
                Some(Output::Partial(Stream::Stdout, text)) => {
                    let text = String::from_utf8_lossy(&text).into_owned();
                    write!(out, "{}", text.strip_prefix(&self.shown).unwrap_or(&text))?;
                    out.flush()?;
                    // The blank after a prompt may arrive separately. It is not a new prompt.
                    let is_new = text.trim_end() != self.shown.trim_end();
                    let is_prompt = text.trim_end().ends_with('>');
                    self.shown = text;
                    if is_new && is_prompt {
                        self.prompts = true;
                        return Ok(());
                    }
                }
                Some(Output::Line(Stream::Stderr, line)) => {
                    writeln!(out, "{}", String::from_utf8_lossy(&line))?;
                }
                Some(Output::Partial(Stream::Stderr, _) | Output::End(Stream::Stderr) | Output::NoNewline(_)) => {
                    continue;
                }
                Some(Output::End(Stream::Stdout)) => return self.leave(),
                None if self.prompts => return Err(io::Error::other("the program does not answer")),
                None => return Ok(()),
            }
            deadline = Instant::now() + if self.prompts { PATIENCE } else { QUIET };
        }
    }

    /// Handles the end of the program's output, because the program has quit or crashed.
    fn leave(&mut self) -> io::Result<()> {
        match self.child.wait(Instant::now() + QUIET) {
            Some(Exit::Code(0)) => {
                self.has_left = true;
                Ok(())
            }
            Some(exit) => Err(io::Error::other(format!("the program has ended with {exit}; nothing was written"))),
            None => Err(io::Error::other("the program has closed its output; nothing was written")),
        }
    }

    fn hear(&mut self, line: &str) {
        let line = strip_prompt(line.trim_end_matches('\r'));
        let is_marker = is_dump_mark(line);
        if is_marker || self.in_dump {
            self.standard.push_str(line);
            self.standard.push('\n');
            self.in_dump ^= is_marker;
        } else if let Some(message) = line.trim_start().strip_prefix('*') {
            match parse_message(self.course_game, message) {
                Some(Message::Move(m)) => {
                    self.moves += 1;
                    self.slowest.0 = self.slowest.0.max(self.since.elapsed());
                    self.since = Instant::now();
                    self.automated.push_back(m);
                }
                Some(Message::Result(_)) => {
                    self.results += 1;
                    self.standard.extend([&win_line(line), "\n"]);
                }
                None => (),
            }
        }
    }
}
