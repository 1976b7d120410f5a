//! Certificates: files with which a win, or a defence that never loses, can be checked without searching.
//!
//! A certificate consists of a line of text (`plyhouse-certificate 1 loa`, the number of records, and the text of the
//! certified position), the records, and the SHA-256 hash of all preceding bytes. A record has twelve bytes
//! in three little-endian parts: eight for a position's [`Code`]; two for Black's move (index of the origin square,
//! plus 64 times the index of the target; eight squares per rank; the upper four bits are zero); two for the rank.
//! The rank 65,535 claims that Black does not lose, but no win ([`HELD`](crate::plan::HELD)). Records are sorted by
//! code. The move applies to the standard position of the code.

use std::io::{self, BufRead, Read, Write};

use game::Position as _;
use loa::{Move, Position};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::code::{Code, LARGEST};
use crate::plan::{Plan, PlannedMove};

const MAGIC: &str = "plyhouse-certificate 1 loa";
/// Length of a record, in bytes.
pub(crate) const RECORD: usize = 12;

/// A record of a certificate: Black's move in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Code of the position.
    pub code: Code,
    /// Packed move.
    pub m: u16,
    /// Rank of the record. In every position that can follow, the rank is smaller or Black wins immediately. With
    /// [`HELD`](crate::plan::HELD), any rank can follow.
    pub rank: u16,
}

/// Errors from reading or checking a certificate.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first line is invalid.
    #[error("not a certificate: expected a first line `{MAGIC} RECORDS POSITION`, found `{0}`")]
    Header(String),
    /// The certified position is not a position by the rules of the courses.
    #[error("`{0}`: expected a position of Lines of Action by the rules of the courses")]
    Position(String),
    /// The number of records differs from the number in the first line.
    #[error("the file does not have the {0} records that its first line announces")]
    Length(u64),
    /// The file was changed or damaged.
    #[error("the hash does not match: the file was damaged")]
    Hash,
    /// A record is invalid.
    #[error("record {number}: {reason}")]
    Record {
        /// Record number, counted from 1.
        number: u64,
        /// Reason.
        reason: String,
    },
    /// The certified position has no record, and Black does not win it immediately.
    #[error("the certificate has no record for the position that it is about")]
    NoStart,
}

/// The first line of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of records that follow.
    pub records: u64,
    /// Text of the position that Black wins from, or does not lose from.
    pub position: String,
}

/// Writes a plan as a certificate and returns the hash.
///
/// # Errors
/// Returns an error if writing fails.
pub fn write_certificate(start: &Position, plan: &Plan, out: &mut impl Write) -> io::Result<String> {
    let steps = plan.sorted();
    let mut hash = Sha256::new();
    let mut put = |bytes: &[u8], out: &mut dyn Write| {
        hash.update(bytes);
        out.write_all(bytes)
    };
    let header = Header { records: steps.len() as u64, position: start.to_string() };
    put(header.line().as_bytes(), out)?;
    for (code, step) in steps {
        let mut record = [0; RECORD];
        record[..8].copy_from_slice(&code.0.to_le_bytes());
        record[8..10].copy_from_slice(&Position::pack(step.m).to_le_bytes());
        record[10..].copy_from_slice(&step.rank.to_le_bytes());
        put(&record, out)?;
    }
    let hash = hash.finalize();
    out.write_all(&hash)?;
    out.flush()?;
    Ok(hex(&hash))
}

impl Header {
    /// Reads the first line.
    ///
    /// # Errors
    /// Returns an error if the line is not the first line of a certificate.
    pub fn read(input: &mut impl BufRead) -> Result<Self, CertificateError> {
        let mut line = Vec::new();
        input.take(100).read_until(b'\n', &mut line)?;
        let line = String::from_utf8_lossy(&line);
        let bad = || CertificateError::Header(line.trim_end().chars().take(60).collect());
        let rest = line.strip_prefix(MAGIC).and_then(|rest| rest.strip_suffix('\n')).ok_or_else(bad)?;
        let (records, position) = rest.trim_start().split_once(' ').ok_or_else(bad)?;
        let size = position.find('/').unwrap_or(0);
        let header = Self { records: records.parse().map_err(|_| bad())?, position: position.to_owned() };
        // The hash is computed from the output of `line`, so any other spelling is invalid.
        if (4..=LARGEST).contains(&size) && header.line() == line { Ok(header) } else { Err(bad()) }
    }

    /// Returns the board size, in squares per side.
    pub fn size(&self) -> usize {
        self.position.find('/').unwrap_or(0)
    }

    /// Returns the line as text.
    pub fn line(&self) -> String {
        format!("{MAGIC} {} {}\n", self.records, self.position)
    }
}

impl Record {
    pub(crate) fn from_bytes(bytes: &[u8; RECORD]) -> Self {
        let number = |range: core::ops::Range<usize>| {
            bytes[range].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        Self { code: Code(number(0..8)), m: number(8..10) as u16, rank: number(10..12) as u16 }
    }

    /// Returns the move in notation, which every implementation of the rules can parse; `None` if unused bits are set.
    pub(crate) fn move_name(self) -> Option<String> {
        let square = |index: u16| {
            let (file, rank) = (index & 7, index >> 3 & 7);
            format!("{}{}", char::from(b'a' + file as u8), rank + 1)
        };
        (self.m >> 12 == 0).then(|| format!("{}-{}", square(self.m & 63), square(self.m >> 6)))
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// Reads a certificate into memory, to play by it. Checks the hash, but not the moves; [`verify`](crate::verify) checks
/// them.
///
/// # Errors
/// Returns an error if the file is not a certificate, or is damaged.
pub fn read_plan(input: &mut impl BufRead) -> Result<(Header, Plan), CertificateError> {
    let header = Header::read(input)?;
    let mut hash = Sha256::new();
    hash.update(header.line().as_bytes());
    let mut plan = Plan::default();
    let mut bytes = [0; RECORD];
    for number in 1..=header.records {
        fill(input, &mut bytes, header.records)?;
        hash.update(bytes);
        let record = Record::from_bytes(&bytes);
        let step = record.code.position(header.size()).and_then(|p| p.unpack(record.m));
        let m: Move = step.ok_or_else(|| CertificateError::Record { number, reason: "no such move".into() })?;
        plan.add(record.code, PlannedMove { m, rank: record.rank });
    }
    check_end(input, hash, header.records)?;
    Ok((header, plan))
}

/// Fills the buffer from a certificate with this many records.
pub(crate) fn fill(input: &mut impl Read, buffer: &mut [u8], records: u64) -> Result<(), CertificateError> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CertificateError::Length(records),
        _ => CertificateError::Io(error),
    })
}

/// Checks the hash at the end of the file, and that nothing follows it. Returns the hash.
pub(crate) fn check_end(input: &mut impl Read, hash: Sha256, records: u64) -> Result<String, CertificateError> {
    let (mut found, mut beyond) = ([0; 32], [0]);
    fill(input, &mut found, records)?;
    if input.read(&mut beyond)? != 0 {
        return Err(CertificateError::Length(records));
    }
    let expected = hash.finalize();
    if expected.as_slice() == found { Ok(hex(&found)) } else { Err(CertificateError::Hash) }
}
