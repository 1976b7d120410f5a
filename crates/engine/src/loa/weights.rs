use super::terms::TERMS;

use crate::weights::Weights;

pub(super) const GUESS: Weights<TERMS> = Weights {
    early: [2560, -400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2000, 0, 0, 0, 0],
    late: [2560, -400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2000, 0, 0, 0, 0],
};
pub(super) const EIGHT: Weights<TERMS> = Weights {
    early: [13190, 174, 3694, -639, -499, -31, 122, 1732, 7082, 18820, -1176, 1208, -8271, -6420, -890, -434, -4695, -1724, -320, 322, 10571],
    late: [3676, -1819, -2926, -669, 566, 122, 144, 5964, 1227, 7452, 12147, 1329, -9913, -12550, -518, -607, -35531, 15000, 15404, -6525, 17220],
};
pub(super) const SIX: Weights<TERMS> = GUESS;
pub(super) const REFERENCE: Weights<TERMS> = GUESS;
