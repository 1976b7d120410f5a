//! Ends games early when their result is proved or nearly certain.

use engine::Resources;
use game::{Outcome, Side, TextGame};
use referee::{Ending, Ruling};

use crate::adjudicate::{Adjudicate, DrawRule, ResignRule};
use crate::log::{GameLog, ResultLog, ScoreLog};
use crate::spec::Spec;

/// Maximum number of positions that [`Judge::confirm`] visits to repeat a proof.
pub const MAX_CONFIRM_NODES: u64 = 1_000_000;

/// A judge of a game: it follows the game move by move, and ends it when a rule applies.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    spec: &'a Spec,
    resources: &'a Resources,
    /// Number of consecutive moves of each side with an even score.
    even: [u32; 2],
    /// Number of consecutive moves of each side with a losing score.
    lost: [u32; 2],
    /// Number of consecutive moves of each side with a winning score.
    winning: [u32; 2],
}

impl<'a> Judge<'a> {
    /// Creates the judge of a game. Proofs use the books and tables of `resources`.
    pub fn new(spec: &'a Spec, resources: &'a Resources) -> Self {
        Self { spec, resources, even: [0; 2], lost: [0; 2], winning: [0; 2] }
    }

    /// Records a move that a player has just made, and returns the ruling if one applies.
    ///
    /// # Errors
    /// If the game does not match the specification; the text gives the reason.
    pub fn observe(
        &mut self,
        game: &dyn TextGame,
        side: Side,
        score: Option<ScoreLog>,
    ) -> Result<Option<(Outcome, Ruling)>, String> {
        if game.finish().is_some() {
            return Ok(None);
        }
        if let Some(ruling) = self.by_scores(game.plies(), side, score) {
            return Ok(Some(ruling));
        }
        match self.spec.adjudicate.proof {
            Some(nodes) => self.by_proof(game, nodes),
            None => Ok(None),
        }
    }

    /// Checks the ruling that ended a game: it must apply after the last move, and no ruling may apply earlier. A proof
    /// is repeated for the last move only, with at most [`MAX_CONFIRM_NODES`] positions. Returns `false` if the proof
    /// cannot be repeated, for example because it needs endgame tables.
    ///
    /// # Errors
    /// If the game should have continued or ended by another ruling; the text says so.
    pub fn confirm(mut self, log: &GameLog) -> Result<bool, String> {
        let opening: Vec<&str> = log.opening.iter().map(String::as_str).collect();
        let mut game = self.spec.replay(&log.start, &opening)?;
        let mut by_scores = None;
        for m in &log.moves {
            if game.finish().is_some() || by_scores.is_some() {
                return Err(format!("move {}: the game was over", game.plies() + 1));
            }
            let side = game.side_to_move();
            game.play(&m.text).map_err(|error| error.to_string())?;
            by_scores = self.by_scores(game.plies(), side, m.score.filter(|_| !m.replaced));
        }
        let is_open = game.finish().is_none() && !log.moves.is_empty();
        let may_be_proof = is_open && by_scores.is_none();
        let budget = self.spec.adjudicate.proof.filter(|_| may_be_proof);
        let ruling = match budget {
            Some(nodes) => self.by_proof(&*game, nodes.min(MAX_CONFIRM_NODES))?,
            None => by_scores.filter(|_| is_open),
        };
        let says_proof = [Ruling::WinByProof, Ruling::DrawByProof].map(|ruling| Ending::Ruling(ruling).name());
        let is_win = log.result != ResultLog::Draw;
        let fits = log.ending.starts_with("win ") == is_win;
        let found = ruling.map(|(outcome, ruling)| (ResultLog::from(outcome), Ending::Ruling(ruling).name()));
        match found {
            Some(found) if found == (log.result, log.ending.as_str()) => Ok(true),
            None if budget.is_some() && fits && says_proof.contains(&log.ending.as_str()) => Ok(false),
            _ => Err(format!("its moves and scores do not confirm the ruling: {}", log.ending)),
        }
    }

    fn by_proof(&self, game: &dyn TextGame, nodes: u64) -> Result<Option<(Outcome, Ruling)>, String> {
        let moves = game.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let record = self.spec.replay(&game.start(), &moves)?;
        Ok(record.settle(self.resources, nodes).map(|settled| match settled.outcome {
            Outcome::Draw => (Outcome::Draw, Ruling::DrawByProof),
            won @ Outcome::Win(_) => (won, Ruling::WinByProof),
        }))
    }

    fn by_scores(&mut self, plies: u32, side: Side, score: Option<ScoreLog>) -> Option<(Outcome, Ruling)> {
        let Adjudicate { draw, resign, .. } = self.spec.adjudicate;
        let units = score.map(|score| match score {
            ScoreLog::Cp(units) => i64::from(units),
            ScoreLog::Win(_) => i64::MAX,
            ScoreLog::Loss(_) => i64::MIN,
        });
        let count = |row: &mut [u32; 2], continues: bool| {
            let moves = &mut row[side.index()];
            *moves = if continues { *moves + 1 } else { 0 };
        };
        if let Some(DrawRule { within, moves, after }) = draw {
            let within = i64::from(within);
            count(&mut self.even, units.is_some_and(|units| (-within..=within).contains(&units)));
            if plies >= after && self.even.iter().all(|&row| row >= moves) {
                return Some((Outcome::Draw, Ruling::DrawByScores));
            }
        }
        if let Some(ResignRule { below, moves, both }) = resign {
            let below = i64::from(below);
            count(&mut self.lost, units.is_some_and(|units| units <= -below));
            count(&mut self.winning, units.is_some_and(|units| units >= below));
            let resigns =
                |loser: &Side| self.lost[loser.index()] >= moves && (!both || self.winning[(!*loser).index()] >= moves);
            if let Some(loser) = Side::BOTH.into_iter().find(resigns) {
                return Some((Outcome::Win(!loser), Ruling::WinByScores));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const TWO: &str = "[[agent]]\nname = 'a'\nbuiltin = ''\n[[agent]]\nname = 'b'\nbuiltin = ''\n";

    fn spec(top: &str) -> Spec {
        Spec::read(&format!("game = 'loa'\n{top}\n{TWO}"), Path::new("")).expect("a tournament")
    }

    /// Passes the scores to a judge, alternating between the two sides. Returns the first ruling, and the number of the
    /// score that caused it, from 1.
    fn ruled(top: &str, scores: &[Option<ScoreLog>]) -> Option<(usize, Outcome, Ruling)> {
        let (spec, resources) = (spec(top), Resources::default());
        let mut judge = Judge::new(&spec, &resources);
        scores.iter().enumerate().find_map(|(i, &score)| {
            let ruling = judge.by_scores(i as u32 + 1, Side::BOTH[i % 2], score);
            ruling.map(|(outcome, ruling)| (i + 1, outcome, ruling))
        })
    }

    fn cp(units: &[i32]) -> Vec<Option<ScoreLog>> {
        units.iter().map(|&units| Some(ScoreLog::Cp(units))).collect()
    }

    #[test]
    fn a_game_is_drawn_after_enough_even_scores_of_both_sides() {
        let rule = "adjudicate = { draw = { within = 10, moves = 2, after = 3 } }";
        let drawn = |at| Some((at, Outcome::Draw, Ruling::DrawByScores));
        assert_eq!(ruled(rule, &cp(&[0, 10, -10, 5, 0])), drawn(4));
        assert_eq!(ruled(rule, &cp(&[0, 11, 0, 10, 0, 0])), drawn(6));
        assert_eq!(ruled(rule, &cp(&[0, -11, 0, 12, 0, 13])), None, "the second side reports an advantage");
        assert_eq!(ruled("adjudicate = { draw = { within = 10, moves = 1, after = 9 } }", &cp(&[0; 12])), drawn(9));
        let mut silent = cp(&[0, 0, 0]);
        silent.push(None);
        silent.extend(cp(&[0, 0, 0]));
        assert_eq!(ruled(rule, &silent), None, "a move without a score breaks the row");
        assert_eq!(ruled("", &cp(&[0; 100])), None, "nothing is adjudicated unless it is set");
    }

    #[test]
    fn a_side_with_losing_scores_loses() {
        let rule = "adjudicate = { resign = { below = 500, moves = 2 } }";
        let lost = |at| Some((at, Outcome::Win(Side::First), Ruling::WinByScores));
        assert_eq!(ruled(rule, &cp(&[0, -500, 0, -900])), lost(4));
        assert_eq!(ruled(rule, &cp(&[0, -500, 0, -499, 0, -500])), None);
        assert_eq!(ruled(rule, &cp(&[900; 20])), None, "winning scores alone do not end a game");
        let both = "adjudicate = { resign = { below = 500, moves = 2, both = true } }";
        assert_eq!(ruled(both, &cp(&[0, -500, 0, -900, 0])), None);
        assert_eq!(ruled(both, &cp(&[0, -500, 500, -900, 700])), lost(5));
        let proven = [Some(ScoreLog::Win(9)), Some(ScoreLog::Loss(8)), Some(ScoreLog::Win(7)), Some(ScoreLog::Loss(6))];
        assert_eq!(ruled(both, &proven), lost(4));
    }

    #[test]
    fn a_proven_game_ends() {
        let spec = spec("size = 4\nadjudicate = { proof = 1000000 }");
        let (game, resources) = (spec.new_game(0).expect("a game"), Resources::default());
        let mut judge = Judge::new(&spec, &resources);
        let ruling = judge.observe(&*game, Side::Second, None).expect("the game of the specification");
        assert_eq!(ruling, Some((Outcome::Win(Side::First), Ruling::WinByProof)));
    }
}
