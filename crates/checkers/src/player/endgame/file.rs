//! File format of the tables: a header, then the slices in the order of their computation, each with a checksum. An
//! incomplete file is valid up to its last complete slice.

use std::io::{self, Read, Write};

use game::Key;
use thiserror::Error;

use super::slice::Material;
use super::values::Slice;
use super::{PiecesError, Tables};

/// Name and version of the format, followed by one byte with the number of pieces.
const MAGIC: &[u8; 16] = b"checkers-ends-1\n";
/// Length of a slice's header: material, length of the slice, checksum.
const SLICE_HEADER: usize = 4 + 8 + 8;

/// Errors of reading tables.
#[derive(Debug, Error)]
pub enum TablesError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has another format.
    #[error("this is not a file of checkers endgames")]
    Foreign,
    /// There are no tables for this number of pieces.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    /// Slices are missing.
    #[error("the endgames are not complete; the command that made the file can complete it")]
    Unfinished,
    /// A slice is damaged.
    #[error("byte {offset}: a slice of the endgames is damaged")]
    Damaged {
        /// Offset of the slice, in bytes.
        offset: u64,
    },
}

impl Tables {
    /// Writes the header of a file of tables.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_header(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        out.write_all(&[self.pieces as u8])
    }

    /// Reads complete tables.
    ///
    /// # Errors If they are incomplete or damaged, or if the file has another format.
    pub fn read(file: &mut impl Read) -> Result<Self, TablesError> {
        let (tables, _) = Self::read_part(file)?;
        if tables.is_complete() { Ok(tables) } else { Err(TablesError::Unfinished) }
    }

    /// Reads tables that may be incomplete. Also returns the length of the valid part of the file, in bytes: the header
    /// and the complete slices.
    ///
    /// # Errors If a complete slice is damaged, or if the file has another format.
    pub fn read_part(file: &mut impl Read) -> Result<(Self, u64), TablesError> {
        let mut header = [0; MAGIC.len() + 1];
        if !fill(file, &mut header)? || !header.starts_with(MAGIC) {
            return Err(TablesError::Foreign);
        }
        let mut tables = Self::none(usize::from(header[MAGIC.len()]))?;
        let mut offset = header.len() as u64;
        let mut header = [0; SLICE_HEADER];
        while fill(file, &mut header)? {
            let [a, b, c, d, rest @ ..] = header;
            let material = Material([a, b, c, d]);
            let number = |at: usize| u64::from_le_bytes(core::array::from_fn(|i| rest[at + i]));
            let expected = Material::all(tables.pieces).contains(&material).then(|| material.len() as u64);
            if expected != Some(number(0)) || tables.has(material) {
                return Err(TablesError::Damaged { offset });
            }
            let mut values = vec![0; material.len()];
            if !fill(file, &mut values)? {
                break;
            }
            if checksum(&values) != number(8) {
                return Err(TablesError::Damaged { offset });
            }
            offset += (SLICE_HEADER + values.len()) as u64;
            tables.put(&Slice { material, values });
        }
        Ok((tables, offset))
    }
}

impl Slice {
    /// Appends the slice to a file of tables.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.material.0)?;
        out.write_all(&(self.values.len() as u64).to_le_bytes())?;
        out.write_all(&checksum(&self.values).to_le_bytes())?;
        out.write_all(&self.values)
    }
}

/// Fills the buffer. Returns `false` if the file has too few bytes left.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        Key::mix(sum ^ u64::from_le_bytes(word)).0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::endgame::Making;
    use search::Sequential;

    /// Returns a file with tables for three pieces, and the offsets of the ends of its slices.
    fn file() -> (Vec<u8>, Vec<usize>) {
        let mut making = Making::new(Tables::none(3).expect("three"));
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        Tables::none(3).expect("three").write_header(&mut bytes).expect("memory");
        loop {
            ends.push(bytes.len());
            let slices = making.step(1, &Sequential);
            if slices.is_empty() {
                return (bytes, ends);
            }
            for slice in &slices {
                slice.write(&mut bytes).expect("memory");
            }
        }
    }

    #[test]
    fn an_unfinished_file_is_gone_on_with() {
        let (whole, ends) = file();
        assert!(Tables::read(&mut &whole[..]).is_ok());
        let cut = &whole[..ends[4] + 100];
        assert!(matches!(Tables::read(&mut &cut[..]), Err(TablesError::Unfinished)));
        let (part, length) = Tables::read_part(&mut &cut[..]).expect("a part");
        assert_eq!(length as usize, ends[4]);
        let mut rest = whole[..ends[4]].to_vec();
        let mut making = Making::new(part);
        loop {
            let slices = making.step(1, &Sequential);
            if slices.is_empty() {
                break;
            }
            for slice in &slices {
                slice.write(&mut rest).expect("memory");
            }
        }
        assert!(rest == whole, "a resumed computation writes the same file");
    }

    #[test]
    fn damage_is_found() {
        let (whole, ends) = file();
        for at in (17..whole.len()).step_by(whole.len() / 40).chain([ends[2] + 1, ends[2] + 6, ends[2] + 15]) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(Tables::read(&mut &damaged[..]).is_err(), "byte {at}");
        }
        for foreign in [&b""[..], b"hello", b"checkers-ends-1\n", b"checkers-ends-1\n\x09"] {
            assert!(Tables::read(&mut &foreign[..]).is_err());
        }
    }
}
