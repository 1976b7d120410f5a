//! `plyhouse arena spar`.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use arena::entry::{Built, EntryError, Subject, advice, build};
use arena::{AgentSpec, OnFault};
use clap::{Args, ValueEnum};
use engine::Level;
use game::{Diagram, Outcome, Side, TextGame, plural};
use referee::{Offence, Player, Ply};

use super::class_path::pass_class_path;
use super::{agents, check, confined};

/// Let a program practise against a built-in level: show each move, and explain the program's first fault
#[derive(Args)]
pub(super) struct Options {
    /// Agent: `[NAME=]DIALECT:COMMAND`, or a folder with an `agent.toml`
    #[arg(long)]
    agent: String,
    /// Level of the opponent: 1 to 10, or gentle1, gentle2 or gentle3
    #[arg(long, default_value = "3")]
    level: Level,
    /// Side of the program
    #[arg(long, value_enum, default_value = "first")]
    side: SideName,
    #[command(flatten)]
    game: check::GameOptions,
    /// Seed of the opponent's random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print the board after every move
    #[arg(long)]
    boards: bool,
    /// Replace a faulty answer with a random move, if the dialect allows it; the default for `nus`
    #[arg(long = "go-on")]
    replaces_faults: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideName {
    /// Moves first
    First,
    /// Moves second
    Second,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut agent = agents::parse(&options.agent)?;
    let mut spec = options.game.draft(agent.dialect.as_deref()).spec;
    pass_class_path(&mut agent, &mut spec);
    if options.replaces_faults {
        spec.after_fault = OnFault::Random;
    }
    let venue = confined::for_one(&spec, &agent, options.game.sandbox)?;
    let Built { failure, output, .. } = build(&agent, &venue);
    if let Some(failure) = failure {
        return Err(EntryError::Unbuilt { agent: agent.name, failure, output }.into());
    }
    let level = options.level;
    let opponent =
        AgentSpec { name: format!("level {level}"), builtin: Some(format!("level={level}")), ..AgentSpec::default() };
    let side = if options.side == SideName::First { Side::First } else { Side::Second };
    let mut game = spec.new_game(0).map_err(anyhow::Error::msg)?;
    let player = |agent: &AgentSpec| spec.player(agent, &venue).map_err(anyhow::Error::msg);
    let (mut student, mut level) = (player(&agent)?, player(&opponent)?);
    let mut players: [&mut dyn Player; 2] = [&mut *student, &mut *level];
    if side == Side::Second {
        players.reverse();
    }
    let names = |of: Side| if of == side { agent.name.as_str() } else { opponent.name.as_str() };
    let mut failed = Ok(());
    let watch = &mut |game: &dyn TextGame, ply: &Ply| {
        let board = options.boards.then(|| boards(&spec, game).pop()).flatten();
        failed = show(out, game.plies(), ply, names(ply.side), board.as_ref());
        if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(None) }
    };
    let mut agents = [&agent, &opponent];
    if side == Side::Second {
        agents.reverse();
    }
    let played = spec.referee(agents).play(&mut *game, players, options.seed, watch);
    failed?;
    let Some(played) = played else { return Ok(ExitCode::FAILURE) };
    let result = match played.outcome {
        None | Some(Outcome::Draw) => String::new(),
        Some(Outcome::Win(of)) => format!("{} wins: ", names(of)),
    };
    writeln!(out, "{result}{}", played.ending)?;
    let offence = played.offences.iter().find(|offence| offence.side == side);
    let Some(Offence { ply, fault, .. }) = offence else { return Ok(ExitCode::SUCCESS) };
    let boards = boards(&spec, &*game);
    writeln!(out, "\nThe first fault of {}, after {ply} move{}: {}", agent.name, plural(*ply), fault.kind)?;
    if let Some(board) = boards.get(*ply as usize) {
        let is_turned = side == Side::Second && agent.dialect.as_deref() == Some("nus");
        if is_turned {
            writeln!(out, "The board (the agent receives it transposed and with exchanged colours):")?;
        }
        writeln!(out, "{board}\n")?;
    }
    writeln!(out, "{}", fault.detail)?;
    let subject = Subject { spec: &spec, agent: &agent, venue: &venue };
    writeln!(out, "{}", advice(fault, &subject))?;
    let stderr = played.stderr[side.index()].trim_end();
    // The fault may already quote all of standard error.
    if !stderr.is_empty() && !fault.detail.ends_with(stderr) {
        writeln!(out, "\nIts standard error:\n{stderr}")?;
    }
    Ok(ExitCode::from(1))
}

/// Prints a move.
fn show(out: &mut dyn Write, number: u32, ply: &Ply, name: &str, board: Option<&Diagram>) -> std::io::Result<()> {
    let by = if ply.replaced { ", a random move" } else { "" };
    writeln!(out, "{number:>3}. {:<8} {name}{by}, {:.2} s", ply.text, ply.wall.as_secs_f64())?;
    if let Some(board) = board {
        writeln!(out, "{board}")?;
    }
    out.flush()
}

fn boards(spec: &arena::Spec, game: &dyn TextGame) -> Vec<Diagram> {
    let moves = game.moves();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    spec.boards(&game.start(), &moves).unwrap_or_default()
}
