//! Runs the script of one program, or of two that play each other.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use process::Command;
use protocol::cs61b::{Dialect, GameResult, Message, parse_message};

use crate::listen::Listener;
use crate::transcript::{Transcript, Voice};
use crate::{Directive, Failure, Script};

/// How long a program may take for a win line, and to end.
const WIN_LIMIT: Duration = Duration::from_secs(5);
const EXIT_LIMIT: Duration = Duration::from_secs(5);

/// What a program's run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Dumps and copied results.
    pub(crate) output: String,
    pub(crate) failure: Option<Failure>,
}

/// The line to the other program.
struct Opponent {
    to: Sender<Message>,
    from: Receiver<Message>,
}

/// When one of the programs failed; the other need not go on.
pub(crate) type Over = OnceLock<Instant>;

/// One program with its script's clocks.
struct Player<'a> {
    listener: Listener<'a>,
    dialect: Dialect,
    opponent: Option<Opponent>,
    over: &'a Over,
    /// The line of the last message that a directive has taken.
    taken: String,
    of_move: Duration,
    of_game: Duration,
    game_start: Instant,
}

/// Runs one script, or two whose programs play each other; one result for each.
pub(crate) fn run(
    scripts: &[Script],
    dialect: Dialect,
    directory: Option<&PathBuf>,
    transcript: &Transcript,
) -> Vec<Run> {
    let mut opponents: Vec<Option<Opponent>> = scripts.iter().map(|_| None).collect();
    if let [first, second] = &mut opponents[..] {
        let ((to_second, from_first), (to_first, from_second)) = (channel(), channel());
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
                scope.spawn(move || run_one(script, &command, dialect, index + 1, opponent, over, transcript))
            })
            .collect();
        runs.into_iter().map(|run| run.join().expect("invariant: running a script does not panic")).collect()
    })
}

fn run_one(
    script: &Script,
    command: &Command,
    dialect: Dialect,
    number: usize,
    opponent: Option<Opponent>,
    over: &Over,
    transcript: &Transcript,
) -> Run {
    let listener = match Listener::start(command, dialect, number, over, transcript) {
        Ok(listener) => listener,
        Err(failure) => {
            over.get_or_init(Instant::now);
            return Run { output: String::new(), failure: Some(failure) };
        }
    };
    let (of_move, of_game) = (Duration::from_secs(10), Duration::from_mins(1));
    let mut player = Player {
        listener,
        dialect,
        opponent,
        over,
        taken: String::new(),
        of_move,
        of_game,
        game_start: Instant::now(),
    };
    let failure = player.play(script).err();
    if let Some(failure) = &failure {
        // Before the line to the other program goes down with this one, so that it can tell a failure from an end.
        over.get_or_init(Instant::now);
        transcript.add(number, Voice::Noted, &failure.to_string());
    }
    Run { output: std::mem::take(&mut player.listener.output), failure }
}

impl Player<'_> {
    fn play(&mut self, script: &Script) -> Result<(), Failure> {
        for step in &script.steps {
            match &step.directive {
                Directive::Send(line) => self.listener.send(line),
                Directive::Time { of_move, of_game } => (self.of_move, self.of_game) = (*of_move, *of_game),
                Directive::Move => self.one_move()?,
                Directive::MoveWin { copy } => self.moves_and_win(*copy)?,
                Directive::Win => self.win()?,
                Directive::RemoteMoveWin { copy } => self.remote(*copy, step.line)?,
            }
        }
        self.listener.finish(EXIT_LIMIT)
    }

    /// Our next message, within the time of a move and what is left of the game's.
    fn own(&mut self) -> Result<Message, Failure> {
        let start = Instant::now();
        let deadline = (start + self.of_move).min(self.game_start + self.of_game);
        match self.listener.message(deadline, "its next move")? {
            Some(line) => self.read(line),
            None => Err(Failure::MyTime(start.elapsed())),
        }
    }

    /// Reads a message that a directive has taken, whichever it is, and tells the other program; one that has ended needs to
    /// hear nothing.
    fn read(&mut self, line: String) -> Result<Message, Failure> {
        self.taken = line;
        let text = self.taken.trim_start().strip_prefix('*').unwrap_or_default().trim_start();
        let message = parse_message(self.dialect, text).ok_or_else(|| Failure::Malformed(text.to_owned()))?;
        if let Some(opponent) = &self.opponent {
            let _ = opponent.to.send(message.clone());
        }
        Ok(message)
    }

    /// `move`.
    fn one_move(&mut self) -> Result<(), Failure> {
        self.game_start = Instant::now();
        match self.own()? {
            Message::Move(_) => Ok(()),
            Message::Result(result) => Err(Failure::UnexpectedWin(result)),
        }
    }

    /// `move/win`.
    fn moves_and_win(&mut self, copy: bool) -> Result<(), Failure> {
        self.game_start = Instant::now();
        loop {
            if let Message::Result(_) = self.own()? {
                self.copy_taken(copy);
                return Ok(());
            }
        }
    }

    /// `win+`.
    fn win(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        match self.listener.message(start + WIN_LIMIT, "a win line")? {
            None => Err(Failure::WinTime(start.elapsed())),
            Some(line) => match self.read(line)? {
                Message::Move(m) => Err(Failure::UnexpectedMove(m)),
                Message::Result(_) => {
                    self.copy_taken(true);
                    Ok(())
                }
            },
        }
    }

    /// `remote move/win`.
    fn remote(&mut self, copy: bool, line: usize) -> Result<(), Failure> {
        if self.opponent.is_none() {
            return Err(Failure::NoOpponent(line));
        }
        self.game_start = Instant::now();
        loop {
            let (mine, theirs) = match self.theirs()? {
                Message::Move(m) => {
                    self.listener.send(m.as_bytes());
                    match self.own()? {
                        Message::Move(_) => continue,
                        // The opponent's move ended the game.
                        Message::Result(mine) => (mine, self.theirs()?),
                    }
                }
                // Our own last move ended it.
                Message::Result(theirs) => match self.own()? {
                    Message::Move(m) => return Err(Failure::Conflict { mine: m, theirs: theirs.to_string() }),
                    Message::Result(mine) => (mine, Message::Result(theirs)),
                },
            };
            return match theirs {
                Message::Result(theirs) if theirs == mine => {
                    self.copy_taken(copy);
                    Ok(())
                }
                Message::Result(theirs) => Err(conflict(mine, &theirs.to_string())),
                Message::Move(theirs) => Err(conflict(mine, &theirs)),
            };
        }
    }

    /// The other program's next message, within the time of a move and what is left of the game's.
    fn theirs(&self) -> Result<Message, Failure> {
        let start = Instant::now();
        let deadline = (start + self.of_move).min(self.game_start + self.of_game);
        let Some(opponent) = &self.opponent else { return Err(Failure::OpponentFailed) };
        opponent.from.recv_timeout(deadline.saturating_duration_since(start)).map_err(|error| match error {
            RecvTimeoutError::Timeout => Failure::OpponentTime(start.elapsed()),
            RecvTimeoutError::Disconnected if self.over.get().is_some() => Failure::OpponentFailed,
            RecvTimeoutError::Disconnected => Failure::OpponentEnded,
        })
    }

    /// Copies the line of the last message to the output, as it was printed.
    fn copy_taken(&mut self, wanted: bool) {
        if wanted {
            self.listener.copy(&self.taken);
        }
    }
}

fn conflict(mine: GameResult, theirs: &str) -> Failure {
    Failure::Conflict { mine: mine.to_string(), theirs: theirs.to_owned() }
}
