//! How much of a node's moves is searched: which are skipped, and which are first searched less deep.

use game::Position;

use crate::ordering::MoveKind;
use crate::policy::Policy;
use crate::technique::Technique;
use crate::window::Window;
use crate::worker::{Node, Worker};

/// Reductions are computed in this part of a ply.
const PLY: i32 = 1 << SHIFT;
const SHIFT: u32 = 10;

/// Binary logarithms of the numbers up to 127, in 1/1024; 0 for 0.
static LOGARITHMS: [i32; 128] = {
    let mut table = [0; 128];
    let mut i = 1;
    while i < 128 {
        // By repeated squaring of the mantissa, a bit after the point each time.
        let whole = (i as u32).ilog2();
        let mut mantissa = (i as u64) << (31 - whole);
        let (mut bits, mut k) = (0, 0);
        while k < SHIFT {
            mantissa = (mantissa * mantissa) >> 31;
            bits <<= 1;
            if mantissa >= 1 << 32 {
                mantissa >>= 1;
                bits |= 1;
            }
            k += 1;
        }
        table[i] = (whole as i32) << SHIFT | bits;
        i += 1;
    }
    table
};

impl<P: Position, L: Policy<P>> Worker<'_, P, L> {
    /// Whether a quiet move can be skipped: it comes too late in the order, the evaluation is too far below the window,
    /// or the move has a bad history.
    pub(crate) fn is_hopeless(&self, node: &Node<'_, P>, window: Window, index: usize, kind: MoveKind) -> bool {
        if !self.job.uses(Technique::Futility) || !window.is_null() {
            return false;
        }
        let (tuning, depth) = (&self.job.tuning, node.depth as i32);
        let is_late = || {
            let fewer = if node.is_worse { 1 + tuning.late_worse } else { 1 };
            let most = tuning.late * depth * depth / fewer;
            tuning.late > 0 && depth <= tuning.late_depth && 4 * index as i32 >= most
        };
        let is_below = || {
            let low = |units: i32| units + tuning.hopeless * (depth + 1) <= window.alpha.raw();
            tuning.hopeless > 0 && depth <= tuning.hopeless_depth && node.evaluation.is_some_and(low)
        };
        let is_disliked = || {
            let history = || self.ordering.history(node.ply, kind);
            tuning.disliked > 0 && depth <= tuning.disliked_depth && history() < -tuning.disliked * depth
        };
        is_late() || is_below() || is_disliked()
    }

    /// By how many plies a move's first search is reduced: more for later moves, deeper nodes and a bad history.
    pub(crate) fn reduction(
        &self,
        node: &Node<'_, P>,
        window: Window,
        index: usize,
        kind: MoveKind,
        quiet: bool,
    ) -> u32 {
        let tuning = &self.job.tuning;
        if !self.job.uses(Technique::LateReductions)
            || node.depth < tuning.reduction_depth as u32
            || index < tuning.reduction_moves as usize
            || (!quiet && tuning.reduction_noisy == 0)
        {
            return 0;
        }
        let history = self.ordering.history(node.ply, kind);
        let wide = if window.is_null() { 0 } else { PLY };
        let parts = if tuning.reduction_whole != 0 {
            let product = (node.depth.ilog2() * (index as u32).ilog2()) as i32 * tuning.reduction_slope;
            let whole = (product + tuning.reduction_base) >> SHIFT;
            ((whole - history / tuning.reduction_history) << SHIFT) - wide
        } else {
            let product = (LOGARITHMS[node.depth.min(127) as usize] * LOGARITHMS[index.min(127)]) >> SHIFT;
            let worse = if node.is_worse { tuning.reduction_worse } else { 0 };
            let noisy = if quiet { 0 } else { tuning.reduction_noisy };
            ((product * tuning.reduction_slope) >> SHIFT) + tuning.reduction_base + worse
                - noisy
                - wide
                - (history << SHIFT) / tuning.reduction_history
        };
        (parts >> SHIFT).clamp(0, node.depth as i32 - 2) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_floating_point() {
        for (number, &logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (number as f64).log2() * f64::from(PLY);
            assert!((f64::from(logarithm) - exact).abs() <= 1.0, "{number}: {logarithm} {exact}");
        }
    }
}
