//! The section `[grading]`: marks for what a team has achieved.

use std::collections::BTreeMap;

use referee::FaultKind;
use serde::Deserialize;

use crate::config::sections::LevelName;

/// Maximum absolute value of marks in the file.
const MOST_MARKS: f64 = 1e6;

/// The rules for marks. Without rules, every team gets 0 marks.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Grading {
    /// Marks for an accepted version.
    pub accepted: f64,
    /// Marks for each passed check of the version that counts.
    pub check: f64,
    /// Marks for each fault of a kind, usually negative.
    pub faults: BTreeMap<String, f64>,
    /// Minimum sum of the marks for faults; unlimited if unset.
    pub faults_least: Option<f64>,
    /// Marks for beating levels of our engines.
    pub beats: Vec<Beats>,
    /// Marks by rank. The first entry that includes the rank counts. On the ladder, a team without a game has no rank.
    pub rank: Vec<RankStep>,
    /// Marks by rating.
    pub elo: Option<EloSteps>,
    /// Minimum of the sum of a team with a version that counts.
    pub least: Option<f64>,
    /// Maximum of the sum.
    pub most: Option<f64>,
}

/// Marks for beating a level: at least `wins` wins, and more wins than losses.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beats {
    /// Level.
    pub level: LevelName,
    /// Minimum number of wins.
    #[serde(default = "one")]
    pub wins: u32,
    /// Marks.
    pub marks: f64,
}

/// Marks for the ranks up to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankStep {
    /// Last rank, from 1.
    pub to: u32,
    /// Marks.
    pub marks: f64,
}

/// Marks for each complete step of Elo.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EloSteps {
    /// Rating at which the first step begins.
    pub from: f64,
    /// Size of a step, in Elo.
    pub step: f64,
    /// Marks for each step.
    pub marks: f64,
    /// Maximum number of steps.
    #[serde(default = "most_steps")]
    pub most: u32,
}

const fn one() -> u32 {
    1
}

const fn most_steps() -> u32 {
    1000
}

impl Grading {
    /// Checks the values.
    ///
    /// # Errors
    /// If one is invalid. Returns its field, and what was found and expected.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let wrong = |field: &str, what: String| Err((format!("grading.{field}"), what));
        if let Some(unknown) = self.faults.keys().find(|name| FaultKind::ALL.iter().all(|kind| kind.name() != **name)) {
            let names: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.name()).collect();
            let found = game::text::excerpt(unknown);
            return wrong("faults", format!("`{found}` found, expected {}", names.join(", ")));
        }
        for (field, marks) in self.all_marks() {
            if !(-MOST_MARKS..=MOST_MARKS).contains(&marks) {
                return wrong(field, format!("{marks} found, expected at most a million"));
            }
        }
        if let (Some(least), Some(most)) = (self.least, self.most)
            && least > most
        {
            return wrong("least", format!("{least} found, expected at most `most`, which is {most}"));
        }
        if let Some(pair) = self.rank.windows(2).find(|pair| pair[0].to >= pair[1].to) {
            return wrong("rank", format!("to = {} after {} found, expected rising ranks", pair[1].to, pair[0].to));
        }
        if let Some(elo) = self.elo
            && !(elo.step.is_finite() && elo.step > 0.0)
        {
            return wrong("elo.step", format!("{} found, expected more than 0", elo.step));
        }
        Ok(())
    }

    fn all_marks(&self) -> Vec<(&'static str, f64)> {
        let mut all = vec![("accepted", self.accepted), ("check", self.check)];
        all.extend(self.faults.values().map(|&marks| ("faults", marks)));
        all.extend(self.beats.iter().map(|beats| ("beats", beats.marks)));
        all.extend(self.rank.iter().map(|step| ("rank", step.marks)));
        all.extend(self.elo.iter().flat_map(|elo| [("elo.marks", elo.marks), ("elo.from", elo.from)]));
        let bounds = [("faults_least", self.faults_least), ("least", self.least), ("most", self.most)];
        all.extend(bounds.into_iter().filter_map(|(field, bound)| Some((field, bound?))));
        all
    }
}
