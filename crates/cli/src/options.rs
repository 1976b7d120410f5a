//! Options that several programs share.

use core::num::NonZeroUsize;
use core::str::FromStr;
use core::time::Duration;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;

use arena::Location;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, Parser};
use engine::{Level, PlayerOptions, PlayerOptionsError};
use games::{AnyRecord, GameId, Rules, UnknownRules};

/// The strength of the automated players.
#[derive(Args, Clone, Debug)]
pub(crate) struct StrengthOptions {
    /// Strength of the automated players: 1 to 10, or gentle1, gentle2 or gentle3; by default 10, with faster moves
    /// late in a game and when the program plays both sides
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Seconds per move, instead of a fixed number of positions; games are then not reproducible
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    movetime: Option<Duration>,
    /// Threads of the automated players; with more than one, games are not reproducible
    #[arg(long, value_name = "N", default_value = "1", value_parser = up_to_256)]
    threads: NonZeroUsize,
}

impl StrengthOptions {
    /// Returns the settings of the automated players.
    pub(crate) fn player(&self) -> PlayerOptions {
        let Self { level, movetime, threads } = *self;
        PlayerOptions { level: level.unwrap_or(Level::FULL), movetime, threads, ..PlayerOptions::default() }
    }

    /// Returns `true` if the user has set a level. The level's budget is then not reduced in self-play.
    pub(crate) fn names_level(&self) -> bool {
        self.level.is_some()
    }
}

/// The position of a command.
#[derive(Args)]
pub(crate) struct PositionOptions {
    /// The game
    #[arg(value_parser = game())]
    pub(crate) game: GameId,
    /// Position text; the start position if unset
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Squares per side
    #[arg(long, value_name = "N")]
    pub(crate) size: Option<usize>,
    #[command(flatten)]
    pub(crate) rules: RulesOptions,
}

/// The rule set and the start of a game.
#[derive(Args)]
pub(crate) struct RulesOptions {
    /// Rule set of the game: in Lines of Action `cs61b`, `nus`, `mso` or `openspiel`
    #[arg(long, value_name = "NAME")]
    pub(crate) rules: Option<String>,
    /// Start position: in Lines of Action `scrambled-eggs`
    #[arg(long, value_name = "NAME")]
    pub(crate) start: Option<String>,
}

impl RulesOptions {
    /// Returns the rules.
    ///
    /// # Errors
    /// If the game has no such rule set on this size, or no such start.
    pub(crate) fn of(&self, game: GameId, size: Option<usize>) -> Result<Rules, UnknownRules> {
        Rules::named(game, size, self.rules.as_deref(), self.start.as_deref())
    }
}

impl PositionOptions {
    /// Returns the text of the position; `None` for the usual start under the usual rules.
    ///
    /// # Errors
    /// If the rules are unknown, or the text is not a position of the game.
    pub(crate) fn text(&self) -> anyhow::Result<Option<String>> {
        let rules = self.rules.of(self.game, self.size)?;
        Ok(rules.position(self.game, self.size, self.position.as_deref())?)
    }

    /// Returns the position.
    ///
    /// # Errors
    /// Returns an error if the rules are unknown, or the text is not a position of the game or has another size than
    /// requested.
    pub(crate) fn position(&self) -> anyhow::Result<Box<dyn AnyRecord>> {
        Ok(self.game.position(self.text()?.as_deref(), self.size)?)
    }
}

/// The settings of a player, and their text.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// The text as the user wrote it.
    pub(crate) words: String,
    /// The parsed settings.
    pub(crate) player: PlayerOptions,
}

impl FromStr for Words {
    type Err = PlayerOptionsError;

    fn from_str(text: &str) -> Result<Self, PlayerOptionsError> {
        Ok(Self { words: text.to_owned(), player: text.parse()? })
    }
}

/// Returns the parser of a game's name. Help texts and errors list all games.
pub(crate) fn game() -> impl TypedValueParser<Value = GameId> {
    one_of(GameId::all())
}

/// Reads the name of a built-in game, for commands that are compiled for each game.
pub(crate) fn built_in_game() -> impl TypedValueParser<Value = GameId> {
    one_of(&GameId::BUILT_IN)
}

fn one_of(games: &[GameId]) -> impl TypedValueParser<Value = GameId> + use<> {
    let names = games.iter().map(|game| PossibleValue::new(game.name()).help(game.title()));
    PossibleValuesParser::new(names).map(|name| name.parse().expect("invariant: the name was listed"))
}

/// Parser of a store's location. Its errors do not repeat the value, because a URL may contain a password.
#[derive(Clone)]
pub(crate) struct StoreParser;

impl TypedValueParser for StoreParser {
    type Value = Location;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Location, clap::Error> {
        Location::try_from(value.to_owned())
            .map_err(|why| command.clone().error(ErrorKind::ValueValidation, format!("--store: {why}")))
    }
}

/// Parses a number of threads or lines.
pub(crate) fn up_to_256(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(n) if n.get() <= 256 => Ok(n),
        _ => Err("expected a number from 1 to 256".to_owned()),
    }
}

/// Returns the requested number of threads, or the number of processors.
pub(crate) fn processors(requested: Option<u64>) -> usize {
    requested.map_or_else(|| available_parallelism().map_or(1, usize::from), |n| n as usize)
}

/// Returns the free memory of this machine, in MiB, if the system reports it.
pub(crate) fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kib = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"))?;
    kib.trim().parse::<u64>().ok().map(|kib| kib >> 10)
}

/// Checks before a long computation that its result can be written to this file. An existing file keeps its content.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    let is_new = !path.try_exists()?;
    OpenOptions::new().append(true).create(true).open(path)?;
    if is_new { fs::remove_file(path) } else { Ok(()) }
}

/// Parses a number of seconds, with or without decimals.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected seconds from 0 to 1000000".to_owned()),
    }
}

/// Returns a seed that differs from call to call.
pub(crate) fn seed_from_clock() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64
}

/// Parses the options of a course's program. On an error, prints it to standard error and returns exit code 1.
pub(crate) fn parse_or_exit<T: Parser>() -> Result<T, ExitCode> {
    T::try_parse().map_err(|error| {
        let _ = error.print();
        if error.use_stderr() { ExitCode::from(1) } else { ExitCode::SUCCESS }
    })
}
