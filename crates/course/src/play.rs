//! Plays the games of the ladder and practice games, from the bundles of the programs.

use std::sync::atomic::{AtomicBool, Ordering};

use arena::{
    AgentFiles, AgentSpec, Away, BundleCache, Cores, Fetch, GameLog, Openings, Planned, Showcase, Spec, Terms, Venue,
    play_until,
};
use engine::Level;
use game::SplitMix64;

use crate::clock::Clock;
use crate::ladder::Counts;

/// A program that takes part in games.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Description. The folder is the one in which the program was checked; the words of the command that name files in
    /// it are changed to the folder in which the bundle is unpacked.
    pub agent: AgentSpec,
    /// Hash of the bundle with the program's files; `None` for our engines.
    pub bundle: Option<String>,
}

impl Program {
    /// Returns a level of our engines.
    pub fn level(level: Level) -> Self {
        let agent = AgentSpec {
            name: format!("Level {}", level.name()),
            builtin: Some(format!("level={}", level.name())),
            ..AgentSpec::default()
        };
        Self { agent, bundle: None }
    }

    /// Returns the files that the program needs on another machine.
    pub(crate) fn files(&self) -> AgentFiles {
        AgentFiles { bundle: self.bundle.clone(), ..AgentFiles::default() }
    }
}

/// The environment in which a course plays its games.
pub struct Stage<'a> {
    /// Game, rules and time limits. The agents are ignored.
    pub spec: &'a Spec,
    /// Data of our engines, and sandbox of the programs.
    pub venue: &'a Venue,
    /// Unpacked bundles.
    pub cache: &'a BundleCache,
    /// Fetches a bundle that is not in the cache.
    pub fetch: Fetch<'a>,
    /// Clock of the course.
    pub clock: &'a dyn Clock,
    /// Live view of the games in play.
    pub showcase: &'a Showcase,
    /// Flag that cancels the games.
    pub stop: &'a AtomicBool,
}

/// Number that stands for the ladder in [`LiveGame::tournament`](arena::LiveGame::tournament). Tournaments in the store
/// have positive numbers.
pub const LADDER: i64 = 0;
/// Number that stands for practice games in [`LiveGame::tournament`](arena::LiveGame::tournament).
pub const PRACTICE: i64 = -1;

impl Stage<'_> {
    /// Plays a series: two games from one opening. The first program has the first side in the first game, and the
    /// second side in the second game. The opening and the seeds depend only on the seed of the specification and the
    /// number of the series. The games have the numbers 2 · `number` and 2 · `number` + 1.
    ///
    /// Returns `None` if the games were cancelled. A cancelled game ends after the move in progress.
    ///
    /// # Errors
    /// If a game cannot be played on this machine; the text gives the reason. This is not a fault of a program: a
    /// program that does not start loses the game instead.
    pub fn play_series(
        &self,
        number: u32,
        programs: [&Program; 2],
        cores: Option<&Cores>,
    ) -> Result<Option<[GameLog; 2]>, String> {
        let terms = self.terms(LADDER, programs);
        let [first, second] = series(self.spec, number);
        let Some(first) = self.play(&terms, first, cores)? else { return Ok(None) };
        Ok(self.play(&terms, second, cores)?.map(|second| [first, second]))
    }

    /// Plays a practice game. The first program has the first side. Openings and seeds are independent of the ladder.
    ///
    /// Returns `None` if the game was cancelled.
    ///
    /// # Errors
    /// If the game cannot be played on this machine; the text gives the reason.
    pub fn play_practice(
        &self,
        number: u32,
        programs: [&Program; 2],
        cores: Option<&Cores>,
    ) -> Result<Option<GameLog>, String> {
        self.play(&self.terms(PRACTICE, programs), practice(self.spec, number), cores)
    }

    fn terms(&self, kind: i64, programs: [&Program; 2]) -> Terms {
        let agents = programs.map(|program| program.agent.clone()).to_vec();
        let files = programs.map(Program::files).to_vec();
        let spec = Spec { agents, ..self.spec.clone() };
        Terms::of_bundles(kind, spec, files, self.venue.resources.has_endgames())
    }

    fn play(&self, terms: &Terms, planned: Planned, cores: Option<&Cores>) -> Result<Option<GameLog>, String> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let at = format!("{:.3}", self.clock.now());
        let (venue, cache, showcase) = (self.venue, self.cache, self.showcase);
        // No other machine could try the start again.
        let away = Away { terms, venue, cache, cores, at, blames_start: true, showcase };
        play_until(away, planned, self.fetch, self.stop)
    }
}

/// Plans the games of a series.
pub(crate) fn series(spec: &Spec, number: u32) -> [Planned; 2] {
    let (opening_seed, mut seeds) = seeds(spec, spec.seed, number);
    [[0, 1], [1, 0]].map(|agents| {
        let game = number.wrapping_mul(2).wrapping_add(agents[0] as u32);
        Planned { number: game, agents, round: number, opening_seed, seed: seeds.next_u64() }
    })
}

/// Plans a practice game.
pub(crate) fn practice(spec: &Spec, number: u32) -> Planned {
    let (opening_seed, mut seeds) = seeds(spec, !spec.seed, number);
    Planned { number, agents: [0, 1], round: number, opening_seed, seed: seeds.next_u64() }
}

/// Returns the seed of an opening, or its index in the list of openings, and the generator of the players' seeds.
fn seeds(spec: &Spec, seed: u64, number: u32) -> (u64, SplitMix64) {
    /// Numbers that a series takes from the generator: one for the opening, one for each of its games.
    const NUMBERS: u64 = 3;
    let mut rng = SplitMix64::new(seed).skipping(u64::from(number) * NUMBERS);
    let opening = rng.next_u64();
    match &spec.openings {
        Some(Openings::List(lines)) => (u64::from(number) % lines.len().max(1) as u64, rng),
        _ => (opening, rng),
    }
}

/// Counts the games of a series, from the point of view of agent 0.
pub fn counts(games: &[GameLog]) -> Counts {
    let scores = games.iter().filter_map(|game| {
        let side = usize::from(game.planned.agents[0] != 0);
        Some((game.result.score(side)?, !game.is_forfeit()))
    });
    Counts::of_series(&scores.collect::<Vec<_>>())
}

#[cfg(all(test, unix))]
mod tests;
