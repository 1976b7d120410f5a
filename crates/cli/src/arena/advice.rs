//! Advice for the author of a program that made a fault.

use arena::{Spec, Venue};
use games::GameId;
use protocol::cs61b;
use referee::FaultKind;
use sandbox::Tier;

/// Names the usual cause of a fault and the remedy, for the game and the dialect of the program.
pub(super) fn advice(kind: FaultKind, dialect: &str, spec: &Spec) -> String {
    let advice = match (kind, dialect) {
        (FaultKind::Illegal, _) => {
            return format!(
                "Compare with the legal moves: `echo 'POSITION' | plyhouse moves {}`. A usual cause is a board that is not up \
                 to date; the others are in the rule above.",
                spec.game
            );
        }
        (FaultKind::Unreadable, "nus") => {
            "Print one line such as D1B3 and nothing else to standard output. Debug output belongs on standard error."
        }
        (FaultKind::Unreadable, "cs61b") => return messages(&spec.game),
        (FaultKind::Unreadable, "comp10002") => {
            "The input was legal: compare your rules with the assignment. A computed action is `*** BLACK ACTION #1: G6-F5`."
        }
        (FaultKind::Unreadable, _) => "Answer `go` with `bestmove` and a move.",
        (FaultKind::Time, _) => {
            "It was computing until its time was up: search less deep, or look at the clock while searching."
        }
        (FaultKind::Stall, _) => {
            "It was not computing, but waiting, most likely for input. Is each line flushed (`flush=True`, `fflush(stdout)`, \
             `System.out.flush()`) and ended with a newline? Does it read more lines than it is sent, or wait for the end of input?"
        }
        (FaultKind::Crash, _) => "Run it by hand with the same input, and read its standard error.",
        (FaultKind::NoStart, "cs61b") => {
            "Does the command run by hand in its folder? It must answer `dump` with a board between two lines of `===`."
        }
        (FaultKind::NoStart, "ugi") => {
            "Does the command run by hand in its folder? It must answer `isready` with `readyok`."
        }
        (FaultKind::NoStart, _) => {
            "Does the command run by hand in its folder? A script needs `#!` in its first line and `chmod +x`."
        }
        (FaultKind::Unasked, _) => "Answer each request once, and nothing before it.",
        (FaultKind::FalseClaim, _) => return end_of_the_game(spec),
        (FaultKind::Memory, _) => {
            "All its processes together may use `limits.memory`. Java takes a quarter of the machine's memory unless \
             it is told otherwise (`java -Xmx512m`)."
        }
        (FaultKind::Processes, _) => "Processes and threads count together; `limits.processes` is the most.",
        (FaultKind::ProcessorTime, _) => "All its processes in a game together may compute for `limits.cpu` seconds.",
        (FaultKind::Disk, _) => "It may write `limits.scratch` bytes, to files in the folder that `HOME` names.",
        (FaultKind::Output, _) => {
            "Write less between two moves. In a game it may write `limits.output` bytes to standard output and \
             standard error together."
        }
    };
    advice.to_owned()
}

/// Returns more advice for a program that does not start, or ends, in a sandbox: what it needs may be hidden.
pub(super) fn sandbox_advice(kind: FaultKind, venue: &Venue) -> &'static str {
    let is_confined = venue.confinement.as_ref().is_some_and(|confinement| confinement.tier != Tier::None);
    if !is_confined || !matches!(kind, FaultKind::NoStart | FaultKind::Crash) {
        return "";
    }
    " The sandbox hides all folders but its own and the system's, and all variables but PATH, HOME and LANG: name Java's \
     classes with `java -cp`, name other folders with `readable` in the tournament file, or run this command with \
     `--sandbox none` to see whether that is the cause."
}

/// The messages of the CS61B program of a game.
fn messages(game: &str) -> String {
    let (example, result) = match game.parse() {
        Ok(cs61b::CourseGame::Jump61) => ("* 1 4", "* Red wins."),
        _ => ("* a2-c2", "* White wins."),
    };
    format!("Lines that begin with `*` are only for moves such as `{example}` and for results such as `{result}`")
}

/// The rules about the end of a game, in the order in which the referee applies them.
fn end_of_the_game(spec: &Spec) -> String {
    let rules = spec.game.parse::<GameId>().map_or_else(|_| String::new(), |game| game.end_in_words());
    format!("Compare its end of the game with the rules: {rules}; after {} moves the game is drawn.", spec.move_limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::Draft;

    #[test]
    fn advice_is_about_the_game_that_was_played() {
        let about = |game: &str, kind, dialect: &str| advice(kind, dialect, &Draft::new(game).spec);
        let claim = |game: &str| about(game, FaultKind::FalseClaim, "ugi");
        assert_eq!(
            claim("checkers"),
            "Compare its end of the game with the rules: a side has won when the other side has nothing left; a side that has \
             no move on its turn has lost; after 200 moves the game is drawn."
        );
        assert!(claim("loa").contains("all its pieces are connected"), "{}", claim("loa"));
        assert!(claim("jump61").contains("every square has its colour; after"), "{}", claim("jump61"));
        assert!(about("jump61", FaultKind::Unreadable, "cs61b").contains("`* 1 4`"));
        for game in GameId::ALL {
            let illegal = about(&game.to_string(), FaultKind::Illegal, "ugi");
            assert!(
                illegal.contains(&format!("`echo 'POSITION' | plyhouse moves {game}`")) && !illegal.contains("line"),
                "{illegal}"
            );
        }
    }
}
