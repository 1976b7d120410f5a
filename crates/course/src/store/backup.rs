//! Copies of a running course, and checks of its file.

use std::ffi::OsString;
use std::fs::File;
use std::io::sink;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::pairs::{Stored, recount};

impl CourseStore {
    /// Copies the course to a new file while it runs, and checks the copy. The copy has the state at one moment. It
    /// appears under its name only when it is complete and on the disk.
    ///
    /// # Errors
    /// If the file exists, cannot be written, or the copy is damaged.
    pub fn back_up(&self, to: &Path) -> Result<(), CourseError> {
        self.copy_to(to).map_err(|error| error.at(to))
    }

    fn copy_to(&self, to: &Path) -> Result<(), CourseError> {
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if to.exists() {
            return Err(CourseError::Exists(to.to_owned()));
        }
        // The error of a temporary folder would have a random name in it.
        folder.metadata()?;
        let part = tempfile::Builder::new().prefix(".backup-").tempdir_in(folder)?;
        let copy = part.path().join("course.sqlite");
        let text = copy.to_str().ok_or_else(|| CourseError::conflict("backup", "a path that is not UTF-8", "UTF-8"))?;
        self.connection.execute("VACUUM INTO ?", [text])?;
        let problems = structure(&Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_ONLY)?)?;
        if let Some(problem) = problems.into_iter().next() {
            return Err(CourseError::conflict("backup", problem, "an intact copy"));
        }
        File::open(&copy)?.sync_all()?;
        // Unlike a rename, a link does not replace a file that another process has created meanwhile.
        std::fs::hard_link(&copy, to).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => CourseError::Exists(to.to_owned()),
            _ => error.into(),
        })?;
        Ok(File::open(folder)?.sync_all()?)
    }

    /// Checks the file: its structure, the chain of games, the counters, and the bytes of uploads. Returns a sentence
    /// for each problem.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn check(&self) -> Result<Vec<String>, CourseError> {
        let mut problems = structure(&self.connection)?;
        if !problems.is_empty() {
            return Ok(problems);
        }
        problems.extend(self.check_games()?);
        let mut query = self.connection.prepare("SELECT id, a, counts FROM course_pair")?;
        let pairs = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        for (pair, a, counts) in pairs.collect::<Result<Vec<(i64, i64, Stored)>, _>>()? {
            if counts.0 != recount(&self.connection, pair, a)? {
                problems.push(format!("pair {pair}: its counters differ from its games"));
            }
        }
        for upload in self.uploads()? {
            match self.copy_upload(upload.id, &mut sink()) {
                Err(CourseError::Conflict { .. }) => {
                    problems.push(format!("upload {}: its bytes were changed after it was received", upload.id));
                }
                other => other?,
            }
        }
        Ok(problems)
    }

    /// Returns the paths of the course's file and of the two files that SQLite keeps beside it while it is open.
    pub fn files(path: &Path) -> [PathBuf; 3] {
        ["", "-wal", "-shm"].map(|end| {
            let mut name: OsString = path.as_os_str().to_owned();
            name.push(end);
            name.into()
        })
    }
}

/// Checks the structure of a file.
fn structure(db: &Connection) -> Result<Vec<String>, CourseError> {
    let mut query = db.prepare("PRAGMA integrity_check")?;
    let found = query.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut problems: Vec<String> = found.into_iter().filter(|text| text != "ok").collect();
    let mut query = db.prepare("PRAGMA foreign_key_check")?;
    let found = query.query_map([], |row| Ok((row.get(0)?, row.get(2)?)))?;
    for (table, parent) in found.collect::<Result<Vec<(String, String)>, _>>()? {
        problems.push(format!("table {table}: a row refers to a missing row of {parent}"));
    }
    Ok(problems)
}
