//! `plyhouse arena list`.

use std::io::Write;

use arena::{Rounds, Store};
use clap::Args;
use rating::Verdict;
use serde_json::{Value, json};

use super::options::StoreOption;
use super::show;

/// List the tournaments of a store
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    store: StoreOption,
    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

/// An entry of the list.
struct Entry {
    id: i64,
    name: String,
    game: String,
    format: &'static str,
    played: usize,
    planned: u32,
    began: String,
    state: &'static str,
    imported: bool,
}

/// Reads the entry of a tournament.
fn read(store: &Store, id: i64) -> anyhow::Result<Entry> {
    let tournament = store.tournament(Some(id))?;
    let is_decided = match &tournament.spec.sprt {
        Some(test) => test.0.verdict(&show::read(store, &tournament)?.tally(0, 1)) != Verdict::Open,
        None => false,
    };
    let is_changed = tournament.is_changed;
    let spec = tournament.spec;
    // A damaged game has no result, so it leaves the tournament unfinished.
    let (results, _) = store.results(id)?;
    let played = results.len();
    let rounds = Rounds::after(&spec, results)?;
    let size = spec.size.map_or(String::new(), |size| format!("{size}x{size} "));
    Ok(Entry {
        id,
        name: spec.name,
        game: format!("{size}{}", spec.game),
        format: spec.format.name(),
        played,
        planned: rounds.planned(),
        began: tournament.began,
        imported: tournament.imported,
        state: match (rounds.is_over(), is_decided) {
            _ if is_changed => "changed",
            (true, _) => "finished",
            (false, true) => "decided",
            (false, false) => "unfinished",
        },
    })
}

/// Describes an unfinished tournament that can be resumed. Returns `None` for an imported tournament, because its
/// agents are missing, and for one that is finished, decided or changed.
pub(super) fn describe_unfinished(store: &Store, id: i64) -> anyhow::Result<Option<String>> {
    let Entry { name, began, played, planned, state, imported, .. } = read(store, id)?;
    let line = format!("{id}: {name}, begun {began}, {played} of {planned} games");
    Ok((!imported && state == "unfinished").then_some(line))
}

impl Entry {
    fn json(&self) -> Value {
        json!({
            "tournament": self.id, "name": self.name, "game": self.game, "format": self.format, "played": self.played,
            "planned": self.planned, "began": self.began, "state": self.state, "imported": self.imported,
        })
    }

    /// Returns the cells of the entry's line, without the number.
    fn cells(&self) -> [String; 6] {
        let games = format!("{}/{}", self.played, self.planned);
        let began = self.began.chars().take(16).collect::<String>().replace('T', " ");
        let name = game::text::printable(&self.name).into_owned();
        let imported = if self.imported { ", imported" } else { "" };
        [name, self.game.clone(), self.format.to_owned(), games, began, format!("{}{imported}", self.state)]
    }
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let location = &options.store.location;
    let store = Store::existing(location)?;
    let lines: Vec<_> = store.tournaments()?.into_iter().map(|id| (id, read(&store, id))).collect();
    if options.json {
        let all: Vec<Value> = lines
            .iter()
            .map(|(id, line)| match line {
                Ok(line) => line.json(),
                Err(error) => json!({"tournament": id, "state": "damaged", "error": format!("{error:#}")}),
            })
            .collect();
        writeln!(out, "{}", Value::from(all))?;
        return Ok(());
    }
    if lines.is_empty() {
        writeln!(out, "store {location}: no tournaments")?;
        return Ok(());
    }
    let heads = ["name", "game", "format", "games", "begun (UTC)", "state"].map(str::to_owned);
    let cells: Vec<_> = lines.iter().filter_map(|(_, line)| line.as_ref().ok()).map(Entry::cells).collect();
    let width = |i: usize| cells.iter().chain([&heads]).map(|row| row[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let row = |cells: &[String; 6]| -> String {
        let padded: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:width$}")).collect();
        padded.concat()
    };
    writeln!(out, "   #{}", row(&heads).trim_end())?;
    for (id, line) in &lines {
        match line {
            Ok(line) => writeln!(out, "{id:>4}{}", row(&line.cells()).trim_end())?,
            Err(error) => writeln!(out, "{id:>4}  damaged: {error:#}")?,
        }
    }
    Ok(())
}
