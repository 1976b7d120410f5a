//! The player of the Melbourne checkers variant.

pub mod endgame;
mod first;
pub mod learned;
mod terms;
mod weights;

use std::sync::Arc;

use checkers::{Move, Position};
use game::Side;
use search::{AlphaBeta, Engine, Known, Policy, Settings, Techniques, Tuning};

use crate::evaluation::BEGINNING;
use crate::{Attention, Book, Breakdown, Build, LazyBook, Playable, Profile, Resources, Rung};
use endgame::Tables;
use learned::Learned;
use terms::{NAMES, phase, terms};
use weights::WEIGHTS;

/// A learned evaluation, trained on games that the player played against itself.
#[derive(Clone)]
pub struct CheckersPolicy {
    /// Values of endgames, if there are tables.
    endgames: Option<Arc<Tables>>,
    /// Without it the evaluation is by weighted terms.
    learned: Option<&'static Learned>,
}

/// The learned evaluation, without endgame tables.
impl Default for CheckersPolicy {
    fn default() -> Self {
        Self { endgames: None, learned: Some(learned::built_in()) }
    }
}

impl CheckersPolicy {
    /// The terms alone, without endgame tables.
    pub const fn terms() -> Self {
        Self { endgames: None, learned: None }
    }
}

/// Levels 1 to 9. Tuned by matches between neighbours (`docs/engine.md`).
const LADDER: [Rung; 9] = [
    Rung::new(60, 700),
    Rung::new(150, 420),
    Rung::new(220, 330),
    Rung::new(320, 280),
    Rung::new(550, 230),
    Rung::new(1_000, 175),
    Rung::new(2_500, 110),
    Rung::new(8_000, 55),
    Rung::new(40_000, 18),
];

/// What a beginner thinks that a tower is worth, in hundredths of a man.
const TOWER: i32 = 250;
/// And what a row is worth that a man has come forward.
const ROW: i32 = 6;

/// The gentle levels. Tuned by matches between neighbours (`docs/engine.md`).
const GENTLE: [Attention; 3] =
    [Attention::new(60, 26, 0, 60), Attention::new(68, 34, 12, 50), Attention::new(75, 42, 25, 40)];

/// Of every level, the weakest first (`docs/engine.md`).
const ELO: [u32; 13] = [400, 576, 761, 853, 998, 1182, 1461, 1880, 2287, 2808, 3158, 3404, 3539];

/// The numbers of our second player's search.
const SECOND: Tuning = Tuning { futility: 60, hopeless: 60, late: 6, ..Tuning::CUSTOMARY };

/// Made by `tune book` (`docs/engine.md`).
static BOOK: LazyBook = LazyBook::new(|| Book::built_in::<Position>(include_str!("../../data/checkers.book")));

impl Playable for Position {
    type Policy = CheckersPolicy;

    fn policy(resources: &Resources) -> CheckersPolicy {
        let learned = resources.learned_checkers.unwrap_or_else(learned::built_in);
        CheckersPolicy { endgames: resources.checkers_endgames.clone(), learned: Some(learned) }
    }

    fn profile(&self) -> Profile {
        let tuning = Tuning { futility: 60, hopeless: 60, late: 6, ..Tuning::default() };
        let full = Settings { tuning, default_nodes: 200_000, win_horizon: 3, loss_horizon: 2, ..Settings::default() };
        Profile { full, ladder: LADDER, gentle: GENTLE, elo: ELO }
    }

    /// Men and towers, and how far the men have come.
    fn liking(&self, side: Side) -> i32 {
        let worth = |side| {
            let towers = self.pieces(side) & self.towers();
            let men = self.pieces(side) & !self.towers();
            let home = if side == Side::First { 7 } else { 0 };
            let rows: i32 = men.into_iter().map(|cell| i32::from(cell.row().abs_diff(home))).sum();
            100 * men.count() as i32 + TOWER * towers.count() as i32 + ROW * rows
        };
        worth(side) - worth(!side)
    }

    fn squares_of(m: Move) -> [(u8, u8); 2] {
        [m.from(), m.to()].map(|cell| (cell.column(), cell.row()))
    }

    fn breakdown(&self, policy: &CheckersPolicy) -> Breakdown {
        if let Some(learned) = policy.learned {
            return learned.breakdown(self, f64::from(phase(self)) / f64::from(BEGINNING));
        }
        WEIGHTS.breakdown(&NAMES, &terms(self).0, phase(self))
    }

    fn book(&self) -> Option<&'static LazyBook> {
        Some(&BOOK)
    }

    fn earlier(build: Build, settings: Settings) -> Option<Box<dyn Engine<Self>>> {
        match build {
            Build::First => {
                let settings = Settings { techniques: Techniques::NONE, ..settings };
                Some(Box::new(AlphaBeta::new(first::CheckersPolicy, settings)))
            }
            Build::Second => {
                let settings = Settings { techniques: Techniques::ALL, tuning: SECOND, ..settings };
                Some(Box::new(AlphaBeta::new(CheckersPolicy::terms(), settings)))
            }
            Build::Current | Build::Reference | Build::Random => None,
        }
    }
}

impl Policy<Position> for CheckersPolicy {
    type Accumulator = ();

    /// From, to.
    const SLOTS: usize = 64 * 64;

    #[inline]
    fn evaluate(&self, p: &Position) -> i32 {
        if let Some(learned) = self.learned {
            return learned.evaluate(p);
        }
        WEIGHTS.sum(&terms(p).0, phase(p))
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
}
