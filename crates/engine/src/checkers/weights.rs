use super::terms::TERMS;
use crate::weights::Weights;

pub(super) const WEIGHTS: Weights<TERMS> = Weights {
    early: [0, 25600, 76800, 0, 0, 0, 0, 0, 0, 0, 0],
    late: [0, 25600, 76800, 0, 0, 0, 0, 0, 0, 0, 0],
};
