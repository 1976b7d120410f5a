//! Iterative deepening over the moves of a root.

use core::cmp::Reverse;
use std::collections::VecDeque;

use game::Position;

use crate::busy::Busy;
use crate::forced::search_key;
use crate::worker::{MAX_DEPTH, Task, Window, Worker};
use crate::{Control, Known, Policy, Progress, Score, Stop, Stopped, Technique};

/// A root move with its last value and line.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) m: M,
    /// Whether it leads back to a position of the game, which counts as a draw.
    pub(crate) repeats: bool,
    pub(crate) score: Score,
    pub(crate) line: Vec<M>,
}

/// What an iterative deepening has found.
pub(crate) struct Deepened<M> {
    /// The moves, the best first; of those beyond the lines that were asked for only the order means something.
    pub(crate) moves: Vec<RootMove<M>>,
    /// Finished depth, in plies.
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// How far, and how many lines.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) deepest: u32,
    /// Whether only the depth limits the search, so that it goes on where nothing is left to decide.
    pub(crate) whole: bool,
    pub(crate) lines: usize,
    pub(crate) threads: usize,
}

/// Half the width of the first window around the last score, in hundredths of a piece. Guessed.
const ASPIRATION: i32 = 20;
/// The window is narrowed from this depth on.
const ASPIRATION_DEPTH: u32 = 5;

/// Searches deeper and deeper until the extent is reached or the search is stopped.
pub(crate) fn deepen<P: Position, L: Policy<P>>(
    p: &P,
    roots: Vec<RootMove<P::Move>>,
    task: Task<'_, L>,
    extent: Extent,
    control: &mut Control<'_, P::Move>,
) -> Deepened<P::Move> {
    let helpers_stop = Stop::new();
    std::thread::scope(|scope| {
        for helper in 1..extent.threads {
            let worker = Worker::new(task.for_helper(&helpers_stop));
            let roots = roots.clone();
            scope.spawn(move || help(worker, p, roots, helper as u32));
        }
        let found = lead(Worker::new(task), p, roots, extent, control);
        helpers_stop.stop();
        found
    })
}

/// The search whose results count.
fn lead<P: Position, L: Policy<P>>(
    mut worker: Worker<'_, P, L>,
    p: &P,
    mut moves: Vec<RootMove<P::Move>>,
    extent: Extent,
    control: &mut Control<'_, P::Move>,
) -> Deepened<P::Move> {
    let mut depth = 0;
    let lines = extent.lines.clamp(1, moves.len());
    while depth < extent.deepest {
        if (0..lines).try_for_each(|line| worker.iterate(p, &mut moves[line..], depth + 1)).is_err() {
            break;
        }
        depth += 1;
        // A later line may have turned out better than an earlier one.
        moves[..lines].sort_by_key(|root_move| Reverse(root_move.score));
        let RootMove { score, ref line, .. } = moves[0];
        control.report(&Progress { depth, score, line: line.clone(), nodes: worker.nodes });
        // A forced result within the depth will not change, nor one that is known; a single move needs no comparison.
        let proven = score.win_distance().or(score.loss_distance()).is_some_and(|plies| plies <= depth)
            || worker.task.policy.known(p).is_some();
        if (proven && lines == 1) || (moves.len() == 1 && depth >= 4 && !extent.whole) {
            break;
        }
    }
    for root_move in &mut moves[..lines] {
        go_on(&worker.task, p, &mut root_move.line);
    }
    Deepened { moves, depth, nodes: worker.nodes }
}

/// Continues a line with the best moves, from where the policy knows who wins to the end of the game.
fn go_on<P: Position, L: Policy<P>>(task: &Task<'_, L>, p: &P, line: &mut Vec<P::Move>) {
    let mut p = line.iter().fold(p.clone(), |p, &m| p.child(m));
    while task.left.is_none_or(|left| line.len() < left as usize) && p.decided().is_none() {
        let wanted = match task.policy.known(&p) {
            Some(Known::Win(plies)) => plies.checked_sub(1).map(Known::Loss),
            Some(Known::Loss(plies)) => plies.checked_sub(1).map(Known::Win),
            Some(Known::Draw) | None => None,
        };
        let keeps = |m: &P::Move| task.policy.known(&p.child(*m)) == wanted;
        let Some(m) = wanted.and_then(|_| p.movable().into_iter().find(keeps)) else { return };
        line.push(m);
        p.play(m);
    }
}

/// A helper's search: it fills the shared table, its own results are not used. Odd helpers run a ply ahead.
fn help<P: Position, L: Policy<P>>(
    mut worker: Worker<'_, P, L>,
    p: &P,
    mut moves: Vec<RootMove<P::Move>>,
    helper: u32,
) {
    for depth in 1 + helper % 2..MAX_DEPTH {
        if worker.iterate(p, &mut moves, depth).is_err() {
            return;
        }
    }
}

impl<P: Position, L: Policy<P>> Worker<'_, P, L> {
    /// One iteration over the root moves, the best of the last one first, with a window that is widened until it holds the
    /// score. On return the moves are sorted, best first; the scores of the others are bounds.
    ///
    /// # Errors
    /// If it was stopped. The moves whose search was finished are then still sorted, so that a better one than the last
    /// iteration's best is not lost; there is such a one only if that one was searched before.
    pub(crate) fn iterate(&mut self, p: &P, moves: &mut [RootMove<P::Move>], depth: u32) -> Result<(), Stopped> {
        let last = moves[0].score.as_units();
        let narrow = depth >= ASPIRATION_DEPTH && self.uses(Technique::Aspiration);
        let (mut below, mut above) = (ASPIRATION, ASPIRATION);
        let mut window = match last {
            Some(units) if narrow => Window { alpha: Score::units(units - below), beta: Score::units(units + above) },
            _ => Window::FULL,
        };
        loop {
            let score = self.search_root(p, moves, depth, window)?;
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                below *= 4;
                window.alpha = widened(score, -below);
            } else if score >= window.beta && window.beta < Score::INFINITE {
                above *= 4;
                window.beta = widened(score, above);
            } else {
                return Ok(());
            }
        }
    }

    /// One pass over the root moves with one window.
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
        let key = search_key(p, self.task.left);
        let mut order: VecDeque<(usize, bool)> = (0..found.len()).map(|index| (index, false)).collect();
        while let Some((index, last)) = order.pop_front() {
            let root_move = &mut found[index];
            // Moves that another thread is at come last.
            let job = self.task.busy.map(|busy| (busy, Busy::job(key, P::pack(root_move.m), depth)));
            if index > 0 && !last && job.is_some_and(|(busy, job)| busy.is_at(job)) {
                order.push_back((index, true));
                continue;
            }
            if let Some((busy, job)) = job {
                busy.begin(job);
            }
            let searched = self.root_move(p, root_move, depth, Window { alpha, ..window }, index == 0);
            if let Some((busy, job)) = job {
                busy.end(job);
            }
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
                root_move.line.clear();
                root_move.line.push(root_move.m);
                if !root_move.repeats {
                    root_move.line.extend_from_slice(self.line(1));
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
                // Stable: moves that were not better keep the order of the last iteration.
                found.sort_by_key(|root_move| Reverse(root_move.score));
                moves.clone_from_slice(&found);
            } else {
                // Of the moves that were finished this one is the best, the last iteration's best among them.
                moves[..=index].rotate_right(1);
                moves[0] = found.swap_remove(index);
            }
        }
        stopped.map_or(Ok(best), Err)
    }
}

/// The end of a window that the score went beyond, moved further; all the way where the score is a forced result.
fn widened(score: Score, by: i32) -> Score {
    match score.as_units() {
        Some(units) if by.abs() < 1_000 => Score::units(units + by),
        _ if by < 0 => -Score::INFINITE,
        _ => Score::INFINITE,
    }
}
