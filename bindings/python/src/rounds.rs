//! Searches of many games that share the calls of one evaluator.

use std::collections::VecDeque;
use std::sync::Arc;

use search::Planning;

use crate::encode::Encoded;
use crate::error::Wrong;
use crate::parts::{Part, in_parts_of};
use crate::policy::Policy;
use crate::roots::Encoding;

/// Minimum number of games for each thread. Their simulations take several times as long as the start of a thread.
const LEAST_GAMES: usize = 512;

/// A search of one game.
struct Search<P: Encoded> {
    planning: Planning<P>,
    /// Positions before the root, the latest first.
    recent: VecDeque<P>,
    is_over: bool,
    /// Ids of the legal actions of the leaves, those of each leaf in ascending order. Each has the index of its move
    /// among the moves of the leaf.
    actions: Vec<(i32, usize)>,
    /// Index of the first leaf among those of all searches.
    first_leaf: usize,
    /// Index of the first id among those of all searches.
    first_id: usize,
}

/// Positions for an evaluator.
#[derive(Default)]
pub(crate) struct Rows {
    /// Planes of all positions.
    pub(crate) planes: Vec<f32>,
    /// Number of legal actions of each position.
    pub(crate) counts: Vec<usize>,
    /// Ids of the legal actions.
    pub(crate) ids: Vec<i32>,
}

/// The evaluations of [`Rows`].
pub(crate) struct Evaluations<'a> {
    /// Name of the evaluator in errors.
    pub(crate) evaluator: &'a str,
    /// Logits of the legal actions, or of all actions.
    pub(crate) logits: &'a [f32],
    /// Number of action ids, if there are logits for all actions.
    pub(crate) width: Option<usize>,
    /// Values for the side to move.
    pub(crate) values: &'a [f32],
}

/// Searches of many games. In each round, every search contributes the leaves that it needs next.
pub(crate) struct Rounds<P: Encoded> {
    searches: Vec<Search<P>>,
    encoding: Arc<dyn Encoding<P>>,
    /// Maximum number of threads.
    pub(crate) threads: usize,
}

impl<P: Encoded> Rounds<P> {
    /// Creates rounds from searches, each with the positions before its root, the latest first.
    pub(crate) fn new(
        searches: impl IntoIterator<Item = (Planning<P>, VecDeque<P>)>,
        encoding: Arc<dyn Encoding<P>>,
        threads: usize,
    ) -> Self {
        let search = |(planning, recent)| Search {
            planning,
            recent,
            is_over: false,
            actions: Vec::new(),
            first_leaf: 0,
            first_id: 0,
        };
        Self { searches: searches.into_iter().map(search).collect(), encoding, threads }
    }

    /// Returns the searches.
    pub(crate) fn plannings(&self) -> impl Iterator<Item = &Planning<P>> {
        self.searches.iter().map(|search| &search.planning)
    }

    /// Continues the searches with the evaluations of the last rows, if there were any. Returns the next rows, which
    /// may be empty; `None` if all searches are over.
    ///
    /// # Errors
    /// If a logit is invalid.
    pub(crate) fn advance(&mut self, evaluations: Option<&Evaluations<'_>>) -> Result<Option<Rows>, Wrong> {
        let encoding = &*self.encoding;
        let parts = in_parts_of(LEAST_GAMES, self.threads, &mut self.searches, (), |Part { games, .. }| {
            let (mut policy, mut rows) = (Policy::default(), Rows::default());
            for search in games.iter_mut().filter(|search| !search.is_over) {
                if let Some(evaluations) = evaluations {
                    search.apply(evaluations, &mut policy)?;
                }
                search.is_over = !search.planning.advance();
                search.push(encoding, &mut rows);
            }
            Ok(rows)
        });
        let rows = parts.into_iter().reduce(|rows, more| {
            let (mut rows, more) = (rows?, more?);
            rows.planes.extend(more.planes);
            rows.counts.extend(more.counts);
            rows.ids.extend(more.ids);
            Ok(rows)
        });
        let (mut leaf, mut id) = (0, 0);
        for search in &mut self.searches {
            (search.first_leaf, search.first_id) = (leaf, id);
            leaf += search.planning.leaves().len();
            id += search.actions.len();
        }
        if self.searches.iter().all(|search| search.is_over) { Ok(None) } else { rows.transpose() }
    }
}

impl<P: Encoded> Search<P> {
    /// Continues with the evaluations of the leaves.
    fn apply(&mut self, evaluations: &Evaluations<'_>, policy: &mut Policy) -> Result<(), Wrong> {
        let (mut start, mut priors) = (0, Vec::new());
        for (row, leaf) in (self.first_leaf..).zip(self.planning.leaves()) {
            let legal = start..start + leaf.moves().len();
            let evaluator = evaluations.evaluator;
            let problem = |problem| Wrong::Value(format!("{evaluator}: logits: {problem}, for the position {row}"));
            match evaluations.width {
                Some(width) => {
                    let of_row = &evaluations.logits[row * width..(row + 1) * width];
                    policy.fill(self.actions[legal.clone()].iter().map(|&(id, _)| of_row[id as usize]))
                }
                None => policy.fill(evaluations.logits[self.first_id..][legal.clone()].iter().copied()),
            }
            .map_err(problem)?;
            priors.clear();
            priors.resize(legal.len(), 0.0);
            for (&(_, place), &weight) in self.actions[legal.clone()].iter().zip(policy.weights()) {
                priors[place] = weight;
            }
            leaf.set_priors(priors.iter().copied());
            leaf.value = evaluations.values[row];
            start = legal.end;
        }
        self.planning.resume();
        Ok(())
    }

    /// Adds the leaves to the rows.
    fn push(&mut self, encoding: &dyn Encoding<P>, rows: &mut Rows) {
        let planes = encoding.planes();
        let width = planes.count::<P>() * planes.size * planes.size;
        self.actions.clear();
        for index in 0..self.planning.leaves().len() {
            let earlier = if planes.history > 0 { self.planning.line_to(index) } else { Vec::new() };
            let recent = earlier.into_iter().rev().chain(self.recent.iter().cloned()).take(planes.history).collect();
            let leaf = &self.planning.leaves()[index];
            let p = leaf.position();
            let first = self.actions.len();
            self.actions.extend(leaf.moves().iter().enumerate().map(|(place, &m)| (encoding.id_of(p, m), place)));
            self.actions[first..].sort_unstable();
            rows.counts.push(self.actions.len() - first);
            let start = rows.planes.len();
            rows.planes.resize(start + width, 0.0);
            planes.write(p, &recent, &mut rows.planes[start..]);
        }
        rows.ids.extend(self.actions.iter().map(|&(id, _)| id));
    }
}
