//! Output of a program that is copied for the comparison: dumps and win lines.

use std::collections::VecDeque;

/// The dumps and win lines of one run, in the two accepted orders.
///
/// A program prints its win line together with the winning move. A dump that the script requests between that move and
/// `#*win+` therefore arrives after the win line, although it precedes it in the script. The order in which the
/// course's script copies them depends on its threads. Therefore both orders are kept, and a `.std` file may have
/// either.
#[derive(Debug, Default)]
pub(crate) struct Copied {
    /// Text in the order in which the lines arrived or were taken.
    arrived: String,
    /// Text in the order of the script: a win line follows the dumps that were requested before it.
    scripted: String,
    /// Win lines that are not in `scripted` yet, each with the number of dumps that precede it.
    held: VecDeque<(usize, String)>,
    dumps_requested: usize,
    dumps_ended: usize,
    in_dump: bool,
    /// `true` if the last line of the standard output belongs to a dump.
    ends_in_dump: bool,
    /// `true` if the last line of the standard output belongs to a dump and has no newline.
    lacks_newline: bool,
}

impl Copied {
    /// Records a line that is sent to the program, which may request a dump.
    pub(crate) fn sent(&mut self, line: &[u8]) {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        if words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"dump")) {
            self.dumps_requested += 1;
        }
    }

    /// Handles a line of the standard output, without its prompt, and copies it if it belongs to a dump. Returns `true`
    /// if it does.
    pub(crate) fn printed(&mut self, line: &str) -> bool {
        let is_mark = is_dump_mark(line);
        self.ends_in_dump = is_mark || self.in_dump;
        if self.ends_in_dump {
            push_line(&mut self.arrived, line);
            push_line(&mut self.scripted, line);
            self.in_dump ^= is_mark;
        }
        if is_mark && !self.in_dump {
            self.dumps_ended += 1;
            while let Some((_, line)) = self.held.pop_front_if(|(dumps, _)| *dumps <= self.dumps_ended) {
                push_line(&mut self.scripted, &line);
            }
        }
        self.ends_in_dump
    }

    /// Copies the win line of a message that a directive has taken.
    pub(crate) fn win(&mut self, message: &str) {
        let line = win_line(message);
        push_line(&mut self.arrived, &line);
        if self.dumps_ended < self.dumps_requested {
            self.held.push_back((self.dumps_requested, line));
        } else {
            push_line(&mut self.scripted, &line);
        }
    }

    /// Records that the last line of the standard output had no newline.
    pub(crate) fn no_newline(&mut self) {
        self.lacks_newline = self.ends_in_dump;
    }

    /// Returns the text in the order of arrival and in that of the script.
    pub(crate) fn into_texts(mut self) -> [String; 2] {
        for (_, line) in self.held {
            push_line(&mut self.scripted, &line);
        }
        let mut texts = [self.arrived, self.scripted];
        if self.lacks_newline {
            for text in &mut texts {
                text.pop();
            }
        }
        texts
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Returns `true` if a line without its prompt begins or ends a dump. As in the course's script, a line need only start
/// with the mark.
pub(crate) fn is_dump_mark(line: &str) -> bool {
    line.starts_with("===")
}

/// Returns a win line in the form in which it is copied: without trailing blanks, and with one space for each run of
/// spaces, as in the course's script.
pub(crate) fn win_line(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for c in message.trim_end().chars() {
        if c != ' ' || !line.ends_with(' ') {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(actions: &[&str]) -> [String; 2] {
        let mut copied = Copied::default();
        for action in actions {
            match *action {
                "dump" => copied.sent(b" DUMP now\r"),
                "win" => copied.win("* Tie game."),
                line => {
                    copied.printed(line);
                }
            }
        }
        copied.into_texts()
    }

    #[test]
    fn a_win_line_waits_for_the_dumps_that_were_requested_before_it() {
        let [arrived, scripted] = copied(&["dump", "win", "===", "a", "===", "dump", "===", "b", "==="]);
        assert_eq!(arrived, "* Tie game.\n===\na\n===\n===\nb\n===\n");
        assert_eq!(scripted, "===\na\n===\n* Tie game.\n===\nb\n===\n");
        let [arrived, scripted] = copied(&["win", "dump", "===", "==="]);
        assert_eq!((arrived.as_str(), arrived == scripted), ("* Tie game.\n===\n===\n", true));
    }

    #[test]
    fn a_dump_that_never_comes_does_not_swallow_the_win_line() {
        assert_eq!(copied(&["dump", "win"]), ["* Tie game.\n", "* Tie game.\n"]);
    }

    #[test]
    fn only_runs_of_spaces_are_collapsed() {
        assert_eq!(win_line("  *  White\t \twins.  "), " * White\t \twins.");
    }
}
