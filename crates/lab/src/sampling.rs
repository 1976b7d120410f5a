//! Sampling of positions with forced wins from games of an engine against itself.

use engine::opening;
use game::{PliesLeft, Position};
use measure::suite::Problem;
use search::{Control, Engine, ForcedWins, Limits, Policy, ProofSearch, Stop, Verdict};

/// The parameters of sampling.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Length of a win, in plies, up to which the problem is too easy.
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

/// Samples a problem from one game of an engine against itself. It goes back from the end of the game and returns the
/// first position with the winner to move whose win is neither too easy nor too long.
pub fn sample<P: Position, L: Policy<P>>(
    start: &P,
    (engine, limits): (&mut dyn Engine<P>, &Limits),
    policy: &L,
    sampling: Sampling,
    seed: u64,
) -> Option<Problem> {
    let mut record = opening(start, sampling.opening_plies, 300, seed);
    engine.new_game(seed);
    while record.finish().is_none() {
        let choice = engine.choose(&record, limits, &mut Control::on(search::SYSTEM))?;
        record.play(choice.best);
    }
    let winner = record.finish()?.outcome.winner()?;
    let positions: Vec<&P> = record.steps().iter().map(|step| &step.position).collect();
    let turns = positions.iter().rev().filter(|p| p.side_to_move() == winner && p.outcome().is_none());
    turns.take(sampling.longest as usize).find_map(|&p| problem(p, policy, sampling))
}

/// Returns the position as a problem, if the length of its win is in the sampled range.
fn problem<P: Position, L: Policy<P>>(p: &P, policy: &L, sampling: Sampling) -> Option<Problem> {
    let mut forced = ForcedWins::new(policy, Stop::new(), 64);
    if forced.wins(p, sampling.easy, PliesLeft::UNLIMITED) == Ok(true) {
        return None;
    }
    if let Ok(Some((_, plies))) = forced.shortest_win(p, sampling.exact, PliesLeft::UNLIMITED) {
        return Some(Problem { position: p.to_string(), plies, is_shortest: true });
    }
    if sampling.longest <= sampling.exact {
        return None;
    }
    let mut search = ProofSearch::new(policy, Stop::new(), 256, sampling.proof_nodes);
    match search.solve(p, p.side_to_move(), PliesLeft::UNLIMITED) {
        Verdict::Win { plies, .. } if plies <= sampling.longest => {
            Some(Problem { position: p.to_string(), plies, is_shortest: false })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Built, PlayerOptions, Resources};
    use game::Record;
    use search::minimax;

    const SAMPLING: Sampling = Sampling { easy: 1, exact: 3, longest: 5, proof_nodes: 100_000, opening_plies: 4 };

    #[test]
    fn sampled_problems_are_wins() {
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
        for problem in &found {
            let p: loa::Position = problem.position.parse().expect("a position");
            let truth = minimax(&p, &policy, 3, PliesLeft::UNLIMITED).win_distance();
            assert!(problem.plies > 1 && (!problem.is_shortest || truth == Some(problem.plies)), "{problem}");
            let mut strong = player("nodes=500,horizon=5/0,table=1");
            let choice = strong.engine.choose(&Record::new(p), &limits, &mut Control::unattended()).expect("a move");
            assert!(choice.score.win_distance().is_some(), "{problem}");
        }
    }
}
