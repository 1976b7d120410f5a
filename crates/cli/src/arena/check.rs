//! `plyhouse arena check`.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use arena::{Draft, Format, OnFault, Spec};
use clap::Args;
use game::{Side, TextGame};
use games::GameId;
use referee::{AfterFault, Clocks, Fault, FaultKind, Offence, Player, Referee};

use super::advice::{advice, describe_position, hidden_file, sandbox_advice};
use super::class_path::pass_class_path;
use super::confined::{SandboxOption, for_one};
use super::subject::Subject;
use super::{agents, program};

/// Check a program before a tournament: test each step of its dialect, then let it play a game against itself
#[derive(Args)]
pub(super) struct Options {
    /// Agent: `[NAME=]DIALECT:COMMAND`, `builtin:level=5`, or a folder with an `agent.toml`
    agent: String,
    #[command(flatten)]
    game: GameOptions,
}

/// The game and its limits.
#[derive(Args)]
pub(super) struct GameOptions {
    /// Game; defaults to loa, for `comp10002` programs to checkers
    #[arg(long, value_parser = crate::options::game())]
    game: Option<GameId>,
    /// Size of the board, in squares a side; 6 for `nus` agents
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Time for each move, in seconds; defaults to 5, for `nus` agents to 3 as in their competition
    #[arg(long, value_name = "SECONDS")]
    move_time: Option<f64>,
    /// Number of moves of both sides together after which a game is drawn
    #[arg(long, value_name = "MOVES", default_value_t = 200)]
    move_limit: u32,
    #[command(flatten)]
    pub(super) sandbox: SandboxOption,
}

impl GameOptions {
    /// Returns a draft of a tournament without agents. If the dialect belongs to a competition, its rules apply.
    pub(super) fn draft(&self, dialect: Option<&str>) -> Draft {
        let default = if dialect == Some("comp10002") { GameId::CHECKERS } else { GameId::LOA };
        let mut draft = Draft::new(self.game.unwrap_or(default).name());
        draft.spec.size = self.size;
        draft.spec.move_limit = self.move_limit;
        draft.spec.format = Format::Match;
        if self.move_time.is_some() {
            draft.spec.time.per_move = self.move_time;
            draft.named.time = true;
        }
        draft.adopt(dialect.unwrap_or_default());
        draft
    }
}

/// The result of a check.
pub(super) struct Check {
    name: String,
    /// Details of the result, or the fault.
    detail: String,
    /// Remedy; `None` if the check passed.
    advice: Option<String>,
}

impl Check {
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

impl fmt::Display for Check {
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
    let mut agent = agents::parse(&options.agent)?;
    let mut spec = options.game.draft(agent.dialect.as_deref()).spec;
    pass_class_path(&mut agent, &mut spec);
    // Invalid settings are errors of the user, so they must not become a failed check of the program.
    spec.new_game(0).map_err(anyhow::Error::msg)?;
    let venue = for_one(&spec, &agent, options.game.sandbox)?;
    spec.player(&agent, &venue).map_err(anyhow::Error::msg)?;
    let mut all_good = true;
    all(&Subject { spec: &spec, agent: &agent, venue: &venue }, &mut |check| {
        all_good &= check.is_good();
        Ok(writeln!(out, "{check}").and_then(|()| out.flush())?)
    })?;
    writeln!(out, "{}", if all_good { "ready to enter" } else { "not ready" })?;
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Runs the checks of a program up to the first that fails, and shows each result immediately.
pub(super) fn all(subject: &Subject<'_>, show: &mut dyn FnMut(&Check) -> anyhow::Result<()>) -> anyhow::Result<()> {
    type Run = fn(&Subject<'_>) -> Option<Check>;
    let todo: [Run; 7] = [
        build,
        |&Subject { agent, .. }| program::diagnose(agent).map(|(what, remedy)| Check::bad("program", what, remedy)),
        name,
        |subject| Some(ready(subject)),
        |subject| Some(one_move("moves first", subject, 0)),
        // After three moves of the opening, the second side is to move.
        |subject| Some(one_move("moves second", subject, 3)),
        whole_game,
    ];
    for check in todo.into_iter().filter_map(|run| run(subject)) {
        show(&check)?;
        if !check.is_good() {
            break;
        }
    }
    Ok(())
}

fn build(&Subject { agent, venue, .. }: &Subject<'_>) -> Option<Check> {
    agent.build.as_ref()?;
    let built = agents::build(agent, venue);
    Some(match built.failure {
        None => Check::good("build", ""),
        Some(failure) => {
            let last: Vec<&str> = built.output.lines().rev().take(10).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            Check::bad("build", failure, format!("its last lines:\n        {}", last.join("\n        ")))
        }
    })
}

/// Checks that an agent of the 6×6 competition reports its name; `None` for other agents.
fn name(subject: &Subject<'_>) -> Option<Check> {
    let &Subject { spec, agent, venue } = subject;
    if agent.dialect.as_deref() != Some("nus") {
        return None;
    }
    let advice = "print one line: 1 to 80 printable ASCII characters";
    Some(match agents::identify(agent, spec, venue) {
        Ok(name) => Check::good("answers `identify`", name),
        Err(fault) if fault.kind == FaultKind::NoStart => failed("answers `identify`", &fault, subject),
        Err(fault) => {
            let default = || format!("{advice}{}", sandbox_advice(FaultKind::NoStart, venue));
            let advice = hidden_file(&fault.detail, subject).unwrap_or_else(default);
            Check::bad("answers `identify`", fault.detail, advice)
        }
    })
}

fn player(&Subject { spec, agent, venue }: &Subject<'_>) -> Box<dyn Player> {
    spec.player(agent, venue).expect("invariant: the caller has checked it")
}

fn board(spec: &Spec) -> Box<dyn TextGame> {
    spec.new_game(1).expect("invariant: the caller has checked it")
}

fn ready(subject: &Subject<'_>) -> Check {
    let spec = subject.spec;
    let (game, mut player) = (board(spec), player(subject));
    let began = Instant::now();
    let start = player.begin(&*game, Side::First, 1, Duration::from_secs_f64(spec.time.start));
    let took = began.elapsed().as_secs_f64();
    player.end(&*game);
    match start {
        Ok(()) => Check::good("starts", format!("{took:.2} s")),
        Err(fault) => failed("starts", &fault, subject),
    }
}

fn one_move(name: &str, subject: &Subject<'_>, opening: u32) -> Check {
    let agent = subject.agent;
    let spec = Spec { opening, ..subject.spec.clone() };
    let (mut game, mut player) = (board(&spec), player(&Subject { spec: &spec, ..*subject }));
    let side = game.side_to_move();
    let limits = spec.referee([agent; 2]).time;
    let turn = match player.begin(&*game, side, 1, limits[0].start_time) {
        Ok(()) => player.choose(&*game, &Clocks::new(limits).of(side)),
        Err(fault) => return failed(name, &fault, subject),
    };
    player.end(&*game);
    let shown = describe_position(agent.dialect.as_deref(), side, &game.position());
    let answer = turn.answer.and_then(|text| {
        game.play(&text).map_err(|error| {
            let Fault { kind, detail } = Fault::refused(&*player, &error);
            Fault::new(kind, format!("{detail}; {shown}"))
        })
    });
    match answer {
        Ok(text) => Check::good(name, format!("{text}, {:.2} s", turn.wall.as_secs_f64())),
        Err(fault) => failed(name, &fault, subject),
    }
}

fn whole_game(subject: &Subject<'_>) -> Option<Check> {
    let &Subject { spec, agent, .. } = subject;
    let name = "plays a game against itself";
    let mut game = board(spec);
    let (mut first, mut second) = (player(subject), player(subject));
    let mut slowest = Duration::ZERO;
    let watch = &mut |_: &dyn TextGame, ply: &referee::Ply| {
        slowest = slowest.max(ply.wall);
        ControlFlow::Continue(())
    };
    // The first fault fails the check, even if a tournament would continue after it.
    let referee = Referee { after_fault: AfterFault::Lose, ..spec.referee([agent; 2]) };
    let played = referee.play(&mut *game, [&mut *first, &mut *second], 1, watch)?;
    Some(match played.offences.first() {
        None => {
            let (moves, slowest) = (played.plies.len(), slowest.as_secs_f64());
            Check::good(name, format!("{}, {moves} moves, at most {slowest:.2} s each", played.ending))
        }
        Some(Offence { ply, side, fault }) => {
            let cost = match spec.after_fault {
                OnFault::Lose => "this loses the game",
                OnFault::Random => "a random move replaces it in a tournament",
            };
            let shown = describe_position(agent.dialect.as_deref(), *side, &game.position());
            let detail = format!("after {ply} moves, {}; {shown}; {cost}", fault.detail);
            failed(name, &Fault::new(fault.kind, detail), subject)
        }
    })
}

fn failed(name: &str, fault: &Fault, subject: &Subject<'_>) -> Check {
    Check::bad(name, fault.to_string(), advice(fault, subject))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn the_dialect_sets_the_default_game() {
        let game = |arguments: &[&str], dialect| {
            let cli = Cli::try_parse_from([&["check", "x"][..], arguments].concat()).expect("options");
            cli.options.game.draft(Some(dialect)).spec.game
        };
        assert_eq!(game(&[], "comp10002"), "checkers");
        assert_eq!((game(&[], "cs61b"), game(&[], "nus")), ("loa".to_owned(), "loa".to_owned()));
        assert_eq!(game(&["--game", "loa"], "comp10002"), "loa");
        assert_eq!(game(&["--game", "jump61"], "cs61b"), "jump61");
    }
}
