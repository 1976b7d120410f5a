//! Privileges of files, which a submission must not have.

use std::path::Path;

use process::sandbox::remove_privileges;

use crate::entry::error::{EntryError, at};
use crate::entry::paths::quoted_path;

/// Checks that a folder contains no setuid or setgid file and no file with capabilities.
///
/// # Errors
/// If it contains one. The error names the file, whose privileges have been removed by then.
pub(crate) fn check_privileges(folder: &Path) -> Result<(), EntryError> {
    let found = remove_privileges(folder).map_err(at(format!("folder {}", folder.display())))?;
    let Some(file) = found.first() else { return Ok(()) };
    let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
    Err(EntryError::Privileges(quoted_path(&name)))
}
