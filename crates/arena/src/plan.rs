//! The games of a tournament with their agents, openings and seeds.

use std::collections::BTreeSet;

use game::SplitMix64;
use thiserror::Error;

use crate::format::Format;
use crate::openings::Openings;
use crate::planned::Planned;
use crate::rounds::{Bout, Played, Rounds};
use crate::spec::Spec;
use crate::spec_error::SpecError;

/// Errors of planning the games.
#[derive(Debug, Error)]
pub enum PlanError {
    /// Too few different openings were found.
    #[error(
        "openings: {found} found with `opening = {plies}`, expected {wanted} different ones; \
         make `opening` larger or `games` smaller, because no game should be played twice"
    )]
    Openings {
        /// Required number of openings.
        wanted: usize,
        /// Number of different openings that were found.
        found: usize,
        /// Number of moves of an opening.
        plies: u32,
    },
    /// The file has too few different openings.
    #[error(
        "openings: {found} found in the file, expected {wanted} different ones; \
         make `games` smaller, because no game should be played twice"
    )]
    Listed {
        /// Required number of openings.
        wanted: usize,
        /// Number of different openings in the file.
        found: usize,
    },
    /// The specification is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// Maximum number of seeds that are tried for each further opening.
const TRIES: u32 = 200;

/// The games of a tournament that are known so far. The memory use does not depend on the number of games of a bout.
#[derive(Clone, Debug)]
pub struct Plan {
    rounds: Rounds,
    openings: Vec<u64>,
    /// Number of openings of a round; 0 in formats without rounds.
    each_round: usize,
    /// Generator of the games' seeds: the `n`-th number belongs to game `n`.
    seeds: SplitMix64,
}

impl Plan {
    /// Creates the plan before the first game.
    ///
    /// `opening` returns the position after the opening with the given seed. If several openings lead to the same
    /// position, only one of them is used. In a Swiss or a knockout, each round has its own openings if there are
    /// enough. If there are too few, rounds share openings. Two agents still never get the same opening in two pairs of
    /// games, because they meet only once; only additional games of a knockout may repeat an opening.
    ///
    /// # Errors
    /// If the specification is invalid or there are not enough openings.
    pub fn new(spec: &Spec, mut opening: impl FnMut(u64) -> String) -> Result<Self, PlanError> {
        let rounds = Rounds::new(spec)?;
        let wanted = spec.games.div_ceil(2) as usize;
        let each_round = match spec.format {
            Format::RoundRobin | Format::Gauntlet | Format::Match => 0,
            Format::Swiss => wanted,
            // Includes openings for additional games.
            Format::Knockout => wanted + Rounds::EXTRA_PAIRS as usize,
        };
        let most = rounds.number_of_rounds() as usize * each_round;
        let mut rng = SplitMix64::new(spec.seed);
        let mut seen = BTreeSet::new();
        let mut openings = Vec::new();
        let indices = |listed: &Openings| listed.indices(spec.openings_order, spec.seed, wanted.max(most));
        if let Some(indices) = spec.openings.as_ref().and_then(indices) {
            openings = indices;
            if openings.len() < wanted {
                return Err(PlanError::Listed { wanted, found: openings.len() });
            }
        }
        while spec.openings.is_none() && openings.len() < wanted.max(most) {
            let fresh = (0..TRIES).map(|_| rng.next_u64()).find(|&seed| seen.insert(opening(seed)));
            match fresh {
                Some(seed) => openings.push(seed),
                None if openings.len() >= wanted => break,
                None => return Err(PlanError::Openings { wanted, found: openings.len(), plies: spec.opening }),
            }
        }
        Ok(Self { rounds, openings, each_round, seeds: rng })
    }

    /// Returns the pairings.
    pub fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// Returns the number of games of the tournament; see [`Rounds::planned`].
    pub fn planned(&self) -> u32 {
        self.rounds.planned()
    }

    /// Returns the game with this number; `None` if it does not exist or is not known yet.
    pub fn game(&self, number: u32) -> Option<Planned> {
        let bout = self.rounds.bout_of(number)?;
        let pair = (number - bout.first_game) / 2;
        let index = (bout.round as usize * self.each_round + pair as usize) % self.openings.len();
        Some(Planned {
            number,
            agents: bout.seated(number),
            round: if self.each_round == 0 { pair } else { bout.round },
            opening_seed: self.openings[index],
            seed: self.seeds.skipping(u64::from(number)).next_u64(),
        })
    }

    /// Returns all games that are known so far, in the order of their numbers.
    pub fn games(&self) -> impl Iterator<Item = Planned> {
        self.rounds.bouts().flat_map(Bout::numbers).filter_map(|number| self.game(number))
    }

    /// Records results of games; see [`Rounds::record_all`].
    pub fn record(&mut self, results: impl IntoIterator<Item = (u32, Played)>) -> bool {
        self.rounds.record_all(results)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::log::ResultLog;
    use std::path::Path;

    pub(crate) fn spec(agents: usize, games: u32, format: &str) -> Spec {
        let agents: Vec<String> = (0..agents).map(|i| format!("[[agent]]\nname = '{i}'\nbuiltin = ''")).collect();
        let agents = agents.join("\n");
        let text = format!("game = 'loa'\ngames = {games}\nopening = 4\nformat = '{format}'\n{agents}");
        Spec::read(&text, Path::new("")).expect("a tournament")
    }

    pub(crate) fn plan(agents: usize, games: u32, format: &str) -> Plan {
        Plan::new(&spec(agents, games, format), |seed| seed.to_string()).expect("openings")
    }

    fn games(agents: usize, games: u32, format: &str) -> Vec<Planned> {
        plan(agents, games, format).games().collect()
    }

    #[test]
    fn each_pair_plays_both_colours_of_each_opening() {
        let plan = games(5, 6, "round-robin");
        assert_eq!(plan.len(), 10 * 6);
        let different: BTreeSet<_> = plan.iter().map(|game| (game.agents, game.opening_seed)).collect();
        assert_eq!(different.len(), plan.len(), "no game twice");
        for game in &plan {
            let [one, other] = game.agents;
            assert!(different.contains(&([other, one], game.opening_seed)));
        }
        assert_eq!(plan, games(5, 6, "round-robin"), "the same games for the same specification");
        assert_eq!(games(5, 2, "gauntlet").len(), 8);
        assert!(games(5, 2, "gauntlet").iter().all(|game| game.agents.contains(&0)));
        assert_eq!(games(2, 20, "match").len(), 20);
    }

    /// `resume` must plan the same games for tournaments that version 0.5 began.
    #[test]
    fn the_plan_of_version_0_5_is_unchanged() {
        let mut rng = SplitMix64::new(1);
        let openings = [rng.next_u64(), rng.next_u64()];
        let mut expected = Vec::new();
        for pair in [[0, 1], [0, 2], [1, 2]] {
            for (round, opening_seed) in (0..).zip(openings) {
                for agents in [pair, [pair[1], pair[0]]] {
                    let number = expected.len() as u32;
                    expected.push(Planned { number, agents, round, opening_seed, seed: rng.next_u64() });
                }
            }
        }
        assert_eq!(games(3, 4, "round-robin"), expected);
    }

    #[test]
    fn too_few_openings_are_an_error() {
        let error = Plan::new(&spec(2, 10, "match"), |seed| (seed % 3).to_string()).expect_err("three openings");
        assert!(
            error.to_string().starts_with("openings: 3 found with `opening = 4`, expected 5 different ones"),
            "{error}"
        );
    }

    /// The rounds of a Swiss have different openings if there are enough.
    #[test]
    fn rounds_have_their_own_openings() {
        let play = |mut plan: Plan| {
            let mut number = 0;
            while let Some(game) = plan.game(number) {
                plan.record([(number, (game.agents, ResultLog::Draw))]);
                number += 1;
            }
            plan.games().collect::<Vec<_>>()
        };
        let used = |games: &[Planned], round| -> BTreeSet<u64> {
            games.iter().filter(|game| game.round == round).map(|game| game.opening_seed).collect()
        };
        let all = play(plan(8, 4, "swiss"));
        assert_eq!(all.len(), 3 * 4 * 4);
        assert_eq!((used(&all, 0).len(), used(&all, 1).is_disjoint(&used(&all, 2))), (2, true));
        let few = Plan::new(&spec(8, 4, "swiss"), |seed| (seed % 3).to_string()).expect("enough");
        let few = play(few);
        assert_eq!((few.len(), used(&few, 2).len()), (3 * 4 * 4, 2));
    }
}
