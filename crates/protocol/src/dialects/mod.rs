//! How other people's programs are spoken to when they play: one [`Dialect`] for each kind.
//!
//! | name | who speaks it | a process a |
//! | --- | --- | --- |
//! | `cs61b` | the text programs of CS61B, `loa` and `jump61` | game |
//! | `nus` | agents of the 6×6 competition of CS3243 | move |
//! | `comp10002` | `checkers` programs of COMP10002 | move |
//! | `ugi` | engines with the Universal Game Interface, any game | game |
//!
//! ```
//! use protocol::dialects::{Format, Speaks};
//!
//! let speaks: Speaks = "nus".parse()?;
//! assert!(speaks.dialect(Format::Loa { size: 6 }).is_ok());
//! assert!(speaks.dialect(Format::Checkers).is_err());
//! # Ok::<(), protocol::dialects::UnknownDialect>(())
//! ```

mod comp10002;
mod cs61b;
mod nus;
mod ugi;

use core::fmt;
use core::str::FromStr;

use referee::Dialect;
use thiserror::Error;

pub use nus::{check_name, identify};

/// A dialect by its name.
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
}

/// What is played: a game and, where there are several, the size of its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Lines of Action.
    Loa {
        /// Squares a side.
        size: usize,
    },
    /// The Melbourne checkers variant.
    Checkers,
    /// Jump61.
    Jump61 {
        /// Squares a side.
        size: usize,
    },
}

/// No dialect.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown dialect `{0}`: expected `cs61b`, `nus`, `comp10002` or `ugi`")]
pub struct UnknownDialect(String);

/// A dialect that has no words for a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("programs that speak `{speaks}` play {plays}, not {format}")]
pub struct WrongGame {
    speaks: Speaks,
    plays: &'static str,
    format: Format,
}

impl Speaks {
    const ALL: [Self; 4] = [Self::Cs61b, Self::Nus, Self::Comp10002, Self::Ugi];

    /// A dialect for one program in one game of this format.
    ///
    /// # Errors
    /// If the dialect has no words for the game.
    pub fn dialect(self, format: Format) -> Result<Box<dyn Dialect>, WrongGame> {
        let wrong = |plays| WrongGame { speaks: self, plays, format };
        match (self, format) {
            (Self::Cs61b, Format::Loa { size: 8 }) => Ok(Box::new(cs61b::Cs61b::new(crate::cs61b::Dialect::Loa))),
            (Self::Cs61b, Format::Jump61 { .. }) => Ok(Box::new(cs61b::Cs61b::new(crate::cs61b::Dialect::Jump61))),
            (Self::Cs61b, _) => Err(wrong("8x8 Lines of Action and Jump61")),
            (Self::Nus, Format::Loa { size: 6 }) => Ok(Box::new(nus::Nus::default())),
            (Self::Nus, _) => Err(wrong("6x6 Lines of Action")),
            (Self::Comp10002, Format::Checkers) => Ok(Box::new(comp10002::Comp10002)),
            (Self::Comp10002, _) => Err(wrong("checkers")),
            (Self::Ugi, _) => Ok(Box::new(ugi::Ugi::new(format.usual_start()))),
        }
    }
}

impl Format {
    /// The position text of the start that the game usually has.
    fn usual_start(self) -> String {
        match self {
            Self::Loa { .. } => loa::Position::start(8).map(|p| p.to_string()).unwrap_or_default(),
            Self::Checkers => checkers::Position::start().to_string(),
            Self::Jump61 { .. } => jump61::Position::start(6).map(|p| p.to_string()).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Speaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cs61b => "cs61b",
            Self::Nus => "nus",
            Self::Comp10002 => "comp10002",
            Self::Ugi => "ugi",
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loa { size } => write!(f, "{size}x{size} Lines of Action"),
            Self::Checkers => f.write_str("checkers"),
            Self::Jump61 { size } => write!(f, "{size}x{size} Jump61"),
        }
    }
}

impl FromStr for Speaks {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        let found = Self::ALL.into_iter().find(|speaks| speaks.to_string() == text);
        found.ok_or_else(|| UnknownDialect(game::text::excerpt(text)))
    }
}
