//! What a page tells its users about a game: names, lessons, puzzles.

use game::Position;
use serde::Serialize;

use crate::{Entry, GameId, Visitor, dispatch};

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
    /// The name of the game's own file format, if it has one.
    pub file_format: Option<&'static str>,
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

/// A part of what a page teaches about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Lesson {
    /// Its heading.
    pub title: &'static str,
    /// Its paragraphs.
    pub text: &'static [&'static str],
    /// A board beside the text.
    pub example: Option<Example>,
}

/// A board beside a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Position text; the usual start if none is given.
    pub start: Option<&'static str>,
    /// Moves to step through. Without any, the user moves the pieces.
    pub moves: &'static [&'static str],
}

impl Example {
    /// The usual start, where the user moves the pieces.
    pub(crate) const USUAL: Self = Self { start: None, moves: &[] };

    /// A position in which the user moves the pieces.
    pub(crate) const fn free(start: &'static str) -> Self {
        Self { start: Some(start), moves: &[] }
    }

    /// A position and moves to step through.
    pub(crate) const fn of(start: &'static str, moves: &'static [&'static str]) -> Self {
        Self { start: Some(start), moves }
    }
}

/// A position that the side to move wins by force, and the length of the win in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzle(pub &'static str, pub u32);

impl GameId {
    /// What a page must know of the game to show it.
    pub fn about(self) -> About {
        dispatch(self, Describe)
    }

    /// What a page teaches about the game.
    pub fn lessons(self) -> &'static [Lesson] {
        dispatch(self, Lessons)
    }

    /// The game's puzzles, the easiest first.
    pub fn puzzles(self) -> Vec<Puzzle> {
        dispatch(self, Puzzles).lines().filter_map(puzzle).collect()
    }

    /// What a page may ask the game's own text program to do; `None` if that program cannot show a page.
    pub fn console(self) -> Option<Console> {
        dispatch(self, Consoles)
    }
}

struct Describe;

impl Visitor for Describe {
    type Output = About;

    fn visit<E: Entry>(self) -> About {
        About {
            name: E::NAME,
            title: capitalised(E::TITLE),
            summary: E::SUMMARY,
            sizes: E::SIZES.collect(),
            usual_size: E::USUAL_SIZE,
            sides: E::Position::SIDE_NAMES,
            pieces: E::PIECES,
            counted: E::COUNTED,
            square_name: E::SQUARE_NAME,
            contents: E::contents(),
            brushes: E::BRUSHES,
            turn_is_free: E::passed(&E::empty(E::USUAL_SIZE)).is_some(),
            file_format: E::FILE_FORMAT,
        }
    }
}

/// The text with its first letter in upper case.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

struct Lessons;

impl Visitor for Lessons {
    type Output = &'static [Lesson];

    fn visit<E: Entry>(self) -> Self::Output {
        E::LESSONS
    }
}

struct Puzzles;

impl Visitor for Puzzles {
    type Output = &'static str;

    fn visit<E: Entry>(self) -> Self::Output {
        E::PUZZLES
    }
}

struct Consoles;

impl Visitor for Consoles {
    type Output = Option<Console>;

    fn visit<E: Entry>(self) -> Self::Output {
        E::CONSOLE
    }
}

/// A line of a file of puzzles; `None` for a comment.
fn puzzle(line: &'static str) -> Option<Puzzle> {
    let (position, plies) = line.split_once(";win ")?;
    Some(Puzzle(position, plies.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow;

    use super::*;
    use crate::Setting;

    fn setting(game: GameId) -> Setting {
        Setting { game, size: None, move_limit: 200, repetitions: None }
    }

    #[test]
    fn every_square_of_every_game_has_spoken_contents() {
        for game in GameId::ALL {
            let about = game.about();
            let mut moves: Vec<String> = Vec::new();
            for ply in 0..40 {
                let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
                let scene = setting(game).scene(None, &texts).expect("legal moves");
                for (text, _) in scene.rows.iter().flatten().chain(scene.frames.iter().flatten().flatten()) {
                    assert!(about.contents.iter().any(|(known, _)| known == text), "{game}: `{text}`");
                }
                let Some(way) = scene.moves.get(7 * ply % scene.moves.len().max(1)) else { break };
                moves.push(way.text.clone());
            }
            assert!(about.square_name.contains("{row}") && about.square_name.contains("{column}"), "{game}");
        }
    }

    #[test]
    fn lessons_have_legal_examples() {
        for game in GameId::ALL {
            assert!(!game.lessons().is_empty(), "{game}");
            for lesson in game.lessons() {
                let Some(example) = lesson.example else { continue };
                let scene = setting(game).scene(example.start, example.moves);
                assert!(scene.is_ok(), "{game}, {}: {scene:?}", lesson.title);
            }
        }
    }

    /// Whether the side to move wins within this many plies against every defence.
    fn wins<P: Position>(p: &P, plies: u32) -> bool {
        let side = p.side_to_move();
        p.visit_moves(|m| {
            let next = p.child(m);
            let won = match next.decided() {
                Some(outcome) => outcome.winner() == Some(side),
                None if next.is_stuck() => P::STUCK.outcome(next.side_to_move()).winner() == Some(side),
                None if plies <= 2 => false,
                None => loses(&next, plies - 1),
            };
            if won { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .is_break()
    }

    /// Whether every move of the side to move lets the opponent win within one ply less than this.
    fn loses<P: Position>(p: &P, plies: u32) -> bool {
        let opponent = !p.side_to_move();
        p.visit_moves(|m| {
            let next = p.child(m);
            let lost = match next.decided() {
                Some(outcome) => outcome.winner() == Some(opponent),
                None => !next.is_stuck() && wins(&next, plies - 1),
            };
            if lost { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .is_continue()
    }

    struct Proven(Vec<Puzzle>);

    impl Visitor for Proven {
        type Output = ();

        fn visit<E: Entry>(self) {
            for Puzzle(text, plies) in self.0 {
                let position: E::Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(position.to_string(), text);
                // Longer wins take a search that is more than a test of the data.
                if plies <= 3 {
                    assert!(wins(&position, plies) && !wins(&position, plies - 2), "{text}: win {plies}");
                }
            }
        }
    }

    #[test]
    fn puzzles_are_wins_of_the_length_they_say() {
        for game in GameId::ALL {
            let puzzles = game.puzzles();
            let lines = dispatch(game, Puzzles).lines().filter(|line| !line.starts_with('#')).count();
            assert_eq!(puzzles.len(), lines, "{game}: every line is a puzzle");
            assert!(puzzles.len() >= 20 && puzzles.is_sorted_by_key(|puzzle| puzzle.1), "{game}");
            dispatch(game, Proven(puzzles));
        }
    }
}
