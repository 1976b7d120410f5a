//! Pairings of agents: all from the start, or round by round from the results.

use std::collections::BTreeMap;

use rating::knockout::Knockout;
use rating::swiss::{Round, Swiss};

use crate::format::Format;
use crate::log::ResultLog;
use crate::spec::Spec;
use crate::spec_error::SpecError;

/// The games between two agents: all of them, or those of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    /// Number of the round, from 0; 0 in formats without rounds.
    pub round: u32,
    /// The agents. The first agent has the first side in the first game, the second agent in the next game, and so on.
    pub agents: [usize; 2],
    /// Number of the first game.
    pub first_game: u32,
    /// Number of games. Their numbers are consecutive. In a knockout, games are added while the bout is drawn.
    pub games: u32,
}

/// Agent indices, in the order [first side, second side], and the result of their game.
pub type Played = ([usize; 2], ResultLog);

impl Bout {
    /// Returns the numbers of the games.
    pub fn numbers(&self) -> core::ops::Range<u32> {
        self.first_game..self.first_game + self.games
    }

    /// Returns the agents of a game, in the order [first side, second side].
    pub fn seated(&self, number: u32) -> [usize; 2] {
        let [one, other] = self.agents;
        if (number - self.first_game).is_multiple_of(2) { [one, other] } else { [other, one] }
    }
}

/// The bouts that are known so far. They follow from the specification and the results; the order in which results are
/// recorded does not matter.
///
/// ```
/// use arena::{ResultLog, Rounds, Spec};
///
/// let agents: Vec<String> = (1..=4).map(|n| format!("{{ name = '{n}', builtin = 'level={n}' }}")).collect();
/// let file = format!("game = 'loa'\nformat = 'knockout'\nagent = [{}]", agents.join(", "));
/// let mut rounds = Rounds::new(&Spec::read(&file, ".".as_ref())?)?;
/// assert_eq!((rounds.bouts().count(), rounds.planned()), (2, 6));
/// for bout in rounds.bouts().copied().collect::<Vec<_>>() {
///     rounds.record(bout.first_game, bout.agents, ResultLog::First);
///     rounds.record(bout.first_game + 1, [bout.agents[1], bout.agents[0]], ResultLog::Second);
/// }
/// assert_eq!(rounds.bouts().last().map(|last| last.agents), Some([0, 1])); // the final
/// # Ok::<(), arena::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Number of games of a bout, without the additional games of a knockout.
    games: u32,
    bouts: BTreeMap<u32, Bout>,
    results: BTreeMap<u32, Played>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// All bouts are known from the start.
    Fixed,
    Swiss {
        swiss: Swiss,
        /// The current round; `None` after the last one.
        current: Option<Round>,
        /// Number of the current round, from 0.
        round: u32,
        /// Number of rounds.
        rounds: u32,
    },
    Knockout {
        cup: Knockout,
        /// Number of the first game of each bout of the bracket; `None` for a bye.
        first_games: Vec<Option<u32>>,
    },
}

impl Rounds {
    /// Maximum number of pairs of games that are added, one at a time, to a drawn bout of a knockout. If the bout is
    /// still drawn, the higher seed advances, so that every tournament ends.
    pub const EXTRA_PAIRS: u32 = 3;

    /// Creates the pairings before the first game.
    ///
    /// # Errors
    /// If the specification is invalid.
    pub fn new(spec: &Spec) -> Result<Self, SpecError> {
        spec.check()?;
        let agents = spec.agents.len();
        let kind = match spec.format {
            Format::RoundRobin | Format::Gauntlet | Format::Match => Kind::Fixed,
            Format::Swiss => {
                let rounds = spec.swiss_rounds() as u32;
                Kind::Swiss { swiss: Swiss::new(agents, spec.games), current: None, round: 0, rounds }
            }
            Format::Knockout => {
                let cup = Knockout::new(agents);
                let mut numbers = (0..).step_by((spec.games + 2 * Self::EXTRA_PAIRS) as usize);
                let first_games = cup.bouts().iter().map(|bout| if bout.is_bye() { None } else { numbers.next() });
                Kind::Knockout { first_games: first_games.collect(), cup }
            }
        };
        let mut rounds = Self { games: spec.games, bouts: BTreeMap::new(), results: BTreeMap::new(), kind };
        for (agents, number) in pairs(spec).zip((0..).step_by(spec.games as usize)) {
            rounds.add(Bout { round: 0, agents, first_game: number, games: spec.games });
        }
        rounds.pair_swiss();
        rounds.advance_knockout();
        Ok(rounds)
    }

    /// Creates the pairings after these results.
    ///
    /// # Errors
    /// If the specification is invalid.
    pub fn after(spec: &Spec, results: impl IntoIterator<Item = (u32, Played)>) -> Result<Self, SpecError> {
        let mut rounds = Self::new(spec)?;
        rounds.record_all(results);
        Ok(rounds)
    }

    /// Records the result of a game between `agents`, in the order [first side, second side]. A result of agents that
    /// do not match the bout is ignored. Returns `true` if further games have become known.
    pub fn record(&mut self, number: u32, agents: [usize; 2], result: ResultLog) -> bool {
        self.record_all([(number, (agents, result))])
    }

    /// Records several results; see [`record`](Self::record).
    pub fn record_all(&mut self, results: impl IntoIterator<Item = (u32, Played)>) -> bool {
        self.results.extend(results);
        let mut changed = false;
        while self.advance_swiss() || self.advance_knockout() {
            changed = true;
        }
        changed
    }

    /// Returns the number of a recorded game that does not follow from the specification and the other results.
    pub fn stray(&self) -> Option<u32> {
        self.results.iter().find(|&(&number, &(agents, _))| !self.belongs(number, agents)).map(|(&number, _)| number)
    }

    /// Returns the agents of each finished game.
    pub fn played(&self) -> impl Iterator<Item = [usize; 2]> {
        let own = self.results.iter().filter(|&(&number, &(agents, _))| self.belongs(number, agents));
        own.map(|(_, (agents, _))| *agents)
    }

    fn belongs(&self, number: u32, agents: [usize; 2]) -> bool {
        self.bout_of(number).is_some_and(|bout| bout.seated(number) == agents)
    }

    /// Returns the known bouts in the order of their games.
    pub fn bouts(&self) -> impl Iterator<Item = &Bout> {
        self.bouts.values()
    }

    /// Returns the bout of a game; `None` if it is not known yet.
    pub fn bout_of(&self, number: u32) -> Option<&Bout> {
        self.bouts.range(..=number).next_back().map(|(_, bout)| bout).filter(|bout| bout.numbers().contains(&number))
    }

    /// Returns the number of games of the tournament, finished or not. In a knockout it grows with each drawn bout.
    pub fn planned(&self) -> u32 {
        match &self.kind {
            Kind::Fixed => self.bouts.len() as u32 * self.games,
            Kind::Swiss { swiss, rounds, .. } => (swiss.players() / 2) as u32 * rounds * self.games,
            Kind::Knockout { first_games, .. } => {
                let extra: u32 = self.bouts.values().map(|bout| bout.games - self.games).sum();
                first_games.iter().flatten().count() as u32 * self.games + extra
            }
        }
    }

    /// Returns the number of games of a bout, without the additional games of a knockout.
    pub fn games_of_a_bout(&self) -> u32 {
        self.games
    }

    /// Returns the number of rounds; 1 in formats without rounds.
    pub fn number_of_rounds(&self) -> u32 {
        match &self.kind {
            Kind::Fixed => 1,
            Kind::Swiss { rounds, .. } => *rounds,
            Kind::Knockout { cup, .. } => cup.rounds() as u32,
        }
    }

    /// Returns `true` if a game is finished.
    pub fn is_played(&self, number: u32) -> bool {
        self.bout_of(number).is_some_and(|bout| self.result_in(bout, number).is_some())
    }

    /// Returns `true` if all games are finished.
    pub fn is_over(&self) -> bool {
        let played = self.bouts.values().all(|bout| self.is_complete(bout));
        played
            && match &self.kind {
                Kind::Fixed => true,
                Kind::Swiss { current, .. } => current.is_none(),
                Kind::Knockout { cup, .. } => cup.champion().is_some(),
            }
    }

    /// Returns the points of both agents of a bout so far, in half points.
    pub fn half_points(&self, bout: &Bout) -> [u32; 2] {
        let mut points = [0; 2];
        for (agents, result) in bout.numbers().filter_map(|number| self.result_in(bout, number)) {
            let side = usize::from(agents[0] != bout.agents[0]);
            points[0] += result.half_points(side);
            points[1] += result.half_points(1 - side);
        }
        points
    }

    /// Returns `true` if every game of a bout is void, so that additional games would not decide it.
    pub fn is_void(&self, bout: &Bout) -> bool {
        bout.numbers().all(|number| self.result_in(bout, number).is_some_and(|(_, result)| result == ResultLog::Void))
    }

    /// Returns `true` if an agent has games, and all of them are void.
    pub fn has_only_void_games(&self, agent: usize) -> bool {
        let mut own = self.results.values().filter(|(agents, _)| agents.contains(&agent)).peekable();
        own.peek().is_some() && own.all(|(_, result)| *result == ResultLog::Void)
    }

    /// Returns the state of the Swiss with the points of the current round, and the number of rounds.
    pub fn swiss(&self) -> Option<(Swiss, u32)> {
        let Kind::Swiss { swiss, current, round, rounds } = &self.kind else { return None };
        let mut swiss = swiss.clone();
        if let Some(current) = current {
            swiss.play(current, &self.points_of_round(*round));
        }
        Some((swiss, *rounds))
    }

    /// Returns the bracket of a knockout, with the games of each bout in the bracket. The games of a bout are `None`
    /// for a bye or while one of the agents is unknown. Returns `None` for other formats.
    pub fn knockout(&self) -> Option<(&Knockout, Vec<Option<&Bout>>)> {
        let Kind::Knockout { cup, first_games } = &self.kind else { return None };
        let bouts = first_games.iter().map(|first| first.and_then(|first| self.bouts.get(&first)));
        Some((cup, bouts.collect()))
    }

    fn add(&mut self, bout: Bout) {
        self.bouts.insert(bout.first_game, bout);
    }

    fn result_in(&self, bout: &Bout, number: u32) -> Option<Played> {
        self.results.get(&number).copied().filter(|(agents, _)| *agents == bout.seated(number))
    }

    /// Returns the number of finished games of a bout.
    pub fn played_of(&self, bout: &Bout) -> u32 {
        bout.numbers().filter(|&number| self.result_in(bout, number).is_some()).count() as u32
    }

    fn is_complete(&self, bout: &Bout) -> bool {
        self.played_of(bout) == bout.games
    }

    /// Returns the points of each bout of a round.
    fn points_of_round(&self, round: u32) -> Vec<[u32; 2]> {
        self.bouts.values().filter(|bout| bout.round == round).map(|bout| self.half_points(bout)).collect()
    }

    /// Pairs the next round if all games of the current one are finished.
    fn advance_swiss(&mut self) -> bool {
        let Kind::Swiss { current: Some(_), round, .. } = self.kind else { return false };
        if !self.bouts.values().filter(|bout| bout.round == round).all(|bout| self.is_complete(bout)) {
            return false;
        }
        let points = self.points_of_round(round);
        if let Kind::Swiss { swiss, current, round, .. } = &mut self.kind {
            if let Some(played) = current.take() {
                swiss.play(&played, &points);
            }
            *round += 1;
        }
        self.pair_swiss();
        true
    }

    fn pair_swiss(&mut self) {
        let Kind::Swiss { swiss, current, round, rounds } = &mut self.kind else { return };
        if round >= rounds {
            return;
        }
        *current = swiss.pair();
        let tables = (swiss.players() / 2) as u32;
        let (first, round, games) = (*round * tables * self.games, *round, self.games);
        let paired = current.iter().flat_map(|paired| &paired.bouts);
        for (bout, first_game) in paired.zip((first..).step_by(games as usize)) {
            self.bouts.insert(first_game, Bout { round, agents: bout.players, first_game, games });
        }
    }

    /// Adds the bouts whose agents have become known, adds games to drawn bouts, and decides finished bouts.
    fn advance_knockout(&mut self) -> bool {
        let Kind::Knockout { cup, first_games } = &self.kind else { return false };
        let mut decided = Vec::new();
        let mut changed = Vec::new();
        for (index, (slot, first_game)) in cup.bouts().iter().zip(first_games).enumerate() {
            let (Some(agents), Some(first_game), None) = (slot.players(), *first_game, slot.winner) else { continue };
            let Some(&bout) = self.bouts.get(&first_game) else {
                changed.push(Bout { round: slot.round as u32, agents, first_game, games: self.games });
                continue;
            };
            if !self.is_complete(&bout) {
                continue;
            }
            let [one, other] = self.half_points(&bout);
            if one == other && bout.games < self.games + 2 * Self::EXTRA_PAIRS && !self.is_void(&bout) {
                changed.push(Bout { games: bout.games + 2, ..bout });
            } else {
                decided.push((index, agents[usize::from(other > one)]));
            }
        }
        let moved = !decided.is_empty() || !changed.is_empty();
        for bout in changed {
            self.add(bout);
        }
        if let Kind::Knockout { cup, .. } = &mut self.kind {
            for (index, winner) in decided {
                cup.decide(index, winner);
            }
        }
        moved
    }
}

/// Returns the pairs of agents that meet in a format without rounds.
fn pairs(spec: &Spec) -> impl Iterator<Item = [usize; 2]> {
    let agents = spec.agents.len();
    let last_first = match spec.format {
        Format::RoundRobin => agents,
        Format::Gauntlet | Format::Match => 1,
        Format::Swiss | Format::Knockout => 0,
    };
    (0..last_first).flat_map(move |one| (one + 1..agents).map(move |other| [one, other]))
}
