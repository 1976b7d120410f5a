//! Lines of Action on 4×4 to 8×8, by the same rule page as crate `loa`.
//!
//! [`Loa::mso`] has the rules of the Mind Sports Olympiad instead of rules 4 and 6: if both sides are connected, the
//! game is drawn, and a side without a legal move passes.
//!
//! Rule 5 of that page, the move limit, concerns games, not positions, and is left to the caller. Rule 7, which allows
//! repetition, holds because a position keeps no history.

use crate::{Direction, Model, Side, Square, squares, step};

/// Letters of the columns, from the left.
const COLUMNS: [char; 8] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/// The eight directions, clockwise from the top.
const DIRECTIONS: [Direction; 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

/// A position of Lines of Action: the pieces and the side to move. Black is [`Side::First`].
///
/// The text of a position looks like `-bb-/w--w/w--w/-bb- b`, and a move looks like `b1-b3`: columns a, b, … from the
/// left, ranks from the bottom. By the rules of the Mind Sports Olympiad, the text ends with ` mso`, and the only move
/// of a side without a move is `pass`.
///
/// ```
/// use reference::loa::Loa;
/// use reference::{Model, Side};
///
/// // Two black pieces that touch have won, whichever side is to move.
/// let won = Loa::parse("w---/--b-/---b/w--- w").expect("a position");
/// assert_eq!(won.winner(), Some(Side::First));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loa {
    /// Owners of the pieces: `rows[row][column]`, row 0 on top, `None` for an empty square.
    rows: Vec<Vec<Option<Side>>>,
    to_move: Side,
    /// `true` for the rules of the Mind Sports Olympiad.
    mso: bool,
}

impl Loa {
    /// Returns the same position by the rules of the Mind Sports Olympiad.
    #[must_use]
    pub fn mso(&self) -> Self {
        Loa { mso: true, ..self.clone() }
    }

    /// Returns the start position of Scrambled Eggs: White on a2, and the colours alternate around the board.
    ///
    /// # Panics
    ///
    /// Panics if the size is not 4 to 8.
    #[must_use]
    pub fn scrambled_eggs(size: usize) -> Self {
        let mut start = Self::start(size);
        let last = size - 1;
        let (mut here, mut side) = ((size - 2, 0), Side::Second); // a2
        for (down, right) in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
            // Walks along one edge into the corner, and around it onto the next edge.
            loop {
                let corner = [0, last].contains(&here.0) && [0, last].contains(&here.1);
                if !corner {
                    start.rows[here.0][here.1] = Some(side);
                    side = side.other();
                }
                match step(size, here, (down, right)) {
                    Some(next) => here = next,
                    None => break,
                }
            }
        }
        start
    }

    /// Returns the rows of the board from the top.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Option<Side>>] {
        &self.rows
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    fn at(&self, (row, column): Square) -> Option<Side> {
        self.rows[row][column]
    }

    /// Returns the name of a square: rule 1, columns from the left and ranks from the bottom.
    fn name(&self, (row, column): Square) -> String {
        format!("{}{}", COLUMNS[column], self.size() - row)
    }

    /// Returns the squares from `from` to the edge in one direction, nearest first, without `from`.
    fn ray(&self, from: Square, direction: Direction) -> Vec<Square> {
        let mut ray = Vec::new();
        let mut here = from;
        while let Some(next) = step(self.size(), here, direction) {
            ray.push(next);
            here = next;
        }
        ray
    }

    /// Returns the number of pieces of both colours on the whole line in both directions, including the one on `from`
    /// (rule 2).
    fn pieces_on_line(&self, from: Square, (down, right): Direction) -> usize {
        let mut count = 1;
        for square in self.ray(from, (down, right)) {
            if self.at(square).is_some() {
                count += 1;
            }
        }
        for square in self.ray(from, (-down, -right)) {
            if self.at(square).is_some() {
                count += 1;
            }
        }
        count
    }

    /// Returns the target of the piece on `from` in one direction, if the side to move may move there (rule 2).
    fn target(&self, from: Square, direction: Direction) -> Option<Square> {
        let distance = self.pieces_on_line(from, direction);
        let ray = self.ray(from, direction);
        if ray.len() < distance {
            return None; // it would leave the board
        }
        let target = ray[distance - 1];
        for &passed in &ray[..distance - 1] {
            if self.at(passed) == Some(self.to_move.other()) {
                return None; // it may not jump over enemy pieces
            }
        }
        if self.at(target) == Some(self.to_move) {
            return None; // it may not land on its own piece
        }
        Some(target)
    }

    /// Returns all moves of the side to move, as pairs of squares (rule 2).
    fn pairs(&self) -> Vec<(Square, Square)> {
        let mut pairs = Vec::new();
        for from in squares(self.size()) {
            if self.at(from) != Some(self.to_move) {
                continue;
            }
            for direction in DIRECTIONS {
                if let Some(to) = self.target(from, direction) {
                    pairs.push((from, to));
                }
            }
        }
        pairs
    }

    fn pair_name(&self, (from, to): (Square, Square)) -> String {
        format!("{}-{}", self.name(from), self.name(to))
    }

    fn moved(&self, (from, to): (Square, Square)) -> Self {
        let mut next = self.clone();
        next.rows[from.0][from.1] = None;
        next.rows[to.0][to.1] = Some(self.to_move); // rule 2: captures the piece on the target
        next.to_move = self.to_move.other();
        next
    }

    /// Returns `true` if the side to move passes: it has no move, and the rules are those of the Mind Sports Olympiad.
    fn passes(&self) -> bool {
        self.mso && self.pairs().is_empty()
    }

    fn passed(&self) -> Self {
        Loa { to_move: self.to_move.other(), ..self.clone() }
    }

    /// Returns `true` if all pieces of a side are connected over the eight neighbours (rule 3). A single piece is
    /// connected; a side without pieces is not.
    #[must_use]
    pub fn connected(&self, side: Side) -> bool {
        let pieces: Vec<Square> =
            squares(self.size()).into_iter().filter(|&square| self.at(square) == Some(side)).collect();
        let Some(&first) = pieces.first() else {
            return false;
        };
        let mut reached = vec![first];
        let mut next = 0;
        while next < reached.len() {
            let here = reached[next];
            next += 1;
            for direction in DIRECTIONS {
                if let Some(neighbour) = step(self.size(), here, direction)
                    && self.at(neighbour) == Some(side)
                    && !reached.contains(&neighbour)
                {
                    reached.push(neighbour);
                }
            }
        }
        reached.len() == pieces.len()
    }
}

impl Model for Loa {
    fn start(size: usize) -> Self {
        assert!((4..=8).contains(&size), "Lines of Action is played on 4x4 to 8x8, not on {size}x{size}");
        let mut rows = vec![vec![None; size]; size];
        // Rule 1: Black on the bottom and top row, White on the left and right column, the corners empty.
        for (row, column) in squares(size) {
            let top_or_bottom = row == 0 || row == size - 1;
            let left_or_right = column == 0 || column == size - 1;
            rows[row][column] = match (top_or_bottom, left_or_right) {
                (true, false) => Some(Side::First),
                (false, true) => Some(Side::Second),
                (true, true) | (false, false) => None,
            };
        }
        Loa { rows, to_move: Side::First, mso: false }
    }

    fn parse(text: &str) -> Option<Self> {
        let (text, mso) = match text.strip_suffix(" mso") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (board, turn) = text.split_once(' ')?;
        let to_move = match turn {
            "b" => Side::First,
            "w" => Side::Second,
            _ => return None,
        };
        let mut rows = Vec::new();
        for line in board.split('/') {
            let mut row = Vec::new();
            for cell in line.chars() {
                row.push(match cell {
                    'b' => Some(Side::First),
                    'w' => Some(Side::Second),
                    '-' => None,
                    _ => return None,
                });
            }
            rows.push(row);
        }
        let size = rows.len();
        let square = rows.iter().all(|row| row.len() == size);
        ((4..=8).contains(&size) && square).then_some(Loa { rows, to_move, mso })
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        for row in &self.rows {
            let mut line = String::new();
            for cell in row {
                line.push(match cell {
                    Some(Side::First) => 'b',
                    Some(Side::Second) => 'w',
                    None => '-',
                });
            }
            lines.push(line);
        }
        let turn = match self.to_move {
            Side::First => "b",
            Side::Second => "w",
        };
        let rules = if self.mso { " mso" } else { "" };
        format!("{} {turn}{rules}", lines.join("/"))
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn moves(&self) -> Vec<String> {
        let mut names: Vec<String> = self.pairs().into_iter().map(|pair| self.pair_name(pair)).collect();
        if self.passes() {
            names.push("pass".to_owned());
        }
        names.sort();
        names
    }

    fn play(&self, mv: &str) -> Option<Self> {
        if mv == "pass" {
            return self.passes().then(|| self.passed());
        }
        let pair = self.pairs().into_iter().find(|&pair| self.pair_name(pair) == mv)?;
        Some(self.moved(pair))
    }

    fn children(&self) -> Vec<(String, Self)> {
        if self.passes() {
            return vec![("pass".to_owned(), self.passed())];
        }
        self.pairs().into_iter().map(|pair| (self.pair_name(pair), self.moved(pair))).collect()
    }

    fn winner(&self) -> Option<Side> {
        let mover = self.to_move.other();
        if self.drawn() {
            return None;
        }
        if self.connected(mover) {
            return Some(mover); // rule 3; rule 4: also when both are connected
        }
        if self.connected(self.to_move) {
            return Some(self.to_move); // rule 4: the mover connected only the opponent
        }
        if self.pairs().is_empty() && !self.mso {
            return Some(mover); // rule 6: stuck; connection takes precedence
        }
        None
    }

    fn drawn(&self) -> bool {
        self.mso && self.connected(Side::First) && self.connected(Side::Second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_what_the_moves_lead_to() {
        let mut p = Loa::start(6);
        for turn in 0..40 {
            let children = p.children();
            let mut names: Vec<String> = children.iter().map(|(name, _)| name.clone()).collect();
            names.sort();
            assert_eq!(names, p.moves());
            for (name, child) in &children {
                assert_eq!(p.play(name).as_ref(), Some(child), "{name}");
            }
            p = children[turn % children.len()].1.clone();
        }
    }
}
