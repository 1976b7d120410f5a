//! Splits source code into tokens without the differences that a copier introduces first: names, numbers, texts,
//! comments, line breaks and the order of imports.

use super::language::{Language, Rule};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Hash of a keyword or operator, or of the kind of any other token.
    pub(super) code: u64,
    /// Line, counted from 1.
    pub(super) line: u32,
}

/// Code of an identifier.
const IDENTIFIER: u64 = hash(b"identifier");
/// Code of a number.
const NUMBER: u64 = hash(b"number");
/// Code of a text or a character.
const TEXT: u64 = hash(b"text");
/// Code of a comma.
const COMMA: u64 = hash(b",");
/// Code of a minus sign.
const MINUS: u64 = hash(b"-");

/// Operators of more than one character, longest first.
const OPERATORS: [&[u8]; 26] = [
    b">>>=", b"**=", b"//=", b"<<=", b">>=", b"===", b"!==", b"...", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"++",
    b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"->", b"=>", b"::", b"**", b":=",
];

/// Hashes bytes with FNV-1a.
///
/// Source: Fowler, Noll and Vo, draft-eastlake-fnv, 64 bits.
const fn hash(bytes: &[u8]) -> u64 {
    let (mut hash, mut i) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// Returns the tokens of a text. Any bytes are accepted.
pub(super) fn tokens(text: &[u8], language: &'static Language) -> Vec<Token> {
    let mut scanner = Scanner { text, at: 0, line: 1, depth: 0, language, tokens: Vec::new(), begins_line: true };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.tokens
}

struct Scanner<'a> {
    text: &'a [u8],
    /// Index of the next byte.
    at: usize,
    line: u32,
    /// Number of open brackets.
    depth: u32,
    language: &'static Language,
    tokens: Vec<Token>,
    /// Set before the first token of a line.
    begins_line: bool,
}

/// Returns the number of line ends.
fn line_ends(text: &[u8]) -> u32 {
    text.split(|&byte| byte == b'\n').count() as u32 - 1
}

/// Returns `true` for bytes of words. Letters outside ASCII count as such.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl Scanner<'_> {
    fn peek(&self, offset: usize) -> u8 {
        self.text.get(self.at + offset).copied().unwrap_or(0)
    }

    fn sees(&self, word: &[u8]) -> bool {
        self.text[self.at..].starts_with(word)
    }

    /// Moves over bytes and counts their lines.
    fn skip(&mut self, count: usize) {
        let end = (self.at + count).min(self.text.len());
        self.line += line_ends(&self.text[self.at..end]);
        self.at = end;
    }

    /// Moves to the next line end.
    fn skip_line(&mut self) {
        self.at += self.text[self.at..].iter().position(|&byte| byte == b'\n').unwrap_or(self.text.len() - self.at);
    }

    /// Reads a token, a comment or a blank.
    fn step(&mut self) {
        let byte = self.peek(0);
        if byte == b'\n' {
            self.skip(1);
            self.begins_line = true;
        } else if byte.is_ascii_whitespace() {
            self.skip(1);
        } else if !self.comment() {
            let begins_line = std::mem::replace(&mut self.begins_line, false);
            let begins_statement = begins_line && self.depth == 0;
            if begins_line && self.import() {
                return;
            }
            match byte {
                b'"' | b'\'' => self.quoted(begins_statement, false),
                b'`' if self.language.has(Rule::Templates) => self.enclosed(b"`", false),
                b'/' if self.language.has(Rule::Templates) && self.expects_value() => self.regular_expression(),
                b'0'..=b'9' => self.number(),
                byte if is_word(byte) => self.word(begins_statement),
                _ => self.operator(),
            }
        }
    }

    /// Moves over a comment, and reports whether there was one.
    fn comment(&mut self) -> bool {
        if self.language.has(Rule::BlockComments) && self.sees(b"/*") {
            self.block_comment();
            return true;
        }
        let is_comment = self.language.line_comments.iter().any(|start| self.sees(start.as_bytes()));
        if is_comment {
            self.skip_line();
        }
        is_comment
    }

    fn block_comment(&mut self) {
        let mut open = 0;
        while self.at < self.text.len() {
            if self.sees(b"/*") && (open == 0 || self.language.has(Rule::NestedComments)) {
                open += 1;
                self.skip(2);
            } else if self.sees(b"*/") {
                open -= 1;
                self.skip(2);
                if open == 0 {
                    return;
                }
            } else {
                self.skip(1);
            }
        }
    }

    /// Moves over a statement that imports names, up to the first line end outside brackets.
    fn import(&mut self) -> bool {
        let starts = |word: &&&str| self.sees(word.as_bytes()) && !is_word(self.peek(word.len()));
        if self.depth > 0 || self.language.imports.iter().find(starts).is_none() {
            return false;
        }
        let mut open = 0_u32;
        while self.at < self.text.len() {
            match self.peek(0) {
                b'(' | b'{' => open += 1,
                b')' | b'}' => open = open.saturating_sub(1),
                b'\n' if open == 0 => break,
                _ => (),
            }
            self.skip(1);
        }
        true
    }

    /// Adds a token on a line. In tables, only the first of several values in a row is kept.
    fn push(&mut self, code: u64, line: u32) {
        if code == NUMBER || code == TEXT {
            if let [.., before, minus] = self.tokens[..]
                && minus.code == MINUS
                && code == NUMBER
                && before.code == COMMA
            {
                self.tokens.pop();
            }
            if let [.., first, comma] = self.tokens[..]
                && comma.code == COMMA
                && first.code == code
            {
                self.tokens.pop();
                return;
            }
        }
        self.tokens.push(Token { code, line });
    }

    /// Reads a text in quotation marks, or a lifetime.
    fn quoted(&mut self, begins_statement: bool, is_raw: bool) {
        let quote = self.peek(0);
        if self.language.has(Rule::Lifetimes) && quote == b'\'' && is_word(self.peek(1)) && self.peek(2) != b'\'' {
            let is_letter = self.peek(1) >= 0x80 && self.text[self.at + 1..].iter().take(5).any(|&byte| byte == b'\'');
            if !is_letter {
                self.skip(1);
                return;
            }
        }
        let triple = [quote; 3];
        if self.language.has(Rule::TripleQuotes) && self.sees(&triple) {
            let start = self.tokens.len();
            self.enclosed(&triple, is_raw);
            if self.language.has(Rule::DocStrings) && begins_statement {
                self.tokens.truncate(start);
            }
        } else {
            self.enclosed(&[quote], is_raw);
        }
    }

    /// Reads a text up to its closing mark. A text that may not have several lines ends with its line.
    fn enclosed(&mut self, mark: &[u8], is_raw: bool) {
        let line = self.line;
        let may_span = mark.len() > 1 || mark == b"`" || self.language.has(Rule::Lifetimes);
        self.skip(mark.len());
        while self.at < self.text.len() && !self.sees(mark) && (may_span || self.peek(0) != b'\n') {
            let is_escape = self.peek(0) == b'\\' && !is_raw;
            self.skip(if is_escape { 2 } else { 1 });
        }
        if self.sees(mark) {
            self.skip(mark.len());
        }
        self.push(TEXT, line);
    }

    /// Returns `true` if a value may begin here, so that `/` is not a division.
    fn expects_value(&self) -> bool {
        let before = self.text[..self.at].iter().rev().find(|byte| !byte.is_ascii_whitespace());
        before.is_none_or(|byte| b"(,=:[!&|?{};+-*%<>~^".contains(byte))
    }

    fn regular_expression(&mut self) {
        let line = self.line;
        let mut in_class = false;
        self.skip(1);
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            match self.peek(0) {
                b'\\' => self.skip(1),
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                _ => (),
            }
            self.skip(1);
        }
        self.skip(usize::from(self.peek(0) == b'/'));
        self.push(TEXT, line);
    }

    fn number(&mut self) {
        let line = self.line;
        while self.at < self.text.len() {
            let (byte, next) = (self.peek(0), self.peek(1));
            let is_point = byte == b'.' && next.is_ascii_digit();
            let is_separator = byte == b'\'' && next.is_ascii_alphanumeric() && !self.language.has(Rule::Lifetimes);
            if !(is_word(byte) || is_point || is_separator) {
                break;
            }
            self.skip(1);
        }
        self.push(NUMBER, line);
    }

    fn word(&mut self, begins_statement: bool) {
        let start = self.at;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let is_in = |words: &[&str]| words.binary_search_by(|known| known.as_bytes().cmp(word)).is_ok();
        let (next, is_prefix) = (self.peek(0), self.is_prefix(word));
        if is_prefix
            && matches!(next, b'"' | b'\'')
            && !(self.language.has(Rule::Lifetimes) && next == b'\'' && word != b"b")
        {
            self.quoted(begins_statement, word.contains(&b'r') || word.contains(&b'R'));
        } else if is_prefix && self.language.has(Rule::Lifetimes) && next == b'#' && word.contains(&b'r') {
            self.raw_text();
        } else if is_in(self.language.keywords) {
            self.push(hash(word), self.line);
        } else if !is_in(self.language.dropped) {
            self.push(IDENTIFIER, self.line);
        }
    }

    /// Returns `true` if a word directly before a quotation mark is a prefix of the text.
    fn is_prefix(&self, word: &[u8]) -> bool {
        let is_same = |prefix: &str| prefix.as_bytes().eq_ignore_ascii_case(word);
        word.len() <= 2 && self.language.prefixes.iter().any(|prefix| is_same(prefix))
    }

    /// Reads the rest of a raw text of Rust, from its first `#`, or an identifier such as `r#type`.
    fn raw_text(&mut self) {
        let marks = self.text[self.at..].iter().take_while(|&&byte| byte == b'#').count();
        if self.peek(marks) != b'"' {
            self.skip(marks);
            return;
        }
        let line = self.line;
        let end: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', marks)).collect();
        self.skip(marks + 1);
        while self.at < self.text.len() && !self.sees(&end) {
            self.skip(1);
        }
        self.skip(end.len());
        self.push(TEXT, line);
    }

    fn operator(&mut self) {
        let known = OPERATORS.iter().find(|operator| self.sees(operator));
        let length = known.map_or(1, |operator| operator.len());
        let bytes = &self.text[self.at..self.at + length];
        match bytes {
            b"(" | b"[" => self.depth += 1,
            b")" | b"]" => self.depth = self.depth.saturating_sub(1),
            _ => (),
        }
        let (code, line) = (hash(bytes), self.line);
        self.skip(length);
        self.push(code, line);
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::of_file;
    use super::*;

    fn codes(name: &str, text: &str) -> Vec<u64> {
        tokens(text.as_bytes(), of_file(name).expect("a language")).iter().map(|token| token.code).collect()
    }

    #[test]
    fn a_copiers_first_changes_do_not_show() {
        for (name, a, b) in [
            ("a.py", "import re\nfor x in y:\n    z(x, 'a')\n", "# c\nfor p in q: r(p,\n  f\"b\")"),
            ("a.py", "def f(a):\n    return a", "def g(b):\n    \"\"\"Doc's\n # x\n    \"\"\"\n    return b"),
            ("a.py", "from a import (\n  b,\n  c)\nx = [1, -2, 3]", "y = [4, 5, 6, 7]"),
            ("A.java", "import a.B;\npublic int f() { return 1; }", "/* c */ private static int g()\n{ return 0x2F; }"),
            ("A.java", "String a = \"x // y\";", "String b = \"\"\"\n  /* \" */ z\"\"\";"),
            ("a.c", "#include <a.h>\nstatic int x = 1'000;", "// c\nint y = 2;"),
            ("a.cpp", "char c = '\"'; f(c);", "char d = '\\''; g(d);"),
            ("a.js", "const r = /[/\"]\\/'/; f(r)", "let q = `a ${b} \"c`; g(q)"),
            ("a.js", "x = a / b / c", "y = d/e/f // g"),
            (
                "a.rs",
                "use a::{\n b};\nfn f<'a>(x: &'a str) { g('b', r#\"c\"d\"#) }",
                "pub fn h<'z>(y: &'z str) { i('\\n', \"e\") }",
            ),
            ("a.rs", "/* a /* b */ c */ let x = 1;", "let mut y = 1.5_f64;"),
            ("a.lua", "local x = 1 -- one", "local y = 2"),
            ("a.go", "i--; f()", "j -- ; g()"),
        ] {
            let (a, b) = (codes(name, a), codes(name, b));
            assert!(!a.is_empty());
            assert_eq!(a, b, "{name}: differs at {:?}", a.iter().zip(&b).position(|(x, y)| x != y));
        }
    }

    #[test]
    fn other_code_differs() {
        for (name, a, b) in [
            ("a.py", "if a: b()", "while a: b()"),
            ("a.py", "a + b", "a - b"),
            ("a.java", "a(b)", "a[b]"),
            ("a.c", "a == b", "a = b"),
            ("a.c", "f('a')", "f(a)"),
            ("a.js", "a / b / c", "a + / b /"),
        ] {
            assert_ne!(codes(name, a), codes(name, b), "{a} {b}");
        }
    }

    #[test]
    fn tokens_have_lines() {
        let text = b"a = 1\n\n# c\nb = '''x\ny''' + c\n";
        let lines: Vec<u32> = tokens(text, of_file("a.py").expect("Python")).iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 1, 1, 4, 4, 4, 5, 5]);
    }

    #[test]
    fn any_bytes_are_accepted() {
        let pieces: [&[u8]; 22] = [
            b"'",
            b"\"",
            b"`",
            b"/",
            b"*",
            b"\\",
            b"\n",
            b"#",
            b"r",
            b"r#\"",
            b"(",
            b")",
            b"{",
            b"import",
            b"\xff",
            "é".as_bytes(),
            b"1",
            b"a",
            b"\0",
            b" ",
            b"\"\"\"",
            b"--",
        ];
        let mut rng = game::SplitMix64::new(1);
        for round in 0..600 {
            let text: Vec<u8> =
                (0..rng.below(40)).flat_map(|_| rng.choose(&pieces).copied().unwrap_or_default()).copied().collect();
            for name in ["a.py", "a.java", "a.c", "a.js", "a.rs", "a.rb", "a.lua", "a.go"] {
                let found = tokens(&text, of_file(name).expect("a language"));
                let lines = line_ends(&text) + 1;
                assert!(found.len() <= text.len(), "{round}");
                assert!(found.iter().all(|token| (1..=lines).contains(&token.line)), "{round}");
                assert!(found.is_sorted_by_key(|token| token.line), "{round}");
            }
        }
    }
}
