//! Positions of an engine's games against itself, with the games' results, as training data for evaluations.
//!
//! A file has one position on each line: `position;result;score`.

use core::fmt::Display;
use core::str::FromStr;
use std::io::{BufRead, Write};

use engine::{PlayerOptions, Resources};
use game::{Outcome, SplitMix64};
use games::{AnyEngine, AnyRecord, Setting};
use ledger::Failure;
use search::Control;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::jobs::{Hand, Kind};

/// A position of a game with the game's result, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<P> {
    /// Position.
    pub position: P,
    /// Result: 1 for a win, ½ for a draw, 0 for a loss.
    pub result: f32,
    /// Score of the search, in hundredths of a piece.
    pub score: i32,
}

/// Errors of reading samples.
#[derive(Debug, Error)]
pub enum SampleError {
    /// Reading failed.
    #[error("samples cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The line is not a sample.
    #[error("line {line}: expected `position;result;score`, found `{text}`")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The line's text.
        text: String,
    },
}

/// The parameters of sampling. Each job plays a game and outputs the lines of its samples. The job's number determines
/// the game's seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Name of the game.
    pub game: String,
    /// Board size, in squares per side; the game's usual size if unset.
    pub size: Option<usize>,
    /// Description of the engine.
    pub player: String,
    /// Number of random moves of each opening.
    pub opening: u32,
    /// Number of moves, counting both sides, after which a game is drawn.
    pub move_limit: u32,
    /// Seed of the games.
    pub seed: u64,
}

impl Kind for Recipe {
    const NAME: &'static str = "samples";
    type Output = String;

    fn hand<'a>(&'a self, resources: &'a Resources) -> Result<Hand<'a, String>, Failure> {
        let game = self.game.parse().map_err(Failure::of)?;
        let setting = Setting { size: self.size, ..Setting::new(game, self.move_limit) };
        let player: PlayerOptions = self.player.parse().map_err(Failure::of)?;
        // No worker uses endgame tables: some have none, and all must play the same games.
        let resources = resources.clone().without_endgames();
        let start = setting.record(None, &[]).map_err(Failure::of)?;
        let mut engine = start.engine(&player, &resources).map_err(Failure::of)?;
        Ok(Box::new(move |number, _| {
            let seed = SplitMix64::new(self.seed.wrapping_add(number)).next_u64();
            let record = setting.random(self.opening, seed).map_err(Failure::of)?;
            engine.new_game(seed);
            let mut lines = Vec::new();
            write(&play(record, &mut *engine), &mut lines).map_err(Failure::of)?;
            String::from_utf8(lines).map_err(Failure::of)
        }))
    }
}

/// Continues a game with an engine for both sides, and returns the positions whose scores are not proven wins or
/// losses.
fn play(mut record: Box<dyn AnyRecord>, engine: &mut dyn AnyEngine) -> Vec<Sample<String>> {
    let limits = engine.limits();
    let mut kept = Vec::new();
    while record.finish().is_none() {
        let Some(choice) = engine.choose(&*record, &limits, &mut Control::on(search::SYSTEM)) else { break };
        if let Some(score) = choice.score.as_units() {
            kept.push((record.position(), record.side_to_move(), score));
        }
        record.play(&choice.best).expect("invariant: an engine chooses a legal move");
    }
    let outcome = record.finish().map(|finish| finish.outcome);
    let sample = |(position, side_to_move, score)| {
        let result = match outcome {
            Some(Outcome::Win(side)) if side == side_to_move => 1.0,
            Some(Outcome::Win(_)) => 0.0,
            _ => 0.5,
        };
        Sample { position, result, score }
    };
    kept.into_iter().map(sample).collect()
}

/// Writes samples, one on each line: `position;result;score`.
///
/// # Errors
/// Returns an error if writing fails.
pub fn write<P: Display>(samples: &[Sample<P>], out: &mut impl Write) -> std::io::Result<()> {
    samples.iter().try_for_each(|s| writeln!(out, "{};{};{}", s.position, s.result, s.score))
}

/// Reads the format of [`write()`].
///
/// # Errors
/// Returns an error if a line is not a sample, or the input cannot be read.
pub fn read<P: FromStr>(input: impl BufRead) -> Result<Vec<Sample<P>>, SampleError> {
    let mut samples = Vec::new();
    for (i, line) in input.lines().enumerate() {
        let line = line?;
        let sample = parse(&line).ok_or_else(|| SampleError::Line { line: i + 1, text: game::text::excerpt(&line) })?;
        samples.push(sample);
    }
    Ok(samples)
}

fn parse<P: FromStr>(line: &str) -> Option<Sample<P>> {
    let mut fields = line.split(';');
    let sample = Sample {
        position: fields.next()?.parse().ok()?,
        result: fields.next()?.parse().ok()?,
        score: fields.next()?.parse().ok()?,
    };
    fields.next().is_none().then_some(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jump61::Position as Board;

    #[test]
    fn samples_are_read_back() {
        let position = Board::start(3).expect("a size");
        let samples = vec![Sample { position, result: 0.5, score: -12 }];
        let mut text = Vec::new();
        write(&samples, &mut text).expect("memory");
        assert_eq!(read::<Board>(&text[..]).expect("samples"), samples);
        let error = read::<Board>(&b"nonsense"[..]).expect_err("no sample").to_string();
        assert!(error.contains("line 1") && error.contains("nonsense"), "{error}");
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        let resources = Resources::default();
        let recipe = Recipe {
            game: "jump61".to_owned(),
            size: Some(4),
            player: "nodes=200,horizon=0/0,table=1".to_owned(),
            opening: 3,
            move_limit: 100,
            seed: 9,
        };
        let mut hand = recipe.hand(&resources).expect("a hand");
        let games: Vec<String> = (0..4).map(|number| hand(number, "").expect("a game")).collect();
        let third = recipe.hand(&resources).expect("a hand")(2, "").expect("a game");
        assert!(third == games[2] && games[1] != games[2]);
        assert!(read::<Board>(games.concat().as_bytes()).expect("samples").len() > 8);
        let wrong = |change: fn(&mut Recipe)| {
            let mut recipe = recipe.clone();
            change(&mut recipe);
            recipe.hand(&resources).err().expect("no hand").0
        };
        assert!(wrong(|recipe| recipe.game = "go".to_owned()).contains("go"));
        assert!(wrong(|recipe| recipe.size = Some(11)).contains("board size 11"));
        assert!(wrong(|recipe| recipe.player = "speed=9".to_owned()).contains("speed"));
        assert!(wrong(|recipe| recipe.player = "build=reference".to_owned()).contains("no player"));
    }
}
