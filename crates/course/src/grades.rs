//! Grades: what each team has achieved, and its marks by the rules of the course file.

use std::collections::{BTreeMap, BTreeSet};

use engine::Level;
use rating::Estimate;
use referee::FaultKind;
use serde::Serialize;

use crate::config::grading::Grading;
use crate::ladder::Counts;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::players::{Kind, PlayerKey};
use crate::store::teams::{Standing, TeamRow};
use crate::store::uploads::{StepState, UploadRow, UploadState};

/// The place of a team in the final, or on the ladder before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// Rank, from 1.
    pub rank: u32,
    /// Points.
    pub points: f64,
    /// Number of games.
    pub games: u32,
    /// Elo; its error is infinite before the first game.
    pub elo: Estimate,
    /// Number of faults of each kind in the final. Those of the ladder are added to them.
    pub faults: BTreeMap<String, u32>,
}

/// The grades of a team.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grade {
    /// Id of the team.
    pub id: String,
    /// Name of the team.
    pub name: String,
    /// Number of the version that counts: that in the final, or before it the one that plays.
    pub version: Option<u32>,
    /// Set if there is a version that counts.
    pub accepted: bool,
    /// Reason for which no version counts; empty if one does.
    pub why: String,
    /// Number of passed checks.
    pub checks: u32,
    /// Number of faults of each kind, on the ladder and in the final.
    pub faults: BTreeMap<String, u32>,
    /// Rank, from 1; `None` if no version counts, or on the ladder before its first game.
    pub rank: Option<u32>,
    /// Points.
    pub points: f64,
    /// Number of games.
    pub games: u32,
    /// Elo, if the team has played.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`.
    pub error: Option<f64>,
    /// Marks of each rule.
    pub marks: Vec<Mark>,
    /// Sum of the marks.
    pub total: f64,
}

/// The marks of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// Rule, such as `accepted`, `beats level 3` or `beats level 3 (2 wins)`.
    pub rule: String,
    /// Marks.
    pub marks: f64,
}

/// Returns the grades of all teams, sorted by id. `places` has the teams that have a place, by id.
///
/// # Errors
/// If the store cannot be read.
pub fn grades(
    rules: &Grading,
    store: &CourseStore,
    places: &BTreeMap<String, Place>,
) -> Result<Vec<Grade>, CourseError> {
    store.snapshot(|store| {
        let mut uploads: BTreeMap<String, Vec<UploadRow>> = BTreeMap::new();
        for upload in store.uploads()? {
            uploads.entry(upload.team.clone()).or_default().push(upload);
        }
        let mut levels: BTreeMap<(i64, Level), Counts> = BTreeMap::new();
        for ([one, other], counts) in store.pairs(Kind::Practice)? {
            match (one, other) {
                (PlayerKey::Version(version), PlayerKey::Level(level)) => {
                    levels.entry((version, level)).or_default().add(&counts);
                }
                (PlayerKey::Level(level), PlayerKey::Version(version)) => {
                    levels.entry((version, level)).or_default().add(&counts.reversed());
                }
                _ => (),
            }
        }
        let row = |team: &TeamRow| {
            let uploads = uploads.get(&team.team.id).map_or(&[][..], Vec::as_slice);
            let mut grade = achieved(store, team, uploads, places.get(&team.team.id))?;
            let beaten = |level: Level| match counted(team) {
                Some(version) => levels.get(&(version, level)).copied().unwrap_or_default(),
                None => Counts::default(),
            };
            mark(&mut grade, rules, &beaten);
            Ok(grade)
        };
        store.teams()?.iter().map(row).collect()
    })
}

/// Returns the upload of the version that counts.
fn counted(team: &TeamRow) -> Option<i64> {
    let version = team.entered.or_else(|| team.playing());
    version.filter(|_| team.standing == Standing::Active)
}

/// Returns the grades of a team without marks. `uploads` has the latest one first.
fn achieved(
    store: &CourseStore,
    team: &TeamRow,
    uploads: &[UploadRow],
    place: Option<&Place>,
) -> Result<Grade, CourseError> {
    let version = counted(team);
    let mut grade = Grade {
        id: team.team.id.clone(),
        name: team.team.name.clone(),
        version: version.and_then(|id| uploads.iter().find(|upload| upload.id == id)).map(|upload| upload.number),
        accepted: version.is_some(),
        why: if version.is_some() { String::new() } else { why_none(team, uploads) },
        checks: 0,
        faults: BTreeMap::new(),
        rank: None,
        points: 0.0,
        games: 0,
        elo: None,
        error: None,
        marks: Vec::new(),
        total: 0.0,
    };
    let Some(version) = version else { return Ok(grade) };
    let is_passed = |state: StepState| matches!(state, StepState::Passed | StepState::Warned);
    grade.checks = store.steps(version)?.iter().filter(|step| is_passed(step.state)).count() as u32;
    grade.faults = store.faults(version, Kind::Ladder)?;
    let Some(place) = place else { return Ok(grade) };
    for (name, count) in &place.faults {
        *grade.faults.entry(name.clone()).or_default() += count;
    }
    (grade.rank, grade.points, grade.games) = (Some(place.rank), place.points, place.games);
    grade.elo = (place.games > 0 && place.elo.value.is_finite()).then_some(place.elo.value);
    grade.error = Some(place.elo.error).filter(|error| grade.elo.is_some() && error.is_finite());
    Ok(grade)
}

/// Returns the reason why no version of a team counts.
fn why_none(team: &TeamRow, uploads: &[UploadRow]) -> String {
    if team.standing != Standing::Active {
        let reason = if team.reason.is_empty() { String::new() } else { format!(": {}", team.reason) };
        return format!("{}{reason}", team.standing.name());
    }
    match uploads.first() {
        None => "no upload".to_owned(),
        Some(upload) => match upload.state {
            UploadState::Refused if upload.notes.is_empty() => "refused".to_owned(),
            UploadState::Refused => format!("refused: {}", upload.notes.join("; ")),
            UploadState::Accepted => "accepted after the deadline only".to_owned(),
            UploadState::Waiting | UploadState::Checking => "not yet checked".to_owned(),
        },
    }
}

/// Adds the marks of a team. `against` returns the results of its version against a level.
fn mark(grade: &mut Grade, rules: &Grading, against: &dyn Fn(Level) -> Counts) {
    let mut marks: Vec<(String, f64)> = Vec::new();
    let when = |condition: bool, marks: f64| if condition { marks } else { 0.0 };
    if rules.accepted != 0.0 {
        marks.push(("accepted".to_owned(), when(grade.accepted, rules.accepted)));
    }
    if rules.check != 0.0 {
        marks.push(("checks".to_owned(), f64::from(grade.checks) * rules.check));
    }
    if !rules.faults.is_empty() {
        let count = |name: &String| f64::from(grade.faults.get(name).copied().unwrap_or(0));
        let sum: f64 = rules.faults.iter().map(|(name, marks)| count(name) * marks).sum();
        marks.push(("faults".to_owned(), rules.faults_least.map_or(sum, |least| sum.max(least))));
    }
    for beats in &rules.beats {
        let level = beats.level.0;
        let [won, _, lost] = against(level).games;
        let wins = if beats.wins > 1 { format!(" ({} wins)", beats.wins) } else { String::new() };
        marks.push((format!("beats level {level}{wins}"), when(won >= beats.wins && won > lost, beats.marks)));
    }
    if !rules.rank.is_empty() {
        let step = grade.rank.and_then(|rank| rules.rank.iter().find(|step| rank <= step.to));
        marks.push(("rank".to_owned(), step.map_or(0.0, |step| step.marks)));
    }
    if let Some(rule) = rules.elo {
        let steps = grade.elo.map_or(0.0, |elo| ((elo - rule.from) / rule.step).floor());
        marks.push(("elo".to_owned(), steps.clamp(0.0, f64::from(rule.most)) * rule.marks));
    }
    let sum: f64 = marks.iter().map(|(_, marks)| marks).sum();
    let most = rules.most.unwrap_or(f64::INFINITY);
    // A minimum is for those who have submitted an agent that plays.
    let least = rules.least.filter(|_| grade.accepted).unwrap_or(f64::NEG_INFINITY);
    let total = sum.min(most).max(least);
    if rules.least.is_some() || rules.most.is_some() {
        marks.push(("bounds".to_owned(), total - sum));
    }
    grade.marks = marks.into_iter().map(|(rule, marks)| Mark { rule, marks: rounded(marks) }).collect();
    grade.total = rounded(total);
}

/// Rounds to six decimals, so that sums of tenths have one decimal. Adding zero turns a negative zero into a positive
/// one.
fn rounded(marks: f64) -> f64 {
    (marks * 1e6).round() / 1e6 + 0.0
}

/// Writes grades as JSON.
///
/// # Errors
/// If a number cannot be written.
pub fn grades_json(grades: &[Grade]) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(grades).map(|text| text + "\n")
}

/// Writes grades as a CSV table with a column for each kind of fault that occurs and for each rule.
///
/// # Errors
/// If a row cannot be written.
pub fn grades_csv(grades: &[Grade]) -> Result<String, csv::Error> {
    let occurring: BTreeSet<&str> = grades.iter().flat_map(|grade| grade.faults.keys().map(String::as_str)).collect();
    let known = FaultKind::ALL.iter().map(|kind| kind.name()).filter(|name| occurring.contains(name));
    let faults: Vec<&str> = known.collect();
    let rules: Vec<&str> = grades.first().into_iter().flat_map(|grade| &grade.marks).map(|m| m.rule.as_str()).collect();
    let mut table = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let fixed = ["id", "name", "version", "accepted", "why", "checks"].map(str::to_owned);
    let places = ["rank", "points", "games", "elo", "error"].map(str::to_owned);
    let faults_named = faults.iter().map(|fault| format!("faults: {fault}"));
    let rules_named = rules.iter().map(|rule| format!("marks: {rule}"));
    let header = fixed.into_iter().chain(faults_named).chain(places).chain(rules_named).chain(["total".to_owned()]);
    table.write_record(header)?;
    for grade in grades {
        table.write_record(row(grade, &faults))?;
    }
    let bytes = table.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn row(grade: &Grade, faults: &[&str]) -> Vec<String> {
    fn shown<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    let tenth = |value: f64| format!("{:.1}", value + 0.0);
    let mut row = vec![
        harmless(&grade.id),
        harmless(&grade.name),
        shown(grade.version),
        if grade.accepted { "yes" } else { "no" }.to_owned(),
        harmless(&grade.why),
        grade.checks.to_string(),
    ];
    row.extend(faults.iter().map(|&fault| grade.faults.get(fault).copied().unwrap_or(0).to_string()));
    row.extend([shown(grade.rank), grade.points.to_string(), grade.games.to_string()]);
    row.extend([shown(grade.elo.map(tenth)), shown(grade.error.map(tenth))]);
    row.extend(grade.marks.iter().map(|mark| mark.marks.to_string()));
    row.push(grade.total.to_string());
    row
}

/// Returns the text of a cell that no spreadsheet evaluates as a formula.
///
/// Source: OWASP, "CSV Injection".
pub fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests;
