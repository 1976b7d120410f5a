//! Attacks through the descriptors of other processes.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::PathBuf;

use nix::fcntl::OFlag;

use super::processes::{arena, arena_and_others, others};
use super::{Range, Verdict, any, context, text};

/// Opens a file without blocking on a pipe whose other end is closed.
fn open(path: &str, write: bool) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.read(!write).write(write).custom_flags(OFlag::O_NONBLOCK.bits());
    options.open(path).map_err(text)
}

pub(super) fn write_output(range: &Range) -> Verdict {
    any(others(range), |pid| {
        let path = format!("/proc/{pid}/fd/1");
        let mut file = open(&path, true)?;
        // An illegal move in every dialect.
        file.write_all(b"bestmove a1-a1\n* a1-a1\nA1A1\n").map_err(text)?;
        Ok(format!("wrote to {path}"))
    })
}

pub(super) fn read_input(range: &Range) -> Verdict {
    any(
        arena_and_others(range).into_iter().flat_map(|pid| [0, 1, 2].map(|fd| format!("/proc/{pid}/fd/{fd}"))),
        |path| {
            let is_pipe = fs::metadata(&path).map_err(text)?.file_type().is_fifo();
            if !is_pipe {
                return Err("not a pipe".to_owned());
            }
            open(&path, false).map(|_| format!("{path} is open"))
        },
    )
}

/// Overwrites the first byte of a file with the same value.
pub(super) fn touch(path: &str) -> Verdict {
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(text)?;
    let mut byte = [0];
    file.read_exact_at(&mut byte, 0).and_then(|()| file.write_all_at(&byte, 0)).map_err(context("writing"))?;
    Ok(format!("wrote to {path}"))
}

pub(super) fn store(range: &Range) -> Verdict {
    any(arena(range), |pid| {
        let folder = format!("/proc/{pid}/fd");
        let entries: Vec<PathBuf> = fs::read_dir(&folder).map_err(text)?.flatten().map(|entry| entry.path()).collect();
        let of_store = |path: &&PathBuf| fs::read_link(path).is_ok_and(|to| to.to_string_lossy().contains(".sqlite"));
        any(entries.iter().filter(of_store), |path| touch(&path.to_string_lossy()))
    })
}

pub(super) fn inherited(_: &Range) -> Verdict {
    let entries = fs::read_dir("/proc/self/fd").map_err(context("/proc/self/fd"))?.flatten();
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read_link(entry.path())));
    // The descriptor that listed the folder is closed by now, so its link cannot be read.
    let inherited = named.filter_map(|(name, to)| Some((name.parse::<u32>().ok()?, to.ok()?)));
    let inherited: Vec<_> = inherited.filter(|(number, to)| *number > 2 && !to.ends_with("fd")).collect();
    any(inherited, |(number, to)| Ok(format!("descriptor {number} is {}", to.display())))
}

pub(super) fn terminal(_: &Range) -> Verdict {
    let mut terminal = OpenOptions::new().write(true).open("/dev/tty").map_err(context("/dev/tty"))?;
    terminal.write_all(b"\x1b]0;taken\x07").map_err(text)?;
    Ok("wrote to /dev/tty".to_owned())
}
