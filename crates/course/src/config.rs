//! The course file.

pub(crate) mod grading;
pub(crate) mod lines;
pub(crate) mod local;
pub(crate) mod sections;

use std::path::{Path, PathBuf};

use arena::{Adjudicate, AgentSpec, Draft, Format, Named, Openings, Spec, SpecError, Times};
use games::GameId;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ZonedDateTime};
use ledger::Address;
use process::sandbox::Limits;
use protocol::dialects::Speaks;
use rating::swiss::Swiss;
use serde::Deserialize;

use crate::roster::MAX_TEAMS;
use sections::{AgentDefaults, Copies, Cores, Final, LadderRules, Practice, Server, Uploads};

pub use grading::{Beats, EloSteps, Grading, RankStep};
pub use lines::ConfigError;
use lines::wrong;
pub use local::local_time;
pub use sections::{About, Game, Late, LevelName, Publish};

/// Maximum of the hourly limits on practice games and on uploads.
const MOST_PER_HOUR: u32 = 1000;

/// A course file.
///
/// ```
/// let file = r#"
/// [course]
/// name = "CS3243"
/// roster = "teams.csv"
/// deadline = "2026-11-30 18:00"
/// time_zone = "Asia/Singapore"
/// [game]
/// game = "loa"
/// "#;
/// let course = course::Course::read(file, std::path::Path::new("."))?;
/// assert_eq!(course.deadline.timestamp().to_string(), "2026-11-30T10:00:00Z");
/// # Ok::<(), course::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Name, roster and deadline.
    pub about: About,
    /// Deadline, in the course's time zone.
    pub deadline: ZonedDateTime,
    /// Values of fields that a submission's own description does not set.
    pub agent: AgentDefaults,
    /// Limits of uploads.
    pub uploads: Uploads,
    /// Rules of the ladder.
    pub ladder: LadderRules,
    /// Limits of practice games.
    pub practice: Practice,
    /// Rules of the final.
    pub last: Final,
    /// Rules of marks.
    pub grading: Grading,
    /// Search for copies.
    pub copies: Copies,
    /// Addresses and certificates.
    pub server: Server,
    /// Course file; `None` if it was not read from a file.
    pub(crate) file: Option<PathBuf>,
    /// Rules, times and limits of all games.
    rules: Draft,
}

/// The fields of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    course: About,
    game: Game,
    time: Option<TimesOfFile>,
    #[serde(default)]
    adjudicate: Adjudicate,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    agent: AgentDefaults,
    #[serde(default)]
    uploads: Uploads,
    #[serde(default)]
    ladder: LadderRules,
    #[serde(default)]
    practice: Practice,
    #[serde(default, rename = "final")]
    last: Final,
    #[serde(default)]
    grading: Grading,
    #[serde(default)]
    copies: Copies,
    #[serde(default)]
    server: Server,
}

/// The section `[time]`. An empty one counts as unset.
#[derive(Deserialize)]
#[serde(transparent)]
struct TimesOfFile(Times);

/// Returns the commented file with which a course begins.
pub const fn template() -> &'static str {
    include_str!("config/template.toml")
}

/// Returns the file of a new course: the template with a deadline in four weeks.
pub fn new_file(now: Timestamp) -> String {
    let day = now.to_zoned_datetime(TimeZone::UTC).date().saturating_add(Span::new().weeks(4));
    template().replacen("2026-11-30", &day.to_string(), 1)
}

impl Course {
    /// Reads a course file.
    ///
    /// # Errors
    /// If it cannot be read or is invalid.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Io { path: name.clone(), error })?;
        let course = Self::read(&text, path.parent().unwrap_or(Path::new("")));
        Ok(Self { file: Some(path.to_owned()), ..course.map_err(|error| error.in_file(&name))? })
    }

    /// Reads a course file. Paths are relative to `here`, the file's directory.
    ///
    /// # Errors
    /// If the file is not TOML, has the wrong fields, or a field has an invalid value.
    pub fn read(text: &str, here: &Path) -> Result<Self, ConfigError> {
        let text = game::text::without_mark(text);
        let file: File = toml::from_str(text).map_err(|error| ConfigError::toml(&error))?;
        let rules = rules(&file);
        let deadline = deadline(&file.course, text)?;
        let File { course: about, agent, uploads, ladder, practice, last, grading, copies, server, .. } = file;
        let file = None;
        let mut course =
            Self { about, deadline, agent, uploads, ladder, practice, last, grading, copies, server, file, rules };
        course.resolve(here);
        course.check(text)?;
        course.read_openings(text)?;
        course.copies.read().map_err(|what| wrong(text, "copies.starter", what))?;
        Ok(course)
    }

    fn resolve(&mut self, here: &Path) {
        let Server { certificate, key, .. } = &mut self.server;
        let starter = self.copies.starter.as_mut();
        let paths = [Some(&mut self.about.roster), starter, certificate.as_mut(), key.as_mut()];
        let openings = [self.ladder.openings.as_mut(), self.last.openings.as_mut()];
        let files = openings.into_iter().flatten().filter_map(|openings| match openings {
            Openings::File(path) => Some(path),
            Openings::List(_) => None,
        });
        for path in paths.into_iter().flatten().chain(files) {
            *path = here.join(&*path);
        }
    }

    /// Checks everything except rules that `arena` checks.
    fn check(&self, text: &str) -> Result<(), ConfigError> {
        let wrong = |field: &str, what: String| Err(wrong(text, field, what));
        if let Err(why) = arena::check_name(&self.about.name) {
            return wrong("course.name", why);
        }
        if let Some(Err(error)) = self.agent.dialect.as_ref().map(|dialect| dialect.parse::<Speaks>()) {
            return wrong("agent.dialect", error.to_string());
        }
        let size = self.uploads.size;
        if !(1..=Uploads::MOST.0).contains(&size.0) {
            return wrong("uploads.size", format!("{size} found, expected at most {}", Uploads::MOST));
        }
        let hourly = [("uploads.per_hour", self.uploads.per_hour, 1), ("practice.per_hour", self.practice.per_hour, 0)];
        for (field, found, least) in hourly {
            if !(least..=MOST_PER_HOUR).contains(&found) {
                return wrong(field, format!("{found} found, expected {least} to {MOST_PER_HOUR}"));
            }
        }
        if self.agent.build_time == Some(0) {
            return wrong("agent.build_time", "0 found, expected at least 1 (second)".to_owned());
        }
        if matches!(self.last.format, Format::Match | Format::Gauntlet) {
            let what = format!("{} found, expected round-robin, swiss or knockout", self.last.format.name());
            return wrong("final.format", what);
        }
        let cores = [("ladder.cores", &self.ladder.cores), ("final.cores", &self.last.cores)];
        let none = cores.into_iter().find(|(_, cores)| **cores == Some(Cores::Number(0)));
        if let Some((field, _)) = none.filter(|_| self.server.workers.is_none()) {
            return wrong(field, "0 found, expected at least 1, because `server.workers` is unset".to_owned());
        }
        self.grading.check().or_else(|(field, what)| wrong(&field, what))?;
        self.check_server().or_else(|(field, what)| wrong(field, what))
    }

    fn check_server(&self) -> Result<(), (&'static str, String)> {
        let Server { public, certificate, key, port, workers, .. } = &self.server;
        match (certificate, key) {
            (Some(_), None) => return Err(("server.certificate", "no `key` found, expected both or neither".into())),
            (None, Some(_)) => return Err(("server.key", "no `certificate` found, expected both or neither".into())),
            _ => (),
        }
        if *port == 0 {
            return Err(("server.port", "0 found, expected 1 to 65535".to_owned()));
        }
        if let Some(Err(error)) = workers.as_ref().map(|url| url.parse::<Address>()) {
            return Err(("server.workers", error.to_string()));
        }
        let is_origin = |public: &str| {
            let host = public.strip_prefix("https://").or_else(|| public.strip_prefix("http://"));
            let is_part = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
            host.is_some_and(|host| !host.is_empty() && host.chars().all(is_part))
        };
        match public {
            Some(public) if !is_origin(public) => {
                let found = game::text::excerpt(public);
                let expected = "https:// and a host, without a path, such as https://course.example.org";
                Err(("server.public", format!("`{found}` found, expected {expected}")))
            }
            _ => Ok(()),
        }
    }

    /// Checks the rules of the ladder and of the final. Replaces files of openings with their content, so that a later
    /// change to such a file cannot stop the final.
    fn read_openings(&mut self, text: &str) -> Result<(), ConfigError> {
        let dummies = |count: usize| {
            let command = self.agent.command.clone().filter(|_| self.agent.dialect.is_some());
            let dialect = self.agent.dialect.clone().filter(|_| command.is_some());
            let builtin = command.is_none().then(String::new);
            let agent = AgentSpec { command, dialect, builtin, ..AgentSpec::default() };
            let named = |number: usize| AgentSpec { name: number.to_string(), ..agent.clone() };
            (1..=count).map(named).collect::<Vec<_>>()
        };
        // Errors of the game itself come first.
        let setting = self.rules.spec.setting().map_err(|why| wrong(text, "game", why))?;
        let variant = arena::variant(setting).map_err(|error| wrong(text, "game.size", error.to_string()))?;
        if let Some(Ok(speaks)) = self.agent.dialect.as_ref().map(|dialect| dialect.parse::<Speaks>()) {
            speaks.dialect(&variant).map_err(|error| wrong(text, "agent.dialect", error.to_string()))?;
        }
        let ladder = self.ladder_spec(dummies(2)).map_err(|error| of_section(error, "ladder", text))?;
        let last = self.final_spec(dummies(MAX_TEAMS)).map_err(|error| of_section(error, "final", text))?;
        for (spec, section) in [(&ladder, "ladder"), (&last, "final")] {
            let field = if spec.opening > 0 { format!("{section}.opening") } else { "game".to_owned() };
            spec.new_game(0).map_err(|why| wrong(text, &field, why))?;
        }
        if ladder.time.per_move.is_none() && ladder.time.per_game.is_none() {
            return Err(wrong(text, "time", "neither `move` nor `game` found, expected a limit"));
        }
        (self.ladder.openings, self.last.openings) = (ladder.openings, last.openings);
        Ok(())
    }

    /// Creates the tournament whose rules apply to the ladder, to checks and to practice games.
    ///
    /// # Errors
    /// If an agent is invalid.
    pub fn ladder_spec(&self, agents: Vec<AgentSpec>) -> Result<Spec, SpecError> {
        let mut draft = self.rules.clone();
        let LadderRules { cores, opening, openings, seed } = &self.ladder;
        let spec = &mut draft.spec;
        spec.name = format!("{}: ladder", self.about.name);
        (spec.opening, spec.openings, spec.seed) = (*opening, openings.clone(), *seed);
        Cores::apply(cores.as_ref(), spec);
        spec.agents = agents;
        without_random_moves(spec);
        draft.finish()
    }

    /// Creates the final of these agents, in the order of their seeds. If there are too few agents for the number of
    /// rounds in the file, the final has as many rounds as possible.
    ///
    /// # Errors
    /// If there are fewer than two agents, or one is invalid.
    pub fn final_spec(&self, agents: Vec<AgentSpec>) -> Result<Spec, SpecError> {
        let mut draft = self.rules.clone();
        let Final { format, games, rounds, opening, openings, seed, cores, publish: _ } = &self.last;
        let spec = &mut draft.spec;
        spec.name = format!("{}: final", self.about.name);
        (spec.format, spec.games) = (*format, *games);
        spec.rounds = rounds.map(|rounds| rounds.min(Swiss::most_rounds(agents.len()) as u32));
        (spec.opening, spec.openings, spec.seed) = (*opening, openings.clone(), *seed);
        Cores::apply(cores.as_ref(), spec);
        spec.agents = agents;
        without_random_moves(spec);
        draft.finish()
    }

    /// Returns the roster's path.
    pub fn roster(&self) -> &Path {
        &self.about.roster
    }

    /// Returns the path of the course's database: `NAME.sqlite` for the course file `NAME.toml`.
    pub fn store_path(course_file: &Path) -> PathBuf {
        course_file.with_extension("sqlite")
    }
}

/// Removes the random moves if openings are given, so that the course file need not set `opening` to 0.
fn without_random_moves(spec: &mut Spec) {
    if spec.openings.is_some() {
        spec.opening = 0;
    }
}

/// Returns the rules that the ladder and the final share.
fn rules(file: &File) -> Draft {
    let Game { game, size, move_limit, repetitions, rules, after_fault } = &file.game;
    let mut draft = Draft::new(game);
    let spec = &mut draft.spec;
    (spec.size, spec.repetitions, spec.rules) = (*size, *repetitions, rules.clone());
    spec.move_limit = move_limit.unwrap_or(spec.move_limit);
    spec.after_fault = after_fault.unwrap_or(spec.after_fault);
    let unset = toml::from_str("").expect("invariant: every time has a default");
    let time = file.time.as_ref().map(|time| time.0).filter(|time| *time != unset);
    spec.time = time.unwrap_or_default();
    (spec.adjudicate, spec.limits) = (file.adjudicate, file.limits);
    draft.named = Named {
        time: time.is_some_and(|time| time.per_move.is_some() || time.per_game.is_some()),
        after_fault: after_fault.is_some(),
        move_limit: move_limit.is_some(),
    };
    // Submissions with another dialect must not change the rules, so the rules of the course's dialect are adopted
    // here.
    if let Some(dialect) = &file.agent.dialect {
        draft.adopt(dialect);
    }
    let usual = game.parse::<GameId>().ok().and_then(|game| game.board_size(None).ok());
    draft.spec.size = draft.spec.size.or(usual);
    (draft.named.time, draft.named.after_fault) = (true, true);
    draft
}

/// Returns the deadline as a time.
fn deadline(about: &About, text: &str) -> Result<ZonedDateTime, ConfigError> {
    let name = &about.time_zone;
    let zone = TimeZone::get(name).map_err(|_| {
        let found = game::text::excerpt(name);
        wrong(
            text,
            "course.time_zone",
            if jiff::tz::db().available().next().is_none() {
                format!("`{found}` cannot be found, because this system has no time zone database; install `tzdata`")
            } else {
                format!("`{found}` found, expected a name of the time zone database, such as Asia/Singapore or UTC")
            },
        )
    })?;
    local::parse(&about.deadline, &zone).map_err(|what| wrong(text, "course.deadline", what))
}

/// Adds the section and the line of a field to an error of a tournament file.
fn of_section(error: SpecError, section: &str, text: &str) -> ConfigError {
    let (field, what) = match error {
        SpecError::Value { field, found, expected } => {
            let field = match field.as_str() {
                "games" | "rounds" | "opening" | "openings" => format!("{section}.{field}"),
                "jobs" | "affinity" => format!("{section}.cores"),
                "repetitions" | "move_limit" => format!("game.{field}"),
                _ if field.starts_with("agent") => "agent".to_owned(),
                _ => field,
            };
            (field, format!("{found} found, expected {expected}"))
        }
        SpecError::Openings(why) => (format!("{section}.openings"), why),
        SpecError::Name { name, why } => ("agent.name".to_owned(), format!("`{name}`: {why}")),
        SpecError::Toml(error) => return ConfigError::toml(&error),
    };
    wrong(text, &field, what)
}

#[cfg(test)]
mod tests;
