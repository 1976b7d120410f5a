//! The ladder: which versions play the next series, and the ratings that follow from all results.
//!
//! A [`Ladder`] neither reads nor writes files, has no clock, and is deterministic: the same calls lead to the same
//! pairings and the same table. Its players are versions of the teams' programs; a team has at most one version that
//! plays. A series is two games from one opening with exchanged colours. Practice games are not part of the ladder.
//!
//! The rules of the pairing are in [`Ladder::next`], the model of the ratings is in [`rating::LadderRatings`].

mod pairing;
mod table;

use std::collections::BTreeMap;

use rating::{Estimate, GameScore, LadderRatings};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Number that identifies a version, such as the number of its upload.
pub type PlayerId = i64;

/// Default number of series for which a new version has precedence.
///
/// Measured in simulations of 300 new versions among 30 teams and of 150 among 300 teams, with a standard deviation of
/// 300 Elo between teams. "Places" is the distance between the rank of a new version and its true rank: median, and
/// 90th percentile.
///
/// | teams | after 8 series | after 16 series |
/// | --- | --- | --- |
/// | 30 | 2, 6 places | 1, 5 places |
/// | 300 | 22, 62 places | 17, 47 places |
///
/// This is close to what the games can tell: 8 series are 16 games, whose standard error is 87 Elo, and one place
/// corresponds to 25 Elo in the middle of 30 teams and to 2.5 Elo in the middle of 300.
pub const PLACEMENT: u32 = 8;

/// A continuous competition between versions of programs.
///
/// ```
/// use course::{Counts, Ladder, PLACEMENT};
/// use rating::GameScore::{Draw, Win};
///
/// let mut ladder = Ladder::new(PLACEMENT);
/// ladder.enter(1, "ann");
/// ladder.enter(2, "bob");
/// let players = ladder.next().expect("two teams have a version");
/// ladder.begin(1, players)?;
/// assert_eq!(ladder.next(), None, "the only pair is playing");
/// ladder.finish(1, &Counts::of_series(&[(Win, true), (Draw, true)]));
/// let table = ladder.table();
/// assert_eq!((table[0].player, table[0].points), (players[0], 1.5));
/// assert!(ladder.next().is_some());
/// # Ok::<(), course::BeginError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ladder {
    placement: u32,
    versions: Vec<Version>,
    by_id: BTreeMap<PlayerId, usize>,
    teams: Vec<Team>,
    by_name: BTreeMap<String, usize>,
    meetings: Vec<Meeting>,
    by_players: BTreeMap<[usize; 2], usize>,
    /// Series in play, by number, with the indices of their versions.
    in_play: BTreeMap<u32, [usize; 2]>,
    ratings: LadderRatings,
    /// The last table; `None` if something has changed since then.
    table: Option<Vec<LadderRow>>,
}

/// A version of a program.
#[derive(Clone, Debug)]
struct Version {
    id: PlayerId,
    /// Index of the team; `None` if the version has results but never entered.
    team: Option<usize>,
    /// Number of series, including those in play.
    series: u32,
    /// Strength that the pairing assumes before the first result, in the unit of [`LadderRatings::strengths`].
    prior: f64,
    /// Strength that the pairing assumes.
    strength: f64,
    /// Indices of the version's meetings.
    meetings: Vec<usize>,
}

/// A team.
#[derive(Clone, Debug)]
struct Team {
    name: String,
    /// Index of the version that plays.
    plays: Option<usize>,
    /// Number of series that the pairing counts as the team's share; see [`Ladder::enter`].
    share: u64,
}

/// The series of two versions.
#[derive(Clone, Debug)]
struct Meeting {
    /// Indices of the versions, in ascending order.
    players: [usize; 2],
    /// Results, from the point of view of the first version.
    counts: Counts,
    /// Number of series, including one in play.
    series: u32,
    in_play: bool,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderRow {
    /// Place, from 1. Versions without a rated game share the place after the others.
    pub rank: usize,
    /// Version.
    pub player: PlayerId,
    /// Team.
    pub team: String,
    /// Elo relative to the mean of the versions that play, with half of its 95 % interval; `None` before the first
    /// rated game.
    pub elo: Option<Estimate>,
    /// Number of games won, drawn and lost.
    pub games: [u32; 3],
    /// Points: one for a win, half a point for a draw.
    pub points: f64,
    /// Number of series, including those in play.
    pub series: u32,
}

/// The results between two versions, from the point of view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Numbers of games won, drawn and lost. They give the points.
    pub games: [u32; 3],
    /// Numbers of series of two rated games, by points: 0, ½, 1, 1½, 2.
    pub pairs: [u32; 5],
    /// Numbers of rated games whose series has no other rated game, by points: 0, ½, 1.
    pub singles: [u32; 3],
}

impl Counts {
    /// Counts a series of at most two games. Each item has the score of a game and whether the game counts for ratings:
    /// a game in which an agent did not start gives points, but its result does not depend on strength. Void games are
    /// omitted.
    pub fn of_series(games: &[(GameScore, bool)]) -> Self {
        let mut counts = Self::default();
        for (score, _) in games {
            counts.games[2 - score.half_points()] += 1;
        }
        let mut rated = games.iter().filter(|&&(_, is_rated)| is_rated).map(|(score, _)| score.half_points());
        match (rated.next(), rated.next()) {
            (Some(one), Some(other)) => counts.pairs[one + other] += 1,
            (Some(one), None) => counts.singles[one] += 1,
            _ => (),
        }
        counts
    }

    /// Adds the results of other series of the same versions.
    pub fn add(&mut self, other: &Self) {
        let add = |to: &mut [u32], from: &[u32]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(&mut self.games, &other.games);
        add(&mut self.pairs, &other.pairs);
        add(&mut self.singles, &other.singles);
    }

    /// Returns the results from the point of view of the second version.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let Self { mut games, mut pairs, mut singles } = *self;
        games.reverse();
        pairs.reverse();
        singles.reverse();
        Self { games, pairs, singles }
    }

    /// Returns the points of the first version.
    pub fn points(&self) -> f64 {
        f64::from(self.games[0]) + f64::from(self.games[1]) / 2.0
    }

    /// Returns the number of games.
    pub fn played(&self) -> u32 {
        self.games.iter().sum()
    }

    /// Returns the number of series, if at most one of them has a single game.
    fn series(&self) -> u32 {
        self.played().div_ceil(2)
    }

    /// Returns the results that count for ratings.
    fn rated(&self, players: [usize; 2]) -> rating::Results {
        rating::Results { players, pairs: self.pairs, singles: self.singles }
    }
}

/// Errors of beginning a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BeginError {
    /// A version does not play.
    #[error("version {0} does not play in the ladder")]
    Absent(PlayerId),
    /// Both versions belong to one team, or are the same.
    #[error("versions {} and {} belong to the same team, expected two teams", .0[0], .0[1])]
    SameTeam([PlayerId; 2]),
    /// The versions are already playing.
    #[error("versions {} and {} are already playing a series", .0[0], .0[1])]
    InPlay([PlayerId; 2]),
    /// Another series has this number.
    #[error("series {0} has already begun")]
    Number(u32),
}

impl Ladder {
    /// Creates a ladder without versions. A new version has precedence for its first `placement` series; see
    /// [`next`](Self::next).
    pub fn new(placement: u32) -> Self {
        Self::restore(placement, [])
    }

    /// Creates a ladder without versions that play, from the results of earlier series. Each pair of versions needs at
    /// most one item, with the results from the point of view of the first version. Versions play again after
    /// [`enter`](Self::enter).
    pub fn restore(placement: u32, results: impl IntoIterator<Item = ([PlayerId; 2], Counts)>) -> Self {
        let mut ladder = Self {
            placement,
            versions: Vec::new(),
            by_id: BTreeMap::new(),
            teams: Vec::new(),
            by_name: BTreeMap::new(),
            meetings: Vec::new(),
            by_players: BTreeMap::new(),
            in_play: BTreeMap::new(),
            ratings: LadderRatings::default(),
            table: None,
        };
        for (players, counts) in results {
            let [one, other] = players.map(|player| ladder.version(player));
            if one != other {
                let meeting = ladder.meeting([one, other]);
                let series = counts.series();
                let meeting = &mut ladder.meetings[meeting];
                meeting.counts.add(&if one < other { counts } else { counts.reversed() });
                meeting.series += series;
                for version in [one, other] {
                    ladder.versions[version].series += series;
                }
            }
        }
        ladder.assume_ratings();
        ladder
    }

    /// Adds a version, which plays for its team from now on. The team's previous version leaves. A version that left
    /// may return, with its results.
    ///
    /// A team without a version that plays starts with the smallest share of the other teams, so it does not play more
    /// to catch up on earlier games.
    pub fn enter(&mut self, player: PlayerId, team: &str) {
        let version = self.version(player);
        if let Some(old) = self.versions[version].team
            && self.teams[old].plays == Some(version)
        {
            if self.teams[old].name == team {
                return;
            }
            self.leave(player);
        }
        let team = match self.by_name.get(team) {
            Some(&team) => team,
            None => {
                self.by_name.insert(team.to_owned(), self.teams.len());
                self.teams.push(Team { name: team.to_owned(), plays: None, share: 0 });
                self.teams.len() - 1
            }
        };
        let before = self.teams[team].plays;
        if before.is_none() {
            let smallest = self.playing().filter_map(|version| self.share(version)).min();
            self.teams[team].share = self.teams[team].share.max(smallest.unwrap_or(0));
        }
        let playing: Vec<f64> = self.playing().map(|version| self.versions[version].strength).collect();
        let mean = playing.iter().sum::<f64>() / playing.len().max(1) as f64;
        let prior = before.map_or(mean, |before| self.versions[before].strength);
        self.teams[team].plays = Some(version);
        let entered = &mut self.versions[version];
        entered.team = Some(team);
        if entered.meetings.is_empty() {
            (entered.prior, entered.strength) = (prior, prior);
        }
        self.table = None;
    }

    /// Removes a version. Its series in play continue, and its results remain evidence for the ratings of its
    /// opponents. Returns `false` if it does not play.
    pub fn leave(&mut self, player: PlayerId) -> bool {
        let Some(team) = self.by_id.get(&player).and_then(|&version| self.plays_for(version)) else { return false };
        self.teams[team].plays = None;
        self.table = None;
        true
    }

    /// Begins a series with a number that identifies it. The first player has the first side in its first game.
    ///
    /// # Errors
    /// If the number is in use, or these versions cannot begin a series now.
    pub fn begin(&mut self, number: u32, players: [PlayerId; 2]) -> Result<(), BeginError> {
        let known = |player: PlayerId| {
            let version = self.by_id.get(&player).copied();
            version.filter(|&version| self.plays_for(version).is_some()).ok_or(BeginError::Absent(player))
        };
        let versions = [known(players[0])?, known(players[1])?];
        let teams = versions.map(|version| self.versions[version].team);
        if teams[0] == teams[1] {
            return Err(BeginError::SameTeam(players));
        }
        if self.in_play.contains_key(&number) {
            return Err(BeginError::Number(number));
        }
        let meeting = self.meeting(versions);
        if self.meetings[meeting].in_play {
            return Err(BeginError::InPlay(players));
        }
        self.meetings[meeting].in_play = true;
        self.meetings[meeting].series += 1;
        for version in versions {
            self.versions[version].series += 1;
        }
        teams.into_iter().flatten().for_each(|team| self.teams[team].share += 1);
        self.in_play.insert(number, versions);
        Ok(())
    }

    /// Ends a series with its results, from the point of view of its first player. Returns the players; `None` if no
    /// series with this number is in play.
    pub fn finish(&mut self, number: u32, results: &Counts) -> Option<[PlayerId; 2]> {
        let versions @ [one, other] = self.in_play.remove(&number)?;
        let meeting = self.meeting(versions);
        self.meetings[meeting].in_play = false;
        self.meetings[meeting].counts.add(&if one < other { *results } else { results.reversed() });
        for version in versions {
            self.assume(version);
        }
        self.table = None;
        Some(versions.map(|version| self.versions[version].id))
    }

    /// Ends a series that was not played to its end, as if it had not begun. Returns the players; `None` if no series
    /// with this number is in play.
    pub fn cancel(&mut self, number: u32) -> Option<[PlayerId; 2]> {
        let versions = self.in_play.remove(&number)?;
        let meeting = self.meeting(versions);
        self.meetings[meeting].in_play = false;
        self.meetings[meeting].series -= 1;
        for version in versions {
            self.versions[version].series -= 1;
            if let Some(team) = self.versions[version].team {
                self.teams[team].share = self.teams[team].share.saturating_sub(1);
            }
        }
        Some(versions.map(|version| self.versions[version].id))
    }

    /// Returns the series in play, in the order of their numbers.
    pub fn in_play(&self) -> impl Iterator<Item = (u32, [PlayerId; 2])> {
        self.in_play.iter().map(|(&number, versions)| (number, versions.map(|version| self.versions[version].id)))
    }

    /// Returns the results between two versions, from the point of view of the first.
    pub fn between(&self, players: [PlayerId; 2]) -> Counts {
        let [one, other] = players.map(|player| self.by_id.get(&player).copied());
        let (Some(one), Some(other)) = (one, other) else { return Counts::default() };
        let meeting = self.by_players.get(&[one.min(other), one.max(other)]);
        let counts = meeting.map(|&meeting| self.meetings[meeting].counts).unwrap_or_default();
        if one < other { counts } else { counts.reversed() }
    }

    /// Returns the versions that play.
    fn playing(&self) -> impl Iterator<Item = usize> {
        self.teams.iter().filter_map(|team| team.plays)
    }

    /// Returns the team for which a version plays.
    fn plays_for(&self, version: usize) -> Option<usize> {
        self.versions[version].team.filter(|&team| self.teams[team].plays == Some(version))
    }

    /// Returns the share of a version's team.
    fn share(&self, version: usize) -> Option<u64> {
        self.versions[version].team.map(|team| self.teams[team].share)
    }

    /// Returns the index of a version, and adds it if it is new.
    fn version(&mut self, id: PlayerId) -> usize {
        *self.by_id.entry(id).or_insert_with(|| {
            let version = Version { id, team: None, series: 0, prior: 0.0, strength: 0.0, meetings: Vec::new() };
            self.versions.push(version);
            self.versions.len() - 1
        })
    }

    /// Returns the index of the meeting of two versions, and adds it if they have not met.
    fn meeting(&mut self, [one, other]: [usize; 2]) -> usize {
        let players = [one.min(other), one.max(other)];
        *self.by_players.entry(players).or_insert_with(|| {
            let number = self.meetings.len();
            for version in players {
                self.versions[version].meetings.push(number);
            }
            self.meetings.push(Meeting { players, counts: Counts::default(), series: 0, in_play: false });
            number
        })
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
