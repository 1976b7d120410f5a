//! Writes a test from a game that was played.

use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use process::{Child, Command, Exit, Output, Stream};
use protocol::cs61b::{Dialect, Message, parse_message, strip_prompt};

use crate::listen::is_dump_mark;
use crate::{ExitKind, Options, run_main};

/// What to record and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordOptions {
    /// `X` of the files `X-1.in` and `X-1.std`.
    pub name: PathBuf,
    /// The program that is played with; it becomes the script's command.
    pub command: String,
    /// The game; by default told from the command.
    pub game: Option<Dialect>,
    /// Where the program runs.
    pub cwd: Option<PathBuf>,
    /// Overwrite files that are there.
    pub force: bool,
    /// The lines come from a person. Otherwise they may be a log of a game, in which the program's own moves stand between
    /// the commands; those are not played again.
    pub interactive: bool,
}

/// How long a program may think before it must have printed a prompt.
const PATIENCE: Duration = Duration::from_mins(2);
/// How long a program may take to print its first prompt, or anything.
const FIRST: Duration = Duration::from_secs(5);
/// The limits of a script that does not name any, in seconds: of a move and of a game.
const LIMITS: (u64, u64) = (10, 60);
/// A program that has never printed a prompt has answered when it has been quiet so long.
const QUIET: Duration = Duration::from_secs(2);

/// Plays the lines of `input` to the program, showing its output on `out`, and writes the test; then runs it once, because a
/// program that does not play the same again makes a test that fails.
pub fn record(options: &RecordOptions, input: &mut dyn BufRead, out: &mut dyn Write, err: &mut dyn Write) -> ExitKind {
    match record_files(options, input, out) {
        Ok(script) => {
            let test =
                Options { paths: vec![script], game: options.game, cwd: options.cwd.clone(), ..Options::default() };
            let kind = run_main(&test, out, err);
            if kind != ExitKind::Passed {
                let _ = writeln!(
                    err,
                    "Error: the new test does not pass. If the program did not play the same again, give it a `seed` first."
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

fn write(path: &Path, text: &str) -> io::Result<()> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
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
        // To the program a comment, but in the test it would be a directive, and the directives are ours to write.
        if text.starts_with("#*") {
            continue;
        }
        // The position at the end is part of the test, so the program must still be there.
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

/// A running program and the test so far.
struct Recorder {
    child: Child,
    dialect: Dialect,
    script: String,
    standard: String,
    in_dump: bool,
    /// Whether the program prints prompts.
    prompts: bool,
    /// What of the line that has not ended yet was shown: the prompt.
    shown: String,
    /// It has ended, with exit code 0, by a command that it takes for `quit`.
    has_left: bool,
    /// Automated moves that stand next in a log of the game, and must not be played again.
    automated: VecDeque<String>,
    /// What the program has said since the last command.
    moves: usize,
    results: usize,
    /// When something was last expected of the program.
    since: Instant,
    /// The longest that the program took for a move, and for all that it answered to one line.
    slowest: (Duration, Duration),
}

impl Recorder {
    fn start(options: &RecordOptions) -> io::Result<Self> {
        let words = options.command.split_ascii_whitespace().map(str::to_owned).collect();
        let command = Command { words, directory: options.cwd.clone() };
        let child = Child::start(&command).map_err(io::Error::other)?;
        let guess = if options.command.contains("jump61") { Dialect::Jump61 } else { Dialect::Loa };
        Ok(Self {
            child,
            dialect: options.game.unwrap_or(guess),
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

    /// Whether a line is the program's own last move, as a log of the game has it. A log has these moves where they were made,
    /// so the first other line means that none is left: the same move may be somebody else's later.
    fn is_automated_move(&mut self, line: &str) -> bool {
        match parse_message(self.dialect, line) {
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

    /// Sends a line, listens to the answer and writes down what a test of it waits for.
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

    /// The script, with limits that leave a program twice the time that it took, where the usual ones do not.
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

    /// Listens until the program prints another prompt, or has been quiet for so long if it has never printed one.
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
                    // The blank after a prompt may come by itself, and is no prompt.
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
                Some(Output::Partial(Stream::Stderr, _) | Output::End(Stream::Stderr)) => continue,
                Some(Output::End(Stream::Stdout)) => return self.leave(),
                None if self.prompts => return Err(io::Error::other("the program does not answer")),
                None => return Ok(()),
            }
            deadline = Instant::now() + if self.prompts { PATIENCE } else { QUIET };
        }
    }

    /// The program's output has ended: by a `quit` of its own, or by a crash.
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
            match parse_message(self.dialect, message) {
                Some(Message::Move(m)) => {
                    self.moves += 1;
                    self.slowest.0 = self.slowest.0.max(self.since.elapsed());
                    self.since = Instant::now();
                    self.automated.push_back(m);
                }
                Some(Message::Result(_)) => {
                    self.results += 1;
                    self.standard.extend([line.trim_end(), "\n"]);
                }
                None => (),
            }
        }
    }
}
