//! The data scripts that all pages of a report share: the tournament, and the list of its games.

use std::collections::HashMap;
use std::hash::Hash;

use game::text::printable;
use serde::{Serialize, Serializer};

use super::html::split_links;
use super::site::{GameRow, Site};
use crate::log::ResultLog;

/// Distinct values, which data refers to by index.
pub(super) struct Table<T>(HashMap<T, usize>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Eq + Hash> Table<T> {
    /// Returns the index of a value. A new value is added.
    pub(super) fn index(&mut self, value: T) -> usize {
        let next = self.0.len();
        *self.0.entry(value).or_insert(next)
    }

    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Serialises the values in the order of their indices.
impl<T: Serialize> Serialize for Table<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut values: Vec<_> = self.0.iter().collect();
        values.sort_unstable_by_key(|(_, index)| **index);
        serializer.collect_seq(values.into_iter().map(|(value, _)| value))
    }
}

/// Converts data to a JavaScript literal. Texts must have been made [`printable`] before, because JavaScript decodes
/// the escapes of JSON.
pub(super) fn literal(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default()
}

#[derive(Serialize)]
struct Agent<'a> {
    name: String,
    /// Parts of the title, each with a flag that marks links.
    title: Vec<(&'a str, bool)>,
}

#[derive(Serialize)]
struct Tournament<'a> {
    agents: Vec<Agent<'a>>,
    /// Agents in the order of the standings.
    ranking: Vec<usize>,
    /// Names of the rounds; empty if the tournament has no rounds.
    rounds: Vec<String>,
    sides: [&'a str; 2],
    /// Number of the first game of each chunk.
    chunks: &'a [u32],
}

/// Returns the script with the data of the tournament. `chunks` has the number of the first game of each chunk.
pub(super) fn tournament(site: &Site<'_>, chunks: &[u32]) -> String {
    let titles: Vec<_> = site.tournament.entrants.iter().map(|entrant| printable(&entrant.title)).collect();
    let agents = site.tournament.spec.agents.iter().enumerate().map(|(number, agent)| Agent {
        name: printable(&agent.name).into_owned(),
        title: titles.get(number).map(|title| split_links(title)).unwrap_or_default(),
    });
    let rounds = site.games.iter().map(|game| game.round + 1).max().unwrap_or(0);
    let data = Tournament {
        agents: agents.collect(),
        ranking: site.table.iter().map(|line| line.agent).collect(),
        rounds: (0..rounds).filter_map(|round| site.round_name(round)).collect(),
        sides: site.tournament.spec.side_names(),
        chunks,
    };
    format!("const tournament = {};\n", literal(&data))
}

/// The list of games in columns.
#[derive(Default, Serialize)]
struct Games {
    numbers: Vec<u32>,
    rounds: Vec<u32>,
    first: Vec<usize>,
    second: Vec<usize>,
    /// A character for each game: `1` or `2` for the side that won, `=` for a draw, `-` for a void game.
    results: String,
    /// Indices in `texts`.
    endings: Vec<usize>,
    texts: Table<String>,
    plies: Vec<usize>,
    /// Durations in hundredths of a second.
    times: Vec<u64>,
    faults: Vec<usize>,
}

/// Returns the script with the list of games.
pub(super) fn games(site: &Site<'_>) -> String {
    let mut games = Games::default();
    let has_rounds = site.tournament.spec.format.has_rounds();
    for row in &site.games {
        let GameRow { number, round, agents: [first, second], result, .. } = *row;
        games.numbers.push(number);
        if has_rounds {
            games.rounds.push(round);
        }
        games.first.push(first);
        games.second.push(second);
        games.results.push(match result {
            ResultLog::First => '1',
            ResultLog::Second => '2',
            ResultLog::Draw => '=',
            ResultLog::Void => '-',
        });
        games.endings.push(games.texts.index(printable(&row.ending).into_owned()));
        games.plies.push(row.plies);
        games.times.push((row.seconds * 100.0).round() as u64);
        games.faults.push(row.faults.len());
    }
    format!("const games = {};\n", literal(&games))
}
