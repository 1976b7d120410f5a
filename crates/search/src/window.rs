use crate::score::Score;

/// An alpha-beta window: a score of at most `alpha` is too low for the side to move, and a score of at least `beta` is
/// too high for the opponent to allow.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// The window that contains every score.
    pub(crate) const FULL: Self = Self { alpha: Score::from_raw(-Score::INFINITE.raw()), beta: Score::INFINITE };

    /// Returns the null window that decides only whether a score exceeds `alpha`.
    pub(crate) const fn null(alpha: Score) -> Self {
        Self { alpha, beta: alpha.next() }
    }

    /// Returns the null window that decides only whether a score is below `beta`.
    pub(crate) const fn null_below(beta: Score) -> Self {
        Self { alpha: Score::from_raw(beta.raw() - 1), beta }
    }

    pub(crate) fn is_null(self) -> bool {
        self.alpha.next() == self.beta
    }

    /// Returns the window from the opponent's point of view.
    pub(crate) fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
