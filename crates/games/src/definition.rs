//! The definition of a game: what its author writes.

use core::ops::RangeInclusive;

use engine::Playable;
use game::Finish;
use proof::win::Prover;
use search::Stop;
use thiserror::Error;

use crate::about::{Console, Pieces};
use crate::files::GameFile;
use crate::known::{self, Fact};
use crate::lessons::Lesson;
use crate::prove::Budget;
use crate::puzzles::Line;
use crate::scene::{MoveLine, Place};
use crate::tree::Node;

/// A board size that a game is not played on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("board size {size}: {game} is played on {}", sizes(expected))]
pub struct SizeError {
    game: &'static str,
    size: usize,
    expected: RangeInclusive<usize>,
}

fn sizes(range: &RangeInclusive<usize>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { format!("{most} squares a side") } else { format!("{least} to {most} squares a side") }
}

/// A game: its positions, and everything that the page, the arena and the commands say about it.
///
/// [`AnyGame`](crate::AnyGame) and [`AnyRecord`](crate::AnyRecord) are implemented for every such game.
/// `ARCHITECTURE.md` says how a game is added.
pub trait Game: Playable + 'static {
    /// A position in the slow second implementation of the rules.
    type Model: reference::Model;
    /// The name that commands and files use, in lower case.
    const NAME: &'static str;
    /// The name that users read, as in the middle of a sentence: "checkers".
    const TITLE: &'static str;
    /// The game in a few words.
    const SUMMARY: &'static str;
    /// Board sizes that the game is played on, in squares a side.
    const SIZES: RangeInclusive<usize>;
    /// The size that is used if none is given.
    const USUAL_SIZE: usize;

    /// The start position on a board of one of [`SIZES`](Self::SIZES).
    ///
    /// # Panics
    /// If the game is not played on this size.
    fn start_on(size: usize) -> Self;

    /// The start position; of the game's usual size if none is given.
    ///
    /// # Errors
    /// If the game is not played on this size.
    fn start(size: Option<usize>) -> Result<Self, SizeError> {
        let size = size.unwrap_or(Self::USUAL_SIZE);
        if !Self::SIZES.contains(&size) {
            return Err(SizeError { game: Self::NAME, size, expected: Self::SIZES });
        }
        Ok(Self::start_on(size))
    }

    /// Squares a side.
    fn size(p: &Self) -> usize;

    /// The size on which OpenSpiel plays the game by rules of its own, which are those of
    /// [`Repetitions::OpenSpiel`](crate::Repetitions::OpenSpiel).
    const OPENSPIEL_SIZE: Option<usize> = None;

    /// Whether moves take pieces off the board.
    const TAKES_OFF: bool;

    /// Why a side that has won on this board has won, as in "all its pieces are connected". The usual reason if no side
    /// has won.
    fn won_because(p: &Self) -> &'static str;

    /// The squares that a move touches, as rows and columns of the diagram: from and to, or one.
    fn path(p: &Self, m: Self::Move) -> Vec<Place>;

    /// The steps of a move: the positions that follow the one before the move, up to the one after it. Empty if there
    /// is nothing to show between those two.
    fn frames(p: &Self, m: Self::Move) -> Vec<Self> {
        let _ = (p, m);
        Vec::new()
    }

    /// What goes from square to square between a frame and the next one.
    fn flights(frame: &Self) -> Vec<[Place; 2]> {
        let _ = frame;
        Vec::new()
    }

    /// For each piece of the side to move, the lines along which it can move, in games where the distance depends on
    /// the line.
    fn lines(p: &Self) -> Vec<MoveLine> {
        let _ = p;
        Vec::new()
    }

    /// The groups of connected pieces, in games that are about connection.
    fn groups(p: &Self) -> Vec<Vec<Place>> {
        let _ = p;
        Vec::new()
    }

    /// How the page draws what stands on a square.
    const PIECES: Pieces;
    /// What the page counts for each side: "pieces" or "squares".
    const COUNTED: &'static str;
    /// How a square is named: a text in which `{row}` and `{column}` stand for the labels of the diagram.
    const SQUARE_NAME: &'static str;

    /// Every text that a square of the diagram can have, and what a screen reader says for it: "White tower".
    fn contents() -> Vec<(String, String)>;

    /// What the editor can put on a square, as users read it. The first one empties the square.
    const BRUSHES: &'static [&'static str];

    /// A board of one of [`SIZES`](Self::SIZES) with nothing on it, the first side to move.
    fn empty(size: usize) -> Self;

    /// The position after one square was painted; `None` if the square does not exist or the piece cannot stand there.
    fn paint(p: &Self, place: Place, brush: usize) -> Option<Self>;

    /// The same board with the other side to move; `None` if the side to move follows from the board.
    fn passed(p: &Self) -> Option<Self>;

    /// The result of perfect play from a position that is not decided, if it is known without a search.
    fn known(p: &Self, policy: &Self::Policy) -> Option<Fact<Self::Move>> {
        known::in_tables(p, policy)
    }

    /// Where [`known`](Self::known) ends in won positions, a search this many plies deep goes on; 0 where it does not.
    fn short_wins() -> u32 {
        0
    }

    /// A search that solves this undecided position better than a proof-number search, if the game has one.
    fn exact(p: &Self, stop: &Stop, budget: Budget) -> Option<Box<dyn Prover<Self>>> {
        let _ = (p, stop, budget);
        None
    }

    /// A position from a game on the usual board, in which both sides still have chances: the game's picture.
    const PICTURE: &'static str;

    /// What the page teaches about the game.
    const LESSONS: &'static [Lesson];
    /// The words of the lessons: a language and its file, English first.
    const LESSON_WORDS: &'static [(&'static str, &'static str)];
    /// Positions in which something is to be found, in the format of [`read_puzzles`](crate::read_puzzles).
    const PUZZLES: &'static str;

    /// The theme of a puzzle that is won, before the number of moves: "connect" for "connect in three".
    const WIN_THEME: &'static str = "win";

    /// What a line of play that solves a puzzle is about, in names that the page has words for.
    fn themes(line: &Line<'_, Self>) -> Vec<&'static str> {
        let _ = line;
        Vec::new()
    }

    /// The name of the game's own file format, if it has one.
    const FILE_FORMAT: Option<&'static str> = None;

    /// Reads the games of a file in the game's own format: at least one entry, with an error in place of each invalid
    /// game. `None` if the text does not begin like such a file.
    fn read_files(text: &str) -> Option<Vec<Result<GameFile, String>>> {
        let _ = text;
        None
    }

    /// Writes a game in the game's own format; `None` if there is no such format. The nodes are checked; `finish` is
    /// that of the main line.
    fn write_file(start: &Self, nodes: &[Node], finish: Option<Finish>) -> Option<String> {
        let _ = (start, nodes, finish);
        None
    }

    /// What a page may ask the game's own text program to do; `None` if that program cannot show a page.
    const CONSOLE: Option<Console> = None;
}
