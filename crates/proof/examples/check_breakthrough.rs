//! Checks a certificate that a side wins Breakthrough. This file uses only the standard library, so that it is short
//! enough to be read completely and can be compiled with `rustc --edition 2024 -O check_breakthrough.rs`.
//!
//! Rules. White moves first and up, Black moves down. A piece moves one square straight or diagonally forward. It may
//! move to an empty square, or diagonally to a square with an enemy piece, which it captures. A side wins if one of its
//! pieces reaches the farthest rank, or if the other side has no pieces left.
//!
//! File. Lines of text. The first line is `plyhouse-win 1 breakthrough WINNER IMAGES STEPS POSITION`. WINNER is `first`
//! (White) or `second` (Black). IMAGES is 1, or 2 if a position and its mirror image share a step. STEPS is the number
//! of lines that follow. Each of them is a step: a position with the winner to move, the winner's move and a rank,
//! separated by tabs. A position contains the rows from the top, such as `bbbb/bbbb/wwww/wwww w`. With two images, it
//! is the smaller one of both, byte by byte. The last line is `sha256 HASH`, the hash of all preceding lines.
//!
//! Checks. The steps are sorted by position. Each contains a legal move of an undecided position. After each reply of
//! the other side, the winner has won, or the position has a step with a smaller rank, or the winner wins with the next
//! move. Ranks decrease, so every game in which the winner plays by the steps ends with a win. The first position has a
//! step. If the other side is to move there, the condition on replies applies instead.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use std::collections::BTreeMap;

const WHITE: u8 = b'w';
const BLACK: u8 = b'b';
const EMPTY: u8 = b'-';

#[derive(Clone, PartialEq, Eq)]
struct Position {
    /// Rows from the top.
    rows: Vec<Vec<u8>>,
    to_move: u8,
}

/// The row, counted from the top, and the column of a square.
type Square = (usize, usize);

fn other(side: u8) -> u8 {
    if side == WHITE { BLACK } else { WHITE }
}

impl Position {
    fn parse(text: &str) -> Option<Self> {
        let (board, turn) = text.split_once(' ')?;
        let rows: Vec<Vec<u8>> = board.split('/').map(|row| row.bytes().collect()).collect();
        let known =
            |row: &Vec<u8>| row.len() == rows.len() && row.iter().all(|cell| [WHITE, BLACK, EMPTY].contains(cell));
        let to_move = if turn == "w" { WHITE } else { BLACK };
        let is_valid = (4..=8).contains(&rows.len()) && ["w", "b"].contains(&turn) && rows.iter().all(known);
        is_valid.then_some(Self { rows, to_move })
    }

    fn text(&self) -> String {
        let rows: Vec<_> = self.rows.iter().map(|row| String::from_utf8_lossy(row)).collect();
        format!("{} {}", rows.join("/"), char::from(self.to_move))
    }

    /// Returns the text of the image that the file contains.
    fn folded(&self, images: u32) -> String {
        let mut mirrored = self.clone();
        mirrored.rows.iter_mut().for_each(|row| row.reverse());
        if images == 1 { self.text() } else { self.text().min(mirrored.text()) }
    }

    fn moves(&self) -> Vec<(Square, Square)> {
        let size = self.rows.len();
        let mut moves = Vec::new();
        for (row, column) in (0..size * size).map(|i| (i / size, i % size)) {
            // The farthest row has no row ahead.
            let ahead = if self.to_move == WHITE { row.wrapping_sub(1) } else { row + 1 };
            if self.rows[row][column] != self.to_move || ahead >= size {
                continue;
            }
            for to in [column.wrapping_sub(1), column, column + 1].into_iter().filter(|&to| to < size) {
                let target = self.rows[ahead][to];
                if target == EMPTY || target == other(self.to_move) && to != column {
                    moves.push(((row, column), (ahead, to)));
                }
            }
        }
        moves
    }

    /// Returns a move as text, such as `a2-a3` or, if it is a capture, `a2xb3`.
    fn name(&self, (from, to): (Square, Square)) -> String {
        let square = |(row, column): Square| format!("{}{}", char::from(b'a' + column as u8), self.rows.len() - row);
        let sign = if self.rows[to.0][to.1] == EMPTY { '-' } else { 'x' };
        format!("{}{sign}{}", square(from), square(to))
    }

    fn play(&self, (from, to): (Square, Square)) -> Self {
        let mut after = self.clone();
        after.rows[from.0][from.1] = EMPTY;
        after.rows[to.0][to.1] = self.to_move;
        after.to_move = other(self.to_move);
        after
    }

    fn has_won(&self, side: u8) -> bool {
        let last = if side == WHITE { 0 } else { self.rows.len() - 1 };
        self.rows[last].contains(&side) || !self.rows.iter().any(|row| row.contains(&other(side)))
    }

    fn is_over(&self) -> bool {
        self.has_won(WHITE) || self.has_won(BLACK)
    }
}

/// Counts of a checked certificate.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) steps: usize,
    pub(crate) replies: u64,
    pub(crate) wins: u64,
    pub(crate) rank: u32,
    pub(crate) hash: String,
}

/// The content of a file.
struct Strategy<'a> {
    winner: u8,
    images: u32,
    /// Move and rank by position.
    steps: BTreeMap<&'a str, (&'a str, u32)>,
}

/// Checks a certificate.
///
/// # Errors
/// Returns the reason why the certificate proves nothing.
pub(crate) fn check(file: &[u8]) -> Result<Counts, String> {
    let cut = file.len().checked_sub("sha256 \n".len() + 64).ok_or("the file is too short")?;
    let (body, last) = file.split_at(cut);
    let hash = sha256(body).iter().fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"));
    if last != format!("sha256 {hash}\n").as_bytes() {
        return Err("the hash does not match".into());
    }
    let text = std::str::from_utf8(body).map_err(|_| "the file is no text")?;
    let mut lines = text.strip_suffix('\n').ok_or("the last line is incomplete")?.split('\n');
    let head = lines.next().and_then(|line| line.strip_prefix("plyhouse-win 1 breakthrough "));
    let words: Vec<&str> = head.ok_or("not a certificate of Breakthrough")?.splitn(4, ' ').collect();
    let [side, images, steps, start] = words[..] else { return Err("the first line is too short".into()) };
    let winner = *[("first", WHITE), ("second", BLACK)].iter().find(|(name, _)| *name == side).ok_or("no winner")?;
    let images = number(images).filter(|images| [1, 2].contains(images)).ok_or("no number of images")?;
    let mut content = Strategy { winner: winner.1, images, steps: BTreeMap::new() };
    for line in lines {
        let parts: Vec<&str> = line.split('\t').collect();
        let [position, m, rank] = parts[..] else { return Err(format!("no step: {line}")) };
        let rank = number(rank).filter(|&rank| rank > 0).ok_or_else(|| format!("no rank: {line}"))?;
        if content.steps.last_key_value().is_some_and(|(last, _)| *last >= position) {
            return Err(format!("not sorted: {line}"));
        }
        content.steps.insert(position, (m, rank));
    }
    if steps != content.steps.len().to_string() {
        return Err("the number of steps is wrong".into());
    }
    let mut counts = Counts { steps: content.steps.len(), hash, ..Counts::default() };
    content.check(start, &mut counts)?;
    Ok(counts)
}

/// Parses a number that is written in the usual way, without a sign or leading zeros.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

impl Strategy<'_> {
    fn check(&self, start: &str, counts: &mut Counts) -> Result<(), String> {
        let start = Position::parse(start).filter(|p| !p.is_over()).ok_or("the first position is wrong")?;
        counts.rank = if start.to_move == self.winner {
            self.rank(&start).ok_or("the first position has no step")?
        } else {
            self.check_replies(&start, u32::MAX, counts)?
        };
        for (text, (name, rank)) in &self.steps {
            let wrong = |reason: &str| format!("{text}: {reason}");
            let p = Position::parse(text).filter(|p| p.folded(self.images) == *text && !p.is_over());
            let p = p.filter(|p| p.to_move == self.winner).ok_or_else(|| wrong("not a position of a step"))?;
            let m =
                p.moves().into_iter().find(|&m| p.name(m) == *name).ok_or_else(|| wrong("the move is not legal"))?;
            let after = p.play(m);
            if !after.has_won(self.winner) {
                self.check_replies(&after, *rank, counts).map_err(|reason| wrong(&reason))?;
            }
        }
        Ok(())
    }

    /// Checks all replies of the other side. Returns the maximum rank that can follow. It must be smaller than `rank`.
    fn check_replies(&self, p: &Position, rank: u32, counts: &mut Counts) -> Result<u32, String> {
        let mut most = 0;
        for m in p.moves() {
            counts.replies += 1;
            let after = p.play(m);
            if after.has_won(other(self.winner)) {
                return Err(format!("the other side wins by {}", p.name(m)));
            }
            match self.rank(&after) {
                _ if after.has_won(self.winner) => counts.wins += 1,
                Some(next) if next < rank => most = most.max(next),
                Some(_) => return Err(format!("the rank does not decrease after {}", p.name(m))),
                None if after.moves().into_iter().any(|m| after.play(m).has_won(self.winner)) => counts.wins += 1,
                None => return Err(format!("no step follows {}", p.name(m))),
            }
        }
        Ok(most)
    }

    /// Returns the rank of a position's step.
    fn rank(&self, p: &Position) -> Option<u32> {
        self.steps.get(p.folded(self.images).as_str()).map(|&(_, rank)| rank)
    }
}

/// Computes SHA-256 (FIPS 180-4). Its constants are the first 32 bits of the fractional parts of roots of the first 64
/// primes.
fn sha256(bytes: &[u8]) -> [u8; 32] {
    let primes: Vec<u128> = (2..312_u128).filter(|n| (2..*n).all(|divisor| n % divisor != 0)).collect();
    // The largest integer whose power is at most the prime times 2^(32 · power) is the root in units of 2⁻³². Its low
    // 32 bits are the fractional part.
    let root = |prime: u128, power: u32| {
        let of = prime << (32 * power);
        let bits = (0..36).rev().fold(0_u128, |root, bit| {
            let more = root | 1 << bit;
            if more.pow(power) <= of { more } else { root }
        });
        bits as u32
    };
    let constants: Vec<u32> = primes.iter().map(|&prime| root(prime, 3)).collect();
    let mut state: Vec<u32> = primes[..8].iter().map(|&prime| root(prime, 2)).collect();
    let mut padded = [bytes, &[0x80]].concat();
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((8 * bytes.len() as u64).to_be_bytes());
    for block in padded.chunks(64) {
        let mut words: Vec<u32> = Vec::with_capacity(64);
        words.extend(block.chunks(4).map(|four| four.iter().fold(0, |word, &byte| word << 8 | u32::from(byte))));
        for i in 16..64 {
            let (early, late) = (words[i - 15], words[i - 2]);
            let early = early.rotate_right(7) ^ early.rotate_right(18) ^ early >> 3;
            let late = late.rotate_right(17) ^ late.rotate_right(19) ^ late >> 10;
            words.push(words[i - 16].wrapping_add(early).wrapping_add(words[i - 7]).wrapping_add(late));
        }
        let mut s = state.clone();
        for (word, constant) in words.iter().zip(&constants) {
            let (a, e) = (s[0], s[4]);
            let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = e & s[5] ^ !e & s[6];
            let first = [sum, choice, *constant, *word].into_iter().fold(s[7], u32::wrapping_add);
            let majority = a & s[1] ^ a & s[2] ^ s[1] & s[2];
            let second = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(majority);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(first);
            s[0] = first.wrapping_add(second);
        }
        state = state.iter().zip(&s).map(|(old, new)| old.wrapping_add(*new)).collect();
    }
    let mut hash = [0; 32];
    hash.iter_mut().zip(state.iter().flat_map(|word| word.to_be_bytes())).for_each(|(to, byte)| *to = byte);
    hash
}

fn main() -> Result<(), String> {
    let path = std::env::args_os().nth(1).ok_or("expected the name of a certificate")?;
    let file = std::fs::read(&path).map_err(|error| error.to_string())?;
    let Counts { steps, replies, wins, rank, hash } = check(&file)?;
    println!("{steps} steps, {replies} replies, {wins} wins at once, rank {rank}, sha256 {hash}");
    Ok(())
}
