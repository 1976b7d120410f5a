//! Advice for the authors of programs on how to fix a fault.

use std::path::{Path, PathBuf};

use games::GameId;
use process::sandbox::{Confinement, Tier, is_of_system};
use protocol::cs61b;
use referee::{Fault, FaultKind};

use crate::agent_spec::Words;
use crate::entry::paths::quoted_path;
use crate::entry::subject::Subject;
use crate::spec::Spec;

/// Returns the cause of a fault and the remedy. The cause is a file that the sandbox hides, if the program names one;
/// otherwise it is the usual cause of this kind of fault.
pub fn advice(fault: &Fault, subject: &Subject<'_>) -> String {
    let &Subject { spec, agent, .. } = subject;
    let hidden = if needs_files(fault.kind) { hidden_file(&fault.detail, subject) } else { None };
    hidden.unwrap_or_else(|| {
        usual_advice(fault.kind, agent.dialect.as_deref().unwrap_or_default(), spec)
            + sandbox_advice(fault.kind, subject)
    })
}

/// Returns the usual cause of a fault and the remedy, for the game and the dialect of the program.
fn usual_advice(kind: FaultKind, dialect: &str, spec: &Spec) -> String {
    let advice = match (kind, dialect) {
        (FaultKind::Illegal, "nus") => {
            "Compare with the legal moves: `echo 'POSITION' | plyhouse moves loa`, which counts rows from the bottom: \
             B1B3 is `b6-b4` there. A common cause is a board with rows and columns exchanged."
        }
        (FaultKind::Illegal, _) => {
            return format!(
                "Compare with the legal moves: `echo 'POSITION' | plyhouse moves {}`. A common cause is a board that is not \
                 updated after each move; see also the rule above.",
                spec.game
            );
        }
        (FaultKind::Unreadable, "nus") => {
            "Print one line such as D1B3 and nothing else to standard output. Prompts and debug output belong on standard \
             error (Python: `print(…, file=sys.stderr)`; C: `fprintf(stderr, …)`; Java: `System.err.println(…)`)."
        }
        (FaultKind::Unreadable, "cs61b") => return messages(&spec.game),
        (FaultKind::Unreadable, "comp10002") => {
            "The input was legal: compare your rules with the assignment. A computed action looks like `*** BLACK ACTION #1: G6-F5`."
        }
        (FaultKind::Unreadable, _) => "Answer `go` with `bestmove` and a move.",
        (FaultKind::Time, _) => {
            "It computed until its time was up: search less deeply, or check the clock during the search."
        }
        (FaultKind::Stall, _) => {
            "It was waiting, most likely for input, and did not compute. Is each line flushed (`flush=True`, `fflush(stdout)`, \
             `System.out.flush()`) and ended with a newline? Does it read more lines than it receives, or wait for the end of input?"
        }
        (FaultKind::Crash, _) => "Run it by hand with the same input, and read its standard error.",
        (FaultKind::NoStart, "cs61b") => {
            "Does the command run by hand in its folder? It must answer `dump` with a board between two lines of `===`."
        }
        (FaultKind::NoStart, "ugi") => {
            "Does the command run by hand in its folder? It must answer `isready` with `readyok`."
        }
        (FaultKind::NoStart, "uci") => {
            "Does the command run by hand in its folder? It must answer `uci` with its options and `uciok`, and `isready` \
             with `readyok`."
        }
        (FaultKind::NoStart, _) => {
            "Does the command run by hand in its folder? A script needs `#!` in its first line and `chmod +x`."
        }
        (FaultKind::Unasked, _) => "Answer each request once, and only after it.",
        (FaultKind::FalseClaim, _) => return end_of_the_game(spec),
        (FaultKind::Memory, _) => {
            "`limits.memory` is the maximum memory of all its processes together. Java takes a quarter of the machine's \
             memory unless an option limits it (`java -Xmx512m`)."
        }
        (FaultKind::Processes, _) => "`limits.processes` is the maximum number of processes and threads together.",
        (FaultKind::ProcessorTime, _) => {
            "`limits.cpu` is the maximum processor time of all its processes in a game, in seconds."
        }
        (FaultKind::Disk, _) => {
            "`limits.scratch` is the maximum size of its files, in bytes. `HOME` names the folder for them."
        }
        (FaultKind::Output, _) => {
            "Write less between two moves. `limits.output` is the maximum of standard output and standard error \
             together in a game, in bytes."
        }
    };
    advice.to_owned()
}

/// Returns additional advice for a program that crashes or does not start in a sandbox, which may hide its files.
pub(crate) fn sandbox_advice(kind: FaultKind, &Subject { agent, venue, .. }: &Subject<'_>) -> &'static str {
    let is_confined = venue.confinement.as_ref().is_some_and(|confinement| confinement.tier != Tier::None);
    if !is_confined || !needs_files(kind) {
        return "";
    }
    if agent.submitted {
        return " The sandbox shows only the submission's and the system's folders, and the variables PATH, HOME and \
                LANG: submit every file that the program reads, and name Java's classes with `java -cp`.";
    }
    " The sandbox shows only the program's folder and the system's folders, and the variables PATH, HOME and LANG: name \
     Java's classes with `java -cp`, name other folders with `readable` in the tournament file, or run this command with \
     `--sandbox none` to find out whether that is the cause."
}

/// Returns `true` for faults that a missing file can cause.
fn needs_files(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::NoStart | FaultKind::Crash)
}

/// Returns advice about an existing file that the sandbox hides, if the program's error or its command names one.
/// Returns `None` for submissions, whose authors must not find out which files the machine has.
pub(crate) fn hidden_file(error: &str, &Subject { agent, venue, .. }: &Subject<'_>) -> Option<String> {
    let confinement = venue.confinement.as_ref().filter(|confinement| confinement.tier != Tier::None)?;
    if agent.submitted {
        return None;
    }
    let folder = agent.directory.as_deref().unwrap_or(Path::new(".")).canonicalize().ok()?;
    let words = agent.command.as_ref().map(Words::words).unwrap_or_default();
    // The sandbox always shows the program itself.
    let (program, arguments) = words.split_first()?;
    let program = folder.join(program).canonicalize().ok();
    let in_words = arguments.iter().flat_map(|word| word.split([':', '='])).filter(|word| word.contains('/'));
    let mut named = paths(error).chain(in_words).map(|path| folder.join(path));
    let is_hidden = |path: PathBuf| program.as_ref() != Some(&path) && is_hidden(&path, &folder, confinement);
    let found = named.find(|path| path.canonicalize().is_ok_and(is_hidden))?;
    Some(format!(
        "`{}` exists, but the sandbox hides it: move it into the program's folder, name its folder with `readable` in the \
         tournament file, or run this command with `--sandbox none`.",
        quoted_path(&found.display().to_string())
    ))
}

/// Returns the absolute paths in an error: those in quotation marks, and those between spaces.
fn paths(error: &str) -> impl Iterator<Item = &str> {
    let quoted = error.split(['\'', '"', '`']);
    let bare = error.split_whitespace().map(|word| word.trim_matches(|c: char| c != '/' && !c.is_alphanumeric()));
    quoted.chain(bare).filter(|path| path.starts_with('/'))
}

/// Returns `true` if a sandbox hides a canonical path. Returns `false` for `/` and the folders in it.
fn is_hidden(path: &Path, folder: &Path, confinement: &Confinement) -> bool {
    let is_within = |shown: &Path| path.starts_with(shown);
    let readable = || confinement.readable.iter().filter_map(|path| path.canonicalize().ok());
    let is_shown = is_within(folder)
        || is_of_system(path)
        || ["/dev", "/proc", "/sys"].map(Path::new).into_iter().any(is_within)
        || readable().any(|path| is_within(&path));
    !is_shown && path.components().count() > 2
}

/// Returns advice about the lines that CS61B's program of a game prints.
fn messages(game: &str) -> String {
    let (example, result) = match game.parse() {
        Ok(cs61b::CourseGame::Jump61) => ("* 1 4", "* Red wins."),
        _ => ("* a2-c2", "* White wins."),
    };
    format!("Lines that begin with `*` are only for moves such as `{example}` and for results such as `{result}`")
}

/// Returns advice about the end of a game, with its rules in the referee's order.
fn end_of_the_game(spec: &Spec) -> String {
    let rules = spec.game.parse::<GameId>().map_or_else(|_| String::new(), |game| game.end_in_words());
    format!("Compare its end-of-game test with the rules: {rules}; after {} moves the game is drawn.", spec.move_limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent_spec::AgentSpec;
    use crate::draft::Draft;
    use crate::players::Venue;

    #[test]
    fn a_hidden_file_is_reported() {
        let (own, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let file = other.path().canonicalize().expect("a folder").join("my agent.py");
        std::fs::write(&file, "").expect("written");
        let file = file.display().to_string();
        let spec = Draft::new("loa").spec;
        let advise = |tier, command: &[&str], error: &str, readable: &[&Path], submitted| {
            let words = Words::List(command.iter().map(|&word| word.to_owned()).collect());
            let directory = Some(own.path().to_owned());
            let agent = AgentSpec { command: Some(words), directory, submitted, ..AgentSpec::default() };
            let readable = readable.iter().map(|&path| path.to_owned()).collect();
            let confinement = Confinement { tier, readable, ..Confinement::none("x".into()) };
            let venue = Venue { confinement: Some(confinement), ..Venue::default() };
            let subject = Subject { spec: &spec, agent: &agent, venue: &venue };
            advice(&Fault::new(FaultKind::NoStart, error), &subject)
        };
        let advised =
            |tier, command: &[&str], error: &str, readable: &[&Path]| advise(tier, command, error, readable, false);
        let named = format!("`{file}` exists, but the sandbox hides it: move it");
        let by_error =
            format!("not ready: exit code 2; its standard error: python3: can't open file '{file}': [Errno 2]");
        assert!(advised(Tier::Landlock, &["sh", "a.sh"], &by_error, &[]).starts_with(&named));
        assert!(advised(Tier::Landlock, &["python3", &file], "exit code 2", &[]).starts_with(&named));
        let folder = other.path().display();
        let java = advised(Tier::Landlock, &["java", "-cp", &format!(".:{folder}"), "A"], "exit code 1", &[]);
        assert!(java.contains("exists, but the sandbox hides it"), "{java}");
        let submitted = advise(Tier::Landlock, &["sh", "a.sh"], &by_error, &[], true);
        assert!(submitted.contains("submit every file") && !submitted.contains("exists"), "{submitted}");
        for usual in [
            advised(Tier::Landlock, &[&file], "exit code 2", &[]),
            advised(Tier::None, &["sh", "a.sh"], &by_error, &[]),
            advised(Tier::Landlock, &["sh", "a.sh"], &by_error, &[other.path()]),
            advised(Tier::Landlock, &["sh", "/no/such/file"], "cannot open /dev/null, /usr/bin/env, /tmp or /", &[]),
        ] {
            assert!(usual.starts_with("Does the command run by hand"), "{usual}");
        }
    }

    #[test]
    fn advice_is_about_the_game_that_was_played() {
        let about = |game: &str, kind, dialect: &str| usual_advice(kind, dialect, &Draft::new(game).spec);
        let claim = |game: &str| about(game, FaultKind::FalseClaim, "ugi");
        assert_eq!(
            claim("checkers"),
            "Compare its end-of-game test with the rules: a side has won when the other side has nothing left; a side that has \
             no move on its turn has lost; after 200 moves the game is drawn."
        );
        assert!(claim("loa").contains("all its pieces are connected"), "{}", claim("loa"));
        assert!(claim("jump61").contains("every square has its colour; after"), "{}", claim("jump61"));
        assert!(about("jump61", FaultKind::Unreadable, "cs61b").contains("`* 1 4`"));
        for game in GameId::BUILT_IN {
            let illegal = about(&game.to_string(), FaultKind::Illegal, "ugi");
            assert!(
                illegal.contains(&format!("`echo 'POSITION' | plyhouse moves {game}`")) && !illegal.contains("line"),
                "{illegal}"
            );
        }
    }
}
