//! The data of the pages of a report.

use game::text::capitalised;

use crate::format::Format;
use crate::log::{GameLog, ResultLog};
use crate::rounds::Rounds;
use crate::standings::{Standing, Standings};
use crate::store::{Damaged, Tournament};
use crate::tables::round_name;

/// The data of a game in the list of games.
pub(super) struct GameRow {
    pub(super) number: u32,
    /// Number of the round or of the opening, as in [`Planned`](crate::planned::Planned).
    pub(super) round: u32,
    pub(super) agents: [usize; 2],
    pub(super) result: ResultLog,
    pub(super) ending: String,
    pub(super) plies: usize,
    pub(super) seconds: f64,
    /// Side, kind and details.
    pub(super) faults: Vec<(usize, String, String)>,
}

impl From<&GameLog> for GameRow {
    fn from(game: &GameLog) -> Self {
        let faults = game.faults.iter().map(|fault| (fault.side, fault.kind.clone(), fault.detail.clone()));
        Self {
            number: game.planned.number,
            round: game.planned.round,
            agents: game.planned.agents,
            result: game.result,
            ending: game.ending_in_words(),
            plies: game.opening.len() + game.moves.len(),
            seconds: game.seconds,
            faults: faults.collect(),
        }
    }
}

/// The data of all pages.
pub(super) struct Site<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) standings: Standings,
    /// Rows of the standings, computed after all games are counted.
    pub(super) table: Vec<Standing>,
    pub(super) games: Vec<GameRow>,
    /// Pairings; `None` if the specification is invalid.
    pub(super) rounds: Option<Rounds>,
    /// Damaged games, which do not count.
    pub(super) damaged: Vec<Damaged>,
    /// Head of the chain of hashes; `None` if the games are not chained.
    pub(super) head: Option<String>,
}

impl Site<'_> {
    pub(super) fn name(&self, agent: usize) -> &str {
        &self.tournament.spec.agents[agent].name
    }

    /// Returns the name of a round; `None` if the tournament has no rounds.
    pub(super) fn round_name(&self, round: u32) -> Option<String> {
        match self.tournament.spec.format {
            Format::Swiss => Some((round + 1).to_string()),
            Format::Knockout => {
                let rounds = self.rounds.as_ref().map_or(0, |rounds| rounds.number_of_rounds() as usize);
                let round = round as usize;
                Some(if round < rounds { capitalised(&round_name(round, rounds)) } else { (round + 1).to_string() })
            }
            Format::RoundRobin | Format::Gauntlet | Format::Match => None,
        }
    }
}
