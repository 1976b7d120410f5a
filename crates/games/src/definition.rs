//! The definition of a game, which its author implements.

use core::ops::RangeInclusive;

use engine::Playable;
use game::{Explain, Finish, Message, Side, message};
use proof::win::Prover;
use search::Stop;
use thiserror::Error;

use crate::about::{self, Console, Pieces};
use crate::files::GameFile;
use crate::highlight::Highlight;
use crate::known::{self, Fact};
use crate::lessons::Lesson;
use crate::prove::Budget;
use crate::puzzles::Line;
use crate::quantity::Quantity;
use crate::scene::{MoveLine, Place};
use crate::tree::Node;

/// A board size that a game is not played on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct SizeError {
    game: &'static str,
    size: usize,
    expected: RangeInclusive<usize>,
}

impl Explain for SizeError {
    fn message(&self) -> Message {
        let (game, size, least, most) =
            (Message::name(self.game), self.size, self.expected.start(), self.expected.end());
        if least == most {
            message!("game.size", "board size {size}: {game} is played on {most} squares a side", size, game, most)
        } else {
            message!(
                "game.sizes",
                "board size {size}: {game} is played on {least} to {most} squares a side",
                size,
                game,
                least,
                most
            )
        }
    }
}

/// A game: its positions, and its descriptions for the page, the arena and the commands.
///
/// [`AnyGame`](crate::any::AnyGame) and [`AnyRecord`](crate::any::AnyRecord) are implemented for every such game.
/// `ARCHITECTURE.md` describes how to add a game.
///
/// Everything with a default is optional: without puzzles, lessons or brushes, the page does not offer them.
pub trait Game: Playable + 'static {
    /// Position type of the slow second implementation of the rules. [`OwnRules`](crate::own_rules::OwnRules) if there
    /// is none.
    type Model: reference::Model;
    /// Name that commands and files use, in lower case.
    const NAME: &'static str;
    /// Name that users read, as in the middle of a sentence: "checkers".
    const TITLE: &'static str;
    /// Summary of the game in a few words.
    const SUMMARY: &'static str;
    /// Supported board sizes, in squares a side.
    const SIZES: RangeInclusive<usize>;
    /// Default board size, in squares a side.
    const USUAL_SIZE: usize = *Self::SIZES.end();

    /// Returns the start position on a board of one of [`SIZES`](Self::SIZES).
    ///
    /// # Panics
    /// If the game is not played on this size.
    fn start_on(size: usize) -> Self;

    /// Returns the start position, by default of the game's usual size.
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

    /// Returns the number of squares a side.
    fn size(p: &Self) -> usize {
        p.diagram(None).cells.len()
    }

    /// Board size on which OpenSpiel plays the game by different rules: those of
    /// [`Repetitions::OpenSpiel`](crate::play::Repetitions::OpenSpiel).
    const OPENSPIEL_SIZE: Option<usize> = None;

    /// `true` if moves can remove pieces from the board.
    const TAKES_OFF: bool = false;

    /// Returns the reason why a side has won on this board, for example "all its pieces are connected". Returns the
    /// usual reason if no side has won, and an empty text if the result does not need a reason.
    fn won_because(p: &Self) -> &'static str {
        let _ = p;
        ""
    }

    /// Returns the squares that a move touches, as rows and columns of the diagram: from and to, or one square. By
    /// default these are the squares of [`squares_of`](Playable::squares_of), whose rows must then count from the top.
    fn path(p: &Self, m: Self::Move) -> Vec<Place> {
        let _ = p;
        let mut path = Self::squares_of(m).map(|(column, row)| [row.into(), column.into()]).to_vec();
        path.dedup();
        path
    }

    /// Returns the positions after each step of a move, from the first step to the end of the move. Empty if the move
    /// has no intermediate positions.
    fn frames(p: &Self, m: Self::Move) -> Vec<Self> {
        let _ = (p, m);
        Vec::new()
    }

    /// Returns the pairs of squares between which something moves from this frame to the next.
    fn flights(frame: &Self) -> Vec<[Place; 2]> {
        let _ = frame;
        Vec::new()
    }

    /// Returns the lines along which each piece of the side to move can move, in games where the distance depends on
    /// the line.
    fn lines(p: &Self) -> Vec<MoveLine> {
        let _ = p;
        Vec::new()
    }

    /// Returns the groups of connected pieces, in games that are about connection.
    fn groups(p: &Self) -> Vec<Vec<Place>> {
        let _ = p;
        Vec::new()
    }

    /// Returns the squares that decided a won game. `last` is the last square of the last move. By default, and for
    /// `None`, these are the squares of all pieces of the winner.
    fn highlight(p: &Self, winner: Side, last: Option<Place>) -> Option<Highlight> {
        let _ = (p, winner, last);
        None
    }

    /// Returns quantities of both sides that a person can count on the board, in the same order in every position. The
    /// review of a game explains errors by them.
    fn quantities(p: &Self) -> Vec<Quantity> {
        let _ = p;
        Vec::new()
    }

    /// Kind of piece that the page draws on a square.
    const PIECES: Pieces = Pieces::Discs;
    /// Unit that the page counts for each side: "pieces" or "squares".
    const COUNTED: &'static str = "pieces";
    /// Template for the name of a square, with `{row}` and `{column}` for the labels of the diagram.
    const SQUARE_NAME: &'static str = "{column}{row}";

    /// Returns every text that a square of the diagram can have, and its description for a screen reader: "White
    /// tower". By default these are the texts at the start and in the [picture](Self::PICTURE).
    fn contents() -> Vec<(String, Message)> {
        about::contents_of::<Self>()
    }

    /// Names of the brushes of the editor, as users read them. The first brush empties a square. Without brushes there
    /// is no editor.
    const BRUSHES: &'static [&'static str] = &[];

    /// Returns an empty board of one of [`SIZES`](Self::SIZES), with the first side to move. Only the editor uses it.
    fn empty(size: usize) -> Self {
        Self::start_on(size)
    }

    /// Returns the position after painting a square; `None` if the square does not exist or the piece cannot stand
    /// there.
    fn paint(p: &Self, place: Place, brush: usize) -> Option<Self> {
        let _ = (p, place, brush);
        None
    }

    /// Returns the same board with the other side to move; `None` if the board determines the side to move.
    fn passed(p: &Self) -> Option<Self> {
        let _ = p;
        None
    }

    /// Returns the result of perfect play from an undecided position, if it is known without a search.
    fn known(p: &Self, policy: &Self::Policy) -> Option<Fact<Self::Move>> {
        known::in_tables(p, policy)
    }

    /// Returns the depth, in plies, of the search that continues a win beyond the positions that [`known`](Self::known)
    /// covers; 0 if there is no such search.
    fn short_wins() -> u32 {
        0
    }

    /// Returns a search that solves this undecided position better than a proof-number search, if the game has one.
    fn exact(p: &Self, stop: &Stop, budget: Budget) -> Option<Box<dyn Prover<Self>>> {
        let _ = (p, stop, budget);
        None
    }

    /// Text of a position from a game on a board of the usual size, in which both sides still have chances. The page
    /// shows it as the game's picture.
    const PICTURE: &'static str;

    /// Lessons that the page offers.
    const LESSONS: &'static [Lesson] = &[];
    /// Texts of the lessons: pairs of a language and the contents of its file, English first.
    const LESSON_WORDS: &'static [(&'static str, &'static str)] = &[];
    /// Puzzles, in the format of [`read_puzzles`](crate::puzzles::read_puzzles).
    const PUZZLES: &'static str = "";
    /// Beginnings of games between our engines, in the format of `opening_games.rs`.
    const OPENING_GAMES: &'static str = "";

    /// Theme of a puzzle whose task is a win, without the number of moves: "connect" for "connect in three".
    const WIN_THEME: &'static str = "win";

    /// Returns the themes of a solution of a puzzle, by names that the page can translate.
    fn themes(line: &Line<'_, Self>) -> Vec<&'static str> {
        let _ = line;
        Vec::new()
    }

    /// Name of the game's own file format, if it has one.
    const FILE_FORMAT: Option<&'static str> = None;

    /// Reads the games of a file in the game's own format: at least one entry, with an error in place of each invalid
    /// game. `None` if the text does not begin like such a file.
    fn read_files(text: &str) -> Option<Vec<Result<GameFile, Message>>> {
        let _ = text;
        None
    }

    /// Writes a game in the game's own format; `None` if there is no such format. The nodes have been checked; `finish`
    /// is the end of the main line.
    fn write_file(start: &Self, nodes: &[Node], finish: Option<Finish>) -> Option<String> {
        let _ = (start, nodes, finish);
        None
    }

    /// Commands of the game's own text program that a page may use; `None` if that program cannot show a page.
    const CONSOLE: Option<Console> = None;
}
