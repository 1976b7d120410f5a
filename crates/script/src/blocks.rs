//! Scripts of CS61B from 2010 to 2016, in which one file has a block for each of two programs.
//!
//! ```text
//! # A comment
//! java -ea jump61.Main
//! None
//! ===#1===
//! size 3
//! dump
//! quit
//! ===#2===
//! ```
//!
//! The expected dumps are in a `.out` file. The dumps of each program follow a line `Program #1:` or `Program #2:`. In
//! a script, lines that begin with `#` are comments, and lines that begin with `%` are
//! [directives](crate::percent::PercentDirective).

use crate::parse::{Directive, ParseError, Script, ScriptLine, excerpt, is_directive, unix_newlines};
use crate::percent::PercentDirective;

const BLOCKS: [&[u8]; 2] = [b"===#1===", b"===#2==="];

/// Returns `true` if a text has this format.
pub fn is_block_script(text: &[u8]) -> bool {
    let text = unix_newlines(text);
    let mut lines = text.split(|&b| b == b'\n');
    lines.find(|line| line.trim_ascii() == BLOCKS[0] || is_directive(line)).is_some_and(|line| !is_directive(line))
}

/// Parses the scripts of one program or two.
///
/// # Errors
/// Returns an error if there is no command, or if a directive is unknown. The error contains the line number.
pub fn parse_blocks(text: &[u8]) -> Result<Vec<Script>, ParseError> {
    let mut commands: Vec<Vec<String>> = Vec::new();
    let mut lines: [Vec<ScriptLine>; 2] = [Vec::new(), Vec::new()];
    let mut block = None;
    for (number, line) in (1..).zip(unix_newlines(text).split_inclusive(|&b| b == b'\n')) {
        let trimmed = line.trim_ascii();
        if let Some(index) = BLOCKS.iter().position(|mark| *mark == trimmed) {
            block = Some(index);
        } else if let Some(block) = block {
            if line.starts_with(b"#") {
                continue;
            }
            let directive = if trimmed.starts_with(b"%") {
                let read = PercentDirective::read(&String::from_utf8_lossy(trimmed));
                Directive::Percent(read.ok_or_else(|| ParseError::Percent { line: number, found: excerpt(trimmed) })?)
            } else {
                Directive::Send(line.to_vec())
            };
            lines[block].push(ScriptLine { number, directive });
        } else if !trimmed.is_empty() && !trimmed.starts_with(b"#") {
            let text = String::from_utf8_lossy(trimmed);
            commands.push(text.split_ascii_whitespace().map(str::to_owned).collect());
        }
    }
    commands.truncate(2);
    commands.pop_if(|second| second[0].eq_ignore_ascii_case("none"));
    if commands.is_empty() {
        return Err(ParseError::Empty);
    }
    Ok(commands.into_iter().zip(lines).map(|(command, lines)| Script { command, lines }).collect())
}

/// Returns the expected output of each program.
pub(crate) fn expected_blocks(text: &str) -> [String; 2] {
    let mut outputs = [String::new(), String::new()];
    let mut program = 0;
    for line in text.lines() {
        match line.trim() {
            "Program #1:" => program = 0,
            "Program #2:" => program = 1,
            _ => outputs[program].extend([line, "\n"]),
        }
    }
    outputs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_program_or_two() {
        let text = b"# A test\n\njava -ea jump61.Main \nNone\n===#1===\nsize 3\r\n# comment\n\ndump\n===#2===\n";
        assert!(is_block_script(text));
        let scripts = parse_blocks(text).expect("a script");
        let [script] = &scripts[..] else { panic!("{scripts:?}") };
        assert_eq!(script.command, ["java", "-ea", "jump61.Main"]);
        let send = |number, text: &[u8]| ScriptLine { number, directive: Directive::Send(text.to_vec()) };
        assert_eq!(script.lines, [send(6, b"size 3\n"), send(8, b"\n"), send(9, b"dump\n")]);

        let scripts = parse_blocks(b"a\nb --strict\n===#1===\nx\n===#2===\ny\nz").expect("two scripts");
        let [first, second] = &scripts[..] else { panic!("{scripts:?}") };
        assert_eq!(
            (&first.command[..], &second.command[..]),
            (&["a".to_owned()][..], &["b".into(), "--strict".into()][..])
        );
        assert_eq!(second.lines, [send(6, b"y\n"), send(7, b"z")]);
        assert_eq!(parse_blocks(b"a\n===#1===\n").map(|scripts| scripts.len()), Ok(1));
    }

    #[test]
    fn other_texts_and_directives() {
        assert!(!is_block_script(b"#* java -ea loa.Main\n===#1===\n"));
        assert!(!is_block_script(b"java -ea loa.Main\n"));
        assert_eq!(parse_blocks(b"None\n===#1===\n"), Err(ParseError::Empty));
        let scripts = parse_blocks(b"a\nNone\n===#1===\nstart\n %eb \n").expect("a script");
        let end = PercentDirective::End { winner: Some('b'), copy: false };
        assert_eq!(scripts[0].lines[1], ScriptLine { number: 5, directive: Directive::Percent(end) });
        let error = parse_blocks(b"a\nNone\n===#1===\nstart\n%ex\n").expect_err("a directive");
        assert!(error.to_string().starts_with("line 5: `%ex` found, expected a directive"), "{error}");
    }

    #[test]
    fn each_program_has_its_output() {
        assert_eq!(expected_blocks("Program #1:\n===\n===\n\nProgram #2:\na"), ["===\n===\n\n", "a\n"]);
        assert_eq!(expected_blocks("===\n"), ["===\n", ""]);
    }
}
