//! The syntax of SGF files: brackets, nodes and properties, independent of their meaning.

use core::fmt;

use game::text::{excerpt, without_mark};

use super::{END, SgfError};

/// Long property names of FF\[3\] and earlier, in lower case, with their short names. In these cases, the capital
/// letters of the long name do not form the short name.
const LONG_NAMES: [(&str, &str); 14] = [
    ("application", "AP"),
    ("charset", "CA"),
    ("date", "DT"),
    ("doubtful", "DO"),
    ("event", "EV"),
    ("game", "GM"),
    ("interesting", "IT"),
    ("place", "PC"),
    ("player", "PL"),
    ("result", "RE"),
    ("round", "RO"),
    ("setup", "SU"),
    ("size", "SZ"),
    ("tesuji", "TE"),
];

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Writes "line 3, column 7".
impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A property with its values. There is at least one value.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) at: Spot,
    pub(super) values: Vec<String>,
}

/// A node of a game tree. Nodes are in the order of the file, so a parent precedes its children.
#[derive(Debug)]
pub(super) struct RawNode {
    /// Index of the parent; `None` for the root.
    pub(super) parent: Option<usize>,
    pub(super) properties: Vec<Property>,
}

/// A parser for a text that begins with its first game.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    spot: Spot,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text: without_mark(text), at: 0, spot: Spot { line: 1, column: 1 } }
    }

    /// Returns the next game tree; `None` at the end of the text.
    pub(super) fn game(&mut self) -> Result<Option<Vec<RawNode>>, SgfError> {
        self.blanks();
        // Files of DOS and CP/M end with the character 26.
        let is_end = self.text[self.at..].chars().all(|c| c == '\u{1a}' || c.is_whitespace());
        if is_end { Ok(None) } else { self.tree().map(Some) }
    }

    /// Skips to the next line that begins a game, after an error. Returns `false` if there is none.
    pub(super) fn skip_to_game(&mut self) -> bool {
        while self.peek().is_some() {
            if self.begins_game() {
                return true;
            }
            self.next();
        }
        false
    }

    /// Returns `true` if a game begins here: at a line that starts with `(;FF[` or `(;GM[`. Variations do not start
    /// like this.
    fn begins_game(&self) -> bool {
        if self.spot.column > 1 {
            return false;
        }
        let rest = self.text[self.at..].strip_prefix('(').map(str::trim_start).and_then(|rest| rest.strip_prefix(';'));
        let mut root = Self { text: rest.unwrap_or_default().trim_start(), ..Self::new("") };
        matches!(root.name().as_str(), "FF" | "GM")
    }

    pub(super) fn expected(&self, expected: &'static str) -> SgfError {
        let found = self.peek().map_or_else(|| END.to_owned(), |c| format!("`{}`", excerpt(&c.to_string())));
        SgfError::Form { at: self.spot, found, expected }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' {
            self.spot = Spot { line: self.spot.line + 1, column: 1 };
        } else {
            self.spot.column += 1;
        }
        Some(c)
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn tree(&mut self) -> Result<Vec<RawNode>, SgfError> {
        if self.peek() != Some('(') {
            return Err(self.expected("`(`"));
        }
        // `last` is the node to continue, and `open` has the node before each open bracket. There is no recursion,
        // because deeply nested brackets would overflow the stack.
        let (mut nodes, mut last, mut open) = (Vec::new(), None, Vec::new());
        loop {
            self.blanks();
            match self.peek() {
                Some(';') => {
                    self.next();
                    nodes.push(RawNode { parent: last, properties: self.properties()? });
                    last = Some(nodes.len() - 1);
                }
                Some('(') if !open.is_empty() && self.begins_game() => {
                    return Err(self.expected("`)` before the next game"));
                }
                Some('(') if open.is_empty() || !nodes.is_empty() => {
                    self.next();
                    open.push(last);
                }
                Some(')') if !nodes.is_empty() => {
                    self.next();
                    last = open.pop().flatten();
                    if open.is_empty() {
                        return Ok(nodes);
                    }
                }
                _ if nodes.is_empty() => return Err(self.expected("a node, which begins with `;`")),
                _ => return Err(self.expected("`;`, `(` or `)`")),
            }
        }
    }

    fn properties(&mut self) -> Result<Vec<Property>, SgfError> {
        let mut properties = Vec::new();
        loop {
            self.blanks();
            let at = self.spot;
            let name = self.name();
            if name.is_empty() {
                return Ok(properties);
            }
            let mut values = Vec::new();
            loop {
                self.blanks();
                if self.peek() != Some('[') {
                    break;
                }
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.expected("`[` after the name of a property"));
            }
            properties.push(Property { name, at, values });
        }
    }

    /// Parses the name of a property. Older versions allow lower-case letters, which are ignored except in
    /// [`LONG_NAMES`].
    fn name(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphanumeric) {
            word.push(c);
            self.next();
        }
        let long = LONG_NAMES.iter().find(|(long, _)| word.eq_ignore_ascii_case(long));
        long.map_or_else(|| word.replace(|c: char| c.is_ascii_lowercase(), ""), |&(_, name)| name.to_owned())
    }

    fn skip_line_feed(&mut self) {
        if self.peek() == Some('\n') {
            self.next();
        }
    }

    /// Parses a value and removes its escapes. Every line end becomes `\n`.
    fn value(&mut self) -> Result<String, SgfError> {
        self.next();
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    // An escaped line end is removed.
                    Some('\n') => (),
                    Some('\r') => {
                        self.skip_line_feed();
                    }
                    Some(c) => value.push(c),
                    None => return Err(self.expected("`]`")),
                },
                Some('\r') => {
                    self.skip_line_feed();
                    value.push('\n');
                }
                Some(c) => value.push(c),
                None => return Err(self.expected("`]`")),
            }
        }
    }
}

/// Escapes a value for a file.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
