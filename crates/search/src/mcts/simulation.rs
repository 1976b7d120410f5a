//! Simulations: paths from the root to a new position, and their evaluation in batches.

use game::{PliesLeft, Position};

use crate::control::{Stop, Stopped};
use crate::mcts::evaluator::{Evaluator, Leaf};
use crate::mcts::settings::MctsSettings;
use crate::mcts::tree::{ROOT, Tree, exact};
use crate::score::Score;

/// The root of a search and its limits.
pub(super) struct Task<'a, P: Position> {
    pub(super) root: &'a P,
    /// Plies before the move limit.
    pub(super) left: PliesLeft,
    /// Maximum depth of the tree, in plies.
    pub(super) depth: u32,
    /// Maximum number of simulations.
    pub(super) simulations: u64,
    pub(super) stop: Stop,
}

/// A running search.
pub(super) struct Simulator<'a, P: Position, E> {
    evaluator: &'a mut E,
    settings: &'a MctsSettings,
    task: Task<'a, P>,
    pub(super) tree: Tree<P::Move>,
    /// Number of simulations, including those that wait for the evaluator.
    simulations: u64,
    /// Positions that wait for the evaluator.
    leaves: Vec<Leaf<P>>,
    /// Path to each of `leaves`, from the root.
    paths: Vec<Vec<u32>>,
    /// `true` if the evaluator knows the result of the root.
    root_is_known: bool,
}

impl<'a, P: Position, E: Evaluator<P>> Simulator<'a, P, E> {
    /// Evaluates the root, which counts as undecided. Its moves are those of `moves` with a flag for those that repeat
    /// a position of the game. If the evaluator fails, the search is over.
    pub(super) fn new(
        evaluator: &'a mut E,
        settings: &'a MctsSettings,
        mut task: Task<'a, P>,
        moves: &[(P::Move, bool)],
    ) -> Self {
        let mut leaves = [Leaf::new(task.root.clone(), task.left)];
        if evaluator.evaluate(&mut leaves).is_err() {
            leaves = [Leaf::new(task.root.clone(), task.left)];
            task.simulations = 1;
        }
        let [leaf] = leaves;
        let mut tree = Tree::new();
        let priors = leaf.moves().iter().zip(leaf.priors());
        let kept: Vec<(P::Move, f32)> =
            priors.filter(|&(m, _)| moves.iter().any(|(kept, _)| kept == m)).map(|(&m, &prior)| (m, prior)).collect();
        let sum: f32 = kept.iter().map(|&(_, prior)| prior).sum();
        let even = 1.0 / kept.len().max(1) as f32;
        let scaled = kept.iter().map(|&(m, prior)| (m, if sum > 0.0 { prior / sum } else { even }));
        tree.expand(ROOT, leaf.valid_value(), scaled);
        for (index, (m, _)) in kept.iter().enumerate() {
            if moves.contains(&(*m, true)) {
                let (child, _) = tree.visit(ROOT, index);
                tree.settle(child, Score::DRAW);
            }
        }
        tree.back_up(&[ROOT], leaf.valid_value());
        let root_is_known = leaf.known.is_some();
        Self { evaluator, settings, task, tree, simulations: 1, leaves: Vec::new(), paths: Vec::new(), root_is_known }
    }

    /// Returns the number of finished simulations, including the evaluation of the root.
    pub(super) fn simulations(&self) -> u64 {
        self.simulations - self.leaves.len() as u64
    }

    /// Returns the number of simulations until the limit.
    pub(super) fn simulations_left(&self) -> u64 {
        self.task.simulations.saturating_sub(self.simulations)
    }

    /// Visits every move of the root once if the evaluator knows the result of the root, so that the shortest win among
    /// known results is found.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub(super) fn visit_known(&mut self) -> Result<(), Stopped> {
        let moves = if self.root_is_known { self.tree.edges(ROOT).len() } else { 0 };
        for index in 0..moves {
            if self.simulations_left() > 0 {
                self.simulate(Some(index))?;
            }
        }
        self.flush()
    }

    /// Returns `true` if the search must end: its limit is reached, the tree is full, or the root is proven.
    pub(super) fn is_over(&self) -> bool {
        self.simulations >= self.task.simulations
            || self.tree.node(ROOT).proven.is_some()
            || self.tree.is_full(self.settings.tree_mib)
    }

    /// Runs a simulation. It begins with this move of the root, if one is given.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub(super) fn simulate(&mut self, first: Option<usize>) -> Result<(), Stopped> {
        self.task.stop.check(0)?;
        if !self.descend(first) {
            self.flush()?;
            if self.tree.node(ROOT).proven.is_none() {
                self.descend(first);
            }
        }
        if self.leaves.len() >= self.settings.batch.get() { self.flush() } else { Ok(()) }
    }

    /// Follows a path to a new position and adds it to the waiting ones. A path that ends in a position with a known
    /// value is backed up at once. Returns `false` if the path leads to a waiting position.
    fn descend(&mut self, first: Option<usize>) -> bool {
        let (mut p, mut left) = (self.task.root.clone(), self.task.left);
        let (mut node, mut path) = (ROOT, vec![ROOT]);
        let value = loop {
            let forced = first.filter(|_| node == ROOT);
            let Some(index) = forced.or_else(|| self.tree.select(node, self.settings)) else { return false };
            p.play(self.tree.edges(node)[index].m);
            left = left.next();
            let (child, is_new) = self.tree.visit(node, index);
            path.push(child);
            node = child;
            if is_new {
                let Some(finish) = left.finish(&p) else {
                    self.tree.hold(&path, true);
                    self.leaves.push(Leaf::new(p, left));
                    self.paths.push(path);
                    self.simulations += 1;
                    return true;
                };
                self.tree.settle(node, Score::of_outcome(finish.outcome, p.side_to_move(), 0));
            }
            let reached = self.tree.node(node);
            if reached.waits() {
                return false;
            }
            if let Some(score) = reached.proven {
                break exact(score);
            }
            if path.len() > self.task.depth as usize {
                break reached.value;
            }
        };
        self.tree.back_up(&path, value);
        self.simulations += 1;
        true
    }

    /// Evaluates the waiting positions.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the evaluator fails. The waiting simulations then do not count.
    pub(super) fn flush(&mut self) -> Result<(), Stopped> {
        let result = if self.leaves.is_empty() { Ok(()) } else { self.evaluator.evaluate(&mut self.leaves) };
        for (leaf, path) in self.leaves.drain(..).zip(self.paths.drain(..)) {
            self.tree.hold(&path, false);
            let Some(&node) = path.last().filter(|_| result.is_ok()) else {
                self.simulations -= 1;
                continue;
            };
            let value = leaf.valid_value();
            match leaf.known.and_then(|known| known.score(leaf.plies_left(), 0)) {
                Some(score) => self.tree.settle(node, score),
                None => {
                    let moves = leaf.moves().iter().copied().zip(leaf.priors().iter().copied());
                    self.tree.expand(node, value, moves);
                }
            }
            self.tree.back_up(&path, value);
        }
        result
    }
}
