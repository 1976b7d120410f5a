//! What an interrupted tournament says: the standings, and how to go on.

use std::fs::File;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::os::fd::AsFd;
use std::path::Path;

use arena::{Store, Tournament};
use process::interrupt;

use super::foreign::Printable;
use super::play::Talk;
use super::{print_head, show};

/// From now on an interrupt prints the standings and the command that goes on.
pub(super) fn prepare(store: &Path, tournament: &Tournament, talk: &Talk) {
    if talk.quiet {
        return;
    }
    let (store, tournament, json) = (store.to_owned(), tournament.clone(), talk.json);
    let command = command(&store, tournament.id, talk.jobs);
    interrupt::before_end(move || {
        // Nobody can be told about an error here.
        let _ = say(&store, &tournament, json, &command);
    });
}

fn say(store: &Path, tournament: &Tournament, json: bool, command: &str) -> anyhow::Result<()> {
    // The main thread has locked standard output for good, so this is a second handle. That thread writes out whole
    // lines.
    let mut out = File::from(stdout().as_fd().try_clone_to_owned()?);
    if stderr().is_terminal() {
        // Over the progress bar.
        write!(stderr(), "\r\x1b[K")?;
    }
    let store = Store::open(store)?;
    let standings = show::read(&store, tournament)?;
    let mut text = Vec::new();
    if json {
        writeln!(text, "{}", show::with_head(show::json(tournament, &standings), &store, tournament)?)?;
    } else {
        show::print(tournament, &standings, &mut text)?;
        print_head(&store, tournament, &mut text)?;
    }
    Printable::new(&mut out).write_all(&text)?;
    writeln!(stderr(), "\ninterrupted; to go on:\n    {command}")?;
    Ok(())
}

/// The command that continues a tournament, as a shell reads it.
fn command(store: &Path, tournament: i64, jobs: Option<u64>) -> String {
    let own: Vec<String> = std::env::args().collect();
    if own.get(2).is_some_and(|word| word == "resume") {
        // It was resumed already. What was right for that, such as another sandbox, is right again.
        return own.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    }
    let program = own.first().cloned().unwrap_or_else(|| "plyhouse".to_owned());
    let mut words = vec![program, "arena".into(), "resume".into(), "--store".into(), store.display().to_string()];
    words.extend(["--tournament".into(), tournament.to_string()]);
    if let Some(jobs) = jobs {
        words.extend(["--jobs".into(), jobs.to_string()]);
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
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
    use super::*;

    #[test]
    fn the_command_is_quoted_for_a_shell() {
        let text = command(Path::new("my cup's.sqlite"), 3, Some(2));
        assert!(text.ends_with(" arena resume --store 'my cup'\\''s.sqlite' --tournament 3 --jobs 2"), "{text}");
        let text = command(Path::new("cups/arena.sqlite"), 1, None);
        assert!(text.ends_with(" arena resume --store cups/arena.sqlite --tournament 1"), "{text}");
    }
}
