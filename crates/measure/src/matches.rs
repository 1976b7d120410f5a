//! Matches between two engines, in pairs of games from the same opening.

use std::time::{Duration, Instant};

use engine::{PlayerOptions, Resources};
use game::{Outcome, Reason, Side};
use games::{AnyEngine, Setting, SettingError};
use rating::{GameScore, Pairing, match_pairings};
use search::Control;

use crate::clock::{Clocks, GameClock};
use crate::jobs::in_order;

/// The engines of a match's players.
pub type Engines = [Box<dyn AnyEngine>; 2];

/// The parameters of a match.
pub struct Match {
    /// Game, board size, and number of moves, including the opening, after which a game is drawn.
    pub setting: Setting,
    /// Number of random moves of an opening.
    pub opening_plies: u32,
    /// Seed of the openings and players.
    pub seed: u64,
    /// Clock of each player, in addition to its limits for each move.
    pub clock: Option<GameClock>,
    /// Players, with the data that each may use.
    pub players: [(PlayerOptions, Resources); 2],
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

impl Match {
    /// Builds the engines of the two players, for one thread.
    ///
    /// # Errors
    /// Returns an error if the game is not played on this size, or has no such player.
    pub fn engines(&self) -> Result<Engines, SettingError> {
        let start = self.setting.record(None, &[])?;
        let engine = |player: usize| {
            let (options, resources) = &self.players[player];
            start.engine(options, resources)
        };
        Ok([engine(0)?, engine(1)?])
    }

    /// Plays one game.
    fn play(&self, engines: &mut Engines, pairing: Pairing) -> Played {
        let record = self.setting.random(self.opening_plies, pairing.opening_seed);
        let mut record = record.expect("invariant: the engines were built for this size");
        for (i, engine) in engines.iter_mut().enumerate() {
            engine.new_game(pairing.player_seed ^ i as u64);
        }
        let first_side = if pairing.first_begins { record.side_to_move() } else { !record.side_to_move() };
        let (mut work, mut clocks) = ([Work::default(); 2], self.clock.map(Clocks::new));
        let mut flagged = None;
        while record.finish().is_none() && flagged.is_none() {
            let player = usize::from(record.side_to_move() != first_side);
            let own = engines[player].limits();
            let limits = clocks.as_ref().map_or(own, |clocks| clocks.limits(player, own));
            let start = Instant::now();
            let choice = engines[player]
                .choose(&*record, &limits, &mut Control::on(search::SYSTEM))
                .expect("invariant: an unfinished game has a move");
            let took = start.elapsed();
            let sum = &mut work[player];
            sum.moves += 1;
            sum.nodes += choice.nodes;
            sum.depths += u64::from(choice.depth);
            sum.time += took;
            if clocks.as_mut().is_none_or(|clocks| clocks.moved(player, took)) {
                record.play(&choice.best).expect("invariant: an engine chooses a legal move");
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
    /// in order, and stops when `see` returns `false`.
    ///
    /// # Errors
    /// Returns an error if the game is not played on this size, or has no such player.
    ///
    /// # Panics
    /// Panics if an internal invariant is broken.
    pub fn run(
        &self,
        first: u64,
        last: u64,
        jobs: usize,
        mut see: impl FnMut(&[Played; 2]) -> bool,
    ) -> Result<(), SettingError> {
        self.engines()?;
        let make = || {
            let mut engines = self.engines().expect("invariant: the same options have built engines before");
            move |number| self.pair(&mut engines, number)
        };
        in_order(first..last, jobs, make, |pair| see(&pair));
        Ok(())
    }

    /// Plays the pair with this number. The result depends only on the match and the number.
    ///
    /// # Panics
    /// Panics if an internal invariant is broken.
    pub fn pair(&self, engines: &mut Engines, number: u64) -> [Played; 2] {
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
    use games::GameId;

    fn small_match() -> Match {
        let player = |nodes: u64| {
            let words = format!("nodes={nodes},horizon=0/0,table=1");
            (words.parse().expect("a player"), Resources::default())
        };
        Match {
            setting: Setting { size: Some(4), ..Setting::new(GameId::JUMP61, 200) },
            opening_plies: 4,
            seed: 5,
            clock: None,
            players: [player(2000), player(20)],
        }
    }

    /// Runs the pairs of a range and calls `see` with each.
    fn run(pairs: core::ops::Range<u64>, jobs: usize, mut see: impl FnMut(&[Played; 2])) {
        let run = small_match().run(pairs.start, pairs.end, jobs, |pair| {
            see(pair);
            true
        });
        assert_eq!(run, Ok(()));
    }

    #[test]
    fn the_same_match_has_the_same_games_with_any_number_of_threads() {
        let games = |jobs| {
            let mut games = Vec::new();
            run(0..6, jobs, |pair| {
                games.extend(pair.iter().map(|game| (game.pairing, game.score, game.moves.clone())));
            });
            games
        };
        let one = games(1);
        assert_eq!(one.len(), 12);
        assert_eq!(one, games(3));
        let tail: Vec<_> = one[6..].to_vec();
        let mut resumed = Vec::new();
        run(3..6, 2, |pair| {
            resumed.extend(pair.iter().map(|game| (game.pairing, game.score, game.moves.clone())));
        });
        assert_eq!(resumed, tail, "a match is resumed");
        let mut engines = small_match().engines().expect("engines");
        let alone = small_match().pair(&mut engines, 4).map(|game| (game.pairing, game.score, game.moves));
        assert_eq!(alone[..], one[8..10], "a pair does not depend on the pairs before it");
    }

    #[test]
    fn a_player_without_time_loses() {
        // No player moves within a nanosecond.
        let clock = GameClock { time: Duration::from_nanos(1), increment: Duration::ZERO };
        let short = Match { clock: Some(clock), ..small_match() };
        let mut engines = short.engines().expect("engines");
        let ends = short.pair(&mut engines, 0).map(|game| (game.pairing.first_begins, game.score, game.ending));
        let expected = |(first_begins, ..): (bool, _, _)| {
            (first_begins, if first_begins { GameScore::Loss } else { GameScore::Win }, Ending::Time)
        };
        assert_eq!(ends, ends.map(expected));
    }

    #[test]
    fn more_nodes_win() {
        let mut half_points = 0;
        run(0..10, 2, |pair| half_points += pair.iter().map(|game| game.score.half_points()).sum::<usize>());
        assert!(half_points > 26, "{half_points} of 40");
    }
}
