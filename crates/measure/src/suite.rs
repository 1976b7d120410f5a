//! Positions with known results: sampling from games, and solving by engines.
//!
//! A file has one position on each line: `position;win N` if the shortest forced win of the side to move takes `N`
//! plies, or `position;win <=N` if a shorter one may exist. Lines that begin with `#` are comments.

use core::fmt;
use core::str::FromStr;
use std::time::{Duration, Instant};

use game::{PliesLeft, Position, Record};
use games::{Game, GameId, Visitor, dispatch};
use ledger::Failure;
use search::{Control, Engine, ForcedWins, Limits, Policy, ProofSearch, Stop, Verdict};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use engine::{Built, PlayerOptions, Resources, opening};

use crate::jobs::{Hand, Kind};

/// A position in which the side to move wins by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<P> {
    /// Position.
    pub position: P,
    /// Length of the known win, in plies.
    pub plies: u32,
    /// `true` if no shorter win exists.
    pub is_shortest: bool,
}

/// The error for a line that is not a problem.
#[derive(Debug, Error)]
#[error("line {line}: expected `position;win N`, found `{text}`")]
pub struct ProblemError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line's text.
    pub text: String,
}

impl<P: fmt::Display> fmt::Display for Problem<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};win {}{}", self.position, if self.is_shortest { "" } else { "<=" }, self.plies)
    }
}

/// Reads a file of problems.
///
/// # Errors
/// If a line is not a problem; the error is for the first such line.
pub fn read<P: FromStr>(text: &str) -> Result<Vec<Problem<P>>, ProblemError> {
    let lines = (1..)
        .zip(game::text::without_mark(text).lines())
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|(line, text)| parse(text).ok_or_else(|| ProblemError { line, text: game::text::excerpt(text) }))
        .collect()
}

fn parse<P: FromStr>(text: &str) -> Option<Problem<P>> {
    let (position, result) = text.split_once(';')?;
    let plies = result.trim().strip_prefix("win ")?;
    let bound = plies.strip_prefix("<=");
    let plies = bound.unwrap_or(plies).parse().ok()?;
    Some(Problem { position: position.parse().ok()?, plies, is_shortest: bound.is_none() })
}

/// The parameters of sampling.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Length of a win, in plies, up to which it is too easy.
    pub easy: u32,
    /// Maximum length of a win in the exact search, in plies.
    pub exact: u32,
    /// Maximum length of a sampled win, in plies. Beyond `exact`, wins come from the proof search.
    pub longest: u32,
    /// Node limit of each proof search.
    pub proof_nodes: u64,
    /// Number of random moves of each opening.
    pub opening_plies: u32,
}

/// Samples a problem from one game of an engine against itself: going back from the end, the first of the winner's
/// positions whose win is neither too easy nor too long.
pub fn sample<P: Position, L: Policy<P>>(
    start: &P,
    (engine, limits): (&mut dyn Engine<P>, &Limits),
    policy: &L,
    sampling: Sampling,
    seed: u64,
) -> Option<Problem<P>> {
    let mut record = opening(start, sampling.opening_plies, 300, seed);
    engine.new_game(seed);
    while record.finish().is_none() {
        let choice = engine.choose(&record, limits, &mut Control::on(machine::SYSTEM))?;
        record.play(choice.best);
    }
    let winner = record.finish()?.outcome.winner()?;
    let positions: Vec<&P> = record.steps().iter().map(|step| &step.position).collect();
    let turns = positions.iter().rev().filter(|p| p.side_to_move() == winner && p.outcome().is_none());
    turns.take(sampling.longest as usize).find_map(|&p| problem(p, policy, sampling))
}

/// Returns the position as a problem, if the length of its win is in the sampled range.
fn problem<P: Position, L: Policy<P>>(p: &P, policy: &L, sampling: Sampling) -> Option<Problem<P>> {
    let mut forced = ForcedWins::new(policy, Stop::new(), 64);
    if forced.wins(p, sampling.easy, PliesLeft::UNLIMITED) == Ok(true) {
        return None;
    }
    if let Ok(Some((_, plies))) = forced.shortest_win(p, sampling.exact, PliesLeft::UNLIMITED) {
        return Some(Problem { position: p.clone(), plies, is_shortest: true });
    }
    if sampling.longest <= sampling.exact {
        return None;
    }
    let mut search = ProofSearch::new(policy, Stop::new(), 256, sampling.proof_nodes);
    match search.solve(p, p.side_to_move(), PliesLeft::UNLIMITED) {
        Verdict::Win { plies, .. } if plies <= sampling.longest => {
            Some(Problem { position: p.clone(), plies, is_shortest: false })
        }
        _ => None,
    }
}

/// The result of an engine on a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// `true` if the engine announced a proven win.
    pub solved: bool,
    /// Number of visited nodes.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Searches a problem with an engine. It is solved if the engine announces a win; such scores are proofs.
pub fn attempt<P: Position>(problem: &Problem<P>, engine: &mut dyn Engine<P>, limits: &Limits) -> Attempt {
    let start = Instant::now();
    let choice = engine.choose(&Record::new(problem.position.clone()), limits, &mut Control::on(machine::SYSTEM));
    let solved = choice.as_ref().is_some_and(|choice| choice.score.win_distance().is_some());
    Attempt { solved, nodes: choice.map_or(0, |choice| choice.nodes), time: start.elapsed() }
}

/// An engine that solves problems. A job is a problem, whose text is its input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exam {
    /// Name of the game.
    pub game: String,
    /// Engine, in words.
    pub player: String,
    /// `true` if the engine has endgame tables.
    pub endgames: bool,
    /// Identifier of the problems, for example a hash of them all.
    pub problems: String,
}

impl Kind for Exam {
    const NAME: &'static str = "suite";
    type Output = Attempt;

    fn endgames(&self) -> Option<GameId> {
        self.game.parse().ok().filter(|_| self.endgames)
    }

    fn hand<'a>(&'a self, resources: &'a Resources) -> Result<Hand<'a, Attempt>, Failure> {
        let game: GameId = self.game.parse().map_err(Failure::of)?;
        dispatch(game, Attempts { player: self.player.parse().map_err(Failure::of)?, resources })
    }
}

struct Attempts<'a> {
    player: PlayerOptions,
    resources: &'a Resources,
}

impl<'a> Visitor for Attempts<'a> {
    type Output = Result<Hand<'a, Attempt>, Failure>;

    fn visit<P: Game>(self) -> Self::Output {
        let Self { player, resources } = self;
        // An engine supports boards of one size.
        let mut made: Option<(usize, Built<P>)> = None;
        Ok(Box::new(move |_, text| {
            let problem = parse::<P>(text);
            let problem = problem.ok_or_else(|| ProblemError { line: 1, text: game::text::excerpt(text) });
            let problem = problem.map_err(Failure::of)?;
            let size = P::size(&problem.position);
            if made.as_ref().is_none_or(|(known, _)| *known != size) {
                made = Some((size, player.make(&problem.position, resources).map_err(Failure::of)?));
            }
            let Some((_, Built { engine, limits, .. })) = &mut made else { unreachable!("invariant: it was made") };
            Ok(attempt(&problem, &mut **engine, limits))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLING: Sampling = Sampling { easy: 1, exact: 3, longest: 5, proof_nodes: 100_000, opening_plies: 4 };

    #[test]
    fn problems_are_read_back_and_are_wins() {
        let start = loa::Position::start(5).expect("a size");
        let player = |words: &str| {
            let options: PlayerOptions = words.parse().expect("a player");
            options.make(&start, &Resources::default()).expect("a player")
        };
        let Built { mut engine, limits, .. } = player("nodes=500,horizon=1/0,table=1");
        let policy = loa::player::LoaPolicy::default();
        let mut found = Vec::new();
        for seed in 0..12 {
            found.extend(sample(&start, (&mut *engine, &limits), &policy, SAMPLING, seed));
        }
        assert!(found.len() >= 6, "{found:?}");
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(read::<loa::Position>(&format!("# wins\n\n{}\n", lines.join("\n"))).expect("problems"), found);
        for problem in &found {
            let truth = search::minimax(&problem.position, &policy, 3, PliesLeft::UNLIMITED).win_distance();
            assert!(problem.plies > 1 && (!problem.is_shortest || truth == Some(problem.plies)), "{problem}");
            let mut strong = player("nodes=500,horizon=5/0,table=1");
            assert!(attempt(problem, &mut *strong.engine, &limits).solved, "{problem}");
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = read::<loa::Position>("# fine\nbb--/----/----/--ww b;loss 3").expect_err("no win").to_string();
        assert!(error.contains("line 2") && error.contains("loss 3"), "{error}");
    }

    #[test]
    fn an_attempt_does_not_depend_on_those_before_it() {
        let exam = Exam {
            game: "loa".to_owned(),
            player: "nodes=300,horizon=1/0,table=1".to_owned(),
            endgames: false,
            problems: String::new(),
        };
        let resources = Resources::default();
        let one = "------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1";
        let problems = [one, "-bbb-/w---w/w---w/w---w/-bbb- b;win 11", one];
        let mut hand = exam.hand(&resources).expect("a hand");
        let all =
            problems.map(|text| hand(0, text).map(|attempt| (attempt.solved, attempt.nodes)).expect("an attempt"));
        assert!(all[0] == all[2] && all[0].0 && !all[1].0, "{all:?}");
        let alone = exam.hand(&resources).expect("a hand")(1, problems[1]).expect("an attempt");
        assert_eq!((alone.solved, alone.nodes), all[1]);
        for text in ["", "nonsense", "bb b;win 1", "----/----/----/--ww b;win x"] {
            assert!(hand(0, text).expect_err(text).0.contains("expected `position;win N`"), "{text}");
        }
    }
}
