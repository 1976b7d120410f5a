//! What a page tells its users about a game: names, sizes, how it is drawn.

use engine::{Build, Level, Profile};
use serde::Serialize;

use crate::definition::Game;

/// What a page must know of a game to show it. The page has no list of games of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// The name that commands and files use.
    pub name: &'static str,
    /// The name that users read, as a heading.
    pub title: String,
    /// The game in a few words.
    pub summary: &'static str,
    /// Board sizes, in squares a side.
    pub sizes: Vec<usize>,
    /// The size that is used when none is given.
    pub usual_size: usize,
    /// The names of the sides.
    pub sides: [&'static str; 2],
    /// How the page draws what stands on a square.
    pub pieces: Pieces,
    /// What is counted for each side: "pieces" or "squares".
    pub counted: &'static str,
    /// How a square is named: a text with `{row}` and `{column}` for the labels.
    pub square_name: &'static str,
    /// Every text that a square of a scene can have, and what a screen reader says for it.
    pub contents: Vec<(String, String)>,
    /// What the editor can put on a square. The first brush empties it.
    pub brushes: &'static [&'static str],
    /// Whether the editor can change the side to move.
    pub turn_is_free: bool,
    /// The levels of its engine, the weakest first.
    pub levels: Vec<Strength>,
    /// The builds of its engine; the first one is the current engine, which has the levels.
    pub builds: Vec<&'static str>,
    /// The name of the game's own file format, if it has one.
    pub file_format: Option<&'static str>,
    /// How many puzzles there are.
    pub puzzles: usize,
    /// A position from a game, which the page shows as the game's picture.
    pub picture: &'static str,
}

/// A level of an engine as a page offers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// Its name: `gentle1` to `gentle3`, `1` to `10`.
    pub key: &'static str,
    /// Elo, as measured between neighbouring levels (`docs/engine.md`). The weakest level has 400 in every game.
    pub elo: u32,
    /// Whether it is one of the levels for beginners, which err as people do.
    pub gentle: bool,
}

/// How a page draws what stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pieces {
    /// A disc.
    Discs,
    /// A man or, if the text is in upper case, a tower of two.
    Men,
    /// A pawn. Those of the first side are light.
    Pawns,
    /// A die on every square; the text begins with its number of spots.
    Dice,
}

/// What a page may ask a game's text program to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Console {
    /// Whether it has the command `size N`.
    pub sizes: bool,
    /// Whether it has the command `limit N`, where `N` counts the moves of each side.
    pub limit: bool,
}

/// Returns the builds of a game's engine.
pub(crate) fn builds<P: Game>() -> Vec<Build> {
    Build::of(&P::empty(P::USUAL_SIZE))
}

/// Returns what a page needs to show a game.
pub(crate) fn about<P: Game>() -> About {
    About {
        name: P::NAME,
        title: capitalised(P::TITLE),
        summary: P::SUMMARY,
        sizes: P::SIZES.collect(),
        usual_size: P::USUAL_SIZE,
        sides: P::SIDE_NAMES,
        pieces: P::PIECES,
        counted: P::COUNTED,
        square_name: P::SQUARE_NAME,
        contents: P::contents(),
        brushes: P::BRUSHES,
        turn_is_free: P::passed(&P::empty(P::USUAL_SIZE)).is_some(),
        levels: levels(&P::empty(P::USUAL_SIZE).profile()),
        builds: builds::<P>().into_iter().map(Build::name).collect(),
        file_format: P::FILE_FORMAT,
        puzzles: P::PUZZLES.lines().filter(|line| !line.starts_with('#')).count(),
        picture: P::PICTURE,
    }
}

fn levels(profile: &Profile) -> Vec<Strength> {
    let strength = |level: Level| Strength { key: level.name(), elo: level.elo(profile), gentle: level.is_gentle() };
    Level::all().map(strength).collect()
}

/// The text with its first letter in upper case.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
