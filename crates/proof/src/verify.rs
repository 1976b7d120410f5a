//! Checking a certificate record by record, by the rules of `model` alone: no search, no position of `loa`, no folding of ours.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

use reference::loa::Loa;
use reference::{Model as _, Player};
use sha2::{Digest, Sha256};

use crate::certificate::{CertificateError, Header, RECORD, Record, check_end};
use crate::fold::Code;

/// What was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Text of the position that Black wins from.
    pub position: String,
    /// Records, each with one move of Black.
    pub records: u64,
    /// White's replies to them.
    pub replies: u64,
    /// Replies after which Black has won or wins at once.
    pub wins: u64,
    /// Its rank; if White is to move there, one more than the largest that can follow.
    pub rank: u16,
    /// SHA-256 of the file but for its last 32 bytes, which hold it.
    pub hash: String,
}

/// Records that are checked in one go; for each the file is read once more.
const BATCH: usize = 1 << 17;

/// Checks a certificate: that the position it is about has a record, and that each record's move leaves after every reply of White
/// an immediate win of Black or a position whose record has a smaller rank. Memory does not depend on the number of records.
/// `progress` is told how many of all records were checked.
///
/// # Errors
/// If it is none, or says something that is not so.
pub fn verify(path: &Path, threads: usize, progress: &mut dyn FnMut(u64, u64)) -> Result<Verified, CertificateError> {
    let header = open(path)?.1;
    let hash = check_hash(path)?;
    let start = Loa::parse(&header.position).ok_or_else(|| CertificateError::Header(header.position.clone()))?;
    let size = header.size();
    let mut verified = Verified { position: header.position, hash, ..Verified::default() };
    let (mut input, _) = open(path)?;
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
        check_batch(path, size, first, &batch, threads, &mut verified)?;
        verified.records += batch.len() as u64;
        progress(verified.records, header.records);
    }
    if start.to_move() == Player::Second {
        rank = check_root(path, &start, &mut verified)?;
    }
    verified.rank = rank;
    if rank == 0 { Err(CertificateError::NoStart) } else { Ok(verified) }
}

/// A position in which White is to move: every reply must be won.
fn check_root(path: &Path, start: &Loa, verified: &mut Verified) -> Result<u16, CertificateError> {
    if start.winner().is_some() {
        return Err(CertificateError::NoStart);
    }
    let mut found = Found::default();
    replies(start, u16::MAX, 0, &mut found).map_err(|reply| refused(0, format!("White wins by {reply}")))?;
    found.needs.sort_by_key(|need| need.code);
    let (unknown, most) = look_up(path, found.needs)?;
    unknown.iter().try_for_each(wins_next)?;
    verified.replies += found.replies;
    verified.wins += found.wins + unknown.len() as u64;
    Ok(most + 1)
}

fn refused(number: u64, reason: impl Into<String>) -> CertificateError {
    CertificateError::Record { number, reason: reason.into() }
}

fn open(path: &Path) -> Result<(BufReader<File>, Header), CertificateError> {
    let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
    let header = Header::read(&mut input)?;
    Ok((input, header))
}

fn check_hash(path: &Path) -> Result<String, CertificateError> {
    let (mut input, header) = open(path)?;
    let length = header.records.checked_mul(RECORD as u64).ok_or(CertificateError::Length(header.records))?;
    let expected = header.line().len() as u64 + length + 32;
    if input.get_ref().metadata()?.len() != expected {
        return Err(CertificateError::Length(header.records));
    }
    let mut hash = Sha256::new();
    hash.update(header.line().as_bytes());
    let mut left = length;
    let mut buffer = [0; 1 << 12];
    while left > 0 {
        let part = &mut buffer[..left.min(1 << 12) as usize];
        input.read_exact(part)?;
        hash.update(&*part);
        left -= part.len() as u64;
    }
    check_end(&mut input, hash, header.records)
}

fn read_batch(input: &mut BufReader<File>, left: u64) -> io::Result<Vec<Record>> {
    let mut batch = Vec::with_capacity(BATCH.min(left as usize));
    let mut bytes = [0; RECORD];
    while batch.len() < BATCH && (batch.len() as u64) < left {
        input.read_exact(&mut bytes)?;
        batch.push(Record::from_bytes(&bytes));
    }
    Ok(batch)
}

/// A position after a reply in which Black has not won yet.
struct Need {
    code: Code,
    /// Of the record that leads to it.
    rank: u16,
    number: u64,
    position: Loa,
}

/// What one thread has found out.
#[derive(Default)]
struct Found {
    replies: u64,
    wins: u64,
    needs: Vec<Need>,
}

fn check_batch(
    path: &Path,
    size: usize,
    first: u64,
    batch: &[Record],
    threads: usize,
    verified: &mut Verified,
) -> Result<(), CertificateError> {
    // Small pieces, so that few positions are held at a time.
    for (i, piece) in batch.chunks(1 << 14).enumerate() {
        let first = first + ((i as u64) << 14);
        let found = in_parallel(piece, threads, |at, records| follow(size, first + 1 + at as u64, records))?;
        let mut needs = Vec::new();
        for part in found {
            verified.replies += part.replies;
            verified.wins += part.wins;
            needs.extend(part.needs);
        }
        needs.sort_by_key(|need| need.code);
        let (unknown, _) = look_up(path, needs)?;
        in_parallel(&unknown, threads, |_, needs| needs.iter().try_for_each(wins_next))?;
        verified.wins += unknown.len() as u64;
    }
    Ok(())
}

/// Cuts a slice into as many pieces as there are threads; each is told where its piece begins.
fn in_parallel<T: Sync, R: Send>(
    all: &[T],
    threads: usize,
    work: impl Fn(usize, &[T]) -> Result<R, CertificateError> + Sync,
) -> Result<Vec<R>, CertificateError> {
    let size = all.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let pieces = all.chunks(size).enumerate();
        let running: Vec<_> = pieces
            .map(|(i, piece)| {
                scope.spawn({
                    let work = &work;
                    move || work(i * size, piece)
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().expect("invariant: the check does not panic")).collect()
    })
}

/// Plays each record's move and every reply.
fn follow(size: usize, first: u64, records: &[Record]) -> Result<Found, CertificateError> {
    let mut found = Found::default();
    for (number, record) in (first..).zip(records) {
        let p = position(record.code, size).ok_or_else(|| refused(number, "not a position as its symmetries stand"))?;
        if p.to_move() != Player::First || p.winner().is_some() || record.rank == 0 {
            return Err(refused(number, format!("{} has no step of Black with a rank", p.text())));
        }
        let name = record.move_name();
        let after = p.play(&name).ok_or_else(|| refused(number, format!("{name} is no move in {}", p.text())))?;
        match after.winner() {
            Some(Player::First) => continue,
            Some(Player::Second) => return Err(refused(number, format!("{name} in {} loses", p.text()))),
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
            Some(Player::First) => found.wins += 1,
            Some(Player::Second) => return Err(reply),
            None => found.needs.push(Need { code: code(&position), rank, number, position }),
        }
    }
    Ok(())
}

/// Looks all up in one reading of the file; what has no record comes back, with the largest rank of what has.
fn look_up(path: &Path, needs: Vec<Need>) -> Result<(Vec<Need>, u16), CertificateError> {
    let (mut input, header) = open(path)?;
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

/// Whether Black wins with his next move.
fn wins_next(need: &Need) -> Result<(), CertificateError> {
    let won = need.position.children().iter().any(|(_, p)| p.winner() == Some(Player::First));
    let reason = || format!("leads to {}, where Black has neither a win at once nor a record", need.position.text());
    if won { Ok(()) } else { Err(refused(need.number, reason())) }
}

/// The code of a position, computed slowly: of its eight images the one whose black squares make the smallest number, of
/// those with equal ones that whose white squares do, as a number in base three.
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
            black = 2 * black + u64::from(piece == Some(Player::First));
            white = 2 * white + u64::from(piece == Some(Player::Second));
            digits = 3 * digits + piece.map_or(0, |player| if player == Player::First { 1 } else { 2 });
        }
        (black, white, digits)
    });
    let (_, _, digits) = images.min().unwrap_or_default();
    Code(2 * digits + u64::from(p.to_move() == Player::Second))
}

/// The position that a code stands for.
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
