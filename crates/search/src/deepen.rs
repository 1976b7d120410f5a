//! Iterative deepening over the moves of a root.

use core::cmp::Reverse;

use game::Position;

use crate::control::{Control, Progress, Stop, StopWhenDropped};
use crate::job::SearchJob;
use crate::ordering::sort_by_key;
use crate::params::{MAX_DEPTH, ONE_MOVE_DEPTH};
use crate::policy::{Known, Policy};
use crate::root::RootMove;
use crate::score::Score;
use crate::time_manager::TimeManager;
use crate::win_search::{Win, WinHelper, WinSearch};
use crate::worker::Worker;

/// The result of iterative deepening.
pub(crate) struct Deepened<M> {
    /// Moves, best first. Only the first [`Extent::lines`] scores are valid.
    pub(crate) moves: Vec<RootMove<M>>,
    /// Finished depth, in plies.
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// The depth and width of an iterative deepening search.
pub(crate) struct Extent<M> {
    pub(crate) deepest: u32,
    /// `true` if a depth limit is set: the search then reaches it even if there is only one legal move.
    pub(crate) whole: bool,
    pub(crate) lines: usize,
    pub(crate) threads: usize,
    /// Time management, if the time must last for a game.
    pub(crate) time_manager: Option<TimeManager<M>>,
}

/// Searches with increasing depth until the extent is reached or the search is stopped. If there is a win search, the
/// first helper continues it. With a time limit, the helper first runs the exact search for a short time. While the
/// side to move is clearly ahead, the helper runs both the proof search and the exact search.
pub(crate) fn deepen<P: Position, L: Policy<P>>(
    p: &P,
    roots: &[RootMove<P::Move>],
    job: &SearchJob<'_, L>,
    mut extent: Extent<P::Move>,
    win_search: Option<&mut WinSearch<'_, P, L>>,
    control: &mut Control<'_, P::Move>,
) -> Deepened<P::Move> {
    let (host, helpers_stop) = (control.host, Stop::new());
    let (win_helper, helpers) = (win_search.map(WinHelper::new), extent.threads - 1);
    let mut found = None;
    let mut leader = || {
        let _guard = StopWhenDropped(&helpers_stop);
        let mut job = job.clone();
        if let Some(win_helper) = &win_helper {
            job.stop = win_helper.leader_stop(&job.stop);
        }
        found = Some(lead(Worker::new(job), p, roots.to_vec(), &mut extent, win_helper.as_ref(), control));
    };
    let helper = |number: usize| {
        let win_helper = win_helper.as_ref().filter(|_| number == 0);
        help(Worker::new(job.for_helper(&helpers_stop)), p, roots.to_vec(), number as u32 + 1, win_helper);
    };
    host.threads.run(&mut leader, helpers, &helper);
    let mut found = found.expect("invariant: the host has run the leader");
    if let Some(win) = win_helper.and_then(WinHelper::into_found) {
        found.prefer(win);
    }
    found
}

impl<M: Copy + PartialEq> Deepened<M> {
    /// Moves a forced win to the front, unless a win of at most this length is already there.
    fn prefer(&mut self, (pv, plies): Win<M>) {
        let is_longer = |root: &RootMove<M>| root.score.win_distance().is_none_or(|known| known > plies);
        let place = self.moves.iter().position(|root| Some(&root.m) == pv.first());
        if let Some(place) = place.filter(|_| is_longer(&self.moves[0])) {
            self.moves[..=place].rotate_right(1);
            self.moves[0].score = Score::win_in(plies);
            self.moves[0].pv = pv;
            self.depth = self.depth.max(plies);
        }
    }
}

/// Runs the leader's search, whose results are returned.
fn lead<P: Position, L: Policy<P>>(
    mut worker: Worker<'_, P, L>,
    p: &P,
    mut moves: Vec<RootMove<P::Move>>,
    extent: &mut Extent<P::Move>,
    win_helper: Option<&WinHelper<'_, '_, P, L>>,
    control: &mut Control<'_, P::Move>,
) -> Deepened<P::Move> {
    let mut depth = 0;
    let lines = extent.lines.clamp(1, moves.len());
    while depth < extent.deepest {
        let finished = (lines > 1).then(|| moves.clone());
        if (0..lines).try_for_each(|line| worker.iterate(p, &mut moves[line..], depth + 1)).is_err() {
            if let Some(finished) = finished.filter(|_| depth > 0) {
                keep_lines(&mut moves, finished);
            }
            break;
        }
        depth += 1;
        // A later line may have become better than an earlier one.
        sort_by_key(&mut moves[..lines], |root_move| Reverse(root_move.score));
        let RootMove { score, ref pv, .. } = moves[0];
        if let Some(win_helper) = win_helper {
            win_helper.report(depth, score);
        }
        if let Some(time_manager) = &mut extent.time_manager {
            worker.job.stop.set_soft(time_manager.end(moves[0].m, score));
        }
        control.report(&Progress { depth, score, pv: pv.clone(), nodes: worker.nodes });
        // A forced result within the depth and a known result cannot change. A single move needs no comparison.
        let proven = score.win_distance().or(score.loss_distance()).is_some_and(|plies| plies <= depth)
            || worker.job.policy.known(p).is_some();
        if (proven && lines == 1) || (moves.len() == 1 && depth >= ONE_MOVE_DEPTH && !extent.whole) {
            break;
        }
    }
    for root_move in &mut moves[..lines] {
        extend(&worker.job, p, &mut root_move.pv);
    }
    Deepened { moves, depth, nodes: worker.nodes }
}

/// Replaces the lines of a stopped iteration with those of the last finished one: the stopped iteration may have
/// dropped lines, and scores of different depths are not comparable. If the stopped iteration has found a win, the win
/// comes first.
fn keep_lines<M: PartialEq>(moves: &mut Vec<RootMove<M>>, finished: Vec<RootMove<M>>) {
    let win = moves.drain(..).next().filter(|root_move| root_move.score.win_distance().is_some());
    let is_other = |root_move: &RootMove<M>| win.as_ref().is_none_or(|win| win.m != root_move.m);
    let others: Vec<RootMove<M>> = finished.into_iter().filter(is_other).collect();
    moves.extend(win.into_iter().chain(others));
}

/// Extends a principal variation to the end of the game with best moves, if the policy knows that its last position is
/// won or lost.
fn extend<P: Position, L: Policy<P>>(job: &SearchJob<'_, L>, p: &P, pv: &mut Vec<P::Move>) {
    let mut p = pv.iter().fold(p.clone(), |p, &m| p.child(m));
    while job.left.after(pv.len() as u32).finish_unless_stuck(&p).is_none() {
        let wanted = match job.policy.known(&p) {
            Some(Known::Win(plies)) => plies.checked_sub(1).map(Known::Loss),
            Some(Known::Loss(plies)) => plies.checked_sub(1).map(Known::Win),
            Some(Known::Draw) | None => None,
        };
        let keeps = |m: &P::Move| job.policy.known(&p.child(*m)) == wanted;
        let Some(m) = wanted.and_then(|_| p.movable().into_iter().find(keeps)) else { return };
        pv.push(m);
        p.play(m);
    }
}

/// Runs a helper's search, which fills the shared table; its own results are not used. Odd helpers begin one ply
/// deeper. The main search may interrupt this search to request a win search.
fn help<P: Position, L: Policy<P>>(
    mut worker: Worker<'_, P, L>,
    p: &P,
    mut moves: Vec<RootMove<P::Move>>,
    helper: u32,
    mut win_helper: Option<&WinHelper<'_, '_, P, L>>,
) {
    let stop = worker.job.stop.clone();
    if let Some(win_helper) = win_helper {
        worker.job.stop = win_helper.helper_stop(&stop);
    }
    let mut depth = 1 + helper % 2;
    while depth < MAX_DEPTH {
        if win_helper.is_some_and(|win_helper| win_helper.search_if_due(p, worker.job.left, &stop)) {
            win_helper = None;
        }
        if worker.iterate(p, &mut moves, depth).is_ok() {
            depth += 1;
        } else if stop.check(0).is_err() {
            return;
        } else {
            // The main search has requested a win search. Later requests take effect between two iterations.
            worker.job.stop = stop.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_iteration_drops_no_line() {
        let root = |(m, score)| RootMove { m, repeats: false, score: Score::units(score), pv: vec![m] };
        let lowest = |m| RootMove { m, repeats: false, score: -Score::INFINITE, pv: vec![m] };
        let finished: Vec<_> = [(1, 30), (2, 20), (3, 10)].map(root).into();
        let kept = |best| {
            let mut moves = vec![best, lowest(1), lowest(3)];
            keep_lines(&mut moves, finished.clone());
            moves.iter().map(|root| (root.m, root.score)).collect::<Vec<_>>()
        };
        assert_eq!(kept(root((2, 25))), [(1, 30), (2, 20), (3, 10)].map(|(m, units)| (m, Score::units(units))));
        let win = RootMove { score: Score::win_in(5), ..root((2, 25)) };
        assert_eq!(kept(win), [(2, Score::win_in(5)), (1, Score::units(30)), (3, Score::units(10))]);
    }

    #[test]
    fn a_forced_win_goes_first_unless_a_shorter_one_is_known() {
        let root = |m| RootMove { m, repeats: false, score: Score::DRAW, pv: vec![m] };
        let mut found = Deepened { moves: vec![root(1), root(2), root(3)], depth: 4, nodes: 9 };
        found.prefer((vec![3, 8, 7], 5));
        let order: Vec<i32> = found.moves.iter().map(|root| root.m).collect();
        assert_eq!((order, found.depth), (vec![3, 1, 2], 5));
        assert_eq!((found.moves[0].score, found.moves[0].pv.len()), (Score::win_in(5), 3));
        found.prefer((vec![2], 7));
        assert_eq!((found.moves[0].m, found.moves[0].score), (3, Score::win_in(5)));
    }
}
