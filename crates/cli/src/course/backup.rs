//! `plyhouse course backup` and `plyhouse course restore`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{bail, ensure};
use arena::{Hold, Location};
use clap::Args;
use course::{CourseStore, OpenError, SystemClock};

use super::file::CourseFile;

/// Copy the database of a course to a new file, also while a server runs the course
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    course: CourseFile,
    /// File to write
    out: PathBuf,
}

/// Check a backup, and make it the database of a course that has none
#[derive(Args)]
pub(super) struct RestoreOptions {
    #[command(flatten)]
    course: CourseFile,
    /// File that `plyhouse course backup` has written
    backup: PathBuf,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    CourseStore::open(&options.course.store(), Arc::new(SystemClock))?.back_up(&options.out)?;
    writeln!(out, "{} is written and checked", options.out.display())?;
    writeln!(out, "it does not include {} and the roster", options.course.file.display())?;
    Ok(())
}

pub(super) fn restore(options: &RestoreOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let (store, backup) = (options.course.store(), &options.backup);
    let _hold = Hold::take(&Location::from(store.clone())).map_err(OpenError::from)?;
    ensure!(!store.exists(), "course {}: the file exists already", store.display());
    let copy = CourseStore::open(backup, Arc::new(SystemClock))?;
    let problems = copy.check()?;
    if !problems.is_empty() {
        bail!("backup {}: {}", backup.display(), problems.join("; "));
    }
    copy.back_up(&store)?;
    writeln!(out, "{} is restored", store.display())?;
    Ok(())
}
