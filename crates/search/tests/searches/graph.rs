//! A game on a graph with cycles, for tests: a move follows an edge, and a side without a move loses.

use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;

use game::{Diagram, Key, MoveError, NoSuchMove, Outcome, Position, PositionError, Side, Stuck, Tone};

/// A node of a graph. Even nodes belong to the first side, odd ones to the second side. Every edge connects an even and
/// an odd node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Number of the graph: 0 is [`TRAP`], and every other number is a random graph.
    seed: u64,
    node: u8,
}

/// Number of nodes of a random graph.
pub(crate) const NODES: u8 = 24;

/// A move to this node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(pub(crate) u8);

/// A graph with two cycles, 14–9–6–21 and 14–17. A refutation by repetition on a cycle depends on the path to it. The
/// root is node 1, with the second side to move, and the first side wins against every defence. The graph was found
/// among random graphs: an incorrect search, which reuses such refutations on other paths, finds no win.
const TRAP: [&[u8]; 24] = [
    &[1, 3],
    &[0, 6, 14],
    &[],
    &[],
    &[],
    &[],
    &[19, 21],
    &[],
    &[11],
    &[6],
    &[11, 13],
    &[],
    &[],
    &[],
    &[9, 17, 23],
    &[],
    &[17],
    &[0, 14],
    &[],
    &[8, 10],
    &[],
    &[14],
    &[],
    &[14, 16],
];

impl Graph {
    pub(crate) fn trap() -> Self {
        Self { seed: 0, node: 1 }
    }

    pub(crate) fn random(seed: u64, node: u8) -> Self {
        Self { seed, node }
    }

    pub(crate) fn node(self) -> u8 {
        self.node
    }

    fn has_edge(self, to: u8) -> bool {
        if self.seed == 0 {
            return TRAP[usize::from(self.node)].contains(&to);
        }
        let chance = Key::mix(self.seed << 16 | u64::from(self.node) << 8 | u64::from(to)).0;
        (self.node ^ to) & 1 != 0 && chance.is_multiple_of(9)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seed, self.node)
    }
}

impl FromStr for Graph {
    type Err = PositionError;

    fn from_str(_: &str) -> Result<Self, PositionError> {
        Err(PositionError::Empty { expected: "nothing: tests make graphs by number" })
    }
}

impl Position for Graph {
    type Move = Step;
    type Refusal = NoSuchMove;
    const STUCK: Stuck = Stuck::Loses;
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["even", "odd"];

    fn side_to_move(&self) -> Side {
        if self.node.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        let nodes = if self.seed == 0 { TRAP.len() as u8 } else { NODES };
        (0..nodes).filter(|&to| self.has_edge(to)).map(Step).try_for_each(visit)
    }

    fn refusal(&self, m: Step) -> Option<NoSuchMove> {
        (!self.has_edge(m.0)).then_some(NoSuchMove)
    }

    fn play(&mut self, m: Step) {
        self.node = m.0;
    }

    fn decided(&self) -> Option<Outcome> {
        None
    }

    fn diagram(&self, _: Option<Step>) -> Diagram {
        let node = (self.node.to_string(), Tone::Empty, None);
        Diagram { cells: vec![vec![node]], row_labels: vec!["node".to_owned()], column_labels: vec![String::new()] }
    }

    fn key(&self) -> Key {
        Key::mix(self.seed << 8 | u64::from(self.node))
    }

    fn pack(m: Step) -> u16 {
        u16::from(m.0) + 1
    }

    fn unpack(&self, code: u16) -> Option<Step> {
        u8::try_from(code.checked_sub(1)?).ok().filter(|&to| self.has_edge(to)).map(Step)
    }

    fn parse_move(&self, text: &str) -> Result<Step, MoveError<NoSuchMove>> {
        Err(MoveError::unreadable(text, "nothing: tests make moves by number"))
    }
}
