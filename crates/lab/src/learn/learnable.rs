//! What the training must know of a game.

use engine::checkers::CheckersPolicy;
use engine::jump61::Jump61Policy;
use engine::learned::{Layout, LearnedNumbers, Viewed};
use engine::loa::LoaPolicy;
use engine::{Playable, checkers as checkers_engine, jump61 as jump61_engine, loa as loa_engine};
use game::Position as _;
use loa::LineTable;

/// An evaluation, in hundredths of a piece, for the side to move.
pub type Evaluation<P> = Box<dyn Fn(&P) -> i32>;

/// A game with a learned evaluation.
pub trait Learnable: Playable {
    /// What its numbers are for.
    const LAYOUT: Layout;
    /// Squares a side of the boards that are learned.
    const BOARD: usize;

    /// Squares a side of this board.
    fn board_size(&self) -> usize;

    /// What the evaluation sees of a position.
    fn features(&self) -> Features;

    /// Entries of the table while it is trained.
    fn entries() -> usize {
        0
    }

    /// The entries that the file keeps. The others are the same under a symmetry.
    fn kept_entries() -> Vec<usize> {
        Vec::new()
    }

    /// The evaluation by terms, which the learned one takes the place of.
    fn terms() -> Self::Policy;

    /// The learned evaluation with these numbers; `None` if they do not fit.
    fn evaluation(numbers: &LearnedNumbers) -> Option<Evaluation<Self>>;
}

/// What a learned evaluation sees of a position.
pub struct Features {
    /// The entries of the table whose values are added up.
    pub entries: Box<[u16]>,
    /// The inputs of the network as the side to move sees them.
    pub inputs: Box<[u16]>,
    /// The set of output weights.
    pub set: usize,
}

impl Features {
    /// Those of an evaluation that is a network alone.
    fn of_views(p: &impl Viewed) -> Self {
        Self { entries: Box::default(), inputs: narrow(p.inputs()), set: p.set() }
    }
}

fn narrow(inputs: impl Iterator<Item = usize>) -> Box<[u16]> {
    inputs.map(|input| u16::try_from(input).expect("invariant: inputs fit 16 bits")).collect()
}

impl Learnable for loa::Position {
    const LAYOUT: Layout = loa_engine::learned::LAYOUT;
    const BOARD: usize = 8;

    fn board_size(&self) -> usize {
        self.size()
    }

    fn features(&self) -> Features {
        Features {
            entries: LineTable::of(self).into_boxed_slice(),
            inputs: narrow(loa_engine::learned::inputs(self, self.side_to_move())),
            set: loa_engine::learned::set_of(self),
        }
    }

    fn entries() -> usize {
        LineTable::entries(Self::BOARD)
    }

    fn kept_entries() -> Vec<usize> {
        LineTable::canonical(Self::BOARD).collect()
    }

    fn terms() -> LoaPolicy {
        LoaPolicy::terms()
    }

    fn evaluation(numbers: &LearnedNumbers) -> Option<Evaluation<Self>> {
        let learned = loa_engine::learned::Learned::new(numbers)?;
        Some(Box::new(move |p| learned.evaluate(p)))
    }
}

impl Learnable for jump61::Position {
    const LAYOUT: Layout = <Self as Viewed>::LAYOUT;
    const BOARD: usize = 6;

    fn board_size(&self) -> usize {
        self.size()
    }

    fn features(&self) -> Features {
        Features::of_views(self)
    }

    fn terms() -> Jump61Policy {
        Jump61Policy::terms()
    }

    fn evaluation(numbers: &LearnedNumbers) -> Option<Evaluation<Self>> {
        let learned = jump61_engine::learned::Learned::new(numbers)?;
        Some(Box::new(move |p| learned.evaluate(p)))
    }
}

impl Learnable for checkers::Position {
    const LAYOUT: Layout = <Self as Viewed>::LAYOUT;
    const BOARD: usize = 8;

    fn board_size(&self) -> usize {
        8
    }

    fn features(&self) -> Features {
        Features::of_views(self)
    }

    fn terms() -> CheckersPolicy {
        CheckersPolicy::terms()
    }

    fn evaluation(numbers: &LearnedNumbers) -> Option<Evaluation<Self>> {
        let learned = checkers_engine::learned::Learned::new(numbers)?;
        Some(Box::new(move |p| learned.evaluate(p)))
    }
}
