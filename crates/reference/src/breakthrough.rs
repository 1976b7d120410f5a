//! Breakthrough on 4×4 to 8×8, by the inventor's rules.
//!
//! The implementation follows this text, which summarises the published rules. The fast crate has the same author, so
//! the tests also compare perft counts with those of `OpenSpiel`.
//!
//! 1. White fills the two bottom rows, Black the two top rows. White moves first and moves up, Black moves down.
//! 2. A piece moves one square straight or diagonally forward if the target square is empty.
//! 3. A piece may move onto a square with an opponent's piece only if that square is one step diagonally forward. The
//!    opponent's piece is removed.
//! 4. The first player to reach the opponent's home row wins. It is the row farthest from the player.
//! 5. A player whose pieces have all been captured has lost.

use crate::{Direction, Model, Side, Square, squares, step};

/// Letters of the columns, from the left.
const COLUMNS: [char; 8] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/// A position of Breakthrough: the pieces and the side to move. White is [`Side::First`].
///
/// The text of a position looks like `bbbb/bbbb/wwww/wwww w`. A move looks like `a2-a3`, or like `a2xb3` if it is a
/// capture: columns a, b, … from the left, ranks from the bottom.
///
/// ```
/// use reference::breakthrough::Breakthrough;
/// use reference::{Model, Side};
///
/// let before = Breakthrough::parse("b---/--w-/----/---- w").expect("a position");
/// let after = before.play("c3-d4").expect("a move");
/// assert_eq!(after.winner(), Some(Side::First));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Breakthrough {
    /// Owners of the pieces: `rows[row][column]`, row 0 on top, `None` for an empty square.
    rows: Vec<Vec<Option<Side>>>,
    to_move: Side,
}

impl Breakthrough {
    fn size(&self) -> usize {
        self.rows.len()
    }

    fn at(&self, (row, column): Square) -> Option<Side> {
        self.rows[row][column]
    }

    fn name(&self, (row, column): Square) -> String {
        format!("{}{}", COLUMNS[column], self.size() - row)
    }

    /// Returns the target of the piece on `from` in one direction, if the side to move may move there (rules 2 and 3).
    fn target(&self, from: Square, direction: Direction) -> Option<Square> {
        let target = step(self.size(), from, direction)?;
        let diagonal = direction.1 != 0;
        match self.at(target) {
            None => Some(target),
            Some(owner) if owner != self.to_move && diagonal => Some(target),
            Some(_) => None,
        }
    }

    /// Returns all moves of the side to move, as pairs of squares.
    fn pairs(&self) -> Vec<(Square, Square)> {
        let down = match self.to_move {
            Side::First => -1,
            Side::Second => 1,
        };
        let mut pairs = Vec::new();
        for from in squares(self.size()) {
            if self.at(from) != Some(self.to_move) {
                continue;
            }
            for right in [-1, 0, 1] {
                if let Some(to) = self.target(from, (down, right)) {
                    pairs.push((from, to));
                }
            }
        }
        pairs
    }

    fn pair_name(&self, (from, to): (Square, Square)) -> String {
        let joined_by = if self.at(to).is_some() { 'x' } else { '-' };
        format!("{}{joined_by}{}", self.name(from), self.name(to))
    }

    fn has_won(&self, side: Side) -> bool {
        let far_row = match side {
            Side::First => 0,
            Side::Second => self.size() - 1,
        };
        let arrived = self.rows[far_row].contains(&Some(side)); // rule 4
        let opponent_has_pieces = squares(self.size()).into_iter().any(|s| self.at(s) == Some(side.other()));
        arrived || !opponent_has_pieces // rule 5
    }
}

impl Model for Breakthrough {
    fn start(size: usize) -> Self {
        assert!((4..=8).contains(&size), "Breakthrough is played on 4x4 to 8x8, not on {size}x{size}");
        let mut rows = vec![vec![None; size]; size];
        // Rule 1.
        for (row, column) in squares(size) {
            if row < 2 {
                rows[row][column] = Some(Side::Second);
            }
            if row >= size - 2 {
                rows[row][column] = Some(Side::First);
            }
        }
        Breakthrough { rows, to_move: Side::First }
    }

    fn parse(text: &str) -> Option<Self> {
        let (board, turn) = text.split_once(' ')?;
        let to_move = match turn {
            "w" => Side::First,
            "b" => Side::Second,
            _ => return None,
        };
        let mut rows = Vec::new();
        for line in board.split('/') {
            let mut row = Vec::new();
            for cell in line.chars() {
                row.push(match cell {
                    'w' => Some(Side::First),
                    'b' => Some(Side::Second),
                    '-' => None,
                    _ => return None,
                });
            }
            rows.push(row);
        }
        let size = rows.len();
        let square = rows.iter().all(|row| row.len() == size);
        ((4..=8).contains(&size) && square).then_some(Breakthrough { rows, to_move })
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        for row in &self.rows {
            let mut line = String::new();
            for cell in row {
                line.push(match cell {
                    Some(Side::First) => 'w',
                    Some(Side::Second) => 'b',
                    None => '-',
                });
            }
            lines.push(line);
        }
        let turn = match self.to_move {
            Side::First => "w",
            Side::Second => "b",
        };
        format!("{} {turn}", lines.join("/"))
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn moves(&self) -> Vec<String> {
        let mut names: Vec<String> = self.pairs().into_iter().map(|pair| self.pair_name(pair)).collect();
        names.sort();
        names
    }

    fn play(&self, mv: &str) -> Option<Self> {
        let (from, to) = self.pairs().into_iter().find(|&pair| self.pair_name(pair) == mv)?;
        let mut next = self.clone();
        next.rows[from.0][from.1] = None;
        next.rows[to.0][to.1] = Some(self.to_move); // rule 3: captures the piece on the target
        next.to_move = self.to_move.other();
        Some(next)
    }

    fn winner(&self) -> Option<Side> {
        // In play only the player who has just moved can have won. On a board that was set up, both may have won; the
        // player who has just moved comes first.
        [self.to_move.other(), self.to_move].into_iter().find(|&player| self.has_won(player))
    }
}
