//! `plyhouse suite`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use engine::PlayerOptions;
use game::Key;
use games::GameId;
use ledger::Address;
use measure::jobs::{self, Hands};
use measure::progress::Bar;
use measure::suite::{Exam, read};

use crate::endgames;
use crate::options::Words;
use crate::work::status::note_alone;

/// Test an engine on a file of positions with known wins: count the proven wins by length, and measure the time
#[derive(Args)]
#[command(after_long_help = PlayerOptions::help())]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::game())]
    game: GameId,
    /// The file, one position on each line: `position;win N`
    file: PathBuf,
    /// The engine, such as `nodes=20000` or `movetime=5,threads=2`; `--help` lists the options
    #[arg(long, value_name = "PLAYER", default_value = "")]
    player: Words,
    /// Distribute the positions to the workers of this PostgreSQL database: `postgres://USER@HOST/DATABASE` (see
    /// `plyhouse work`); the times are those of the workers
    #[arg(long, value_name = "URL")]
    store: Option<Address>,
    /// Also print each position that was not solved
    #[arg(long)]
    unsolved: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Returns a text that identifies these problems.
fn fingerprint(texts: &[String]) -> String {
    let hash = texts
        .iter()
        .flat_map(|text| text.bytes().chain([b'\n']))
        .fold(0, |hash, byte| Key::mix(hash ^ u64::from(byte)).0);
    format!("{} {hash:016x}", texts.len())
}

/// Problems of one length.
#[derive(Clone, Copy, Default)]
struct Count {
    solved: u32,
    all: u32,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let resources = endgames::load(options.game)?;
    let name = options.file.display();
    let text = std::fs::read_to_string(&options.file).with_context(|| format!("suite {name}"))?;
    let problems = read(options.game, &text).with_context(|| format!("suite {name}"))?;
    let Some(first) = problems.first() else { bail!("suite {name}: no positions") };
    // An invalid player is rejected before anything is solved.
    options.game.position(Some(&first.position), None)?.engine(&options.player.player, &resources)?;
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let exam = Exam {
        game: options.game.to_string(),
        player: options.player.words.clone(),
        endgames: resources.has_endgames(),
        problems: fingerprint(&texts),
    };
    let mut counts = vec![Count::default(); 1 + problems.iter().map(|p| p.plies as usize).max().unwrap_or(0)];
    let (mut nodes, mut time, mut times) = (0, Duration::ZERO, Vec::new());
    let bar = Bar::new(options.json, 0);
    let hands = Hands::new(options.store.as_ref(), note_alone, 1, &resources);
    let input = |i| texts[i as usize].clone();
    jobs::run(&exam, 0..texts.len() as u64, input, &hands, |attempt| {
        let problem = &problems[times.len()];
        let count = &mut counts[problem.plies as usize];
        count.all += 1;
        count.solved += u32::from(attempt.solved);
        nodes += attempt.nodes;
        time += attempt.time;
        times.push(attempt.time);
        if !attempt.solved && options.unsolved {
            writeln!(out, "{problem}")?;
        }
        bar.show(times.len() as u64, texts.len() as u64, &format!("{}/{} positions", times.len(), texts.len()));
        anyhow::Ok(true)
    })?;
    bar.clear();
    times.sort();
    let median = times[times.len() / 2];
    let solved: u32 = counts.iter().map(|count| count.solved).sum();
    if options.json {
        let by_plies = |(plies, count): (usize, &Count)| {
            (count.all > 0).then(|| serde_json::json!({"plies": plies, "solved": count.solved, "all": count.all}))
        };
        let by_plies: Vec<_> = counts.iter().enumerate().filter_map(by_plies).collect();
        let report = serde_json::json!({
            "solved": solved, "all": problems.len(), "by_plies": by_plies, "nodes": nodes,
            "seconds": time.as_secs_f64(), "median_seconds": median.as_secs_f64(),
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    for (plies, count) in counts.iter().enumerate().filter(|(_, count)| count.all > 0) {
        writeln!(out, "win in {plies:>3}  {:>4} of {:>4}", count.solved, count.all)?;
    }
    let share = 100.0 * f64::from(solved) / problems.len() as f64;
    writeln!(out, "solved      {solved:>4} of {:>4}, {share:.1} %", problems.len())?;
    writeln!(
        out,
        "time        {:.1} s, median {:.1} ms, {:.0} nodes a position",
        time.as_secs_f64(),
        median.as_secs_f64() * 1e3,
        nodes as f64 / problems.len() as f64
    )?;
    Ok(())
}
