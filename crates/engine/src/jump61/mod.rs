//! The player of Jump61.

mod bound;
mod first;
pub mod learned;
mod terms;
mod weights;

use game::{Side, Symmetries};
use jump61::{Move, Position};
use search::{AlphaBeta, Engine, Policy, Settings, Techniques, Tuning};

use crate::evaluation::BEGINNING;
use crate::{Attention, Book, Breakdown, Build, LazyBook, Playable, Profile, Resources, Rung};
use learned::Learned;
use terms::{NAMES, phase, terms};
use weights::WEIGHTS;

/// On 6×6 a learned evaluation, on other boards weighted terms. Both are tuned on games that the player played against
/// itself.
#[derive(Clone, Copy, Debug)]
pub struct Jump61Policy {
    learned: Option<&'static Learned>,
}

/// The learned evaluation on 6×6, the terms on other boards.
impl Default for Jump61Policy {
    fn default() -> Self {
        Self { learned: Some(learned::six()) }
    }
}

impl Jump61Policy {
    /// The terms alone, on every board.
    pub const fn terms() -> Self {
        Self { learned: None }
    }

    #[inline]
    fn learned_for(self, p: &Position) -> Option<&'static Learned> {
        self.learned.filter(|_| p.size() == learned::SIZE)
    }
}

/// Levels 1 to 9. Tuned by matches between neighbours (`docs/engine.md`).
const LADDER: [Rung; 9] = [
    Rung::new(385, 312),
    Rung::new(800, 239),
    Rung::new(1_250, 203),
    Rung::new(1_860, 174),
    Rung::new(3_250, 135),
    Rung::new(5_870, 103),
    Rung::new(10_300, 76),
    Rung::new(22_300, 48),
    Rung::new(66_700, 20),
];

/// What a beginner thinks that a square is worth that topples with the next spot, in hundredths of a square.
const FULL: i32 = 30;

/// The gentle levels. Tuned by matches between neighbours (`docs/engine.md`).
const GENTLE: [Attention; 3] =
    [Attention::new(65, 60, 20, 50), Attention::new(85, 80, 60, 20), Attention::new(98, 98, 92, 5)];

/// Of every level, the weakest first (`docs/engine.md`).
const ELO: [u32; 13] = [400, 564, 681, 936, 1205, 1422, 1620, 1889, 2117, 2337, 2595, 2861, 3089];

/// The numbers of our second player's search.
const SECOND: Tuning = Tuning { late: 6, ..Tuning::CUSTOMARY };

/// Made by `tune book` (`docs/engine.md`).
static BOOK: LazyBook = LazyBook::new(|| Book::built_in::<Position>(include_str!("../../data/jump61-6.book")));

impl Playable for Position {
    type Policy = Jump61Policy;

    const SYMMETRIES: Symmetries = Symmetries::Square;

    fn policy(resources: &Resources) -> Jump61Policy {
        resources.learned_jump61.map_or_else(Jump61Policy::default, |learned| Jump61Policy { learned: Some(learned) })
    }

    /// On boards up to 6×6 the horizon is the course's: four moves of either side. On larger ones, where the course
    /// asks for none, it is three.
    fn profile(&self) -> Profile {
        let (win_horizon, loss_horizon) = if self.size() <= 6 { (7, 8) } else { (5, 6) };
        let tuning = Tuning { late: 6, ..Tuning::default() };
        let full = Settings { tuning, default_nodes: 300_000, win_horizon, loss_horizon, ..Settings::default() };
        Profile { full, ladder: LADDER, gentle: GENTLE, elo: ELO }
    }

    /// Squares, and a little for those that are full.
    fn liking(&self, side: Side) -> i32 {
        let worth = |side| {
            let own = self.pieces(side);
            100 * own.count() as i32 + FULL * (own & self.critical()).count() as i32
        };
        worth(side) - worth(!side)
    }

    fn squares_of(m: Move) -> [(u8, u8); 2] {
        [(m.0.column() as u8, m.0.row() as u8); 2]
    }

    fn breakdown(&self, policy: &Jump61Policy) -> Breakdown {
        if let Some(learned) = policy.learned_for(self) {
            return learned.breakdown(self, f64::from(phase(self)) / f64::from(BEGINNING));
        }
        WEIGHTS.breakdown(&NAMES, &terms(self).0, phase(self))
    }

    fn book(&self) -> Option<&'static LazyBook> {
        (self.size() == 6).then_some(&BOOK)
    }

    fn earlier(build: Build, settings: Settings) -> Option<Box<dyn Engine<Self>>> {
        match build {
            Build::First => {
                let settings = Settings { techniques: Techniques::NONE, ..settings };
                Some(Box::new(AlphaBeta::new(first::Jump61Policy, settings)))
            }
            Build::Second => {
                let settings = Settings { techniques: Techniques::ALL, tuning: SECOND, ..settings };
                Some(Box::new(AlphaBeta::new(Jump61Policy::terms(), settings)))
            }
            Build::Current | Build::Reference | Build::Random => None,
        }
    }
}

impl Policy<Position> for Jump61Policy {
    type Accumulator = ();

    /// The square.
    const SLOTS: usize = 128;

    #[inline]
    fn evaluate(&self, p: &Position) -> i32 {
        if let Some(learned) = self.learned_for(p) {
            return learned.evaluate(p);
        }
        WEIGHTS.sum(&terms(p).0, phase(p))
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

    fn may_win_within(&self, p: &Position, plies: u32) -> bool {
        bound::may_win_within(p, plies)
    }
}
