//! Keys of positions and moves for an opening explorer. Positions and moves that a symmetry of the game maps to each
//! other have the same key. Positions under rules that differ on the board have different keys.

use std::hash::{DefaultHasher, Hash, Hasher};

use game::{Origin, Record, Side, Symmetries};

use crate::definition::Game;
use crate::scene::Place;

/// A symmetry: a function from a square and the board size, in squares per side, to the image of the square.
type Image = fn(Place, usize) -> Place;

/// Mirror symmetry, which exchanges left and right.
const MIRROR: &[Image] = &[|[row, column], n| [row, n - 1 - column]];

/// Symmetries of a square without the identity.
const SQUARE: &[Image] = &[
    |[row, column], n| [row, n - 1 - column],
    |[row, column], n| [n - 1 - row, column],
    |[row, column], n| [n - 1 - row, n - 1 - column],
    |[row, column], _| [column, row],
    |[row, column], n| [column, n - 1 - row],
    |[row, column], n| [n - 1 - column, row],
    |[row, column], n| [n - 1 - column, n - 1 - row],
];

/// Returns the symmetries of a game without the identity.
fn images<P: Game>() -> &'static [Image] {
    match P::SYMMETRIES {
        Symmetries::None => &[],
        Symmetries::Mirror => MIRROR,
        Symmetries::Square => SQUARE,
    }
}

/// The keys of a move and of the position before the move. If a symmetry of the game is applied to both the position
/// and the move, their keys stay the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Key of the position. If no symmetry maps two positions to each other, they share a key only if hashes collide.
    pub position: u64,
    /// Key of the move.
    pub way: u64,
    /// Side that made the move: 0 or 1.
    pub turn: usize,
}

/// A position and its moves, with the keys of [`Visit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches {
    /// Key of the position.
    pub position: u64,
    /// Side to move: 0 or 1.
    pub turn: usize,
    /// Legal moves in their usual notation, each with its key as in [`Visit::way`]. Symmetric moves are listed
    /// separately.
    pub ways: Vec<(String, u64)>,
}

/// Returns the moves of a game, each with the position before it.
pub(crate) fn visits<P: Game>(record: &Record<P>) -> Vec<Visit> {
    let visit = |pair: &[game::Step<P>]| {
        let (p, Origin::Move(m)) = (&pair[0].position, pair[1].origin) else { return None };
        let here = Seen::of::<P>(p);
        Some(Visit { position: here.position, way: here.way::<P>(p, m), turn: here.turn })
    };
    record.steps().windows(2).filter_map(visit).collect()
}

/// Returns a position and its legal moves.
pub(crate) fn branches<P: Game>(p: &P) -> Branches {
    let here = Seen::of::<P>(p);
    let ways = p.legal_moves().into_iter().map(|m| (m.to_string(), here.way::<P>(p, m))).collect();
    Branches { position: here.position, turn: here.turn, ways }
}

/// A position's key, and the symmetries that lead to its canonical board.
struct Seen {
    position: u64,
    turn: usize,
    /// Symmetries that map the board to the canonical board, which is the smallest image. `None` is the identity.
    least: Vec<Option<Image>>,
}

impl Seen {
    fn of<P: Game>(p: &P) -> Self {
        let turn = p.side_to_move();
        if images::<P>().is_empty() {
            return Self { position: hash(&(P::NAME, p.to_string())), turn: turn.index(), least: vec![None] };
        }
        let n = P::size(p);
        let cells: Vec<u64> =
            p.diagram(None).cells.iter().flatten().map(|(text, tone, _)| hash(&(text, *tone as u8))).collect();
        let mut board = cells.clone();
        let mut least = vec![None];
        for &image in images::<P>() {
            let mut other = cells.clone();
            for (i, &cell) in cells.iter().enumerate() {
                let [row, column] = image([i / n, i % n], n);
                other[row * n + column] = cell;
            }
            match other.cmp(&board) {
                core::cmp::Ordering::Less => (board, least) = (other, vec![Some(image)]),
                core::cmp::Ordering::Equal => least.push(Some(image)),
                core::cmp::Ordering::Greater => (),
            }
        }
        let rules = P::rule_set(p).map(|set| set.name);
        Self { position: hash(&(P::NAME, rules, n, turn == Side::First, board)), turn: turn.index(), least }
    }

    /// Returns the key of a move. It stays the same if a symmetry is applied to both the position and the move.
    fn way<P: Game>(&self, p: &P, m: P::Move) -> u64 {
        if images::<P>().is_empty() {
            return hash(&m.to_string());
        }
        let (path, n) = (P::path(p, m), P::size(p));
        let seen = |image: &Option<Image>| -> Vec<Place> {
            path.iter().map(|&place| image.map_or(place, |image| image(place, n))).collect()
        };
        hash(&self.least.iter().map(seen).min())
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
