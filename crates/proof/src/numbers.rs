//! Proof and disproof numbers, and the rules that derive a node's numbers from its children's.

/// Proof number of a refuted position, and disproof number of a proven one.
pub const INFINITE: u32 = 1 << 30;

/// The proof and disproof numbers of a position. A proof shows that Black wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Estimated remaining work of a proof; 0 if the position is proven.
    pub proof: u32,
    /// Estimated remaining work of a refutation; 0 if the position is refuted.
    pub disproof: u32,
    /// Upper bound of the length of a proven win, in plies.
    pub plies: u16,
    /// `true` if a refutation holds on the current path only.
    pub on_path: bool,
}

impl Numbers {
    /// Numbers of a position in which Black cannot force a win.
    pub const REFUTED: Self = Self { proof: INFINITE, disproof: 0, plies: 0, on_path: false };
    /// Numbers of a position in which Black cannot force a win without repeating a position of the current path.
    pub const REFUTED_HERE: Self = Self { on_path: true, ..Self::REFUTED };

    /// Returns the numbers of a position that Black wins within this many plies.
    pub const fn won(plies: u16) -> Self {
        Self { proof: 0, disproof: INFINITE, plies, on_path: false }
    }

    /// Returns the numbers of a position that is neither proven nor refuted.
    pub const fn open(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof, plies: 0, on_path: false }
    }

    /// Returns `true` if the position is proven or refuted.
    pub const fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A rule that combines the numbers of several children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adding {
    /// The maximum, plus one for each other open child, because children often share parts of their proofs ("weak proof
    /// numbers", T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida, "Weak proof-number search", 2008).
    #[default]
    Weak,
    /// The sum.
    Sum,
}

impl Adding {
    /// Combines one number of each child into the node's number. This is the number that depends on all children: the
    /// disproof number if Black moves, the proof number if White moves.
    #[inline]
    pub fn all(self, numbers: impl Iterator<Item = u32>) -> u32 {
        let (mut sum, mut largest, mut count) = (0_u32, 0, 0);
        for n in numbers.filter(|&n| n > 0) {
            sum = sum.saturating_add(n);
            largest = largest.max(n);
            count += 1;
        }
        match self {
            Self::Weak if largest < INFINITE && count > 0 => largest + count - 1,
            _ => sum.min(INFINITE),
        }
    }
}

/// Returns the numbers of a node where Black moves: the minimum of the children's proof numbers and the combination of
/// their disproof numbers.
pub(crate) fn gather_black<'a>(children: impl Iterator<Item = &'a Numbers> + Clone, adding: Adding) -> Numbers {
    let proof = children.clone().map(|child| child.proof).min().unwrap_or(INFINITE);
    if proof == 0 {
        let plies = children.filter(|child| child.proof == 0).map(|child| child.plies).min();
        return Numbers::won(plies.unwrap_or(0).saturating_add(1));
    }
    match adding.all(children.clone().map(|child| child.disproof)) {
        0 => Numbers { on_path: children.clone().any(|child| child.on_path), ..Numbers::REFUTED },
        disproof => Numbers::open(proof, disproof),
    }
}

/// Returns the numbers of a node where White moves: the combination of the children's proof numbers and the minimum of
/// their disproof numbers.
pub(crate) fn gather_white<'a>(children: impl Iterator<Item = &'a Numbers> + Clone, adding: Adding) -> Numbers {
    let disproof = children.clone().map(|child| child.disproof).min().unwrap_or(INFINITE);
    if disproof == 0 {
        let on_path = !children.clone().any(|child| child.disproof == 0 && !child.on_path);
        return Numbers { on_path, ..Numbers::REFUTED };
    }
    match adding.all(children.clone().map(|child| child.proof)) {
        0 => Numbers::won(children.map(|child| child.plies).max().unwrap_or(0).saturating_add(1)),
        proof => Numbers::open(proof, disproof),
    }
}
