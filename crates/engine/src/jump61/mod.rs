//! The player of Jump61.

mod bound;
mod first;
mod terms;
mod weights;

use jump61::{Move, Position};
use search::{AlphaBeta, Engine, Policy, Pruning, Settings};

use crate::weights::{names, shared};
use crate::{Build, Profile, Step, Tunable};
use terms::{NAMES, TERMS, phase, terms};
use weights::WEIGHTS;

/// Evaluation by weighted terms, tuned on games of the player against itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jump61Policy;

/// The default player: the course's horizon of four moves of either side is always searched to its end, on boards up to
/// 6×6; on larger ones, where the course asks for none, it is nearer.
pub fn settings(size: usize) -> Settings {
    let (win_horizon, loss_horizon) = if size <= 6 { (7, 8) } else { (5, 6) };
    Settings { default_nodes: 300_000, win_horizon, loss_horizon, ..Settings::default() }
}

/// The player and its levels.
pub fn profile(size: usize) -> Profile {
    Profile { full: settings(size), ladder: LADDER }
}

/// Levels 1 to 9. Tuned by matches between neighbours (`docs/engine.md`).
const LADDER: [Step; 9] = [
    Step::new(385, 312),
    Step::new(800, 239),
    Step::new(1_250, 203),
    Step::new(1_860, 174),
    Step::new(3_250, 135),
    Step::new(5_870, 103),
    Step::new(10_300, 76),
    Step::new(22_300, 48),
    Step::new(66_700, 20),
];

/// An engine for Jump61 of any size.
pub fn player(settings: Settings) -> AlphaBeta<Position, Jump61Policy> {
    AlphaBeta::new(Jump61Policy, settings)
}

/// An engine of some build, if there is one.
pub fn build(build: Build, settings: Settings) -> Option<Box<dyn Engine<Position>>> {
    build.engine(settings, Jump61Policy, first::Jump61Policy)
}

impl Policy<Position> for Jump61Policy {
    /// The square.
    const SLOTS: usize = 128;

    #[inline]
    fn evaluate(&self, p: &Position) -> i32 {
        WEIGHTS.sum(&terms(p), phase(p))
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        m.0.index()
    }

    /// Loaded squares first, fuller ones before emptier ones.
    #[inline]
    fn promise(&self, p: &Position, m: Move) -> i32 {
        4 + i32::from(p.spots(m.0)) - i32::from(p.neighbours(m.0))
    }

    /// Toppling a square next to the enemy.
    #[inline]
    fn is_noisy(&self, p: &Position, m: Move) -> bool {
        terms::is_attack(p, m)
    }

    fn pruning(&self) -> Pruning {
        Pruning { margin: None, late: Some(6) }
    }

    fn may_win_within(&self, p: &Position, plies: u32) -> bool {
        bound::may_win_within(p, plies)
    }
}

impl Tunable<Position> for Jump61Policy {
    fn names(&self) -> Vec<String> {
        names(&NAMES)
    }

    fn terms(&self, p: &Position) -> Vec<f32> {
        shared(&terms(p), phase(p))
    }

    fn weights(&self) -> Vec<f32> {
        WEIGHTS.flat(TERMS)
    }
}
