use core::num::NonZeroUsize;
use core::time::Duration;

use search::{Limits, Settings, Technique, Techniques, Tuning};

use crate::booked::Booked;
use crate::build::Build;
use crate::construction;
use crate::level::{Level, Profile};
use crate::playable::Playable;
use crate::player::{Built, NoBuild};
use crate::resources::Resources;

/// A description of one of our players: level, limits, build, and changes to its settings.
///
/// It is parsed from a list, such as `level=7` or `nodes=20000,without=lmr+null` (all are in [`ALL`](Self::ALL)), or
/// set field by field. [`make`](Self::make) builds the player.
///
/// ```
/// use engine::{PlayerOptions, Resources};
///
/// let options: PlayerOptions = "nodes=20000,without=lmr+null".parse()?;
/// assert_eq!(options, PlayerOptions { nodes: Some(20_000), ..options.clone() });
/// let player = options.make(&loa::Position::start(8)?, &Resources::default())?;
/// assert_eq!(player.limits.nodes, Some(20_000));
/// assert!("nodes=many".parse::<PlayerOptions>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// Level; full strength by default.
    pub level: Level,
    /// Node budget of a move; the level's budget if unset.
    pub nodes: Option<u64>,
    /// Time limit for a move. It replaces the node budget of full strength; a lower level keeps its node budget as
    /// well. Games with a time limit are not reproducible.
    pub movetime: Option<Duration>,
    /// Maximum depth of a search, in plies.
    pub depth: Option<u32>,
    /// Number of threads. With more than one, games are no longer reproducible.
    pub threads: NonZeroUsize,
    /// Number of best moves that get a score and a line.
    pub lines: NonZeroUsize,
    /// Build of the player.
    pub build: Build,
    /// Techniques of the search that are enabled (`true`) and disabled (`false`), in order; `None` means all of them.
    pub techniques: Vec<(Option<Technique>, bool)>,
    /// Size of the transposition table, in MiB. The exact search for forced wins and each proof search have further
    /// tables of at most this size.
    pub table_mib: Option<usize>,
    /// Maximum length, in plies, of the forced wins that are always found, and of the forced losses that are always
    /// avoided. If set, the player does not search exactly for longer wins and losses.
    pub horizon: Option<(u32, u32)>,
    /// Share of the budget for proof searches, in percent.
    pub proof_percent: Option<u32>,
    /// `true` if the player uses endgame tables when available. Levels below full strength never use them.
    pub endgames: bool,
    /// `true` if the player plays from the opening book of its game, if there is one. Levels below 8 never do, nor do
    /// earlier builds and players with more than one line.
    pub book: bool,
    /// Maximum random change to an evaluation, in hundredths of a piece.
    pub noise: Option<u32>,
    /// Changed search parameters, in order: names and values that [`Tuning::set`] accepts.
    pub tuning: Vec<(&'static str, i32)>,
}

impl Default for PlayerOptions {
    /// Returns the player of full strength with its default budget.
    fn default() -> Self {
        Self {
            level: Level::FULL,
            nodes: None,
            movetime: None,
            depth: None,
            threads: NonZeroUsize::MIN,
            lines: NonZeroUsize::MIN,
            build: Build::Current,
            techniques: Vec::new(),
            table_mib: None,
            horizon: None,
            proof_percent: None,
            endgames: true,
            book: true,
            noise: None,
            tuning: Vec::new(),
        }
    }
}

impl PlayerOptions {
    /// Returns the options for an analysis: full strength, without the opening book and without random changes to
    /// evaluations.
    pub fn analysis() -> Self {
        Self { book: false, noise: Some(0), ..Self::default() }
    }

    /// Builds the player for a board of the same size as this position's.
    ///
    /// # Errors
    /// If the game has no player of this build.
    pub fn make<P: Playable>(&self, board: &P, resources: &Resources) -> Result<Built<P>, NoBuild> {
        let profile = board.profile();
        let (settings, gentle) = (self.settings(&profile), self.level.attention(&profile));
        let mut resources = resources.clone();
        if !self.uses_endgames() {
            resources = resources.without_endgames();
        }
        let engine = construction::engine(self.build, settings, gentle, &resources)
            .ok_or_else(|| NoBuild { build: self.build, there_are: Build::of(board) })?;
        let engine = match board.book() {
            Some(book) if self.uses_book() => Box::new(Booked::new(book, engine)),
            _ => engine,
        };
        Ok(Built { engine, limits: self.limits(&profile), default_nodes: settings.default_nodes })
    }

    fn uses_endgames(&self) -> bool {
        self.endgames && self.level == Level::FULL
    }

    fn uses_book(&self) -> bool {
        self.book && self.level >= Level::WITH_BOOK && self.build == Build::Current && self.lines == NonZeroUsize::MIN
    }

    /// Returns the settings of the level with these options applied.
    fn settings(&self, profile: &Profile) -> Settings {
        let level = self.level.settings(profile);
        let (win_horizon, loss_horizon) = self.horizon.unwrap_or((level.win_horizon, level.loss_horizon));
        let far_horizon = if self.horizon.is_none() { level.far_horizon } else { 0 };
        Settings {
            default_nodes: (level.default_nodes / self.build.node_cost()).max(1),
            threads: self.threads,
            lines: self.lines,
            techniques: self.techniques(level.techniques),
            table_mib: self.table_mib.unwrap_or(level.table_mib),
            noise: self.noise.unwrap_or(level.noise),
            proof_percent: self.proof_percent.unwrap_or(level.proof_percent),
            tuning: self.tuning(level.tuning),
            win_horizon,
            loss_horizon,
            far_horizon,
            ..level
        }
    }

    fn techniques(&self, of_level: Techniques) -> Techniques {
        self.techniques.iter().fold(of_level, |techniques, &change| match change {
            (None, true) => Techniques::ALL,
            (None, false) => Techniques::NONE,
            (Some(technique), true) => techniques.with(technique),
            (Some(technique), false) => techniques.without(technique),
        })
    }

    fn tuning(&self, mut tuning: Tuning) -> Tuning {
        for &(name, value) in &self.tuning {
            // The parser has already rejected values out of range.
            let _ = tuning.set(name, value);
        }
        tuning
    }

    /// Returns the limits for each move. A level below full strength keeps its node budget under a time limit.
    fn limits(&self, profile: &Profile) -> Limits {
        let level_nodes = (self.level < Level::FULL).then(|| self.settings(profile).default_nodes);
        Limits { depth: self.depth, nodes: self.nodes.or(level_nodes), movetime: self.movetime, optimum: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_change_settings_and_limits() {
        let options: PlayerOptions = "nodes=500, without=lmr+null, with=null,table=2,horizon=3/0,noise=0,proof=9"
            .parse()
            .expect("all options are known");
        let (settings, full) = (options.settings(&Profile::testing()), Profile::testing().full);
        assert_eq!(options.limits(&Profile::testing()), Limits::nodes(500));
        assert_eq!(settings.techniques, full.techniques.without(Technique::LateReductions));
        assert_eq!((settings.table_mib, settings.noise, settings.proof_percent), (2, 0, 9));
        assert_eq!((settings.win_horizon, settings.loss_horizon), (3, 0));
        assert_eq!(PlayerOptions::default().settings(&Profile::testing()), full);
    }

    #[test]
    fn a_lower_level_keeps_its_budget_under_a_time_limit() {
        let options: PlayerOptions = "level=3,movetime=2".parse().expect("all options are known");
        let nodes = options.level.settings(&Profile::testing()).default_nodes;
        assert_eq!(options.limits(&Profile::testing()).nodes, Some(nodes));
        let full: PlayerOptions = "movetime=2".parse().expect("all options are known");
        assert_eq!(full.limits(&Profile::testing()), Limits::movetime(Duration::from_secs(2)));
    }

    #[test]
    fn endgame_tables_are_for_full_strength() {
        for (text, uses) in [("", true), ("endgames=no", false), ("level=9", false), ("level=9,endgames=yes", false)] {
            assert_eq!(text.parse::<PlayerOptions>().map(|options| options.uses_endgames()), Ok(uses), "{text}");
        }
    }

    #[test]
    fn books_are_for_high_levels_of_the_current_player() {
        for (text, uses) in [
            ("", true),
            ("level=8,nodes=9", true),
            ("level=7", false),
            ("level=gentle3", false),
            ("book=no", false),
            ("build=second", false),
        ] {
            assert_eq!(text.parse::<PlayerOptions>().map(|options| options.uses_book()), Ok(uses), "{text}");
        }
        assert!(!PlayerOptions::analysis().uses_book());
    }
}
