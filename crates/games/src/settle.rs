//! Results of unfinished games that are already certain, under the draw rules of the game.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::{Playable, Resources};
use game::{Origin, Outcome, PliesLeft, Position, Record, Side};
use search::{ProofSearch, Stop, Verdict};

use crate::definition::Game;
use crate::known::Source;

/// Table size of a search, in MiB.
const TABLE_MIB: usize = 16;
/// Maximum number of positions of a winning strategy that are compared with the positions of the game.
const MOST_COMPARED: usize = 20_000;

/// The result of perfect play from the current position of a game: from a book, from tables, or by a proof.
///
/// A win counts only if it comes before the move limit and before a draw for lack of progress, and if no position
/// before the win would be drawn by repetition. There is no such result for a finished game, and none under the rules
/// of [`Repetitions::OpenSpiel`](crate::play::Repetitions::OpenSpiel), which the searches do not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Result.
    pub outcome: Outcome,
    /// Source of the result.
    pub source: Source,
}

/// Returns the result of a game if it is certain. The proof searches visit at most `nodes` positions.
pub(crate) fn settle<P: Game>(record: &Record<P>, resources: &Resources, nodes: u64) -> Option<Settled> {
    let root = record.position();
    let is_over = record.finish().is_some() || root.is_stuck();
    if is_over || record.match_draws().is_some_and(|draws| draws.by_board) {
        return None;
    }
    let policy = P::policy(resources);
    let bounds = Bounds::of(record);
    if let Some(fact) = P::known(root, &policy) {
        let Some(winner) = fact.winner else {
            return Some(Settled { outcome: Outcome::Draw, source: fact.source });
        };
        // Perfect play shortens the win with each move, so it only reaches positions with a shorter win.
        let is_reachable = |p: &P| {
            fact.source != Source::Tables
                || P::known(p, &policy).is_none_or(|other| other.winner == Some(winner) && other.plies < fact.plies)
        };
        if bounds.plies.allows(fact.plies) && !bounds.exhausted.values().any(is_reachable) {
            return Some(Settled { outcome: Outcome::Win(winner), source: fact.source });
        }
    }
    let mut no_win = true;
    for attacker in [root.side_to_move(), !root.side_to_move()] {
        let mut search = ProofSearch::new(&policy, Stop::new(), TABLE_MIB, nodes / 2);
        match search.solve(root, attacker, PliesLeft::UNLIMITED) {
            Verdict::Win { plies, .. } => {
                let counts = bounds.plies.allows(plies) && bounds.avoid_repetitions(&search, root, attacker);
                let settled = Settled { outcome: Outcome::Win(attacker), source: Source::Search };
                return counts.then_some(settled);
            }
            Verdict::NoWin => (),
            Verdict::Unknown => no_win = false,
        }
    }
    // Move limits and repetitions cannot create new wins.
    no_win.then_some(Settled { outcome: Outcome::Draw, source: Source::Search })
}

/// The limits for a win.
struct Bounds<P> {
    /// Maximum number of plies of the win.
    plies: PliesLeft,
    /// Positions whose next occurrence is a draw by repetition, by their keys.
    exhausted: BTreeMap<u64, P>,
    /// `true` if repetitions draw the game.
    repetitions: bool,
}

impl<P: Position> Bounds<P> {
    fn of(record: &Record<P>) -> Self {
        let Some(draws) = record.match_draws() else {
            return Self { plies: record.plies_left(), exhausted: BTreeMap::new(), repetitions: false };
        };
        let quiet = record.steps().windows(2).rev().take_while(|pair| match pair[1].origin {
            Origin::Move(m) => !pair[0].position.is_irreversible(m),
            Origin::Start | Origin::SetUp => false,
        });
        let quiet = u32::try_from(quiet.count()).unwrap_or(u32::MAX);
        let left = record.plies_left().at_most(draws.quiet_plies.saturating_sub(quiet));
        let mut times: BTreeMap<u64, (u32, &P)> = BTreeMap::new();
        for step in record.steps() {
            times.entry(step.position.key().0).or_insert((0, &step.position)).0 += 1;
        }
        let exhausted = times.into_iter().filter(|(_, (times, _))| times.saturating_add(1) >= draws.repetitions);
        let exhausted = exhausted.map(|(key, (_, position))| (key, position.clone())).collect();
        Self { plies: PliesLeft::new(left), exhausted, repetitions: draws.repetitions < u32::MAX }
    }

    /// Returns `true` if the win that the search found certainly avoids all [exhausted](Self::exhausted) positions.
    fn avoid_repetitions(&self, search: &ProofSearch<'_, P, P::Policy>, root: &P, attacker: Side) -> bool
    where
        P: Playable,
    {
        if !self.repetitions {
            return true;
        }
        let mut seen = BTreeSet::new();
        let mut todo = VecDeque::from([(root.clone(), u32::MAX)]);
        while let Some((p, before)) = todo.pop_front() {
            let is_root = seen.is_empty();
            if !is_root && self.exhausted.contains_key(&p.key().0) {
                return false;
            }
            if p.side_to_move() != attacker {
                if !seen.insert(p.key().0) {
                    continue;
                }
                let children = p.movable().into_iter().map(|m| p.child(m));
                todo.extend(children.filter(|child| child.outcome().is_none()).map(|child| (child, before)));
                continue;
            }
            // If the win gets shorter with each move, no position occurs twice.
            let Some((m, plies)) = search.winning_move(&p, PliesLeft::UNLIMITED) else { return false };
            if plies >= before {
                return false;
            }
            if !seen.insert(p.key().0) {
                continue;
            }
            if seen.len() > MOST_COMPARED {
                return false;
            }
            let after = p.child(m);
            if after.outcome().is_none() {
                todo.push_back((after, plies));
            }
        }
        true
    }
}
