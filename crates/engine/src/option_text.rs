//! Parsing of player options from text.

use core::fmt::Write as _;
use core::num::NonZeroUsize;
use core::ops::RangeInclusive;
use core::str::FromStr;
use core::time::Duration;

use game::text::excerpt;
use search::{Technique, Tuning};
use thiserror::Error;

use crate::build::{Build, UnknownBuild};
use crate::level::Level;
use crate::options::PlayerOptions;

/// Description of a player option, `name=value`. Texts are Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionText {
    /// Name of the option.
    pub name: &'static str,
    /// Placeholder for the value in help texts.
    pub value: &'static str,
    /// Valid values.
    pub values: &'static str,
    /// Default value.
    pub default: &'static str,
    /// Effect of the option.
    pub meaning: &'static str,
}

/// Generates the table of the options, and its documentation.
macro_rules! options {
    ($({
        name: $name:literal, value: $value:literal, default: $default:literal,
        values: $values:literal,
        meaning: $meaning:literal,
    })+) => {
        impl PlayerOptions {
            /// Options that describe a player, joined by commas. A later option replaces an earlier one of the same
            /// name, except for `with` and `without`, which apply in order.
            ///
            /// | option | value | default | meaning |
            /// | --- | --- | --- | --- |
            $(#[doc = concat!("| `", $name, "=", $value, "` | ", $values, " | ", $default, " | ", $meaning, " |")])+
            pub const ALL: &[OptionText] = &[$(
                OptionText { name: $name, value: $value, values: $values, default: $default, meaning: $meaning },
            )+];
        }
    };
}

options! {
    {
        name: "level", value: "N", default: "10",
        values: "`gentle1` to `gentle3`, 1 to 10",
        meaning: "strength; 10 is full strength. The gentle levels do not search: they overlook what beginners overlook. Lower numbered levels search fewer nodes, look less far ahead for forced wins and add noise to the evaluation",
    }
    {
        name: "nodes", value: "N", default: "that of the level; at full strength 800,000 (Lines of Action), 400,000 (Breakthrough), 300,000 (Jump61), 200,000 (checkers)",
        values: "1 or more",
        meaning: "positions to search for a move",
    }
    {
        name: "movetime", value: "SECONDS", default: "unset",
        values: "decimals allowed",
        meaning: "time for a move, instead of the default budget of full strength. A lower level keeps its node budget, too. Games are no longer reproducible",
    }
    {
        name: "depth", value: "N", default: "unset",
        values: "1 to 100",
        meaning: "deepest iteration of the main search, in plies",
    }
    {
        name: "threads", value: "N", default: "1",
        values: "1 to 256",
        meaning: "threads of the search. With more than one, games are no longer reproducible",
    }
    {
        name: "build", value: "NAME", default: "`current`",
        values: "`current`, `second`, `reference`, `first`, `mcts`, `random`",
        meaning: "version of the engine: `current`; `second`, the previous version; `reference`, with the evaluation of MIA IV (Lines of Action only); `first`, the oldest version; `mcts`, Monte Carlo tree search with the evaluation of `current`, whose nodes are simulations; `random`, which plays random legal moves. The techniques of `second`, `reference` and `first` are fixed",
    }
    {
        name: "with", value: "NAMES", default: "all at full strength; lower levels leave out `probcut` and `proof`",
        values: "`aspiration`, `deeper`, `lmr`, `null`, `futility`, `probcut`, `extension`, `quiescence`, `proof`, joined by `+`, or `all`",
        meaning: "switches techniques of the search on",
    }
    {
        name: "without", value: "NAMES", default: "none",
        values: "as for `with`",
        meaning: "switches techniques off. `with` and `without` apply in the order in which they are written: `without=all,with=lmr` switches everything off except `lmr`",
    }
    {
        name: "table", value: "MIB", default: "8",
        values: "1 to 1,048,576",
        meaning: "size of the transposition table in MiB. The exact search for forced wins has another table of this size",
    }
    {
        name: "horizon", value: "W/L", default: "7/6 (Lines of Action, Breakthrough), 7/8 (Jump61 up to 6×6), 5/6 (larger Jump61), 3/2 (checkers)",
        values: "two numbers from 0 to 99",
        meaning: "plies within which forced wins are always found and forced losses always avoided. `0/0` switches the exact search off. Without this option, Lines of Action also looks for wins of up to 9 plies, with at most four times the node budget or a tenth of the time",
    }
    {
        name: "proof", value: "PERCENT", default: "5",
        values: "0 to 100",
        meaning: "share of the budget for proof-number searches",
    }
    {
        name: "endgames", value: "ANSWER", default: "`yes`",
        values: "`yes` or `no`",
        meaning: "whether checkers uses the endgame tables if they are installed. Levels below full strength, `build=second` and `build=first` never use them",
    }
    {
        name: "book", value: "ANSWER", default: "`yes`",
        values: "`yes` or `no`",
        meaning: "whether the player uses its opening book, in games that have one. Levels below 8, builds other than `current` and searches with a depth limit never use it",
    }
    {
        name: "noise", value: "N", default: "3 at full strength",
        values: "0 to 10,000",
        meaning: "largest random change of an evaluation, in hundredths of a piece",
    }
    {
        name: "set", value: "NAME:N+…", default: "those of the game",
        values: "numbers of `search::Tuning`, joined by `+`",
        meaning: "changes numbers of the search, to tune them: `set=futility:50+late:4`",
    }
}

/// Errors in a description of a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerOptionsError {
    /// The option is unknown, or has no value.
    #[error("player option `{found}`: expected {}", names())]
    Unknown {
        /// Option that was found.
        found: String,
    },
    /// The option's value is invalid.
    #[error("player option `{name}`: `{value}` found, expected {expected}")]
    Value {
        /// Name of the option.
        name: String,
        /// Value that was found.
        value: String,
        /// Expected values.
        expected: String,
    },
}

/// Returns the names for an error message: `level=, nodes=, … or noise=`.
fn names() -> String {
    let names: Vec<String> = PlayerOptions::ALL.iter().map(|option| format!("{}=", option.name)).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl FromStr for PlayerOptions {
    type Err = PlayerOptionsError;

    fn from_str(text: &str) -> Result<Self, PlayerOptionsError> {
        let mut options = Self::default();
        for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let (name, value) =
                option.split_once('=').ok_or_else(|| PlayerOptionsError::Unknown { found: excerpt(option) })?;
            if !Self::ALL.iter().any(|option| option.name == name) {
                return Err(PlayerOptionsError::Unknown { found: excerpt(name) });
            }
            options.set(name, value).map_err(|expected| PlayerOptionsError::Value {
                name: name.to_owned(),
                value: excerpt(value),
                expected,
            })?;
        }
        Ok(options)
    }
}

impl PlayerOptions {
    /// Returns the options with their effects, for the help text of a program.
    pub fn help() -> String {
        let mut text =
            "PLAYER is a list of options joined by commas, such as `nodes=20000,without=lmr+null`:\n".to_owned();
        for OptionText { name, value, values, default, meaning } in Self::ALL {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {name}={value}: {meaning}.\n      Values: {values}. Default: {default}.\n");
        }
        text
    }

    /// Applies a known option. The error is the description of the expected values.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "level" => self.level = value.parse().map_err(|_| format!("a level: {}", Level::VALUES))?,
            "nodes" => self.nodes = Some(number(value, 1..=u64::MAX)?),
            "movetime" => self.movetime = Some(seconds(value)?),
            "depth" => self.depth = Some(number(value, 1..=100)? as u32),
            "threads" => {
                self.threads = NonZeroUsize::new(number(value, 1..=256)? as usize).unwrap_or(NonZeroUsize::MIN);
            }
            "build" => self.build = build(value)?,
            "with" => self.change_techniques(value, true)?,
            "without" => self.change_techniques(value, false)?,
            "table" => self.table_mib = Some(number(value, 1..=1 << 20)? as usize),
            "horizon" => self.horizon = Some(horizon(value)?),
            "proof" => self.proof_percent = Some(number(value, 0..=100)? as u32),
            "endgames" => self.endgames = yes_or_no(value)?,
            "book" => self.book = yes_or_no(value)?,
            "set" => self.set_tuning(value)?,
            "noise" => self.noise = Some(number(value, 0..=10_000)? as u32),
            _ => unreachable!("invariant: every option of the table is read"),
        }
        Ok(())
    }

    fn set_tuning(&mut self, value: &str) -> Result<(), String> {
        for change in value.split('+') {
            let (name, number) = change.split_once(':').ok_or("numbers of the search, such as `late:4+futility:90`")?;
            let known = Tuning::NAMES.iter().find(|&&known| known == name);
            let name = known.ok_or_else(|| format!("one of {}", Tuning::NAMES.join(", ")))?;
            let (_, range) = Tuning::default().get(name).expect("invariant: the names are those of numbers");
            let number = number.parse().ok().filter(|number| range.contains(number));
            let wrong = || format!("{name} from {} to {}", range.start(), range.end());
            self.tuning.push((name, number.ok_or_else(wrong)?));
        }
        Ok(())
    }

    fn change_techniques(&mut self, value: &str, add: bool) -> Result<(), String> {
        for name in value.split('+') {
            let technique = match name {
                "all" => None,
                name => Some(name.parse::<Technique>().map_err(|_| techniques())?),
            };
            self.techniques.push((technique, add));
        }
        Ok(())
    }
}

fn number(value: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    value.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| match (*range.start(), *range.end()) {
        (least, u64::MAX) => format!("a number of at least {least}"),
        (least, most) => format!("a number from {least} to {most}"),
    })
}

fn seconds(value: &str) -> Result<Duration, String> {
    let seconds = value.parse::<f64>().ok().filter(|s| (0.0..=1e6).contains(s));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "seconds from 0 to 1000000".to_owned())
}

fn build(value: &str) -> Result<Build, String> {
    value.parse().map_err(|error: UnknownBuild| error.to_string())
}

fn techniques() -> String {
    let names = Technique::ALL.map(|technique| technique.to_string());
    format!("one of {} or all, or more of them joined by `+`", names.join(", "))
}

fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("`yes` or `no`".to_owned()),
    }
}

fn horizon(value: &str) -> Result<(u32, u32), String> {
    let plies = |text: &str| text.parse().ok().filter(|&plies: &u32| plies <= 99);
    let found = value.split_once('/').and_then(|(win, loss)| Some((plies(win)?, plies(loss)?)));
    found.ok_or_else(|| "two numbers of plies up to 99, such as `5/4`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_the_table_is_read() {
        for option in PlayerOptions::ALL {
            let error = format!("{}=?", option.name).parse::<PlayerOptions>().expect_err("an invalid value");
            assert!(matches!(error, PlayerOptionsError::Value { .. }), "{error}");
        }
    }

    #[test]
    fn options_set_the_fields() {
        let text = "level=4,nodes=5,movetime=0.5,depth=6,threads=2,build=first,with=lmr,without=all,table=7,horizon=3/2,\
                    proof=8,endgames=no,book=no,noise=9,set=late:4+futility:90";
        let expected = PlayerOptions {
            level: "4".parse().expect("a level"),
            nodes: Some(5),
            movetime: Some(Duration::from_millis(500)),
            depth: Some(6),
            threads: NonZeroUsize::new(2).expect("two"),
            lines: NonZeroUsize::MIN,
            build: Build::First,
            techniques: vec![(Some(Technique::LateReductions), true), (None, false)],
            table_mib: Some(7),
            horizon: Some((3, 2)),
            proof_percent: Some(8),
            endgames: false,
            book: false,
            noise: Some(9),
            tuning: vec![("late", 4), ("futility", 90)],
        };
        assert_eq!(text.parse(), Ok(expected));
        assert_eq!("".parse(), Ok(PlayerOptions::default()));
    }

    #[test]
    fn wrong_options_are_named() {
        for (text, error) in [
            ("level", "player option `level`: expected level=, nodes=,"),
            ("speed=3", "player option `speed`: expected level=, nodes=,"),
            ("level=11", "player option `level`: `11` found, expected a level: 1 to 10, or gentle1,"),
            ("nodes=0", "player option `nodes`: `0` found, expected a number of at least 1"),
            ("movetime=-1", "player option `movetime`: `-1` found, expected seconds from 0 to 1000000"),
            ("threads=257", "player option `threads`: `257` found, expected a number from 1 to 256"),
            ("without=lmr+magic", "player option `without`: `lmr+magic` found, expected one of aspiration, deeper,"),
            ("horizon=5", "player option `horizon`: `5` found, expected two numbers of plies up to 99, such as `5/4`"),
            (
                "build=old",
                "player option `build`: `old` found, expected one of current, second, reference, first, mcts, random",
            ),
            ("endgames=maybe", "player option `endgames`: `maybe` found, expected `yes` or `no`"),
        ] {
            let found = text.parse::<PlayerOptions>().expect_err("a wrong option").to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn the_table_lists_every_technique_and_build() {
        let values =
            |name| PlayerOptions::ALL.iter().find(|option| option.name == name).map_or("", |option| option.values);
        for technique in Technique::ALL {
            assert!(values("with").contains(&format!("`{technique}`")), "{technique}");
        }
        for build in Build::ALL {
            assert!(values("build").contains(&format!("`{build}`")), "{build}");
        }
    }
}
