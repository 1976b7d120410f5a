//! Evaluations: weighted sums of named terms, with weights that change with the phase of the game.

/// Weight that is worth a hundredth of a piece.
const SCALE: i32 = 256;
/// Phase at the beginning of a game. Phase 0 is the end.
pub const BEGINNING: i32 = 16;

/// The weights of a game's terms at the beginning of a game and at its end, in 256ths of a hundredth of a piece.
#[derive(Debug)]
pub struct Weights<const TERMS: usize> {
    /// Weights at the beginning of a game.
    pub early: [i32; TERMS],
    /// Weights at the end of a game.
    pub late: [i32; TERMS],
}

impl<const TERMS: usize> Weights<TERMS> {
    /// Returns the weighted sum, in hundredths of a piece, in a phase from 0 (the end) to [`BEGINNING`].
    #[inline]
    pub fn sum(&self, terms: &[i32; TERMS], phase: i32) -> i32 {
        let (mut first, mut last) = (0, 0);
        for ((term, early), late) in terms.iter().zip(&self.early).zip(&self.late) {
            first += term * early;
            last += term * late;
        }
        (first * phase + last * (BEGINNING - phase)) / (BEGINNING * SCALE)
    }

    /// Returns the same sum, term by term. `names` has the identifier and the name of each term; terms without a name
    /// are left out.
    pub fn breakdown(&self, names: &[[&'static str; 2]], terms: &[i32; TERMS], phase: i32) -> Breakdown {
        let units = |weight: i32| f64::from(weight) / f64::from(SCALE);
        let early_share = f64::from(phase) / f64::from(BEGINNING);
        let terms_by_name = names.iter().zip(terms).zip(self.early.iter().zip(&self.late));
        let terms_by_name = terms_by_name.map(|((&[id, name], &value), (&early, &late))| TermValue {
            id,
            name,
            value,
            early: units(early),
            late: units(late),
            weight: units(early) * early_share + units(late) * (1.0 - early_share),
        });
        Breakdown { early_share, terms: terms_by_name.collect(), total: self.sum(terms, phase) }
    }
}

/// The breakdown of an evaluation, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// Share of the early weights: 1 at the beginning of a game, 0 at its end. The late weights have the rest.
    pub early_share: f64,
    /// Terms. Their shares add up to the total.
    pub terms: Vec<TermValue>,
    /// Evaluation, in hundredths of a piece, rounded towards zero.
    pub total: i32,
}

/// A term of an evaluation in one position. Weights are in hundredths of a piece for each unit of the term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TermValue {
    /// Identifier in the source of the weights.
    pub id: &'static str,
    /// Name of the term.
    pub name: &'static str,
    /// Value of the side to move minus the opponent's, unless the name says otherwise.
    pub value: i32,
    /// Weight at the beginning of a game.
    pub early: f64,
    /// Weight at the end of a game.
    pub late: f64,
    /// Weight in this phase of the game.
    pub weight: f64,
}

impl TermValue {
    /// Creates a term that is worth `share` hundredths of a piece in this position.
    pub fn whole(id: &'static str, name: &'static str, share: f64) -> Self {
        Self { id, name, value: 1, early: share, late: share, weight: share }
    }

    /// Returns the term's contribution to the total, in hundredths of a piece.
    pub fn share(&self) -> f64 {
        // Adding zero turns a negative zero into zero.
        f64::from(self.value) * self.weight + 0.0
    }
}

/// Declares the terms of an evaluation: the enum of the terms, with a name for each; `Terms`, an array of values by
/// term; and `weights`, which turns a table of rows (term, early weight, late weight) into [`Weights`] when the crate
/// is compiled.
#[macro_export]
macro_rules! terms {
    ($(#[$doc:meta])* enum Term { $($(#[$about:meta])* $term:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) enum Term { $($(#[$about])* $term,)+ }

        /// Identifier and name of each term.
        pub(super) const NAMES: [[&str; 2]; TERMS] = [$([stringify!($term), $name],)+];
        /// Number of terms.
        pub(super) const TERMS: usize = [$($name,)+].len();

        /// The values of the terms.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) struct Terms(pub(super) [i32; TERMS]);

        impl Terms {
            const ZERO: Self = Self([0; TERMS]);
        }

        impl core::ops::Index<Term> for Terms {
            type Output = i32;

            #[inline]
            fn index(&self, term: Term) -> &i32 {
                &self.0[term as usize]
            }
        }

        impl core::ops::IndexMut<Term> for Terms {
            #[inline]
            fn index_mut(&mut self, term: Term) -> &mut i32 {
                &mut self.0[term as usize]
            }
        }

        /// Makes weights from rows in the order of the terms. Terms after the last row have no weight.
        pub(super) const fn weights<const ROWS: usize>(
            rows: [(Term, i32, i32); ROWS],
        ) -> $crate::Weights<TERMS> {
            let mut weights = $crate::Weights { early: [0; TERMS], late: [0; TERMS] };
            let mut i = 0;
            while i < ROWS {
                let (term, early, late) = rows[i];
                assert!(term as usize == i, "the rows stand in the order of the terms");
                (weights.early[i], weights.late[i]) = (early, late);
                i += 1;
            }
            weights
        }
    };
}
