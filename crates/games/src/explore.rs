//! Positions and moves as an opening explorer counts them: those that a symmetry of the game turns into each other are
//! the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use game::{Origin, Record, Side, Symmetries};

use crate::definition::Game;
use crate::scene::Place;

/// Where a symmetry of the board brings a square, on a board with this many squares a side.
type Image = fn(Place, usize) -> Place;

/// Left and right exchanged.
const MIRROR: &[Image] = &[|[row, column], n| [row, n - 1 - column]];

/// All symmetries of a square but the one that changes nothing.
const SQUARE: &[Image] = &[
    |[row, column], n| [row, n - 1 - column],
    |[row, column], n| [n - 1 - row, column],
    |[row, column], n| [n - 1 - row, n - 1 - column],
    |[row, column], _| [column, row],
    |[row, column], n| [column, n - 1 - row],
    |[row, column], n| [n - 1 - column, row],
    |[row, column], n| [n - 1 - column, n - 1 - row],
];

/// What the symmetries of a game do to a square, without the one that changes nothing.
fn images<P: Game>() -> &'static [Image] {
    match P::SYMMETRIES {
        Symmetries::None => &[],
        Symmetries::Mirror => MIRROR,
        Symmetries::Square => SQUARE,
    }
}

/// A move of a game, and the position in which it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The same for positions that are images of each other, and for no others unless hashes collide.
    pub position: u64,
    /// The same for moves that are images of each other in that position.
    pub way: u64,
    /// Who made it: 0 or 1.
    pub turn: usize,
}

/// A position and its moves, as [`Visit`] has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossroads {
    /// The position.
    pub position: u64,
    /// Who is to move: 0 or 1.
    pub turn: usize,
    /// The legal moves in their usual notation, each with its `way`. Images of each other come one by one.
    pub ways: Vec<(String, u64)>,
}

/// Returns the moves of a game.
pub(crate) fn visits<P: Game>(record: &Record<P>) -> Vec<Visit> {
    let visit = |pair: &[game::Step<P>]| {
        let (p, Origin::Move(m)) = (&pair[0].position, pair[1].origin) else { return None };
        let here = Seen::of::<P>(p);
        Some(Visit { position: here.position, way: here.way::<P>(p, m), turn: here.turn })
    };
    record.steps().windows(2).filter_map(visit).collect()
}

/// Returns a position and the moves that are possible there.
pub(crate) fn crossroads<P: Game>(p: &P) -> Crossroads {
    let here = Seen::of::<P>(p);
    let ways = p.legal_moves().into_iter().map(|m| (m.to_string(), here.way::<P>(p, m))).collect();
    Crossroads { position: here.position, turn: here.turn, ways }
}

/// A position, and which images of it look alike.
struct Seen {
    position: u64,
    turn: usize,
    /// The images that are least in an order of boards; `None` is the board itself.
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
        Self { position: hash(&(P::NAME, n, turn == Side::First, board)), turn: turn.index(), least }
    }

    /// The move as all images of the position share it.
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
