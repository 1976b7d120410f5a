//! Actions of the staff.

use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use course::http::Console;
use course::local_time;
use serde_json::{Value, json};

use super::file::CourseFile;
use super::text::{cell, check_id, entries, line};

/// A team of a course.
#[derive(Args)]
pub(super) struct TeamOptions {
    #[command(flatten)]
    course: CourseFile,
    /// Id of the team
    team: String,
}

/// Accept a late upload as if it had come before the deadline
#[derive(Args)]
pub(super) struct UploadOptions {
    #[command(flatten)]
    of: TeamOptions,
    /// Number of the upload among those of the team; by default, the latest one to which the command applies
    #[arg(long, value_name = "NUMBER")]
    version: Option<u64>,
}

/// Freeze the version that plays for a team
#[derive(Args)]
pub(super) struct FreezeOptions {
    #[command(flatten)]
    of: TeamOptions,
    /// Number of the version; by default, the one that plays now
    #[arg(long, value_name = "NUMBER", conflicts_with = "undo")]
    version: Option<u64>,
    /// Let the team choose its version again
    #[arg(long)]
    undo: bool,
}

/// A team, and the reason of the action.
#[derive(Args)]
pub(super) struct ReasonOptions {
    #[command(flatten)]
    of: TeamOptions,
    /// Reason, for the audit log and the grades
    #[arg(long)]
    reason: Option<String>,
}

/// Extend the deadline of a team
#[derive(Args)]
pub(super) struct ExtendOptions {
    #[command(flatten)]
    of: TeamOptions,
    /// New deadline: a time in the time zone of the course, such as "2026-12-01 18:00", or in UTC, such as
    /// 2026-12-01T10:00:00Z
    #[arg(required_unless_present = "undo", conflicts_with = "undo")]
    until: Option<String>,
    /// Restore the deadline of the course
    #[arg(long)]
    undo: bool,
}

/// Cancel ladder games, so that they are played again
#[derive(Args)]
pub(super) struct RerunOptions {
    #[command(flatten)]
    course: CourseFile,
    /// Ids of two teams, whose games against each other are cancelled
    #[arg(num_args = 2, value_names = ["TEAM", "TEAM"], required_unless_present = "all", conflicts_with = "all")]
    teams: Vec<String>,
    /// Cancel all games of the ladder
    #[arg(long)]
    all: bool,
}

/// Publish an announcement on the page
#[derive(Args)]
pub(super) struct AnnounceOptions {
    #[command(flatten)]
    course: CourseFile,
    /// Text
    #[arg(required_unless_present = "remove", conflicts_with = "remove")]
    text: Option<String>,
    /// Remove the announcement with this number
    #[arg(long, value_name = "NUMBER")]
    remove: Option<i64>,
}

pub(super) fn accept_late(options: &UploadOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let is_late = |upload: &Value| upload["late"] == true;
    on_upload("acceptLate", options, is_late, ["late", "counts as if it had come in time"], out)
}

pub(super) fn check_again(options: &UploadOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let is_refused = |upload: &Value| upload["state"] == "refused";
    on_upload("checkAgain", options, is_refused, ["refused", "is queued for another check"], out)
}

/// Performs an action on an upload: the one with the given number, or the latest one that fits. The words say which
/// uploads fit, and what has happened to the upload.
fn on_upload(
    action: &str,
    UploadOptions { of, version }: &UploadOptions,
    fits: impl Fn(&Value) -> bool,
    [kind, done]: [&str; 2],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let console = of.course.open()?;
    let uploads = uploads(&console, &of.team)?;
    let upload = match version {
        Some(number) => numbered(&uploads, &of.team, *number)?,
        None => {
            let found = uploads.iter().find(|upload| fits(upload));
            found.with_context(|| format!("team {}: no {kind} upload found", of.team))?
        }
    };
    console.act(action, &json!({ "upload": upload["id"] }))?;
    line(out, &format!("upload {} of team {} {done}", cell(&upload["number"]), of.team))
}

pub(super) fn freeze(options: &FreezeOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let TeamOptions { course, team } = &options.of;
    let console = course.open()?;
    if options.undo {
        console.act("freeze", &json!({ "team": team, "upload": null }))?;
        return line(out, &format!("team {team} chooses its version again"));
    }
    let uploads = uploads(&console, team)?;
    let upload = match options.version {
        Some(number) => numbered(&uploads, team, number)?,
        None => {
            let playing = uploads.iter().find(|upload| upload["playing"] == true);
            playing.with_context(|| format!("team {team}: no version that plays found"))?
        }
    };
    console.act("freeze", &json!({ "team": team, "upload": upload["id"] }))?;
    line(out, &format!("version {} plays for team {team}", cell(&upload["number"])))
}

/// Withdraws or disqualifies a team.
pub(super) fn exclude(action: &str, options: &ReasonOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let TeamOptions { course, team } = &options.of;
    course.act(action, &json!({ "team": team, "reason": options.reason.as_deref().unwrap_or_default() }))?;
    line(out, &format!("team {team} takes part no longer"))
}

pub(super) fn reinstate(options: &TeamOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    options.course.act("reinstate", &json!({ "team": options.team }))?;
    line(out, &format!("team {} takes part again", options.team))
}

pub(super) fn extend(options: &ExtendOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let TeamOptions { course, team } = &options.of;
    let console = course.open()?;
    let until = console.act("extend", &json!({ "team": team, "until": options.until }))?["until"].take();
    let zone = console.get("/course/about")?["timeZone"].take();
    line(out, &format!("team {team} can upload until {}", local_time(&cell(&until), &cell(&zone))))
}

pub(super) fn rerun(options: &RerunOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let teams = if options.all { json!("all") } else { json!(options.teams) };
    let cancelled = options.course.act("rerun", &json!({ "teams": teams }))?;
    line(out, &format!("{} games are cancelled", cell(&cancelled["cancelled"])))
}

pub(super) fn announce(options: &AnnounceOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    match (&options.text, options.remove) {
        (Some(text), _) => options.course.act("announce", &json!({ "text": text }))?,
        (None, Some(id)) => options.course.act("removeAnnouncement", &json!({ "id": id }))?,
        (None, None) => bail!("expected a text or --remove"),
    };
    let done = if options.text.is_some() { "published" } else { "removed" };
    line(out, &format!("the announcement is {done}"))
}

/// Performs an action without values.
pub(super) fn plain(course: &CourseFile, action: &str, done: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    course.act(action, &json!({}))?;
    line(out, done)
}

/// Returns the uploads of a team, the latest first.
fn uploads(console: &Console, team: &str) -> anyhow::Result<Vec<Value>> {
    check_id(team)?;
    Ok(entries(&console.get(&format!("/course/uploads?team={team}"))?, "uploads"))
}

fn numbered<'a>(uploads: &'a [Value], team: &str, number: u64) -> anyhow::Result<&'a Value> {
    let found = uploads.iter().find(|upload| upload["number"] == number);
    found.with_context(|| format!("team {team}: upload {number} found, expected 1 to {}", uploads.len()))
}
