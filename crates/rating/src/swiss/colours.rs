//! Colour preference of a player for the next game.

/// The strength of a player's colour preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// No preference: the player has not had a colour yet.
    None,
    /// The player has had both colours equally often, and had the colour that is not preferred last.
    Mild,
    /// The player has had the preferred colour once less than the other one.
    Strong,
    /// The player has had the preferred colour at least twice less than the other one, or had the other one in the last
    /// two games.
    Absolute,
}

/// The colour that a player prefers, with the strength of the preference (Handbook C.04.3, A.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// `true` if the player prefers the first move, `false` for the second; `None` without a preference.
    pub begin: Option<bool>,
    pub strength: Strength,
}

impl Wish {
    /// Returns the preference of a player who has had these colours, latest first: `true` for the first move.
    pub(super) fn after(colours: impl Iterator<Item = bool>) -> Self {
        let mut difference = 0_i32;
        let mut latest = [None; 2];
        for (ago, first) in colours.enumerate() {
            difference += if first { 1 } else { -1 };
            if let Some(slot) = latest.get_mut(ago) {
                *slot = Some(first);
            }
        }
        let Some(last) = latest[0] else { return Self { begin: None, strength: Strength::None } };
        let lacking = difference < 0;
        let twice_in_a_row = latest[1] == Some(last);
        let (begin, strength) = match difference.abs() {
            0 if !twice_in_a_row => (!last, Strength::Mild),
            1 if !twice_in_a_row => (lacking, Strength::Strong),
            0 | 1 => (!last, Strength::Absolute),
            _ => (lacking, Strength::Absolute),
        };
        Self { begin: Some(begin), strength }
    }

    /// Returns the strength of the weaker preference if both players prefer the same colour; otherwise
    /// [`Strength::None`].
    pub(super) fn conflict(self, other: Self) -> Strength {
        if self.begin.is_some() && self.begin == other.begin {
            self.strength.min(other.strength)
        } else {
            Strength::None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_follow_the_colours_so_far() {
        // Games in order, with `+` for the first move.
        for (games, begin, strength) in [
            ("", None, Strength::None),
            ("+", Some(false), Strength::Strong),
            ("-+", Some(false), Strength::Mild),
            ("+-", Some(true), Strength::Mild),
            ("++", Some(false), Strength::Absolute),
            ("-++", Some(false), Strength::Absolute),
            ("+-+", Some(false), Strength::Strong),
            ("++--", Some(true), Strength::Absolute),
            ("++-+", Some(false), Strength::Absolute),
            ("-+-", Some(true), Strength::Strong),
        ] {
            let wish = Wish::after(games.chars().rev().map(|c| c == '+'));
            assert_eq!((wish.begin, wish.strength), (begin, strength), "{games}");
        }
    }
}
