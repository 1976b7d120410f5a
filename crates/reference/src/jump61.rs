//! Jump61 on 2×2 to 10×10, by the same rule page as crate `jump61`.

use std::collections::VecDeque;

use crate::{Direction, Model, Side, Square, squares, step};

/// The four orthogonal directions.
const DIRECTIONS: [Direction; 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// A square: its number of spots and its owner; [`None`] is neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cell {
    spots: usize,
    owner: Option<Side>,
}

/// Returns the name of a move: the row and the column of its square, from 1, row 1 on top.
fn name((row, column): Square) -> String {
    format!("{}:{}", row + 1, column + 1)
}

/// A position of Jump61. It consists of the board only, because the side to move follows from it. Red is
/// [`Side::First`].
///
/// Its text has two characters per cell: the spots and `r`, `b` or `-`. Its moves are `r:c`, with row 1 on top.
///
/// **Won boards.** Toppling stops as soon as one side owns every square, so some squares may then have more spots than
/// neighbours. The number of spots on each square depends on the order of topples (rule 4), so compare winners, not
/// texts, once a game is won. On a large board a square may then have more than nine spots. [`Model::text`] then prints
/// the number in full, and [`Model::parse`] rejects that text.
///
/// ```
/// use reference::jump61::Jump61;
/// use reference::{Model, Side};
///
/// let game = Jump61::start(2).play("1:1").expect("neutral").play("2:2").expect("neutral");
/// assert_eq!(game.text(), "2r1-/1-2b");
/// assert_eq!(game.moves(), ["1:1", "1:2", "2:1"], "Red may not play on Blue's square");
/// assert_eq!(game.play("1:1").expect("Red's own square").text(), "1r2r/2r2b");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Jump61 {
    /// Contents of the squares: `rows[row][column]`, row 0 on top.
    rows: Vec<Vec<Cell>>,
}

impl Jump61 {
    fn size(&self) -> usize {
        self.rows.len()
    }

    fn at(&self, (row, column): Square) -> Cell {
        self.rows[row][column]
    }

    /// Returns the neighbours of a square, which are orthogonal (rule 2).
    fn neighbours(&self, square: Square) -> Vec<Square> {
        let mut neighbours = Vec::new();
        for direction in DIRECTIONS {
            neighbours.extend(step(self.size(), square, direction));
        }
        neighbours
    }

    /// Returns `true` if a square is overfull, which means that it has more spots than neighbours (rule 2).
    fn overfull(&self, square: Square) -> bool {
        self.at(square).spots > self.neighbours(square).len()
    }

    /// Adds one spot and colours the square (rule 2).
    fn add_spot(&mut self, (row, column): Square, side: Side) {
        self.rows[row][column].spots += 1;
        self.rows[row][column].owner = Some(side);
    }

    /// Moves one spot from an overfull square to each neighbour; the neighbours take its colour (rule 2).
    fn topple(&mut self, square: Square, side: Side) {
        let neighbours = self.neighbours(square);
        self.rows[square.0][square.1].spots -= neighbours.len();
        for neighbour in neighbours {
            self.add_spot(neighbour, side);
        }
    }

    /// Topples one square at a time until none is overfull or one colour owns every square, which is tested before each
    /// topple (rule 2).
    ///
    /// The loop terminates. Otherwise some square would topple infinitely often. Each of its neighbours gets a spot
    /// each time, so each would topple infinitely often, too, and so would every square of the board. But once every
    /// square has toppled, every square has the mover's colour, and no square loses it during a move.
    fn settle(&mut self, first: Square, side: Side) {
        let mut work = VecDeque::from([first]);
        while let Some(square) = work.pop_front() {
            if !self.overfull(square) {
                continue;
            }
            if self.owner_of_all().is_some() {
                return;
            }
            self.topple(square, side);
            work.extend(self.neighbours(square));
            work.push_back(square); // it may have enough spots to topple twice
        }
    }

    /// Returns the side that owns every square (rule 3).
    fn owner_of_all(&self) -> Option<Side> {
        let owner = self.at((0, 0)).owner;
        let all = squares(self.size()).into_iter().all(|square| self.at(square).owner == owner);
        if all { owner } else { None }
    }

    /// Returns the squares of possible moves, which are all squares that the opponent does not own (rule 2).
    fn playable(&self) -> Vec<Square> {
        let opponent = Some(self.to_move().other());
        squares(self.size()).into_iter().filter(|&square| self.at(square).owner != opponent).collect()
    }
}

impl Model for Jump61 {
    fn start(size: usize) -> Self {
        // Rule 1.
        assert!((2..=10).contains(&size), "Jump61 is played on 2x2 to 10x10, not on {size}x{size}");
        Jump61 { rows: vec![vec![Cell { spots: 1, owner: None }; size]; size] }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut rows = Vec::new();
        for line in text.split('/') {
            let mut row = Vec::new();
            let mut characters = line.chars();
            while let Some(digit) = characters.next() {
                let spots = digit.to_digit(10)? as usize;
                let owner = match characters.next()? {
                    'r' => Some(Side::First),
                    'b' => Some(Side::Second),
                    '-' => None,
                    _ => return None,
                };
                // Rule 1: a neutral square has one spot. No square has zero spots.
                if spots == 0 || (owner.is_none() && spots != 1) {
                    return None;
                }
                row.push(Cell { spots, owner });
            }
            rows.push(row);
        }
        let size = rows.len();
        if !(2..=10).contains(&size) || rows.iter().any(|row| row.len() != size) {
            return None;
        }
        let position = Jump61 { rows };
        // Rule 2: squares stay overfull only on a won board.
        let overfull = squares(size).into_iter().any(|square| position.overfull(square));
        if overfull && position.owner_of_all().is_none() {
            return None;
        }
        Some(position)
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        for row in &self.rows {
            let mut line = String::new();
            for cell in row {
                line.push_str(&cell.spots.to_string());
                line.push(match cell.owner {
                    Some(Side::First) => 'r',
                    Some(Side::Second) => 'b',
                    None => '-',
                });
            }
            lines.push(line);
        }
        lines.join("/")
    }

    fn to_move(&self) -> Side {
        // Rule 5. Every square has at least one spot, so there are never fewer spots than squares.
        let spots: usize = self.rows.iter().flatten().map(|cell| cell.spots).sum();
        let added = spots - self.size() * self.size();
        if added.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn moves(&self) -> Vec<String> {
        let mut names: Vec<String> = self.playable().into_iter().map(name).collect();
        names.sort();
        names
    }

    fn play(&self, mv: &str) -> Option<Self> {
        let square = self.playable().into_iter().find(|&square| name(square) == mv)?;
        let side = self.to_move();
        let mut next = self.clone();
        next.add_spot(square, side);
        next.settle(square, side);
        Some(next)
    }

    fn winner(&self) -> Option<Side> {
        // Rule 3. While neither side has won, the side to move has a square of its own colour or a neutral one, so it
        // is never stuck.
        self.owner_of_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the same move with another order of topples: always the last overfull square of the board.
    fn play_last_first(position: &Jump61, square: Square) -> Jump61 {
        let side = position.to_move();
        let mut next = position.clone();
        next.add_spot(square, side);
        while next.owner_of_all().is_none() {
            let Some(overfull) = squares(next.size()).into_iter().rev().find(|&square| next.overfull(square)) else {
                break;
            };
            next.topple(overfull, side);
        }
        next
    }

    #[test]
    fn rule_4_the_order_of_topples_changes_neither_winner_nor_undecided_boards() {
        let mut random: u64 = 61;
        for size in 2..=6 {
            for _game in 0..40 {
                let mut position = Jump61::start(size);
                while position.winner().is_none() {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let choices = position.playable();
                    let square = choices[(random >> 33) as usize % choices.len()];
                    let next = position.play(&name(square)).expect("a playable square");
                    let other = play_last_first(&position, square);
                    assert_eq!(next.winner(), other.winner(), "{square:?} in {}", position.text());
                    if next.winner().is_none() {
                        assert_eq!(next, other, "{square:?} in {}", position.text());
                    }
                    position = next;
                }
            }
        }
    }
}
