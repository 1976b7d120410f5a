//! Simulations: paths from the root to a new position, which then waits for its evaluation.

use game::{PliesLeft, Position};

use crate::control::Stop;
use crate::mcts::evaluator::Leaf;
use crate::mcts::settings::MctsSettings;
use crate::mcts::step::Step;
use crate::mcts::tree::{ROOT, Tree, exact};
use crate::score::Score;

/// The root of a search and its limits.
pub(super) struct Task<P: Position> {
    pub(super) root: P,
    /// Moves of the root, each with `true` if it repeats a position of the game, which counts as a draw.
    pub(super) moves: Vec<(P::Move, bool)>,
    /// Plies before the move limit.
    pub(super) left: PliesLeft,
    /// Maximum depth of the tree, in plies.
    pub(super) depth: u32,
    /// Maximum number of simulations.
    pub(super) simulations: u64,
    pub(super) stop: Stop,
}

/// The tree of a running search and the positions that wait for their evaluation.
pub(super) struct Simulator<P: Position> {
    settings: MctsSettings,
    task: Task<P>,
    pub(super) tree: Tree<P::Move>,
    /// Number of simulations, including those that wait for the evaluator.
    simulations: u64,
    /// Positions that wait for the evaluator.
    pub(super) leaves: Vec<Leaf<P>>,
    /// Path to each of `leaves`, from the root.
    paths: Vec<Vec<u32>>,
    /// A simulation that led to a waiting position. It is repeated after the evaluation.
    blocked: Option<Step>,
    /// `true` if the evaluator knows the result of the root.
    pub(super) root_is_known: bool,
}

impl<P: Position> Simulator<P> {
    /// Creates a search whose root waits for its evaluation. The root counts as undecided.
    pub(super) fn new(settings: MctsSettings, task: Task<P>) -> Self {
        let mut tree = Tree::new();
        tree.hold(&[ROOT], true);
        let leaves = vec![Leaf::new(task.root.clone(), task.left)];
        let paths = vec![vec![ROOT]];
        Self { settings, task, tree, simulations: 1, leaves, paths, blocked: None, root_is_known: false }
    }

    /// Returns the number of finished simulations, including the evaluation of the root.
    pub(super) fn simulations(&self) -> u64 {
        self.simulations - self.leaves.len() as u64
    }

    /// Returns `true` if the limit allows another simulation.
    pub(super) fn has_budget(&self) -> bool {
        self.simulations < self.task.simulations
    }

    /// Returns `true` if the search must end: its limit is reached, the tree is full, or the root is proven.
    pub(super) fn is_over(&self) -> bool {
        !self.has_budget() || self.tree.node(ROOT).proven.is_some() || self.tree.is_full(self.settings.tree_mib)
    }

    /// Returns `true` if a caller or a deadline has stopped the search.
    pub(super) fn is_stopped(&self) -> bool {
        self.task.stop.check(0).is_err()
    }

    /// Returns the simulation that must be repeated, if there is one.
    pub(super) fn repeated(&mut self) -> Option<Step> {
        self.blocked.take().filter(|_| self.tree.node(ROOT).proven.is_none())
    }

    /// Runs a simulation. It begins with this move of the root, if one is given. Returns `true` if the waiting
    /// positions must be evaluated.
    pub(super) fn simulate(&mut self, first: Option<usize>) -> bool {
        if self.descend(first) {
            return self.leaves.len() >= self.settings.batch.get();
        }
        let waits = !self.leaves.is_empty();
        self.blocked = waits.then_some(Step::Simulate(first));
        waits
    }

    /// Follows a path to a new position and adds it to the waiting ones. A path that ends in a position with a known
    /// value is backed up at once. Returns `false` if the path leads to a waiting position.
    fn descend(&mut self, first: Option<usize>) -> bool {
        let (mut p, mut left) = (self.task.root.clone(), self.task.left);
        let (mut node, mut path) = (ROOT, vec![ROOT]);
        let value = loop {
            let forced = first.filter(|_| node == ROOT);
            let Some(index) = forced.or_else(|| self.tree.select(node, &self.settings)) else { return false };
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

    /// Returns the positions from the root to the leaf with this index, without the leaf.
    pub(super) fn line_to(&self, leaf: usize) -> Vec<P> {
        let mut p = self.task.root.clone();
        let mut line = Vec::new();
        for step in self.paths[leaf].windows(2) {
            line.push(p.clone());
            p.play(self.tree.move_to(step[0], step[1]));
        }
        line
    }

    /// Stores the evaluations of the waiting positions.
    pub(super) fn resume(&mut self) {
        let (leaves, paths) = (core::mem::take(&mut self.leaves), core::mem::take(&mut self.paths));
        for (leaf, path) in leaves.into_iter().zip(paths) {
            self.tree.hold(&path, false);
            let node = *path.last().expect("invariant: a path begins with the root");
            let value = leaf.valid_value();
            if node == ROOT {
                self.expand_root(&leaf);
            } else if let Some(score) = leaf.known.and_then(|known| known.score(leaf.plies_left(), 0)) {
                self.tree.settle(node, score);
            } else {
                let moves = leaf.moves().iter().copied().zip(leaf.priors().iter().copied());
                self.tree.expand(node, value, moves);
            }
            self.tree.back_up(&path, value);
        }
    }

    /// Ends the search without the evaluations of the waiting positions. The waiting simulations do not count.
    pub(super) fn give_up(&mut self) {
        self.task.simulations = 0;
        if self.tree.node(ROOT).waits() {
            self.leaves = vec![Leaf::new(self.task.root.clone(), self.task.left)];
            self.resume();
        }
        self.simulations -= self.leaves.len() as u64;
        self.leaves.clear();
        for path in self.paths.drain(..) {
            self.tree.hold(&path, false);
        }
    }

    /// Stores the moves of the root.
    fn expand_root(&mut self, leaf: &Leaf<P>) {
        self.root_is_known = leaf.known.is_some();
        let moves = &self.task.moves;
        let priors = leaf.moves().iter().zip(leaf.priors());
        let kept: Vec<(P::Move, f32)> =
            priors.filter(|&(m, _)| moves.iter().any(|(kept, _)| kept == m)).map(|(&m, &prior)| (m, prior)).collect();
        let sum: f32 = kept.iter().map(|&(_, prior)| prior).sum();
        let even = 1.0 / kept.len().max(1) as f32;
        let scaled = kept.iter().map(|&(m, prior)| (m, if sum > 0.0 { prior / sum } else { even }));
        self.tree.expand(ROOT, leaf.valid_value(), scaled);
        for (index, (m, _)) in kept.iter().enumerate() {
            if moves.contains(&(*m, true)) {
                let (child, _) = self.tree.visit(ROOT, index);
                self.tree.settle(child, Score::DRAW);
            }
        }
    }
}
