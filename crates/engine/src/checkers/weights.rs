use super::terms::TERMS;
use crate::weights::Weights;

pub(super) const WEIGHTS: Weights<TERMS> = Weights {
    early: [3627, 38021, 61293, -2573, 2198, 1469, 4497, 432, 2193, -11082, -16548],
    late: [-548, 14031, 7827, 1355, -1400, 2606, -6561, -3854, 12, 7847, 4618],
};
