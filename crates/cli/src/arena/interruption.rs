//! Prints the standings and the command to resume when a tournament is interrupted.

use std::ffi::OsString;
use std::io::{IsTerminal, Write, stderr};

use arena::{Location, Store, Tournament};
use process::interrupt;
use process::system::second_stdout;

use super::escaping::EscapingWriter;
use super::head::{print_head, with_head};
use super::options::PlayOptions;
use super::show;

/// Makes an interrupt print the standings and the command to resume.
pub(super) fn print_standings_on_interrupt(store: &Location, tournament: &Tournament, options: &PlayOptions) {
    if options.quiet {
        return;
    }
    let (store, tournament, json) = (store.clone(), tournament.clone(), options.json);
    let command = command(&store, tournament.id, options.jobs, options.hand_out);
    interrupt::before_end(move || {
        // The program is ending, so errors are ignored.
        let _ = print_standings(&store, &tournament, json, &command);
    });
}

fn print_standings(location: &Location, tournament: &Tournament, json: bool, command: &str) -> anyhow::Result<()> {
    // The main thread never unlocks standard output, so this thread needs a second handle. Output does not mix, because
    // the main thread writes whole lines.
    let mut out = second_stdout()?;
    if stderr().is_terminal() {
        // Clears the progress bar.
        write!(stderr(), "\r\x1b[K")?;
    }
    let has_password = location.has_password();
    let store = Store::open(location)?;
    let standings = show::read(&store, tournament)?;
    let mut text = Vec::new();
    if json {
        writeln!(text, "{}", with_head(show::json(tournament, &standings), &store, tournament)?)?;
    } else {
        show::print(tournament, &standings, &mut text)?;
        print_head(&store, tournament, &mut text)?;
    }
    EscapingWriter::new(&mut out).write_all(&text)?;
    writeln!(stderr(), "\ninterrupted; resume with:\n    {command}")?;
    if has_password {
        writeln!(stderr(), "and the password of the store in the variable PGPASSWORD or in the URL")?;
    }
    Ok(())
}

/// Returns the command that resumes a tournament, quoted for a shell.
fn command(store: &Location, tournament: i64, jobs: Option<u64>, hand_out: bool) -> String {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(2).is_some_and(|word| word == "resume") {
        // The same command works again and keeps its options, such as another sandbox.
        return arguments.iter().map(|word| quoted(&without_password(word))).collect::<Vec<_>>().join(" ");
    }
    let program = arguments.first().cloned().unwrap_or_else(|| "plyhouse".to_owned());
    let mut words = vec![program, "arena".into(), "resume".into(), "--store".into(), store.to_string()];
    words.extend(["--tournament".into(), tournament.to_string()]);
    if let Some(jobs) = jobs {
        words.extend(["--jobs".into(), jobs.to_string()]);
    }
    if hand_out {
        words.push("--hand-out".into());
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Returns a word of a command without the password of its URL, if it has one.
fn without_password(word: &str) -> String {
    let (option, value) = match word.strip_prefix("--store=") {
        Some(value) => ("--store=", value),
        None => ("", word),
    };
    Location::try_from(OsString::from(value)).map_or_else(|_| word.to_owned(), |store| format!("{option}{store}"))
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_command_has_no_password() {
        let url = "postgres://ann:se%40cret@host:5433/cups?connect_timeout=3";
        let store = Location::try_from(OsString::from(url)).expect("a URL");
        let text = command(&store, 1, None, false);
        let shown = "postgres://ann@host:5433/cups?connect_timeout=3";
        assert!(text.ends_with(&format!(" arena resume --store '{shown}' --tournament 1")), "{text}");
        assert_eq!(without_password(url), shown);
        assert_eq!(without_password(&format!("--store={url}")), format!("--store={shown}"));
        assert_eq!(without_password("--jobs"), "--jobs");
    }

    #[test]
    fn the_command_is_quoted_for_a_shell() {
        let text = command(&PathBuf::from("my cup's.sqlite").into(), 3, Some(2), false);
        assert!(text.ends_with(" arena resume --store 'my cup'\\''s.sqlite' --tournament 3 --jobs 2"), "{text}");
        let text = command(&PathBuf::from("cups/arena.sqlite").into(), 1, None, true);
        assert!(text.ends_with(" arena resume --store cups/arena.sqlite --tournament 1 --hand-out"), "{text}");
    }
}
