use core::num::NonZeroUsize;
use core::str::FromStr;
use core::time::Duration;

use search::{Limits, Settings, Technique, Techniques};
use thiserror::Error;

use crate::{Build, Level, Profile, Strength};

/// How a player of ours is put together, in words: `level=7`, `nodes=20000,without=lmr+null`.
///
/// | word | meaning |
/// | --- | --- |
/// | `level=N` | 1 to 10 |
/// | `nodes=N`, `movetime=SECONDS`, `depth=N` | limits for a move |
/// | `threads=N` | threads |
/// | `build=NAME` | `current`, `reference`, `first`, `random` |
/// | `with=NAMES`, `without=NAMES` | techniques of the search, joined by `+`; `all` for all of them |
/// | `table=MIB` | size of each table |
/// | `horizon=W/L` | plies within which forced wins and losses are always seen |
/// | `proof=PERCENT` | share of the budget for proof searches |
/// | `endgames=no` | play without endgame tables, even where there are some |
/// | `noise=N` | largest random change of an evaluation, in hundredths of a piece |
///
/// ```
/// use engine::PlayerOptions;
///
/// let options: PlayerOptions = "nodes=20000,without=lmr+null".parse()?;
/// assert_eq!(options.limits(&engine::loa::profile()).nodes, Some(20_000));
/// assert!("nodes=many".parse::<PlayerOptions>().is_err());
/// # Ok::<(), engine::PlayerOptionsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerOptions {
    /// Level, limits and threads.
    pub strength: Strength,
    /// Which player.
    pub build: Build,
    depth: Option<u32>,
    table_mib: Option<usize>,
    horizon: Option<(u32, u32)>,
    noise: Option<u32>,
    proof: Option<u32>,
    without_endgames: bool,
    /// Techniques put in and taken out, in order.
    changes: Vec<(Option<Technique>, bool)>,
}

/// A player that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerOptionsError {
    /// No such word.
    #[error(
        "player option `{0}`: expected level=, nodes=, movetime=, depth=, threads=, build=, with=, without=, table=, \
         horizon=, proof=, endgames= or noise="
    )]
    Unknown(String),
    /// The word's value is none.
    #[error("player option `{name}`: `{value}` is not {expected}")]
    Value {
        /// The word.
        name: String,
        /// What stands behind it.
        value: String,
        /// What should stand there.
        expected: &'static str,
    },
}

impl FromStr for PlayerOptions {
    type Err = PlayerOptionsError;

    fn from_str(text: &str) -> Result<Self, PlayerOptionsError> {
        let mut options = Self::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, value) =
                word.split_once('=').ok_or_else(|| PlayerOptionsError::Unknown(game::text::excerpt(word)))?;
            options.set(name, value)?;
        }
        Ok(options)
    }
}

impl PlayerOptions {
    fn set(&mut self, name: &str, value: &str) -> Result<(), PlayerOptionsError> {
        let expected = match name {
            "level" => value.parse().map(|level| self.strength.level = level).err().map(|_| "a level from 1 to 10"),
            "nodes" => number(value, 1, u64::MAX, |n| self.strength.nodes = Some(n)),
            "movetime" => seconds(value).map_or(Some("a number of seconds"), |time| {
                self.strength.movetime = Some(time);
                None
            }),
            "depth" => number(value, 1, 100, |n| self.depth = Some(n as u32)),
            "threads" => number(value, 1, 256, |n| {
                self.strength.threads = NonZeroUsize::new(n as usize).unwrap_or(NonZeroUsize::MIN);
            }),
            "build" => match Build::NAMES.into_iter().find(|&(name, _)| name == value) {
                Some((_, build)) => {
                    self.build = build;
                    None
                }
                None => Some("`current`, `reference`, `first` or `random`"),
            },
            "endgames" => match value {
                "yes" | "no" => {
                    self.without_endgames = value == "no";
                    None
                }
                _ => Some("`yes` or `no`"),
            },
            "with" | "without" => self.change(value, name == "with"),
            "table" => number(value, 1, 1 << 20, |n| self.table_mib = Some(n as usize)),
            "noise" => number(value, 0, 10_000, |n| self.noise = Some(n as u32)),
            "proof" => number(value, 0, 100, |n| self.proof = Some(n as u32)),
            "horizon" => match value.split_once('/').map(|(w, l)| (w.parse(), l.parse())) {
                Some((Ok(win), Ok(loss))) if win <= 99 && loss <= 99 => {
                    self.horizon = Some((win, loss));
                    None
                }
                _ => Some("two numbers of plies such as `5/4`"),
            },
            _ => return Err(PlayerOptionsError::Unknown(game::text::excerpt(name))),
        };
        match expected {
            None => Ok(()),
            Some(expected) => {
                let value = game::text::excerpt(value);
                Err(PlayerOptionsError::Value { name: name.to_owned(), value, expected })
            }
        }
    }

    fn change(&mut self, value: &str, put_in: bool) -> Option<&'static str> {
        for name in value.split('+') {
            match name.parse() {
                Ok(technique) => self.changes.push((Some(technique), put_in)),
                Err(_) if name == "all" => self.changes.push((None, put_in)),
                Err(_) => return Some("techniques of the search joined by `+`, such as `lmr+null`"),
            }
        }
        None
    }

    /// The settings of a full-strength player, changed as asked.
    #[must_use]
    pub fn apply(&self, profile: &Profile) -> Settings {
        let mut settings = self.strength.apply(profile);
        for &(technique, put_in) in &self.changes {
            settings.techniques = match (technique, put_in) {
                (None, true) => Techniques::ALL,
                (None, false) => Techniques::NONE,
                (Some(technique), true) => settings.techniques.with(technique),
                (Some(technique), false) => settings.techniques.without(technique),
            };
        }
        settings.table_mib = self.table_mib.unwrap_or(settings.table_mib);
        settings.noise = self.noise.unwrap_or(settings.noise);
        settings.proof_percent = self.proof.unwrap_or(settings.proof_percent);
        if let Some((win, loss)) = self.horizon {
            (settings.win_horizon, settings.loss_horizon) = (win, loss);
        }
        settings
    }

    /// Changes the size of each table.
    pub fn set_table_mib(&mut self, mib: usize) {
        self.table_mib = Some(mib);
    }

    /// Whether endgame tables are used, where there are some: at full strength only, unless they are switched off.
    pub fn uses_endgames(&self) -> bool {
        !self.without_endgames && self.strength.level == Level::FULL
    }

    /// The limits for each move.
    pub fn limits(&self, profile: &Profile) -> Limits {
        Limits { depth: self.depth, ..self.strength.limits(profile) }
    }
}

fn number(value: &str, least: u64, most: u64, set: impl FnOnce(u64)) -> Option<&'static str> {
    match value.parse::<u64>() {
        Ok(n) if (least..=most).contains(&n) => {
            set(n);
            None
        }
        _ => Some("a number in the range of this option"),
    }
}

fn seconds(value: &str) -> Option<Duration> {
    value.parse::<f64>().ok().filter(|s| (0.0..=1e6).contains(s)).map(Duration::from_secs_f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_what_they_name() {
        let profile = crate::loa::profile();
        let full = profile.full;
        let options: PlayerOptions =
            "level=10, nodes=5,without=all,with=lmr+null,table=2,horizon=3/0,noise=0,build=first"
                .parse()
                .expect("words");
        let settings = options.apply(&profile);
        let techniques = Techniques::NONE.with(Technique::LateReductions).with(Technique::NullMove);
        assert_eq!(settings.techniques, techniques);
        assert_eq!((settings.table_mib, settings.win_horizon, settings.loss_horizon, settings.noise), (2, 3, 0, 0));
        assert_eq!((options.limits(&profile).nodes, options.build), (Some(5), Build::First));
        assert_eq!("".parse::<PlayerOptions>().map(|options| options.apply(&profile)), Ok(full));
    }

    #[test]
    fn wrong_words_are_named() {
        for (text, part) in [
            ("speed=3", "`speed`"),
            ("level", "`level`"),
            ("level=11", "a level from 1 to 10"),
            ("movetime=-1", "seconds"),
            ("without=magic", "techniques"),
            ("horizon=5", "`5/4`"),
            ("build=old", "`first`"),
        ] {
            let error = text.parse::<PlayerOptions>().expect_err("a wrong word").to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
