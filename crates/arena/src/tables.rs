//! The table of a Swiss tournament and the bracket of a knockout.

use std::collections::BTreeSet;

use rating::knockout::Slot;

use crate::rounds::Rounds;

/// The table of a Swiss tournament, including the finished games of the current round.
#[derive(Clone, Debug, PartialEq)]
pub struct SwissTable {
    /// Number of rounds.
    pub rounds: u32,
    /// Number of rounds that have been paired.
    pub paired: u32,
    /// Rows, the best agent first.
    pub rows: Vec<SwissRow>,
}

/// A row of the table of a Swiss.
#[derive(Clone, Debug, PartialEq)]
pub struct SwissRow {
    /// Index of the agent.
    pub agent: usize,
    /// Points, including those of a bye.
    pub points: f64,
    /// Sum of the opponents' points; see [`rating::swiss::Line`].
    pub buchholz: f64,
    /// Sonneborn-Berger score.
    pub sonneborn_berger: f64,
    /// Results of the rounds that have been paired.
    pub rounds: Vec<SwissCell>,
}

/// The result of an agent in a round of a Swiss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwissCell {
    /// Index of the opponent, and its place in the table, counted from 0; `None` for a bye.
    pub opponent: Option<(usize, usize)>,
    /// Points of the agent in the round so far.
    pub points: f64,
    /// Set if all games of the agent in the round are finished.
    pub is_over: bool,
    /// Set if the agent has the first side in the first game of the round.
    pub first: bool,
}

/// The bracket of a knockout.
#[derive(Clone, Debug, PartialEq)]
pub struct Bracket {
    /// Bouts of each round.
    pub rounds: Vec<Vec<BracketBout>>,
    /// Winner of the final; `None` if the final is undecided or void.
    pub champion: Option<usize>,
}

/// A bout of a bracket.
#[derive(Clone, Debug, PartialEq)]
pub struct BracketBout {
    /// Agents, the higher seed first; `None` for an agent that is not known yet, and for the opponent of a bye.
    pub agents: [Option<usize>; 2],
    /// Set if the agent has no opponent.
    pub is_bye: bool,
    /// Points of both agents so far.
    pub points: [f64; 2],
    /// Number of games, including additional ones.
    pub games: u32,
    /// Number of finished games.
    pub played: u32,
    /// Number of pairs of games that were added because the bout was drawn.
    pub extra_pairs: u32,
    /// Agent that has advanced.
    pub winner: Option<usize>,
    /// Set if neither agent started in any game. The higher seed then advances.
    pub is_void: bool,
}

impl BracketBout {
    /// Returns `true` if the higher seed has advanced because the bout is drawn even after the additional games.
    pub fn is_by_seed(&self) -> bool {
        let [one, other] = self.points;
        self.winner.is_some() && !self.is_bye && !self.is_void && one.total_cmp(&other).is_eq()
    }
}

/// Returns the name of a round of a knockout: `final`, `semi-finals`, `quarter-finals`, `round of 16`.
///
/// ```
/// let names: Vec<String> = (0..5).map(|round| arena::round_name(round, 5)).collect();
/// assert_eq!(names, ["round of 32", "round of 16", "quarter-finals", "semi-finals", "final"]);
/// ```
pub fn round_name(round: usize, rounds: usize) -> String {
    match rounds - round {
        1 => "final".to_owned(),
        2 => "semi-finals".to_owned(),
        3 => "quarter-finals".to_owned(),
        left => format!("round of {}", 1_u64 << left),
    }
}

fn points(halves: u32) -> f64 {
    f64::from(halves) / 2.0
}

impl Rounds {
    /// Returns the table of a Swiss; `None` for other formats.
    pub fn swiss_table(&self) -> Option<SwissTable> {
        let (swiss, rounds) = self.swiss()?;
        let mut table = swiss.table();
        // An agent that never started gets no points for a bye.
        let players = table.iter().map(|line| line.player);
        let unstarted: BTreeSet<usize> = players.filter(|&agent| self.has_only_void_games(agent)).collect();
        table.sort_by_key(|line| unstarted.contains(&line.player));
        let mut places = vec![0; table.len()];
        for (place, line) in table.iter().enumerate() {
            places[line.player] = place;
        }
        let bouts = self.bouts().filter(|bout| self.played_of(bout) == bout.games);
        let over: BTreeSet<(u32, usize)> =
            bouts.flat_map(|bout| bout.agents.map(|agent| (bout.round, agent))).collect();
        let mut rows = Vec::new();
        for line in &table {
            let is_void = unstarted.contains(&line.player);
            let cell = |(round, entry): (usize, &rating::swiss::Entry)| SwissCell {
                opponent: entry.opponent.map(|agent| (agent, places[agent])),
                points: if is_void { 0.0 } else { points(entry.half_points) },
                is_over: entry.opponent.is_none() || over.contains(&(round as u32, line.player)),
                first: entry.first,
            };
            rows.push(SwissRow {
                agent: line.player,
                points: if is_void { 0.0 } else { points(line.half_points) },
                buchholz: points(line.buchholz),
                sonneborn_berger: swiss.sonneborn_berger(line),
                rounds: swiss.history(line.player).iter().enumerate().map(cell).collect(),
            });
        }
        let paired = rows.first().map_or(0, |row| row.rounds.len() as u32);
        Some(SwissTable { rounds, paired, rows })
    }

    /// Returns the bracket of a knockout; `None` for other formats.
    pub fn bracket(&self) -> Option<Bracket> {
        let (cup, bouts) = self.knockout()?;
        let mut rounds = vec![Vec::new(); cup.rounds()];
        for (slot, bout) in cup.bouts().iter().zip(bouts) {
            let agent = |slot| if let Slot::Player(agent) = slot { Some(agent) } else { None };
            let games = bout.map_or(0, |bout| bout.games);
            rounds[slot.round].push(BracketBout {
                agents: slot.slots.map(agent),
                is_bye: slot.is_bye(),
                points: bout.map_or([0; 2], |bout| self.half_points(bout)).map(points),
                games,
                played: bout.map_or(0, |bout| self.played_of(bout)),
                extra_pairs: games.saturating_sub(self.games_of_a_bout()) / 2,
                winner: slot.winner,
                is_void: bout.is_some_and(|bout| self.is_void(bout)),
            });
        }
        let last = rounds.last().and_then(|bouts| bouts.last());
        let champion = cup.champion().filter(|_| !last.is_some_and(|bout| bout.is_void));
        Some(Bracket { rounds, champion })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::log::ResultLog;
    use crate::rounds::Rounds;
    use crate::spec::Spec;

    fn tournament(format: &str) -> Rounds {
        let agent = |name| format!("[[agent]]\nname = '{name}'\nbuiltin = 'level=1'\n");
        let agents: String = ["a", "b", "c", "d"].map(agent).concat();
        let spec = Spec::read(&format!("game = 'loa'\nformat = '{format}'\n{agents}"), Path::new("."));
        Rounds::new(&spec.expect("a tournament")).expect("rounds")
    }

    /// Records a win of the first side.
    fn play(rounds: &mut Rounds, number: u32) {
        let agents = rounds.bout_of(number).expect("a bout").seated(number);
        rounds.record(number, agents, ResultLog::First);
    }

    #[test]
    fn a_bout_is_over_after_its_last_game() {
        let mut rounds = tournament("swiss");
        let over = |rounds: &Rounds| {
            let table = rounds.swiss_table().expect("a Swiss");
            table.rows.iter().filter(|row| row.rounds[0].is_over).count()
        };
        assert_eq!(over(&rounds), 0);
        play(&mut rounds, 0);
        assert_eq!(over(&rounds), 0);
        play(&mut rounds, 1);
        assert_eq!(over(&rounds), 2);

        let mut cup = tournament("knockout");
        let first = |cup: &Rounds| cup.bracket().expect("a knockout").rounds[0][0].clone();
        assert_eq!((first(&cup).played, first(&cup).games), (0, 2));
        play(&mut cup, 0);
        assert_eq!((first(&cup).played, first(&cup).games), (1, 2));
    }
}
