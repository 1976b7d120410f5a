//! Positions and moves as an opening explorer counts them: those that a symmetry of the game turns into each other are
//! the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use engine::Playable;
use game::{MoveError, Position, Side, Symmetries};

use crate::{Entry, Place, Setting, SettingError, Visitor, dispatch};

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
fn images<E: Entry>() -> &'static [Image] {
    match E::Position::SYMMETRIES {
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

impl Setting {
    /// The moves of a game, at most the first `most`. No limit and no rule for draws is applied.
    ///
    /// # Errors
    /// If the start is invalid or a move is not legal.
    pub fn visits(self, start: Option<&str>, moves: &[&str], most: usize) -> Result<Vec<Visit>, SettingError> {
        dispatch(self.game, Walk { setting: self, start, moves: &moves[..most.min(moves.len())] }).map(|walk| walk.0)
    }

    /// The position after some moves, and the moves that are possible there.
    ///
    /// # Errors
    /// If the start is invalid or a move is not legal.
    pub fn crossroads(self, start: Option<&str>, moves: &[&str]) -> Result<Crossroads, SettingError> {
        dispatch(self.game, Walk { setting: self, start, moves }).map(|walk| walk.1)
    }
}

struct Walk<'a> {
    setting: Setting,
    start: Option<&'a str>,
    moves: &'a [&'a str],
}

impl Visitor for Walk<'_> {
    type Output = Result<(Vec<Visit>, Crossroads), SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        let mut p = match self.start {
            Some(text) => text.parse()?,
            None => E::start(self.setting.size)?,
        };
        let mut visits = Vec::with_capacity(self.moves.len());
        for (ply, text) in (1..).zip(self.moves) {
            let m = p.read_move(text).map_err(|error| SettingError::Move { ply, error: MoveError::in_words(error) })?;
            let here = Seen::of::<E>(&p);
            visits.push(Visit { position: here.position, way: here.way::<E>(&p, m), turn: here.turn });
            p.play(m);
        }
        let here = Seen::of::<E>(&p);
        let ways = p.legal_moves().into_iter().map(|m| (m.to_string(), here.way::<E>(&p, m))).collect();
        Ok((visits, Crossroads { position: here.position, turn: here.turn, ways }))
    }
}

/// A position, and which images of it look alike.
struct Seen {
    position: u64,
    turn: usize,
    /// The images that are least in an order of boards; `None` is the board itself.
    least: Vec<Option<Image>>,
}

impl Seen {
    fn of<E: Entry>(p: &E::Position) -> Self {
        let turn = p.side_to_move();
        if images::<E>().is_empty() {
            return Self { position: hash(&(E::NAME, p.to_string())), turn: turn.index(), least: vec![None] };
        }
        let n = E::size(p);
        let cells: Vec<u64> =
            p.diagram(None).cells.iter().flatten().map(|(text, tone, _)| hash(&(text, *tone as u8))).collect();
        let mut board = cells.clone();
        let mut least = vec![None];
        for &image in images::<E>() {
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
        Self { position: hash(&(E::NAME, n, turn == Side::First, board)), turn: turn.index(), least }
    }

    /// The move as all images of the position share it.
    fn way<E: Entry>(&self, p: &E::Position, m: <E::Position as Position>::Move) -> u64 {
        if images::<E>().is_empty() {
            return hash(&m.to_string());
        }
        let (path, n) = (E::path(p, m), E::size(p));
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
