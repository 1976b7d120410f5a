//! Positions with known results: sampled from games, and given to players to solve.
//!
//! A file has a line each: `position;win N`, where the side to move wins by force in `N` plies at the least, or `position;win <=N`
//! where only a proof of that length is known. Lines that begin with `#` are comments.

use core::fmt;
use core::str::FromStr;
use std::time::{Duration, Instant};

use game::{Position, Record};
use search::{Control, Engine, ForcedWins, Limits, Policy, ProofSearch, Stop, Verdict};
use thiserror::Error;

use engine::opening;

/// A position in which the side to move wins by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<P> {
    /// The position.
    pub position: P,
    /// Plies in which it is won.
    pub plies: u32,
    /// Whether there is no shorter win.
    pub is_shortest: bool,
}

/// A line that is no problem.
#[derive(Debug, Error)]
#[error("line {line}: expected `position;win N`, found `{text}`")]
pub struct ProblemError {
    /// From 1.
    pub line: usize,
    /// What stands there.
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
/// On the first line that is none.
pub fn read<P: FromStr>(text: &str) -> Result<Vec<Problem<P>>, ProblemError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
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

/// What is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Wins that a search of so many plies sees are too easy.
    pub easy: u32,
    /// The longest win that is searched for exactly, in plies.
    pub exact: u32,
    /// The longest win that is kept, in plies; beyond `exact` as far as a proof search finds one.
    pub longest: u32,
    /// Nodes that a proof search may visit.
    pub proof_nodes: u64,
    /// Random moves of each opening.
    pub opening_plies: u32,
}

/// The problems of one game of an engine against itself: the last position of the winner, looking back from the end, for each
/// distance, whose win is not too easy and not too long; with the exact search's word for it where it reaches.
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
        let choice = engine.choose(&record, limits, &mut Control::unattended())?;
        record.play(choice.best);
    }
    let winner = record.finish()?.outcome.winner()?;
    let positions: Vec<&P> = record.steps().iter().map(|step| &step.position).collect();
    let turns = positions.iter().rev().filter(|p| p.side_to_move() == winner && p.outcome().is_none());
    // From the end backwards: the first that is hard enough, one a game.
    turns.take(sampling.longest as usize).find_map(|&p| problem(p, policy, sampling))
}

/// The problem that a position poses, if it poses a fit one.
fn problem<P: Position, L: Policy<P>>(p: &P, policy: &L, sampling: Sampling) -> Option<Problem<P>> {
    let mut forced = ForcedWins::new(policy, Stop::new(), 64);
    if forced.wins(p, sampling.easy, None) == Ok(true) {
        return None;
    }
    for plies in sampling.easy + 1..=sampling.exact {
        if forced.wins(p, plies, None) == Ok(true) {
            return Some(Problem { position: p.clone(), plies, is_shortest: true });
        }
    }
    if sampling.longest <= sampling.exact {
        return None;
    }
    let mut search = ProofSearch::new(policy, Stop::new(), 256, sampling.proof_nodes);
    match search.solve(p, p.side_to_move(), None) {
        Verdict::Win { plies, .. } if plies <= sampling.longest => {
            Some(Problem { position: p.clone(), plies, is_shortest: false })
        }
        _ => None,
    }
}

/// How a player did on a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Whether the player says that it wins, with a proof.
    pub solved: bool,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Gives a problem to a player. It is solved if the player announces a win; such scores are proofs.
pub fn attempt<P: Position>(problem: &Problem<P>, engine: &mut dyn Engine<P>, limits: &Limits) -> Attempt {
    let start = Instant::now();
    let choice = engine.choose(&Record::new(problem.position.clone()), limits, &mut Control::unattended());
    let solved = choice.as_ref().is_some_and(|choice| choice.score.win_distance().is_some());
    Attempt { solved, nodes: choice.map_or(0, |choice| choice.nodes), time: start.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLING: Sampling = Sampling { easy: 1, exact: 3, longest: 5, proof_nodes: 100_000, opening_plies: 4 };

    #[test]
    fn problems_are_read_back_and_are_wins() {
        let start = loa::Position::start(5).expect("a size");
        let settings = search::Settings { win_horizon: 1, loss_horizon: 0, table_mib: 1, ..engine::loa::settings() };
        let mut engine = engine::loa::player(settings);
        let policy = engine::loa::LoaPolicy::default();
        let limits = Limits::nodes(500);
        let mut found = Vec::new();
        for seed in 0..12 {
            found.extend(sample(&start, (&mut engine, &limits), &policy, SAMPLING, seed));
        }
        assert!(found.len() >= 6, "{found:?}");
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(read::<loa::Position>(&format!("# wins\n\n{}\n", lines.join("\n"))).expect("problems"), found);
        for problem in &found {
            let truth = search::minimax(&problem.position, &policy, 3, None).win_distance();
            assert!(problem.plies > 1 && (!problem.is_shortest || truth == Some(problem.plies)), "{problem}");
            let mut strong = engine::loa::player(search::Settings { win_horizon: 5, ..settings });
            assert!(attempt(problem, &mut strong, &limits).solved, "{problem}");
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = read::<loa::Position>("# fine\nbb--/----/----/--ww b;loss 3").expect_err("no win").to_string();
        assert!(error.contains("line 2") && error.contains("loss 3"), "{error}");
    }
}
