//! The engine's side of the Universal Game Interface. It parses the lines of the protocol and keeps the game.
//!
//! The protocol generalizes UCI (<https://github.com/kz04px/cutegames/blob/master/ugi.md>). The first player is the
//! side that opens the game; positions and moves are in Plyhouse notation.
//!
//! ```
//! use console::ugi::{Machine, Reply};
//! use games::GameId;
//!
//! let mut machine = Machine::new(GameId::LOA, None)?;
//! machine.line("position startpos moves b1-b3 a2-c2")?;
//! assert_eq!(machine.line("query p1turn")?, Reply::Say(vec!["response true".to_owned()]));
//! assert!(machine.line("position startpos moves b1-b4").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::time::Duration;

use engine::{Level, limits_on_clock};
use game::text::excerpt;
use game::{Outcome, Side};
use games::{AnyRecord, GameId, NoPosition, RuleSet, Rules, SizeError, UnknownRules};
use search::{Limits, Progress};

use crate::session::CommandError;

/// A setting that a line changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `level`, 1 to 10.
    Level(Level),
    /// `threads`.
    Threads(u16),
    /// `hash`: size of each table, in MiB.
    Hash(u32),
    /// `seed`.
    Seed(u64),
    /// `book`: `true` if the engine plays from its opening book.
    Book(bool),
    /// `ponder`: `true` if answers contain the expected next move.
    Ponder(bool),
}

/// The action that a line requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Print these lines.
    Say(Vec<String>),
    /// Clear all state, because a new game begins.
    NewGame,
    /// Change a setting.
    Set(Setting),
    /// Search the position now.
    Search(Limits),
    /// Search the position after the opponent's expected move, while the opponent is to move. Time limits apply from
    /// [`PonderHit`](Self::PonderHit) on, and the answer is printed after it.
    Ponder(Limits),
    /// Stop the search, then print this error and [`NULL_MOVE`]. The line requested a search that is rejected, and the
    /// client waits for an answer.
    NoSearch(CommandError),
    /// Continue as a normal search: the opponent has made the expected move.
    PonderHit,
    /// Stop the search.
    Stop,
    /// End the program.
    Quit,
}

/// Response to `go` if there is no move.
pub const NULL_MOVE: &str = "bestmove 0000";

/// Maximum depth of a search without a limit, in plies.
const DEEPEST: u32 = 100;

/// The maximum values of the options on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Number of threads.
    pub threads: u16,
    /// Size of each table, in MiB.
    pub hash: u32,
}

impl Default for Most {
    fn default() -> Self {
        Self { threads: 256, hash: 65_536 }
    }
}

/// The state of an engine program. The referee is responsible for draws by repetition.
pub struct Machine {
    /// Board size of `startpos`; the game's usual size if unset.
    size: Option<usize>,
    /// Rule set of the option `rules`. It replaces the rules that a position text names.
    rules: Option<&'static RuleSet>,
    usual: Box<dyn AnyRecord>,
    game: Box<dyn AnyRecord>,
    /// `true` if the last `position` was rejected. `game` is then still the earlier game, which must not be searched.
    is_refused: bool,
    most: Most,
}

impl Machine {
    /// Creates a machine whose `startpos` is the start position of a game.
    ///
    /// # Errors
    /// If the game is not played on this size.
    pub fn new(game: GameId, size: Option<usize>) -> Result<Self, SizeError> {
        let usual = game.start(size)?;
        let game = usual.cloned();
        Ok(Self { size, rules: None, usual, game, is_refused: false, most: Most::default() })
    }

    /// Returns the machine with other maximum values for its options.
    #[must_use]
    pub fn with_most(self, most: Most) -> Self {
        Self { most, ..self }
    }

    /// Returns the current game, as set by the last accepted `position`.
    pub fn game(&self) -> &dyn AnyRecord {
        &*self.game
    }

    /// Processes a line.
    ///
    /// # Errors
    /// If the line is invalid or cannot be carried out. The game is then unchanged. After a rejected `position`, the
    /// engine rejects `go` and `query` until it accepts a `position` or `uginewgame`.
    pub fn line(&mut self, line: &str) -> Result<Reply, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let say = |text: &str| Reply::Say(vec![text.to_owned()]);
        Ok(match words.split_first() {
            None => Reply::Say(Vec::new()),
            Some((&"ugi", _)) => Reply::Say(self.greeting()),
            Some((&"isready", _)) => say("readyok"),
            Some((&"uginewgame", _)) => {
                self.game = self.usual.cloned();
                self.is_refused = false;
                Reply::NewGame
            }
            Some((&"setoption", ["name", name, "value", value])) if name.eq_ignore_ascii_case("rules") => {
                self.set_rules(value)?
            }
            Some((&"setoption", rest)) => Reply::Set(option(rest, self.most)?),
            Some((&"position", rest)) => {
                self.is_refused = true;
                self.game = self.position(rest)?;
                self.is_refused = false;
                Reply::Say(Vec::new())
            }
            Some((&"query", rest)) => say(&format!("response {}", self.query(rest)?)),
            Some((&"go", rest)) => self.go(rest).unwrap_or_else(Reply::NoSearch),
            Some((&"ponderhit", _)) => Reply::PonderHit,
            Some((&"stop", _)) => Reply::Stop,
            Some((&"quit", _)) => Reply::Quit,
            Some((word, _)) => {
                let text = format!(
                    "unknown command `{}`: expected ugi, isready, uginewgame, setoption, position, query, go, ponderhit, stop or quit",
                    excerpt(word)
                );
                return Err(CommandError(text));
            }
        })
    }

    /// Sets the rule set. A new game begins.
    fn set_rules(&mut self, name: &str) -> Result<Reply, CommandError> {
        let id = self.usual.game();
        let wrong = |error: UnknownRules| CommandError(format!("option {error}"));
        self.rules = Some(id.rule_set(name, self.size).map_err(wrong)?);
        let usual = id.start(self.size).expect("invariant: the machine was created with this size").start();
        self.usual = id.position(Some(&self.under_rules(usual)), None).expect("invariant: the text of a position");
        self.game = self.usual.cloned();
        self.is_refused = false;
        Ok(Reply::NewGame)
    }

    /// Returns the text of a position under the rule set. Other texts are returned unchanged.
    fn under_rules(&self, text: String) -> String {
        let rules = Rules { set: self.rules, start: None };
        rules.position(self.usual.game(), None, Some(&text)).ok().flatten().unwrap_or(text)
    }

    fn greeting(&self) -> Vec<String> {
        let mut lines = greeting(self.most);
        let names: Vec<&str> = self.usual.game().choices().rule_sets.iter().map(|set| set.name).collect();
        if let [first, ..] = names[..] {
            let option = format!("option name rules type combo default {first} var {}", names.join(" var "));
            lines.insert(lines.len() - 1, option);
        }
        lines
    }

    fn position(&self, words: &[&str]) -> Result<Box<dyn AnyRecord>, CommandError> {
        let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let mut game = match words[..moves_at].split_first() {
            Some((&"startpos", [])) => self.usual.cloned(),
            Some((&"fen", rest)) => {
                let text = self.under_rules(rest.join(" "));
                let wrong = |error| CommandError(format!("position `{}`: {error}", excerpt(&text)));
                self.usual.game().position(Some(&text), None).map_err(|error| match error {
                    NoPosition::Text(error) => wrong(error.to_string()),
                    error => wrong(error.to_string()),
                })?
            }
            _ => return Err(CommandError("position: expected `startpos` or `fen` and a position text".to_owned())),
        };
        for (number, text) in (1..).zip(words[moves_at..].iter().skip(1)) {
            let refused = |error| CommandError(format!("move {number}: {error}"));
            let m = game.read(text).map_err(refused)?;
            if game.finish().is_some() {
                return Err(CommandError(format!("move {number}, {text}: the game is over")));
            }
            game.play(&m).map_err(refused)?;
        }
        Ok(game)
    }

    fn go(&self, words: &[&str]) -> Result<Reply, CommandError> {
        self.check_accepted("go")?;
        if self.game.is_stuck() {
            return Err(CommandError("go: there is no legal move here".to_owned()));
        }
        let ponders = words.contains(&"ponder");
        let words: Vec<&str> = words.iter().copied().filter(|&word| word != "ponder").collect();
        let limits = self.limits(&words)?;
        Ok(if ponders { Reply::Ponder(limits) } else { Reply::Search(limits) })
    }

    fn check_accepted(&self, command: &str) -> Result<(), CommandError> {
        if self.is_refused {
            return Err(CommandError(format!("{command}: the last `position` was refused")));
        }
        Ok(())
    }

    fn query(&self, words: &[&str]) -> Result<&'static str, CommandError> {
        self.check_accepted("query")?;
        let truth = |is_so| if is_so { "true" } else { "false" };
        let outcome = self.game.finish().map(|finish| finish.outcome).or_else(|| self.game.outcome());
        match words {
            ["gameover"] => Ok(truth(outcome.is_some())),
            ["p1turn"] => Ok(truth(self.game.side_to_move() == Side::First)),
            ["result"] => Ok(match outcome {
                Some(Outcome::Win(Side::First)) => "p1win",
                Some(Outcome::Win(Side::Second)) => "p2win",
                Some(Outcome::Draw) => "draw",
                None => "none",
            }),
            _ => Err(CommandError("query: expected gameover, p1turn or result".to_owned())),
        }
    }

    fn limits(&self, words: &[&str]) -> Result<Limits, CommandError> {
        let mut limits = Limits::default();
        let (mut left, mut increment) = ([None; 2], [Duration::ZERO; 2]);
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "infinite" {
                limits.depth = Some(DEEPEST);
                continue;
            }
            let value = words.next().and_then(|text| text.parse::<u64>().ok());
            let number = || value.ok_or_else(|| CommandError(format!("go: expected a number after `{word}`")));
            let time = || number().map(Duration::from_millis);
            match word {
                "movetime" => limits.movetime = Some(time()?),
                "depth" => limits.depth = Some(u32::try_from(number()?).unwrap_or(DEEPEST).clamp(1, DEEPEST)),
                "nodes" => limits.nodes = Some(number()?.max(1)),
                "p1time" => left[0] = Some(time()?),
                "p2time" => left[1] = Some(time()?),
                "p1inc" => increment[0] = time()?,
                "p2inc" => increment[1] = time()?,
                _ => {
                    let expected = "movetime, depth, nodes, p1time, p2time, p1inc, p2inc, infinite or ponder";
                    return Err(CommandError(format!("go {}: expected {expected}", excerpt(word))));
                }
            }
        }
        let side = self.game.side_to_move().index();
        if let Some(left) = left[side] {
            limits = limits_on_clock(limits, left, increment[side]);
        }
        Ok(limits)
    }
}

fn greeting(most: Most) -> Vec<String> {
    let Most { threads, hash } = most;
    vec![
        concat!("id name Plyhouse ", env!("CARGO_PKG_VERSION")).to_owned(),
        "id author the Plyhouse authors".to_owned(),
        "option name level type spin default 10 min 1 max 10".to_owned(),
        format!("option name threads type spin default 1 min 1 max {threads}"),
        format!("option name hash type spin default 8 min 1 max {hash}"),
        "option name seed type spin default 0 min 0 max 9223372036854775807".to_owned(),
        "option name book type check default true".to_owned(),
        "option name ponder type check default false".to_owned(),
        "ugiok".to_owned(),
    ]
}

fn option(words: &[&str], most: Most) -> Result<Setting, CommandError> {
    let ["name", name, "value", value] = words else {
        return Err(CommandError("setoption: expected `setoption name NAME value VALUE`".to_owned()));
    };
    let number = |least: u64, most: u64| {
        let number = value.parse().ok().filter(|n| (least..=most).contains(n));
        number.ok_or_else(|| {
            let value = excerpt(value);
            CommandError(format!("option {name}: `{value}` found, expected a number from {least} to {most}"))
        })
    };
    let truth = || {
        let wrong = || CommandError(format!("option {name}: `{}` found, expected `true` or `false`", excerpt(value)));
        value.parse().map_err(|_| wrong())
    };
    match name.to_ascii_lowercase().as_str() {
        "level" => {
            let n = number((*Level::NUMBERS.start()).into(), (*Level::NUMBERS.end()).into())?;
            Ok(Setting::Level(Level::new(n as u8).expect("invariant: the number is in the range of the levels")))
        }
        "threads" => number(1, most.threads.into()).map(|n| Setting::Threads(n as u16)),
        "hash" => number(1, most.hash.into()).map(|n| Setting::Hash(n as u32)),
        "seed" => number(0, i64::MAX as u64).map(Setting::Seed),
        "book" => truth().map(Setting::Book),
        "ponder" => truth().map(Setting::Ponder),
        _ => Err(CommandError(format!(
            "option `{}`: expected level, threads, hash, seed, book, ponder or, in some games, rules",
            excerpt(name)
        ))),
    }
}

/// Formats the line after an iteration. A score is in hundredths of a piece, or `win` or `loss` and the number of
/// plies.
pub fn info<M: core::fmt::Display>(progress: &Progress<M>, time: Duration) -> String {
    let score = match (progress.score.win_distance(), progress.score.loss_distance()) {
        (Some(plies), _) => format!("win {plies}"),
        (_, Some(plies)) => format!("loss {plies}"),
        _ => format!("cp {}", progress.score.as_units().unwrap_or(0)),
    };
    let line: Vec<String> = progress.pv.iter().map(ToString::to_string).collect();
    let (depth, nodes) = (progress.depth, progress.nodes);
    format!("info depth {depth} score {score} time {} nodes {nodes} pv {}", time.as_millis(), line.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine::new(GameId::LOA, None).expect("the usual size")
    }

    fn said(machine: &mut Machine, line: &str) -> String {
        match machine.line(line) {
            Ok(Reply::Say(lines)) => lines.join("\n"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_conversation() {
        let mut machine = machine();
        assert!(said(&mut machine, "ugi").ends_with("\nugiok"));
        assert_eq!(said(&mut machine, "isready"), "readyok");
        assert_eq!(said(&mut machine, "  position   startpos moves b1-b3"), "");
        assert_eq!(said(&mut machine, "query p1turn"), "response false");
        assert_eq!(said(&mut machine, "query result"), "response none");
        assert_eq!(said(&mut machine, "position fen ----/-bb-/----/w--w w"), "");
        assert_eq!(said(&mut machine, "query result"), "response p1win");
        assert_eq!(machine.line("setoption name seed value 7"), Ok(Reply::Set(Setting::Seed(7))));
        assert_eq!(machine.line("uginewgame"), Ok(Reply::NewGame));
        assert_eq!(machine.game().plies(), 0);
        assert_eq!((machine.line("stop"), machine.line("quit")), (Ok(Reply::Stop), Ok(Reply::Quit)));
    }

    #[test]
    fn the_option_rules_changes_what_a_connection_of_both_sides_is_worth() {
        let both = "position fen ---b--/wb----/-bbw--/b-b---/------/------ b moves d6-d4";
        let mut machine = machine();
        assert!(
            said(&mut machine, "ugi")
                .contains("\noption name rules type combo default cs61b var cs61b var nus var mso")
        );
        let mut result = |rules: &str| {
            assert_eq!(machine.line(&format!("setoption name rules value {rules}")), Ok(Reply::NewGame));
            assert_eq!(said(&mut machine, both), "");
            said(&mut machine, "query result")
        };
        assert_eq!(
            ["mso", "cs61b", "nus"].map(&mut result),
            ["draw", "p1win", "p1win"].map(|r| format!("response {r}"))
        );
        machine.line("setoption name Rules value mso").expect("an option");
        machine.line("position startpos moves b1-b3").expect("legal");
        assert!(machine.game().position().ends_with(" w mso"));
        let error = machine.line("setoption name rules value chess").expect_err("unknown rules").to_string();
        assert_eq!(error, "option rules `chess`: expected `cs61b`, `nus`, `mso` or `openspiel`");
        let mut checkers = Machine::new(GameId::CHECKERS, None).expect("the usual size");
        assert!(!said(&mut checkers, "ugi").contains("option name rules"));
    }

    #[test]
    fn moves_are_read_in_every_usual_spelling() {
        let mut machine = machine();
        machine.line("position startpos moves B1xB3 a2:c2 d1d3 h2–f2").expect("legal");
        let moves: Vec<String> = machine.game().moves();
        assert_eq!(moves, ["b1-b3", "a2-c2", "d1-d3", "h2-f2"]);
    }

    #[test]
    fn options_stay_within_what_the_machine_allows() {
        let mut machine = machine().with_most(Most { threads: 4, hash: 500 });
        assert!(said(&mut machine, "ugi").contains("option name threads type spin default 1 min 1 max 4\n"));
        assert_eq!(machine.line("setoption name hash value 500"), Ok(Reply::Set(Setting::Hash(500))));
        for (option, part) in [("hash value 501", "from 1 to 500"), ("threads value 5", "from 1 to 4")] {
            let error = machine.line(&format!("setoption name {option}")).expect_err(option).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn limits_in_all_forms() {
        let mut machine = machine();
        let mut go = |line: &str| match machine.line(line) {
            Ok(Reply::Search(limits)) => limits,
            other => panic!("{other:?}"),
        };
        assert_eq!(go("go movetime 500"), Limits::movetime(Duration::from_millis(500)));
        assert_eq!(go("go depth 4 nodes 900"), Limits { nodes: Some(900), ..Limits::depth(4) });
        let clock = go("go p1time 25000 p2time 1 p1inc 100 p2inc 0");
        assert_eq!(
            (clock.optimum, clock.movetime),
            (Some(Duration::from_millis(1080)), Some(Duration::from_millis(4320)))
        );
        let both = go("go p1time 25000 p2time 1 movetime 1500");
        assert_eq!((both.optimum, both.movetime), (Some(Duration::from_secs(1)), Some(Duration::from_millis(1500))));
        assert_eq!(go("go infinite").depth, Some(DEEPEST));
    }

    #[test]
    fn pondering_is_a_search_with_the_same_limits() {
        let mut machine = machine();
        let Ok(Reply::Search(limits)) = machine.line("go p1time 25000 p2time 25000") else { panic!("a search") };
        for line in ["go ponder p1time 25000 p2time 25000", "go p1time 25000 p2time 25000 ponder"] {
            assert_eq!(machine.line(line), Ok(Reply::Ponder(limits)), "{line}");
        }
        assert_eq!(machine.line("go ponder"), Ok(Reply::Ponder(Limits::default())));
        assert_eq!(machine.line("ponderhit"), Ok(Reply::PonderHit));
        assert_eq!(machine.line("setoption name Ponder value true"), Ok(Reply::Set(Setting::Ponder(true))));
        assert_eq!(machine.line("setoption name book value false"), Ok(Reply::Set(Setting::Book(false))));
    }

    #[test]
    fn what_cannot_be_understood_changes_nothing() {
        let mut machine = machine();
        machine.line("position startpos moves b1-b3").expect("legal");
        for (line, part) in [
            ("query mood", "gameover"),
            ("hello", "unknown command `hello`"),
            ("position", "expected `startpos`"),
            ("position fen xyz", "position `xyz`"),
            ("position startpos moves b1-b3 a2-a3", "move 2: illegal move a2-a3"),
            ("setoption name colour value red", "expected level"),
            ("setoption name level value 11", "from 1 to 10"),
            ("setoption name ponder value maybe", "`true` or `false`"),
        ] {
            let error = machine.line(line).expect_err(line).to_string();
            assert!(error.contains(part), "{error}");
            assert_eq!(machine.game().plies(), 1);
        }
    }

    #[test]
    fn a_refused_position_is_neither_searched_nor_queried() {
        let mut machine = machine();
        let no_search = |machine: &mut Machine, line: &str| match machine.line(line) {
            Ok(Reply::NoSearch(error)) => error.to_string(),
            other => panic!("{line}: {other:?}"),
        };
        for position in ["position startpos moves b1-b3 a2-a3", "position fen xyz", "position"] {
            machine.line("position startpos moves b1-b3").expect("legal");
            machine.line(position).expect_err(position);
            for go in ["go", "go depth 3", "go ponder", "go infinite"] {
                assert_eq!(no_search(&mut machine, go), "go: the last `position` was refused", "{position}");
            }
            assert!(machine.line("query p1turn").is_err_and(|error| error.to_string().contains("refused")));
            // A line that is not a `position` does not make the position valid.
            machine.line("setoption name seed value 7").expect("an option");
            no_search(&mut machine, "go");
            machine.line("position startpos").expect("legal");
            assert_eq!(machine.line("go"), Ok(Reply::Search(Limits::default())));
            machine.line(position).expect_err(position);
            machine.line("uginewgame").expect("a command");
            assert_eq!(machine.line("go"), Ok(Reply::Search(Limits::default())));
        }
        for (line, part) in [("go depth", "a number"), ("go fast 3", "movetime"), ("go ponder fast 3", "movetime")] {
            let error = no_search(&mut machine, line);
            assert!(error.contains(part), "{error}");
        }
    }
}
