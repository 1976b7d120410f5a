//! Results that are known without a search: from a book or from tables.

use engine::Playable;
use game::Side;
use search::{Known as InTable, Policy};
use serde::Serialize;

/// How a result is known.
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
    /// 0 or 1; none in a draw.
    pub winner: Option<usize>,
    /// Within how many plies the winner wins.
    pub plies: u32,
    /// A move of the side to move that keeps the result, as far as one is known.
    pub best: Option<String>,
    /// How it is known.
    pub source: Source,
}

/// The same with a game's own moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact<M> {
    /// None in a draw.
    pub winner: Option<Side>,
    /// Within how many plies the winner wins.
    pub plies: u32,
    /// A move of the side to move that keeps the result.
    pub best: Option<M>,
    /// How it is known.
    pub source: Source,
}

impl<M: ToString> Fact<M> {
    pub(crate) fn in_words(&self) -> Known {
        let Self { winner, plies, best, source } = self;
        Known { winner: winner.map(Side::index), plies: *plies, best: best.as_ref().map(M::to_string), source: *source }
    }
}

/// What a player's tables say of a position that is not decided.
pub(crate) fn in_tables<P: Playable>(p: &P, policy: &P::Policy) -> Option<Fact<P::Move>> {
    let side = p.side_to_move();
    let found = policy.known(p)?;
    let (winner, plies) = match found {
        InTable::Win(plies) => (Some(side), plies),
        InTable::Loss(plies) => (Some(!side), plies),
        InTable::Draw => (None, 0),
    };
    // The quickest win, the slowest loss, or any move that keeps the draw.
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
    let same = p.movable().into_iter().filter_map(|m| after(&m).map(|(who, plies)| (m, who, plies)));
    let same = same.filter(|&(_, who, _)| who == winner).map(|(m, _, plies)| (m, plies));
    let best = match found {
        InTable::Loss(_) => same.max_by_key(|&(_, plies)| plies),
        _ => same.min_by_key(|&(_, plies)| plies),
    };
    Some(Fact { winner, plies, best: best.map(|(m, _)| m), source: Source::Tables })
}
