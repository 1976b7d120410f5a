//! Move lists with variations in the usual notation: `1. b1-b3! {solid} a2-c2 (1… h2-f2 2. d1-d3) 2. c1-c4`.
//!
//! Comments are in braces, where a backslash escapes a brace. Circles and arrows are not written.

use core::iter::Peekable;
use core::str::Chars;

use game::text::{excerpt, without_mark};
use game::{Explain as _, Message, Record, Side, message};
use protocol::sgf::Spot;

use crate::definition::Game;
use crate::files::LeftOut;
use crate::play::SettingError;
use crate::tree::{DEEPEST, MARKS, Node, Removed, checked_tree, children, legal_tree};

/// Result tokens at the end of a game.
const RESULTS: [&str; 5] = ["*", "1-0", "0-1", "1/2-1/2", "½-½"];

/// Reads a list of moves with variations. The first move is played at the start of `from`.
pub(crate) fn read<P: Game>(from: &Record<P>, text: &str) -> Result<Vec<Node>, SettingError> {
    match read_legal(from, text)? {
        (nodes, None) => Ok(nodes),
        (_, Some(left_out)) => Err(left_out.first.into()),
    }
}

/// Reads moves like [`read`], and skips illegal moves and the moves after them. Returns an error if no move is left.
pub(crate) fn read_legal<P: Game>(from: &Record<P>, text: &str) -> Result<(Vec<Node>, Option<LeftOut>), SettingError> {
    let (nodes, spots) = parse(without_mark(text))?;
    if nodes.len() == 1 && nodes[0].comment.is_empty() {
        return Err(message!("text.no_move", "`{text}`: no move found", text = excerpt(text.trim())).into());
    }
    let error = |(node, error): (usize, SettingError)| at(spots[node], &error.message());
    let (nodes, removed) = legal_tree(from, nodes).map_err(error)?;
    let left_out =
        removed.map(|Removed { count, first, in_main_line }| LeftOut { count, first: error(first), in_main_line });
    match left_out {
        Some(LeftOut { first, .. }) if nodes.len() == 1 => Err(first.into()),
        left_out => Ok((nodes, left_out)),
    }
}

/// Writes a list of moves with variations. The first move is played at the start of `from`.
pub(crate) fn write_checked<P: Game>(from: &Record<P>, nodes: &[Node]) -> Result<String, SettingError> {
    Ok(write(&checked_tree(from, nodes)?, from.start_position().side_to_move()))
}

/// A text and the current location in it.
struct Scanner<'a> {
    chars: Peekable<Chars<'a>>,
    spot: Spot,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        if c == '\n' {
            self.spot = Spot { line: self.spot.line + 1, column: 1 };
        } else {
            self.spot.column += 1;
        }
        Some(c)
    }

    fn comment(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.next()? {
                '}' => return Some(text.trim().to_owned()),
                '\\' => text.push(self.next()?),
                c => text.push(c),
            }
        }
    }

    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        let ends = |c: &char| c.is_whitespace() || "(){},;".contains(*c);
        while self.chars.peek().is_some_and(|c| !ends(c)) {
            word.extend(self.next());
        }
        word
    }
}

/// Adds the line and the column to an error.
fn at(Spot { line, column }: Spot, error: &Message) -> Message {
    message!("text.at", "line {line}, column {column}: {error}", line, column, error)
}

/// Parses a text into nodes and their locations, without checking whether the moves are legal.
fn parse(text: &str) -> Result<(Vec<Node>, Vec<Spot>), Message> {
    let begin = Spot { line: 1, column: 1 };
    let mut scanner = Scanner { chars: text.chars().peekable(), spot: begin };
    let (mut nodes, mut spots) = (vec![Node::default()], vec![begin]);
    let mut here = 0;
    // For each open bracket, the node at which the enclosing line continues.
    let mut open: Vec<usize> = Vec::new();
    loop {
        let spot = scanner.spot;
        let Some(c) = scanner.next() else { break };
        match c {
            c if c.is_whitespace() || c == ',' || c == ';' => (),
            '{' => {
                let comment =
                    scanner.comment().ok_or_else(|| at(spot, &message!("text.open_brace", "`{{` without `}}`")))?;
                let node: &mut Node = &mut nodes[here];
                if !node.comment.is_empty() && !comment.is_empty() {
                    node.comment.push('\n');
                }
                node.comment += &comment;
            }
            '(' if here == 0 => {
                let error = message!("text.no_move_before", "`(` found, expected a move before a variation");
                return Err(at(spot, &error));
            }
            '(' if open.len() == DEEPEST => {
                let error = message!("text.too_deep", "more than {most} brackets are open", most = DEEPEST);
                return Err(at(spot, &error));
            }
            '(' => {
                open.push(here);
                here = nodes[here].parent;
            }
            ')' => {
                here = {
                    let error = || at(spot, &message!("text.closed_bracket", "`)` without `(`"));
                    open.pop().ok_or_else(error)?
                }
            }
            '}' => return Err(at(spot, &message!("text.closed_brace", "`}}` without `{{`"))),
            c => {
                let word = scanner.word(c);
                if let Some((text, mark)) = split(&word) {
                    here = add(&mut nodes, here, text, mark);
                    spots.resize(nodes.len(), spot);
                }
            }
        }
    }
    if open.is_empty() {
        return Ok((nodes, spots));
    }
    Err(at(scanner.spot, &message!("text.open_bracket", "the end found, expected `)`")))
}

/// Adds a word after a node, and returns the index of the move's node. If the node and the word are bare squares, as in
/// `b1 h1`, the word completes the node's move: `b1-h1`.
fn add(nodes: &mut Vec<Node>, here: usize, text: String, mark: String) -> usize {
    let is_square = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.len() <= 3 && text[1..].parse::<u8>().is_ok()
    };
    let (last, before) = (nodes.len() - 1, &mut nodes[here]);
    let is_bare = before.mark.is_empty() && before.comment.is_empty() && is_square(&before.text);
    if here == last && is_bare && is_square(&text) {
        before.text = format!("{}-{text}", before.text);
        before.mark = mark;
        return here;
    }
    nodes.push(Node { parent: here, text, mark, ..Node::default() });
    nodes.len() - 1
}

/// Splits a word into the move and its mark; `None` if the word is a move number or a result.
pub(crate) fn split(word: &str) -> Option<(String, String)> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &word[digits..];
    let after_dots = rest.trim_start_matches(['.', '…']);
    let text = if digits > 0 && (rest.is_empty() || after_dots.len() < rest.len()) { after_dots } else { word };
    if text.is_empty() || text.starts_with('$') || RESULTS.contains(&text) {
        return None;
    }
    let bare = text.trim_end_matches(['!', '?']);
    let mark = &text[bare.len()..];
    if MARKS.contains(&mark) && !bare.is_empty() {
        return Some((bare.to_owned(), mark.to_owned()));
    }
    Some((text.to_owned(), String::new()))
}

/// A part of a tree that has yet to be written.
enum Part {
    /// A node and its continuation.
    Line(usize),
    /// A node alone.
    Move(usize),
    /// The continuation after a node.
    After(usize),
    Open,
    Close,
}

/// Writes checked nodes.
pub(crate) fn write(nodes: &[Node], first: Side) -> String {
    let children = children(nodes);
    let mut plies = vec![first.index(); nodes.len()];
    for (i, node) in nodes.iter().enumerate().skip(1) {
        plies[i] = plies[node.parent] + 1;
    }
    let mut out = String::new();
    // `true` if the next move of the second side needs its number, because a comment or a bracket precedes it.
    let mut numbered = true;
    let mut todo = vec![Part::Move(0)];
    while let Some(part) = todo.pop() {
        match part {
            Part::Open => {
                space(&mut out);
                out.push('(');
                numbered = true;
            }
            Part::Close => {
                out.push(')');
                numbered = true;
            }
            Part::After(i) => todo.extend(children[i].first().map(|&main| Part::Line(main))),
            Part::Move(i) | Part::Line(i) => {
                let node = &nodes[i];
                if i > 0 {
                    space(&mut out);
                    let number = plies[i].div_ceil(2).to_string();
                    match (plies[i].is_multiple_of(2), numbered) {
                        (false, _) => out.extend([&number, ". "]),
                        (true, true) => out.extend([&number, "… "]),
                        (true, false) => (),
                    }
                    out += &node.text;
                    out += if MARKS.contains(&node.mark.as_str()) { &node.mark } else { "" };
                    numbered = false;
                }
                if !node.comment.trim().is_empty() {
                    space(&mut out);
                    let text = node.comment.trim().replace('\\', "\\\\").replace('}', "\\}");
                    out.extend(["{", &text, "}"]);
                    numbered = true;
                }
                // The last pushed part is written first: the siblings of this move, then the continuation.
                todo.push(Part::After(i));
                let siblings = &children[node.parent];
                if i > 0 && siblings[0] == i && matches!(part, Part::Line(_)) {
                    for &other in siblings[1..].iter().rev() {
                        todo.extend([Part::Close, Part::Move(other), Part::Open]);
                    }
                }
            }
        }
    }
    out
}

fn space(out: &mut String) {
    if !out.is_empty() && !out.ends_with('(') {
        out.push(' ');
    }
}
