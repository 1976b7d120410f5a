//! Checker of certificates. It checks each record with the reference implementation of the rules. It does not search,
//! does not use positions of `loa`, and has its own implementation of codes.

use std::io::{self, BufReader, Read};

use reference::loa::Loa;
use reference::{Model as _, Side};
use search::{Threads, side_by_side};
use sha2::{Digest, Sha256};

use crate::certificate::{CertificateError, Header, RECORD, Record, check_end, fill};
use crate::code::Code;
use crate::details::{Details, Ends, Lines, Way};
use crate::plan::HELD;

/// The results of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Text of the position that Black wins from, or does not lose from.
    pub position: String,
    /// Number of records, each with one move of Black.
    pub records: u64,
    /// Number of White's replies to these moves, and in the certified position if White is to move there.
    pub replies: u64,
    /// Number of replies after which Black has won or wins immediately.
    pub wins: u64,
    /// Rank of the certified position; 0 if it has no record because Black wins there with the next move. With White to
    /// move, it is one more than the maximum rank that can follow. [`HELD`] if the certificate claims only that Black
    /// does not lose.
    pub rank: u16,
    /// SHA-256 of the file without its last 32 bytes, which contain this hash.
    pub hash: String,
}

/// A function that opens a certificate at its beginning. It must return the same bytes each time: a check has no
/// meaning if its file is replaced meanwhile.
pub type Open<'a> = &'a dyn Fn() -> io::Result<Box<dyn Read + 'a>>;

/// The threads of a check.
#[derive(Clone, Copy, Debug)]
pub struct Team<'a> {
    /// Number of jobs that run in parallel.
    pub size: usize,
    /// Threads that the jobs run on.
    pub threads: &'a dyn Threads,
}

/// Number of records in a batch, which is read at once. Each piece of [`PIECE`] records requires another pass over the
/// file. Guessed.
const BATCH: usize = 1 << 17;
/// Number of records whose replies are in memory at the same time. Guessed.
const PIECE: usize = 1 << 14;

/// Checks a certificate. The certified position must have a record, unless Black wins it with the next move. If White
/// is to move there, every reply must be won instead. After each record's move, every reply of White must leave Black
/// an immediate win or a position whose record has a smaller rank, or any rank if that of the record is [`HELD`].
///
/// The memory does not grow with the number of records, because the file is read several times: `open` opens it for
/// each pass. `progress` receives the number of checked records and the total number of records.
///
/// # Errors
/// Returns an error if the certificate cannot be read, is malformed, or makes a false claim.
pub fn verify(
    open: Open<'_>,
    team: Team<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verified, CertificateError> {
    check(open, team, progress, None)
}

/// Checks a certificate like [`verify`], and reports the length of Black's win and how the games end. This takes little
/// more time, but about 25 bytes of memory per record.
///
/// # Errors
/// Returns the errors of [`verify`].
pub fn verify_in_detail(
    open: Open<'_>,
    team: Team<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Verified, Details), CertificateError> {
    let mut lines = Lines::default();
    let verified = check(open, team, progress, Some(&mut lines))?;
    let details = lines.details();
    let plies = if verified.rank == HELD { 0 } else { details.plies };
    Ok((verified, Details { plies, ..details }))
}

fn check(
    open: Open<'_>,
    team: Team<'_>,
    progress: &mut dyn FnMut(u64, u64),
    mut lines: Option<&mut Lines>,
) -> Result<Verified, CertificateError> {
    let header = begin(open)?.1;
    let hash = check_hash(open)?;
    // Certificates are about the rules of the courses, in which no position is drawn.
    let start = Loa::parse(&header.position)
        .filter(|start| *start != start.mso())
        .ok_or_else(|| CertificateError::Position(header.position.clone()))?;
    let size = header.size();
    let mut verified = Verified { position: header.position, hash, ..Verified::default() };
    let (mut input, _) = begin(open)?;
    let start_code = code(&start);
    let (mut last, mut rank, mut start_number) = (None, 0, 0);
    while verified.records < header.records {
        let first = verified.records;
        let batch = read_batch(&mut input, header.records - first)?;
        for (i, record) in (first + 1..).zip(&batch) {
            if last.is_some_and(|last| last >= record.code) {
                return Err(refused(i, "not sorted by position"));
            }
            last = Some(record.code);
            if record.code == start_code {
                (rank, start_number) = (record.rank, i);
            }
        }
        if let Some(lines) = lines.as_deref_mut() {
            lines.begin(&batch);
        }
        for (i, piece) in batch.chunks(PIECE).enumerate() {
            let ends = check_piece(open, size, first + (i * PIECE) as u64 + 1, piece, team)?;
            verified.replies += ends.replies;
            verified.wins += ends.wins();
            if let Some(lines) = lines.as_deref_mut() {
                lines.add(ends);
            }
            verified.records += piece.len() as u64;
            progress(verified.records, header.records);
        }
    }
    if start.to_move() == Side::Second {
        let (root_rank, ends) = check_root(open, &start)?;
        rank = root_rank;
        verified.replies += ends.replies;
        verified.wins += ends.wins();
        if let Some(lines) = lines.as_deref_mut() {
            lines.add(ends);
        }
    }
    verified.rank = rank;
    let at_once = if rank == 0 && start.winner().is_none() { way_to_win(&start) } else { None };
    if rank == 0 && at_once.is_none() {
        return Err(CertificateError::NoStart);
    }
    if let Some(lines) = lines {
        lines.begin_at(start_number, start.to_move());
        if let Some(way) = at_once {
            lines.count(way);
        }
    }
    Ok(verified)
}

/// Checks a certified position with White to move: every reply must be won. Returns its rank.
fn check_root(open: Open<'_>, start: &Loa) -> Result<(u16, Ends), CertificateError> {
    if start.winner().is_some() {
        return Err(CertificateError::NoStart);
    }
    let mut found = Found::default();
    replies(start, HELD, 0, &mut found).map_err(|reply| refused(0, format!("White wins by {reply}")))?;
    found.needs.sort_by_key(|need| need.code);
    let looked_up = look_up(open, found.needs)?;
    let ways = looked_up.unknown.iter().map(wins_next).collect::<Result<_, _>>()?;
    let most = looked_up.most;
    let mut ends = Ends { replies: found.replies, ended: found.ended, ..Ends::default() };
    ends.add(looked_up, ways);
    Ok((most.saturating_add(1), ends))
}

fn refused(number: u64, reason: impl Into<String>) -> CertificateError {
    CertificateError::Record { number, reason: reason.into() }
}

/// A reader of a certificate.
type Input<'a> = BufReader<Box<dyn Read + 'a>>;

/// Opens the certificate and reads its header. The records follow.
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

/// A position after a reply in which Black has not won yet. It needs a record or an immediate win.
struct Need {
    code: Code,
    /// Rank of the record that leads to the position.
    rank: u16,
    /// Number of that record, counted from 1.
    number: u64,
    position: Loa,
}

/// The results of one thread.
#[derive(Default)]
struct Found {
    replies: u64,
    /// Record number of each reply that ends the game.
    ended: Vec<u64>,
    /// Ways in which the moves of records end the game.
    finished: Vec<Way>,
    needs: Vec<Need>,
}

impl Ends {
    fn wins(&self) -> u64 {
        (self.ended.len() + self.won.len()) as u64
    }

    fn add(&mut self, looked_up: LookedUp, ways: Vec<Way>) {
        self.won.extend(looked_up.unknown.iter().map(|need| need.number).zip(ways));
        self.follows.extend(looked_up.known);
    }
}

fn check_piece(
    open: Open<'_>,
    size: usize,
    first: u64,
    piece: &[Record],
    team: Team<'_>,
) -> Result<Ends, CertificateError> {
    let found = in_parallel(piece, team, |at, records| follow(size, first + at as u64, records))?;
    let (mut ends, mut needs) = (Ends::default(), Vec::new());
    for part in found {
        ends.replies += part.replies;
        ends.ended.extend(part.ended);
        ends.finished.extend(part.finished);
        needs.extend(part.needs);
    }
    needs.sort_by_key(|need| need.code);
    let looked_up = look_up(open, needs)?;
    let ways =
        in_parallel(&looked_up.unknown, team, |_, needs| needs.iter().map(wins_next).collect::<Result<Vec<_>, _>>())?;
    ends.add(looked_up, ways.concat());
    Ok(ends)
}

/// Splits a slice into one piece per job and calls `work` with the start index of each piece and the piece.
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
        let p = position(record.code, size).ok_or_else(|| refused(number, "not the standard image of a position"))?;
        if p.to_move() != Side::First || p.winner().is_some() || record.rank == 0 {
            return Err(refused(number, format!("{} is decided, White is to move, or the rank is zero", p.text())));
        }
        let name = record.move_name().ok_or_else(|| refused(number, "bits 12 to 15 of the move are not zero"))?;
        let after = p.play(&name).ok_or_else(|| refused(number, format!("{name} is no move in {}", p.text())))?;
        match after.winner() {
            Some(Side::First) => {
                found.finished.push(way(&after));
                continue;
            }
            Some(Side::Second) => return Err(refused(number, format!("{name} in {} loses", p.text()))),
            None => (),
        }
        replies(&after, record.rank, number, &mut found)
            .map_err(|reply| refused(number, format!("White wins by {reply} after {name} in {}", p.text())))?;
    }
    Ok(found)
}

/// Plays every reply of White. If White wins with a reply, returns this reply as the error.
fn replies(p: &Loa, rank: u16, number: u64, found: &mut Found) -> Result<(), String> {
    for (reply, position) in p.children() {
        found.replies += 1;
        match position.winner() {
            Some(Side::First) => found.ended.push(number),
            Some(Side::Second) => return Err(reply),
            None => found.needs.push(Need { code: code(&position), rank, number, position }),
        }
    }
    Ok(())
}

/// The results of looking up positions in one pass over the file.
struct LookedUp {
    /// Positions without a record.
    unknown: Vec<Need>,
    /// For each position with a record, the number of the record that leads to it and the number of its own record.
    known: Vec<(u64, u64)>,
    /// Maximum rank of the positions' own records.
    most: u16,
}

/// Looks up all positions in one pass over the file. `needs` must be sorted by code.
fn look_up(open: Open<'_>, needs: Vec<Need>) -> Result<LookedUp, CertificateError> {
    let (mut input, header) = begin(open)?;
    let mut records = (1..=header.records).map(|number| {
        let mut bytes = [0; RECORD];
        input.read_exact(&mut bytes).map(|()| (number, Record::from_bytes(&bytes)))
    });
    let mut here: Option<(u64, Record)> = None;
    let mut found = LookedUp { unknown: Vec::new(), known: Vec::new(), most: 0 };
    for need in needs {
        while here.is_none_or(|(_, record)| record.code < need.code) {
            match records.next() {
                None => break,
                Some(record) => here = Some(record?),
            }
        }
        match here.filter(|(_, record)| record.code == need.code) {
            Some((number, record)) if record.rank < need.rank || need.rank == HELD => {
                found.most = found.most.max(record.rank);
                found.known.push((need.number, number));
            }
            Some((_, record)) => {
                let reason = format!("rank {} leads to rank {} in {}", need.rank, record.rank, need.position.text());
                return Err(refused(need.number, reason));
            }
            None => found.unknown.push(need),
        }
    }
    Ok(found)
}

/// Checks that Black wins with the next move, and returns the smallest possible [`Way`].
fn wins_next(need: &Need) -> Result<Way, CertificateError> {
    let reason = || format!("leads to {}, where Black has neither a win at once nor a record", need.position.text());
    way_to_win(&need.position).ok_or_else(|| refused(need.number, reason()))
}

/// Returns the smallest [`Way`] in which Black wins with the next move; `None` if Black does not win or is not to move.
fn way_to_win(p: &Loa) -> Option<Way> {
    if p.to_move() == Side::Second {
        return None;
    }
    let mut best = None;
    for (_, child) in p.children().iter().filter(|(_, child)| child.winner() == Some(Side::First)) {
        let way = way(child);
        if way == Way::Alone {
            return Some(way);
        }
        best = Some(best.map_or(way, |best: Way| best.min(way)));
    }
    best
}

/// Returns the way in which Black has won with the last move.
fn way(p: &Loa) -> Way {
    match (p.connected(Side::First), p.connected(Side::Second)) {
        (true, false) => Way::Alone,
        (true, true) => Way::Both,
        (false, _) => Way::Stuck,
    }
}

/// Returns the code of a position. This slow implementation reads one of the position's eight images as a base-three
/// number. It uses the image whose black squares, read as a binary number, are smallest; the white squares break ties.
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

/// Returns the standard position of a code.
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
