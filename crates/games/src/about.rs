//! Descriptions of games for a page: names, sizes, and how the board is drawn.

use engine::{Build, Level, Profile};
use game::text::capitalised;
use game::{Message, Tone, message};
use serde::Serialize;

use crate::definition::Game;
use crate::text::position;

/// The description of a game, with everything that the page needs to offer the game. The page itself has no list of
/// games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// Name that commands and files use.
    pub name: &'static str,
    /// Name that users read, as a heading.
    pub title: String,
    /// Summary of the game in a few words.
    pub summary: &'static str,
    /// Board sizes, in squares per side.
    pub sizes: Vec<usize>,
    /// Default board size, in squares per side.
    pub usual_size: usize,
    /// Names of the sides.
    pub sides: [&'static str; 2],
    /// Kind of piece that the page draws on a square.
    pub pieces: Pieces,
    /// Unit that is counted for each side: "pieces" or "squares".
    pub counted: &'static str,
    /// Template for the name of a square, with `{row}` and `{column}` for the labels.
    pub square_name: &'static str,
    /// Every text that a square of a scene can have, and its description for a screen reader.
    pub contents: Vec<(String, Message)>,
    /// Names of the brushes that the editor offers. The first brush empties a square.
    pub brushes: &'static [&'static str],
    /// Names of the rule sets that differ from the usual rules on the board. The editor offers them.
    pub rules: Vec<&'static str>,
    /// Texts that name other starts and other rules on the board: `mso`, `scrambled-eggs`, `scrambled-eggs mso`.
    pub variants: Vec<String>,
    /// `true` if the editor can change the side to move.
    pub turn_is_free: bool,
    /// Levels of the engine, the weakest first.
    pub levels: Vec<Strength>,
    /// Builds of the engine. The first one is the current engine, to which the levels belong.
    pub builds: Vec<&'static str>,
    /// Name of the game's own file format, if it has one.
    pub file_format: Option<&'static str>,
    /// Number of lessons.
    pub lessons: usize,
    /// Number of puzzles.
    pub puzzles: usize,
    /// Text of the position that the page shows as the game's picture.
    pub picture: &'static str,
}

/// A level of an engine as a page offers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// Name: `gentle1` to `gentle3`, `1` to `10`.
    pub key: &'static str,
    /// Elo rating, measured in matches between neighbouring levels (`docs/engine.md`); `None` if not measured. The
    /// weakest level has 400 in every game.
    pub elo: Option<u32>,
    /// `true` for a level for beginners, which makes human-like mistakes.
    pub gentle: bool,
}

/// The kinds of pieces that a page draws on squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pieces {
    /// Discs.
    Discs,
    /// Men, and towers of two men. The texts of towers are in upper case.
    Men,
    /// Pawns. The first side has the light pawns.
    Pawns,
    /// A die on every square. The text of a square begins with the number of spots.
    Dice,
}

/// The commands of a game's text program that a page may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Console {
    /// `true` if the program has the command `size N`.
    pub sizes: bool,
    /// `true` if the program has the command `limit N`, where `N` counts the moves of each side.
    pub limit: bool,
}

/// Returns the builds of a game's engine.
pub(crate) fn builds<P: Game>() -> Vec<Build> {
    Build::of(&P::start_on(P::USUAL_SIZE))
}

/// Returns the description of a game for a page.
pub(crate) fn about<P: Game>() -> About {
    let start = P::start_on(P::USUAL_SIZE);
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
        rules: rules::<P>(),
        variants: variants::<P>(),
        turn_is_free: P::passed(&start).is_some(),
        levels: levels(&start.profile()),
        builds: builds::<P>().into_iter().map(Build::name).collect(),
        file_format: P::FILE_FORMAT,
        lessons: P::LESSONS.len(),
        puzzles: P::PUZZLES.lines().filter(|line| !line.starts_with('#')).count(),
        picture: P::PICTURE,
    }
}

/// Returns the names of the rule sets that differ from the usual rules on the board.
fn rules<P: Game>() -> Vec<&'static str> {
    P::RULE_SETS.iter().filter(|set| set.on_board).map(|set| set.name).collect()
}

/// Returns the texts that name a start, rules that differ on the board, or both.
fn variants<P: Game>() -> Vec<String> {
    let sets: Vec<String> = rules::<P>().into_iter().map(str::to_owned).collect();
    let both = |start: &&str| sets.iter().map(move |set| format!("{start} {set}")).collect::<Vec<_>>();
    let starts = P::STARTS.iter().flat_map(|start| core::iter::once((*start).to_owned()).chain(both(start)));
    let starts: Vec<String> = starts.collect();
    sets.iter().cloned().chain(starts).collect()
}

/// Returns the text that names a game's start: one of [`About::variants`], or an empty text for the usual rules and
/// start. If the start is not one of those, the text names only its rules.
pub(crate) fn variant<P: Game>(start: &P) -> String {
    let is_start = |name: &String| position::<P>(Some(name), Some(P::size(start))).as_ref() == Ok(start);
    let rules = || P::rule_set(start).map(|set| set.name.to_owned());
    variants::<P>().into_iter().find(is_start).or_else(rules).unwrap_or_default()
}

/// Returns every text that a square has in the start position or in the picture, each with a description that names the
/// side: "White piece".
pub(crate) fn contents_of<P: Game>() -> Vec<(String, Message)> {
    let positions = [Some(P::start_on(P::USUAL_SIZE)), P::PICTURE.parse().ok()];
    let piece = |side: usize| message!("men.piece", "{side} piece", side = Message::name(P::SIDE_NAMES[side]));
    let mut contents: Vec<(String, Message)> = Vec::new();
    for (text, tone, _) in positions.iter().flatten().flat_map(|p| p.diagram(None).cells).flatten() {
        if contents.iter().all(|(known, _)| *known != text) {
            let spoken = match tone {
                Tone::Empty => Message::name("empty"),
                Tone::First => piece(0),
                Tone::Second => piece(1),
            };
            contents.push((text, spoken));
        }
    }
    contents
}

fn levels(profile: &Profile) -> Vec<Strength> {
    let strength = |level: Level| Strength { key: level.name(), elo: level.elo(profile), gentle: level.is_gentle() };
    Level::all().map(strength).collect()
}
