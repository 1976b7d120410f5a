//! Swiss tournaments: the pairings of the next round, and the table.
//!
//! A [`Bout`] is the play of two players in a round: one game, or several. Players meet opponents with about the same
//! points, and no opponent twice. With an odd number of players, one player has a bye in each round: it gets the points
//! of a bout in which it wins all games.
//!
//! # Invariants
//!
//! Let `n` be the number of players, rounded up to an even number. In the first `n / 2` rounds
//! ([`Swiss::most_rounds`]):
//!
//! 1. Every round can be paired: each player has exactly one bout, or the bye.
//! 2. No two players meet twice.
//! 3. There is a bye only if the number of players is odd. No player has more than one.
//! 4. The bye goes to a player with the fewest points among those without a bye so far, as far as invariants 1, 2 and 5
//!    permit. If bouts consist of several games, this is guaranteed in the first `n / 2 - 1` rounds.
//! 5. If a bout is a single game: in the first `n / 4 + 1` rounds (rounded down), no player has had one colour in three
//!    more games than the other, or in three games in a row, ignoring byes. After that, this happens as rarely as
//!    possible.
//!
//! Proof that rounds 1 to `n / 2` can be paired: treat the bye as one more player, whom each player meets at most once.
//! After `r` rounds, each of the `n` players has `n - 1 - r` possible opponents left. A graph with `n` vertices that
//! each have `n / 2` neighbours has a perfect matching (Dirac 1952), so `r ≤ n / 2 - 1` is sufficient.
//!
//! Proof that the colour rule can be kept for `n / 4 + 1` rounds: all players who must not have the first move again
//! had it in their last game, so there are at most `n / 2` of them; likewise for the second move. Therefore the players
//! can be split into two halves, each of which contains one of these groups. After `r` rounds, each player has at least
//! `n / 2 - r` possible opponents left in the other half, and a bipartite graph with halves of `n / 2` whose vertices
//! each have `n / 4` neighbours has a perfect matching (Hall 1935).
//!
//! # Choice
//!
//! Of all pairings that invariants 1 to 3 permit, [`Swiss::pair`] returns the one that minimises, in this order:
//!
//! 1. the number of pairs in which both players must get the same colour (invariant 5);
//! 2. points of the player with the bye;
//! 3. squared differences of points;
//! 4. the number of pairs in which both players should get the same colour, because they have had the other one more
//!    often;
//! 5. the number of pairs in which both players prefer the same colour, if only because they had the other one in their
//!    last game;
//! 6. squared distances from the usual places: in a group of players with the same points, the top half meets the
//!    bottom half in order; if a player must leave the group, it is the last one, and meets the first one of the next
//!    group.
//!
//! This is a minimum-weight perfect matching. The criteria are those of the FIDE (Dutch) System, Handbook C.04.3,
//! except for repeated floats, and in nearly the same order. Sauer, Cseh and Lenzner, "Improving Ranking Quality and
//! Fairness in Swiss-System Chess Tournaments" (2022), also replace FIDE's procedure by a weighted matching.

mod colours;
mod matching;

use colours::Wish;

/// The play of two players against each other in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bout {
    /// Players. If the bout is a single game, the first player has the first move; otherwise the first player is the
    /// higher-ranked one.
    pub players: [usize; 2],
}

/// A round: its bouts, those of the leaders first, and the player with the bye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Bouts of the round.
    pub bouts: Vec<Bout>,
    /// Player without an opponent.
    pub bye: Option<usize>,
}

/// The result of a round for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Opponent; `None` for a bye.
    pub opponent: Option<usize>,
    /// `true` if the player was the first of its bout.
    pub first: bool,
    /// Points, in halves.
    pub half_points: u32,
}

/// A player's row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Player of the row.
    pub player: usize,
    /// Points in halves, including a bye.
    pub half_points: u32,
    /// Sum of the opponents' points, in halves. A bye counts as an opponent with the player's own points, as in FIDE's
    /// Tie-Break Regulations (C.07).
    pub buchholz: u32,
    /// Sum over all rounds of the opponent's total points times the player's points in the bout, both in halves.
    /// [`Swiss::sonneborn_berger`] converts it to points.
    pub sonneborn_berger: u64,
}

/// A Swiss tournament: its players, numbered by rank before the first round, and their results so far.
///
/// ```
/// use rating::swiss::{Bout, Swiss};
///
/// let mut swiss = Swiss::new(5, 1);
/// let round = swiss.pair().expect("the first round");
/// assert_eq!(round.bouts, [Bout { players: [0, 2] }, Bout { players: [3, 1] }]);
/// assert_eq!(round.bye, Some(4));
/// swiss.play(&round, &[[2, 0], [2, 0]]);
/// let second = swiss.pair().expect("the second round");
/// assert_eq!(second.bouts, [Bout { players: [1, 0] }, Bout { players: [4, 3] }]); // colours change
/// ```
#[derive(Clone, Debug)]
pub struct Swiss {
    histories: Vec<Vec<Entry>>,
    games: u32,
}

impl Swiss {
    /// Maximum number of players.
    pub const MOST_PLAYERS: usize = 500;
    /// Maximum number of games of a bout.
    pub const MOST_GAMES: u32 = 100;

    /// Creates a tournament before its first round. A bout has `games` games.
    ///
    /// # Panics
    /// Panics if there are more players or games than [`MOST_PLAYERS`](Self::MOST_PLAYERS) or
    /// [`MOST_GAMES`](Self::MOST_GAMES), or if `games` is 0.
    pub fn new(players: usize, games: u32) -> Self {
        assert!(players <= Self::MOST_PLAYERS, "invariant: at most {} players", Self::MOST_PLAYERS);
        assert!((1..=Self::MOST_GAMES).contains(&games), "invariant: 1 to {} games", Self::MOST_GAMES);
        Self { histories: vec![Vec::new(); players], games }
    }

    /// Returns the number of rounds that can be paired regardless of the results: half the number of players, rounded
    /// up.
    pub const fn most_rounds(players: usize) -> usize {
        players.div_ceil(2)
    }

    /// Returns the number of rounds after which a player who wins all games is the sole leader: the logarithm of the
    /// number of players to base 2, rounded up, but at most [`most_rounds`](Self::most_rounds).
    pub const fn usual_rounds(players: usize) -> usize {
        let bits = players.next_power_of_two().trailing_zeros() as usize;
        let most = Self::most_rounds(players);
        if bits < most { bits } else { most }
    }

    /// Returns the number of players.
    pub fn players(&self) -> usize {
        self.histories.len()
    }

    /// Returns a player's results so far.
    pub fn history(&self, player: usize) -> &[Entry] {
        &self.histories[player]
    }

    /// Returns a player's points in halves.
    pub fn half_points(&self, player: usize) -> u32 {
        self.histories[player].iter().map(|entry| entry.half_points).sum()
    }

    /// Records the points of a round, in halves, for both players of each bout.
    ///
    /// # Panics
    /// Panics if the number of results differs from the number of bouts.
    pub fn play(&mut self, round: &Round, half_points: &[[u32; 2]]) {
        assert_eq!(round.bouts.len(), half_points.len(), "invariant: each bout has a result");
        for (bout, points) in round.bouts.iter().zip(half_points) {
            let [one, other] = bout.players;
            self.histories[one].push(Entry { opponent: Some(other), first: true, half_points: points[0] });
            self.histories[other].push(Entry { opponent: Some(one), first: false, half_points: points[1] });
        }
        if let Some(player) = round.bye {
            self.histories[player].push(Entry { opponent: None, first: false, half_points: 2 * self.games });
        }
    }

    /// Returns the table, sorted by points, Buchholz, Sonneborn-Berger, and rank before the first round.
    pub fn table(&self) -> Vec<Line> {
        let points: Vec<u32> = (0..self.histories.len()).map(|player| self.half_points(player)).collect();
        let mut lines: Vec<Line> = Vec::new();
        for (player, history) in self.histories.iter().enumerate() {
            let met = |entry: &Entry| points[entry.opponent.unwrap_or(player)];
            lines.push(Line {
                player,
                half_points: points[player],
                buchholz: history.iter().map(met).sum(),
                sonneborn_berger: history.iter().map(|e| u64::from(met(e)) * u64::from(e.half_points)).sum(),
            });
        }
        lines.sort_by_key(|line| {
            (core::cmp::Reverse((line.half_points, line.buchholz, line.sonneborn_berger)), line.player)
        });
        lines
    }

    /// Returns the Sonneborn-Berger score of a row of the table, in points.
    pub fn sonneborn_berger(&self, line: &Line) -> f64 {
        line.sonneborn_berger as f64 / (4.0 * f64::from(self.games))
    }

    /// Returns the players in pairing order: by points, then by rank before the first round.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.histories.len()).collect();
        order.sort_by_key(|&player| (core::cmp::Reverse(self.half_points(player)), player));
        order
    }

    /// Returns the colour preference of a player for the next game.
    fn wish(&self, player: usize) -> Wish {
        Wish::after(self.colours(player))
    }

    /// Returns a player's colours, latest first: `true` for the first move.
    fn colours(&self, player: usize) -> impl Iterator<Item = bool> {
        self.histories[player].iter().rev().filter(|entry| entry.opponent.is_some()).map(|entry| entry.first)
    }

    /// Returns a bout between two players, of whom the first is ranked higher.
    fn seated(&self, [higher, lower]: [usize; 2]) -> Bout {
        let as_it_is = self.games > 1 || self.higher_begins(higher, lower);
        Bout { players: if as_it_is { [higher, lower] } else { [lower, higher] } }
    }

    /// Returns `true` if the higher-ranked player has the first move. The stronger preference decides. If both players
    /// prefer the same colour equally strongly, the player who had it less recently gets it, or else the higher-ranked
    /// player. Without any preference, as in the first round, players with even numbers have the first move, so that
    /// both colours are spread over all ranks (Handbook C.04.3, E).
    fn higher_begins(&self, higher: usize, lower: usize) -> bool {
        let wishes = [self.wish(higher), self.wish(lower)];
        match wishes.map(|wish| wish.begin) {
            [None, None] => higher.is_multiple_of(2),
            [Some(begin), None] => begin,
            [None, Some(begin)] => !begin,
            [Some(one), Some(other)] if one != other => one,
            [Some(begin), Some(_)] => {
                let [one, other] = wishes.map(|wish| wish.strength);
                let differed = self.colours(higher).zip(self.colours(lower)).find(|(one, other)| one != other);
                match one.cmp(&other) {
                    core::cmp::Ordering::Greater => begin,
                    core::cmp::Ordering::Less => !begin,
                    core::cmp::Ordering::Equal => differed.map_or(begin, |(one, _)| !one),
                }
            }
        }
    }
}
