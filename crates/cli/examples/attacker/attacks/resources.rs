//! Attacks on resources of the machine: memory, disk, processes, descriptors, output.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::files::create_own_folders;
use super::{Range, Verdict, accomplice, any, context, text};

const MIB: usize = 1 << 20;
/// Maximum lifetime of idle processes and threads of an attack.
const LIFETIME: Duration = Duration::from_secs(10);
/// Time until a periodically checked limit takes effect.
const SETTLE_TIME: Duration = Duration::from_millis(300);

/// Returns the verdict of a repeated attempt, which succeeds unless something has stopped it before its bound.
fn bounded(count: usize, bound: usize, unit: &str, stopped: Option<String>) -> Verdict {
    match stopped {
        None => Ok(format!("{bound} {unit}")),
        Some(why) => Err(format!("after {count} {unit}: {why}")),
    }
}

/// Repeats an attempt until it fails or reaches its bound. Returns the results and the verdict.
fn fill<T>(bound: usize, unit: &str, mut attempt: impl FnMut() -> Result<T, String>) -> (Vec<T>, Verdict) {
    let mut kept = Vec::new();
    while kept.len() < bound {
        match attempt() {
            Ok(one) => kept.push(one),
            Err(why) => {
                let verdict = bounded(kept.len(), bound, unit, Some(why));
                return (kept, verdict);
            }
        }
    }
    let verdict = bounded(bound, bound, unit, None);
    (kept, verdict)
}

pub(super) fn forks(_: &Range) -> Verdict {
    let sleeper = || {
        let mut command = Command::new("sleep");
        command.arg(LIFETIME.as_secs().to_string()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(text)
    };
    fill(2_000, "processes", sleeper).1
}

pub(super) fn threads(_: &Range) -> Verdict {
    let idle = || thread::Builder::new().stack_size(64 << 10).spawn(|| thread::sleep(LIFETIME)).map_err(text);
    fill(4_000, "threads", idle).1
}

/// Allocates memory and writes to every page, so that the kernel provides it.
fn touched(bytes: usize) -> Result<Vec<u8>, String> {
    const PAGE: [u8; 4096] = [1; 4096];
    let mut block: Vec<u8> = Vec::new();
    block.try_reserve_exact(bytes).map_err(text)?;
    while block.len() + PAGE.len() <= bytes {
        block.extend_from_slice(&PAGE);
    }
    Ok(block)
}

pub(super) fn memory(_: &Range) -> Verdict {
    fill(3 << 10, "MiB", || touched(MIB)).1
}

pub(super) fn eat() -> Verdict {
    let block = touched(64 * MIB)?;
    writeln!(io::stdout(), "full").and_then(|()| io::stdout().flush()).map_err(text)?;
    thread::sleep(LIFETIME);
    Ok(format!("{} bytes", block.len()))
}

pub(super) fn memory_together(range: &Range) -> Verdict {
    let eater = || ready_accomplice("eat", range);
    fill(48, "times 64 MiB", eater).1
}

pub(super) fn memory_files(_: &Range) -> Verdict {
    let block = vec![1; 16 * MIB];
    let file = || {
        let mut file = File::from(memfd_create(c"block", MFdFlags::empty()).map_err(text)?);
        file.write_all(&block).map_err(text)?;
        Ok(file)
    };
    fill(64, "times 16 MiB", file).1
}

/// Fills sockets with unread bytes. Returns the sockets, the number of bytes and the verdict.
fn full_sockets() -> (Vec<(UnixStream, UnixStream)>, usize, Verdict) {
    let block = vec![1; MIB];
    let mut bytes = 0_usize;
    let pair = || -> Result<(UnixStream, UnixStream), String> {
        let (mut left, right) = UnixStream::pair().map_err(text)?;
        left.set_nonblocking(true).map_err(text)?;
        while let Ok(length) = left.write(&block) {
            bytes += length;
        }
        Ok((left, right))
    };
    let (kept, verdict) = fill(5_000, "full sockets", pair);
    (kept, bytes, verdict)
}

pub(super) fn buffers(_: &Range) -> Verdict {
    let (_, bytes, verdict) = full_sockets();
    let size = format!("{} MiB", bytes / MIB);
    verdict.map(|how| format!("{how}, {size}")).map_err(|why| format!("{why}, {size}"))
}

pub(super) fn stuff() -> Verdict {
    let (kept, bytes, _) = full_sockets();
    writeln!(io::stdout(), "{:04}", bytes / MIB).and_then(|()| io::stdout().flush()).map_err(text)?;
    thread::sleep(LIFETIME);
    Ok(format!("{} sockets", kept.len()))
}

pub(super) fn buffers_together(range: &Range) -> Verdict {
    let mut sum = 0;
    let mut kept = Vec::new();
    while sum < 2 << 10 {
        match ready_accomplice("stuff", range) {
            Ok((child, size)) => {
                sum += size.trim().parse::<usize>().unwrap_or(0);
                kept.push(child);
            }
            Err(why) => return Err(format!("after {} processes with {sum} MiB: {why}", kept.len())),
        }
    }
    Ok(format!("{sum} MiB in sockets of {} processes", kept.len()))
}

/// Starts an accomplice, and waits for the line of four characters that it prints when its work is done.
fn ready_accomplice(name: &str, range: &Range) -> Result<(Child, String), String> {
    let mut child = accomplice(name, range).stdout(Stdio::piped()).spawn().map_err(text)?;
    let mut line = [0; 5];
    let output = child.stdout.as_mut().ok_or("no output")?;
    io::Read::read_exact(output, &mut line).map_err(context("an accomplice"))?;
    Ok((child, String::from_utf8_lossy(&line).into_owned()))
}

/// Writes files of 1 MiB until a folder is full or has `bound` files. Returns their number and the error.
fn fill_folder(folder: &Path, bound: usize) -> (usize, Option<String>) {
    let block = vec![1; MIB];
    for number in 0..bound {
        if let Err(error) = fs::write(folder.join(number.to_string()), &block) {
            return (number, Some(error.to_string()));
        }
    }
    (bound, None)
}

pub(super) fn disk(_: &Range) -> Verdict {
    const BOUND: usize = 300;
    let folders = create_own_folders("disk");
    let (mut sum, mut results) = (0, Vec::new());
    for folder in &folders {
        if sum >= BOUND {
            break;
        }
        let (count, stopped) = fill_folder(folder, BOUND - sum);
        sum += count;
        let why = stopped.unwrap_or_else(|| "no limit".to_owned());
        results.push(format!("{count} MiB in {}: {why}", folder.parent().unwrap_or(folder).display()));
    }
    for folder in &folders {
        let _ = fs::remove_dir_all(folder);
    }
    let results = if results.is_empty() { "no folder is writable".to_owned() } else { results.join("; ") };
    if sum >= BOUND { Ok(results) } else { Err(results) }
}

pub(super) fn hidden_disk(_: &Range) -> Verdict {
    let folders = create_own_folders("hidden");
    let verdict = any(&folders, |folder| {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o300)).map_err(context("mode"))?;
        let (count, stopped) = fill_folder(folder, 300);
        // The next check of the limit must find the files.
        thread::sleep(SETTLE_TIME);
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
        let _ = fs::remove_dir_all(folder);
        bounded(count, 300, "MiB", stopped)
    });
    for folder in &folders {
        let _ = fs::remove_dir_all(folder);
    }
    verdict
}

pub(super) fn deleted_files(_: &Range) -> Verdict {
    let folders = create_own_folders("deleted");
    let block = vec![1; MIB];
    let verdict = any(&folders, |folder| {
        let mut number = 0;
        let mut deleted = || -> Result<File, String> {
            number += 1;
            let path = folder.join(number.to_string());
            let mut file = File::create(&path).map_err(text)?;
            fs::remove_file(&path).map_err(context("delete"))?;
            for _ in 0..20 {
                file.write_all(&block).map_err(text)?;
            }
            Ok(file)
        };
        let (_kept, verdict) = fill(15, "times 20 MiB", &mut deleted);
        thread::sleep(SETTLE_TIME);
        verdict
    });
    for folder in &folders {
        let _ = fs::remove_dir_all(folder);
    }
    verdict
}

pub(super) fn inodes(_: &Range) -> Verdict {
    const BOUND: usize = 20_000;
    let folders = create_own_folders("inodes");
    let mut count = 0;
    let verdict = any(&folders, |folder| {
        // After a success, further folders would only take time.
        if count == BOUND {
            return Err("enough".to_owned());
        }
        count = 0;
        let one = || {
            count += 1;
            File::create(folder.join(count.to_string())).map(drop).map_err(text)
        };
        fill(BOUND, "files", one).1
    });
    for folder in &folders {
        let _ = fs::remove_dir_all(folder);
    }
    verdict
}

pub(super) fn files(_: &Range) -> Verdict {
    fill(10_000, "open files", || File::open("/dev/null").map_err(text)).1
}

pub(super) fn flood(_: &Range) -> Verdict {
    let line = [b"x".repeat(1023).as_slice(), b"\n"].concat();
    fill(64 << 10, "KiB on standard error", || io::stderr().write_all(&line).map_err(text)).1
}

pub(super) fn raise_limits(_: &Range) -> Verdict {
    let limits = [
        (Resource::RLIMIT_NPROC, "processes"),
        (Resource::RLIMIT_DATA, "memory"),
        (Resource::RLIMIT_NOFILE, "open files"),
        (Resource::RLIMIT_FSIZE, "file size"),
        (Resource::RLIMIT_CPU, "processor time"),
    ];
    any(limits, |(resource, name)| {
        let (_, hard) = getrlimit(resource).map_err(text)?;
        // The highest number of open files that a system allows is often 2^20.
        let higher = if resource == Resource::RLIMIT_NOFILE { 1 << 20 } else { nix::sys::resource::RLIM_INFINITY };
        setrlimit(resource, higher, higher).map_err(context(format!("{name} stay at {hard}")))?;
        Ok(format!("{name}: from {hard} to {higher}"))
    })
}

pub(super) fn raise_priority(_: &Range) -> Verdict {
    let commands: [&[&str]; 3] =
        [&["nice", "-n", "-10", "true"], &["chrt", "-f", "10", "true"], &["ionice", "-c", "1", "true"]];
    any(commands, |words| {
        let output = Command::new(words[0]).args(&words[1..]).output().map_err(context(words[0]))?;
        let errors = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        // `nice` runs the program even without the permission, and prints an error.
        if output.status.success() && errors.is_empty() { Ok(words[0].to_owned()) } else { Err(errors) }
    })
}
