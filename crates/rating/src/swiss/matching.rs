//! Best pairing of a round, as a minimum-weight perfect matching.

use integer_blossom::min_weight_perfect_matching;

use super::Swiss;
use super::colours::{Strength, Wish};

/// Number of criteria of a pairing.
const CRITERIA: usize = 7;
/// Index of the criterion to which only one pair of a pairing contributes: the bye.
const BYE: usize = 2;

/// The cost of a pair, the most important criterion first: whether the pair is forbidden, then the criteria of the
/// module's documentation. The cost of a pairing is the sum over its pairs.
type Cost = [u64; CRITERIA];

/// The data of a player that determine costs.
struct Seat {
    half_points: u32,
    /// Number of the group of players with the same points, from 0 at the top.
    group: usize,
    /// Place in the group, and size of the group.
    place: usize,
    size: usize,
    wish: Wish,
}

/// Returns the opponents of all players of an order, as places in it. The bye is the place after the last player.
/// Returns `None` if there is no pairing without repetition.
pub(super) fn best(swiss: &Swiss, order: &[usize]) -> Option<Vec<usize>> {
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

/// Returns the cost of a pair of places, of which `one` is the higher. A place after the last player is the bye.
fn cost(swiss: &Swiss, order: &[usize], seats: &[Seat], one: usize, other: usize) -> Cost {
    let history = swiss.history(order[one]);
    let a = &seats[one];
    let square = |difference: usize| (difference * difference) as u64;
    let Some(b) = seats.get(other) else {
        let again = history.iter().any(|entry| entry.opponent.is_none());
        return [u64::from(again), 0, u64::from(a.half_points), 0, 0, 0, square(a.size - 1 - a.place)];
    };
    let again = history.iter().any(|entry| entry.opponent == Some(order[other]));
    // A bout of several games has both colours.
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

/// Converts costs to single numbers whose sums over a pairing compare like the sums of the costs: each criterion
/// outweighs the sum of all less important ones. With the maximum numbers of players and games, the numbers are below
/// 2¹²⁰.
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
