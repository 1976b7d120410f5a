//! Learned evaluations that consist of a network alone.

use core::fmt;
use core::marker::PhantomData;

use super::{Layout, LearnedNumbers, Network, TABLE_SCALE, in_units, value};
use crate::evaluation::{Breakdown, TermValue};

/// A position that a network alone can evaluate.
pub trait Viewed {
    /// Layout of the numbers of the evaluation.
    const LAYOUT: Layout;

    /// Returns the inputs of the view of the side to move.
    ///
    /// # Panics
    /// If the evaluation is not for boards of this size, in debug builds.
    fn inputs(&self) -> impl Iterator<Item = usize>;

    /// Returns the set of output weights for the position.
    fn set(&self) -> usize;
}

/// A learned evaluation that consists of a network alone, with both sides' views of a position.
pub struct Views<P, const INPUTS: usize, const UNITS: usize, const SETS: usize> {
    network: Network<INPUTS, UNITS, SETS>,
    of: PhantomData<fn(&P)>,
}

/// Formats without the numbers.
impl<P, const INPUTS: usize, const UNITS: usize, const SETS: usize> fmt::Debug for Views<P, INPUTS, UNITS, SETS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Views").finish_non_exhaustive()
    }
}

impl<P: Viewed, const INPUTS: usize, const UNITS: usize, const SETS: usize> Views<P, INPUTS, UNITS, SETS> {
    /// Parses a file; `None` if it is invalid, or its numbers could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::new(&LearnedNumbers::from_bytes(&P::LAYOUT, bytes)?)
    }

    /// Creates the evaluation with these numbers; `None` if there are too many or too few, or they could overflow.
    pub fn new(numbers: &LearnedNumbers) -> Option<Self> {
        Some(Self { network: Network::new(&P::LAYOUT, numbers)?, of: PhantomData })
    }

    /// Returns the value of a position for the side to move, in hundredths of a piece.
    ///
    /// # Panics
    /// Like [`Viewed::inputs`].
    #[inline]
    pub fn evaluate(&self, p: &P) -> i32 {
        let set = p.set();
        let [own, enemy] = self.seen(p, set);
        value(self.network.offset(set), own + enemy)
    }

    /// Returns the same value, part by part.
    pub fn breakdown(&self, p: &P, early_share: f64) -> Breakdown {
        let set = p.set();
        let [own, enemy] = self.seen(p, set);
        let offset = f64::from(self.network.offset(set)) / f64::from(TABLE_SCALE);
        let terms = vec![
            TermValue::whole("SideToMove", "side to move", offset),
            TermValue::whole("OwnView", "learned: the network's view of the side to move", in_units(own)),
            TermValue::whole("EnemyView", "learned: the network's view of its opponent", in_units(enemy)),
        ];
        Breakdown { early_share, terms, total: self.evaluate(p) }
    }

    /// Returns the weighted sums of both views, with one of the sets of output weights.
    #[inline]
    fn seen(&self, p: &P, set: usize) -> [i32; 2] {
        // A closure, because the compiler inlines it. It would call a function pointer.
        let [own, enemy] = self.network.views(p.inputs(), |input| (P::LAYOUT.mirrored)(input));
        [self.network.seen(&own, set, 0), self.network.seen(&enemy, set, 1)]
    }
}
