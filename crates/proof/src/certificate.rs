//! Certificates: files that let anybody check a win without searching.
//!
//! A line of text (`plyhouse-certificate 1 loa`, number of records, and the text of the position that Black wins from), the
//! records, and the SHA-256 hash of all that. A record is twelve bytes, lowest first: a position's [`Code`] in eight, Black's move in two (index of the
//! square it leaves, plus 64 times that where it goes; eight squares a rank), the rank in two. Records are sorted by code. The move is one of the
//! position that the code stands for.

use std::io::{self, BufRead, Read, Write};

use game::Position as _;
use loa::{Move, Position};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::fold::{Code, LARGEST};
use crate::plan::Plan;

const MAGIC: &str = "plyhouse-certificate 1 loa";
/// Bytes of a record.
pub(crate) const RECORD: usize = 12;

/// One line of a certificate: in this position Black plays this move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub code: Code,
    /// The move, packed.
    pub m: u16,
    /// Smaller in every position that can follow, unless Black wins at once there.
    pub rank: u16,
}

/// Why a certificate is not one.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first line is something else.
    #[error("no certificate: expected a first line `{MAGIC} RECORDS POSITION`, found `{0}`")]
    Header(String),
    /// The file is shorter or longer than its first line says.
    #[error("the file has not the {0} records that its first line tells of")]
    Length(u64),
    /// Some byte is not what was written.
    #[error("the hash does not fit: the file was damaged")]
    Hash,
    /// Something is wrong with a record.
    #[error("record {number}: {reason}")]
    Record {
        /// Counted from 1.
        number: u64,
        /// What is wrong.
        reason: String,
    },
    /// The position that it is about is missing.
    #[error("no record for the position that it is about")]
    NoStart,
}

/// What a certificate begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// How many records follow.
    pub records: u64,
    /// Text of the position that Black wins from.
    pub position: String,
}

/// Writes a plan as a certificate; the result is the hash.
///
/// # Errors
/// If writing fails.
pub fn write(start: &Position, plan: &Plan, out: &mut impl Write) -> io::Result<String> {
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
    /// If it is not one of a certificate.
    pub fn read(input: &mut impl BufRead) -> Result<Self, CertificateError> {
        let mut line = Vec::new();
        input.take(100).read_until(b'\n', &mut line)?;
        let line = String::from_utf8_lossy(&line);
        let bad = || CertificateError::Header(line.trim_end().chars().take(60).collect());
        let rest = line.strip_prefix(MAGIC).and_then(|rest| rest.strip_suffix('\n')).ok_or_else(bad)?;
        let (records, position) = rest.trim_start().split_once(' ').ok_or_else(bad)?;
        let size = position.find('/').unwrap_or(0);
        match records.parse() {
            Ok(records) if (4..=LARGEST).contains(&size) => Ok(Self { records, position: position.to_owned() }),
            _ => Err(bad()),
        }
    }

    /// Squares a side.
    pub fn size(&self) -> usize {
        self.position.find('/').unwrap_or(0)
    }

    /// The same line again.
    pub(crate) fn line(&self) -> String {
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

    /// The move in words that every implementation of the rules understands.
    pub(crate) fn move_name(self) -> String {
        let square = |index: u16| {
            let (file, rank) = (index & 7, index >> 3 & 7);
            format!("{}{}", char::from(b'a' + file as u8), rank + 1)
        };
        format!("{}-{}", square(self.m & 63), square(self.m >> 6 & 63))
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// Reads a certificate into memory, to play by it. It is checked for damage, not for truth: [`verify`](crate::verify) does
/// that.
///
/// # Errors
/// If it is none.
pub fn read_plan(input: &mut impl BufRead) -> Result<(Header, Plan), CertificateError> {
    let header = Header::read(input)?;
    let mut hash = Sha256::new();
    hash.update(header.line().as_bytes());
    let mut plan = Plan::default();
    let mut bytes = [0; RECORD];
    for number in 1..=header.records {
        input.read_exact(&mut bytes).map_err(|_| CertificateError::Length(header.records))?;
        hash.update(bytes);
        let record = Record::from_bytes(&bytes);
        let step = record.code.position(header.size()).and_then(|p| p.unpack(record.m));
        let m: Move = step.ok_or_else(|| CertificateError::Record { number, reason: "no such move".into() })?;
        plan.add(record.code, crate::plan::Step { m, rank: record.rank });
    }
    check_end(input, hash, header.records)?;
    Ok((header, plan))
}

/// Compares the hash at the end, after which nothing may come.
pub(crate) fn check_end(input: &mut impl Read, hash: Sha256, records: u64) -> Result<String, CertificateError> {
    let (mut found, mut beyond) = ([0; 32], [0]);
    input.read_exact(&mut found).map_err(|_| CertificateError::Length(records))?;
    if input.read(&mut beyond)? != 0 {
        return Err(CertificateError::Length(records));
    }
    let expected = hash.finalize();
    if expected.as_slice() == found { Ok(hex(&found)) } else { Err(CertificateError::Hash) }
}
