//! Matches between two engines, in pairs of games from the same opening.

use std::time::{Duration, Instant};

use engine::{PlayerOptions, Resources};
use game::{Outcome, Reason, Side};
use games::{AnyEngine, AnyRecord, SettingError};
use rating::{GameScore, Pairing, match_pairings};
use search::{Control, Limits};

use crate::clock::{Clocks, GameClock};
use crate::jobs::in_order;

/// A player of a match: the constructor of its engine, and its limits for each move.
pub struct Contestant<'a> {
    /// Constructor of the engine, called once for each thread.
    pub make: Box<dyn Fn() -> Box<dyn AnyEngine> + Sync + 'a>,
    /// Limits for each move.
    pub limits: Limits,
}

impl Contestant<'_> {
    /// Returns one of our players, for the game and the size of this board.
    ///
    /// # Errors
    /// If the game has no player of this build.
    ///
    /// # Panics
    /// Only if an invariant of ours is broken.
    pub fn new(options: &PlayerOptions, board: &dyn AnyRecord, resources: &Resources) -> Result<Self, SettingError> {
        let limits = board.engine(options, resources)?.limits();
        let (options, board, resources) = (options.clone(), board.cloned(), resources.clone());
        let make =
            move || board.engine(&options, &resources).expect("invariant: the same options have made a player before");
        Ok(Self { make: Box::new(make), limits })
    }
}

/// The conditions of a match.
pub struct Match<'a> {
    /// Position before the opening's random moves.
    pub start: Box<dyn AnyRecord>,
    /// Number of random moves of an opening.
    pub opening_plies: u32,
    /// Number of moves of both sides together, including the opening, after which a game is drawn.
    pub move_limit: u32,
    /// Seed of the openings and players.
    pub seed: u64,
    /// Clock of each player, in addition to its limits for each move.
    pub clock: Option<GameClock>,
    /// Players.
    pub players: [Contestant<'a>; 2],
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Place of the game in the match.
    pub pairing: Pairing,
    /// Result of the first player.
    pub score: GameScore,
    /// Reason for the end of the game.
    pub ending: Ending,
    /// Moves, including the opening.
    pub moves: Vec<String>,
    /// Work of each player.
    pub work: [Work; 2],
}

/// The reasons for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The rules ended the game.
    Rules(Reason),
    /// The player to move had no time left.
    Time,
}

/// The work of a player in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Number of moves made.
    pub moves: u32,
    /// Number of visited nodes.
    pub nodes: u64,
    /// Sum of the completed depths, in plies.
    pub depths: u64,
    /// Time taken.
    pub time: Duration,
}

impl Match<'_> {
    /// Plays one game.
    fn play(&self, engines: &mut [Box<dyn AnyEngine>; 2], pairing: Pairing) -> Played {
        let mut record = self.start.opening(self.opening_plies, self.move_limit, pairing.opening_seed);
        for (i, engine) in engines.iter_mut().enumerate() {
            engine.new_game(pairing.player_seed ^ i as u64);
        }
        let first_side = if pairing.first_begins { record.side_to_move() } else { !record.side_to_move() };
        let (mut work, mut clocks) = ([Work::default(); 2], self.clock.map(Clocks::new));
        let mut flagged = None;
        while record.finish().is_none() && flagged.is_none() {
            let player = usize::from(record.side_to_move() != first_side);
            let own = self.players[player].limits;
            let limits = clocks.as_ref().map_or(own, |clocks| clocks.limits(player, own));
            let start = Instant::now();
            let choice = engines[player]
                .choose(&*record, &limits, &mut Control::on(machine::SYSTEM))
                .expect("invariant: an unfinished game has a move");
            let took = start.elapsed();
            let sum = &mut work[player];
            sum.moves += 1;
            sum.nodes += choice.nodes;
            sum.depths += u64::from(choice.depth);
            sum.time += took;
            if clocks.as_mut().is_none_or(|clocks| clocks.moved(player, took)) {
                record.play(&choice.best).expect("invariant: an engine's move is legal");
            } else {
                flagged = Some(player);
            }
        }
        let (score, ending) = match flagged {
            Some(0) => (GameScore::Loss, Ending::Time),
            Some(_) => (GameScore::Win, Ending::Time),
            None => {
                let finish = record.finish().expect("invariant: the loop ends with the game");
                (score(finish.outcome, first_side), Ending::Rules(finish.reason))
            }
        };
        Played { pairing, score, ending, moves: record.moves(), work }
    }

    /// Plays the pairs from `first` up to but not including `last`, `jobs` pairs at a time. Calls `see` with each pair
    /// in order, and stops when it returns `false`.
    pub fn run(&self, first: u64, last: u64, jobs: usize, mut see: impl FnMut(&[Played; 2]) -> bool) {
        let make = || {
            let mut engines = self.engines();
            move |number| self.pair(&mut engines, number)
        };
        in_order(first..last, jobs, make, |pair| see(&pair));
    }

    /// Builds the engines of the two players, for one thread.
    pub fn engines(&self) -> [Box<dyn AnyEngine>; 2] {
        [0, 1].map(|i| (self.players[i].make)())
    }

    /// Plays the pair with this number. The result depends only on the match and the number.
    ///
    /// # Panics
    /// Only if an invariant of ours is broken.
    pub fn pair(&self, engines: &mut [Box<dyn AnyEngine>; 2], number: u64) -> [Played; 2] {
        let mut games = match_pairings(self.seed).skip(2 * number as usize);
        [(); 2].map(|()| self.play(engines, games.next().expect("invariant: there are always more pairings")))
    }
}

fn score(outcome: Outcome, first_side: Side) -> GameScore {
    match outcome {
        Outcome::Draw => GameScore::Draw,
        Outcome::Win(side) if side == first_side => GameScore::Win,
        Outcome::Win(_) => GameScore::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    use games::GameId;

    static RESOURCES: LazyLock<Resources> = LazyLock::new(Resources::default);
    static OPTIONS: LazyLock<[PlayerOptions; 2]> = LazyLock::new(|| {
        ["nodes=2000,horizon=0/0,table=1", "nodes=20,horizon=0/0,table=1"].map(|words| words.parse().expect("a player"))
    });

    fn small_match() -> Match<'static> {
        let start = GameId::JUMP61.start(Some(4)).expect("a size");
        let players = [0, 1].map(|i| Contestant::new(&OPTIONS[i], &*start, &RESOURCES).expect("a player"));
        Match { start, opening_plies: 4, move_limit: 200, seed: 5, clock: None, players }
    }

    #[test]
    fn the_same_match_has_the_same_games_with_any_number_of_threads() {
        let games = |jobs| {
            let mut games = Vec::new();
            small_match().run(0, 6, jobs, |pair| {
                games.extend(pair.iter().map(|game| (game.pairing, game.score, game.moves.clone())));
                true
            });
            games
        };
        let one = games(1);
        assert_eq!(one.len(), 12);
        assert_eq!(one, games(3));
        let tail: Vec<_> = one[6..].to_vec();
        let mut resumed = Vec::new();
        small_match().run(3, 6, 2, |pair| {
            resumed.extend(pair.iter().map(|game| (game.pairing, game.score, game.moves.clone())));
            true
        });
        assert_eq!(resumed, tail, "a match goes on where it was left");
        let alone =
            small_match().pair(&mut small_match().engines(), 4).map(|game| (game.pairing, game.score, game.moves));
        assert_eq!(alone[..], one[8..10], "a pair does not depend on the pairs before it");
    }

    #[test]
    fn who_has_no_time_left_loses() {
        // No player moves within a nanosecond.
        let clock = GameClock { time: Duration::from_nanos(1), increment: Duration::ZERO };
        let short = Match { clock: Some(clock), ..small_match() };
        let ends = short.pair(&mut short.engines(), 0).map(|game| (game.pairing.first_begins, game.score, game.ending));
        let expected = |(first_begins, ..): (bool, _, _)| {
            (first_begins, if first_begins { GameScore::Loss } else { GameScore::Win }, Ending::Time)
        };
        assert_eq!(ends, ends.map(expected));
    }

    #[test]
    fn more_nodes_win() {
        let mut half_points = 0;
        small_match().run(0, 10, 2, |pair| {
            half_points += pair.iter().map(|game| game.score.half_points()).sum::<usize>();
            true
        });
        assert!(half_points > 26, "{half_points} of 40");
    }
}
