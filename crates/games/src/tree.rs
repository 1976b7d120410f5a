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
/// A tree is a list of nodes. The first node is the start. Every node comes after its parent. The first child of a node
/// continues the node's line, and the other children begin variations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Node {
    /// Index of the parent; 0 at the start.
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
    /// Index of the colour on the page. Files do not store colours.
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

/// Checks that the moves of a tree are legal from the start of a game. Returns the nodes in depth-first order, with
/// moves in their usual notation.
pub(crate) fn checked_tree<P: Game>(from: &Record<P>, nodes: &[Node]) -> Result<Vec<Node>, SettingError> {
    check_tree(from, nodes.to_vec()).map_err(|(_, error)| error)
}

/// The nodes removed from a tree because their moves are illegal or follow an illegal move.
pub(crate) struct Removed {
    /// Number of removed nodes.
    pub(crate) count: usize,
    /// Index of the first removed node, and its error.
    pub(crate) first: (usize, SettingError),
    /// `true` if the main line is cut.
    pub(crate) in_main_line: bool,
}

/// Checks like [`checked_tree`]. An error contains the index of its node.
pub(crate) fn check_tree<P: Game>(from: &Record<P>, nodes: Vec<Node>) -> Result<Vec<Node>, (usize, SettingError)> {
    match legal_tree(from, nodes)? {
        (nodes, None) => Ok(nodes),
        (_, Some(removed)) => Err(removed.first),
    }
}

/// Checks a tree like [`check_tree`], but removes illegal moves and the moves that follow them.
pub(crate) fn legal_tree<P: Game>(
    from: &Record<P>,
    mut nodes: Vec<Node>,
) -> Result<(Vec<Node>, Option<Removed>), (usize, SettingError)> {
    let start = replayed(from, &[]).map_err(|error| (0, error))?;
    let mut walk = Walk { record: start.clone(), start, path: vec![0] };
    if nodes.is_empty() {
        nodes.push(Node::default());
    }
    let mut removed: Option<Removed> = None;
    let mut kept = vec![true; nodes.len()];
    let mut end_of_main_line = 0;
    for i in 1..nodes.len() {
        let parent = nodes[i].parent;
        if parent >= i {
            return Err((i, message!("text.no_order", "the moves are in no order").into()));
        }
        let is_main = parent == end_of_main_line;
        if is_main {
            end_of_main_line = i;
        }
        if kept[parent] {
            walk.go_to(&nodes, parent)?;
            if let Err(error) = walk.play(&mut nodes, i) {
                let removed = removed.get_or_insert(Removed { count: 0, first: (i, error), in_main_line: false });
                removed.in_main_line |= is_main;
                kept[i] = false;
            }
        } else {
            kept[i] = false;
        }
    }
    if let Some(removed) = &mut removed {
        removed.count = kept.iter().filter(|&&kept| !kept).count();
    }
    Ok((in_order(&nodes, &kept), removed))
}

/// A game that plays the moves of a tree, node by node.
struct Walk<P: Game> {
    start: Record<P>,
    record: Record<P>,
    /// Indices of the nodes from the start to the last played node.
    path: Vec<usize>,
}

impl<P: Game> Walk<P> {
    /// Sets up the position after the move of a node.
    fn go_to(&mut self, nodes: &[Node], node: usize) -> Result<(), (usize, SettingError)> {
        let Self { start, record, path } = self;
        if !path.contains(&node) {
            record.clone_from(start);
            *path = vec![node];
            while path[0] > 0 {
                path.insert(0, nodes[path[0]].parent);
            }
            for &at in &path[1..] {
                play(record, &nodes[at].text).map_err(|error| (at, error))?;
            }
        }
        while path.last() != Some(&node) {
            path.pop();
            record.undo();
        }
        Ok(())
    }

    /// Plays the move of a node, and rewrites the node's text in the usual notation.
    fn play(&mut self, nodes: &mut [Node], node: usize) -> Result<(), SettingError> {
        play(&mut self.record, &nodes[node].text)?;
        self.path.push(node);
        if let Some(m) = self.record.last_move() {
            nodes[node].text = m.to_string();
        }
        Ok(())
    }
}

/// Returns the kept nodes of a tree in depth-first order.
fn in_order(nodes: &[Node], kept: &[bool]) -> Vec<Node> {
    let children = children(nodes);
    let mut sorted = Vec::with_capacity(nodes.len());
    let mut todo = vec![(0, 0)];
    while let Some((i, parent)) = todo.pop() {
        let here = sorted.len();
        sorted.push(Node { parent, ..nodes[i].clone() });
        todo.extend(children[i].iter().rev().filter(|&&child| kept[child]).map(|&child| (child, here)));
    }
    sorted
}
