//! The player of Lines of Action.

mod first;
pub mod learned;
mod terms;
mod weights;

use game::{Position as _, Side, Symmetries};
use loa::{Move, Position};
use search::{AlphaBeta, Engine, Policy, Settings, Technique, Techniques, Tuning};

use crate::evaluation::{BEGINNING, Weights};
use crate::{Attention, Book, Breakdown, Build, LazyBook, Playable, Profile, Resources, Rung};
use learned::{Accumulator, Learned};
pub use terms::surplus_distance;
use terms::{MIA_TERMS, NAMES, TERMS, phase, terms};

/// A learned evaluation, or weighted terms. Both are tuned on games that the player played against itself.
#[derive(Clone, Copy, Debug)]
pub struct LoaPolicy {
    /// By board size.
    weights: [&'static Weights<TERMS>; 9],
    /// How many of the terms a breakdown shows. The weights of the others are zero.
    shown: usize,
    /// Takes the place of the terms on boards of its size.
    learned: Source,
}

/// Which learned evaluation takes the place of the terms, on boards of its size.
#[derive(Clone, Copy, Debug)]
enum Source {
    None,
    /// The one for 8×8. It is read when a board needs it: `loa6` never does, and begins anew for each move.
    BuiltIn,
    Given(&'static Learned),
}

/// The learned evaluation on 8×8, the terms on other boards.
impl Default for LoaPolicy {
    fn default() -> Self {
        Self { learned: Source::BuiltIn, ..Self::terms() }
    }
}

impl LoaPolicy {
    /// The terms alone, on every board.
    pub fn terms() -> Self {
        use weights::{EIGHT, SIX};
        Self {
            weights: [&SIX, &SIX, &SIX, &SIX, &SIX, &SIX, &SIX, &EIGHT, &EIGHT],
            shown: TERMS,
            learned: Source::None,
        }
    }

    /// The terms of MIA IV alone, with weights of their own.
    pub fn reference() -> Self {
        Self { weights: [&weights::REFERENCE; 9], shown: MIA_TERMS, learned: Source::None }
    }

    #[inline]
    fn learned_for(&self, p: &Position) -> Option<&'static Learned> {
        match self.learned {
            Source::None => None,
            Source::BuiltIn => (p.size() == 8).then(Learned::eight),
            Source::Given(learned) => (p.size() == learned.size()).then_some(learned),
        }
    }
}

/// Levels 1 to 9. Tuned by matches between neighbours (`docs/engine.md`).
const LADDER: [Rung; 9] = [
    Rung::new(492, 283),
    Rung::new(940, 230),
    Rung::new(1_520, 188),
    Rung::new(2_350, 157),
    Rung::new(4_000, 124),
    Rung::new(7_570, 91),
    Rung::new(16_150, 60),
    Rung::new(60_000, 24),
    Rung::new(150_000, 10),
];

/// The techniques of MIA that our search has, too: principal variation search with null move and quiescence over
/// captures.
const REFERENCE: Techniques = Techniques::NONE
    .with(Technique::Aspiration)
    .with(Technique::DeeperEntries)
    .with(Technique::NullMove)
    .with(Technique::Quiescence);

/// The numbers of our second player's search.
const SECOND: Tuning = Tuning { futility: 40, hopeless: 40, late: 5, ..Tuning::CUSTOMARY };

/// What a beginner thinks that a capture is worth, in hundredths of a piece.
const CAPTURE: i32 = 15;

/// The gentle levels. Tuned by matches between neighbours (`docs/engine.md`).
const GENTLE: [Attention; 3] =
    [Attention::new(55, 40, 10, 60), Attention::new(75, 65, 45, 40), Attention::new(90, 85, 75, 20)];

/// Of every level, the weakest first (`docs/engine.md`).
const ELO: [u32; 13] = [400, 615, 813, 1079, 1308, 1556, 1776, 1948, 2130, 2295, 2508, 2622, 2749];

/// Made by `tune book` (`docs/engine.md`).
static BOOK: LazyBook = LazyBook::new(|| Book::built_in::<Position>(include_str!("../../data/loa8.book")));

impl Playable for Position {
    type Policy = LoaPolicy;

    const SYMMETRIES: Symmetries = Symmetries::Square;

    fn policy(resources: &Resources) -> LoaPolicy {
        let learned = resources.learned_loa.map_or(Source::BuiltIn, Source::Given);
        LoaPolicy { learned, ..LoaPolicy::default() }
    }

    /// With this budget a move takes up to 0.7 s of one core.
    fn profile(&self) -> Profile {
        let tuning = Tuning { futility: 40, hopeless: 40, late: 5, probcut: 60, ..Tuning::default() };
        let (win_horizon, loss_horizon, far_horizon) = (7, 6, 9);
        let default_nodes = 800_000;
        let full = Settings { tuning, default_nodes, win_horizon, loss_horizon, far_horizon, ..Settings::default() };
        Profile { full, ladder: LADDER, gentle: GENTLE, elo: ELO }
    }

    /// Own pieces together, the opponent's apart, and captures, although they help the opponent.
    fn liking(&self, side: Side) -> i32 {
        let worth = |side| first::worth(self.pieces(side));
        let captured = 2 * (self.size() as i32 - 2) - self.pieces(!side).count() as i32;
        worth(side) - worth(!side) / 2 + CAPTURE * captured
    }

    fn squares_of(m: Move) -> [(u8, u8); 2] {
        [m.from, m.to].map(|square| (square.file(), square.rank()))
    }

    fn breakdown(&self, policy: &LoaPolicy) -> Breakdown {
        if let Some(learned) = policy.learned_for(self) {
            return learned.breakdown(self, f64::from(phase(self)) / f64::from(BEGINNING));
        }
        policy.weights[self.size()].breakdown(&NAMES[..policy.shown], &terms(self).0, phase(self))
    }

    fn book(&self) -> Option<&'static LazyBook> {
        (self.size() == 8).then_some(&BOOK)
    }

    fn earlier(build: Build, settings: Settings) -> Option<Box<dyn Engine<Self>>> {
        // Their own horizon, which words may still shorten.
        let (win_horizon, loss_horizon) = (settings.win_horizon.min(5), settings.loss_horizon.min(4));
        let settings = Settings { win_horizon, loss_horizon, far_horizon: 0, ..settings };
        let with = |techniques| Settings { techniques, ..settings };
        match build {
            Build::First => Some(Box::new(AlphaBeta::new(first::LoaPolicy, with(Techniques::NONE)))),
            Build::Reference => Some(Box::new(AlphaBeta::new(LoaPolicy::reference(), with(REFERENCE)))),
            Build::Second => {
                let second = Settings { techniques: Techniques::ALL, tuning: SECOND, ..settings };
                Some(Box::new(AlphaBeta::new(LoaPolicy::terms(), second)))
            }
            Build::Current | Build::Random => None,
        }
    }
}

impl Policy<Position> for LoaPolicy {
    type Accumulator = Accumulator;

    /// From, to.
    const SLOTS: usize = 64 * 64;

    #[inline]
    fn evaluate(&self, p: &Position) -> i32 {
        if let Some(learned) = self.learned_for(p) {
            return learned.evaluate(p);
        }
        self.weights[p.size()].sum(&terms(p).0, phase(p))
    }

    #[inline]
    fn evaluate_near(&self, p: &Position, parent: Option<&Accumulator>, own: &mut Accumulator) -> i32 {
        match self.learned_for(p) {
            Some(learned) => learned.evaluate_near(p, parent, own),
            None => self.evaluate(p),
        }
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        m.from.index() << 6 | m.to.index()
    }

    /// Towards the middle first.
    #[inline]
    fn promise(&self, p: &Position, m: Move) -> i32 {
        let middle = p.size() as i32 - 1;
        let off = |square: loa::Square| {
            let (file, rank) = (2 * i32::from(square.file()), 2 * i32::from(square.rank()));
            (file - middle).abs().max((rank - middle).abs())
        };
        off(m.from) - off(m.to)
    }

    /// Captures.
    #[inline]
    fn is_noisy(&self, p: &Position, m: Move) -> bool {
        p.pieces(!p.side_to_move()).has(m.to)
    }

    fn passed(&self, p: &Position) -> Option<Position> {
        Some(p.passed())
    }

    fn may_win_within(&self, p: &Position, plies: u32) -> bool {
        p.may_win_within(plies)
    }

    fn visit_attempts(&self, p: &Position, plies: u32, visit: impl FnMut(Move)) {
        p.visit_attempts(plies, visit);
    }

    /// If the attacker is at most six steps from being connected. The bound is a guess.
    fn may_be_proven(&self, p: &Position, attacker: Side) -> bool {
        terms::steps_to_connect(p.pieces(attacker)) <= 6
    }

    /// The proof number is the number of steps that are missing to connect, and one more, times the number of moves if
    /// the defender is to move. The disproof number is the number of moves if the attacker is to move. (Mobility, as in
    /// M. Winands, J. Uiterwijk and H. J. van den Herik, "An effective two-level proof-number search algorithm", 2004.)
    fn difficulty(&self, p: &Position, attacker: Side) -> (u32, u32) {
        let moves = p.count_moves() as u32;
        let steps = 1 + terms::steps_to_connect(p.pieces(attacker));
        if p.side_to_move() == attacker { (steps, moves) } else { (moves * steps, 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    #[test]
    fn together_is_better_than_apart() {
        let p: Position = "bb--ww/bb----/------/------/-----w/----ww b".parse().expect("a position");
        assert!(LoaPolicy::default().evaluate(&p) > 50);
        assert!(LoaPolicy::reference().evaluate(&p) > 50);
    }

    /// Of the terms; the network sees every symmetry only in training. The numbers of pieces are odd. With an even
    /// number the centre of mass may lie half way between two squares; it is then rounded, and to another square after
    /// turning.
    #[test]
    fn mirrored_and_turned_boards_have_the_same_value() {
        for seed in 0..200 {
            let mut rng = SplitMix64::new(seed);
            let size = 4 + rng.below(5);
            let mut cells: Vec<char> = ["b"; 5].into_iter().chain(["w"; 7]).collect::<String>().chars().collect();
            cells.resize(size * size, '-');
            for i in (1..cells.len()).rev() {
                cells.swap(i, rng.below(i + 1));
            }
            let rows: Vec<String> = cells.chunks(size).map(|row| row.iter().collect()).collect();
            let mirrored: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
            let upside_down: Vec<String> = rows.iter().rev().cloned().collect();
            let column = |file: usize| rows.iter().map(|row| row.as_bytes()[file] as char).collect();
            let turned: Vec<String> = (0..size).map(column).collect();
            let value = |rows: &[String]| {
                let p: Position = format!("{} w", rows.join("/")).parse().expect("a position");
                LoaPolicy::terms().evaluate(&p)
            };
            for other in [mirrored, upside_down, turned] {
                assert_eq!(value(&rows), value(&other), "{rows:?} {other:?}");
            }
        }
    }

    #[test]
    fn swapping_sides_changes_the_sign_but_for_the_turn() {
        let p: Position = "bb--ww/bb-w--/------/--b---/-----w/----ww b".parse().expect("a position");
        let q: Position = "ww--bb/ww-b--/------/--w---/-----b/----bb w".parse().expect("a position");
        assert_eq!(LoaPolicy::default().evaluate(&p), LoaPolicy::default().evaluate(&q));
        assert_eq!(terms(&p).0[1..], terms(&p.passed()).0[1..].iter().map(|t| -t).collect::<Vec<_>>()[..]);
        assert_eq!(p.side_to_move(), Side::First);
    }
}
