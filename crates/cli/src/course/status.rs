//! `plyhouse course status`.

use std::io::Write;

use clap::Args;
use course::local_time;
use serde_json::{Value, json};

use super::file::CourseFile;
use super::text::{cell, is_set, line, table};

/// Show the phase of a course, its teams and their latest uploads
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    course: CourseFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let console = options.course.open()?;
    let (about, mut staff) = (console.get("/course/about")?, console.get("/course/staff/teams")?);
    if options.json {
        staff["about"] = about;
        staff["running"] = json!(console.is_running());
        return Ok(writeln!(out, "{staff}")?);
    }
    let zone = cell(&about["timeZone"]);
    let local = |time: &Value| local_time(&cell(time), &zone);
    let running = if console.is_running() { "a server runs it" } else { "no server runs it" };
    let rehearsal = if options.course.rehearse { "rehearsal of " } else { "" };
    line(out, &format!("{rehearsal}{}: {}; {running}", cell(&about["name"]), cell(&about["phase"])))?;
    if options.course.rehearse {
        line(out, &format!("it is {} in the rehearsal", local(&about["now"])))?;
    }
    line(out, &format!("deadline {}", local(&about["deadline"])))?;
    let counts = ["teams", "versions", "games"].map(|field| format!("{} {field}", cell(&about[field])));
    line(out, &counts.join(", "))?;
    if let Some(lag) = staff["clockLag"].as_f64() {
        line(out, &format!("the clock of this machine was set back: it is {lag:.0} s behind the course's"))?;
    }
    workers(&staff["workers"], out)?;
    let header = ["team", "name", "link", "uploads", "last", "plays", "Elo", "games", "faults", "notes"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(staff["teams"].as_array().into_iter().flatten().map(|team| row(team, &zone)));
    table(out, &rows)?;
    for problem in staff["problems"].as_array().into_iter().flatten() {
        line(out, &format!("problem at {}: {}", local(&problem["at"]), cell(&problem["text"])))?;
    }
    Ok(())
}

/// Prints the state of the workers on other machines, if the course has some.
fn workers(workers: &Value, out: &mut dyn Write) -> anyhow::Result<()> {
    if !is_set(workers) {
        return Ok(());
    }
    let state = match workers["trouble"].as_str() {
        Some(trouble) => trouble.to_owned(),
        None => format!("{} games at a time, {} handed out", cell(&workers["jobs"]), cell(&workers["offered"])),
    };
    line(out, &format!("workers at {}: {state}", cell(&workers["address"])))
}

fn row(team: &Value, zone: &str) -> Vec<String> {
    let mut notes = Vec::new();
    for field in ["late", "withdrawn", "disqualified", "frozen", "entered", "extension"] {
        match &team[field] {
            // A team without a reason.
            Value::String(text) if text.is_empty() => notes.push(field.to_owned()),
            value if !is_set(value) => (),
            value if field == "extension" => notes.push(format!("{field}: {}", local_time(&cell(value), zone))),
            value => notes.push(format!("{field}: {}", cell(value))),
        }
    }
    let mut row = vec![cell(&team["id"]), cell(&team["name"])];
    row.extend(["link", "uploads", "state", "playing", "elo", "games", "faults"].map(|field| cell(&team[field])));
    row.push(notes.join(", "));
    row
}
