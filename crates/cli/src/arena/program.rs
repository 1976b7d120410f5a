//! Why the file of a program cannot be started, found by looking at the file.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use arena::{AgentSpec, Words};

/// A cause with its remedy.
pub(super) type Cause = (String, String);

/// Kinds of processors, with their numbers in the header of an ELF file and Rust's names.
const MACHINES: [(u16, &str); 6] =
    [(3, "x86"), (40, "arm"), (62, "x86_64"), (183, "aarch64"), (243, "riscv64"), (258, "loongarch64")];

/// Returns why the system would refuse to start the program of an agent, if it is a file of its folder.
pub(super) fn refused(agent: &AgentSpec) -> Option<Cause> {
    let word = agent.command.as_ref().map(Words::words)?.into_iter().next().filter(|word| word.contains('/'))?;
    let path = agent.directory.as_deref().unwrap_or(Path::new("")).join(&word);
    let shown = game::text::excerpt(&word);
    let Ok(data) = path.metadata() else {
        return Some((format!("`{shown}`: no such file"), "name a file of the folder, or build it".to_owned()));
    };
    if !data.is_file() {
        return Some((format!("`{shown}`: not a file"), "name the program's file".to_owned()));
    }
    let mut head = Vec::new();
    File::open(&path).ok()?.take(512).read_to_end(&mut head).ok()?;
    if let Some(cause) = unfit(&head, &shown) {
        return Some(cause);
    }
    let is_executable = data.permissions().mode() & 0o111 != 0;
    (!is_executable).then(|| (format!("`{shown}`: its run bit is missing"), format!("chmod +x {shown}")))
}

/// Judges a program by its first bytes.
fn unfit(head: &[u8], name: &str) -> Option<Cause> {
    if let Some(header) = head.strip_prefix(b"\x7fELF") {
        let machine = u16::from_le_bytes([*header.get(14)?, *header.get(15)?]);
        let (_, found) = MACHINES.into_iter().find(|&(number, _)| number == machine)?;
        let here = std::env::consts::ARCH;
        return (found != here).then(|| {
            let what = format!("`{name}`: it was compiled for {found}, and this machine is {here}");
            (what, "hand in the source with a build line, such as `build = \"make\"`".to_owned())
        });
    }
    let Some(rest) = head.strip_prefix(b"#!") else {
        let what =
            format!("`{name}`: it is neither a compiled program of Linux nor a script with `#!` in its first line");
        return Some((what, "begin it with a line such as `#!/usr/bin/env python3`".to_owned()));
    };
    let line = String::from_utf8_lossy(rest.split(|&byte| byte == b'\n').next()?).into_owned();
    if line.ends_with('\r') {
        let remedy = format!("save the file with Unix line ends (dos2unix {name})");
        return Some((format!("`{name}`: line 1 ends in CR LF"), remedy));
    }
    let mut words = line.split_whitespace();
    let interpreter = words.next()?;
    // `env` finds its program on the search path.
    let wanted =
        if Path::new(interpreter).ends_with("env") { words.find(|w| !w.starts_with('-'))? } else { interpreter };
    if process::find(wanted, None).is_ok() {
        return None;
    }
    let shown = game::text::excerpt(wanted);
    let other = format!("{wanted}3");
    let remedy = match process::find(&other, None) {
        Ok(found) => format!("this machine has {}: write `#!{}`", found.display(), line.trim().replace(wanted, &other)),
        Err(_) => "write `#!/usr/bin/env` and the name of a program that this machine has".to_owned(),
    };
    Some((format!("`{name}`: line 1 names {shown}, which this machine does not have"), remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        elf.resize(18, 0);
        elf.extend(if cfg!(target_arch = "aarch64") { [62, 0] } else { [183, 0] });
        let cases: [(&[u8], u32, Option<&str>); 7] = [
            (b"#!/bin/sh\n", 0o755, None),
            (b"#!/bin/sh\n", 0o644, Some("its run bit is missing; chmod +x ./agent")),
            (
                b"#!/bin/sh\r\nexit\r\n",
                0o755,
                Some("line 1 ends in CR LF; save the file with Unix line ends (dos2unix"),
            ),
            (b"#!/no/such/perl\n", 0o755, Some("line 1 names /no/such/perl, which this machine does not have; write")),
            (b"#!/usr/bin/env no-such-perl\n", 0o755, Some("line 1 names no-such-perl, which")),
            (b"print('hello')\n", 0o755, Some("nor a script with `#!` in its first line; begin it with")),
            (&elf, 0o755, Some("; hand in the source with a build line")),
        ];
        for (content, mode, expected) in cases {
            let path = folder.path().join("agent");
            std::fs::write(&path, content).expect("written");
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("changed");
            let command = Some(Words::Text("./agent".to_owned()));
            let agent = AgentSpec { command, directory: Some(folder.path().to_owned()), ..AgentSpec::default() };
            let found = refused(&agent).map(|(what, remedy)| format!("{what}; {remedy}"));
            assert_eq!(found.is_some(), expected.is_some(), "{found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()), "{expected:?}");
        }
    }
}
