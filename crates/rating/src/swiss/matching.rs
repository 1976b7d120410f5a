//! Best pairing of a round, as a minimum-weight perfect matching.

use integer_blossom::min_weight_perfect_matching;

use super::colours::{Strength, Wish};
use super::{Round, Swiss};

/// Number of criteria of a pairing.
const CRITERIA: usize = 7;
/// Index of the criterion for the bye. At most one pair of a pairing contributes to it.
const BYE: usize = 2;

/// The cost of a pair by each criterion, the most important one first: whether the pair is forbidden, then the criteria
/// in the documentation of [`swiss`](super). The cost of a pairing is the sum over its pairs.
type Cost = [u64; CRITERIA];

/// A player's data from which the costs of pairs are computed.
struct Seat {
    half_points: u32,
    /// Index of the group, which consists of the players with the same points. The group at the top has index 0.
    group: usize,
    /// Place in the group, from 0.
    place: usize,
    /// Number of players in the group.
    size: usize,
    wish: Wish,
}

impl Swiss {
    /// Pairs the next round. The same history always gives the same pairing. Returns `None` if every pairing lets two
    /// players meet again, or gives a player a second bye. The first [`most_rounds`](Self::most_rounds) rounds can
    /// always be paired.
    pub fn pair(&self) -> Option<Round> {
        let order = self.order();
        let mates = best(self, &order)?;
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
}

/// Returns the best pairing of the players in `order`: for each place in `order`, the place of the opponent. The place
/// after the last player is the bye. Returns `None` if every pairing repeats a bout or gives a player a second bye.
fn best(swiss: &Swiss, order: &[usize]) -> Option<Vec<usize>> {
    let seats = seats(swiss, order);
    let vertices = order.len().next_multiple_of(2);
    let mut costs = vec![Cost::default(); vertices * vertices];
    for one in 0..vertices {
        for other in one + 1..vertices {
            costs[one * vertices + other] = cost(swiss, order, &seats, one, other);
        }
    }
    let mates = min_weight_perfect_matching(&scalars(&costs, vertices), vertices);
    let permitted = |(one, &other): (usize, &usize)| costs[one.min(other) * vertices + one.max(other)][0] == 0;
    mates.iter().enumerate().all(permitted).then_some(mates)
}

fn seats(swiss: &Swiss, order: &[usize]) -> Vec<Seat> {
    let mut seats = Vec::new();
    let mut start = 0;
    let mut group = 0;
    while start < order.len() {
        let half_points = swiss.half_points(order[start]);
        let size = order[start..].iter().take_while(|&&player| swiss.half_points(player) == half_points).count();
        for place in 0..size {
            let wish = swiss.wish(order[start + place]);
            seats.push(Seat { half_points, group, place, size, wish });
        }
        start += size;
        group += 1;
    }
    seats
}

/// Returns the cost of pairing the places `one` and `other` in `order`, where `one < other`. The place after the last
/// player is the bye.
fn cost(swiss: &Swiss, order: &[usize], seats: &[Seat], one: usize, other: usize) -> Cost {
    let history = swiss.history(order[one]);
    let a = &seats[one];
    let square = |difference: usize| (difference * difference) as u64;
    let Some(b) = seats.get(other) else {
        let again = history.iter().any(|entry| entry.opponent.is_none());
        return [u64::from(again), 0, u64::from(a.half_points), 0, 0, 0, square(a.size - 1 - a.place)];
    };
    let again = history.iter().any(|entry| entry.opponent == Some(order[other]));
    // In a bout of several games, each player has both colours.
    let conflict = if swiss.games > 1 { Strength::None } else { a.wish.conflict(b.wish) };
    let place = if a.group == b.group {
        square((b.place - a.place).abs_diff(a.size / 2))
    } else {
        square(a.size - 1 - a.place) + square(b.place)
    };
    [
        u64::from(again),
        u64::from(conflict == Strength::Absolute),
        0,
        square((a.half_points - b.half_points) as usize),
        u64::from(conflict >= Strength::Strong),
        u64::from(conflict >= Strength::Mild),
        place,
    ]
}

/// Converts each cost to a number. The sums of these numbers rank all pairings in the same order as the sums of the
/// costs, because each criterion outweighs all less important criteria together. With the maximum numbers of players
/// and games, the numbers are below 2¹²⁰.
fn scalars(costs: &[Cost], vertices: usize) -> Vec<i128> {
    let pairs = vertices as i128 / 2;
    let mut weights = [1_i128; CRITERIA];
    for criterion in (0..CRITERIA - 1).rev() {
        let largest = costs.iter().map(|cost| cost[criterion + 1]).max().unwrap_or(0);
        let times = if criterion + 1 == BYE { 1 } else { pairs };
        weights[criterion] = weights[criterion + 1] * (1 + times * i128::from(largest));
    }
    costs.iter().map(|cost| cost.iter().zip(weights).map(|(&value, weight)| i128::from(value) * weight).sum()).collect()
}
