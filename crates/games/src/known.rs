//! Results that are known without a search: from a book or from tables.

use engine::Playable;
use game::Side;
use search::{Known as InTable, Policy};
use serde::Serialize;

/// The source of a known result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A book of proven positions.
    Book,
    /// Endgame tables.
    Tables,
    /// A proof search.
    Search,
}

/// The result of perfect play from a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Known {
    /// Winner: 0 or 1; `None` in a draw.
    pub winner: Option<usize>,
    /// Maximum number of plies until the win; 0 in a draw.
    pub plies: u32,
    /// Move of the side to move that keeps the result, if one is known.
    pub best: Option<String>,
    /// Source of the result.
    pub source: Source,
}

/// Like [`Known`], with the game's own types of sides and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact<M> {
    /// Winner; `None` in a draw.
    pub winner: Option<Side>,
    /// Maximum number of plies until the win; 0 in a draw.
    pub plies: u32,
    /// Move of the side to move that keeps the result, if one is known.
    pub best: Option<M>,
    /// Source of the result.
    pub source: Source,
}

impl<M: ToString> Fact<M> {
    pub(crate) fn in_words(&self) -> Known {
        let Self { winner, plies, best, source } = self;
        Known { winner: winner.map(Side::index), plies: *plies, best: best.as_ref().map(M::to_string), source: *source }
    }
}

/// Returns the result of an undecided position from a player's tables.
pub(crate) fn in_tables<P: Playable>(p: &P, policy: &P::Policy) -> Option<Fact<P::Move>> {
    let side = p.side_to_move();
    let found = policy.known(p)?;
    let (winner, plies) = match found {
        InTable::Win(plies) => (Some(side), plies),
        InTable::Loss(plies) => (Some(!side), plies),
        InTable::Draw => (None, 0),
    };
    let after = |m: &P::Move| {
        let child = p.child(*m);
        match child.outcome() {
            Some(outcome) => Some((outcome.winner(), 0)),
            None => policy.known(&child).map(|known| match known {
                InTable::Win(plies) => (Some(!side), plies),
                InTable::Loss(plies) => (Some(side), plies),
                InTable::Draw => (None, 0),
            }),
        }
    };
    let results = p.movable().into_iter().filter_map(|m| after(&m).map(|(other, plies)| (m, other, plies)));
    let same = results.filter(|&(_, other, _)| other == winner).map(|(m, _, plies)| (m, plies));
    // The best move keeps the result: it wins fastest, loses slowest, or keeps the draw.
    let best = match found {
        InTable::Loss(_) => same.max_by_key(|&(_, plies)| plies),
        _ => same.min_by_key(|&(_, plies)| plies),
    };
    Some(Fact { winner, plies, best: best.map(|(m, _)| m), source: Source::Tables })
}
