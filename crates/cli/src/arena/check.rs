//! `plyhouse arena check`.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use arena::entry::{Check, State, Subject, checks};
use arena::{Draft, Format};
use clap::Args;
use games::GameId;

use super::agents;
use super::class_path::pass_class_path;
use super::confined::{SandboxOption, for_one};

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
    /// Game; defaults to loa, or to checkers for `comp10002` programs
    #[arg(long, value_parser = crate::options::game())]
    game: Option<GameId>,
    /// Size of the board, in squares per side; 6 for `nus` agents
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Time for each move, in seconds; defaults to 5, or to 3 for `nus` agents, as in their competition
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

/// Formats the result of a check.
fn shown(check: &Check) -> String {
    let word = match check.state {
        State::Begun => "begins",
        State::Passed => "ok",
        State::Warned => "warning",
        State::Failed => "FAILED",
    };
    let mut text = format!("{word:<7} {}", check.name);
    if !check.detail.is_empty() {
        text.extend([": ", &check.detail]);
    }
    for more in check.remedy.iter().chain(&check.board) {
        text.extend(more.lines().flat_map(|line| ["\n        ", line]));
    }
    text
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut agent = agents::parse(&options.agent)?;
    let mut spec = options.game.draft(agent.dialect.as_deref()).spec;
    pass_class_path(&mut agent, &mut spec);
    // Invalid settings are errors of the user, so they must not become a failed check of the program.
    spec.new_game(0).map_err(anyhow::Error::msg)?;
    let venue = for_one(&spec, &agent, options.game.sandbox)?;
    spec.player(&agent, &venue).map_err(anyhow::Error::msg)?;
    let mut written = Ok(());
    let is_ready = checks(&Subject { spec: &spec, agent: &agent, venue: &venue }, &mut |check| {
        print_result(check, "", out, &mut written)
    });
    written?;
    writeln!(out, "{}", if is_ready { "ready to enter" } else { "not ready" })?;
    Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Prints the result of a check, with an indentation. If printing fails, the checks end.
pub(super) fn print_result(
    check: &Check,
    indentation: &str,
    out: &mut dyn Write,
    written: &mut std::io::Result<()>,
) -> ControlFlow<()> {
    if check.state == State::Begun {
        return ControlFlow::Continue(());
    }
    let text = shown(check).replace('\n', &format!("\n{indentation}"));
    *written = writeln!(out, "{indentation}{text}").and_then(|()| out.flush());
    if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
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
