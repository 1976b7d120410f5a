//! The list of games, and the type that refers to a game by its name.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::str::FromStr;
use std::sync::OnceLock;

use thiserror::Error;

use crate::any::{AnyGame, erased};
use crate::definition::{Game, SizeError};
use crate::rule_set::listed;

/// A game by its name. It dereferences to [`AnyGame`].
#[derive(Clone, Copy)]
pub struct GameId(&'static dyn AnyGame);

/// Generates [`GameId::BUILT_IN`], a constant for each game, and [`dispatch`] from the list of games.
macro_rules! games {
    ($($(#[$doc:meta])* $name:ident: $position:ty,)*) => {
        impl GameId {
            $($(#[$doc])* pub const $name: Self = Self::of::<$position>();)*

            /// The games of this crate, for loops that need the position types. Other loops use [`GameId::all`].
            pub const BUILT_IN: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];
        }

        /// Runs a visitor with the position type of a game.
        ///
        /// # Panics
        /// If the game is not in [`GameId::BUILT_IN`].
        pub fn dispatch<T: Visitor>(game: GameId, visitor: T) -> T::Output {
            $(if game == GameId::$name { return visitor.visit::<$position>(); })*
            unreachable!("invariant: {game} is a built-in game")
        }
    };
}

games! {
    /// Lines of Action.
    LOA: loa::Position,
    /// The Melbourne checkers variant.
    CHECKERS: checkers::Position,
    /// Jump61.
    JUMP61: jump61::Position,
    /// Breakthrough.
    BREAKTHROUGH: breakthrough::Position,
}

/// Code that is compiled for each position type, because its loops must be fast: training and measurements.
pub trait Visitor {
    /// Result of the code.
    type Output;

    /// Runs the code.
    fn visit<P: Game>(self) -> Self::Output;
}

impl GameId {
    /// Returns the game with this position type.
    pub const fn of<P: Game>() -> Self {
        Self(erased::<P>())
    }

    /// Returns every game: registered games, then the built-in ones. A page shows the first one unless another is
    /// requested. The first call fixes the list.
    pub fn all() -> &'static [Self] {
        GAMES.get_or_init(|| Self::BUILT_IN.to_vec())
    }

    /// Returns `true` if the game belongs to this crate.
    pub fn is_built_in(self) -> bool {
        Self::BUILT_IN.contains(&self)
    }
}

/// All games. The list is set by [`register`], or when it is first used.
static GAMES: OnceLock<Vec<GameId>> = OnceLock::new();

/// Adds games to [`GameId::all`]. A program calls this once, before anything else uses the list.
///
/// # Errors
/// If a game is invalid, or the list has been used. In that case, no game is added.
pub fn register(games: &[GameId]) -> Result<(), RegisterError> {
    let mut all = Vec::new();
    for &game in games {
        let name = game.name();
        let is_lower = |c: char| c.is_ascii_lowercase();
        if !name.starts_with(is_lower) || !name.chars().all(|c| is_lower(c) || c.is_ascii_digit() || c == '-') {
            return Err(RegisterError::Name(name));
        }
        if game.is_built_in() || all.contains(&game) {
            return Err(RegisterError::Taken(name));
        }
        game.board_size(None)?;
        game.position(Some(game.about().picture), None)
            .map_err(|error| RegisterError::Picture { name, error: error.to_string() })?;
        all.push(game);
    }
    all.extend(GameId::BUILT_IN);
    GAMES.set(all).map_err(|_| RegisterError::Late)
}

/// The errors of [`register`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegisterError {
    /// The name cannot be used in commands and files.
    #[error("game name `{0}`: expected a lower-case letter, then lower-case letters, digits and hyphens")]
    Name(&'static str),
    /// Another game has the name.
    #[error("game name `{0}`: another game has this name")]
    Taken(&'static str),
    /// The game is not played on its usual size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The game's picture is not one of its positions.
    #[error("picture of `{name}`: {error}")]
    Picture {
        /// Name of the game.
        name: &'static str,
        /// Error of the position text.
        error: String,
    },
    /// Games were registered before, or the list was used before.
    #[error("games are registered once, before the list of games is used")]
    Late,
}

impl Deref for GameId {
    type Target = dyn AnyGame;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for GameId {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for GameId {}

impl Hash for GameId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for the name of an unknown game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{0}`: expected {list}", list = names())]
pub struct UnknownGame(String);

/// Returns the names of all games for an error message: "`a`, `b` or `c`".
fn names() -> String {
    listed(&GameId::all().iter().map(|game| game.name()).collect::<Vec<_>>())
}

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        let found = Self::all().iter().find(|game| game.name() == text);
        found.copied().ok_or_else(|| UnknownGame(game::text::excerpt(text)))
    }
}
