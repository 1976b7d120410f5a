//! Length of a certificate's win, and the ways in which its games end.

use reference::Side;

use crate::certificate::Record;

/// The ways in which some records continue after one move by each side. Records are numbered from 1; number 0 is the
/// certified position if White is to move there.
#[derive(Default)]
pub(crate) struct Ends {
    pub(crate) replies: u64,
    /// For each reply that ends the game, the number of the record that it replies to.
    pub(crate) ended: Vec<u64>,
    /// Ways in which the moves of records end the game.
    pub(crate) finished: Vec<Way>,
    /// For each reply after which Black wins with the next move, the number of the record that it replies to, and how
    /// Black wins.
    pub(crate) won: Vec<(u64, Way)>,
    /// For each other reply, the numbers of the record that it replies to and of the record that it leads to.
    pub(crate) follows: Vec<(u64, u64)>,
}

/// The results of a detailed check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Length of the longest line, in plies. Black plays by the records, and wins immediately in positions without a
    /// record. 0 if the certificate claims no win, but only that Black does not lose.
    pub plies: u16,
    /// Number of replies that end the game. They connect only Black's pieces.
    pub ended: u64,
    /// Number of positions in which Black wins with the next move by connecting only its own pieces. This field and the
    /// next two count the positions after replies, the positions of records whose moves end the game, and the certified
    /// position if it has no record.
    pub alone: u64,
    /// Number of other positions in which Black can connect both sides with one move.
    pub both: u64,
    /// Number of other positions in which Black can leave White without a move.
    pub stuck: u64,
}

impl Details {
    /// Returns `true` if only Black is connected at the end of every game. Then the proof also holds under the rules of
    /// the Computer Olympiads.
    pub fn is_alone(&self) -> bool {
        self.both == 0 && self.stuck == 0
    }
}

/// A way in which Black wins with the next move. The first variant is a win under every set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// Black is connected, White is not.
    Alone,
    /// Both sides are connected.
    Both,
    /// White has no move.
    Stuck,
}

/// The lines of a certificate. All data is indexed by record number, counted from 1; 0 is the certified position if it
/// has no record.
pub(crate) struct Lines {
    /// Ranks. The rank of a record is larger than the ranks of all records that can follow it.
    ranks: Vec<u16>,
    /// Length, in plies, of the longest line that leads to no other record.
    plies: Vec<u16>,
    /// Pairs of a record and a record that can follow it.
    follows: Vec<(u64, u64)>,
    /// Record at which the lines begin, and the side to move there.
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
    /// Adds the next records of the file. A move that ends the game takes one ply.
    pub(crate) fn begin(&mut self, records: &[Record]) {
        self.ranks.extend(records.iter().map(|record| record.rank));
        self.plies.resize(self.ranks.len(), 1);
    }

    /// Adds the continuations of some records.
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

    /// Counts the end of a game.
    pub(crate) fn count(&mut self, way: Way) {
        match way {
            Way::Alone => self.found.alone += 1,
            Way::Both => self.found.both += 1,
            Way::Stuck => self.found.stuck += 1,
        }
    }

    /// Sets the record at which the lines begin, and the side to move there.
    pub(crate) fn begin_at(&mut self, number: u64, to_move: Side) {
        self.start = (number, to_move);
    }

    /// Computes the details by following all lines to their ends. Ranks decrease along every line, so records are
    /// processed in order of increasing rank.
    pub(crate) fn details(mut self) -> Details {
        self.follows.sort_by_key(|&(number, _)| self.ranks[number as usize]);
        for &(number, next) in &self.follows {
            let plies = self.plies[next as usize].saturating_add(2);
            self.plies[number as usize] = plies.max(self.plies[number as usize]);
        }
        let (number, to_move) = self.start;
        // If White is to move at the start, `plies` counts a preceding move of Black, which is not played.
        let before = u16::from(to_move == Side::Second);
        Details { plies: self.plies[number as usize] - before, ..self.found }
    }
}
