//! Games with variations, as plain data for pages and files.

use game::{Record, message};
use serde::{Deserialize, Serialize};

use crate::definition::Game;
use crate::play::{SettingError, play, replayed};
use crate::scene::Place;

/// Maximum nesting of variations in an input.
pub(crate) const DEEPEST: usize = 50;

/// A move in a tree of variations, with its annotations.
///
/// A tree is a list of nodes. The first one is the start. Every node comes after its parent, and the first child of a
/// node continues the main line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Node {
    /// Index of the parent. 0 for the start, which has no parent.
    #[serde(default)]
    pub parent: usize,
    /// Move in its usual notation; empty at the start.
    #[serde(default, rename = "move")]
    pub text: String,
    /// Comment on the move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Assessment of the move, one of [`MARKS`]; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
    /// Circles and arrows on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
    /// Unknown properties from a file: names and values. They are written back unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other: Vec<(String, Vec<String>)>,
}

/// Assessments of a move, in the usual notation.
pub const MARKS: [&str; 6] = ["!", "!!", "!?", "?!", "?", "??"];

/// A circle around a square, or an arrow from one square to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Shape {
    /// One square for a circle, two for an arrow.
    pub path: Vec<Place>,
    /// Index of the page's colour. Files do not store it.
    #[serde(default)]
    pub colour: u8,
}

/// Returns the nodes of a game without variations.
pub fn line<T: AsRef<str>>(moves: &[T]) -> Vec<Node> {
    let moves = moves.iter().enumerate();
    let moves = moves.map(|(parent, text)| Node { parent, text: text.as_ref().to_owned(), ..Node::default() });
    core::iter::once(Node::default()).chain(moves).collect()
}

/// Returns the moves of the main line.
pub fn main_line(nodes: &[Node]) -> Vec<&str> {
    let (mut at, mut moves) = (0, Vec::new());
    for (i, node) in nodes.iter().enumerate().skip(1) {
        // The first child precedes its siblings.
        if node.parent == at {
            at = i;
            moves.push(node.text.as_str());
        }
    }
    moves
}

/// Returns the children of each node.
pub(crate) fn children(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (i, node) in nodes.iter().enumerate().skip(1) {
        if let Some(siblings) = children.get_mut(node.parent) {
            siblings.push(i);
        }
    }
    children
}

/// Returns the maximum nesting of variations.
pub(crate) fn nesting(nodes: &[Node]) -> usize {
    let children = children(nodes);
    let mut depths = vec![0; nodes.len()];
    for (i, node) in nodes.iter().enumerate().skip(1) {
        let is_main = children[node.parent].first() == Some(&i);
        depths[i] = depths[node.parent] + usize::from(!is_main);
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Checks a tree against the start of a game. Returns it in order, with moves in their usual notation.
pub(crate) fn checked_tree<P: Game>(from: &Record<P>, nodes: &[Node]) -> Result<Vec<Node>, SettingError> {
    check_tree(from, nodes.to_vec()).map_err(|(_, error)| error)
}

/// Checks like [`checked_tree`]. An error contains the index of its node.
pub(crate) fn check_tree<P: Game>(from: &Record<P>, mut nodes: Vec<Node>) -> Result<Vec<Node>, (usize, SettingError)> {
    let start = replayed(from, &[]).map_err(|error| (0, error))?;
    let mut record = start.clone();
    // Nodes from the start to the last one that was played.
    let mut path = vec![0];
    if nodes.is_empty() {
        nodes.push(Node::default());
    }
    for i in 1..nodes.len() {
        let parent = nodes[i].parent;
        if parent >= i {
            return Err((i, message!("text.no_order", "the moves are in no order").into()));
        }
        if !path.contains(&parent) {
            record = start.clone();
            path = vec![parent];
            while path[0] > 0 {
                path.insert(0, nodes[path[0]].parent);
            }
            for &at in &path[1..] {
                play(&mut record, &nodes[at].text).map_err(|error| (at, error))?;
            }
        }
        while path.last() != Some(&parent) {
            path.pop();
            record.undo();
        }
        play(&mut record, &nodes[i].text).map_err(|error| (i, error))?;
        path.push(i);
        if let Some(m) = record.last_move() {
            nodes[i].text = m.to_string();
        }
    }
    Ok(in_order(&nodes))
}

/// Returns the same tree in depth-first order.
fn in_order(nodes: &[Node]) -> Vec<Node> {
    let children = children(nodes);
    let mut sorted = Vec::with_capacity(nodes.len());
    let mut todo = vec![(0, 0)];
    while let Some((i, parent)) = todo.pop() {
        let here = sorted.len();
        sorted.push(Node { parent, ..nodes[i].clone() });
        todo.extend(children[i].iter().rev().map(|&child| (child, here)));
    }
    sorted
}
