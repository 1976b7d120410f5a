use crate::score::Score;

/// The scores that matter to a node: one that is not above `alpha` is too bad for the side to move, one that is not
/// below `beta` is too good to be allowed by the opponent.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// Every score.
    pub(crate) const FULL: Self = Self { alpha: Score::from_raw(-Score::INFINITE.raw()), beta: Score::INFINITE };

    /// The window that only tells whether a score is above `alpha`.
    pub(crate) const fn null(alpha: Score) -> Self {
        Self { alpha, beta: alpha.next() }
    }

    /// The window that only tells whether a score is below `beta`.
    pub(crate) const fn null_below(beta: Score) -> Self {
        Self { alpha: Score::from_raw(beta.raw() - 1), beta }
    }

    pub(crate) fn is_null(self) -> bool {
        self.alpha.next() == self.beta
    }

    /// The same window as the opponent sees it.
    pub(crate) fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
