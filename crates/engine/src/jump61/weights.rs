use super::terms::TERMS;
use crate::weights::Weights;

pub(super) const WEIGHTS: Weights<TERMS> = Weights {
    early: [0, 25600, 0, 0, 15360, 0, 0, 0, 0, 0, 0, 0, 0, 0, -15360, -6400, 0, 0, 0, 0, 0],
    late: [0, 25600, 0, 0, 15360, 0, 0, 0, 0, 0, 0, 0, 0, 0, -15360, -6400, 0, 0, 0, 0, 0],
};
