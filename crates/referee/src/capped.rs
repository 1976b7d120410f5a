//! Standard error of a player, with a limit on its size.

/// Size of each kept part of a player's standard error in a game, in bytes. The parts are the beginning and the end.
const KEPT: usize = 16 << 10;

/// A text that keeps only its beginning and its end if it is long.
#[derive(Default)]
pub(crate) struct Capped {
    head: String,
    tail: String,
    left_out: usize,
}

impl Capped {
    pub(crate) fn add(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let to =
            if self.tail.is_empty() && self.head.len() + line.len() < KEPT { &mut self.head } else { &mut self.tail };
        to.push_str(&line);
        to.push('\n');
        if self.tail.len() > 2 * KEPT {
            self.trim();
        }
    }

    /// Drops the beginning of the tail.
    fn trim(&mut self) {
        let cut = self.tail.len().saturating_sub(KEPT);
        let cut = (cut..=self.tail.len()).find(|&at| self.tail.is_char_boundary(at)).unwrap_or(0);
        self.left_out += cut;
        self.tail.drain(..cut);
    }

    /// Returns the last error; see [`error_line`].
    pub(crate) fn error_line(&self) -> Option<String> {
        error_line(if self.tail.is_empty() { &self.head } else { &self.tail })
    }

    pub(crate) fn text(&mut self) -> String {
        if self.tail.len() > KEPT {
            self.trim();
        }
        let gap =
            if self.left_out > 0 { format!("[… {} bytes left out …]\n", self.left_out) } else { String::new() };
        format!("{}{gap}{}", self.head, self.tail)
    }
}

/// Returns the last error on a program's standard error: usually the last line; for a Java stack trace, the first line
/// and the last line that begins with `Caused by: `. Each line is cut after 200 characters.
pub fn error_line(text: &str) -> Option<String> {
    let short = |line: &str| line.trim().chars().take(200).collect::<String>();
    let lines = || text.lines().rev().filter(|line| !line.trim().is_empty());
    let continues = |line: &&str| line.starts_with([' ', '\t']) || line.starts_with("Caused by: ");
    let head = lines().find(|line| !continues(line)).or_else(|| lines().next())?;
    let cause = lines().take_while(continues).find(|line| line.starts_with("Caused by: "));
    Some(match cause {
        Some(cause) if cause != head => format!("{}; {}", short(head), short(cause)),
        _ => short(head),
    })
}

/// Quotes the last error on the program's standard error, which often explains why the program does not answer.
pub(crate) fn complaint(error_line: Option<String>) -> String {
    error_line.map(|line| format!("; its standard error: {line}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_of_many_lines_are_kept() {
        let mut capped = Capped::default();
        for i in 0..100_000 {
            capped.add(format!("line {i}").as_bytes());
        }
        let text = capped.text();
        assert!(text.starts_with("line 0\nline 1\n") && text.ends_with("line 99998\nline 99999\n"), "{text}");
        assert!(text.len() < 2 * KEPT + 100 && text.contains(" bytes left out"));
        assert_eq!(capped.error_line().as_deref(), Some("line 99999"));
        let mut short = Capped::default();
        short.add("é".as_bytes());
        assert_eq!(short.text(), "é\n");
    }

    #[test]
    fn the_error_of_a_stack_trace_is_its_first_line() {
        let java = "Loading\nException in thread \"main\" java.lang.NoClassDefFoundError: ucb/util/CommandArgs\n\
                    \tat loa.Main.main(Main.java:10)\nCaused by: java.lang.ClassNotFoundException: ucb.util.CommandArgs\n\
                    \tat java.base/java.net.URLClassLoader.findClass(URLClassLoader.java:445)\n\t... 1 more\n\n";
        assert_eq!(
            error_line(java).as_deref(),
            Some(
                "Exception in thread \"main\" java.lang.NoClassDefFoundError: ucb/util/CommandArgs; \
                 Caused by: java.lang.ClassNotFoundException: ucb.util.CommandArgs"
            )
        );
        let python =
            "Traceback (most recent call last):\n  File \"a.py\", line 1\nNameError: name 'x' is not defined\n";
        assert_eq!(error_line(python).as_deref(), Some("NameError: name 'x' is not defined"));
        assert_eq!(error_line("\t... 1 more\n").as_deref(), Some("... 1 more"));
        assert_eq!(error_line(" \n"), None);
    }
}
