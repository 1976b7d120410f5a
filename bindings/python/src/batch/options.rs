//! The options of a batch, and the creation of its games.

use games::GameId;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::arrays::Shape;
use crate::encode::{ActionSpace, Encoded, Standard, Visitor, dispatch};
use crate::error::Wrong;
use crate::planes::Planes;
use crate::position;
use crate::rules::Rules;
use crate::table::Settings;
use crate::tables::{AnyTables, Tables};

/// Maximum number of games. On most machines, the masks of this many games exceed the memory.
pub(super) const MOST_GAMES: usize = 1 << 20;

/// The options of a batch, except for its starts and its seed. Its fields are the arguments in Python.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is an independent argument in Python")]
pub(super) struct Options {
    pub(super) size: Option<usize>,
    pub(super) rules: String,
    pub(super) repetitions: Option<u32>,
    pub(super) move_limit: Option<u32>,
    pub(super) auto_reset: bool,
    pub(super) observations: bool,
    pub(super) final_observations: bool,
    pub(super) masks: bool,
    /// `actions="compact"`.
    pub(super) compact: bool,
    /// `perspective="mover"`.
    pub(super) of_mover: bool,
    pub(super) history: usize,
    pub(super) turn_plane: bool,
    /// `rewards="mover"`.
    pub(super) rewards_mover: bool,
    pub(super) threads: Option<usize>,
}

/// Maximum number of earlier boards in an observation.
pub(crate) const MOST_HISTORY: usize = 255;
/// Names of the action spaces.
pub(crate) const ACTIONS: [&str; 2] = ["standard", "compact"];
/// Names of the perspectives of observations.
pub(crate) const PERSPECTIVES: [&str; 2] = ["board", "mover"];
/// Names of the kinds of rewards.
pub(super) const REWARDS: [&str; 2] = ["players", "mover"];

impl Options {
    /// Returns the named arguments that create a batch with these options.
    pub(super) fn named<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        named.set_item("size", self.size)?;
        named.set_item("rules", &self.rules)?;
        named.set_item("repetitions", self.repetitions)?;
        named.set_item("move_limit", self.move_limit)?;
        named.set_item("auto_reset", self.auto_reset)?;
        named.set_item("observations", self.observations)?;
        named.set_item("final_observations", self.final_observations)?;
        named.set_item("masks", self.masks)?;
        named.set_item("actions", ACTIONS[usize::from(self.compact)])?;
        named.set_item("perspective", PERSPECTIVES[usize::from(self.of_mover)])?;
        named.set_item("history", self.history)?;
        named.set_item("turn_plane", self.turn_plane)?;
        named.set_item("rewards", REWARDS[usize::from(self.rewards_mover)])?;
        named.set_item("threads", self.threads)?;
        Ok(named)
    }

    /// Creates `count` games from the usual start, from the one in `starts`, or from a start for each.
    pub(super) fn make(&self, game: &str, count: usize, starts: &[String], seed: u64) -> Result<Made, Wrong> {
        let id: GameId = game.parse().map_err(Wrong::value)?;
        dispatch(id, Make { options: self, count, starts, seed })
    }
}

/// The games of a new batch and the properties that depend on the game.
pub(super) struct Made {
    /// The games.
    pub(super) tables: Box<dyn AnyTables>,
    /// The name of the game.
    pub(super) game: &'static str,
    /// The shape of the arrays.
    pub(super) shape: Shape,
    /// The rules.
    pub(super) rules: Rules,
    /// A description of each plane.
    pub(super) planes: Vec<String>,
    /// Maximum number of threads.
    pub(super) threads: usize,
}

struct Make<'a> {
    options: &'a Options,
    count: usize,
    starts: &'a [String],
    seed: u64,
}

impl Visitor for Make<'_> {
    type Output = Result<Made, Wrong>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let options = self.options;
        let parse = |text: &String| position::start::<P>(options.size, Some(text));
        let mut starts: Vec<P> = match self.starts {
            [] => vec![position::start::<P>(options.size, None)?],
            texts => texts.iter().map(parse).collect::<Result<_, _>>()?,
        };
        if starts.len() < self.count {
            starts = vec![starts[0].clone(); self.count];
        }
        let size = P::size(&starts[0]);
        if let Some(found) = starts.iter().map(P::size).find(|&found| found != size) {
            return Err(Wrong::Value(format!("starts of {size} and of {found} squares per side: expected one size")));
        }
        let rules = Rules::new(&options.rules, &starts[0], options.repetitions, options.move_limit)?;
        let Options { of_mover, history, turn_plane: turn, .. } = *options;
        let planes = Planes { size, of_mover, history, turn };
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.unwrap_or_else(available);
        let Options { auto_reset, rewards_mover, .. } = *options;
        let settings = Settings { rules, planes, auto_reset, rewards_mover, threads };
        let (tables, actions): (Box<dyn AnyTables>, usize) = if options.compact {
            (Box::new(Tables::<P, P::Compact>::new(starts, settings, self.seed)?), P::Compact::count(size))
        } else {
            (Box::new(Tables::<P, Standard>::new(starts, settings, self.seed)?), P::action_count(size))
        };
        let shape = Shape {
            count: self.count,
            size,
            planes: planes.count::<P>(),
            actions,
            observations: options.observations,
            final_observations: options.final_observations,
            masks: options.masks,
            rewards_mover,
        };
        Ok(Made { tables, game: P::NAME, shape, rules, planes: planes.names::<P>(), threads })
    }
}
