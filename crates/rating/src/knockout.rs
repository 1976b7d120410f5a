//! Knockout tournaments: the loser of a bout is eliminated.

/// A participant of a bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// This player.
    Player(usize),
    /// The winner of a bout that has not ended.
    Open,
    /// No player: the opponent advances without a game.
    Bye,
}

/// A bout of a knockout tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    /// Round, counted from 0.
    pub round: usize,
    /// Participants. Once both are known, the higher seed comes first.
    pub slots: [Slot; 2],
    /// Winner of the bout, or player with the bye.
    pub winner: Option<usize>,
}

impl Bout {
    /// Returns both players; `None` if one is not known yet, or if the bout is a bye.
    pub fn players(&self) -> Option<[usize; 2]> {
        match self.slots {
            [Slot::Player(one), Slot::Player(other)] => Some([one, other]),
            _ => None,
        }
    }

    /// Returns `true` if one player advances without a game.
    pub fn is_bye(&self) -> bool {
        self.slots.contains(&Slot::Bye)
    }
}

/// A knockout tournament of players who are seeded by their numbers: 0 is the strongest.
///
/// If the number of players is not a power of two, the highest seeds have byes in the first round. The byes fill the
/// bracket up to the next power of two. If the higher seed always wins, the first two seeds meet in the final, the
/// first four in the semi-finals, and so on.
///
/// ```
/// let mut cup = rating::knockout::Knockout::new(3);
/// assert_eq!(cup.bouts()[1].players(), Some([1, 2])); // 0 has a bye
/// cup.decide(1, 2);
/// assert_eq!(cup.bouts()[2].players(), Some([0, 2]));
/// cup.decide(2, 2);
/// assert_eq!((cup.champion(), cup.ranking()), (Some(2), vec![2, 0, 1]));
/// ```
#[derive(Clone, Debug)]
pub struct Knockout {
    players: usize,
    bouts: Vec<Bout>,
}

impl Knockout {
    /// Creates a tournament before its first game.
    ///
    /// # Panics
    /// Panics if there are fewer than two players.
    pub fn new(players: usize) -> Self {
        assert!(players >= 2, "invariant: a knockout has two players or more");
        let seeds = bracket(players.next_power_of_two());
        let slot = |seed: usize| if seed < players { Slot::Player(seed) } else { Slot::Bye };
        let mut bouts: Vec<Bout> = Vec::new();
        for pair in seeds.chunks_exact(2) {
            let slots = [slot(pair[0].min(pair[1])), slot(pair[0].max(pair[1]))];
            bouts.push(Bout { round: 0, slots, winner: None });
        }
        let (mut round, mut size) = (0, seeds.len() / 4);
        while size > 0 {
            round += 1;
            bouts.extend(vec![Bout { round, slots: [Slot::Open; 2], winner: None }; size]);
            size /= 2;
        }
        let mut cup = Self { players, bouts };
        for index in 0..seeds.len() / 2 {
            if let [Slot::Player(player), Slot::Bye] = cup.bouts[index].slots {
                cup.decide(index, player);
            }
        }
        cup
    }

    /// Returns the number of rounds.
    pub fn rounds(&self) -> usize {
        self.bouts.last().map_or(0, |last| last.round + 1)
    }

    /// Returns all bouts, round by round, including byes. The winners of bouts 0 and 1 meet in the first bout of the
    /// second round, and so on.
    pub fn bouts(&self) -> &[Bout] {
        &self.bouts
    }

    /// Records the winner of a bout.
    ///
    /// # Panics
    /// Panics if this player is not in the bout, or if the bout has another winner.
    pub fn decide(&mut self, index: usize, winner: usize) {
        let bout = &mut self.bouts[index];
        assert!(bout.slots.contains(&Slot::Player(winner)), "invariant: the winner of a bout has played it");
        assert!(bout.winner.is_none_or(|known| known == winner), "invariant: a bout is decided once");
        bout.winner = Some(winner);
        // Bouts are numbered like the nodes of a heap, counted from the leaves.
        let first_round = self.bouts.len().div_ceil(2);
        let next = first_round + index / 2;
        if let Some(bout) = self.bouts.get_mut(next) {
            bout.slots[index % 2] = Slot::Player(winner);
            if let Some([one, other]) = bout.players()
                && other < one
            {
                bout.slots.reverse();
            }
        }
    }

    /// Returns the winner of the tournament.
    pub fn champion(&self) -> Option<usize> {
        self.bouts.last().and_then(|last| last.winner)
    }

    /// Returns the number of rounds that a player has won or had a bye in.
    pub fn rounds_won(&self, player: usize) -> usize {
        self.bouts.iter().filter(|bout| bout.winner == Some(player)).count()
    }

    /// Returns `true` if a player has lost a bout.
    pub fn is_out(&self, player: usize) -> bool {
        let lost = |bout: &Bout| bout.winner.is_some_and(|winner| winner != player);
        self.bouts.iter().any(|bout| lost(bout) && bout.slots.contains(&Slot::Player(player)))
    }

    /// Returns all players: those still in the tournament first, then by the round of their elimination, latest first;
    /// within a round, the higher seed first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.players).collect();
        ranking.sort_by_key(|&player| (self.is_out(player), core::cmp::Reverse(self.rounds_won(player)), player));
        ranking
    }
}

/// Returns the seeds of the first round in the order of the bracket. In each round, the highest remaining seed meets
/// the lowest. `size` must be a power of two.
fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    /// Plays a tournament to its end. `winner` returns the winner of a bout.
    fn play(players: usize, mut winner: impl FnMut([usize; 2]) -> usize) -> (Knockout, Vec<[usize; 2]>) {
        let mut cup = Knockout::new(players);
        let mut met = Vec::new();
        for index in 0..cup.bouts().len() {
            if let (Some(pair), None) = (cup.bouts()[index].players(), cup.bouts()[index].winner) {
                met.push(pair);
                cup.decide(index, winner(pair));
            }
        }
        (cup, met)
    }

    #[test]
    fn the_usual_bracket_of_eight() {
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let (cup, met) = play(8, |[higher, _]| higher);
        assert_eq!(met, [[0, 7], [3, 4], [1, 6], [2, 5], [0, 3], [1, 2], [0, 1]]);
        assert_eq!((cup.champion(), cup.rounds()), (Some(0), 3));
        assert_eq!(cup.ranking(), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    /// Checks every number of players with random winners: all but one are eliminated, each by one lost bout, and the
    /// first seeds have the byes of the first round.
    #[test]
    fn everybody_but_the_champion_loses_once() {
        let mut rng = SplitMix64::new(15);
        for players in 2..=70 {
            let (cup, met) = play(players, |pair| pair[rng.below(2)]);
            assert_eq!(met.len(), players - 1);
            let out = (0..players).filter(|&player| cup.is_out(player)).count();
            let champion = cup.champion().expect("it has ended");
            assert_eq!((out, cup.is_out(champion), cup.ranking()[0]), (players - 1, false, champion));
            let byes: Vec<usize> = cup.bouts().iter().filter(|bout| bout.is_bye()).filter_map(|b| b.winner).collect();
            let missing = players.next_power_of_two() - players;
            assert!(byes.len() == missing && byes.iter().all(|&player| player < missing), "{players}: {byes:?}");
            assert!(cup.bouts().iter().all(|bout| bout.round == 0 || !bout.is_bye()), "{players}");
            assert_eq!(1 << cup.rounds(), players.next_power_of_two());
        }
    }

    #[test]
    fn an_open_bracket_ranks_who_is_left_first() {
        let mut cup = Knockout::new(4);
        cup.decide(0, 3);
        assert_eq!(cup.ranking(), [3, 1, 2, 0]);
        assert_eq!((cup.bouts()[2].slots, cup.champion()), ([Slot::Player(3), Slot::Open], None));
        cup.decide(1, 1);
        assert_eq!(cup.bouts()[2].players(), Some([1, 3]));
    }
}
