//! The numbers of the main search that matches decide.

/// Declares the numbers: the struct with a field for each, its customary values, and its fields by name.
macro_rules! tuning {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $range:expr,)+) => {
        /// The numbers of the main search that matches decide: margins, depths, reductions. Depths are in plies of
        /// remaining search, margins in hundredths of a piece. A number of 0 switches off what it is for, where it says
        /// so.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tuning {
            $($(#[$doc])* pub $name: i32,)+
        }

        impl Default for Tuning {
            fn default() -> Self {
                Self::CUSTOMARY
            }
        }

        impl Tuning {
            /// Customary values; without margins and late moves, which depend on the game.
            pub const CUSTOMARY: Self = Self { $($name: $value,)+ };

            /// The names of the numbers, as [`set`](Self::set) knows them.
            pub const NAMES: &[&str] = &[$(stringify!($name),)+];

            /// The number with this name, and the values that make sense for it.
            pub fn get(&self, name: &str) -> Option<(i32, core::ops::RangeInclusive<i32>)> {
                match name {
                    $(stringify!($name) => Some((self.$name, $range)),)+
                    _ => None,
                }
            }

            /// Sets the number with this name. `false` if there is none or it does not take this value.
            #[must_use]
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                if !self.get(name).is_some_and(|(_, range)| range.contains(&value)) {
                    return false;
                }
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

tuning! {
    /// Half the width of the first window around the last score.
    aspiration = 20 in 1..=500,
    /// A null-window node is given up as too good if its evaluation exceeds the window by this much a ply; 0: off.
    futility = 0 in 0..=1000,
    /// … if it is at most this deep.
    futility_depth = 4 in 0..=20,
    /// A quiet move is skipped if the evaluation is below the window by this much a ply; 0: off.
    hopeless = 0 in 0..=1000,
    /// … in a node that is at most this deep.
    hopeless_depth = 3 in 0..=20,
    /// How many quiet moves are searched one ply above the leaves; more with the square of the depth; 0: all.
    late = 0 in 0..=100,
    /// … in nodes that are at most this deep.
    late_depth = 3 in 0..=20,
    /// A null-window node is given up as too good if a shallower search exceeds the window by this much; 0: off.
    probcut = 0 in 0..=1000,
    /// … if it is at least this deep.
    probcut_depth = 5 in 2..=20,
    /// The other search is shallower by this many plies.
    probcut_reduction = 3 in 1..=20,
    /// Passing is tried from this depth on.
    null_depth = 3 in 1..=20,
    /// After a pass the depth is reduced by this many plies,
    null_reduction = 2 in 0..=10,
    /// and by the depth divided by this number.
    null_slope = 5 in 1..=100,
    /// Late moves are reduced from this depth on.
    reduction_depth = 3 in 2..=20,
    /// This many moves, the first in the order, are not reduced.
    reduction_moves = 3 in 1..=40,
    /// Reduction in 1/1024 of a ply: this times the product of the whole binary logarithms of depth and move number.
    reduction_slope = 384 in 0..=4096,
    /// A history counter of this size changes the reduction by a ply.
    reduction_history = 6000 in 500..=100_000,
    /// How many noisy moves in a row quiescence follows.
    noisy_plies = 6 in 0..=20,
    /// In games with clocks, how much longer a move takes whose search changes its mind, and how much shorter one whose
    /// search does not, in percent of what is usual; 0: all moves take the same share of the time that is left.
    pace = 100 in 0..=200,
}
