use game::SplitMix64;

/// One player's result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameScore {
    /// A loss: no point.
    Loss,
    /// A draw: half a point.
    Draw,
    /// A win: one point.
    Win,
}

impl GameScore {
    /// Returns the number of half points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        self as usize
    }

    /// Returns the other player's result.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// A game of a match: its opening, the player with the first move, and its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// Number of the pair, from 0. Both games of a pair begin with the same opening.
    pub pair: u64,
    /// `true` if the first player of the match makes the first move of the game.
    pub first_begins: bool,
    /// Seed of the opening's random moves.
    pub opening_seed: u64,
    /// Seed of the players.
    pub player_seed: u64,
}

/// Returns the games of a match between two players: pairs with the same opening and colours exchanged, determined by
/// the seed.
///
/// ```
/// let games: Vec<_> = rating::match_pairings(7).take(4).collect();
/// assert_eq!(games[0].opening_seed, games[1].opening_seed);
/// assert!(games[0].first_begins && !games[1].first_begins && games[1].pair + 1 == games[2].pair);
/// ```
pub fn match_pairings(seed: u64) -> impl Iterator<Item = Pairing> {
    let mut rng = SplitMix64::new(seed);
    (0..).flat_map(move |pair| {
        let (opening_seed, player_seed) = (rng.next_u64(), rng.next_u64());
        [true, false].map(|first_begins| Pairing { pair, first_begins, opening_seed, player_seed })
    })
}
