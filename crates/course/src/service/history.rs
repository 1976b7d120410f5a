//! The Elo of each team over time.

use std::collections::BTreeMap;

use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Key of the history in the file.
const KEY: &str = "elo history";
/// Maximum number of points of a team. When it is exceeded, every other point is dropped.
const POINTS: usize = 200;
/// Time between two points, in seconds.
const INTERVAL: i64 = 600;

/// The Elo of each team over time, as pairs of seconds since 1970 and Elo.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct History {
    /// Time of the last points.
    last: i64,
    teams: BTreeMap<String, Vec<(i64, i32)>>,
}

impl History {
    /// Reads the history.
    pub(super) fn read(store: &CourseStore) -> Result<Self, CourseError> {
        // A history that this version cannot parse begins again: it is shown, and decides nothing.
        Ok(store.meta(KEY)?.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Adds a point for each team, unless the last ones are too recent. Returns `true` if it did.
    pub(super) fn add<'a>(&mut self, now: Timestamp, elo: impl IntoIterator<Item = (&'a str, f64)>) -> bool {
        let now = now.as_second();
        if now < self.last.saturating_add(INTERVAL) {
            return false;
        }
        let mut is_changed = false;
        for (team, elo) in elo {
            let points = self.teams.entry(team.to_owned()).or_default();
            points.push((now, elo.round() as i32));
            if points.len() > POINTS {
                let mut number = 0;
                points.retain(|_| {
                    number += 1;
                    number % 2 == 0
                });
            }
            is_changed = true;
        }
        if is_changed {
            self.last = now;
        }
        is_changed
    }

    /// Returns the key and the text of the history in the file.
    pub(super) fn stored(&self) -> Result<(&'static str, String), CourseError> {
        Ok((KEY, serde_json::to_string(self)?))
    }

    /// Returns the points of a team.
    pub(super) fn of(&self, team: &str) -> Vec<(String, f64)> {
        let time = |second: i64| Timestamp::from_second(second).map(|time| time.to_string()).unwrap_or_default();
        let points = self.teams.get(team).map_or(&[][..], Vec::as_slice);
        points.iter().map(|&(second, elo)| (time(second), f64::from(elo))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_bounded_and_keeps_its_last_point() {
        let mut history = History::default();
        let time = |second: i64| Timestamp::from_second(second).expect("a time");
        for point in 0..1000_i64 {
            assert!(history.add(time(INTERVAL * (point + 1)), [("a", point as f64)]));
            assert!(!history.add(time(INTERVAL * (point + 1) + 1), [("a", 0.0)]), "too recent");
        }
        let points = history.of("a");
        assert!(points.len() <= POINTS && points.is_sorted(), "{}", points.len());
        assert_eq!(points.last().map(|(_, elo)| *elo), Some(999.0));
        assert!(history.of("b").is_empty());
    }
}
