//! Parameters of the main search that are tuned by matches.

/// Declares the parameters: a struct with one field per parameter, the default values, and access by name.
macro_rules! tuning {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $range:expr,)+) => {
        /// Parameters of the main search that are tuned by matches: margins, depths, reductions. Depths are in plies of
        /// remaining search, margins in hundredths of a piece. "0: off" marks a parameter whose value 0 disables its
        /// technique.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tuning {
            $($(#[$doc])* pub $name: i32,)+
        }

        impl Default for Tuning {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl Tuning {
            /// Default values. Margins and late-move pruning, which depend on the game, are off.
            pub const DEFAULT: Self = Self { $($name: $value,)+ };

            /// Names of the parameters, as accepted by [`set`](Self::set).
            pub const NAMES: &[&str] = &[$(stringify!($name),)+];

            /// Returns the value of the parameter with this name, and its valid range.
            pub fn get(&self, name: &str) -> Option<(i32, core::ops::RangeInclusive<i32>)> {
                match name {
                    $(stringify!($name) => Some((self.$name, $range)),)+
                    _ => None,
                }
            }

            /// Sets the parameter with this name. Returns `false` if the name is unknown or the value is out of range.
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
    /// Futility pruning: a null-window node fails high if its evaluation exceeds the window by this margin per ply of
    /// depth; 0: off.
    futility = 0 in 0..=1000,
    /// Maximum depth of a node for futility pruning.
    futility_depth = 4 in 0..=20,
    /// A quiet move is skipped if the evaluation is below the window by this margin per ply of depth; 0: off.
    hopeless = 0 in 0..=1000,
    /// Maximum depth of a node for `hopeless`.
    hopeless_depth = 3 in 0..=20,
    /// Late-move pruning: number of quiet moves searched one ply above the leaves; it grows with the square of the
    /// depth; 0: all.
    late = 0 in 0..=100,
    /// Maximum depth of a node for late-move pruning.
    late_depth = 3 in 0..=20,
    /// ProbCut: a null-window node fails high if a shallower search exceeds the window by this margin; 0: off.
    probcut = 0 in 0..=1000,
    /// Minimum depth of a node for ProbCut.
    probcut_depth = 5 in 2..=20,
    /// Depth reduction of the ProbCut search.
    probcut_reduction = 3 in 1..=20,
    /// Minimum depth of a node for a null move.
    null_depth = 3 in 1..=20,
    /// Constant part of the depth reduction after a null move.
    null_reduction = 2 in 0..=10,
    /// Divisor of the depth; the quotient is the variable part of the depth reduction after a null move.
    null_slope = 5 in 1..=100,
    /// Minimum depth of a node for late-move reductions.
    reduction_depth = 3 in 2..=20,
    /// Number of first moves in the order that are not reduced.
    reduction_moves = 3 in 1..=40,
    /// Reduction in 1/1024 of a ply, multiplied by the product of the integer binary logarithms of depth and move
    /// number.
    reduction_slope = 384 in 0..=4096,
    /// Value of a history counter at which the reduction changes by one ply.
    reduction_history = 6000 in 500..=100_000,
    /// Maximum number of consecutive noisy moves in quiescence.
    noisy_plies = 6 in 0..=20,
    /// Variation in the time per move in games with clocks, in percent of the usual variation. A search takes longer if
    /// its best move changes, and ends earlier if its best move is stable; 0: every move takes the same share of the
    /// remaining time.
    pace = 100 in 0..=200,
}
