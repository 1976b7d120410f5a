//! The trait that defines a game.

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
use crate::rule_set::RuleSet;
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
            message!("game.size", "board size {size}: {game} is played on {most} squares per side", size, game, most)
        } else {
            message!(
                "game.sizes",
                "board size {size}: {game} is played on {least} to {most} squares per side",
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
/// Items with a default are optional. The page offers lessons, puzzles and the editor only for games that define them.
pub trait Game: Playable + 'static {
    /// Position type of the reference implementation of the rules, or [`OwnRules`](crate::own_rules::OwnRules) if the
    /// game has no reference implementation.
    type Model: reference::Model;
    /// Name that commands and files use, in lower case.
    const NAME: &'static str;
    /// Name that users read, with the capitalisation of running text: "checkers".
    const TITLE: &'static str;
    /// Summary of the game in a few words.
    const SUMMARY: &'static str;
    /// Supported board sizes, in squares per side.
    const SIZES: RangeInclusive<usize>;
    /// Default board size, in squares per side.
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

    /// Returns the board size, in squares per side.
    fn size(p: &Self) -> usize {
        p.diagram(None).cells.len()
    }

    /// Rule sets of the game, the usual one first. A game without a choice has none.
    const RULE_SETS: &'static [RuleSet] = &[];
    /// Names of start positions other than the usual one, in lower case.
    const STARTS: &'static [&'static str] = &[];

    /// Returns the position under the rules of one of [`RULE_SETS`](Self::RULE_SETS); unchanged for `None`.
    #[must_use]
    fn under(self, set: Option<&RuleSet>) -> Self {
        let _ = set;
        self
    }

    /// Returns the rule set of a position whose rules on the board are not the usual ones.
    fn rule_set(p: &Self) -> Option<&'static RuleSet> {
        let _ = p;
        None
    }

    /// Returns one of the [`STARTS`](Self::STARTS) on a board of one of [`SIZES`](Self::SIZES).
    fn named_start(name: &str, size: usize) -> Self {
        let _ = name;
        Self::start_on(size)
    }

    /// `true` if moves can remove pieces from the board.
    const TAKES_OFF: bool = false;

    /// Returns the reason why a side has won on this board, for example "all its pieces are connected". Returns the
    /// usual reason if no side has won, and an empty text if the result does not need a reason.
    fn won_because(p: &Self) -> &'static str {
        let _ = p;
        ""
    }

    /// Returns the source and the target square of a move, or its only square, as rows and columns of the diagram. By
    /// default these are the squares of [`squares_of`](Playable::squares_of), whose rows must then count from the top.
    fn path(p: &Self, m: Self::Move) -> Vec<Place> {
        let _ = p;
        let mut path = Self::squares_of(m).map(|(column, row)| [row.into(), column.into()]).to_vec();
        path.dedup();
        path
    }

    /// Returns the positions after each step of a move; the last one is the position after the move. Returns an empty
    /// list if the move has no intermediate positions.
    fn frames(p: &Self, m: Self::Move) -> Vec<Self> {
        let _ = (p, m);
        Vec::new()
    }

    /// Returns the pairs of squares between which something moves from this frame to the next.
    fn flights(frame: &Self) -> Vec<[Place; 2]> {
        let _ = frame;
        Vec::new()
    }

    /// Returns the lines along which each piece of the side to move can move, in games where the pieces on the line
    /// determine the distance.
    fn lines(p: &Self) -> Vec<MoveLine> {
        let _ = p;
        Vec::new()
    }

    /// Returns the groups of connected pieces, in games that are about connection.
    fn groups(p: &Self) -> Vec<Vec<Place>> {
        let _ = p;
        Vec::new()
    }

    /// Returns the squares that decided a won game. `last` is the last square of the last move. `None`, the default,
    /// stands for the squares of all the winner's pieces.
    fn highlight(p: &Self, winner: Side, last: Option<Place>) -> Option<Highlight> {
        let _ = (p, winner, last);
        None
    }

    /// Returns quantities of both sides that a person can count on the board, in the same order in every position. The
    /// review of a game uses them to explain errors.
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

    /// Names of the editor's brushes, as users read them. The first brush empties a square. A game without brushes has
    /// no editor.
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

    /// Returns the depth, in plies, of an exact search that supplements a book: it looks for wins in positions that
    /// follow a book win but that [`known`](Self::known) does not cover. 0 if there is no such search.
    fn short_wins() -> u32 {
        0
    }

    /// Returns a search that solves this undecided position better than a proof-number search, if the game has one.
    fn exact(p: &Self, stop: &Stop, budget: Budget) -> Option<Box<dyn Prover<Self>>> {
        let _ = (p, stop, budget);
        None
    }

    /// Text of the position that the page shows as the game's picture. The board has the usual size, and both sides
    /// still have chances.
    const PICTURE: &'static str;

    /// Lessons that the page offers.
    const LESSONS: &'static [Lesson] = &[];
    /// Texts of the lessons: pairs of a language code and the contents of a file, English first.
    const LESSON_WORDS: &'static [(&'static str, &'static str)] = &[];
    /// Puzzles, in the format of [`read_puzzles`](crate::puzzles::read_puzzles).
    const PUZZLES: &'static str = "";
    /// Beginnings of games between our engines, in the format of `opening_games.rs`.
    const OPENING_GAMES: &'static str = "";

    /// Theme of puzzles whose task is to win, without the number of moves: "connect" of "connect3".
    const WIN_THEME: &'static str = "win";

    /// Returns the themes of a puzzle's solution, by names that the page can translate.
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
