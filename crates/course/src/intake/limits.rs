//! Limits of uploads.

/// Limits of an upload and of the files that it is unpacked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the received file, in bytes.
    pub size: u64,
    /// Maximum number of files and folders that an archive is unpacked to.
    pub entries: usize,
    /// Maximum size of all unpacked files together, in bytes.
    pub total: u64,
    /// Maximum size of an unpacked file, in bytes.
    pub file: u64,
    /// Maximum ratio of a file's size to its compressed size. It applies to files above 1 MB.
    pub ratio: u64,
    /// Maximum number of folders above a file.
    pub depth: usize,
    /// Maximum length of a path in an archive, in bytes.
    pub path: usize,
}

impl Default for Limits {
    /// Returns limits that ordinary agents stay far below. Deflate compresses by at most 1032:1, which only uniform
    /// data reaches; source code and tables stay below 50:1.
    fn default() -> Self {
        Self { size: 20 << 20, entries: 2000, total: 100 << 20, file: 50 << 20, ratio: 250, depth: 16, path: 400 }
    }
}
