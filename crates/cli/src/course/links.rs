//! `plyhouse course links`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use course::http::Console;
use process::system::keep_private;
use serde_json::{Value, json};

use super::file::CourseFile;
use super::text::{check_id, line};

/// Make the personal links of teams that have none, and show them
///
/// Links are stored as hashes, so they are shown only when they are made.
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    course: CourseFile,
    /// New file for the links, with the columns id, name, mail and link; `-` is standard output
    #[arg(long, value_name = "OUT")]
    csv: Option<PathBuf>,
    /// Make a new link for this team; its earlier link stops working
    #[arg(long, value_name = "TEAM", group = "which")]
    renew: Option<String>,
    /// Make new links for all teams; their earlier links stop working
    #[arg(long, group = "which")]
    all: bool,
    /// Make a new link for the staff; the earlier one stops working
    #[arg(long, group = "which")]
    staff: bool,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let console = options.course.open()?;
    // New links cannot be shown again, so the file is created before they are made.
    let file = options.csv.as_deref().filter(|path| *path != Path::new("-")).map(create).transpose()?;
    let links = make(options, &console)?;
    if let Some(mut file) = file {
        file.write_all(csv(&links).as_bytes()).and_then(|()| file.sync_all()).context("links")?;
        writeln!(out, "{} links are written", links.len())?;
    } else if options.csv.is_some() {
        write!(out, "{}", csv(&links))?;
    } else if links.is_empty() {
        writeln!(out, "every team has a link; `--renew TEAM` and `--all` make new ones")?;
    } else {
        for link in &links {
            line(out, &format!("{}  {}  {}", text(link, "id"), text(link, "name"), text(link, "link")))?;
        }
    }
    Ok(())
}

/// Makes links, each with the id, the name and the mail of its team.
fn make(options: &Options, console: &Console) -> anyhow::Result<Vec<Value>> {
    let one = |team: &Value| console.act("renewLink", &json!({ "team": team }));
    if options.staff {
        let link = one(&Value::Null)?["link"].take();
        return Ok(vec![json!({ "id": "staff", "name": "staff", "mail": "", "link": link })]);
    }
    if let Some(team) = &options.renew {
        check_id(team)?;
        let link = one(&json!(team))?["link"].take();
        let teams = console.get("/course/staff/teams")?;
        let is_it = |row: &&Value| text(row, "id").eq_ignore_ascii_case(team);
        let row = teams["teams"].as_array().into_iter().flatten().find(is_it).cloned().unwrap_or_default();
        return Ok(vec![json!({ "id": row["id"], "name": row["name"], "mail": row["mail"], "link": link })]);
    }
    match console.act("links", &json!({ "renew": options.all }))?["links"].take() {
        Value::Array(links) => Ok(links),
        other => bail!("answer of the course: {other} found, expected links"),
    }
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// Creates a file that only this user can read.
fn create(path: &Path) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    keep_private(&mut options);
    options.open(path).with_context(|| format!("file {}", path.display()))
}

/// Returns links as a table for mail merges.
fn csv(links: &[Value]) -> String {
    let quoted = |text: &str| format!("\"{}\"", course::harmless(text).replace('"', "\"\""));
    let row = |link: &Value| ["id", "name", "mail", "link"].map(|field| quoted(text(link, field))).join(",") + "\r\n";
    "id,name,mail,link\r\n".to_owned() + &links.iter().map(row).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_table_are_quoted() {
        let link = json!({ "id": "a1", "name": "The \"Best\", really", "mail": "", "link": "http://x/t/1" });
        let expected = "id,name,mail,link\r\n\"a1\",\"The \"\"Best\"\", really\",\"\",\"http://x/t/1\"\r\n";
        assert_eq!(csv(&[link]), expected);
        let formula = csv(&[json!({ "id": "a1", "name": "=A1", "mail": "+1@x", "link": "http://x/t/1" })]);
        assert!(formula.contains("\"a1\",\"'=A1\",\"'+1@x\","), "{formula}");
    }
}
