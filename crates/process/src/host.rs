use crate::{Child, Command, StartError};

/// A place where a program's processes run, for the length of a game.
///
/// [`Bare`] is this machine as it is. A sandbox (crate `sandbox`) is another.
pub trait Host: Send {
    /// Prepares the place. Does nothing if it is ready.
    ///
    /// # Errors
    /// If it cannot be made.
    fn open(&mut self) -> Result<(), StartError>;

    /// Starts a process.
    ///
    /// # Errors
    /// If it does not start.
    fn start(&mut self, command: &Command) -> Result<Child, StartError>;

    /// Receives whether the program is to move. A place may stop a program that computes while it is not; it does so
    /// by default never.
    fn set_to_move(&mut self, _is_to_move: bool) {}

    /// Ends every process that is still running here. The place stays ready.
    fn clear(&mut self);

    /// Ends every process and gives the place up.
    fn close(&mut self);
}

/// This machine as it is: every process is a child of ours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bare;

impl Host for Bare {
    fn open(&mut self) -> Result<(), StartError> {
        Ok(())
    }

    fn start(&mut self, command: &Command) -> Result<Child, StartError> {
        Child::start(command)
    }

    // A `Child` ends with everything it has started when it is dropped.
    fn clear(&mut self) {}

    fn close(&mut self) {}
}
