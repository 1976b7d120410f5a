//! Groups of players whose ratings are comparable.

use crate::ratings::Meeting;

/// The groups of players that are connected by games. Each group is sorted, and larger groups come first. Players
/// without games belong to no group.
///
/// ```
/// use rating::{Groups, Meeting};
///
/// let game = |a, b, points| Meeting { players: [a, b], games: 1, points };
/// // 0 beats 1; 1 and 2 beat each other once; 3 and 4 meet nobody else; 5 has not played.
/// let games = [game(0, 1, 1.0), game(1, 2, 1.0), game(1, 2, 0.0), game(3, 4, 0.5)];
/// let groups = Groups::new(6, &games);
/// assert_eq!(groups.met, [vec![0, 1, 2], vec![3, 4]]);
/// assert_eq!(groups.unbounded, [0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// Groups of players who have met, directly or through others. Ratings of players of different groups are not
    /// comparable.
    pub met: Vec<Vec<usize>>,
    /// Players whose ratings are unbounded, because all points between them and the rest of their group went one way.
    /// In each group, they are the players outside the largest part in which every player has scored against every
    /// other one, directly or through others. If that part is a single player, the whole group is unbounded. The
    /// ratings of these players depend on the virtual draws of [`Ratings`](crate::ratings::Ratings).
    ///
    /// Source: L. R. Ford, "Solution of a ranking problem from binary comparisons" (1957).
    pub unbounded: Vec<usize>,
}

impl Groups {
    /// Returns the groups of these players.
    pub fn new(players: usize, meetings: &[Meeting]) -> Self {
        let mut met = Edges::new(players);
        let (mut scored, mut conceded) = (Edges::new(players), Edges::new(players));
        for meeting in meetings {
            let [a, b] = meeting.players;
            met.join(a, b);
            met.join(b, a);
            for (one, other, points) in [(a, b, meeting.points), (b, a, f64::from(meeting.games) - meeting.points)] {
                if points > 0.0 {
                    scored.join(one, other);
                    conceded.join(other, one);
                }
            }
        }
        let played: Vec<usize> = (0..players).filter(|&player| !met.of[player].is_empty()).collect();
        let groups = parts(&played, |player| met.reached(player));
        let mut unbounded = Vec::new();
        for group in &groups {
            let bounded = parts(group, |player| {
                let (above, below) = (scored.reached(player), conceded.reached(player));
                above.into_iter().zip(below).map(|(a, b)| a && b).collect()
            });
            let inner = bounded.into_iter().next().filter(|part| part.len() > 1).unwrap_or_default();
            unbounded.extend(group.iter().filter(|player| !inner.contains(player)));
        }
        unbounded.sort_unstable();
        Self { met: groups, unbounded }
    }
}

/// Partitions a set into parts, the larger ones first. `part` marks the members of a part, given one of them.
fn parts(set: &[usize], part: impl Fn(usize) -> Vec<bool>) -> Vec<Vec<usize>> {
    let mut left = set.to_vec();
    let mut parts = Vec::new();
    while let Some(&first) = left.first() {
        let marked = part(first);
        let (inside, outside) = left.into_iter().partition(|&player| marked[player]);
        parts.push(inside);
        left = outside;
    }
    parts.sort_by_key(|part: &Vec<usize>| core::cmp::Reverse(part.len()));
    parts
}

/// A directed graph of players.
struct Edges {
    of: Vec<Vec<usize>>,
}

impl Edges {
    fn new(players: usize) -> Self {
        Self { of: vec![Vec::new(); players] }
    }

    fn join(&mut self, from: usize, to: usize) {
        // Games of a pairing are consecutive, so this drops most repeated edges.
        if self.of[from].last() != Some(&to) {
            self.of[from].push(to);
        }
    }

    /// Marks every player who can be reached from the player `from`, including `from`.
    fn reached(&self, from: usize) -> Vec<bool> {
        let mut marked = vec![false; self.of.len()];
        let mut waiting = vec![from];
        marked[from] = true;
        while let Some(player) = waiting.pop() {
            for &next in &self.of[player] {
                if !marked[next] {
                    marked[next] = true;
                    waiting.push(next);
                }
            }
        }
        marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(players: usize, games: &[(usize, usize, f64)]) -> Groups {
        let games: Vec<_> = games.iter().map(|&(a, b, points)| Meeting { players: [a, b], games: 2, points }).collect();
        Groups::new(players, &games)
    }

    #[test]
    fn a_half_point_ties_players_together() {
        assert_eq!(groups(2, &[(0, 1, 1.5)]), Groups { met: vec![vec![0, 1]], unbounded: vec![] });
        assert_eq!(groups(2, &[(0, 1, 2.0)]), Groups { met: vec![vec![0, 1]], unbounded: vec![0, 1] });
    }

    #[test]
    fn a_circle_of_clean_scores_is_bounded() {
        assert_eq!(groups(3, &[(0, 1, 2.0), (1, 2, 2.0), (2, 0, 2.0)]).unbounded, [0; 0]);
        assert_eq!(groups(3, &[(0, 1, 2.0), (1, 2, 2.0), (0, 2, 2.0)]).unbounded, [0, 1, 2]);
    }

    #[test]
    fn two_circles_are_bounded_within_and_the_smaller_is_named() {
        let large = [(0, 1, 1.0), (1, 2, 1.0)];
        let small = [(3, 4, 1.0)];
        let apart = groups(5, &[&large[..], &small].concat());
        assert_eq!(apart, Groups { met: vec![vec![0, 1, 2], vec![3, 4]], unbounded: vec![] });
        let above = groups(5, &[&large[..], &small, &[(3, 0, 2.0)]].concat());
        assert_eq!(above, Groups { met: vec![vec![0, 1, 2, 3, 4]], unbounded: vec![3, 4] });
    }

    #[test]
    fn nobody_played() {
        assert_eq!(groups(3, &[]), Groups::default());
    }
}
