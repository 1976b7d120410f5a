//! The interface between the training and a game.

use breakthrough::player::BreakthroughPolicy;
use checkers::player::CheckersPolicy;
use engine::Playable;
use engine::learned::{Layout, LearnedNumbers, Viewed};
use game::Position as _;
use jump61::player::Jump61Policy;
use loa::LineTable;
use loa::player::LoaPolicy;

/// An evaluation of a position, in hundredths of a piece, for the side to move.
pub type Evaluation<P> = Box<dyn Fn(&P) -> i32>;

/// A game with a learned evaluation.
pub trait Learnable: Playable {
    /// Layout of the evaluation's numbers.
    const LAYOUT: Layout;

    /// Returns the length of a side of this board, in squares.
    fn board_size(&self) -> usize;

    /// Returns the features of a position.
    fn features(&self) -> Features;

    /// Returns the number of table entries during training on boards of this size.
    fn entries(_size: usize) -> usize {
        0
    }

    /// Returns the indices of the entries that are written to the file for boards of this size. By symmetry, each of
    /// the other entries equals one of these.
    fn kept_entries(_size: usize) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the evaluation by terms, which the learned evaluation replaces.
    fn terms() -> Self::Policy;

    /// Returns the learned evaluation with these numbers; `None` if they do not fit the layout.
    fn evaluation(numbers: &LearnedNumbers) -> Option<Evaluation<Self>>;
}

/// The features of a position for a learned evaluation.
pub struct Features {
    /// Table entries whose values are added up.
    pub entries: Box<[u16]>,
    /// Inputs of the network from the point of view of the side to move.
    pub inputs: Box<[u16]>,
    /// Index of the set of output weights.
    pub set: usize,
}

impl Features {
    /// Returns the features of an evaluation that consists of a network only.
    fn of_views(p: &impl Viewed) -> Self {
        Self { entries: Box::default(), inputs: narrow(p.inputs()), set: p.set() }
    }
}

fn narrow(inputs: impl Iterator<Item = usize>) -> Box<[u16]> {
    inputs.map(|input| u16::try_from(input).expect("invariant: inputs fit 16 bits")).collect()
}

impl Learnable for loa::Position {
    const LAYOUT: Layout = loa::player::learned::LAYOUT;

    fn board_size(&self) -> usize {
        self.size()
    }

    fn features(&self) -> Features {
        Features {
            entries: LineTable::of(self).into_boxed_slice(),
            inputs: narrow(loa::player::learned::inputs(self, self.side_to_move())),
            set: loa::player::learned::set_of(self),
        }
    }

    fn entries(size: usize) -> usize {
        LineTable::entries(size)
    }

    fn kept_entries(size: usize) -> Vec<usize> {
        LineTable::canonical(size).collect()
    }

    fn terms() -> LoaPolicy {
        LoaPolicy::terms()
    }

    fn evaluation(numbers: &LearnedNumbers) -> Option<Evaluation<Self>> {
        let learned = loa::player::learned::Learned::new(numbers)?;
        Some(Box::new(move |p| learned.evaluate(p)))
    }
}

impl Learnable for jump61::Position {
    const LAYOUT: Layout = <Self as Viewed>::LAYOUT;

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
        let learned = jump61::player::learned::Learned::new(numbers)?;
        Some(Box::new(move |p| learned.evaluate(p)))
    }
}

impl Learnable for checkers::Position {
    const LAYOUT: Layout = <Self as Viewed>::LAYOUT;

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
        let learned = checkers::player::learned::Learned::new(numbers)?;
        Some(Box::new(move |p| learned.evaluate(p)))
    }
}

impl Learnable for breakthrough::Position {
    const LAYOUT: Layout = breakthrough::player::learned::LAYOUT;

    fn board_size(&self) -> usize {
        self.size()
    }

    fn features(&self) -> Features {
        Features {
            entries: breakthrough::player::learned::entries(self).collect(),
            inputs: narrow(breakthrough::player::learned::inputs(self, self.side_to_move())),
            set: breakthrough::player::learned::set_of(self),
        }
    }

    fn entries(_size: usize) -> usize {
        breakthrough::player::learned::ENTRIES
    }

    fn kept_entries(_size: usize) -> Vec<usize> {
        breakthrough::player::learned::kept_entries().collect()
    }

    fn terms() -> BreakthroughPolicy {
        BreakthroughPolicy::terms()
    }

    fn evaluation(numbers: &LearnedNumbers) -> Option<Evaluation<Self>> {
        let learned = breakthrough::player::learned::Learned::new(numbers)?;
        Some(Box::new(move |p| learned.evaluate(p)))
    }
}
