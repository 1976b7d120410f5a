//! The protocols of external programs: one [`Dialect`] for each kind.
//!
//! | name | used by | one process for each |
//! | --- | --- | --- |
//! | `cs61b` | the text programs of CS61B, `loa` and `jump61` | game |
//! | `nus` | agents of the 6×6 competition of CS3243 | move |
//! | `comp10002` | `checkers` programs of COMP10002 | move |
//! | `ugi` | engines with the Universal Game Interface, any game | game |
//! | `uci` | engines with the Universal Chess Interface, Breakthrough | game |
//!
//! ```
//! use protocol::dialects::{Speaks, Variant};
//!
//! let speaks: Speaks = "nus".parse()?;
//! let small = Variant {
//!     game: "loa".into(),
//!     title: "Lines of Action".into(),
//!     size: 6,
//!     usual_start: loa::Position::start(6).expect("a size").to_string(),
//!     rules: None,
//! };
//! assert!(speaks.dialect(&small).is_ok());
//! let large = Variant { size: 8, ..small };
//! assert!(speaks.dialect(&large).is_err());
//! # Ok::<(), protocol::dialects::UnknownDialect>(())
//! ```

mod comp10002;
mod cs61b;
mod interface;
mod nus;
mod uci;
mod ugi;

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::dialect::Dialect;

pub use interface::EngineOptions;
pub use nus::{Competition, check_name, identify};

/// The name of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Speaks {
    /// `cs61b`.
    Cs61b,
    /// `nus`.
    Nus,
    /// `comp10002`.
    Comp10002,
    /// `ugi`.
    Ugi,
    /// `uci`.
    Uci,
}

/// A game, the size of its board, its usual start and its rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Name of the game in commands, such as `loa`.
    pub game: String,
    /// Name of the game in sentences, such as `Lines of Action`.
    pub title: String,
    /// Length of a side of the board, in squares.
    pub size: usize,
    /// Text of the usual start position.
    pub usual_start: String,
    /// Name of the rule set, if its rules on the board are not the game's usual ones.
    pub rules: Option<String>,
}

/// The error for an unknown name of a dialect.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown dialect `{0}`: expected {names}", names = Speaks::NAMES)]
pub struct UnknownDialect(String);

/// The error for a game that the dialect does not support.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("programs that speak `{speaks}` play {plays}, not {variant}; use the dialect {able}")]
pub struct WrongGame {
    speaks: Speaks,
    plays: &'static str,
    variant: String,
    /// Dialects that can express the game.
    able: String,
}

impl Speaks {
    /// Returns the default rules for programs of this dialect; `None` if the dialect does not belong to a competition.
    pub const fn competition(self) -> Option<Competition> {
        match self {
            Self::Nus => Some(nus::COMPETITION),
            Self::Cs61b | Self::Comp10002 | Self::Ugi | Self::Uci => None,
        }
    }

    /// Returns `true` if the dialect can send a maximum number of positions and a maximum depth.
    pub const fn limits_searches(self) -> bool {
        matches!(self, Self::Ugi | Self::Uci)
    }

    /// Returns `true` if the dialect can set options of an engine.
    pub const fn sets_options(self) -> bool {
        matches!(self, Self::Ugi | Self::Uci)
    }

    /// Returns `true` if the dialect can begin a game from any position.
    pub const fn sets_up(self) -> bool {
        matches!(self, Self::Nus | Self::Ugi | Self::Uci)
    }

    /// Returns the games that the dialect can express, in words.
    const fn games(self) -> &'static str {
        match self {
            Self::Cs61b => "8x8 Lines of Action and Jump61",
            Self::Nus => "6x6 Lines of Action",
            Self::Comp10002 => "checkers",
            Self::Ugi => "all games",
            Self::Uci => "8x8 Breakthrough (other sizes with the option `UCI_Variant`)",
        }
    }

    /// All dialects.
    pub const ALL: [Self; 5] = [Self::Cs61b, Self::Nus, Self::Comp10002, Self::Ugi, Self::Uci];

    /// The names of all dialects, for messages.
    pub const NAMES: &str = "cs61b, nus, comp10002, ugi or uci";

    /// Creates a dialect for one program in one game of this variant.
    ///
    /// # Errors
    /// If the dialect cannot express the game.
    pub fn dialect(self, variant: &Variant) -> Result<Box<dyn Dialect>, WrongGame> {
        self.dialect_with(variant, &EngineOptions::new())
    }

    /// Creates a dialect for one program in one game of this variant, and sets options of the program. Dialects without
    /// options ignore them ([`sets_options`](Self::sets_options)).
    ///
    /// # Errors
    /// If the dialect cannot express the game.
    pub fn dialect_with(self, variant: &Variant, options: &EngineOptions) -> Result<Box<dyn Dialect>, WrongGame> {
        self.create(variant, options).ok_or_else(|| {
            let able = Self::ALL.into_iter().filter(|other| other.create(variant, &EngineOptions::new()).is_some());
            let able: Vec<String> = able.map(|other| format!("`{other}`")).collect();
            let (plays, able) = (self.games(), able.join(" or "));
            WrongGame { speaks: self, plays, variant: variant.to_string(), able }
        })
    }

    /// Creates a dialect; `None` if it cannot express the game.
    fn create(self, variant: &Variant, options: &EngineOptions) -> Option<Box<dyn Dialect>> {
        if variant.rules.is_some() && self != Self::Ugi {
            return None;
        }
        Some(match (self, variant.game.as_str(), variant.size) {
            (Self::Cs61b, "loa", 8) => Box::new(cs61b::Cs61b::new(crate::cs61b::CourseGame::Loa)),
            (Self::Cs61b, "jump61", _) => Box::new(cs61b::Cs61b::new(crate::cs61b::CourseGame::Jump61)),
            (Self::Nus, "loa", 6) => Box::new(nus::Nus::default()),
            (Self::Comp10002, "checkers", _) => Box::new(comp10002::Comp10002),
            (Self::Ugi, ..) => {
                Box::new(ugi::Ugi::new(variant.usual_start.clone(), variant.rules.clone(), options.clone()))
            }
            (Self::Uci, game, size) => {
                Box::new(uci::Uci::new(game, size, variant.usual_start.clone(), options.clone())?)
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Speaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cs61b => "cs61b",
            Self::Nus => "nus",
            Self::Comp10002 => "comp10002",
            Self::Ugi => "ugi",
            Self::Uci => "uci",
        })
    }
}

/// Writes `6x6 Lines of Action`, and `by the rules mso` after it if the rules are not the usual ones.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0} {1}", self.size, self.title)?;
        self.rules.iter().try_for_each(|rules| write!(f, " by the rules {rules}"))
    }
}

impl FromStr for Speaks {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        let found = Self::ALL.into_iter().find(|speaks| speaks.to_string() == text);
        found.ok_or_else(|| UnknownDialect(game::text::excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_game_is_reported_with_the_dialects_that_can_express_it() {
        let refused = |speaks: Speaks, game: &str, title: &str, size| {
            let (game, rules) = game.split_once(' ').map_or((game, None), |(game, rules)| (game, Some(rules.into())));
            let variant = Variant { game: game.into(), title: title.into(), size, usual_start: String::new(), rules };
            speaks.dialect(&variant).err().map(|error| error.to_string())
        };
        let expected = "programs that speak `cs61b` play 8x8 Lines of Action and Jump61, not 8x8 Breakthrough; use the \
                        dialect `ugi` or `uci`";
        assert_eq!(refused(Speaks::Cs61b, "breakthrough", "Breakthrough", 8).as_deref(), Some(expected));
        let expected = "programs that speak `comp10002` play checkers, not 6x6 Lines of Action; use the dialect `nus` or \
                        `ugi`";
        assert_eq!(refused(Speaks::Comp10002, "loa", "Lines of Action", 6).as_deref(), Some(expected));
        let expected = "programs that speak `nus` play 6x6 Lines of Action, not 6x6 Lines of Action by the rules mso; use \
                        the dialect `ugi`";
        assert_eq!(refused(Speaks::Nus, "loa mso", "Lines of Action", 6).as_deref(), Some(expected));
        let expected = "programs that speak `uci` play 8x8 Breakthrough (other sizes with the option \
                        `UCI_Variant`), not 5x5 Breakthrough; use the dialect `ugi`";
        assert_eq!(refused(Speaks::Uci, "breakthrough", "Breakthrough", 5).as_deref(), Some(expected));
        for (speaks, game, size) in [
            (Speaks::Cs61b, "loa", 8),
            (Speaks::Cs61b, "jump61", 6),
            (Speaks::Nus, "loa", 6),
            (Speaks::Comp10002, "checkers", 8),
            (Speaks::Ugi, "breakthrough", 5),
            (Speaks::Uci, "breakthrough", 8),
        ] {
            assert_eq!(refused(speaks, game, "", size), None, "{speaks} {game}");
        }
    }

    #[test]
    fn an_unknown_name_is_reported_with_every_dialect() {
        let error = "usi".parse::<Speaks>().expect_err("unknown").to_string();
        let names = Speaks::ALL.map(|speaks| speaks.to_string());
        assert!(error.starts_with("unknown dialect `usi`: expected ") && names.iter().all(|name| error.contains(name)));
    }
}
