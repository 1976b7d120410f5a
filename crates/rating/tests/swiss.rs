//! Tests that Swiss tournaments satisfy their invariants, and that no other pairing is better.

use std::collections::BTreeSet;

use game::SplitMix64;
use rating::swiss::{Round, Swiss};

/// Returns the half points of both players in a random bout with `games` games. The stronger player, who wins more
/// often, has the lower number.
fn bout(rng: &mut SplitMix64, games: u32, strength: usize, [one, other]: [usize; 2]) -> [u32; 2] {
    let mut points = [0; 2];
    for _ in 0..games {
        let better = usize::from(one > other);
        match rng.below(6 + strength) {
            0 => points = points.map(|sum| sum + 1),
            1 | 2 => points[1 - better] += 2,
            _ => points[better] += 2,
        }
    }
    points
}

/// A tournament in progress, with its own counts of the quantities in the invariants.
struct Checked {
    swiss: Swiss,
    players: usize,
    games: u32,
    rounds: usize,
    met: BTreeSet<[usize; 2]>,
    byes: BTreeSet<usize>,
    colours: Vec<Vec<bool>>,
    points: Vec<u32>,
}

impl Checked {
    fn new(players: usize, games: u32) -> Self {
        Self {
            swiss: Swiss::new(players, games),
            players,
            games,
            rounds: 0,
            met: BTreeSet::new(),
            byes: BTreeSet::new(),
            colours: vec![Vec::new(); players],
            points: vec![0; players],
        }
    }

    /// Plays a round, and asserts that the module's invariants hold after it.
    fn round(&mut self, rng: &mut SplitMix64, strength: usize) {
        let context = format!("{} players, {} games, round {}", self.players, self.games, self.rounds + 1);
        let round = self.swiss.pair().unwrap_or_else(|| panic!("{context}: no pairing"));
        self.rounds += 1;
        // Invariant 1.
        let mut seen: Vec<usize> = round.bouts.iter().flat_map(|bout| bout.players).chain(round.bye).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..self.players).collect::<Vec<_>>(), "{context}");
        self.check_bye(&round, &context);
        let mut results = Vec::new();
        for bout in &round.bouts {
            let mut pair = bout.players;
            pair.sort_unstable();
            // Invariant 2.
            assert!(self.met.insert(pair), "{context}: {pair:?} meet again");
            let points = self::bout(rng, self.games, strength, bout.players);
            for (i, player) in bout.players.into_iter().enumerate() {
                self.points[player] += points[i];
                self.colours[player].push(i == 0);
            }
            results.push(points);
        }
        self.swiss.play(&round, &results);
        if self.games == 1 {
            self.check_colours(&context);
        }
    }

    fn check_bye(&mut self, round: &Round, context: &str) {
        // Invariant 3.
        assert_eq!(round.bye.is_some(), !self.players.is_multiple_of(2), "{context}");
        let Some(bye) = round.bye else { return };
        assert!(!self.byes.contains(&bye), "{context}: {bye} has a second bye");
        // Invariant 4.
        if self.games > 1 && self.rounds < self.players.div_ceil(2) {
            let least =
                (0..self.players).filter(|player| !self.byes.contains(player)).map(|player| self.points[player]);
            assert_eq!(Some(self.points[bye]), least.min(), "{context}");
        }
        self.byes.insert(bye);
        self.points[bye] += 2 * self.games;
    }

    fn check_colours(&self, context: &str) {
        // Invariant 5.
        if self.rounds > self.players.next_multiple_of(2) / 4 + 1 {
            return;
        }
        for (player, colours) in self.colours.iter().enumerate() {
            let firsts = colours.iter().filter(|&&first| first).count();
            let difference = firsts.abs_diff(colours.len() - firsts);
            assert!(difference <= 2, "{context}: {player} has {colours:?}");
            assert!(
                colours.windows(3).all(|three| three != [true; 3] && three != [false; 3]),
                "{context}: {colours:?}"
            );
        }
    }
}

/// Checks the module's invariants in 10,000 tournaments of all sizes, lengths and strengths.
#[test]
fn the_invariants_hold_in_ten_thousand_random_tournaments() {
    let mut rng = SplitMix64::new(15);
    for number in 0..10_000 {
        // Most tournaments are small, because the invariants are hardest to satisfy with few players.
        let players = 2 + rng.below(if number % 20 == 0 { 60 } else { 14 });
        let games = [1, 1, 2, 4][rng.below(4)];
        let strength = [0, 3, 30][rng.below(3)];
        let mut tournament = Checked::new(players, games);
        for _ in 0..=rng.below(Swiss::most_rounds(players)) {
            tournament.round(&mut rng, strength);
        }
        let table = tournament.swiss.table();
        let points: Vec<u32> = table.iter().map(|line| tournament.points[line.player]).collect();
        assert!(points.is_sorted_by(|a, b| a >= b), "{points:?}");
        assert!(table.iter().zip(points).all(|(line, points)| line.half_points == points));
    }
}

/// Checks a tournament of 300 players with nine rounds of one game: the invariants hold, strong players lead the table,
/// and the numbers of first and second moves of each player differ by at most one.
#[test]
fn a_tournament_of_300_players() {
    let mut rng = SplitMix64::new(300);
    let mut tournament = Checked::new(300, 1);
    for _ in 0..9 {
        tournament.round(&mut rng, 20);
    }
    let table = tournament.swiss.table();
    assert!(table[..10].iter().all(|line| line.player < 60), "{:?}", &table[..10]);
    let uneven = tournament.colours.iter().filter(|colours| {
        let firsts = colours.iter().filter(|&&first| first).count();
        firsts.abs_diff(9 - firsts) > 1
    });
    assert_eq!(uneven.count(), 0);
}

/// Returns all perfect matchings of places, each as pairs.
fn matchings(free: &[usize]) -> Vec<Vec<[usize; 2]>> {
    let Some((&one, rest)) = free.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for (i, &other) in rest.iter().enumerate() {
        let left: Vec<usize> = rest.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &p)| p).collect();
        all.extend(matchings(&left).into_iter().map(|mut pairs| {
            pairs.push([one, other]);
            pairs
        }));
    }
    all
}

/// Returns the cost of a pairing: the number of repeated pairs and byes, then the values of the first three criteria.
/// Shares no code with the module.
fn costs(swiss: &Swiss, players: usize, pairs: &[[usize; 2]]) -> [u64; 4] {
    let mut costs = [0; 4];
    for &[one, other] in pairs {
        let history = swiss.history(one);
        if other >= players {
            costs[0] += u64::from(history.iter().any(|entry| entry.opponent.is_none()));
            costs[2] += u64::from(swiss.half_points(one));
            continue;
        }
        costs[0] += u64::from(history.iter().any(|entry| entry.opponent == Some(other)));
        let must = |player: usize| -> Option<bool> {
            let games = swiss.history(player).iter().filter(|entry| entry.opponent.is_some());
            let colours: Vec<bool> = games.map(|entry| entry.first).collect();
            let balance: i32 = colours.iter().map(|&first| if first { 1 } else { -1 }).sum();
            match colours.as_slice() {
                _ if balance.abs() > 1 => Some(balance < 0),
                [.., a, b] if a == b => Some(!b),
                _ => None,
            }
        };
        costs[1] += u64::from(must(one).is_some() && must(one) == must(other));
        costs[3] += u64::from(swiss.half_points(one).abs_diff(swiss.half_points(other))).pow(2);
    }
    costs
}

/// Compares the cost of the module's pairing with the costs of all pairings of up to eight players.
#[test]
fn no_other_pairing_is_better() {
    let mut rng = SplitMix64::new(8);
    for _ in 0..300 {
        let players = 2 + rng.below(7);
        let all = matchings(&(0..players.next_multiple_of(2)).collect::<Vec<_>>());
        let mut swiss = Swiss::new(players, 1);
        for _ in 1..players {
            let best = all.iter().map(|pairs| costs(&swiss, players, pairs)).min().expect("a pairing");
            let Some(round) = swiss.pair() else {
                assert!(best[0] > 0, "a pairing without a repeated pair exists");
                break;
            };
            let mut pairs: Vec<[usize; 2]> = round.bouts.iter().map(|bout| bout.players).collect();
            pairs.extend(round.bye.map(|bye| [bye, players]));
            assert_eq!(costs(&swiss, players, &pairs), best, "{swiss:?}");
            let results: Vec<_> = round.bouts.iter().map(|b| bout(&mut rng, 1, 0, b.players)).collect();
            swiss.play(&round, &results);
        }
    }
}

/// Checks that the first round follows the FIDE handbook: the top half meets the bottom half, and colours alternate.
#[test]
fn the_first_round_follows_the_handbook() {
    let round = Swiss::new(8, 1).pair().expect("a round");
    let pairs: Vec<[usize; 2]> = round.bouts.iter().map(|bout| bout.players).collect();
    assert_eq!(pairs, [[0, 4], [5, 1], [2, 6], [7, 3]]);
    // In a bout of several games, the higher-ranked player is listed first.
    let round = Swiss::new(4, 2).pair().expect("a round");
    assert_eq!(round.bouts.iter().map(|bout| bout.players).collect::<Vec<_>>(), [[0, 2], [1, 3]]);
}

/// Checks the second round of eight players: players with about the same points meet.
#[test]
fn the_second_round_pairs_equal_points() {
    let mut swiss = Swiss::new(8, 2);
    let round = swiss.pair().expect("a round");
    swiss.play(&round, &[[4, 0], [3, 1], [4, 0], [2, 2]]);
    let pairs: Vec<[usize; 2]> = swiss.pair().expect("a round").bouts.iter().map(|bout| bout.players).collect();
    // Players 0 and 2 have 2 points, player 1 has 1½, players 3 and 7 have 1, player 5 has ½, and players 4 and 6
    // have 0. Players 3 and 7 have met.
    assert_eq!(pairs, [[0, 2], [1, 3], [7, 5], [4, 6]]);
}

/// Compares the Buchholz and Sonneborn-Berger scores of a small tournament with scores that were computed by hand.
#[test]
fn tie_breaks_equal_the_scores_computed_by_hand() {
    let mut swiss = Swiss::new(3, 1);
    let round = swiss.pair().expect("a round");
    assert_eq!((round.bouts[0].players, round.bye), ([0, 1], Some(2)));
    swiss.play(&round, &[[1, 1]]);
    let round = swiss.pair().expect("a round");
    // Players 0 and 1 have half a point each. Player 1 gets the bye. Player 0 had the first move, so player 2 gets it.
    assert_eq!((round.bouts[0].players, round.bye), ([2, 0], Some(1)));
    swiss.play(&round, &[[2, 0]]);
    // Player 2 has 2 points, player 1 has 1½, and player 0 has ½.
    let table = swiss.table();
    assert_eq!(table.iter().map(|line| (line.player, line.half_points)).collect::<Vec<_>>(), [(2, 4), (1, 3), (0, 1)]);
    // A bye counts as a win against an opponent with the player's own points. Player 2 has a bye (2 points) and a win
    // against ½ point. Player 1 has a draw against ½ point and a bye (1½ points). Player 0 has a draw against 1½
    // points and a loss against 2 points.
    let breaks: Vec<(f64, f64)> =
        table.iter().map(|line| (f64::from(line.buchholz) / 2.0, swiss.sonneborn_berger(line))).collect();
    assert_eq!(breaks, [(2.5, 2.5), (2.0, 1.75), (3.5, 0.75)]);
}

#[test]
fn the_usual_and_the_maximum_numbers_of_rounds() {
    let rounds = |players| (Swiss::usual_rounds(players), Swiss::most_rounds(players));
    assert_eq!([2, 3, 4, 5, 8, 9, 300].map(rounds), [(1, 1), (2, 2), (2, 2), (3, 3), (3, 4), (4, 5), (9, 150)]);
}
