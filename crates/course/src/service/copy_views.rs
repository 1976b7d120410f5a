//! Hints of copies as the staff sees them.

use serde::Serialize;

use crate::similar::compare::Pair;

/// Hints of copies among the versions that play.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CopiesView {
    /// Groups of versions with the same files, or with the same tokens.
    pub groups: Vec<Vec<CopySide>>,
    /// Similar pairs, the most similar first.
    pub pairs: Vec<CopyPair>,
}

/// A version in a hint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CopySide {
    /// Number of the upload.
    pub upload: i64,
    /// Id of the team.
    pub team: String,
    /// Name of the team.
    pub name: String,
    /// Number of the version.
    pub version: u32,
}

/// Two similar versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CopyPair {
    /// First version.
    pub a: CopySide,
    /// Second version.
    pub b: CopySide,
    /// Set if all source files have the same tokens.
    pub identical: bool,
    /// Greatest share of common parts, from 0 to 1.
    pub share: f64,
}

/// Two versions side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CopyView {
    /// First version.
    pub a: CopySide,
    /// Second version.
    pub b: CopySide,
    /// Text files of both.
    pub files: [Vec<CopyFile>; 2],
    /// Equal parts.
    pub matches: Vec<CopyMatch>,
}

/// A text file of a version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CopyFile {
    /// Name.
    pub name: String,
    /// Lines.
    pub lines: Vec<String>,
}

/// A part that two versions have in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CopyMatch {
    /// Indices of the files of both.
    pub files: [usize; 2],
    /// First and last line in both, from 1.
    pub lines: [[u32; 2]; 2],
}

/// Hints for a set of versions, which are named by their indices.
pub(super) struct Computed {
    pub(super) versions: Vec<i64>,
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) pairs: Vec<Pair>,
}
