//! Checks a certificate that Black wins Lines of Action on 4×4, 5×5 or 6×6, or does not lose. This file uses only the
//! standard library, so that it is short enough to be read completely and can be compiled with
//! `rustc --edition 2024 -O check_certificate.rs`.
//!
//! Rules. A piece moves along a file, rank or diagonal exactly as many squares as there are pieces of both colours on
//! that whole line. It may jump over its own pieces, but not over enemy pieces. It may not land on its own piece;
//! landing on an enemy piece captures it. A side whose pieces are all connected, over the eight neighbours, has won. A
//! single piece is connected; a side without pieces is not. If a move connects both sides, the side that moved wins. A
//! side without a move loses.
//!
//! File. A line `plyhouse-certificate 1 loa RECORDS POSITION`, the records, and the SHA-256 of all preceding bytes. A
//! record has twelve bytes in three little-endian parts: eight for a position with Black to move, two for Black's move
//! (origin square, plus 64 times the target; square = file + 8 · rank, counted from zero), two for the record's rank
//! (see below). A position is twice a base-three number, plus one if White is to move. The lowest digit is a1, then b1,
//! …: 0 empty, 1 Black, 2 White. Of the eight images of a position under rotations and reflections, the file contains
//! the one with the smallest set of black squares as a binary number (lowest bit a1, then b1, …), and among equal ones
//! the one with the smallest set of white squares.
//!
//! Checks. The records are in increasing order. Each contains a legal move of an undecided position. After each reply
//! of White, Black has won, or the position has a record with a smaller rank, or Black wins with the next move. Ranks
//! decrease, so every game in which Black plays by the records ends with a win for Black. The first position has a
//! record or is won with the next move. If White is to move there, the condition on replies applies instead. After a
//! record with the rank 65535, records of any rank may follow: Black does not lose, but the game may go on forever. If
//! the first position has this rank, the certificate claims no win.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

/// The rank of a record that claims no win.
const HELD: u16 = u16::MAX;

const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;

const DIRECTIONS: [(isize, isize); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

#[derive(Clone, Copy)]
struct Position {
    size: usize,
    /// Contents of the squares, by rank, then by file. Squares outside the board stay empty.
    cells: [[u8; 6]; 6],
    to_move: u8,
}

/// The rank and the file of a square, counted from zero.
type Square = (usize, usize);

fn other(side: u8) -> u8 {
    BLACK + WHITE - side
}

impl Position {
    /// Parses rows from the top, such as `-bb-/w--w/w--w/-bb- b`.
    fn parse(text: &str) -> Option<Self> {
        let (board, turn) = text.split_once(' ')?;
        let rows: Vec<&str> = board.split('/').collect();
        let to_move = if turn == "b" { BLACK } else { WHITE };
        let mut p = Self { size: rows.len(), cells: [[EMPTY; 6]; 6], to_move };
        if !(4..=6).contains(&p.size) || !["b", "w"].contains(&turn) || rows.iter().any(|row| row.len() != p.size) {
            return None;
        }
        for (row, text) in rows.iter().rev().enumerate() {
            for (file, letter) in text.bytes().enumerate() {
                p.cells[row][file] = "-bw".bytes().position(|known| known == letter)? as u8;
            }
        }
        Some(p)
    }

    /// Decodes a position of the file.
    fn decode(code: u64, size: usize) -> Option<Self> {
        let to_move = if code & 1 == 0 { BLACK } else { WHITE };
        let mut p = Self { size, cells: [[EMPTY; 6]; 6], to_move };
        let mut digits = code >> 1;
        for (rank, file) in p.squares() {
            p.cells[rank][file] = (digits % 3) as u8;
            digits /= 3;
        }
        (digits == 0 && p.code() == code).then_some(p)
    }

    /// Returns the code of this position, which its images share.
    fn code(&self) -> u64 {
        let last = self.size - 1;
        let images = (0..8).map(|image| {
            let (mut black, mut white, mut digits) = (0_u64, 0_u64, 0_u64);
            for (rank, file) in self.squares().rev() {
                let (mut from, mut to) = if image & 1 == 0 { (rank, file) } else { (file, rank) };
                from = if image & 2 == 0 { from } else { last - from };
                to = if image & 4 == 0 { to } else { last - to };
                let cell = self.cells[from][to];
                black = 2 * black + u64::from(cell == BLACK);
                white = 2 * white + u64::from(cell == WHITE);
                digits = 3 * digits + u64::from(cell);
            }
            (black, white, digits)
        });
        let digits = images.min().map_or(0, |(_, _, digits)| digits);
        2 * digits + u64::from(self.to_move == WHITE)
    }

    /// Returns all squares: a1, b1, …
    fn squares(&self) -> impl DoubleEndedIterator<Item = Square> + use<> {
        let size = self.size;
        (0..size * size).map(move |i| (i / size, i % size))
    }

    /// Returns the square `steps` steps away, if it is on the board.
    fn step(&self, from: Square, direction: (isize, isize), steps: usize) -> Option<Square> {
        let steps = steps as isize;
        let rank = from.0.checked_add_signed(steps * direction.0)?;
        let file = from.1.checked_add_signed(steps * direction.1)?;
        (rank < self.size && file < self.size).then_some((rank, file))
    }

    fn at(&self, (rank, file): Square) -> u8 {
        self.cells[rank][file]
    }

    /// Returns the squares from `from` to the edge, without `from`.
    fn ray(&self, from: Square, direction: (isize, isize)) -> impl Iterator<Item = Square> {
        (1..self.size).map_while(move |steps| self.step(from, direction, steps))
    }

    /// Returns all moves of the side to move.
    fn moves(&self) -> Vec<(Square, Square)> {
        let mut moves = Vec::new();
        for from in self.squares().filter(|&square| self.at(square) == self.to_move) {
            for (up, right) in DIRECTIONS {
                let line = self.ray(from, (up, right)).chain(self.ray(from, (-up, -right)));
                let pieces = 1 + line.filter(|&square| self.at(square) != EMPTY).count();
                let Some(to) = self.step(from, (up, right), pieces) else { continue };
                let passed = self.ray(from, (up, right)).take(pieces - 1);
                let blocked = passed.into_iter().any(|square| self.at(square) == other(self.to_move));
                if !blocked && self.at(to) != self.to_move {
                    moves.push((from, to));
                }
            }
        }
        moves
    }

    fn play(mut self, (from, to): (Square, Square)) -> Self {
        self.cells[from.0][from.1] = EMPTY;
        self.cells[to.0][to.1] = self.to_move;
        self.to_move = other(self.to_move);
        self
    }

    fn children(self) -> impl Iterator<Item = Self> {
        self.moves().into_iter().map(move |m| self.play(m))
    }

    fn connected(&self, side: u8) -> bool {
        let Some(first) = self.squares().find(|&square| self.at(square) == side) else { return false };
        let mut reached = vec![first];
        let mut next = 0;
        while let Some(&square) = reached.get(next) {
            next += 1;
            for neighbour in DIRECTIONS.iter().filter_map(|&direction| self.step(square, direction, 1)) {
                if self.at(neighbour) == side && !reached.contains(&neighbour) {
                    reached.push(neighbour);
                }
            }
        }
        reached.len() == self.squares().filter(|&square| self.at(square) == side).count()
    }

    /// Returns the winner, if the game is over. If both sides are connected, the side that has just moved wins.
    fn winner(&self) -> Option<u8> {
        let mover = other(self.to_move);
        let connected = [mover, self.to_move].into_iter().find(|&side| self.connected(side));
        connected.or_else(|| self.moves().is_empty().then_some(mover))
    }

    /// Returns `true` if the side to move wins with its next move.
    fn wins_at_once(&self) -> bool {
        self.children().any(|child| child.winner() == Some(self.to_move))
    }
}

/// A record: position, move, rank.
type Record = (u64, u16, u16);

/// The results of a check; `plyhouse verify` prints the same numbers. `wins` are replies after which Black has won or
/// wins with the next move. `rank` is that of the first position. `hash` is that of the file without its last 32 bytes.
#[derive(Debug)]
pub(crate) struct Counts {
    pub(crate) records: u64,
    pub(crate) replies: u64,
    pub(crate) wins: u64,
    pub(crate) rank: u16,
    pub(crate) hash: String,
}

/// Checks a file. The error contains the reason.
pub(crate) fn check(file: &[u8]) -> Result<Counts, String> {
    let line = file.split(|&byte| byte == b'\n').next().and_then(|line| std::str::from_utf8(line).ok());
    let line = line.and_then(|line| line.strip_prefix("plyhouse-certificate 1 loa ")).ok_or("not a certificate")?;
    let (number, text) = line.split_once(' ').ok_or("a first line without a position")?;
    let start = Position::parse(text).ok_or("a first line without a position")?;
    let begin = 1 + file.iter().position(|&byte| byte == b'\n').ok_or("the first line does not end")?;
    let end = file.len().checked_sub(32).filter(|&end| end >= begin).ok_or("no hash")?;
    let hash = sha256(&file[..end]);
    if file[end..] != hash {
        return Err("another hash".into());
    }
    let records: Vec<Record> = file[begin..end].chunks(12).map(record).collect();
    if (end - begin) % 12 != 0 || records.len().to_string() != number {
        return Err("the number of records differs from the first line".into());
    }
    if !records.is_sorted_by(|a, b| a.0 < b.0) {
        return Err("records are not in order".into());
    }
    let hash = hash.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let mut counts = Counts { records: records.len() as u64, replies: 0, wins: 0, rank: 0, hash };
    for &(code, packed, rank) in &records {
        let wrong = |reason: &str| format!("the record of position {code}: {reason}");
        let p = Position::decode(code, start.size).ok_or_else(|| wrong("not the standard image of a position"))?;
        if p.to_move == WHITE || p.winner().is_some() || rank == 0 {
            return Err(wrong("the game is over, White is to move, or the rank is zero"));
        }
        let square = |index: u16| (usize::from(index / 8), usize::from(index % 8));
        let m = (square(packed % 64), square(packed / 64));
        if !p.moves().contains(&m) {
            return Err(wrong("an illegal move"));
        }
        let after = p.play(m);
        match after.winner() {
            Some(BLACK) => (),
            Some(_) => return Err(wrong("a losing move")),
            None => drop(check_replies(&after, rank, &records, &mut counts).map_err(|reason| wrong(&reason))?),
        }
    }
    if start.winner().is_some() {
        return Err("the game is over at the first position".into());
    }
    counts.rank = match start.to_move {
        WHITE => check_replies(&start, HELD, &records, &mut counts)?.saturating_add(1),
        _ => match find(&records, start.code()) {
            Some(rank) => rank,
            None if start.wins_at_once() => 0,
            None => return Err("the first position has no record".into()),
        },
    };
    Ok(counts)
}

/// Checks all replies of White. Returns the maximum rank that can follow. It must be smaller than `rank`, unless `rank`
/// is [`HELD`].
fn check_replies(p: &Position, rank: u16, records: &[Record], counts: &mut Counts) -> Result<u16, String> {
    let mut most = 0;
    for child in p.children() {
        counts.replies += 1;
        match (child.winner(), find(records, child.code())) {
            (Some(BLACK), _) => counts.wins += 1,
            (Some(_), _) => return Err("White can win".into()),
            (None, Some(next)) if rank < HELD && next >= rank => {
                return Err("the rank does not decrease".into());
            }
            (None, Some(next)) => most = most.max(next),
            (None, None) if child.wins_at_once() => counts.wins += 1,
            (None, None) => return Err(format!("position {} can follow and has no record", child.code())),
        }
    }
    Ok(most)
}

/// Returns the rank of a position's record.
fn find(records: &[Record], code: u64) -> Option<u16> {
    records.binary_search_by_key(&code, |record| record.0).ok().map(|i| records[i].2)
}

fn record(bytes: &[u8]) -> Record {
    let number = |part: &[u8]| part.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let at = |from: usize, to: usize| number(bytes.get(from..to).unwrap_or_default());
    (at(0, 8), at(8, 10) as u16, at(10, 12) as u16)
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
    let Counts { records, replies, wins, rank, hash } = check(&file)?;
    let claim = if rank == HELD { "Black does not lose".to_owned() } else { format!("Black wins, rank {rank}") };
    println!("{claim}: {records} records, {replies} replies, {wins} wins at once, sha256 {hash}");
    Ok(())
}
