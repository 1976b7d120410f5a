//! `plyhouse arena check`.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use arena::{AgentSpec, Format, Spec};
use clap::Args;
use game::{Side, TextGame};
use protocol::TimeLeft;
use referee::{Fault, FaultKind, Offence, Player, Referee};

use super::{agents, play};

/// Check a program before it enters a tournament: each step of its dialect, then a game against itself
#[derive(Args)]
pub(super) struct Options {
    /// `[NAME=]DIALECT:COMMAND`, `builtin:level=5`, or a folder with an `agent.toml`
    agent: String,
    #[command(flatten)]
    what: What,
}

/// What is played.
#[derive(Args)]
pub(super) struct What {
    /// loa, checkers or jump61
    #[arg(long, default_value = "loa")]
    game: String,
    /// Squares a side; `nus` agents play on 6
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Seconds for a move
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    move_time: f64,
    /// Moves of both sides together after which a game is a tie
    #[arg(long, value_name = "MOVES", default_value_t = 200)]
    move_limit: u32,
}

impl What {
    /// A tournament of this kind without agents.
    pub(super) fn spec(&self, dialect: Option<&str>) -> Spec {
        let mut spec = play::plain(&self.game);
        let usual = (dialect == Some("nus")).then_some(6);
        spec.size = self.size.or(usual);
        spec.time.per_move = Some(self.move_time);
        spec.move_limit = self.move_limit;
        spec.format = Format::Match;
        spec
    }
}

/// A step and what came of it.
pub(super) struct Step {
    name: String,
    /// What is good to know, or what is wrong.
    detail: String,
    /// What to do about it, if it is wrong.
    advice: Option<String>,
}

impl Step {
    fn good(name: &str, detail: impl Into<String>) -> Self {
        Self { name: name.to_owned(), detail: detail.into(), advice: None }
    }

    fn bad(name: &str, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name: name.to_owned(), detail: detail.into(), advice: Some(advice.into()) }
    }

    pub(super) fn is_good(&self) -> bool {
        self.advice.is_none()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_good() { "ok" } else { "FAILED" };
        write!(f, "{word:<7} {}", self.name)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        if let Some(advice) = &self.advice {
            write!(f, "\n        {advice}")?;
        }
        Ok(())
    }
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let agent = agents::parse(&options.agent)?;
    let spec = options.what.spec(agent.dialect.as_deref());
    // A setting that cannot be is our caller's mistake, not the program's.
    spec.new_game(0).map_err(anyhow::Error::msg)?;
    spec.player(&agent).map_err(anyhow::Error::msg)?;
    let mut all_good = true;
    steps(&spec, &agent, &mut |step| {
        all_good &= step.is_good();
        Ok(writeln!(out, "{step}").and_then(|()| out.flush())?)
    })?;
    writeln!(out, "{}", if all_good { "ready to enter" } else { "not ready" })?;
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Takes a program through every step, and shows each as soon as it is done; the first that fails is the last.
pub(super) fn steps(
    spec: &Spec,
    agent: &AgentSpec,
    show: &mut dyn FnMut(&Step) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    type Take = fn(&Spec, &AgentSpec) -> Option<Step>;
    let todo: [Take; 6] = [
        build,
        name,
        |spec, agent| Some(ready(spec, agent)),
        |spec, agent| Some(one_move("moves first", spec, agent, 0)),
        // After an opening of three moves it is the second side's turn.
        |spec, agent| Some(one_move("moves second", spec, agent, 3)),
        whole_game,
    ];
    for step in todo.into_iter().filter_map(|take| take(spec, agent)) {
        show(&step)?;
        if !step.is_good() {
            break;
        }
    }
    Ok(())
}

fn build(_: &Spec, agent: &AgentSpec) -> Option<Step> {
    agent.build.as_ref()?;
    let built = agents::build(agent);
    Some(match built.failure {
        None => Step::good("build", ""),
        Some(failure) => {
            let last: Vec<&str> = built.output.lines().rev().take(10).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            Step::bad("build", failure, format!("its last lines:\n        {}", last.join("\n        ")))
        }
    })
}

/// The competition's agents have a name.
fn name(spec: &Spec, agent: &AgentSpec) -> Option<Step> {
    if agent.dialect.as_deref() != Some("nus") {
        return None;
    }
    let advice = "print one line: 1 to 80 printable ASCII characters";
    Some(match agents::identify(agent, spec) {
        Ok(name) => Step::good("answers `identify`", name),
        Err(fault) if fault.kind == FaultKind::NoStart => failed("answers `identify`", &fault, agent),
        Err(fault) => Step::bad("answers `identify`", fault.detail, advice),
    })
}

fn player(spec: &Spec, agent: &AgentSpec) -> Box<dyn Player> {
    spec.player(agent).expect("invariant: it was checked before")
}

fn board(spec: &Spec) -> Box<dyn TextGame> {
    spec.new_game(1).expect("invariant: it was checked before")
}

fn ready(spec: &Spec, agent: &AgentSpec) -> Step {
    let (game, mut player) = (board(spec), player(spec, agent));
    let began = Instant::now();
    let start = player.begin(&*game, Side::First, 1, Duration::from_secs_f64(spec.time.start));
    let took = began.elapsed().as_secs_f64();
    player.end(&*game);
    match start {
        Ok(()) => Step::good("starts", format!("{took:.2} s")),
        Err(fault) => failed("starts", &fault, agent),
    }
}

fn one_move(name: &str, spec: &Spec, agent: &AgentSpec, opening: u32) -> Step {
    let spec = Spec { opening, ..spec.clone() };
    let (mut game, mut player) = (board(&spec), player(&spec, agent));
    let side = game.side_to_move();
    let limit = spec.referee().time;
    let turn = match player.begin(&*game, side, 1, limit.start_time) {
        Ok(()) => player.choose(&*game, &clock(&spec.referee())),
        Err(fault) => return failed(name, &fault, agent),
    };
    player.end(&*game);
    let before = game.position();
    let answer = turn.answer.and_then(|text| {
        game.play(&text).map_err(|error| Fault::new(FaultKind::Illegal, format!("{error}, in the position {before}")))
    });
    match answer {
        Ok(text) => Step::good(name, format!("{text}, {:.2} s", turn.wall.as_secs_f64())),
        Err(fault) => failed(name, &fault, agent),
    }
}

fn clock(referee: &Referee) -> TimeLeft {
    referee::Clocks::new(referee.time).of(Side::First)
}

fn whole_game(spec: &Spec, agent: &AgentSpec) -> Option<Step> {
    let name = "plays a game against itself";
    let mut game = board(spec);
    let (mut first, mut second) = (player(spec, agent), player(spec, agent));
    let mut slowest = Duration::ZERO;
    let watch = &mut |_: &dyn TextGame, ply: &referee::Ply| {
        slowest = slowest.max(ply.wall);
        ControlFlow::Continue(())
    };
    let played = spec.referee().play(&mut *game, [&mut *first, &mut *second], 1, watch)?;
    Some(match played.offences.first() {
        None => {
            let (moves, slowest) = (played.plies.len(), slowest.as_secs_f64());
            Step::good(name, format!("{}, {moves} moves, at most {slowest:.2} s each", played.ending))
        }
        Some(Offence { ply, fault, .. }) => {
            let detail = format!("after {ply} moves: {}; the position is {}", fault.detail, game.position());
            failed(name, &Fault::new(fault.kind, detail), agent)
        }
    })
}

fn failed(name: &str, fault: &Fault, agent: &AgentSpec) -> Step {
    Step::bad(name, fault.to_string(), advice(fault.kind, agent.dialect.as_deref().unwrap_or_default()))
}

/// What usually is the cause.
pub(super) fn advice(kind: FaultKind, dialect: &str) -> String {
    let advice = match (kind, dialect) {
        (FaultKind::Illegal, _) => {
            "Compare with the legal moves: give the position to `plyhouse moves`. A wrong count of pieces on a line, or a \
             board that is not up to date, are the usual causes."
        }
        (FaultKind::Unreadable, "nus") => {
            "Print one line such as D1B3 and nothing else to standard output; what helps you debug goes to standard error."
        }
        (FaultKind::Unreadable, "cs61b") => {
            "Lines that begin with `*` are for moves such as `* a2-c2` and for results such as `* White wins.` alone."
        }
        (FaultKind::Unreadable, "comp10002") => {
            "The input was legal: compare your rules with the assignment. A computed action is `*** BLACK ACTION #1: G6-F5`."
        }
        (FaultKind::Unreadable, _) => "Answer `go` with `bestmove` and a move.",
        (FaultKind::Time, _) => {
            "It was computing until its time was up: search less deep, or look at the clock while searching."
        }
        (FaultKind::Stall, _) => {
            "It was not computing, but waiting, most likely for input. Is each line flushed (`flush=True`, `fflush(stdout)`, \
             `System.out.flush()`) and ended with a newline? Does it read more lines than it is sent, or wait for the end of input?"
        }
        (FaultKind::Crash, _) => "Give it the same input by hand, and read what it writes to standard error.",
        (FaultKind::NoStart, "cs61b") => {
            "Does the command run by hand in its folder? It must answer `dump` with a board between two lines of `===`."
        }
        (FaultKind::NoStart, "ugi") => {
            "Does the command run by hand in its folder? It must answer `isready` with `readyok`."
        }
        (FaultKind::NoStart, _) => {
            "Does the command run by hand in its folder? A script needs `#!` in its first line and `chmod +x`."
        }
        (FaultKind::FalseClaim, _) => {
            "Compare its end of the game with the rules: connection first, then the move limit."
        }
    };
    advice.to_owned()
}
