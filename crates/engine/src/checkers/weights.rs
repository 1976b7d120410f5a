use super::terms::TERMS;
use crate::weights::Weights;

pub(super) const WEIGHTS: Weights<TERMS> = Weights {
    early: [3702, 33336, 56227, -2465, 7263, 564, 5741, 1540, 2353, -12769, -15582],
    late: [-514, 11140, 9383, 2022, -2980, 4991, -5782, -2595, -115, 7900, 4407],
};
