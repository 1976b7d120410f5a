//! The list of games, and games by their names.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::str::FromStr;

use thiserror::Error;

use crate::any::{AnyGame, erased};
use crate::definition::Game;

/// A game by its name. It dereferences to [`AnyGame`].
#[derive(Clone, Copy)]
pub struct GameId(&'static dyn AnyGame);

/// Generates [`GameId::ALL`], a constant for each game, and [`dispatch`] from the list of games.
macro_rules! games {
    ($($(#[$doc:meta])* $name:ident: $position:ty,)*) => {
        impl GameId {
            $($(#[$doc])* pub const $name: Self = Self::of::<$position>();)*

            /// Every game. A page shows the first one unless another is requested.
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];
        }

        /// Runs a visitor with the types of a game.
        ///
        /// # Panics
        /// If the game is not in the list.
        pub fn dispatch<T: Visitor>(game: GameId, visitor: T) -> T::Output {
            $(if game == GameId::$name { return visitor.visit::<$position>(); })*
            unreachable!("invariant: {game} is in the list of games")
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

/// Code that is compiled for each game: training and measurements, whose loops use the game's own types.
pub trait Visitor {
    /// Result of the code.
    type Output;

    /// Runs the code.
    fn visit<P: Game>(self) -> Self::Output;
}

impl GameId {
    /// Returns the game with these positions.
    pub const fn of<P: Game>() -> Self {
        Self(erased::<P>())
    }
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

/// The error for a name that no game has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{0}`: expected {list}", list = names())]
pub struct UnknownGame(String);

/// Returns the names of all games for an error message: "`a`, `b` or `c`".
fn names() -> String {
    let names = GameId::ALL.map(|game| format!("`{game}`"));
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        all => all.concat(),
    }
}

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        let found = Self::ALL.into_iter().find(|game| game.name() == text);
        found.ok_or_else(|| UnknownGame(game::text::excerpt(text)))
    }
}
