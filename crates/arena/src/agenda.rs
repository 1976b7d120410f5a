//! The remaining games, and the order in which they are played.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::log::{GameLog, ResultLog};
use crate::plan::Plan;
use crate::planned::Planned;
use crate::starts::Absent;
use crate::starts::Starts;

/// The sort key of a pair's next game. The pair with the smallest key is the most urgent and plays next. The key
/// consists of three numbers: the games between the two agents, the larger of the agents' total numbers of games, and
/// the sum of these totals.
type Urgency = (u32, u32, u32);

/// The remaining games. The next game is between the two agents that have met least often. Of several such pairs, the
/// one whose agents have played the fewest games is next. So even an interrupted tournament has compared all agents.
#[derive(Debug)]
pub(crate) struct Agenda {
    plan: Plan,
    /// Numbers of the waiting games of each pair of agents. The range may include finished games.
    waiting: BTreeMap<[usize; 2], core::ops::Range<u32>>,
    /// All waiting pairs, each with the key that it had when it was queued. A pair's key only grows, so the stored key
    /// is a lower bound, and `next_pair` need not recompute the keys of all pairs.
    queued: BinaryHeap<Reverse<(Urgency, [usize; 2])>>,
    /// For each bout, keyed by its first game: the end of the range of games that have been queued so far.
    listed: BTreeMap<u32, u32>,
    /// Games that have been handed out and have no result yet.
    in_play: BTreeSet<u32>,
    /// Those of them that were given back, and can be taken again.
    returned: Vec<Planned>,
    played: BTreeMap<usize, u32>,
    met: BTreeMap<[usize; 2], u32>,
    starts: Starts,
}

impl Agenda {
    /// Creates an agenda of those games of a plan that have no result.
    pub(crate) fn new(plan: Plan) -> Self {
        let mut agenda = Self {
            plan,
            waiting: BTreeMap::new(),
            queued: BinaryHeap::new(),
            listed: BTreeMap::new(),
            in_play: BTreeSet::new(),
            returned: Vec::new(),
            played: BTreeMap::new(),
            met: BTreeMap::new(),
            starts: Starts::default(),
        };
        let done: Vec<[usize; 2]> = agenda.plan.rounds().played().collect();
        for agents in done {
            agenda.count(agents);
        }
        agenda.list();
        agenda
    }

    /// Sets the record of which agents have started so far.
    pub(crate) fn with_starts(self, starts: Starts) -> Self {
        Self { starts, ..self }
    }

    /// Returns the withdrawn agents of a game; `None` if the game must be played.
    pub(crate) fn absent(&self, planned: &Planned) -> Option<Absent> {
        self.starts.absent(planned.agents)
    }

    /// Records a finished game that was handed out.
    pub(crate) fn record(&mut self, game: &GameLog) {
        self.starts.record(game);
        self.finish(game.planned.number, game.planned.agents, game.result);
    }

    /// Hands out the next game; `None` if no known game is left.
    pub(crate) fn take(&mut self) -> Option<Planned> {
        let pair = self.next_pair()?;
        let numbers = self.waiting.get_mut(&pair)?;
        let number = numbers.next()?;
        self.skip_played(pair);
        let game = self.plan.game(number)?;
        self.in_play.insert(number);
        self.count(game.agents);
        self.queue(pair);
        Some(game)
    }

    /// Queues a pair if it has waiting games.
    fn queue(&mut self, pair: [usize; 2]) {
        if self.waiting.contains_key(&pair) {
            self.queued.push(Reverse((self.urgency(pair), pair)));
        }
    }

    /// Removes the most urgent pair with waiting games from the queue.
    fn next_pair(&mut self) -> Option<[usize; 2]> {
        loop {
            let Reverse((before, pair)) = self.queued.pop()?;
            if !self.waiting.contains_key(&pair) {
                continue;
            }
            if self.urgency(pair) == before {
                return Some(pair);
            }
            self.queue(pair);
        }
    }

    fn urgency(&self, pair: [usize; 2]) -> Urgency {
        let [one, other] = pair.map(|agent| self.played.get(&agent).copied().unwrap_or(0));
        (self.met.get(&pair).copied().unwrap_or(0), one.max(other), one + other)
    }

    /// Records the result of a game that was handed out.
    pub(crate) fn finish(&mut self, number: u32, agents: [usize; 2], result: ResultLog) {
        self.in_play.remove(&number);
        if self.plan.record([(number, (agents, result))]) {
            self.list();
        }
    }

    /// Returns `true` if no game is left and no result can lead to a further game.
    pub(crate) fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.in_play.is_empty()
    }

    /// Adds games that have become known.
    fn list(&mut self) {
        let mut fresh = Vec::new();
        for bout in self.plan.rounds().bouts() {
            let numbers = bout.numbers();
            let listed = self.listed.get(&bout.first_game).copied().unwrap_or(bout.first_game);
            if listed < numbers.end {
                fresh.push((bout.agents, bout.first_game, listed..numbers.end));
            }
        }
        for (mut pair, first_game, numbers) in fresh {
            self.listed.insert(first_game, numbers.end);
            pair.sort_unstable();
            self.waiting.insert(pair, numbers);
            self.skip_played(pair);
            self.queue(pair);
        }
    }

    /// Advances a pair to its next unplayed game.
    fn skip_played(&mut self, pair: [usize; 2]) {
        let Some(numbers) = self.waiting.get_mut(&pair) else { return };
        while numbers.start < numbers.end && self.plan.rounds().is_played(numbers.start) {
            numbers.start += 1;
        }
        if numbers.start == numbers.end {
            self.waiting.remove(&pair);
        }
    }

    fn count(&mut self, mut agents: [usize; 2]) {
        agents.sort_unstable();
        *self.met.entry(agents).or_default() += 1;
        for agent in agents {
            *self.played.entry(agent).or_default() += 1;
        }
    }
}

/// The agenda that the playing threads share: it hands out games to them and collects the results.
pub(crate) struct Arbiter {
    agenda: Mutex<Agenda>,
    /// Notified about each result, and about the end of the tournament.
    changed: Condvar,
    stop: AtomicBool,
}

impl Arbiter {
    pub(crate) fn new(agenda: Agenda) -> Self {
        Self { agenda: Mutex::new(agenda), changed: Condvar::new(), stop: AtomicBool::new(false) }
    }

    /// Waits for the next game, which may have been given back; `None` at the end of the tournament.
    pub(crate) fn next(&self) -> Option<Planned> {
        let mut agenda = self.lock();
        loop {
            if self.is_stopped() {
                return None;
            }
            match agenda.returned.pop().or_else(|| agenda.take()) {
                Some(game) => return Some(game),
                None if agenda.is_over() => return None,
                // Results of games in play may lead to further games.
                None => agenda = self.changed.wait(agenda).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Returns the next game that has not been given back; `None` if there is none at the moment.
    pub(crate) fn try_next(&self) -> Option<Planned> {
        let mut agenda = self.lock();
        if self.is_stopped() { None } else { agenda.take() }
    }

    /// Gives back a game, which [`next`](Self::next) then returns again.
    pub(crate) fn give_back(&self, game: Planned) {
        self.lock().returned.push(game);
        self.changed.notify_all();
    }

    /// Returns `true` if no game is left, or the tournament was stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.is_stopped() || self.lock().is_over()
    }

    /// Records a finished game.
    pub(crate) fn finish(&self, game: &GameLog) {
        self.lock().record(game);
        self.changed.notify_all();
    }

    /// Returns the withdrawn agents of a game; `None` if the game must be played.
    pub(crate) fn absent(&self, planned: &Planned) -> Option<Absent> {
        self.lock().absent(planned)
    }

    /// Ends the tournament and cancels the games in play.
    pub(crate) fn stop(&self) {
        // Set under the lock, so that no thread can start waiting after the notification.
        let agenda = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        drop(agenda);
        self.changed.notify_all();
    }

    /// Returns `true` if the tournament was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Agenda> {
        self.agenda.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that ends the tournament if its thread panics during a game, so that no other thread waits for the result.
pub(crate) struct Guard<'a>(pub(crate) &'a Arbiter);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;
    use crate::rounds::Played;
    use game::SplitMix64;

    #[test]
    fn all_agents_play_about_equally_often() {
        let mut agenda = Agenda::new(plan(6, 10, "round-robin"));
        let mut played = [0_i32; 6];
        while let Some(game) = agenda.take() {
            for agent in game.agents {
                played[agent] += 1;
            }
            let (most, least) = (played.iter().max().expect("six"), played.iter().min().expect("six"));
            assert!(most - least <= 2, "{played:?}");
            agenda.finish(game.number, game.agents, ResultLog::Draw);
        }
        assert_eq!((played, agenda.is_over()), ([50; 6], true));
    }

    #[test]
    fn all_pairs_meet_about_equally_often() {
        for agents in [4, 5, 6] {
            let mut agenda = Agenda::new(plan(agents, 10, "round-robin"));
            let pairs = agents * (agents - 1) / 2;
            let mut met = BTreeMap::<[usize; 2], usize>::new();
            for _ in 0..2 * pairs {
                let mut game = agenda.take().expect("ten games a pair");
                game.agents.sort_unstable();
                *met.entry(game.agents).or_default() += 1;
                agenda.finish(game.number, game.agents, ResultLog::Draw);
            }
            assert!(met.len() == pairs && met.values().all(|&games| games == 2), "{met:?}");
        }
    }

    /// The queue returns the same pair as a search through all pairs.
    #[test]
    fn the_most_urgent_pair_plays_next() {
        for format in ["round-robin", "gauntlet", "swiss", "knockout"] {
            let mut plan = plan(9, 6, format);
            let done: Vec<_> = plan.games().filter(|game| game.seed % 3 == 0).collect();
            plan.record(done.iter().map(|game| (game.number, (game.agents, result(game, 2)))));
            let mut agenda = Agenda::new(plan);
            while !agenda.is_over() {
                let wanted = agenda.waiting.keys().copied().min_by_key(|&pair| (agenda.urgency(pair), pair));
                let mut game = agenda.take().expect("a game waits");
                let result = result(&game, 2);
                agenda.finish(game.number, game.agents, result);
                game.agents.sort_unstable();
                assert_eq!(Some(game.agents), wanted, "{format}");
            }
        }
    }

    #[test]
    fn finished_games_are_not_played_again() {
        let mut plan = plan(4, 4, "round-robin");
        let done: BTreeSet<u32> = [0, 3, 7, 23].into();
        let results: Vec<_> = plan.games().filter(|game| done.contains(&game.number)).collect();
        plan.record(results.iter().map(|game| (game.number, (game.agents, ResultLog::Draw))));
        let mut agenda = Agenda::new(plan);
        let mut numbers: BTreeSet<u32> = core::iter::from_fn(|| agenda.take()).map(|game| game.number).collect();
        assert!(numbers.is_disjoint(&done));
        numbers.extend(done);
        assert_eq!(numbers.len(), 24);
    }

    /// Returns a result that depends only on the game's seed and agents. The agent with the lower number wins more
    /// often.
    fn result(game: &Planned, draws: usize) -> ResultLog {
        let mut rng = SplitMix64::new(game.seed);
        let better = if game.agents[0] < game.agents[1] { ResultLog::First } else { ResultLog::Second };
        let worse = if better == ResultLog::First { ResultLog::Second } else { ResultLog::First };
        if rng.below(10) < draws {
            ResultLog::Draw
        } else if rng.below(3) == 0 {
            worse
        } else {
            better
        }
    }

    /// Plays a tournament with up to `jobs` games at a time, which end in random order. It is interrupted about once in
    /// `breaks` games and resumes from the results alone. Returns all results.
    fn play(make: &dyn Fn() -> Plan, draws: usize, jobs: usize, breaks: usize) -> BTreeMap<u32, Played> {
        let mut rng = SplitMix64::new(jobs as u64);
        let mut done = BTreeMap::new();
        let mut agenda = Agenda::new(make());
        let mut in_play: Vec<Planned> = Vec::new();
        loop {
            while in_play.len() < jobs
                && let Some(game) = agenda.take()
            {
                in_play.push(game);
            }
            if in_play.is_empty() {
                assert!(agenda.is_over() && agenda.plan.rounds().is_over());
                assert_eq!(done.len() as u32, agenda.plan.planned());
                return done;
            }
            let game = in_play.swap_remove(rng.below(in_play.len()));
            let played = (game.agents, result(&game, draws));
            assert!(done.insert(game.number, played).is_none(), "game {} was played twice", game.number);
            agenda.finish(game.number, played.0, played.1);
            if rng.below(breaks) == 0 {
                in_play.clear();
                let mut plan = make();
                plan.record(done.clone());
                assert_eq!(plan.rounds().stray(), None);
                agenda = Agenda::new(plan);
            }
        }
    }

    /// The remaining games follow from the specification and the results: neither interruptions nor the number of games
    /// at a time change which games are played.
    #[test]
    fn an_interrupted_tournament_resumes_with_the_same_games() {
        for format in ["swiss", "knockout", "round-robin"] {
            for agents in [2, 3, 5, 8, 13, 16] {
                for (games, draws) in [(2, 2), (4, 9), (1, 3)] {
                    if games == 1 && format != "swiss" {
                        continue;
                    }
                    let make = || plan(agents, games, format);
                    let straight = play(&make, draws, 1, usize::MAX);
                    for jobs in [1, 3, 8] {
                        assert_eq!(play(&make, draws, jobs, 20), straight, "{format} {agents} {games}");
                    }
                }
            }
        }
    }

    /// A knockout in which every game is drawn ends: after three additional pairs of games the higher seed advances.
    #[test]
    fn drawn_bouts_end() {
        let make = || plan(6, 2, "knockout");
        let results = play(&make, 10, 2, 20);
        assert_eq!(results.len(), 5 * (2 + 2 * 3));
        let mut plan = make();
        plan.record(results);
        let (cup, bouts) = plan.rounds().knockout().expect("a knockout");
        assert_eq!((cup.champion(), cup.ranking()), (Some(0), vec![0, 1, 2, 3, 4, 5]));
        assert!(bouts.iter().flatten().all(|bout| bout.games == 8 && plan.rounds().half_points(bout) == [8, 8]));
    }

    /// Each game of 100 agents in seven rounds is planned once, and a stored game with wrong agents is detected.
    #[test]
    fn a_swiss_of_a_hundred() {
        let make = || plan(100, 1, "swiss");
        let results = play(&make, 2, 16, 100);
        assert_eq!(results.len(), 7 * 50);
        let mut plan = make();
        plan.record(results.clone());
        assert_eq!((plan.rounds().stray(), plan.rounds().number_of_rounds()), (None, 7));
        let mut changed = results;
        let other = changed[&230].0;
        changed.insert(231, (other, ResultLog::Draw));
        let mut plan = make();
        plan.record(changed);
        assert_eq!(plan.rounds().stray(), Some(231));
    }

    /// Threads wait for results that lead to further games, and end when no game can follow.
    #[test]
    fn threads_wait_for_the_next_round() {
        let arbiter = Arbiter::new(Agenda::new(plan(8, 2, "swiss")));
        let count = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..5 {
                scope.spawn(|| {
                    while let Some(game) = arbiter.next() {
                        count.fetch_add(1, Ordering::Relaxed);
                        arbiter.lock().finish(game.number, game.agents, result(&game, 3));
                        arbiter.changed.notify_all();
                    }
                });
            }
        });
        assert_eq!(count.into_inner(), 3 * 4 * 2);
        let stopped = Arbiter::new(Agenda::new(plan(8, 2, "swiss")));
        std::thread::scope(|scope| {
            // Three threads take all games of the first round and wait.
            let waiting = [(); 3].map(|()| scope.spawn(|| core::iter::from_fn(|| stopped.next()).count()));
            while !stopped.lock().waiting.is_empty() {
                std::thread::yield_now();
            }
            stopped.stop();
            let taken: usize = waiting.into_iter().map(|thread| thread.join().expect("no panic")).sum();
            assert_eq!(taken, 8);
        });
    }
}
