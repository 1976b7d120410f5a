//! Swiss tournaments: who meets whom in the next round, and the table.
//!
//! A [`Bout`] is what two players play in a round: one game, or several. Players meet others with about the same
//! points, and never the same one twice. With an odd number of players, one has a bye in each round, which counts as a
//! round won outright.
//!
//! # Invariants
//!
//! With `n` players, rounded up to an even number, and at most `n / 2` rounds ([`Swiss::most_rounds`]):
//!
//! 1. Every round can be paired: each player has exactly one bout, or the bye.
//! 2. No two players meet twice.
//! 3. There is a bye only if the number of players is odd. No player has a second one.
//! 4. The bye goes to a player with the fewest points of those who have had none, as far as rules 1, 2 and 5 permit;
//!    where bouts are of several games, this is always so in the first `n / 2 - 1` rounds.
//! 5. If a bout is a single game: in the first `n / 4 + 1` rounds (rounded down), no player has had one colour three
//!    times more often than the other, or three times in a row, byes left out. After that, this happens as rarely as
//!    possible.
//!
//! Why rounds 1 to `n / 2` can be paired: take the bye for one more player, whom nobody meets twice either. After `r`
//! rounds, each of the `n` has `n - 1 - r` others left. A graph with `n` vertices that each have `n / 2` neighbours has
//! a perfect matching (Dirac 1952), so `r ≤ n / 2 - 1` is enough. Why colours can be kept for `n / 4 + 1` rounds: all
//! players who must not have the first move again had it in their last game, so they are at most `n / 2`; likewise for
//! the second move. So the players can be split into two halves of which each has one of these groups. Across the
//! halves, each player has `n / 2 - r` others left, and a bipartite graph with halves of `n / 2` whose vertices each
//! have `n / 4` neighbours has a perfect matching (Hall 1935).
//!
//! # Choice
//!
//! Of all pairings that invariants 1 to 3 permit, [`Swiss::pair`] takes the best one, judged by these in order:
//!
//! 1. pairs in which both players must have the same colour (invariant 5);
//! 2. points of the player with the bye;
//! 3. squared differences of points;
//! 4. pairs in which both players have had the same colour more often than the other;
//! 5. pairs in which both would like the colour that they did not have in their last game;
//! 6. within a group of the same points, the top half meets the bottom half in order, and who leaves the group is its
//!    last, who meets the first of the next group.
//!
//! This is a minimum-weight perfect matching. The criteria are those of the FIDE (Dutch) System, Handbook C.04.3, but
//! for repeated floats, and in nearly the same order. A weighted matching instead of its procedure: Sauer, Cseh and
//! Lenzner, "Improving Ranking Quality and Fairness in Swiss-System Chess Tournaments" (2022).

mod colours;
mod matching;

use colours::Wish;

/// What two players play against each other in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bout {
    /// The players. If the bout is a single game, the first has the first move; else the first is the one who stands
    /// higher.
    pub players: [usize; 2],
}

/// A round: its bouts, those of the leaders first, and the player who has the bye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The bouts.
    pub bouts: Vec<Bout>,
    /// The player without an opponent.
    pub bye: Option<usize>,
}

/// A player's part of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The opponent; `None` for a bye.
    pub opponent: Option<usize>,
    /// Whether the player was the first of its bout.
    pub first: bool,
    /// Points in halves.
    pub half_points: u32,
}

/// A player's line in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The player.
    pub player: usize,
    /// Points in halves, a bye included.
    pub half_points: u32,
    /// The sum of the opponents' points, in halves. A bye counts as an opponent with the player's own points, as in
    /// FIDE's Tie-Break Regulations (C.07).
    pub buchholz: u32,
    /// The sum over all rounds of the opponent's points times the share of the bout's points that the player has won,
    /// in units of a quarter of a point divided by the games of a bout. [`Swiss::sonneborn_berger`] is in points.
    pub sonneborn_berger: u64,
}

/// A Swiss tournament: its players, by rank before the first round, and the rounds so far.
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
    /// The most players.
    pub const MOST_PLAYERS: usize = 500;
    /// The most games of a bout.
    pub const MOST_GAMES: u32 = 100;

    /// A tournament before its first round. A bout has `games` games.
    ///
    /// # Panics
    /// If there are more players or games than [`MOST_PLAYERS`](Self::MOST_PLAYERS) or
    /// [`MOST_GAMES`](Self::MOST_GAMES), or a bout has no game.
    pub fn new(players: usize, games: u32) -> Self {
        assert!(players <= Self::MOST_PLAYERS, "invariant: at most {} players", Self::MOST_PLAYERS);
        assert!((1..=Self::MOST_GAMES).contains(&games), "invariant: 1 to {} games", Self::MOST_GAMES);
        Self { histories: vec![Vec::new(); players], games }
    }

    /// The number of rounds that can be paired whatever the results are: half the number of players, rounded up.
    pub const fn most_rounds(players: usize) -> usize {
        players.div_ceil(2)
    }

    /// The number of rounds after which a player who wins all games is alone at the top: the logarithm of the number of
    /// players to base 2, rounded up.
    pub const fn usual_rounds(players: usize) -> usize {
        let bits = players.next_power_of_two().trailing_zeros() as usize;
        let most = Self::most_rounds(players);
        if bits < most { bits } else { most }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.histories.len()
    }

    /// What a player has played.
    pub fn history(&self, player: usize) -> &[Entry] {
        &self.histories[player]
    }

    /// A player's points in halves.
    pub fn half_points(&self, player: usize) -> u32 {
        self.histories[player].iter().map(|entry| entry.half_points).sum()
    }

    /// Pairs the next round. The same history always gives the same pairing. There is none if every possible one would
    /// let two players meet again, or give a player a second bye; [`most_rounds`](Self::most_rounds) can always be
    /// paired.
    pub fn pair(&self) -> Option<Round> {
        let order = self.order();
        let mates = matching::best(self, &order)?;
        let mut round = Round { bouts: Vec::new(), bye: None };
        for (place, &mate) in mates.iter().enumerate().take(order.len()) {
            if mate >= order.len() {
                round.bye = Some(order[place]);
            } else if place < mate {
                round.bouts.push(self.seated([order[place], order[mate]]));
            }
        }
        Some(round)
    }

    /// Enters the points of a round, in halves, for both players of each bout.
    ///
    /// # Panics
    /// If there are not as many results as bouts.
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

    /// The players by points, Buchholz, Sonneborn-Berger, and rank before the first round.
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

    /// The Sonneborn-Berger score of a line of the table, in points.
    pub fn sonneborn_berger(&self, line: &Line) -> f64 {
        line.sonneborn_berger as f64 / (4.0 * f64::from(self.games))
    }

    /// The players in the order in which they are paired: by points, then by rank before the first round.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.histories.len()).collect();
        order.sort_by_key(|&player| (core::cmp::Reverse(self.half_points(player)), player));
        order
    }

    /// The colour that a player should have next.
    fn wish(&self, player: usize) -> Wish {
        Wish::after(self.colours(player))
    }

    /// A player's colours, the latest first: `true` for the first move.
    fn colours(&self, player: usize) -> impl Iterator<Item = bool> {
        self.histories[player].iter().rev().filter(|entry| entry.opponent.is_some()).map(|entry| entry.first)
    }

    /// A bout between two players of whom the first stands higher.
    fn seated(&self, [higher, lower]: [usize; 2]) -> Bout {
        let as_it_is = self.games > 1 || self.higher_begins(higher, lower);
        Bout { players: if as_it_is { [higher, lower] } else { [lower, higher] } }
    }

    /// Whether the player who stands higher has the first move: the stronger wish decides. Of equal wishes for the same
    /// colour, the one of the player who had it less recently; then that of the player who stands higher. Without any
    /// wish, as in the first round, players of even number have the first move, so that both colours are spread over
    /// all ranks (Handbook C.04.3, E).
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
