//! Iterations over the moves of the root.

use core::cmp::Reverse;
use core::time::Duration;
use std::collections::HashSet;

use game::{Key, PliesLeft, Position, Record};

use crate::abdada::MoveQueue;
use crate::control::Stopped;
use crate::key::search_key;
use crate::ordering::sort_by_key;
use crate::params::{ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_MOST};
use crate::policy::Policy;
use crate::score::Score;
use crate::technique::Technique;
use crate::window::Window;
use crate::worker::Worker;

/// A root move with its last score and principal variation.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) m: M,
    /// `true` if the move leads back to a position of the game, which counts as a draw.
    pub(crate) repeats: bool,
    pub(crate) score: Score,
    pub(crate) pv: Vec<M>,
}

/// Returns the number of plies before the move limit for a search. An exhausted move limit no longer applies: the
/// position was set up, and play continues from it.
pub(crate) fn plies_left<P: Position>(game: &Record<P>) -> PliesLeft {
    Some(game.plies_left()).filter(|left| left.allows(1)).unwrap_or_default()
}

/// Returns a function that reports whether a move leads back to a position of the game; it reports `false` for every
/// move if `shuns` is `false`.
pub(crate) fn repeats<P: Position>(game: &Record<P>, shuns: bool) -> impl Fn(P::Move) -> bool {
    let steps = if shuns { game.steps() } else { &[] };
    let seen: HashSet<Key> = steps.iter().map(|step| step.position.key()).collect();
    move |m| !seen.is_empty() && seen.contains(&game.position().child(m).key())
}

impl<P: Position, L: Policy<P>> Worker<'_, P, L> {
    /// Runs one iteration over the root moves, which begin with the best move of the last iteration. Widens the window
    /// until it contains the score. On return the moves are sorted, best first; only the first score is exact.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped. If it has by then found a better move than the last iteration's
    /// best, the better move comes first.
    pub(crate) fn iterate(&mut self, p: &P, moves: &mut [RootMove<P::Move>], depth: u32) -> Result<(), Stopped> {
        let last = moves[0].score.as_units();
        let narrow = depth >= ASPIRATION_DEPTH && self.job.uses(Technique::Aspiration);
        let (mut below, mut above) = (self.job.tuning.aspiration, self.job.tuning.aspiration);
        let mut window = match last {
            Some(units) if narrow => Window { alpha: Score::units(units - below), beta: Score::units(units + above) },
            _ => Window::FULL,
        };
        loop {
            let score = self.search_root(p, moves, depth, window)?;
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                // The best move is worse than expected: allow more time to find another one.
                self.job.stop.set_soft(Duration::MAX);
                below *= ASPIRATION_GROWTH;
                window.alpha = widened(score, -below);
            } else if score >= window.beta && window.beta < Score::INFINITE {
                above *= ASPIRATION_GROWTH;
                window.beta = widened(score, above);
            } else {
                return Ok(());
            }
        }
    }

    /// Returns the value of a root move for the side to move.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    fn root_move(
        &mut self,
        p: &P,
        root_move: &RootMove<P::Move>,
        depth: u32,
        window: Window,
        first: bool,
    ) -> Result<Score, Stopped> {
        if root_move.repeats {
            return Ok(Score::DRAW);
        }
        self.step(&p.child(root_move.m), depth - 1, 0, window, 1, first)
    }

    /// Searches the root moves once with one window.
    fn search_root(
        &mut self,
        p: &P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
        window: Window,
    ) -> Result<Score, Stopped> {
        let mut found = moves.to_vec();
        let (mut alpha, mut best, mut leader) = (window.alpha, -Score::INFINITE, None);
        let mut stopped = None;
        let key = search_key(p, self.job.left);
        let mut queue = MoveQueue::new(self.job.searching, (key, depth), found.len());
        while let Some(next) = queue.next_move() {
            let index = next.index;
            let root_move = &mut found[index];
            let Some(claim) = queue.claim(next, P::pack(root_move.m)) else { continue };
            let searched = self.root_move(p, root_move, depth, Window { alpha, ..window }, index == 0);
            drop(claim);
            let score = match searched {
                Ok(score) => score,
                Err(error) => {
                    stopped = Some(error);
                    break;
                }
            };
            root_move.score = -Score::INFINITE;
            if score > alpha {
                root_move.score = score;
                root_move.pv.clear();
                root_move.pv.push(root_move.m);
                if !root_move.repeats {
                    root_move.pv.extend_from_slice(self.variation(1));
                }
                leader = Some(index);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= window.beta {
                break;
            }
        }
        if let Some(index) = leader {
            if stopped.is_none() && best < window.beta {
                // The sort is stable: moves that were not better keep the order of the last iteration.
                sort_by_key(&mut found, |root_move| Reverse(root_move.score));
                moves.clone_from_slice(&found);
            } else {
                // Put the best of the finished moves first. They include the last iteration's best move.
                moves[..=index].rotate_right(1);
                moves[0] = found.swap_remove(index);
            }
        }
        stopped.map_or(Ok(best), Err)
    }
}

/// Returns the new bound of a window that did not contain the score: `by` units from the score, or infinite if `by` is
/// large or the score is a forced result.
fn widened(score: Score, by: i32) -> Score {
    match score.as_units() {
        Some(units) if by.abs() < ASPIRATION_MOST => Score::units(units + by),
        _ if by < 0 => -Score::INFINITE,
        _ => Score::INFINITE,
    }
}
