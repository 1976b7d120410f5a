//! `plyhouse arena check`.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::entry::{Check, State, Subject, checks, quoted_path, read_folder};
use arena::{AgentSpec, Draft, Format, Words};
use clap::Args;
use course::{FileCheck, StepState};
use games::GameId;
use process::sandbox::{Bytes, Limits};

use super::agents;
use super::class_path::pass_class_path;
use super::confined::{SandboxOption, for_one};

/// Check a program before a tournament: test each step of its dialect, then let it play a game against itself. A zip
/// archive or a source file is unpacked and corrected as a course does
#[derive(Args)]
pub(super) struct Options {
    /// Agent: `[NAME=]DIALECT:COMMAND`, `builtin:level=5`, a folder with an `agent.toml`, or a file as it is uploaded
    /// to a course. For a file or a folder, options such as `--command` replace fields that its `agent.toml` does not
    /// set
    agent: String,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    submission: SubmissionOptions,
    /// Maximum size of a file to check, as the course sets it
    #[arg(long, value_name = "BYTES", default_value = "20M")]
    upload_size: Bytes,
}

/// Values of fields that an `agent.toml` does not set.
#[derive(Args)]
pub(super) struct SubmissionOptions {
    /// Dialect of submissions that do not set one
    #[arg(long)]
    pub(super) dialect: Option<String>,
    /// Command of submissions that do not set one, such as `./agent`, or a list such as `["./agent", "a b"]`; it runs
    /// in the submission's folder
    #[arg(long, value_parser = command)]
    command: Option<Words>,
    /// Build command of submissions that do not set one, such as `make`
    #[arg(long)]
    build: Option<String>,
    /// Maximum duration of a build, in seconds; defaults to 120. A submission may set less
    #[arg(long, value_name = "SECONDS")]
    build_time: Option<u32>,
}

impl SubmissionOptions {
    /// Returns the values as an agent without a name.
    pub(super) fn defaults(&self) -> AgentSpec {
        AgentSpec {
            dialect: self.dialect.clone(),
            command: self.command.clone(),
            build: self.build.clone(),
            build_time: self.build_time,
            ..AgentSpec::default()
        }
    }
}

/// Parses a command: a text, or a list in JSON.
fn command(text: &str) -> Result<Words, String> {
    if text.starts_with('[') {
        return serde_json::from_str(text).map(Words::List).map_err(|error| format!("expected a list: {error}"));
    }
    Ok(Words::Text(text.to_owned()))
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
    /// Time for each move, in seconds; unless `--game-time` is set, it defaults to 5, or to 3 for `nus` agents, as in
    /// their competition
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<f64>,
    /// Time for all moves of a game, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    game_time: Option<f64>,
    /// Time added after each move, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    increment: Option<f64>,
    /// Maximum time to start before a game, in seconds; defaults to 10
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    start_time: Option<f64>,
    /// Tolerated delay of an answer after its time limit, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    margin: Option<f64>,
    /// Number of random moves at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    opening: u32,
    /// Number of moves of both sides together after which a game is drawn; defaults to 200
    #[arg(long, value_name = "MOVES")]
    move_limit: Option<u32>,
    /// Number of occurrences of a position after which the game is drawn
    #[arg(long, value_name = "N", conflicts_with = "rules")]
    repetitions: Option<u32>,
    /// Rule set of the game: in Lines of Action `cs61b`, `nus`, `mso` or `openspiel`
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Limit of the program in its sandbox, such as `memory=512M`: memory, processes, files, scratch, output or cpu
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = limit)]
    limits: Vec<Limit>,
    #[command(flatten)]
    pub(super) sandbox: SandboxOption,
}

/// A limit of a program: the name and the value.
type Limit = (String, serde_json::Value);

/// Parses a limit of a program.
fn limit(text: &str) -> Result<Limit, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as memory=512M")?;
    let is_size = ["memory", "scratch", "output"].contains(&name);
    let number = value.parse::<u32>().ok().filter(|_| !is_size).map(serde_json::Value::from);
    let limit = (name.to_owned(), number.unwrap_or_else(|| value.into()));
    let limits = limits(std::slice::from_ref(&limit)).map_err(|error| error.to_string())?;
    limits.check().map_err(|(name, found, expected)| format!("{name}: {found} found, expected {expected}"))?;
    Ok(limit)
}

/// Returns the usual limits with some changes.
fn limits(changes: &[Limit]) -> serde_json::Result<Limits> {
    serde_json::from_value(serde_json::Value::Object(changes.iter().cloned().collect()))
}

fn seconds(text: &str) -> Result<f64, String> {
    crate::options::seconds(text).map(|time| time.as_secs_f64())
}

impl GameOptions {
    /// Returns a draft of a tournament without agents. If the dialect belongs to a competition, its rules apply.
    pub(super) fn draft(&self, dialect: Option<&str>) -> Draft {
        let default = if dialect == Some("comp10002") { GameId::CHECKERS } else { GameId::LOA };
        let mut draft = Draft::new(self.game.unwrap_or(default).name());
        let spec = &mut draft.spec;
        (spec.size, spec.opening, spec.repetitions) = (self.size, self.opening, self.repetitions);
        spec.rules.clone_from(&self.rules);
        let limit = spec.rule_set().and_then(|set| set.move_limit);
        spec.move_limit = self.move_limit.or(limit).unwrap_or(spec.move_limit);
        spec.limits = limits(&self.limits).expect("invariant: the parser has checked each limit");
        spec.format = Format::Match;
        if self.move_time.is_some() || self.game_time.is_some() {
            (spec.time.per_move, spec.time.per_game) = (self.move_time, self.game_time);
            draft.named.time = true;
        }
        let time = &mut draft.spec.time;
        time.increment = self.increment.unwrap_or(time.increment);
        time.start = self.start_time.unwrap_or(time.start);
        time.margin = self.margin.unwrap_or(time.margin);
        draft.adopt(dialect.unwrap_or_default());
        draft
    }
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path = Path::new(&options.agent);
    let is_ready = if path.is_file() { check_file(path, options, out)? } else { check_agent(options, out)? };
    writeln!(out, "{}", if is_ready { "ready to enter" } else { "not ready" })?;
    Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Checks a program or a folder.
fn check_agent(options: &Options, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut agent = agent(options)?;
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
    Ok(is_ready)
}

/// Returns the agent to check.
fn agent(options: &Options) -> anyhow::Result<AgentSpec> {
    let (text, defaults) = (&options.agent, options.submission.defaults());
    if Path::new(text).is_dir() {
        return Ok(read_folder(Path::new(text), &defaults)?);
    }
    let agent = agents::parse(text).with_context(|| format!("no file or folder `{}`", quoted_path(text)))?;
    ensure!(
        defaults == AgentSpec::default(),
        "`--dialect`, `--command`, `--build` and `--build-time` are for files and folders, but `{}` found",
        quoted_path(text)
    );
    Ok(agent)
}

/// Checks a file as a course does.
fn check_file(file: &Path, options: &Options, out: &mut dyn Write) -> anyhow::Result<bool> {
    let defaults = options.submission.defaults();
    let spec = options.game.draft(defaults.dialect.as_deref()).spec;
    spec.new_game(0).map_err(anyhow::Error::msg)?;
    let place = tempfile::Builder::new().prefix("plyhouse-check-").tempdir().context("a temporary folder")?;
    // The command is known after unpacking. The sandbox does not depend on it.
    let any = AgentSpec {
        name: "submission".to_owned(),
        command: Some(Words::Text("true".to_owned())),
        directory: Some(place.path().to_owned()),
        ..AgentSpec::default()
    };
    let venue = for_one(&spec, &any, options.game.sandbox)?;
    let (spec, venue, defaults, folder) = (&spec, &venue, &defaults, place.path());
    let check = FileCheck { file, size: options.upload_size.0, defaults, spec, venue, folder };
    let mut written = Ok(());
    let is_ready = check.run(&mut |step| {
        let state = match step.state {
            StepState::Running => State::Begun,
            StepState::Passed => State::Passed,
            StepState::Warned => State::Warned,
            StepState::Failed => State::Failed,
        };
        let detail = step.detail.trim_end().replace('\n', "\n        ");
        print_text(state, &shown(state, &step.name, &detail, step.remedy.lines()), out, &mut written)
    });
    written?;
    Ok(is_ready?)
}

/// Formats the result of a check. The lines of `more` follow, with an indentation.
fn shown<'a>(state: State, name: &str, detail: &str, more: impl Iterator<Item = &'a str>) -> String {
    let word = match state {
        State::Begun => "begins",
        State::Passed => "ok",
        State::Warned => "warning",
        State::Failed => "FAILED",
    };
    let mut text = format!("{word:<7} {name}");
    if !detail.is_empty() {
        text.extend([": ", detail]);
    }
    text.extend(more.flat_map(|line| ["\n        ", line]));
    text
}

/// Prints the result of a check, with an indentation. If printing fails, the checks end.
pub(super) fn print_result(
    check: &Check,
    indentation: &str,
    out: &mut dyn Write,
    written: &mut std::io::Result<()>,
) -> ControlFlow<()> {
    let more = check.remedy.iter().chain(&check.board).flat_map(|text| text.lines());
    let text = shown(check.state, check.name, &check.detail, more).replace('\n', &format!("\n{indentation}"));
    print_text(check.state, &format!("{indentation}{text}"), out, written)
}

/// Prints a result, but not a beginning. If printing fails, the checks end.
fn print_text(state: State, text: &str, out: &mut dyn Write, written: &mut std::io::Result<()>) -> ControlFlow<()> {
    if state == State::Begun {
        return ControlFlow::Continue(());
    }
    *written = writeln!(out, "{text}").and_then(|()| out.flush());
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
    #[test]
    fn options_set_the_limits_of_a_course() {
        let parsed = |arguments: &[&str]| Cli::try_parse_from([&["check", "x"][..], arguments].concat());
        let cli = parsed(&["--limit", "memory=512M", "--limit", "cpu=60", "--rules", "openspiel", "--game-time", "60"])
            .expect("options");
        let spec = cli.options.game.draft(None).spec;
        assert_eq!(spec.limits, Limits { memory: Bytes(512 << 20), cpu: 60, ..Limits::default() });
        assert_eq!((spec.rules.as_deref(), spec.move_limit), (Some("openspiel"), 1000));
        assert_eq!((spec.time.per_move, spec.time.per_game), (None, Some(60.0)));
        let cli = parsed(&["--command", r#"["python3", "my agent.py"]"#]).expect("options");
        let words = cli.options.submission.defaults().command.map(|command| command.words());
        assert_eq!(words, Some(vec!["python3".to_owned(), "my agent.py".to_owned()]));
        for (option, value, expected) in [
            ("--limit", "memory", "NAME=VALUE"),
            ("--limit", "memory=1K", "at least 16M"),
            ("--limit", "memori=1G", "unknown field"),
            ("--limit", "cpu=many", "u32"),
            ("--move-time", "-1", "seconds from 0"),
            ("--command", "[1]", "expected a list"),
        ] {
            let error = parsed(&[&format!("{option}={value}")]).map(drop).expect_err(value).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
    /// Returns the options that a course shows to its teams, and the course.
    #[cfg(unix)]
    fn shown_by_course(sections: &str) -> (Options, course::Course) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("teams.csv"), "id,name,mail\nann,Ann,\n").expect("written");
        let text = format!(
            "[course]\nname = 'Test'\nroster = 'teams.csv'\ndeadline = '2999-11-30 18:00'\ntime_zone = 'UTC'\n\
             {sections}"
        );
        let config = course::Course::read(&text, folder.path()).expect("a course");
        let options = course::Options { threads: false, ..course::Options::default() };
        let store = folder.path().join("course.sqlite");
        let service = course::Service::open(config.clone(), &store, std::sync::Arc::new(course::SystemClock), options);
        let command = service.expect("a course").about(None).expect("the course").check_command;
        let words = command.strip_prefix("plyhouse arena check ").expect("the command");
        let printed = std::process::Command::new("sh").args(["-c", &format!("printf '%s\\0' {words}")]).output();
        let printed = String::from_utf8(printed.expect("a shell").stdout).expect("UTF-8");
        let words = std::iter::once("check").chain(printed.split_terminator('\0'));
        let cli = Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{command}: {error}"));
        assert_eq!(cli.options.agent, "FILE");
        (cli.options, config)
    }

    #[cfg(unix)]
    #[test]
    fn the_command_of_a_course_has_the_rules_of_the_course() {
        let full = "[game]\ngame = 'breakthrough'\nsize = 5\nmove_limit = 90\nrepetitions = 4\n\
                    [time]\ngame = 60.5\nincrement = 1\nstart = 20\nmargin = 0.25\n\
                    [limits]\nmemory = '512M'\nprocesses = 64\nfiles = 99\nscratch = '1G'\noutput = '1M'\ncpu = 600\n\
                    [agent]\ncommand = ['java', '-cp', 'my classes', \"Ann's.Agent\"]\ndialect = 'ugi'\n\
                    build = 'javac -d \"my classes\" $(ls *.java) && echo it''s'\nbuild_time = 30\n\
                    [uploads]\nsize = '1M'\n[ladder]\nopening = 3\n"
            .replace("it''s", "done");
        for sections in [
            &*full,
            "[game]\ngame = 'breakthrough'\n[agent]\ncommand = 'python3 agent.py'\ndialect = 'ugi'\n",
            "[game]\ngame = 'loa'\n[agent]\ncommand = './agent'\ndialect = 'nus'\nbuild = 'make'\n",
            "[game]\ngame = 'loa'\nrules = 'openspiel'\n[time]\nmove = 0.5\ngame = 30\n",
            "[game]\ngame = 'checkers'\n[agent]\ncommand = './agent'\ndialect = 'comp10002'\n",
        ] {
            let (options, course) = shown_by_course(sections);
            let engine = AgentSpec { builtin: Some(String::new()), ..AgentSpec::default() };
            let named = |name: &str| AgentSpec { name: name.to_owned(), ..engine.clone() };
            let expected = course.ladder_spec(vec![named("a"), named("b")]).expect("rules");
            let defaults = options.submission.defaults();
            let found = options.game.draft(defaults.dialect.as_deref()).spec;
            assert_eq!((&found.game, found.size, found.time), (&expected.game, expected.size, expected.time));
            assert_eq!((found.limits, found.opening), (expected.limits, expected.opening), "{sections}");
            let draws = |spec: &arena::Spec| (spec.move_limit, spec.repetitions, spec.rules.clone());
            assert_eq!(draws(&found), draws(&expected), "{sections}");
            let words = |command: &Option<Words>| command.as_ref().map(Words::words);
            assert_eq!(words(&defaults.command), words(&course.agent.command));
            let agent = &course.agent;
            assert_eq!((&defaults.dialect, &defaults.build), (&agent.dialect, &agent.build), "{sections}");
            assert_eq!((defaults.build_time, options.upload_size), (agent.build_time, course.uploads.size));
        }
    }
}
