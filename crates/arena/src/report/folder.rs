//! The folder of a report, and the errors of writing it.

use std::fs::{create_dir_all, write};
use std::io;
use std::path::{Path, PathBuf};

use game::text::printable;
use maud::Markup;
use thiserror::Error;

use crate::store::error::StoreError;

/// Errors of writing a report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be written.
    #[error("file {path}: {error}")]
    File {
        /// File.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
}

/// The folder of a report.
pub(super) struct Folder<'a>(pub(super) &'a Path);

impl Folder<'_> {
    pub(super) fn create(&self, name: &str) -> Result<(), ReportError> {
        let path = self.0.join(name);
        create_dir_all(&path).map_err(|error| ReportError::File { path, error })
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), ReportError> {
        let path = self.0.join(name);
        write(&path, text).map_err(|error| ReportError::File { path, error })
    }

    /// Writes a page. Hidden characters in names and faults are shown escaped.
    pub(super) fn write_page(&self, name: &str, page: Markup) -> Result<(), ReportError> {
        self.write(name, &printable(&page.into_string()))
    }
}
