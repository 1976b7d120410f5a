//! Openings, strengths of levels and rating estimates for `plyhouse.elo`.

use engine::Level;
use game::text::excerpt;
use games::GameId;
use pyo3::prelude::*;
use rating::{GameScore, Guess, Tally, Z95, estimate, match_pairings};

use crate::encode::{Encoded, Visitor, dispatch};
use crate::error::Wrong;
use crate::whole::{Whole, board_size};

/// Standard deviation of the prior of a rating, in Elo. It is wide: its purpose is a finite rating after a perfect
/// score.
const DEVIATION: f64 = 2_000.0;
/// Maximum number of pairs of games.
const MOST_PAIRS: usize = 1 << 16;
/// Maximum length of an opening, in plies.
const LONGEST: u32 = 1_000;

struct LevelElo {
    level: Level,
    size: Option<usize>,
}

impl Visitor for LevelElo {
    type Output = Result<Option<u32>, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let start = P::start(self.size).map_err(Wrong::value)?;
        // The strengths were measured on boards of this size.
        let is_measured = P::size(&start) == P::USUAL_SIZE;
        Ok(self.level.elo(&start.profile()).filter(|_| is_measured))
    }
}

/// Returns the strength of a level in Elo; `None` if it was not measured on boards of this size.
#[pyfunction]
pub(crate) fn _level_elo(game: &str, level: &str, size: Option<Whole>) -> PyResult<Option<u32>> {
    let id: GameId = game.parse().map_err(Wrong::value)?;
    let level: Level = level.parse().map_err(Wrong::value)?;
    Ok(dispatch(id, LevelElo { level, size: board_size(size)? })?)
}

struct Openings {
    size: Option<usize>,
    pairs: usize,
    plies: u32,
    seed: u64,
}

impl Visitor for Openings {
    type Output = Result<Vec<String>, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let Self { size, pairs, plies, seed } = self;
        let start = P::start(size).map_err(Wrong::value)?;
        let opening = |seed| {
            let record = engine::opening(&start, plies, u32::MAX, seed);
            if record.finish().is_some() || game::Position::outcome(record.position()).is_some() {
                let text = excerpt(&record.position().to_string());
                return Err(Wrong::Value(format!("plies {plies}: the game is over in {text}, expected fewer plies")));
            }
            Ok(record.position().to_string())
        };
        match_pairings(seed).step_by(2).take(pairs).map(|pairing| opening(pairing.opening_seed)).collect()
    }
}

/// Returns the positions after random openings, one for each pair of games.
#[pyfunction]
pub(crate) fn _openings(
    py: Python<'_>,
    game: &str,
    size: Option<Whole>,
    pairs: Whole,
    plies: Whole,
    seed: Option<Whole>,
) -> PyResult<Vec<String>> {
    let id: GameId = game.parse().map_err(Wrong::value)?;
    let (size, pairs) = (board_size(size)?, pairs.within("pairs", 1..=MOST_PAIRS, "")?);
    let (plies, seed) = (plies.within("plies", 0..=LONGEST, "")?, crate::seed::seed(py, seed)?);
    Ok(py.detach(|| dispatch(id, Openings { size, pairs, plies, seed }))?)
}

/// Returns the share of the points, the Elo difference and its 95 % error, from the points of the first player in pairs
/// of games.
#[pyfunction]
pub(crate) fn _difference(pairs: Vec<[f64; 2]>) -> (f64, f64, f64) {
    let mut tally = Tally::new();
    for pair in pairs {
        tally.add(pair.map(|points| match (2.0 * points).round() as u8 {
            0 => GameScore::Loss,
            1 => GameScore::Draw,
            _ => GameScore::Win,
        }));
    }
    let elo = tally.elo();
    (tally.score(), elo.value, elo.error)
}

/// Returns the rating and its 95 % error, from games against opponents of known ratings: for each game, the rating of
/// the opponent and the points.
#[pyfunction]
pub(crate) fn _performance(games: Vec<(f64, f64)>) -> (f64, f64) {
    let mean = games.iter().map(|&(opponent, _)| opponent).sum::<f64>() / games.len().max(1) as f64;
    let found = estimate(Guess { rating: mean, deviation: DEVIATION }, &games);
    (found.rating, Z95 * found.deviation)
}
