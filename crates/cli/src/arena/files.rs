//! `plyhouse arena export` and `plyhouse arena import`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use arena::{Entrant, GameLog, ResultLog, Spec, Store, Tournament};
use clap::{Args, ValueEnum};
use protocol::sgf;
use serde::{Deserialize, Serialize};

use super::Where;

/// Write the games of a tournament as text
#[derive(Args)]
pub(super) struct ExportOptions {
    #[command(flatten)]
    place: Where,
    /// The format
    #[arg(long, value_enum, default_value = "json")]
    format: Form,
    /// The file; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A line of JSON for the tournament, then one for each game, with all data
    Json,
    /// The Smart Game Format, only for Lines of Action
    Sgf,
}

/// Read games that `export` has written as JSON, check every move, and save them as a tournament
#[derive(Args)]
pub(super) struct ImportOptions {
    /// A file that `export` has written
    file: PathBuf,
    /// The file of the tournaments
    #[arg(long, value_name = "FILE", default_value = "arena.sqlite")]
    store: PathBuf,
}

/// First line of an export.
#[derive(Serialize, Deserialize)]
struct Header {
    tournament: Spec,
    planned: u32,
    began: String,
    version: String,
    machine: String,
}

pub(super) fn export(options: &ExportOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let (store, tournament) = options.place.open()?;
    match &options.out {
        None => write(&store, &tournament, options.format, out),
        Some(path) => {
            let file = File::create(path).with_context(|| format!("file {}", path.display()))?;
            let mut file = BufWriter::new(file);
            write(&store, &tournament, options.format, &mut file)?;
            Ok(file.flush()?)
        }
    }
}

fn write(store: &Store, tournament: &Tournament, form: Form, out: &mut dyn Write) -> anyhow::Result<()> {
    let spec = &tournament.spec;
    if form == Form::Sgf {
        ensure!(spec.game == "loa", "--format sgf: {} found, expected loa; use json", spec.game);
        return store.each(tournament.id, |game| Ok(write!(out, "{}", as_sgf(spec, &game))?));
    }
    let Tournament { planned, began, version, machine, .. } = tournament.clone();
    let header = Header { tournament: spec.clone(), planned, began, version, machine };
    writeln!(out, "{}", serde_json::to_string(&header)?)?;
    store.each(tournament.id, |game| Ok(writeln!(out, "{}", serde_json::to_string(&game)?)?))
}

fn as_sgf(spec: &Spec, game: &GameLog) -> sgf::Game {
    let by_rules = game.ended().is_some_and(|ending| matches!(ending, referee::Ending::Rules(_)));
    let how = if by_rules { String::new() } else { game.ending.clone() };
    let result = match game.result {
        ResultLog::First => format!("B+{how}"),
        ResultLog::Second => format!("W+{how}"),
        ResultLog::Draw => "0".to_owned(),
    };
    sgf::Game {
        players: game.planned.agents.map(|agent| spec.agents[agent].name.clone()),
        event: spec.name.clone(),
        date: game.began.chars().take(10).collect(),
        result,
        comment: format!("game {}, {}, opening of {} moves", game.planned.number, game.ending, game.opening.len()),
        start: Some(game.start.clone()),
        nodes: sgf::line(game.all_moves()),
    }
}

pub(super) fn import(options: &ImportOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let read = || read(&options.file);
    // Everything is checked before anything is written.
    let (header, games) = read().with_context(|| format!("file {}", options.file.display()))?;
    let mut store = Store::open(&options.store)?;
    let entrants = vec![Entrant::default(); header.tournament.agents.len()];
    let id = store.begin(&header.tournament, header.planned as usize, &entrants)?;
    for game in &games {
        store.save(id, game)?;
    }
    writeln!(out, "tournament {id}: {} of {} games", games.len(), header.planned)?;
    Ok(())
}

fn read(path: &PathBuf) -> anyhow::Result<(Header, Vec<GameLog>)> {
    let mut lines = BufReader::new(File::open(path)?).lines();
    let first = lines.next().context("the file is empty")??;
    let header: Header = serde_json::from_str(&first).context("line 1 does not describe a tournament")?;
    let spec = &header.tournament;
    spec.check()?;
    let mut plan = arena::games(spec, &arena::Venue::default())?;
    let mut games: Vec<GameLog> = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let game: GameLog = serde_json::from_str(&line?).with_context(|| format!("line {number}"))?;
        check(spec, &game).with_context(|| format!("line {number}"))?;
        if games.iter().any(|other| other.planned.number == game.planned.number) {
            bail!("line {number}: game {} comes twice", game.planned.number);
        }
        games.push(game);
    }
    plan.record(games.iter().map(|game| (game.planned.number, (game.planned.agents, game.result))));
    if let Some(number) = plan.rounds().stray() {
        bail!("game {number}: it does not follow from the tournament in line 1 and the results of the other games");
    }
    Ok((header, games))
}

/// Checks a game: its moves are legal, and the rules confirm its end.
fn check(spec: &Spec, game: &GameLog) -> anyhow::Result<()> {
    let ending = game.ended().with_context(|| format!("unknown ending `{}`", game::text::excerpt(&game.ending)))?;
    let moves: Vec<&str> = game.all_moves().collect();
    let replayed = spec.replay(&game.start, &moves).map_err(anyhow::Error::msg)?;
    let finish = replayed.finish();
    match ending {
        referee::Ending::Rules(reason) => {
            let found = finish.map(|finish| (ResultLog::from(finish.outcome), finish.reason));
            ensure!(
                found == Some((game.result, reason)),
                "the moves end in {found:?}, not in {:?}, {reason:?}",
                game.result
            );
        }
        referee::Ending::Fault(kind) => ensure!(
            game.faults.iter().any(|fault| fault.kind == kind.to_string()),
            "the game ended by a fault that it does not list: {kind}"
        ),
    }
    Ok(())
}
