//! Attacks through the descriptors of other processes.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::PathBuf;

use nix::fcntl::OFlag;

use super::processes::{arena, everybody, others};
use super::{Range, Verdict, any, of, text};

/// Opens a file without waiting for its other end.
fn open(path: &str, write: bool) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.read(!write).write(write).custom_flags(OFlag::O_NONBLOCK.bits());
    options.open(path).map_err(text)
}

pub(super) fn write_output(range: &Range) -> Verdict {
    any(others(range), |pid| {
        let path = format!("/proc/{pid}/fd/1");
        let mut file = open(&path, true)?;
        // In every dialect an illegal move.
        file.write_all(b"bestmove a1-a1\n* a1-a1\nA1A1\n").map_err(text)?;
        Ok(format!("wrote to {path}"))
    })
}

pub(super) fn read_input(range: &Range) -> Verdict {
    any(everybody(range).into_iter().flat_map(|pid| [0, 1, 2].map(|fd| format!("/proc/{pid}/fd/{fd}"))), |path| {
        let is_pipe = fs::metadata(&path).map_err(text)?.file_type().is_fifo();
        if !is_pipe {
            return Err("not a pipe".to_owned());
        }
        open(&path, false).map(|_| format!("{path} is open"))
    })
}

/// Writes the first byte of a file again.
pub(super) fn touch(path: &str) -> Verdict {
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(text)?;
    let mut byte = [0];
    file.read_exact_at(&mut byte, 0).and_then(|()| file.write_all_at(&byte, 0)).map_err(of("writing"))?;
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
    let entries = fs::read_dir("/proc/self/fd").map_err(of("/proc/self/fd"))?.flatten();
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read_link(entry.path())));
    // The descriptor that lists them has gone by now.
    let strange = named.filter_map(|(name, to)| Some((name.parse::<u32>().ok()?, to.ok()?)));
    let strange: Vec<_> = strange.filter(|(number, to)| *number > 2 && !to.ends_with("fd")).collect();
    any(strange, |(number, to)| Ok(format!("descriptor {number} is {}", to.display())))
}

pub(super) fn terminal(_: &Range) -> Verdict {
    let mut terminal = OpenOptions::new().write(true).open("/dev/tty").map_err(of("/dev/tty"))?;
    terminal.write_all(b"\x1b]0;taken\x07").map_err(text)?;
    Ok("wrote to /dev/tty".to_owned())
}
