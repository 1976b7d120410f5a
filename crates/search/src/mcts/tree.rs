//! The tree of a search: statistics, proven results, selection by PUCT.

use crate::mcts::numbers::ln;
use crate::mcts::settings::MctsSettings;
use crate::score::Score;

/// Index of the root.
pub(super) const ROOT: u32 = 0;
/// Marks an edge without a node.
const NONE: u32 = u32::MAX;

/// A position that was visited.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Index of the first edge.
    first: u32,
    /// Number of edges; 0 before the evaluation, and for proven leaves.
    count: u32,
    /// Finished simulations.
    pub(super) visits: u32,
    /// Simulations that wait for the evaluator.
    pending: u32,
    /// Sum of the results of all simulations, for the side to move.
    total: f64,
    /// Evaluation for the side to move.
    pub(super) value: f64,
    /// Result that is proven for the side to move.
    pub(super) proven: Option<Score>,
}

impl Node {
    /// Returns the mean result for the side to move; the evaluation before the first simulation.
    pub(super) fn mean(&self) -> f64 {
        match self.proven {
            Some(score) => exact(score),
            None if self.visits == 0 => self.value,
            None => self.total / f64::from(self.visits),
        }
    }

    /// Returns `true` if the node waits for its evaluation.
    pub(super) fn waits(&self) -> bool {
        self.count == 0 && self.proven.is_none()
    }
}

/// A move of a node.
#[derive(Clone, Debug)]
pub(super) struct Edge<M> {
    pub(super) m: M,
    pub(super) prior: f32,
    /// Index of the node after the move, [`NONE`] before the first simulation.
    child: u32,
}

/// All visited positions. A node's index is larger than its parent's.
#[derive(Debug)]
pub(super) struct Tree<M> {
    nodes: Vec<Node>,
    edges: Vec<Edge<M>>,
}

/// Returns a proven result as a value.
pub(super) fn exact(score: Score) -> f64 {
    match (score.win_distance(), score.loss_distance()) {
        (Some(_), _) => 1.0,
        (_, Some(_)) => -1.0,
        _ => 0.0,
    }
}

/// Returns the score of a position whose best move leads to a position with this score.
fn from_child(score: Score) -> Score {
    (-score).at_ply(1)
}

impl<M: Copy> Tree<M> {
    /// Creates a tree with an unevaluated root.
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::default()], edges: Vec::new() }
    }

    /// Returns `true` if the tree takes this many MiB, or if its indices are used up.
    pub(super) fn is_full(&self, mib: usize) -> bool {
        const MOST_EDGES: usize = 1 << 31;
        let size = self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge<M>>();
        size >> 20 >= mib || self.edges.len() >= MOST_EDGES
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Returns the moves of a node.
    pub(super) fn edges(&self, node: u32) -> &[Edge<M>] {
        let Node { first, count, .. } = *self.node(node);
        &self.edges[first as usize..(first + count) as usize]
    }

    /// Returns the node after a move, if it was visited.
    pub(super) fn child(&self, edge: &Edge<M>) -> Option<&Node> {
        (edge.child != NONE).then(|| self.node(edge.child))
    }

    /// Returns the move that leads from a node to its child.
    pub(super) fn move_to(&self, node: u32, child: u32) -> M {
        let edge = self.edges(node).iter().find(|edge| edge.child == child);
        edge.expect("invariant: the nodes are on a path").m
    }

    /// Returns the node after a move of `node`, and `true` if it is new.
    pub(super) fn visit(&mut self, node: u32, index: usize) -> (u32, bool) {
        let new = self.nodes.len() as u32;
        let edge = &mut self.edges[self.nodes[node as usize].first as usize + index];
        if edge.child != NONE {
            return (edge.child, false);
        }
        edge.child = new;
        self.nodes.push(Node::default());
        (new, true)
    }

    /// Stores the evaluation of a node: its value, and its moves with their priors.
    pub(super) fn expand(&mut self, node: u32, value: f64, moves: impl Iterator<Item = (M, f32)>) {
        let first = self.edges.len() as u32;
        self.edges.extend(moves.map(|(m, prior)| Edge { m, prior, child: NONE }));
        let count = self.edges.len() as u32 - first;
        let node = &mut self.nodes[node as usize];
        (node.first, node.count, node.value) = (first, count, value);
    }

    /// Stores a proven result for the side to move.
    pub(super) fn settle(&mut self, node: u32, score: Score) {
        self.nodes[node as usize].proven = Some(score);
    }

    /// Changes the number of waiting simulations along a path.
    pub(super) fn hold(&mut self, path: &[u32], more: bool) {
        for &node in path {
            let pending = &mut self.nodes[node as usize].pending;
            *pending = if more { *pending + 1 } else { *pending - 1 };
        }
    }

    /// Adds a simulation whose last position has this value for its side to move. Proven results replace the values of
    /// their positions, and prove their parents where possible (M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo
    /// tree search solver", 2008).
    pub(super) fn back_up(&mut self, path: &[u32], mut value: f64) {
        let mut is_proven = false;
        for &index in path.iter().rev() {
            if is_proven && self.node(index).proven.is_none() {
                self.nodes[index as usize].proven = self.proof(index);
            }
            let node = &mut self.nodes[index as usize];
            is_proven = node.proven.is_some();
            value = node.proven.map_or(value, exact);
            node.visits += 1;
            node.total += value;
            value = -value;
        }
    }

    /// Returns the result that the moves of a node prove: a win if one of them wins, otherwise the best result if all
    /// results are proven.
    fn proof(&self, node: u32) -> Option<Score> {
        let results = || self.edges(node).iter().map(|edge| self.result(edge));
        let best = results().flatten().max()?;
        (best.win_distance().is_some() || results().all(|result| result.is_some())).then_some(best)
    }

    /// Returns the proven result of a move, for the side that plays it.
    pub(super) fn result(&self, edge: &Edge<M>) -> Option<Score> {
        self.child(edge)?.proven.map(from_child)
    }

    /// Returns the mean result of a move, for the side that plays it; `None` before the first simulation.
    pub(super) fn mean(&self, edge: &Edge<M>) -> Option<f64> {
        let child = self.child(edge)?;
        (child.visits > 0 || child.proven.is_some()).then(|| -child.mean())
    }

    /// Returns the index of the move with the largest upper bound (PUCT); `None` if every move is proven to lose.
    pub(super) fn select(&self, node: u32, settings: &MctsSettings) -> Option<usize> {
        let parent = self.node(node);
        let edges = self.edges(node);
        let visits = f64::from(parent.visits + parent.pending);
        let base = settings.exploration_base;
        let weight = (settings.exploration + ln((1.0 + visits + base) / base)) * visits.max(1.0).sqrt();
        let tried: f64 = edges.iter().filter(|edge| edge.child != NONE).map(|edge| f64::from(edge.prior)).sum();
        let first_play = parent.mean() - settings.first_play * tried.sqrt();
        let mut best = None;
        for (index, edge) in edges.iter().enumerate() {
            let (value, visits) = match self.child(edge) {
                None => (first_play, 0.0),
                Some(child) => match child.proven.map(|score| -exact(score)) {
                    Some(value) if value < 0.0 => continue,
                    Some(value) => (value, f64::from(child.visits)),
                    None => {
                        let (pending, visits) = (f64::from(child.pending), f64::from(child.visits + child.pending));
                        ((-child.total - settings.virtual_loss * pending) / visits.max(1.0), visits)
                    }
                },
            };
            let bound = value + weight * f64::from(edge.prior) / (1.0 + visits);
            if best.is_none_or(|(most, _)| bound > most) {
                best = Some((bound, index));
            }
        }
        best.map(|(_, index)| index)
    }

    /// Returns the most promising moves after this move of `node`, which comes first.
    pub(super) fn variation(&self, edge: &Edge<M>) -> Vec<M> {
        let (mut line, mut edge) = (vec![edge.m], edge);
        while edge.child != NONE {
            let visited = self.edges(edge.child).iter().filter(|next| self.mean(next).is_some());
            let rank = |edge: &&Edge<M>| (self.standing(edge), self.node(edge.child).visits);
            let Some(next) = visited.max_by_key(rank) else { break };
            line.push(next.m);
            edge = next;
        }
        line
    }

    /// Returns the class of a move: proven wins rank above all others, the shortest first, and proven losses below, the
    /// longest first.
    pub(super) fn standing(&self, edge: &Edge<M>) -> Score {
        let result = self.result(edge).filter(|score| score.as_units().is_none());
        result.unwrap_or(Score::DRAW)
    }
}
