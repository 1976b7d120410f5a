//! Distributes the games of a batch over threads.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

/// Minimum number of games for each thread. Their steps take several times as long as the start of a thread.
const LEAST_GAMES: usize = 1024;

/// Data of a batch that can be divided between its games.
pub(crate) trait Divide: Sized + Send {
    /// Divides the data of `of` games into those of the first `at` games and of the others.
    fn divide(self, at: usize, of: usize) -> (Self, Self);
}

impl Divide for () {
    fn divide(self, _: usize, _: usize) -> (Self, Self) {
        ((), ())
    }
}

impl<T: Send> Divide for &mut [T] {
    fn divide(self, at: usize, of: usize) -> (Self, Self) {
        let width = self.len() / of;
        self.split_at_mut(at * width)
    }
}

impl<D: Divide> Divide for Option<D> {
    fn divide(self, at: usize, of: usize) -> (Self, Self) {
        self.map(|data| data.divide(at, of)).unzip()
    }
}

/// Consecutive games of a batch with their data.
pub(crate) struct Part<'a, G, D> {
    /// The number of the first game.
    pub(crate) first: usize,
    /// The games.
    pub(crate) games: &'a mut [G],
    /// The data of the games.
    pub(crate) data: D,
}

/// Divides the games into at most `threads` parts and runs `work` on each. Returns the results in the order of the
/// games.
///
/// The threads end with the call: threads that lived longer would be missing in child processes of `fork`. If the
/// system refuses to start a thread, the others do its work.
pub(crate) fn in_parts<G: Send, D: Divide, T: Send>(
    threads: usize,
    games: &mut [G],
    data: D,
    work: impl Fn(Part<'_, G, D>) -> T + Sync,
) -> Vec<T> {
    in_parts_of(LEAST_GAMES, threads, games, data, work)
}

/// Like [`in_parts`], with at least `least` games for each thread.
pub(crate) fn in_parts_of<G: Send, D: Divide, T: Send>(
    least: usize,
    threads: usize,
    games: &mut [G],
    data: D,
    work: impl Fn(Part<'_, G, D>) -> T + Sync,
) -> Vec<T> {
    let count = threads.min(games.len() / least).max(1);
    let mut rest = Part { first: 0, games, data };
    if count == 1 {
        return vec![work(rest)];
    }
    let mut parts = VecDeque::new();
    for left in (2..=count).rev() {
        let (at, of) = (rest.games.len() / left, rest.games.len());
        let (games, others) = rest.games.split_at_mut(at);
        let (data, other_data) = rest.data.divide(at, of);
        parts.push_back(Part { first: rest.first, games, data });
        rest = Part { first: rest.first + at, games: others, data: other_data };
    }
    parts.push_back(rest);
    let waiting = Mutex::new(parts);
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let run = || {
        let mut results = Vec::new();
        while let Some(part) = take() {
            results.push((part.first, work(part)));
        }
        results
    };
    let mut results = scope(|scope| {
        let helpers: Vec<_> = (1..count).map_while(|_| Builder::new().spawn_scoped(scope, run).ok()).collect();
        let mut results = run();
        for helper in helpers {
            results.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|&(first, _)| first);
    results.into_iter().map(|(_, result)| result).collect()
}
