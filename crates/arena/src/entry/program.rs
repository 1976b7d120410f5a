//! Diagnoses program files that the system cannot start.

use std::io::Read;
use std::path::Path;

use process::Command;
use process::sandbox::Access;
use process::system::is_executable;

use crate::agent_spec::{AgentSpec, Words};
use crate::entry::archives::{Archive, archives};
use crate::entry::paths::quoted_path;
use crate::machine::open_ordinary;
use crate::players::Venue;

/// A cause and its remedy.
pub(crate) type Cause = (String, String);
/// Returns `true` if this machine has a program.
type Has<'a> = &'a dyn Fn(&str) -> bool;

/// Processor architectures: the value of `e_machine` in ELF files, the name in Rust, and the family.
const MACHINES: [(u16, &str, &str); 6] = [
    (3, "x86", "32-bit x86"),
    (40, "arm", "32-bit ARM"),
    (62, "x86_64", "64-bit x86"),
    (183, "aarch64", "64-bit ARM"),
    (243, "riscv64", "64-bit RISC-V"),
    (258, "loongarch64", "LoongArch"),
];
/// Remedy for programs of other systems.
const SOURCE: &str = "submit the source code and a build line in `agent.toml`, such as `build = \"make\"` or \
                      `build = \"gcc -O2 -o agent agent.c\"`";

/// First bytes of programs for other systems. A macOS program for several architectures is not listed: it begins with
/// the same bytes as a Java class, which is more likely.
const FOREIGN: [(&[u8], &str); 3] =
    [(b"MZ", "a Windows program"), (b"\xcf\xfa\xed\xfe", "a macOS program"), (b"\xce\xfa\xed\xfe", "a macOS program")];

/// Returns why the system would refuse to start an agent's program in its sandbox, if its command names a path, a shell
/// script or a program without its version.
pub(crate) fn diagnose(agent: &AgentSpec, venue: &Venue) -> Option<Cause> {
    let words = agent.command.as_ref().map(Words::words)?;
    let folder = agent.directory.as_deref().unwrap_or(Path::new(""));
    let program = words.first()?;
    let has = |program: &str| {
        let command = Command { words: vec![program.to_owned()], directory: agent.directory.clone() };
        // A sandbox that does not work is reported when the agent starts.
        venue.host(agent, Access::Read).is_ok_and(|mut host| host.check(&command).is_ok())
    };
    let cause = if program.contains('/') { diagnose_file(folder, program, &has) } else { find_successor(&words, &has) };
    cause.or_else(|| find_carriage_return(folder, script(&words)?))
}

/// Reports a program such as `python` that this machine has only as `python3`. `has` returns `true` if this machine has
/// a program.
fn find_successor(words: &[String], has: Has<'_>) -> Option<Cause> {
    let (program, arguments) = words.split_first()?;
    let other = format!("{program}3");
    if has(program) || !has(&other) {
        return None;
    }
    let what = format!("`{}`: this machine has no such program", quoted_path(program));
    let command: Vec<&str> = std::iter::once(other.as_str()).chain(arguments.iter().map(String::as_str)).collect();
    let command = quoted_path(&command.join(" "));
    Some((what, format!("this machine has `{other}`: write `command = \"{command}\"`")))
}

/// Returns why the system would refuse to start the file `word` of a folder.
fn diagnose_file(folder: &Path, word: &str, has: Has<'_>) -> Option<Cause> {
    let path = folder.join(word);
    let shown = quoted_path(word);
    let Ok(data) = path.metadata() else {
        let what = format!("`{shown}`: no such file");
        return Some(match archives(folder).first() {
            Some(Archive { name, what: kind, remedy }) => (format!("{what}, but `{name}`: {kind}"), remedy.clone()),
            None => (what, "name a file of the folder, or build the program".to_owned()),
        });
    };
    if !data.is_file() {
        return Some((format!("`{shown}`: not a file"), "name the program's file".to_owned()));
    }
    if let Some(cause) = diagnose_header(&head(&path)?, &shown, has) {
        return Some(cause);
    }
    (!is_executable(&data)).then(|| (format!("`{shown}`: it is not executable"), format!("chmod +x {shown}")))
}

/// Shells, which treat a carriage return as part of the preceding word.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// Returns the script that a command runs in a shell, as in `sh -e agent.sh` or `/usr/bin/env bash agent.sh`.
fn script(words: &[String]) -> Option<&str> {
    let is_named =
        |word: &str, names: &[&str]| Path::new(word).file_name().is_some_and(|n| names.iter().any(|x| n == *x));
    let words = if is_named(words.first()?, &["env"]) { &words[1..] } else { words };
    let (shell, rest) = words.split_first()?;
    let script = rest.iter().find(|word| !word.starts_with('-')).filter(|_| !rest.iter().any(|word| word == "-c"))?;
    is_named(shell, &SHELLS).then_some(script.as_str())
}

/// Reports the first line of a shell script that ends in CR LF.
fn find_carriage_return(folder: &Path, script: &str) -> Option<Cause> {
    let head = head(&folder.join(script))?;
    let number = head.split(|&byte| byte == b'\n').position(|line| line.ends_with(b"\r"))? + 1;
    Some(cr_lf(&quoted_path(script), number))
}

fn cr_lf(name: &str, line: usize) -> Cause {
    (format!("`{name}`: line {line} ends in CR LF"), format!("save the file with Unix line endings (dos2unix {name})"))
}

/// Returns the first bytes of an ordinary file.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    open_ordinary(path).ok()?.take(512).read_to_end(&mut head).ok()?;
    Some(head)
}

/// Returns why the system would refuse to start a program with these first bytes.
fn diagnose_header(head: &[u8], name: &str, has: Has<'_>) -> Option<Cause> {
    if let Some(header) = head.strip_prefix(b"\x7fELF") {
        let machine = u16::from_le_bytes([*header.get(14)?, *header.get(15)?]);
        let here = std::env::consts::ARCH;
        let (_, found, family) = MACHINES.into_iter().find(|&(number, ..)| number == machine)?;
        let own = MACHINES.into_iter().find(|&(_, name, _)| name == here).map_or("another one", |(.., family)| family);
        return (found != here).then(|| {
            let what = format!(
                "`{name}`: it was compiled for a {family} processor ({found}), but this machine has a {own} processor \
                 ({here})"
            );
            (what, SOURCE.to_owned())
        });
    }
    if let Some((_, kind)) = FOREIGN.into_iter().find(|(bytes, _)| head.starts_with(bytes)) {
        let what = format!("`{name}`: it is {kind}, but this machine runs Linux");
        return Some((what, SOURCE.to_owned()));
    }
    if head.starts_with(b"\xca\xfe\xba\xbe") {
        let class =
            Path::new(name).file_stem().map_or_else(|| "Agent".to_owned(), |stem| stem.to_string_lossy().into());
        let what = format!("`{name}`: it is a Java class, which the system cannot start");
        return Some((what, format!("write `command = \"java -cp . {class}\"`")));
    }
    let Some(rest) = head.strip_prefix(b"#!") else {
        let what = format!("`{name}`: it is neither a Linux executable nor a script with `#!` in its first line");
        return Some((what, "begin it with a line such as `#!/usr/bin/env python3`".to_owned()));
    };
    let line = String::from_utf8_lossy(rest.split(|&byte| byte == b'\n').next()?).into_owned();
    if line.ends_with('\r') {
        return Some(cr_lf(name, 1));
    }
    let mut words = line.split_whitespace();
    let interpreter = words.next()?;
    // `env` searches `PATH` for the program in its arguments.
    let wanted =
        if Path::new(interpreter).ends_with("env") { words.find(|w| !w.starts_with('-'))? } else { interpreter };
    if has(wanted) {
        return None;
    }
    let shown = quoted_path(wanted);
    let other = format!("{wanted}3");
    let remedy = if has(&other) {
        format!("this machine has `{other}`: write `#!{}`", line.trim().replace(wanted, &other))
    } else {
        "write `#!/usr/bin/env` with a program that this machine has".to_owned()
    };
    Some((format!("`{name}`: line 1 names `{shown}`, which this machine does not have"), remedy))
}

#[cfg(test)]
mod tests {
    use process::system::set_mode;

    use super::*;

    #[test]
    fn each_cause_is_reported_with_its_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        elf.resize(18, 0);
        elf.extend(if cfg!(target_arch = "aarch64") { [62, 0] } else { [183, 0] });
        let cases: [(&[u8], u32, Option<&str>); 11] = [
            (b"#!/bin/sh\n", 0o755, None),
            (b"#!/bin/sh\n", 0o644, Some("it is not executable; chmod +x ./agent")),
            (
                b"#!/bin/sh\r\nexit\r\n",
                0o755,
                Some("line 1 ends in CR LF; save the file with Unix line endings (dos2unix"),
            ),
            (b"#!/usr/bin/env -S sh -e\r\nexit\r\n", 0o755, Some("`./agent`: line 1 ends in CR LF; save the file")),
            (
                b"#!/no/such/perl\n",
                0o755,
                Some("line 1 names `/no/such/perl`, which this machine does not have; write"),
            ),
            (b"#!/usr/bin/env no-such-perl\n", 0o755, Some("line 1 names `no-such-perl`, which")),
            (b"print('hello')\n", 0o755, Some("nor a script with `#!` in its first line; begin it with")),
            (
                b"MZ\x90\0",
                0o755,
                Some("`./agent`: it is a Windows program, but this machine runs Linux; submit the source"),
            ),
            (b"\xcf\xfa\xed\xfe\x07", 0o755, Some("it is a macOS program, but")),
            (
                b"\xca\xfe\xba\xbe\0",
                0o644,
                Some("it is a Java class, which the system cannot start; write `command = \"java -cp . agent\"`"),
            ),
            (&elf, 0o755, Some("; submit the source code and a build line")),
        ];
        for (content, mode, expected) in cases {
            let path = folder.path().join("agent");
            std::fs::write(&path, content).expect("written");
            set_mode(&path, mode).expect("changed");
            let command = Some(Words::Text("./agent".to_owned()));
            let agent = AgentSpec { command, directory: Some(folder.path().to_owned()), ..AgentSpec::default() };
            let found = diagnose(&agent, &Venue::default()).map(|(what, remedy)| format!("{what}; {remedy}"));
            assert_eq!(found.is_some(), expected.is_some(), "{found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()), "{expected:?}");
        }
    }

    #[test]
    fn shell_scripts_need_unix_line_endings() {
        let folder = tempfile::tempdir().expect("a folder");
        let diagnosed = |command: &str, content: &str| {
            std::fs::write(folder.path().join("agent.sh"), content).expect("written");
            let command = Some(Words::Text(command.to_owned()));
            let agent = AgentSpec { command, directory: Some(folder.path().to_owned()), ..AgentSpec::default() };
            diagnose(&agent, &Venue::default()).map(|(what, _)| what)
        };
        let at = |line| Some(format!("`agent.sh`: line {line} ends in CR LF"));
        assert_eq!(diagnosed("sh agent.sh", "#!/bin/sh -e\r\nexit 1\r\n"), at(1));
        assert_eq!(diagnosed("/bin/sh -e agent.sh x", "# mine\nexit 1\r\n"), at(2));
        assert_eq!(diagnosed("/usr/bin/env sh agent.sh", "exit\r\n"), at(1));
        for (command, content) in
            [("sh agent.sh", "exit\n"), ("cat agent.sh", "\r\n"), ("sh -c agent.sh", "\r\n"), ("sh x", "")]
        {
            assert_eq!(diagnosed(command, content), None, "{command}");
        }
        std::fs::write(folder.path().join("agent.7z"), b"7z\xbc\xaf\x27\x1c").expect("written");
        let missing = diagnosed("./agent", "").expect("no such file");
        assert_eq!(missing, "`./agent`: no such file, but `agent.7z`: it is a 7-Zip archive");
    }

    #[test]
    fn a_missing_interpreter_is_reported_with_the_one_that_exists() {
        let folder = tempfile::tempdir().expect("a folder");
        let interpreter = folder.path().join("lang3");
        std::fs::write(&interpreter, "").expect("written");
        set_mode(&interpreter, 0o755).expect("changed");
        let missing = folder.path().join("lang").display().to_string();
        let script = folder.path().join("a.py");
        std::fs::write(&script, format!("#!{missing} -u\n")).expect("written");
        set_mode(&script, 0o755).expect("changed");
        let command = Some(Words::Text("./a.py".to_owned()));
        let agent = AgentSpec { command, directory: Some(folder.path().to_owned()), ..AgentSpec::default() };
        let (what, remedy) = diagnose(&agent, &Venue::default()).expect("a cause");
        assert_eq!(what, format!("`./a.py`: line 1 names `{missing}`, which this machine does not have"));
        assert_eq!(remedy, format!("this machine has `{missing}3`: write `#!{missing}3 -u`"));

        let words = ["lang", "a.py"].map(str::to_owned);
        let (what, remedy) = find_successor(&words, &|program| program == "lang3").expect("a cause");
        assert_eq!(what, "`lang`: this machine has no such program");
        assert_eq!(remedy, "this machine has `lang3`: write `command = \"lang3 a.py\"`");
        assert_eq!(find_successor(&words, &|_| false), None, "the start of the program reports it");
    }
}
