//! A simulated course: teams with known strengths, and series with random durations and results.

use std::collections::BTreeMap;

use game::SplitMix64;
use rating::GameScore;

use super::{Counts, Ladder, PLACEMENT, PlayerId};

/// A ladder with its programs and the games in play.
pub(super) struct Simulation {
    pub(super) ladder: Ladder,
    /// Strength of each version, in units of 400 / ln 10 Elo.
    strengths: BTreeMap<PlayerId, f64>,
    pub(super) rng: SplitMix64,
    /// Number of series that are played at the same time.
    slots: usize,
    /// Ends and numbers of the series in play.
    running: Vec<(u64, u32)>,
    pub(super) begun: u32,
    /// Number of series that each version has begun.
    pub(super) series: BTreeMap<PlayerId, u32>,
    pub(super) log: Vec<[PlayerId; 2]>,
}

impl Simulation {
    pub(super) fn new(seed: u64, slots: usize) -> Self {
        Self {
            ladder: Ladder::new(PLACEMENT),
            strengths: BTreeMap::new(),
            rng: SplitMix64::new(seed),
            slots,
            running: Vec::new(),
            begun: 0,
            series: BTreeMap::new(),
            log: Vec::new(),
        }
    }

    /// Creates a course whose teams each have a version, with normally distributed strengths: a standard deviation of
    /// 300 Elo.
    pub(super) fn with_teams(seed: u64, slots: usize, teams: i64) -> Self {
        let mut simulation = Self::new(seed, slots);
        for team in 0..teams {
            let strength = simulation.strength();
            simulation.submit(team, team, strength);
        }
        simulation
    }

    /// Returns a random number from 0 to 1.
    fn uniform(&mut self) -> f64 {
        self.rng.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// Returns the strength of a random program.
    pub(super) fn strength(&mut self) -> f64 {
        let sum: f64 = (0..12).map(|_| self.uniform()).sum();
        (sum - 6.0) * 300.0 * 10.0_f64.ln() / 400.0
    }

    pub(super) fn submit(&mut self, player: PlayerId, team: i64, strength: f64) {
        self.strengths.insert(player, strength);
        self.ladder.enter(player, &format!("team {team}"));
    }

    /// Begins series until all slots are in use or no pair is left, and ends the series with the earliest end.
    pub(super) fn step(&mut self) {
        while self.running.len() < self.slots {
            let Some(players) = self.ladder.next() else { break };
            self.ladder.begin(self.begun, players).expect("a pair that may play");
            let now = self.running.iter().map(|&(end, _)| end).min().unwrap_or(0);
            let end = now + 1 + self.rng.below(10) as u64;
            self.running.push((end, self.begun));
            self.begun += 1;
            self.log.push(players);
            for player in players {
                *self.series.entry(player).or_default() += 1;
            }
        }
        let Some(&first) = self.running.iter().min() else { return };
        self.running.retain(|&series| series != first);
        let players = self.log[first.1 as usize];
        let results = self.results(players);
        assert_eq!(self.ladder.finish(first.1, &results), Some(players));
    }

    /// Ends the series in play without results.
    pub(super) fn cancel_all(&mut self) {
        for (_, number) in std::mem::take(&mut self.running) {
            assert!(self.ladder.cancel(number).is_some());
        }
    }

    /// Returns the results of a series. The first move is worth 35 Elo, and a tenth of the games is drawn.
    fn results(&mut self, [one, other]: [PlayerId; 2]) -> Counts {
        let difference = self.strengths[&one] - self.strengths[&other];
        let games = [0.2, -0.2].map(|first_move| {
            let p = 1.0 / (1.0 + (-difference - first_move).exp());
            let score = match self.uniform() {
                r if r < 0.1 => GameScore::Draw,
                r if r < 0.1 + 0.9 * p => GameScore::Win,
                _ => GameScore::Loss,
            };
            (score, true)
        });
        Counts::of_series(&games)
    }

    /// Returns the number of places between a version's rank and its true rank.
    pub(super) fn places_off(&mut self, player: PlayerId) -> usize {
        let table = self.ladder.table();
        let own = self.strengths[&player];
        let above = table.iter().filter(|row| self.strengths[&row.player] > own).count() + 1;
        let rank = table.iter().find(|row| row.player == player).map_or(table.len(), |row| row.rank);
        above.abs_diff(rank)
    }
}
