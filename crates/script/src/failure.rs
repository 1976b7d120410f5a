//! Reasons why a test fails.

use std::time::Duration;

use process::Exit;
use protocol::cs61b::GameResult;
use thiserror::Error;

use crate::clock::TimeUp;

/// The reason why a test failed. Every reason has its own name, so that a student knows where to look.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The program did not answer in time.
    #[error("time limit exceeded waiting for my move, {0}")]
    MyTime(TimeUp),
    /// The other program did not answer in time.
    #[error("time limit exceeded waiting for the opponent's move, {0}")]
    OpponentTime(TimeUp),
    /// No win line arrived in time.
    #[error("time limit exceeded waiting for a win line, {0}")]
    WinTime(TimeUp),
    /// The program did not exit after the end of its input.
    #[error("the program did not exit within {0:.1?} after the end of its input")]
    ExitTime(Duration),
    /// A `*` line is neither a move nor a result. The text is an excerpt of the line.
    #[error("malformed message `{0}`")]
    Malformed(String),
    /// The program printed a result where a move was expected.
    #[error("unexpected win: `* {0}` where a move was expected")]
    UnexpectedWin(GameResult),
    /// The program printed a move where a result was expected.
    #[error("unexpected move: `* {0}` where a win line was expected")]
    UnexpectedMove(String),
    /// A message that a `%` directive does not expect.
    #[error("unexpected message `{found}` at `{directive}`")]
    AtPercent {
        /// The directive.
        directive: String,
        /// The message.
        found: String,
    },
    /// The program ended before it printed the message that this `%` directive expects.
    #[error("the program exited with code 0 before `{0}`")]
    ExitAtPercent(String),
    /// The two programs report different results.
    #[error("conflicting results: mine is `{mine}`, the opponent's is `{theirs}`")]
    Conflict {
        /// Result message of this program.
        mine: String,
        /// Result message of the other program.
        theirs: String,
    },
    /// The program printed more lines than allowed.
    #[error("too much output: more than {limit} lines on {stream}")]
    TooMuchOutput {
        /// Maximum number of lines.
        limit: usize,
        /// Name of the stream: `standard output` or `standard error`.
        stream: &'static str,
    },
    /// The program printed messages that no directive takes.
    #[error("unresponsive: more than {0} unread messages")]
    Unresponsive(usize),
    /// Too many messages were still unread at the end of the script.
    #[error("unresponsive: more than {0} unread messages at the end of the script")]
    Unread(usize),
    /// The other program's script does not take this program's messages.
    #[error("unresponsive: the other program's script has left more than {0} messages unread")]
    OpponentUnresponsive(usize),
    /// The program ended by a signal or with an exit code other than 0.
    #[error("abnormal exit: {0}")]
    AbnormalExit(Exit),
    /// Java reported an uncaught exception.
    #[error("exception: {0}")]
    Exception(String),
    /// The output differs from the `.std` file. The text is a diff.
    #[error("wrong output")]
    WrongOutput(String),
    /// The program printed output to compare, but its `.std` file is missing.
    #[error("wrong output: {0} is missing, so no output was expected")]
    NoStandard(String),
    /// Only one of the `.std` file and the output lacks a newline at its end. The text names it.
    #[error("no newline at the end of {0}")]
    NoNewline(String),
    /// The output differs from this `.std` file only in blanks before a comment.
    #[error("wrong output: the blanks before a `#` comment count; remove them in {0}")]
    CommentBlanks(String),
    /// The opponent failed, and this program's game ended with it.
    #[error("the opponent failed")]
    OpponentFailed,
    /// The other program's script ended while its move was awaited.
    #[error("waiting for the opponent's move, but its script has ended")]
    OpponentEnded,
    /// A script for one program has a `remote` directive.
    #[error("line {0}: a remote directive needs a second program")]
    NoOpponent(usize),
    /// The program cannot be started.
    #[error("{0}")]
    NoStart(String),
}

impl Failure {
    /// Returns `true` if the script could not be run at all.
    pub fn is_no_run(&self) -> bool {
        matches!(self, Self::NoStart(_) | Self::NoOpponent(_))
    }
}
