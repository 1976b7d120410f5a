//! The checks of an agent, as data for programs and pages that show them.

use std::ops::ControlFlow;

/// The state of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The check begins. It will be reported again with its result.
    Begun,
    /// The agent passed.
    Passed,
    /// The agent passed, and should be improved.
    Warned,
    /// The agent failed, so there are no further checks.
    Failed,
}

/// A check, when it begins or with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Name: `build`, `program`, ``answers `identify` ``, `starts`, `moves first`, `moves second` or
    /// `plays a game against itself`.
    pub name: &'static str,
    /// State.
    pub state: State,
    /// Details of the result, or the fault; may be empty.
    pub detail: String,
    /// Remedy, if the agent failed or should be improved.
    pub remedy: Option<String>,
    /// Drawing of the board, if the fault is about a position.
    pub board: Option<String>,
    /// Position of the fault: the start of the game, and its moves.
    pub position: Option<(String, Vec<String>)>,
}

/// Receives each check when it begins and when it ends, and decides whether the checks continue.
pub type Show<'a> = &'a mut dyn FnMut(&Check) -> ControlFlow<()>;

impl Check {
    pub(crate) fn begun(name: &'static str) -> Self {
        Self { name, state: State::Begun, detail: String::new(), remedy: None, board: None, position: None }
    }

    pub(crate) fn passed(name: &'static str, detail: impl Into<String>) -> Self {
        Self { state: State::Passed, detail: detail.into(), ..Self::begun(name) }
    }

    pub(crate) fn warned(name: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Warned, detail: detail.into(), remedy: Some(remedy.into()), ..Self::begun(name) }
    }

    pub(crate) fn failed(name: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Failed, detail: detail.into(), remedy: Some(remedy.into()), ..Self::begun(name) }
    }
}
