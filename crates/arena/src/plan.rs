//! The games of a tournament and their order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use game::SplitMix64;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Format, Spec};

/// One game of a tournament. It follows from the specification alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Number of the game, from 0, in the order of pairs of agents.
    pub number: u32,
    /// Numbers of the agents in the specification. The agent with the first side comes first.
    pub agents: [usize; 2],
    /// Number of the opening, from 0. All pairs of agents have the same openings.
    pub round: u32,
    /// Seed of the opening's random moves.
    pub opening_seed: u64,
    /// Seed of the players and of random moves after faults.
    pub seed: u64,
}

/// There are not enough openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "games: {wanted} different openings of {plies} moves are needed, but only {found} were found; \
     make `opening` larger or `games` smaller, because no game should be played twice"
)]
pub struct TooFewOpenings {
    wanted: u32,
    found: u32,
    plies: u32,
}

/// Number of tries to find one more opening that is different.
const TRIES: u32 = 200;

/// Lists all games of a tournament.
///
/// `opening` returns the position that an opening's seed leads to, so that no opening is used twice.
///
/// # Errors
/// If there are not enough openings.
pub fn plan(spec: &Spec, mut opening: impl FnMut(u64) -> String) -> Result<Vec<Planned>, TooFewOpenings> {
    let mut rng = SplitMix64::new(spec.seed);
    let wanted = spec.games / 2;
    let mut seen = BTreeSet::new();
    let mut openings = Vec::new();
    for found in 0..wanted {
        let fresh = (0..TRIES).map(|_| rng.next_u64()).find(|&seed| seen.insert(opening(seed)));
        openings.push(fresh.ok_or(TooFewOpenings { wanted, found, plies: spec.opening })?);
    }
    let mut games = Vec::new();
    for [one, other] in pairs(spec) {
        for (round, &opening_seed) in (0..).zip(&openings) {
            for agents in [[one, other], [other, one]] {
                let number = games.len() as u32;
                games.push(Planned { number, agents, round, opening_seed, seed: rng.next_u64() });
            }
        }
    }
    Ok(games)
}

/// The pairs of agents that play each other.
fn pairs(spec: &Spec) -> impl Iterator<Item = [usize; 2]> {
    let agents = spec.agents.len();
    let last_first = match spec.format {
        Format::RoundRobin => agents,
        Format::Gauntlet | Format::Match => 1,
    };
    (0..last_first).flat_map(move |one| (one + 1..agents).map(move |other| [one, other]))
}

/// The games that remain to be played. The next game is always between the agents that have played the fewest games.
#[derive(Debug)]
pub struct Agenda {
    waiting: BTreeMap<[usize; 2], VecDeque<Planned>>,
    played: BTreeMap<usize, u32>,
    left: usize,
}

impl Agenda {
    /// The games of a plan whose numbers are not `done`.
    pub fn new(plan: Vec<Planned>, done: &BTreeSet<u32>) -> Self {
        let mut agenda = Self { waiting: BTreeMap::new(), played: BTreeMap::new(), left: 0 };
        for game in plan {
            if done.contains(&game.number) {
                agenda.count(&game);
            } else {
                let mut pair = game.agents;
                pair.sort_unstable();
                agenda.waiting.entry(pair).or_default().push_back(game);
                agenda.left += 1;
            }
        }
        agenda
    }

    /// Number of games that have not been handed out.
    pub fn left(&self) -> usize {
        self.left
    }

    /// The next game; `None` when all have been handed out.
    pub fn take(&mut self) -> Option<Planned> {
        let played = |agent: &usize| self.played.get(agent).copied().unwrap_or(0);
        let burden = |pair: &[usize; 2]| {
            let [one, other] = pair.map(|agent| played(&agent));
            (one.max(other), one + other)
        };
        let pair = *self.waiting.keys().min_by_key(|pair| (burden(pair), **pair))?;
        let queue = self.waiting.get_mut(&pair)?;
        let game = queue.pop_front()?;
        if queue.is_empty() {
            self.waiting.remove(&pair);
        }
        self.left -= 1;
        self.count(&game);
        Some(game)
    }

    fn count(&mut self, game: &Planned) {
        for agent in game.agents {
            *self.played.entry(agent).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn spec(agents: usize, games: u32, format: &str) -> Spec {
        let agents: Vec<String> = (0..agents).map(|i| format!("[[agent]]\nname = '{i}'\nbuiltin = ''")).collect();
        let agents = agents.join("\n");
        let text = format!("game = 'loa'\ngames = {games}\nopening = 4\nformat = '{format}'\n{agents}");
        Spec::read(&text, Path::new("")).expect("a tournament")
    }

    fn games(agents: usize, games: u32, format: &str) -> Vec<Planned> {
        plan(&spec(agents, games, format), |seed| seed.to_string()).expect("openings")
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

    #[test]
    fn all_agents_play_about_equally_often() {
        let mut agenda = Agenda::new(games(6, 10, "round-robin"), &BTreeSet::new());
        let mut played = [0_i32; 6];
        while let Some(game) = agenda.take() {
            for agent in game.agents {
                played[agent] += 1;
            }
            let (most, least) = (played.iter().max().expect("six"), played.iter().min().expect("six"));
            assert!(most - least <= 2, "{played:?}");
        }
        assert_eq!((played, agenda.left()), ([50; 6], 0));
    }

    #[test]
    fn games_that_are_done_are_not_played_again() {
        let plan = games(4, 4, "round-robin");
        let done: BTreeSet<u32> = [0, 3, 7, 23].into();
        let mut agenda = Agenda::new(plan.clone(), &done);
        let mut numbers: BTreeSet<u32> = core::iter::from_fn(|| agenda.take()).map(|game| game.number).collect();
        assert!(numbers.is_disjoint(&done));
        numbers.extend(done);
        assert_eq!(numbers.len(), plan.len());
    }

    #[test]
    fn openings_that_run_out_are_an_error() {
        let error = plan(&spec(2, 10, "match"), |seed| (seed % 3).to_string()).expect_err("three openings");
        assert!(error.to_string().contains("only 3 were found"), "{error}");
    }
}
