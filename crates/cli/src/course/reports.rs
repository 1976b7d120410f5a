//! Reports for the staff: grades, hints of copies, the audit log.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};

use super::file::CourseFile;
use super::text::{cell, entries, line};

/// Print the grades of all teams, as CSV unless an option names a file
#[derive(Args)]
pub(super) struct GradesOptions {
    #[command(flatten)]
    course: CourseFile,
    /// File for the grades as CSV; `-` is standard output
    #[arg(long, value_name = "OUT")]
    csv: Option<PathBuf>,
    /// File for the grades as JSON; `-` is standard output
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
}

/// List submissions that resemble each other
#[derive(Args)]
pub(super) struct CopiesOptions {
    #[command(flatten)]
    course: CourseFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Print the audit log, the latest entry first
#[derive(Args)]
pub(super) struct AuditOptions {
    #[command(flatten)]
    course: CourseFile,
    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

pub(super) fn grades(options: &GradesOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let console = options.course.open()?;
    let usual = PathBuf::from("-");
    let csv = options.csv.as_ref().or(options.json.is_none().then_some(&usual));
    for (form, path) in [("csv", csv), ("json", options.json.as_ref())] {
        let Some(path) = path else { continue };
        let text = console.get_text(&format!("/course/staff/grades.{form}"))?;
        if path == Path::new("-") {
            write!(out, "{text}")?;
        } else {
            fs::write(path, text).with_context(|| format!("file {}", path.display()))?;
        }
    }
    Ok(())
}

pub(super) fn copies(options: &CopiesOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let found = options.course.open()?.get("/course/staff/copies")?;
    if options.json {
        return Ok(writeln!(out, "{found}")?);
    }
    let side = |side: &Value| format!("{} (version {})", cell(&side["team"]), cell(&side["version"]));
    let (groups, pairs) = (entries(&found, "groups"), entries(&found, "pairs"));
    for group in &groups {
        let members: Vec<String> = group.as_array().into_iter().flatten().map(side).collect();
        line(out, &format!("identical: {}", members.join(", ")))?;
    }
    for pair in &pairs {
        if pair["identical"] == true {
            // Its group is listed above.
            continue;
        }
        let share = 100.0 * pair["share"].as_f64().unwrap_or_default();
        line(out, &format!("{share:3.0} % in common: {}, {}", side(&pair["a"]), side(&pair["b"])))?;
    }
    if groups.is_empty() && pairs.is_empty() {
        writeln!(out, "no submissions resemble each other")?;
    }
    Ok(())
}

pub(super) fn audit(options: &AuditOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let console = options.course.open()?;
    let (mut all, mut before) = (Vec::new(), String::new());
    loop {
        let page = entries(&console.get(&format!("/course/staff/audit{before}"))?, "entries");
        let Some(last) = page.last() else { break };
        before = format!("?before={}", last["id"]);
        all.extend(page);
    }
    if options.json {
        return Ok(writeln!(out, "{}", json!(all))?);
    }
    for entry in &all {
        let texts =
            ["at", "actor", "action", "subject", "detail"].map(|field| entry[field].as_str().unwrap_or_default());
        line(out, texts.join("  ").trim_end())?;
    }
    Ok(())
}
