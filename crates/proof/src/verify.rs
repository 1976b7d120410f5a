//! Checks a certificate record by record, by the slow rules of `reference` only: without search, without positions of
//! `loa`, and with a second implementation of codes.

use std::io::{self, BufReader, Read};

use reference::loa::Loa;
use reference::{Model as _, Side};
use search::{Threads, side_by_side};
use sha2::{Digest, Sha256};

use crate::certificate::{CertificateError, Header, RECORD, Record, check_end, fill};
use crate::code::Code;

/// What a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Text of the position that Black wins from.
    pub position: String,
    /// Records, each with one move of Black.
    pub records: u64,
    /// White's replies to them.
    pub replies: u64,
    /// Replies after which Black has won or wins immediately.
    pub wins: u64,
    /// The rank of that position. If White is to move there, one more than the largest rank that can follow.
    pub rank: u16,
    /// SHA-256 of the file without its last 32 bytes, which hold this hash.
    pub hash: String,
}

/// Opens a certificate at its beginning.
pub type Open<'a> = &'a dyn Fn() -> io::Result<Box<dyn Read + 'a>>;

/// Threads that share the work.
#[derive(Clone, Copy, Debug)]
pub struct Team<'a> {
    /// How many jobs run at the same time.
    pub size: usize,
    /// The threads that the jobs run on.
    pub threads: &'a dyn Threads,
}

/// Records that are checked together. Each piece of them takes one more reading of the file. Guessed.
const BATCH: usize = 1 << 17;
/// Records whose replies are in memory at the same time. Guessed.
const PIECE: usize = 1 << 14;

/// Checks a certificate. The position that it is about must have a record; if White is to move there, every reply must
/// be won instead. After each record's move, every reply of White must leave Black an immediate win or a position whose
/// record has a smaller rank. The memory does not grow with the number of records, because the file is read several
/// times: `open` opens it again for each reading. `progress` is called with the number of checked records and of all
/// records.
///
/// # Errors
/// If it cannot be read, is not a certificate, or makes a false claim.
pub fn verify(
    open: Open<'_>,
    team: Team<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verified, CertificateError> {
    let header = begin(open)?.1;
    let hash = check_hash(open)?;
    let start = Loa::parse(&header.position).ok_or_else(|| CertificateError::Header(header.position.clone()))?;
    let size = header.size();
    let mut verified = Verified { position: header.position, hash, ..Verified::default() };
    let (mut input, _) = begin(open)?;
    let (mut last, mut rank) = (None, 0);
    while verified.records < header.records {
        let first = verified.records;
        let batch = read_batch(&mut input, header.records - first)?;
        for (i, record) in (first + 1..).zip(&batch) {
            if last.is_some_and(|last| last >= record.code) {
                return Err(refused(i, "not sorted by position"));
            }
            last = Some(record.code);
            if record.code == code(&start) {
                rank = record.rank;
            }
        }
        check_batch(open, size, first, &batch, team, &mut verified)?;
        verified.records += batch.len() as u64;
        progress(verified.records, header.records);
    }
    if start.to_move() == Side::Second {
        rank = check_root(open, &start, &mut verified)?;
    }
    verified.rank = rank;
    if rank == 0 { Err(CertificateError::NoStart) } else { Ok(verified) }
}

/// Checks a certificate's position with White to move: every reply must be won.
fn check_root(open: Open<'_>, start: &Loa, verified: &mut Verified) -> Result<u16, CertificateError> {
    if start.winner().is_some() {
        return Err(CertificateError::NoStart);
    }
    let mut found = Found::default();
    replies(start, u16::MAX, 0, &mut found).map_err(|reply| refused(0, format!("White wins by {reply}")))?;
    found.needs.sort_by_key(|need| need.code);
    let (unknown, most) = look_up(open, found.needs)?;
    unknown.iter().try_for_each(wins_next)?;
    verified.replies += found.replies;
    verified.wins += found.wins + unknown.len() as u64;
    Ok(most + 1)
}

fn refused(number: u64, reason: impl Into<String>) -> CertificateError {
    CertificateError::Record { number, reason: reason.into() }
}

/// A certificate that is being read.
type Input<'a> = BufReader<Box<dyn Read + 'a>>;

/// Opens the certificate and reads its header; what follows are its records.
fn begin(open: Open<'_>) -> Result<(Input<'_>, Header), CertificateError> {
    let mut input = BufReader::with_capacity(1 << 16, open()?);
    let header = Header::read(&mut input)?;
    Ok((input, header))
}

fn check_hash(open: Open<'_>) -> Result<String, CertificateError> {
    let (mut input, header) = begin(open)?;
    let length = header.records.checked_mul(RECORD as u64).ok_or(CertificateError::Length(header.records))?;
    let mut hash = Sha256::new();
    hash.update(header.line().as_bytes());
    let mut left = length;
    let mut buffer = [0; 1 << 12];
    while left > 0 {
        let part = &mut buffer[..left.min(1 << 12) as usize];
        fill(&mut input, part, header.records)?;
        hash.update(&*part);
        left -= part.len() as u64;
    }
    check_end(&mut input, hash, header.records)
}

fn read_batch(input: &mut Input<'_>, left: u64) -> io::Result<Vec<Record>> {
    let mut batch = Vec::with_capacity(BATCH.min(left as usize));
    let mut bytes = [0; RECORD];
    while batch.len() < BATCH && (batch.len() as u64) < left {
        input.read_exact(&mut bytes)?;
        batch.push(Record::from_bytes(&bytes));
    }
    Ok(batch)
}

/// A position after a reply in which Black has not won yet: it needs a record or an immediate win.
struct Need {
    code: Code,
    /// The rank of the record that leads to it.
    rank: u16,
    /// The number of that record.
    number: u64,
    position: Loa,
}

/// What a thread has found.
#[derive(Default)]
struct Found {
    replies: u64,
    wins: u64,
    needs: Vec<Need>,
}

fn check_batch(
    open: Open<'_>,
    size: usize,
    first: u64,
    batch: &[Record],
    team: Team<'_>,
    verified: &mut Verified,
) -> Result<(), CertificateError> {
    for (i, piece) in batch.chunks(PIECE).enumerate() {
        let first = first + (i * PIECE) as u64;
        let found = in_parallel(piece, team, |at, records| follow(size, first + 1 + at as u64, records))?;
        let mut needs = Vec::new();
        for part in found {
            verified.replies += part.replies;
            verified.wins += part.wins;
            needs.extend(part.needs);
        }
        needs.sort_by_key(|need| need.code);
        let (unknown, _) = look_up(open, needs)?;
        in_parallel(&unknown, team, |_, needs| needs.iter().try_for_each(wins_next))?;
        verified.wins += unknown.len() as u64;
    }
    Ok(())
}

/// Cuts a slice into one piece for each job; `work` gets the index where its piece begins, and the piece.
fn in_parallel<T: Sync, R: Send>(
    all: &[T],
    team: Team<'_>,
    work: impl Fn(usize, &[T]) -> Result<R, CertificateError> + Sync,
) -> Result<Vec<R>, CertificateError> {
    let size = all.len().div_ceil(team.size.max(1)).max(1);
    let pieces: Vec<&[T]> = all.chunks(size).collect();
    side_by_side(team.threads, pieces.len(), |i| work(i * size, pieces[i])).into_iter().collect()
}

/// Plays each record's move and every reply.
fn follow(size: usize, first: u64, records: &[Record]) -> Result<Found, CertificateError> {
    let mut found = Found::default();
    for (number, record) in (first..).zip(records) {
        let p = position(record.code, size).ok_or_else(|| refused(number, "not a position as its symmetries stand"))?;
        if p.to_move() != Side::First || p.winner().is_some() || record.rank == 0 {
            return Err(refused(number, format!("{} has no step of Black with a rank", p.text())));
        }
        let name = record.move_name();
        let after = p.play(&name).ok_or_else(|| refused(number, format!("{name} is no move in {}", p.text())))?;
        match after.winner() {
            Some(Side::First) => continue,
            Some(Side::Second) => return Err(refused(number, format!("{name} in {} loses", p.text()))),
            None => (),
        }
        replies(&after, record.rank, number, &mut found)
            .map_err(|reply| refused(number, format!("White wins by {reply} after {name} in {}", p.text())))?;
    }
    Ok(found)
}

/// Plays every reply of White; the error is one that wins.
fn replies(p: &Loa, rank: u16, number: u64, found: &mut Found) -> Result<(), String> {
    for (reply, position) in p.children() {
        found.replies += 1;
        match position.winner() {
            Some(Side::First) => found.wins += 1,
            Some(Side::Second) => return Err(reply),
            None => found.needs.push(Need { code: code(&position), rank, number, position }),
        }
    }
    Ok(())
}

/// Looks up all positions in one reading of the file. Returns those without a record, and the largest rank of the
/// others.
fn look_up(open: Open<'_>, needs: Vec<Need>) -> Result<(Vec<Need>, u16), CertificateError> {
    let (mut input, header) = begin(open)?;
    let mut records = (0..header.records).map(|_| {
        let mut bytes = [0; RECORD];
        input.read_exact(&mut bytes).map(|()| Record::from_bytes(&bytes))
    });
    let mut here: Option<Record> = None;
    let (mut unknown, mut most) = (Vec::new(), 0);
    for need in needs {
        while here.is_none_or(|record| record.code < need.code) {
            match records.next() {
                None => break,
                Some(record) => here = Some(record?),
            }
        }
        match here.filter(|record| record.code == need.code) {
            Some(record) if record.rank < need.rank => most = most.max(record.rank),
            Some(record) => {
                let reason = format!("rank {} leads to rank {} in {}", need.rank, record.rank, need.position.text());
                return Err(refused(need.number, reason));
            }
            None => unknown.push(need),
        }
    }
    Ok((unknown, most))
}

/// Checks that Black wins with the next move.
fn wins_next(need: &Need) -> Result<(), CertificateError> {
    let won = need.position.children().iter().any(|(_, p)| p.winner() == Some(Side::First));
    let reason = || format!("leads to {}, where Black has neither a win at once nor a record", need.position.text());
    if won { Ok(()) } else { Err(refused(need.number, reason())) }
}

/// The code of a position, computed slowly: the base-three number of one of its eight images. That image is the one
/// whose black squares make the smallest number; among equal ones, its white squares do.
fn code(p: &Loa) -> Code {
    let size = p.rows().len();
    let images = (0..8).map(|symmetry| {
        let at = |rank: usize, file: usize| {
            let (rank, file) = if symmetry & 1 == 0 { (rank, file) } else { (file, rank) };
            let rank = if symmetry & 2 == 0 { rank } else { size - 1 - rank };
            let file = if symmetry & 4 == 0 { file } else { size - 1 - file };
            p.rows()[size - 1 - rank][file]
        };
        let squares = (0..size).rev().flat_map(|rank| (0..size).rev().map(move |file| (rank, file)));
        let (mut black, mut white, mut digits) = (0_u64, 0_u64, 0_u64);
        for (rank, file) in squares {
            let piece = at(rank, file);
            black = 2 * black + u64::from(piece == Some(Side::First));
            white = 2 * white + u64::from(piece == Some(Side::Second));
            digits = 3 * digits + piece.map_or(0, |side| if side == Side::First { 1 } else { 2 });
        }
        (black, white, digits)
    });
    let (_, _, digits) = images.min().unwrap_or_default();
    Code(2 * digits + u64::from(p.to_move() == Side::Second))
}

/// The standard position of a code.
fn position(wanted: Code, size: usize) -> Option<Loa> {
    let mut rows = vec![String::new(); size];
    let mut digits = wanted.0 >> 1;
    for rank in 0..size {
        for _ in 0..size {
            rows[size - 1 - rank].push(['-', 'b', 'w'][(digits % 3) as usize]);
            digits /= 3;
        }
    }
    let turn = if wanted.0 & 1 == 0 { "b" } else { "w" };
    let p = Loa::parse(&format!("{} {turn}", rows.join("/")))?;
    (digits == 0 && code(&p) == wanted).then_some(p)
}
