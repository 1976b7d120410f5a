//! How long the win of a certificate takes, and how its games end.

use reference::Side;

use crate::certificate::Record;
use crate::verify::Ends;

/// What a check in detail has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Plies of the longest line: Black plays by the records, and wins at once where there is none.
    pub plies: u16,
    /// Replies that end the game themselves: they connect Black alone.
    pub ended: u64,
    /// Positions in which Black wins with the next move, by connecting its own pieces and not White's. Here and below
    /// these are positions after a reply, records whose moves end the game, and the first position if it has no record.
    pub alone: u64,
    /// Others, in which Black can connect both sides at once.
    pub both: u64,
    /// Others, in which Black can leave White without a move.
    pub stuck: u64,
}

impl Details {
    /// Whether Black alone is connected at the end of every game: then the proof holds under the rules of the Computer
    /// Olympiads, too.
    pub fn is_alone(&self) -> bool {
        self.both == 0 && self.stuck == 0
    }
}

/// How Black wins with the next move. The first of them is what every rule book calls a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// Black is connected, White is not.
    Alone,
    /// Both sides are connected.
    Both,
    /// White has no move.
    Stuck,
}

/// The lines of a certificate. Everything is indexed by the number of a record, counted from 1; 0 is the position that
/// the certificate is about if it has no record.
pub(crate) struct Lines {
    /// Ranks, so that records can be put in an order in which those that follow come first.
    ranks: Vec<u16>,
    /// Plies of the longest line, without what follows by other records.
    plies: Vec<u16>,
    /// Records, each with one that can follow it.
    follows: Vec<(u64, u64)>,
    /// Where the lines begin, and whether White moves first there.
    start: (u64, Side),
    found: Details,
}

impl Default for Lines {
    fn default() -> Self {
        let (ranks, plies) = (vec![u16::MAX], vec![1]);
        Self { ranks, plies, follows: Vec::new(), start: (0, Side::First), found: Details::default() }
    }
}

impl Lines {
    /// The next records of the file. A move that ends the game takes one ply.
    pub(crate) fn begin(&mut self, records: &[Record]) {
        self.ranks.extend(records.iter().map(|record| record.rank));
        self.plies.resize(self.ranks.len(), 1);
    }

    /// How some lines go on.
    pub(crate) fn add(&mut self, ends: Ends) {
        let mut at_least = |number: u64, plies: u16| {
            let known = &mut self.plies[number as usize];
            *known = plies.max(*known);
        };
        for &number in &ends.ended {
            at_least(number, 2);
        }
        for &(number, _) in &ends.won {
            at_least(number, 3);
        }
        for &way in ends.won.iter().map(|(_, way)| way).chain(&ends.finished) {
            self.count(way);
        }
        self.found.ended += ends.ended.len() as u64;
        self.follows.extend(ends.follows);
    }

    /// How a game ends.
    pub(crate) fn count(&mut self, way: Way) {
        match way {
            Way::Alone => self.found.alone += 1,
            Way::Both => self.found.both += 1,
            Way::Stuck => self.found.stuck += 1,
        }
    }

    /// Where the lines begin.
    pub(crate) fn begin_at(&mut self, number: u64, to_move: Side) {
        self.start = (number, to_move);
    }

    /// Follows all lines to their ends. Ranks fall along them, so those of small ranks are known first.
    pub(crate) fn details(mut self) -> Details {
        self.follows.sort_by_key(|&(number, _)| self.ranks[number as usize]);
        for &(number, next) in &self.follows {
            let plies = self.plies[next as usize].saturating_add(2);
            self.plies[number as usize] = plies.max(self.plies[number as usize]);
        }
        let (number, to_move) = self.start;
        // A position with White to move counts as if a move of Black had led to it.
        let before = u16::from(to_move == Side::Second);
        Details { plies: self.plies[number as usize] - before, ..self.found }
    }
}
