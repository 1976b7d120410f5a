//! Which agents meet, as far as the results tell: all pairs at once, or round by round.

use std::collections::BTreeMap;

use rating::knockout::Knockout;
use rating::swiss::{Round, Swiss};

use crate::{Format, ResultLog, Spec, SpecError};

/// What two agents play against each other: all their games, or those of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    /// The round, from 0; 0 where there are no rounds.
    pub round: u32,
    /// The agents. The first has the first side in games of even number.
    pub agents: [usize; 2],
    /// The number of its first game.
    pub first_game: u32,
    /// Number of its games, which have successive numbers. In a knockout it grows while the bout is drawn.
    pub games: u32,
}

/// The agents of a game, that with the first side first, and its result.
pub type Played = ([usize; 2], ResultLog);

impl Bout {
    /// The numbers of its games.
    pub fn numbers(&self) -> core::ops::Range<u32> {
        self.first_game..self.first_game + self.games
    }

    /// The agents of one of its games; the one with the first side comes first.
    pub fn seated(&self, number: u32) -> [usize; 2] {
        let [one, other] = self.agents;
        if (number - self.first_game).is_multiple_of(2) { [one, other] } else { [other, one] }
    }
}

/// The bouts of a tournament that are known. They follow from its specification and from the results so far, in
/// whatever order those are recorded.
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
    /// Games of a bout, without the additional ones of a knockout.
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
        /// The round that is being played; none after the last.
        current: Option<Round>,
        /// The number of that round, and of all rounds.
        round: u32,
        rounds: u32,
    },
    Knockout {
        cup: Knockout,
        /// The first game of each bout of the bracket; none for a bye.
        first_games: Vec<Option<u32>>,
    },
}

impl Rounds {
    /// Pairs of games that are added to a drawn bout of a knockout, one at a time. If it is drawn even then, the agent
    /// that was seeded higher goes on, so that no tournament goes on for ever.
    pub const EXTRA_PAIRS: u32 = 3;

    /// The bouts before the first game.
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

    /// The bouts that the results of games lead to.
    ///
    /// # Errors
    /// If the specification is invalid.
    pub fn after(spec: &Spec, results: impl IntoIterator<Item = (u32, Played)>) -> Result<Self, SpecError> {
        let mut rounds = Self::new(spec)?;
        rounds.record_all(results);
        Ok(rounds)
    }

    /// Enters the result of a game: its number, the agents with the first side and with the second one, and the result.
    /// A result between other agents than those of the bout does not count. Returns whether further games have become
    /// known.
    pub fn record(&mut self, number: u32, agents: [usize; 2], result: ResultLog) -> bool {
        self.record_all([(number, (agents, result))])
    }

    /// Enters many results.
    pub fn record_all(&mut self, results: impl IntoIterator<Item = (u32, Played)>) -> bool {
        self.results.extend(results);
        let mut changed = false;
        while self.advance_swiss() || self.advance_knockout() {
            changed = true;
        }
        changed
    }

    /// The number of a game that was recorded although it does not follow from the specification and the other results.
    pub fn stray(&self) -> Option<u32> {
        self.results.iter().find(|&(&number, &(agents, _))| !self.belongs(number, agents)).map(|(&number, _)| number)
    }

    /// The agents of each game that has been played.
    pub fn played(&self) -> impl Iterator<Item = [usize; 2]> {
        let own = self.results.iter().filter(|&(&number, &(agents, _))| self.belongs(number, agents));
        own.map(|(_, (agents, _))| *agents)
    }

    fn belongs(&self, number: u32, agents: [usize; 2]) -> bool {
        self.bout_of(number).is_some_and(|bout| bout.seated(number) == agents)
    }

    /// The known bouts in the order of their games.
    pub fn bouts(&self) -> impl Iterator<Item = &Bout> {
        self.bouts.values()
    }

    /// The bout to which a game belongs; `None` if there is none yet.
    pub fn bout_of(&self, number: u32) -> Option<&Bout> {
        self.bouts.range(..=number).next_back().map(|(_, bout)| bout).filter(|bout| bout.numbers().contains(&number))
    }

    /// Number of the tournament's games, played or not. In a knockout it grows with each bout that is drawn.
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

    /// Games of a bout, without the additional ones of a knockout.
    pub fn games_of_a_bout(&self) -> u32 {
        self.games
    }

    /// Number of rounds; 1 where there are no rounds.
    pub fn number_of_rounds(&self) -> u32 {
        match &self.kind {
            Kind::Fixed => 1,
            Kind::Swiss { rounds, .. } => *rounds,
            Kind::Knockout { cup, .. } => cup.rounds() as u32,
        }
    }

    /// Whether a game has been played.
    pub fn is_played(&self, number: u32) -> bool {
        self.bout_of(number).is_some_and(|bout| self.result_in(bout, number).is_some())
    }

    /// Whether all games have been played.
    pub fn is_over(&self) -> bool {
        let played = self.bouts.values().all(|bout| self.is_complete(bout));
        played
            && match &self.kind {
                Kind::Fixed => true,
                Kind::Swiss { current, .. } => current.is_none(),
                Kind::Knockout { cup, .. } => cup.champion().is_some(),
            }
    }

    /// The points of both agents of a bout so far, in halves.
    pub fn half_points(&self, bout: &Bout) -> [u32; 2] {
        let mut points = [0; 2];
        for (agents, result) in bout.numbers().filter_map(|number| self.result_in(bout, number)) {
            let side = usize::from(agents[0] != bout.agents[0]);
            points[0] += result.half_points(side);
            points[1] += result.half_points(1 - side);
        }
        points
    }

    /// Returns `true` if every game of a bout is over and void, so that further games would not decide it.
    pub fn is_void(&self, bout: &Bout) -> bool {
        bout.numbers().all(|number| self.result_in(bout, number).is_some_and(|(_, result)| result == ResultLog::Void))
    }

    /// Returns `true` if an agent has games, and all of them are void.
    pub fn has_only_void_games(&self, agent: usize) -> bool {
        let mut own = self.results.values().filter(|(agents, _)| agents.contains(&agent)).peekable();
        own.peek().is_some() && own.all(|(_, result)| *result == ResultLog::Void)
    }

    /// The Swiss tournament with the points of the round that is being played, and its number of rounds.
    pub fn swiss(&self) -> Option<(Swiss, u32)> {
        let Kind::Swiss { swiss, current, round, rounds } = &self.kind else { return None };
        let mut swiss = swiss.clone();
        if let Some(current) = current {
            swiss.play(current, &self.points_of_round(*round));
        }
        Some((swiss, *rounds))
    }

    /// The bracket of a knockout, and for each of its bouts the games, if both agents are known.
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

    /// Number of the games of a bout that are over.
    pub fn played_of(&self, bout: &Bout) -> u32 {
        bout.numbers().filter(|&number| self.result_in(bout, number).is_some()).count() as u32
    }

    fn is_complete(&self, bout: &Bout) -> bool {
        self.played_of(bout) == bout.games
    }

    /// The points of each bout of a round, in the order of the bouts.
    fn points_of_round(&self, round: u32) -> Vec<[u32; 2]> {
        self.bouts.values().filter(|bout| bout.round == round).map(|bout| self.half_points(bout)).collect()
    }

    /// Pairs the next round if all games of the current one have been played.
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

    /// Adds bouts whose agents have become known, adds games to drawn bouts, and decides the others.
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

/// The pairs of agents of a format without rounds.
fn pairs(spec: &Spec) -> impl Iterator<Item = [usize; 2]> {
    let agents = spec.agents.len();
    let last_first = match spec.format {
        Format::RoundRobin => agents,
        Format::Gauntlet | Format::Match => 1,
        Format::Swiss | Format::Knockout => 0,
    };
    (0..last_first).flat_map(move |one| (one + 1..agents).map(move |other| [one, other]))
}
