//! `plyhouse prove --within`: the shortest forced win.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use game::plural;
use game::text::capitalised;
use games::{Budget, WithinAnswer, WithinProgress, WithinQuestion};
use measure::progress::Bar;
use search::Stop;

use super::ending::{NOT_PROVEN, report_on_interrupt, usage_error};
use super::options::Options;
use crate::analyse::counted;

/// Searches for the shortest win of at most `plies` plies and prints the answer.
pub(super) fn run(options: &Options, plies: u32, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let (visited, excluded) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU32::new(0)));
    let so_far = Arc::clone(&excluded);
    report_on_interrupt(&visited, began, move || {
        format!("no win within {}; longer wins are open", counted(so_far.load(Ordering::Relaxed)))
    })?;
    let text = options.target.text()?;
    let question = WithinQuestion {
        game: options.target.game,
        size: options.target.size,
        position: text.as_deref(),
        side: options.side.as_deref(),
        plies,
    };
    let budget = Budget { nodes: options.nodes, table_mib: options.table as usize, host: search::SYSTEM };
    // Each length has its own progress bar, because its search takes many times as long as that of the previous length.
    let new_bar = |searched: usize| Bar::new(options.quiet || options.json, searched as u64);
    let mut bar = new_bar(0);
    let mut progress = |progress: WithinProgress| {
        let WithinProgress { none_within, moves: (searched, moves), nodes } = progress;
        visited.store(nodes, Ordering::Relaxed);
        if excluded.swap(none_within, Ordering::Relaxed) != none_within {
            bar = new_bar(searched);
        }
        let text = format!("no win within {}; {}: move {searched} of {moves}", counted(none_within), none_within + 1);
        bar.show(searched as u64, moves as u64, &text);
    };
    let answer = search::with_large_stack(|| question.answer(budget, &Stop::new(), &mut progress));
    bar.clear();
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Ok(usage_error(&error.into())),
    };
    show(options, plies, &answer, began, out)?;
    Ok(if answer.win.is_some() { ExitCode::SUCCESS } else { ExitCode::from(NOT_PROVEN) })
}

fn show(
    options: &Options,
    plies: u32,
    answer: &WithinAnswer,
    began: Instant,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let &WithinAnswer { ref position, nodes, win, none_within } = answer;
    let seconds = began.elapsed().as_secs_f64();
    if options.json {
        let report = serde_json::json!({
            "game": options.target.game.to_string(), "position": position,
            "for": options.side.as_ref().map(|side| side.to_lowercase()), "within": plies,
            "winner": win.map(|(name, _)| name.to_lowercase()), "plies": win.map(|(_, plies)| plies),
            "none_within": none_within, "nodes": nodes, "seconds": seconds,
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    let who = options
        .side
        .as_ref()
        .map_or("neither side can".to_owned(), |side| format!("{} cannot", capitalised(&side.to_lowercase())));
    match win {
        Some((name, plies)) => writeln!(out, "{name} wins {position} in {}, and cannot win sooner", counted(plies))?,
        None => writeln!(out, "{who} force a win of {position} within {}", counted(none_within))?,
    }
    if win.is_none() && none_within < plies {
        writeln!(out, "longer wins are open after {} position{}", options.nodes, plural(options.nodes))?;
    }
    writeln!(out, "{nodes} position{}, {seconds:.1} s", plural(nodes))?;
    Ok(())
}
