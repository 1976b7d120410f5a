//! The player of the Melbourne checkers variant.

pub mod endgame;
mod first;
mod terms;
mod weights;

use std::sync::Arc;

use checkers::{Move, Position};
use search::{AlphaBeta, Engine, Known, Policy, Pruning, Settings};

use crate::weights::{names, shared};
use crate::{Build, Profile, Step, Tunable};
use endgame::Tables;
use terms::{NAMES, TERMS, phase, terms};
use weights::WEIGHTS;

/// Evaluation by weighted terms, tuned on games of the player against itself.
#[derive(Clone, Default)]
pub struct CheckersPolicy {
    /// Values of endgames, if there are tables.
    endgames: Option<Arc<Tables>>,
}

/// The default player.
pub fn settings() -> Settings {
    Settings { default_nodes: 200_000, win_horizon: 3, loss_horizon: 2, ..Settings::default() }
}

/// The player and its levels.
pub fn profile() -> Profile {
    Profile { full: settings(), ladder: LADDER }
}

/// Levels 1 to 9. Tuned by matches between neighbours (`docs/engine.md`).
const LADDER: [Step; 9] = [
    Step::new(60, 700),
    Step::new(150, 420),
    Step::new(220, 330),
    Step::new(320, 280),
    Step::new(550, 230),
    Step::new(1_000, 175),
    Step::new(2_500, 110),
    Step::new(8_000, 55),
    Step::new(40_000, 18),
];

/// An engine for the checkers variant. It uses the endgame tables that are [installed](endgame::install) if `endgames` says so.
pub fn player(settings: Settings, endgames: bool) -> AlphaBeta<Position, CheckersPolicy> {
    AlphaBeta::new(policy(endgames), settings)
}

/// An engine of some build, if there is one; the present one uses endgame tables as [`player`] does.
pub fn build(build: Build, settings: Settings, endgames: bool) -> Option<Box<dyn Engine<Position>>> {
    build.engine(settings, policy(endgames), first::CheckersPolicy)
}

fn policy(endgames: bool) -> CheckersPolicy {
    CheckersPolicy { endgames: if endgames { endgame::installed() } else { None } }
}

impl Policy<Position> for CheckersPolicy {
    /// From, to.
    const SLOTS: usize = 64 * 64;

    #[inline]
    fn evaluate(&self, p: &Position) -> i32 {
        WEIGHTS.sum(&terms(p), phase(p))
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        let index = |cell: checkers::Cell| 8 * usize::from(cell.row()) + usize::from(cell.column());
        index(m.from()) << 6 | index(m.to())
    }

    /// Jumps first.
    #[inline]
    fn promise(&self, _: &Position, m: Move) -> i32 {
        100 * i32::from(m.is_jump())
    }

    /// Jumps.
    #[inline]
    fn is_noisy(&self, _: &Position, m: Move) -> bool {
        m.is_jump()
    }

    #[inline]
    fn known(&self, p: &Position) -> Option<Known> {
        self.endgames.as_ref()?.get(p)
    }

    fn pruning(&self) -> Pruning {
        Pruning { margin: Some(60), late: Some(6) }
    }
}

impl Tunable<Position> for CheckersPolicy {
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
