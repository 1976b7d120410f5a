//! The ladder of a running course, and the games in play.

use std::collections::BTreeMap;

use crate::ladder::{Counts, Ladder, PLACEMENT};
use crate::store::players::PlayerKey;
use crate::store::practice::PracticeRequest;
use crate::store::teams::TeamRow;

/// Games that are played together.
pub(super) enum Job {
    /// A series of the ladder: its number and its players.
    Series(u32, [i64; 2]),
    /// A practice game.
    Practice(PracticeRequest),
}

/// The ladder, and its games in play.
pub(super) struct Field {
    pub(super) ladder: Ladder,
    /// Number of the next series.
    next: u32,
    /// Number of ladder games that count.
    pub(super) played: u32,
    /// Versions that play for teams, by team.
    playing: BTreeMap<String, i64>,
    /// Version of the practice game in play.
    pub(super) practising: Option<i64>,
    /// Number of series that threads play. It includes those whose versions have left the ladder.
    pub(super) busy: usize,
}

impl Field {
    /// Creates the ladder from the results of pairs of versions. `next` is the number of the next series.
    pub(super) fn new(pairs: Vec<([PlayerKey; 2], Counts)>, teams: &[TeamRow], next: u32) -> Self {
        let mut field = Self {
            ladder: Ladder::new(PLACEMENT),
            next,
            played: 0,
            playing: BTreeMap::new(),
            practising: None,
            busy: 0,
        };
        field.rebuild(pairs, teams);
        field
    }

    /// Replaces all results. Series in play continue if both versions still play.
    pub(super) fn rebuild(&mut self, pairs: Vec<([PlayerKey; 2], Counts)>, teams: &[TeamRow]) {
        let in_play: Vec<(u32, [i64; 2])> = self.ladder.in_play().collect();
        self.played = pairs.iter().map(|(_, counts)| counts.played()).sum();
        let results =
            pairs.into_iter().filter_map(|([one, other], counts)| Some(([one.version()?, other.version()?], counts)));
        self.ladder = Ladder::restore(PLACEMENT, results);
        self.playing.clear();
        self.set_playing(teams);
        for (number, players) in in_play {
            // A series of a version that left is counted from the file when it ends.
            let _ = self.ladder.begin(number, players);
        }
    }

    /// Sets the versions that play.
    pub(super) fn set_playing(&mut self, teams: &[TeamRow]) {
        for row in teams {
            let id = &row.team.id;
            let (before, now) = (self.playing.get(id).copied(), row.playing());
            if before == now {
                continue;
            }
            match now {
                Some(version) => {
                    self.ladder.enter(version, id);
                    self.playing.insert(id.clone(), version);
                }
                None => {
                    before.map(|version| self.ladder.leave(version));
                    self.playing.remove(id);
                }
            }
        }
    }

    /// Begins the next series, and returns its number and players.
    pub(super) fn begin(&mut self) -> Option<(u32, [i64; 2])> {
        let players = self.ladder.next()?;
        let number = self.next;
        self.ladder.begin(number, players).ok()?;
        self.next = self.next.wrapping_add(1);
        self.busy += 1;
        Some((number, players))
    }

    /// Ends a series with its results. Returns `false` if the ladder must be rebuilt from the file to count them.
    pub(super) fn finish(&mut self, number: u32, counts: &Counts) -> bool {
        let is_counted = self.ladder.finish(number, counts).is_some();
        if is_counted {
            self.played += counts.played();
        }
        is_counted
    }

    /// Returns the versions in play.
    pub(super) fn versions_in_play(&self) -> Vec<i64> {
        self.ladder.in_play().flat_map(|(_, players)| players).chain(self.practising).collect()
    }

    /// Returns `true` if no game is in play.
    pub(super) fn is_idle(&self) -> bool {
        self.busy == 0 && self.practising.is_none()
    }
}
