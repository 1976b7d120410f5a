//! The squares that decided a game, which the page marks on the board.

use serde::Serialize;

use crate::scene::{Place, Spot};

/// The squares that decided a game. Empty if the board did not decide it, as after a resignation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Highlight {
    /// Groups of squares, in the order in which the page marks them.
    pub steps: Vec<Vec<Place>>,
    /// Lines from square to square, in the order in which the page draws them.
    pub links: Vec<[Place; 2]>,
}

impl Highlight {
    /// Marks squares in one step.
    pub(crate) fn of(squares: Vec<Place>) -> Self {
        Self { steps: if squares.is_empty() { Vec::new() } else { vec![squares] }, links: Vec::new() }
    }

    /// Marks the squares of a side.
    pub(crate) fn of_side(rows: &[Vec<Spot>], side: usize) -> Self {
        let places = rows.iter().enumerate().flat_map(|(row, spots)| {
            let own = move |(column, spot): (usize, &Spot)| (spot.1 == Some(side)).then_some([row, column]);
            spots.iter().enumerate().filter_map(own)
        });
        Self::of(places.collect())
    }

    /// Marks squares as a wave that spreads from `from`: the nearest squares come first.
    pub(crate) fn wave(squares: Vec<Place>, from: Option<Place>) -> Self {
        let Some(from) = from else { return Self::of(squares) };
        let distance = |place: &Place| place[0].abs_diff(from[0]) + place[1].abs_diff(from[1]);
        let farthest = squares.iter().map(distance).max().unwrap_or(0);
        let ring = |far| squares.iter().copied().filter(|place| distance(place) == far).collect();
        Self { steps: (0..=farthest).map(ring).filter(|ring: &Vec<_>| !ring.is_empty()).collect(), links: Vec::new() }
    }

    /// Marks a group of connected squares, beginning with `from`, and links each square to an adjacent square that is
    /// already marked.
    pub(crate) fn group(squares: Vec<Place>, from: Option<Place>) -> Self {
        let mut left = squares;
        let Some(first) = from.filter(|from| left.contains(from)).or_else(|| left.first().copied()) else {
            return Self::default();
        };
        left.retain(|&place| place != first);
        let mut marked = Self::of(vec![first]);
        while let Some(last) = marked.steps.last() {
            let near = |&place: &Place| last.iter().find(|at| is_adjacent(**at, place)).map(|&at| [at, place]);
            let links: Vec<[Place; 2]> = left.iter().filter_map(near).collect();
            if links.is_empty() {
                break;
            }
            left.retain(|place| !links.iter().any(|[_, to]| to == place));
            marked.steps.push(links.iter().map(|&[_, to]| to).collect());
            marked.links.extend(links);
        }
        marked
    }
}

/// Returns `true` if two squares share a side or a corner.
fn is_adjacent(a: Place, b: Place) -> bool {
    a != b && a[0].abs_diff(b[0]) <= 1 && a[1].abs_diff(b[1]) <= 1
}
