use std::time::Duration;

use process::Exit;
use protocol::cs61b::GameResult;
use thiserror::Error;

/// Why a test failed. Every kind has its own name, so that a student knows where to look.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The program did not answer in time.
    #[error("time limit exceeded waiting for my move, after {0:.1?}")]
    MyTime(Duration),
    /// The other program did not.
    #[error("time limit exceeded waiting for the opponent's move, after {0:.1?}")]
    OpponentTime(Duration),
    /// No win line came in time.
    #[error("time limit exceeded waiting for a win line, after {0:.1?}")]
    WinTime(Duration),
    /// The program did not end after its input.
    #[error("the program did not exit within {0:.1?} after the end of its input")]
    ExitTime(Duration),
    /// A `*` line that is neither a move nor a result.
    #[error("malformed message `* {0}`")]
    Malformed(String),
    /// The game ended where a move was expected.
    #[error("unexpected win: `* {0}` where a move was expected")]
    UnexpectedWin(GameResult),
    /// A move came where the game should have ended.
    #[error("unexpected move: `* {0}` where a win line was expected")]
    UnexpectedMove(String),
    /// The two programs do not agree.
    #[error("conflicting results: mine is `{mine}`, the opponent's is `{theirs}`")]
    Conflict {
        /// Of this program.
        mine: String,
        /// Of the other.
        theirs: String,
    },
    /// Lines without end.
    #[error("too much output: more than {limit} lines on {stream}")]
    TooMuchOutput {
        /// Lines that are allowed.
        limit: usize,
        /// `standard output` or `standard error`.
        stream: &'static str,
    },
    /// Messages that nobody asked for, one after the other.
    #[error("unresponsive: more than {0} messages that nothing asked for")]
    Unresponsive(usize),
    /// The program ended in another way than with exit code 0.
    #[error("abnormal exit: {0}")]
    AbnormalExit(Exit),
    /// The program ended while something was expected of it.
    #[error("the program ended before {0}")]
    Ended(&'static str),
    /// Java's report of an uncaught exception.
    #[error("exception: {0}")]
    Exception(String),
    /// The output is not that of the `.std` file.
    #[error("wrong output")]
    WrongOutput(String),
    /// The opponent's failure ended this program's game, too.
    #[error("the opponent failed")]
    OpponentFailed,
    /// The other program's script ended although a move of it was awaited.
    #[error("waiting for the opponent's move, but its script has ended")]
    OpponentEnded,
    /// A `remote` directive in a script for one program.
    #[error("line {0}: a remote directive needs a second program")]
    NoOpponent(usize),
    /// The program cannot be started.
    #[error("{0}")]
    NoStart(String),
}

impl Failure {
    /// Whether the script could not be run at all.
    pub fn is_no_run(&self) -> bool {
        matches!(self, Self::NoStart(_) | Self::NoOpponent(_))
    }
}
