//! Ends games whose result is certain, or as good as certain.

use engine::Resources;
use game::{Outcome, Side, TextGame};
use referee::{Ending, Ruling};
use serde::{Deserialize, Serialize};

use crate::{GameLog, ResultLog, ScoreLog, Spec, SpecError};

/// The most positions that [`Judge::confirm`] visits for a proof.
pub const MOST_REPEATED: u64 = 1_000_000;

/// When games are ended before their end. Nothing is, unless it is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// A draw by the scores of both players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A loss by a player's own scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// The result by proof: the positions that our solver may visit after each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<u64>,
}

/// Both players see an even position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The most that a score may differ from 0, in hundredths of a piece.
    pub within: u32,
    /// Moves of each side in a row.
    pub moves: u32,
    /// Moves of both sides together, the opening's included, before which no game is drawn.
    #[serde(default)]
    pub after: u32,
}

/// A player sees itself lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Its scores are this far below 0 or further, in hundredths of a piece.
    pub below: u32,
    /// Its moves in a row.
    pub moves: u32,
    /// Whether its opponent must see as large an advantage in as many moves.
    #[serde(default)]
    pub both: bool,
}

impl Adjudicate {
    pub(crate) fn is_off(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        let wrong = |field: &str, found: String, expected: &str| {
            Err(SpecError::Value { field: format!("adjudicate.{field}"), found, expected: expected.to_owned() })
        };
        let moves =
            [("draw.moves", self.draw.map(|rule| rule.moves)), ("resign.moves", self.resign.map(|rule| rule.moves))];
        if let Some((field, _)) = moves.into_iter().find(|(_, moves)| *moves == Some(0)) {
            return wrong(field, "0".to_owned(), "at least 1");
        }
        if self.resign.is_some_and(|rule| rule.below == 0) {
            return wrong("resign.below", "0".to_owned(), "at least 1");
        }
        match self.proof {
            Some(nodes @ (0 | 1_000_000_001..)) => wrong("proof", nodes.to_string(), "1 to 1000000000 positions"),
            Some(nodes) if spec.rules.is_some() => {
                wrong("proof", nodes.to_string(), "none beside `rules`, whose draws the solver does not know")
            }
            _ => Ok(()),
        }
    }
}

/// Follows a game move by move and rules when it is over.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    spec: &'a Spec,
    resources: &'a Resources,
    /// Moves in a row with an even score, of each side.
    even: [u32; 2],
    /// Moves in a row in which a side saw itself lost.
    lost: [u32; 2],
    /// Moves in a row in which a side saw itself winning.
    winning: [u32; 2],
}

impl<'a> Judge<'a> {
    /// A judge of one game. Proofs may use `resources`.
    pub fn new(spec: &'a Spec, resources: &'a Resources) -> Self {
        Self { spec, resources, even: [0; 2], lost: [0; 2], winning: [0; 2] }
    }

    /// Takes note of a player's move, which has just been played, and rules if the game is over.
    ///
    /// # Errors
    /// If the game is not that of the specification; the text says why.
    pub fn see(
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

    /// Checks that a game which ended by a ruling had to end by it, with its last move. A proof is repeated for the
    /// last move only, and with at most [`MOST_REPEATED`] positions. Returns whether the ruling was confirmed; a proof
    /// that cannot be repeated, such as one by endgame tables that are not here, is not.
    ///
    /// # Errors
    /// If it had to go on or to end by another ruling; the text says so.
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
            Some(nodes) => self.by_proof(&*game, nodes.min(MOST_REPEATED))?,
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
        let count = |row: &mut [u32; 2], goes_on: bool| {
            let moves = &mut row[side.index()];
            *moves = if goes_on { *moves + 1 } else { 0 };
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
            let gives_up =
                |loser: &Side| self.lost[loser.index()] >= moves && (!both || self.winning[(!*loser).index()] >= moves);
            if let Some(loser) = Side::BOTH.into_iter().find(gives_up) {
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

    fn spec(top: &str) -> Result<Spec, String> {
        Spec::read(&format!("game = 'loa'\n{top}\n{TWO}"), Path::new("")).map_err(|error| error.to_string())
    }

    /// The ruling after scores of both sides in turn, and the number of the last one, from 1.
    fn ruled(top: &str, scores: &[Option<ScoreLog>]) -> Option<(usize, Outcome, Ruling)> {
        let (spec, resources) = (spec(top).expect("a tournament"), Resources::default());
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
    fn an_even_game_is_drawn_when_both_have_long_seen_it_even() {
        let rule = "adjudicate = { draw = { within = 10, moves = 2, after = 3 } }";
        let drawn = |at| Some((at, Outcome::Draw, Ruling::DrawByScores));
        assert_eq!(ruled(rule, &cp(&[0, 10, -10, 5, 0])), drawn(4));
        assert_eq!(ruled(rule, &cp(&[0, 11, 0, 10, 0, 0])), drawn(6));
        assert_eq!(ruled(rule, &cp(&[0, -11, 0, 12, 0, 13])), None, "the second side sees more");
        assert_eq!(ruled("adjudicate = { draw = { within = 10, moves = 1, after = 9 } }", &cp(&[0; 12])), drawn(9));
        let mut silent = cp(&[0, 0, 0]);
        silent.push(None);
        silent.extend(cp(&[0, 0, 0]));
        assert_eq!(ruled(rule, &silent), None, "a move without a score breaks the row");
        assert_eq!(ruled("", &cp(&[0; 100])), None, "nothing is adjudicated unless it is set");
    }

    #[test]
    fn a_side_that_sees_itself_lost_loses() {
        let rule = "adjudicate = { resign = { below = 500, moves = 2 } }";
        let lost = |at| Some((at, Outcome::Win(Side::First), Ruling::WinByScores));
        assert_eq!(ruled(rule, &cp(&[0, -500, 0, -900])), lost(4));
        assert_eq!(ruled(rule, &cp(&[0, -500, 0, -499, 0, -500])), None);
        assert_eq!(ruled(rule, &cp(&[900; 20])), None, "nobody wins by its own word");
        let both = "adjudicate = { resign = { below = 500, moves = 2, both = true } }";
        assert_eq!(ruled(both, &cp(&[0, -500, 0, -900, 0])), None);
        assert_eq!(ruled(both, &cp(&[0, -500, 500, -900, 700])), lost(5));
        let proven = [Some(ScoreLog::Win(9)), Some(ScoreLog::Loss(8)), Some(ScoreLog::Win(7)), Some(ScoreLog::Loss(6))];
        assert_eq!(ruled(both, &proven), lost(4));
    }

    #[test]
    fn a_proven_game_ends() {
        let spec = spec("size = 4\nadjudicate = { proof = 1000000 }").expect("a tournament");
        let (game, resources) = (spec.new_game(0).expect("a game"), Resources::default());
        let mut judge = Judge::new(&spec, &resources);
        let ruling = judge.see(&*game, Side::Second, None).expect("the game of the specification");
        assert_eq!(ruling, Some((Outcome::Win(Side::First), Ruling::WinByProof)));
    }

    #[test]
    fn rules_that_make_no_sense_are_refused() {
        for (top, part) in [
            (
                "adjudicate = { draw = { within = 5, moves = 0 } }",
                "adjudicate.draw.moves: 0 found, expected at least 1",
            ),
            ("adjudicate = { resign = { below = 0, moves = 3 } }", "adjudicate.resign.below: 0 found"),
            ("adjudicate = { proof = 0 }", "adjudicate.proof: 0 found, expected 1 to"),
            (
                "adjudicate = { proof = 5 }\nrules = 'openspiel'",
                "adjudicate.proof: 5 found, expected none beside `rules`",
            ),
            ("adjudicate = { win = 5 }", "unknown field `win`"),
        ] {
            let error = spec(top).expect_err(top);
            assert!(error.contains(part), "{error}");
        }
    }
}
