//! Reads the output of programs that run to their end, such as builds.

use std::time::{Duration, Instant};

use crate::child::{Child, Exit, Output};

/// Interval at which the end of a child is checked.
const PAUSE: Duration = Duration::from_millis(20);
/// Maximum time to read the output that is left when a child has ended.
const LAST_OUTPUT: Duration = Duration::from_secs(10);

impl Child {
    /// Passes each line of both outputs to `receive` until the child ends or the deadline passes, and ends the child
    /// with all its descendants. Returns how it ended; `None` if it did not end before the deadline.
    ///
    /// A descendant that has escaped may keep the output open. If the host must be cleared of such processes, do so
    /// between this call and [`read_rest`](Self::read_rest).
    pub fn read_lines(&mut self, deadline: Instant, receive: &mut dyn FnMut(&[u8])) -> Option<Exit> {
        while self.exit().is_none() && Instant::now() < deadline {
            let pause = deadline.min(Instant::now() + PAUSE);
            self.read_until(pause, receive);
            self.wait(pause);
        }
        let exit = self.exit();
        self.kill();
        exit
    }

    /// Passes the lines that are left after [`read_lines`](Self::read_lines) to `receive`. Takes at most ten seconds.
    pub fn read_rest(&mut self, receive: &mut dyn FnMut(&[u8])) {
        self.read_until(Instant::now() + LAST_OUTPUT, receive);
    }

    fn read_until(&mut self, end: Instant, receive: &mut dyn FnMut(&[u8])) {
        while Instant::now() < end
            && let Some(piece) = self.output(end)
        {
            if let Output::Line(_, line) = piece {
                receive(&line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::Command;

    fn lines_of(script: &str, limit: Duration) -> (Vec<String>, Option<Exit>) {
        let mut child = Child::start(&Command::new(["sh", "-c", script])).expect("sh starts");
        let mut lines = Vec::new();
        let mut receive = |line: &[u8]| lines.push(String::from_utf8_lossy(line).into_owned());
        let exit = child.read_lines(Instant::now() + limit, &mut receive);
        child.read_rest(&mut receive);
        (lines, exit)
    }

    #[test]
    fn all_lines_and_the_exit_are_returned() {
        let (lines, exit) = lines_of("seq 5000; echo last >&2; exit 3", Duration::from_mins(2));
        assert_eq!((lines.len(), exit), (5001, Some(Exit::Code(3))));
        assert!(lines.contains(&"5000".to_owned()) && lines.contains(&"last".to_owned()));
    }

    #[test]
    fn a_child_is_ended_at_the_deadline_and_its_descendants_with_it() {
        let (_, exit) = lines_of("sleep 600 & wait", Duration::from_millis(100));
        assert_eq!(exit, None);
        // The descendant would keep the output open.
        let (lines, exit) = lines_of("sleep 600 & echo done", Duration::from_mins(2));
        assert_eq!((lines, exit), (vec!["done".to_owned()], Some(Exit::Code(0))));
    }
}
