//! The standings of a tournament.

use std::collections::BTreeMap;

use rating::{Estimate, GameScore, Meeting, Tally, ratings};

use crate::{GameLog, Played};

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
    meetings: Vec<Meeting>,
    /// Won, drawn, lost of the first against the second.
    cross: BTreeMap<[usize; 2], [u32; 3]>,
    /// The games of a pair of agents from one opening, by half the number of the game.
    halves: BTreeMap<u32, Vec<([usize; 2], GameScore)>>,
    results: BTreeMap<u32, Played>,
}

/// An agent's line of the standings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The agent's number in the specification.
    pub agent: usize,
    /// Games won, drawn, lost.
    pub games: [u32; 3],
    /// Its Elo among all agents.
    pub elo: Estimate,
    /// Its faults by kind.
    pub faults: BTreeMap<String, u32>,
    /// Number of its moves, and their total time in seconds.
    pub moves: (u64, f64),
    /// Processor time of all games in seconds, where the system reports it.
    pub cpu: f64,
    /// Time of its longest move in seconds.
    pub slowest: f64,
}

impl Standing {
    /// Points: one for a win, a half for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.games[0]) + f64::from(self.games[1]) / 2.0
    }

    /// Games played.
    pub fn played(&self) -> u32 {
        self.games.iter().sum()
    }
}

impl Standings {
    /// The standings before the first game.
    pub fn new(agents: usize) -> Self {
        let agents = (0..agents).map(|agent| Standing { agent, ..Standing::default() }).collect();
        Self { agents, ..Self::default() }
    }

    /// Counts a result without times and faults.
    pub fn count(&mut self, agents: [usize; 2], score: GameScore) {
        let [first, second] = agents;
        let slot = |score: GameScore| 2 - score.half_points();
        self.agents[first].games[slot(score)] += 1;
        self.agents[second].games[slot(score.reversed())] += 1;
        self.cross.entry([first, second]).or_default()[slot(score)] += 1;
        self.cross.entry([second, first]).or_default()[slot(score.reversed())] += 1;
        self.meetings.push(Meeting { players: agents, points: score.half_points() as f64 / 2.0 });
    }

    /// Counts a game with its times and faults.
    pub fn add(&mut self, game: &GameLog) {
        let agents = game.planned.agents;
        let score = game.result.score(0);
        self.results.insert(game.planned.number, (agents, game.result));
        self.count(agents, score);
        self.halves.entry(game.planned.number / 2).or_default().push((agents, score));
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

    /// The agents and results of all games, by their numbers.
    pub fn results(&self) -> &BTreeMap<u32, Played> {
        &self.results
    }

    /// Games played.
    pub fn played(&self) -> usize {
        self.meetings.len()
    }

    /// All agents, by points a game, then by Elo.
    pub fn table(&self) -> Vec<Standing> {
        let mut table = self.agents.clone();
        for (line, elo) in table.iter_mut().zip(ratings(self.agents.len(), &self.meetings)) {
            line.elo = elo;
        }
        let share = |line: &Standing| if line.played() == 0 { 0.0 } else { line.points() / f64::from(line.played()) };
        table.sort_by(|a, b| {
            share(b).total_cmp(&share(a)).then(b.elo.value.total_cmp(&a.elo.value)).then(a.agent.cmp(&b.agent))
        });
        table
    }

    /// Games won, drawn and lost by one agent against another.
    pub fn against(&self, one: usize, other: usize) -> [u32; 3] {
        self.cross.get(&[one, other]).copied().unwrap_or_default()
    }

    /// The games of two agents in pairs from the same opening, from the view of `one`. Incomplete pairs do not count.
    pub fn tally(&self, one: usize, other: usize) -> Tally {
        let mut tally = Tally::new();
        for games in self.halves.values() {
            let [(a, x), (b, y)] = games.as_slice() else { continue };
            let mut pair = *a;
            pair.sort_unstable();
            let mut wanted = [one, other];
            wanted.sort_unstable();
            if pair == wanted {
                let seen =
                    |agents: &[usize; 2], score: GameScore| if agents[0] == one { score } else { score.reversed() };
                tally.add([seen(a, *x), seen(b, *y)]);
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FaultLog, MoveLog, Planned, ResultLog};

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
    fn times_faults_and_pairs_belong_to_their_agents() {
        let mut standings = Standings::new(2);
        standings.add(&game(0, [0, 1], ResultLog::First));
        standings.add(&game(1, [1, 0], ResultLog::Draw));
        standings.add(&game(2, [0, 1], ResultLog::First));
        let table = standings.table();
        assert_eq!((table[0].agent, table[0].points(), table[0].games), (0, 2.5, [2, 1, 0]));
        // An opening of one move: the second side makes the first and the third move.
        assert_eq!((table[0].moves, table[1].moves), ((4, 9.0), (5, 12.0)));
        assert_eq!((table[0].faults["time"], table[1].faults["time"]), (1, 2));
        assert_eq!((table[0].cpu, table[1].cpu), (1.0, 0.5));
        assert_eq!(standings.tally(0, 1).pairs(), [0, 0, 0, 1, 0]);
        assert_eq!(standings.tally(1, 0).pairs(), [0, 1, 0, 0, 0]);
    }
}
