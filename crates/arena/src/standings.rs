//! Standings of a tournament.

use std::collections::BTreeMap;

use rating::{Estimate, GameScore, Groups, Meeting, Ratings, Sprt, Tally};

use crate::log::GameLog;
use crate::rounds::Played;
use crate::starts::Starts;

/// The standings of a tournament, counted game by game.
///
/// ```
/// use arena::Standings;
/// use rating::GameScore;
///
/// let mut standings = Standings::new(3);
/// standings.count([0, 2], GameScore::Win);
/// standings.count([1, 2], GameScore::Draw);
/// let table = standings.table();
/// assert_eq!(table.iter().map(|row| row.agent).collect::<Vec<_>>(), [0, 1, 2]);
/// assert_eq!(standings.against(0, 2), [1, 0, 0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Standings {
    agents: Vec<Standing>,
    /// Games of each pair of agents, the smaller index first.
    pairings: BTreeMap<[usize; 2], Pairing>,
    results: BTreeMap<u32, Played>,
    starts: Starts,
    played: usize,
    /// Number of games that one agent did not start.
    forfeits: usize,
    /// Number of games that neither agent started.
    void: usize,
}

/// The games of two agents, from the point of view of the one with the smaller index.
#[derive(Clone, Debug, Default)]
struct Pairing {
    /// Number of games won, drawn and lost.
    games: [u32; 3],
    /// Scores of each opening. The key is half the game's number, rounded down.
    openings: BTreeMap<u32, Vec<GameScore>>,
    /// Scores of games without a number.
    single: Vec<GameScore>,
}

/// A row of the standings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Index of the agent in the specification.
    pub agent: usize,
    /// Number of games won, drawn and lost.
    pub games: [u32; 3],
    /// Elo, relative to the mean of all agents that have played. The error is infinite before the first game.
    pub elo: Estimate,
    /// Likelihood that the agent is stronger than the next one in the table; `None` for the last agent, or if no games
    /// connect the two.
    pub superiority: Option<f64>,
    /// Number of faults of each kind.
    pub faults: BTreeMap<String, u32>,
    /// Number of moves, and their total time in seconds.
    pub moves: (u64, f64),
    /// Processor time of all games in seconds, if the system reports it.
    pub cpu: f64,
    /// Time of the longest move in seconds.
    pub slowest: f64,
}

impl Standing {
    /// Returns the points: one for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.games[0]) + f64::from(self.games[1]) / 2.0
    }

    /// Returns the number of games.
    pub fn played(&self) -> u32 {
        self.games.iter().sum()
    }
}

impl Standings {
    /// Creates the standings before the first game.
    pub fn new(agents: usize) -> Self {
        let agents = (0..agents).map(|agent| Standing { agent, ..Standing::default() }).collect();
        Self { agents, ..Self::default() }
    }

    /// Counts a result without times, faults and opening.
    pub fn count(&mut self, agents: [usize; 2], score: GameScore) {
        self.played += 1;
        let (pairing, score) = self.score(agents, score);
        pairing.single.push(score);
    }

    /// Counts the points of a game. Returns its pairing, and the score of the agent with the smaller index.
    fn score(&mut self, agents: [usize; 2], score: GameScore) -> (&mut Pairing, GameScore) {
        let [first, second] = agents;
        self.agents[first].games[slot(score)] += 1;
        self.agents[second].games[slot(score.reversed())] += 1;
        let ([low, high], score) = if first < second { (agents, score) } else { ([second, first], score.reversed()) };
        let pairing = self.pairings.entry([low, high]).or_default();
        pairing.games[slot(score)] += 1;
        (pairing, score)
    }

    /// Counts a game with its times and faults. A game that an agent did not start counts for points, but not for
    /// ratings and tests, because its result does not depend on strength.
    pub fn add(&mut self, game: &GameLog) {
        let agents = game.planned.agents;
        self.results.insert(game.planned.number, (agents, game.result));
        self.starts.record(game);
        self.played += 1;
        if let Some(score) = game.result.score(0) {
            let (pairing, score) = self.score(agents, score);
            if game.is_forfeit() {
                self.forfeits += 1;
            } else {
                pairing.openings.entry(game.planned.number / 2).or_default().push(score);
            }
        } else {
            self.void += 1;
        }
        for (i, m) in game.moves.iter().enumerate() {
            let line = &mut self.agents[agents[game.side_of(i)]];
            line.moves.0 += 1;
            line.moves.1 += m.seconds;
            line.slowest = line.slowest.max(m.seconds);
        }
        for (side, agent) in agents.into_iter().enumerate() {
            self.agents[agent].cpu += game.cpu[side].unwrap_or(0.0);
        }
        for fault in &game.faults {
            *self.agents[agents[fault.side]].faults.entry(fault.kind.clone()).or_default() += 1;
        }
    }

    /// Returns the agents and results of all games, by game number.
    pub fn results(&self) -> &BTreeMap<u32, Played> {
        &self.results
    }

    /// Returns the number of finished games, including forfeited and void ones.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Returns the number of void games, which neither agent started.
    pub fn void(&self) -> usize {
        self.void
    }

    /// Returns the withdrawn agents.
    pub fn all_withdrawn(&self) -> Vec<usize> {
        (0..self.agents.len()).filter(|&agent| self.withdrawn(agent).is_some()).collect()
    }

    /// Returns the two games in which an agent could not start; `None` if it is not withdrawn.
    pub fn withdrawn(&self, agent: usize) -> Option<[u32; 2]> {
        self.starts.withdrawn(agent)
    }

    /// Returns all agents, sorted by points per game, then by Elo. Agents without a game are last.
    pub fn table(&self) -> Vec<Standing> {
        let ratings = self.ratings();
        let mut table = self.agents.clone();
        for line in &mut table {
            line.elo = ratings.of(line.agent);
        }
        let share = |line: &Standing| if line.played() == 0 { 0.0 } else { line.points() / f64::from(line.played()) };
        table.sort_by(|a, b| {
            let unplayed = |line: &Standing| line.played() == 0;
            let by_score = share(b).total_cmp(&share(a)).then(b.elo.value.total_cmp(&a.elo.value));
            unplayed(a).cmp(&unplayed(b)).then(by_score).then(a.agent.cmp(&b.agent))
        });
        let groups = self.groups();
        let group = |line: &Standing| groups.met.iter().position(|group| group.contains(&line.agent));
        for i in 1..table.len() {
            let (one, other) = (&table[i - 1], &table[i]);
            if group(one).is_some() && group(one) == group(other) {
                table[i - 1].superiority = Some(ratings.superiority(one.agent, other.agent));
            }
        }
        table
    }

    /// Returns the Elo of all agents, with errors.
    pub fn ratings(&self) -> Ratings {
        Ratings::new(self.agents.len(), &self.meetings())
    }

    /// Returns the groups of agents that are connected by games.
    pub fn groups(&self) -> Groups {
        Groups::new(self.agents.len(), &self.meetings())
    }

    /// Returns the meetings of all agents. The two games of an opening are one meeting.
    fn meetings(&self) -> Vec<Meeting> {
        let meeting = |players, scores: &[GameScore]| Meeting {
            players,
            games: scores.len() as u32,
            points: scores.iter().map(|score| score.half_points() as f64).sum::<f64>() / 2.0,
        };
        let of_pairing = |(&players, pairing): (&[usize; 2], &Pairing)| -> Vec<Meeting> {
            let single = pairing.single.chunks(1);
            pairing.openings.values().map(Vec::as_slice).chain(single).map(|scores| meeting(players, scores)).collect()
        };
        self.pairings.iter().flat_map(of_pairing).collect()
    }

    /// Returns warnings for readers of the standings, one sentence each. They concern forfeited and void games,
    /// withdrawn agents, groups that never met, and ratings that the results leave unbounded.
    pub fn remarks(&self, name: &dyn Fn(usize) -> String) -> Vec<String> {
        let Groups { met, unbounded } = self.groups();
        let list = |agents: &[usize]| listed(&agents.iter().map(|&agent| quoted(name(agent))).collect::<Vec<_>>());
        let mut remarks = Vec::new();
        if self.forfeits > 0 {
            let games =
                if self.forfeits == 1 { "1 game was".to_owned() } else { format!("{} games were", self.forfeits) };
            remarks.push(format!(
                "{games} forfeited because an agent did not start; forfeits count as points, but not for Elo."
            ));
        }
        if self.void > 0 {
            let games = if self.void == 1 { "1 game is".to_owned() } else { format!("{} games are", self.void) };
            remarks.push(format!("{games} void because neither agent started; neither scores."));
        }
        let withdrawn = self.all_withdrawn();
        if !withdrawn.is_empty() {
            remarks
                .push(format!("Withdrawn, because it could not start in its first two games: {}.", list(&withdrawn)));
        }
        if met.len() > 1 {
            let groups: Vec<String> = met.iter().map(|group| format!("({})", list(group))).collect();
            remarks
                .push(format!("No game connects these groups, so their Elo cannot be compared: {}.", listed(&groups)));
        }
        if !unbounded.is_empty() {
            remarks.push(format!(
                "The Elo of {} is not bounded by the results, because one side took every point between them and the rest; it depends on the imagined \
                 draw (see \"Statistics\" in docs/arena.md).",
                list(&unbounded)
            ));
        }
        remarks
    }

    /// Returns the result of a match of the first two agents, as labels with texts. The Elo is the difference of the
    /// two ratings in the table.
    pub fn match_result(&self, test: Option<&Sprt>, name: &dyn Fn(usize) -> String) -> Vec<(&'static str, String)> {
        let (tally, ratings) = (self.tally(0, 1), self.ratings());
        let (first, second) = (name(0), name(1));
        let pairs = format!("{:?} by points of {first} from an opening: 0, ½, 1, 1½, 2", tally.pairs());
        let elo = ratings.difference(0, 1);
        let elo = if elo.error.is_finite() {
            format!("{elo} (95 %) of {first} over {second}: half of it each in the table")
        } else {
            "unknown: no game counts for it".to_owned()
        };
        let normalised = tally.normalised_elo().map(|elo| ("nElo", format!("{elo} (95 %): normalised Elo")));
        let los = format!("{:.1} % that {first} is the stronger one", 100.0 * ratings.superiority(0, 1));
        let mut lines = vec![("pairs", pairs), ("Elo", elo)];
        lines.extend(normalised);
        lines.push(("LOS", los));
        if let Some(test) = test {
            lines.extend([("SPRT", test.report(&tally, &first)), ("test", test.to_string())]);
        }
        lines
    }

    /// Returns the number of games that `one` has won, drawn and lost against `other`.
    pub fn against(&self, one: usize, other: usize) -> [u32; 3] {
        let Some(pairing) = self.pairings.get(&[one.min(other), one.max(other)]) else { return [0; 3] };
        let [won, drawn, lost] = pairing.games;
        if one < other { [won, drawn, lost] } else { [lost, drawn, won] }
    }

    /// Counts the pairs of games of each opening, from the point of view of `one`. Incomplete pairs do not count.
    pub fn tally(&self, one: usize, other: usize) -> Tally {
        let mut tally = Tally::new();
        let Some(pairing) = self.pairings.get(&[one.min(other), one.max(other)]) else { return tally };
        for scores in pairing.openings.values() {
            if let &[x, y] = scores.as_slice() {
                tally.add(if one < other { [x, y] } else { [x.reversed(), y.reversed()] });
            }
        }
        tally
    }
}

/// Returns the index of a score in [won, drawn, lost].
const fn slot(score: GameScore) -> usize {
    2 - score.half_points()
}

/// Quotes a name in backticks if it contains a comma.
fn quoted(name: String) -> String {
    if name.contains(',') { format!("`{name}`") } else { name }
}

/// Joins names for a sentence. A long list is truncated.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    match names.len().checked_sub(SHOWN) {
        Some(more @ 1..) => format!("{} and {more} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{FaultLog, MoveLog, ResultLog};
    use crate::planned::Planned;

    #[test]
    fn names_with_a_comma_are_quoted_in_lists() {
        let names = ["a", "b, c"].map(|name| quoted(name.to_owned()));
        assert_eq!(listed(&names), "a, `b, c`");
    }

    fn game(number: u32, agents: [usize; 2], result: ResultLog) -> GameLog {
        let m = |seconds| MoveLog { text: "m".to_owned(), seconds, ..MoveLog::default() };
        GameLog {
            planned: Planned { number, agents, round: 0, opening_seed: 0, seed: 0 },
            start: String::new(),
            opening: vec!["o".to_owned()],
            moves: vec![m(1.0), m(2.0), m(4.0)],
            result,
            ending: "win".to_owned(),
            faults: vec![FaultLog { ply: 0, side: 1, kind: "time".to_owned(), detail: String::new() }],
            stderr: Default::default(),
            cpu: [Some(0.5), None],
            began: String::new(),
            seconds: 7.0,
            version: String::new(),
            machine: String::new(),
        }
    }

    #[test]
    fn times_faults_and_pairs_are_counted_for_the_right_agent() {
        let mut standings = Standings::new(2);
        standings.add(&game(0, [0, 1], ResultLog::First));
        standings.add(&game(1, [1, 0], ResultLog::Draw));
        standings.add(&game(2, [0, 1], ResultLog::First));
        let table = standings.table();
        assert_eq!((table[0].agent, table[0].points(), table[0].games), (0, 2.5, [2, 1, 0]));
        // After an opening of one move, the second side makes the first and the third move.
        assert_eq!((table[0].moves, table[1].moves), ((4, 9.0), (5, 12.0)));
        assert_eq!((table[0].faults["time"], table[1].faults["time"]), (1, 2));
        assert_eq!((table[0].cpu, table[1].cpu), (1.0, 0.5));
        assert_eq!(standings.tally(0, 1).pairs(), [0, 0, 0, 1, 0]);
        assert_eq!(standings.tally(1, 0).pairs(), [0, 1, 0, 0, 0]);
    }

    #[test]
    fn the_two_games_of_an_opening_are_one_meeting() {
        let mut standings = Standings::new(3);
        for number in 0..40 {
            let agents = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            standings.add(&game(number, agents, ResultLog::First));
        }
        assert_eq!((standings.against(0, 1), standings.against(1, 0)), ([20, 0, 20], [20, 0, 20]));
        assert_eq!(standings.tally(0, 1).pairs(), [0, 0, 20, 0, 0]);
        let paired = standings.ratings().difference(0, 1);
        let mut single = Standings::new(3);
        for number in 0..40 {
            single.count([0, 1], if number % 2 == 0 { GameScore::Win } else { GameScore::Loss });
        }
        let unpaired = single.ratings().difference(0, 1);
        assert!(paired.value.abs() < 1e-9 && unpaired.value.abs() < 1e-9);
        assert!(paired.error < 0.5 * unpaired.error, "{paired} {unpaired}");
    }

    #[test]
    fn neighbours_are_compared_and_remarks_warn_of_unbounded_ratings() {
        let name = |agent: usize| ["ann", "bob", "eve", "mal", "new"][agent].to_owned();
        let mut standings = Standings::new(5);
        for _ in 0..4 {
            standings.count([0, 1], GameScore::Win);
        }
        let table = standings.table();
        assert!(table[0].superiority.is_some_and(|p| p > 0.9 && p < 1.0), "{table:?}");
        assert_eq!((table[1].superiority, table[4].superiority), (None, None));
        let remarks = standings.remarks(&name);
        assert!(remarks.len() == 1 && remarks[0].contains("The Elo of ann, bob is not bounded"), "{remarks:?}");
        standings.count([0, 1], GameScore::Draw);
        assert_eq!(standings.remarks(&name), Vec::<String>::new());
        standings.count([2, 3], GameScore::Draw);
        let remarks = standings.remarks(&name);
        assert!(remarks.len() == 1 && remarks[0].ends_with("compared: (ann, bob), (eve, mal)."), "{remarks:?}");
    }
}
