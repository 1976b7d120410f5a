use std::collections::HashSet;

use game::{Finish, Key, Outcome, PliesLeft, Position, Reason, Side};

use crate::control::{Stop, Stopped};
use crate::key::search_key;
use crate::memory;
use crate::params::{LONGEST_PROOF_PATH, PROOF_BYTES_A_NODE, PROOF_INFINITE, PROOF_SLACK, PROOF_WORTH};
use crate::policy::Policy;

/// A depth-first proof-number search for forced wins of any length. It searches the most promising lines first (A.
/// Nagai, "Df-pn algorithm for searching AND/OR trees", 2002).
///
/// A position that occurred before on the same path counts as not won, because a side that can win need not repeat
/// positions. Therefore a proof never depends on the path. A refutation may depend on it: the only way to win may lead
/// through a position of the path. Such a refutation is stored for this path only (the graph-history interaction
/// problem; A. Kishimoto and M. Müller, "A general solution to the graph history interaction problem", AAAI 2004). The
/// same applies to refutations by the move limit.
pub struct ProofSearch<'a, P: Position, L> {
    policy: &'a L,
    stop: Stop,
    node_limit: u64,
    nodes: u64,
    /// Table of entries, allocated on first use.
    table: Box<[[Slot; 2]]>,
    /// Size of the table, in pairs of entries: a power of two.
    buckets: usize,
    attacker: Side,
    /// Keys of the positions on the current path.
    path: HashSet<u64>,
    game: core::marker::PhantomData<fn() -> P>,
}

/// The result of a proof search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<M> {
    /// A win of the attacker.
    Win {
        /// Move of the attacker, if the attacker is to move.
        best: Option<M>,
        /// Upper bound of the length, in plies.
        plies: u32,
    },
    /// No forced win for the attacker.
    NoWin,
    /// No result: the search was stopped.
    Unknown,
}

/// The proof and disproof numbers of a position, with details of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
    /// Length of a proof, in plies.
    plies: u16,
    /// `true` if a refutation holds on the current path only.
    on_path: bool,
}

impl Numbers {
    const WON: Self = Self { proof: 0, disproof: PROOF_INFINITE, plies: 0, on_path: false };
    const REFUTED: Self = Self { proof: PROOF_INFINITE, disproof: 0, plies: 0, on_path: false };
    const REFUTED_HERE: Self = Self { on_path: true, ..Self::REFUTED };

    fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// An entry of the table. Key 0 marks an empty slot.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// Hash of the path on which the entry holds; 0 for any path.
    path: u64,
    proof: u32,
    disproof: u32,
    /// Number of nodes spent on the entry. Replacement keeps the entry with more nodes.
    work: u32,
    plies: u16,
    code: u16,
}

/// A child of the current node.
struct Child<P> {
    position: P,
    key: Key,
    code: u16,
    numbers: Numbers,
}

/// A node on the search path.
struct Frame {
    key: Key,
    /// Hash of the set of positions before the node.
    path: u64,
    left: PliesLeft,
}

impl Frame {
    /// Returns the path hash of the node's children.
    fn beyond(&self) -> u64 {
        self.path ^ Key::mix(self.key.0).0
    }
}

impl<'a, P: Position, L: Policy<P>> ProofSearch<'a, P, L> {
    /// Creates a search with a table of at most this many MiB that visits at most this many nodes. The first call of
    /// [`solve`](Self::solve) allocates the table.
    pub fn new(policy: &'a L, stop: Stop, table_mib: usize, node_limit: u64) -> Self {
        // Do not allocate more than the nodes can fill.
        let most = usize::try_from(node_limit).unwrap_or(usize::MAX).saturating_mul(PROOF_BYTES_A_NODE);
        let bytes = (table_mib << 20).min(most);
        let buckets = (bytes / size_of::<[Slot; 2]>()).max(1);
        Self {
            policy,
            stop,
            node_limit,
            nodes: 0,
            table: Box::default(),
            buckets: 1 << buckets.ilog2(),
            attacker: Side::First,
            path: HashSet::new(),
            game: core::marker::PhantomData,
        }
    }

    /// Returns the number of visited positions.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Replaces the stop signal.
    pub fn set_stop(&mut self, stop: Stop) {
        self.stop = stop;
    }

    /// Adds a second stop signal.
    pub(crate) fn stop_also(&mut self, other: &Stop) {
        self.stop = self.stop.or(other);
    }

    /// Sets the maximum number of visited positions, summed over all calls of [`solve`](Self::solve). To follow the
    /// progress, a caller solves the same position repeatedly with increasing limits.
    pub fn set_node_limit(&mut self, nodes: u64) {
        self.node_limit = nodes;
    }

    /// Decides whether `attacker` can force a win from this position, with `left` plies before the move limit. The
    /// position counts as undecided. Later calls reuse the results of earlier ones, so the attacker and the move limit
    /// must stay the same; otherwise use a new search.
    pub fn solve(&mut self, p: &P, attacker: Side, left: PliesLeft) -> Verdict<P::Move> {
        if self.table.is_empty() {
            self.table = memory::table(self.buckets, || [Slot::default(); 2]).into_boxed_slice();
            self.buckets = self.table.len();
        }
        self.attacker = attacker;
        self.path.clear();
        let frame = Frame { key: search_key(p, left), path: 0, left };
        match self.search(p, &frame, (PROOF_INFINITE, PROOF_INFINITE)) {
            Ok(numbers) if numbers.proof == 0 => {
                let code = self.slot(frame.key, 0).map_or(0, |slot| slot.code);
                let best = if p.side_to_move() == attacker { p.unpack(code) } else { None };
                Verdict::Win { best, plies: u32::from(numbers.plies) }
            }
            Ok(_) => Verdict::NoWin,
            Err(Stopped) => Verdict::Unknown,
        }
    }

    /// Returns best play from a position that was solved as won: the shortest known win against the longest known
    /// defence. It ends where the table has lost the proof.
    pub fn principal_variation(&self, p: &P, left: PliesLeft) -> Vec<P::Move> {
        let (mut p, mut left) = (p.clone(), left);
        let mut pv = Vec::new();
        while pv.len() < LONGEST_PROOF_PATH {
            left = left.next();
            let known = |m: &P::Move| {
                let child = p.child(*m);
                if let Some(finish) = left.finish(&child) {
                    return (finish.outcome == Outcome::Win(self.attacker)).then_some(0);
                }
                let slot = self.slot(search_key(&child, left), 0)?;
                (slot.proof == 0).then_some(slot.plies)
            };
            let moves = p.movable();
            let plies = moves.iter().filter_map(|m| known(m).map(|plies| (plies, *m)));
            let next = if p.side_to_move() == self.attacker {
                plies.min_by_key(|&(plies, _)| plies)
            } else {
                plies.max_by_key(|&(plies, _)| plies)
            };
            let Some((plies, m)) = next else { break };
            pv.push(m);
            if plies == 0 {
                break;
            }
            p = p.child(m);
        }
        pv
    }

    /// Returns the principal variation of the win that begins with this move; the move alone if the table has lost the
    /// proof.
    pub(crate) fn winning_line(&self, p: &P, m: P::Move, left: PliesLeft) -> Vec<P::Move> {
        let line = self.principal_variation(p, left);
        if line.first() == Some(&m) { line } else { vec![m] }
    }

    /// Returns the attacker's move in a position that is proven as won, and the maximum number of plies to the win;
    /// `None` if the table has no proof.
    pub fn winning_move(&self, p: &P, left: PliesLeft) -> Option<(P::Move, u32)> {
        self.winning_moves(p, left).into_iter().next()
    }

    /// Returns the attacker's moves with a proof in the table and the maximum number of plies to each win, the shortest
    /// win first. Returns no moves if the attacker is not to move.
    pub fn winning_moves(&self, p: &P, left: PliesLeft) -> Vec<(P::Move, u32)> {
        if p.side_to_move() != self.attacker {
            return Vec::new();
        }
        let left = left.next();
        let known = |m: &P::Move| {
            let child = p.child(*m);
            if let Some(finish) = left.finish(&child) {
                return (finish.outcome == Outcome::Win(self.attacker)).then_some(0);
            }
            self.slot(search_key(&child, left), 0).filter(|slot| slot.proof == 0).map(|slot| u32::from(slot.plies))
        };
        let moves = p.movable().into_iter();
        let mut known: Vec<(P::Move, u32)> = moves.filter_map(|m| known(&m).map(|plies| (m, plies + 1))).collect();
        known.sort_by_key(|&(_, plies)| plies);
        known
    }

    /// Searches a node until its proof or disproof number reaches its limit.
    fn search(&mut self, p: &P, frame: &Frame, limits: (u32, u32)) -> Result<Numbers, Stopped> {
        let attacks = p.side_to_move() == self.attacker;
        let before = self.nodes;
        let mut children = self.expand(p, frame)?;
        self.path.insert(frame.key.0);
        let found = loop {
            let numbers = if attacks { gather_attack(&children) } else { gather_defence(&children) };
            if numbers.is_settled() || numbers.proof >= limits.0 || numbers.disproof >= limits.1 {
                break Ok(numbers);
            }
            let (index, child_limits) = if attacks {
                select_attack(&children, numbers, limits)
            } else {
                select_defence(&children, numbers, limits)
            };
            let child = &children[index];
            let next = Frame { key: child.key, path: frame.beyond(), left: frame.left.next() };
            match self.search(&child.position.clone(), &next, child_limits) {
                Ok(numbers) => children[index].numbers = numbers,
                Err(stopped) => break Err(stopped),
            }
        };
        self.path.remove(&frame.key.0);
        let numbers = found?;
        let code = best_code(&children, numbers, attacks);
        self.store(frame, numbers, code, self.nodes - before);
        Ok(numbers)
    }

    /// Returns the children of a node with their current numbers.
    fn expand(&mut self, p: &P, frame: &Frame) -> Result<Vec<Child<P>>, Stopped> {
        let moves = p.movable();
        let left = frame.left.next();
        let mut children = Vec::with_capacity(moves.len());
        for m in moves {
            self.nodes += 1;
            self.stop.check(self.nodes)?;
            if self.nodes > self.node_limit {
                return Err(Stopped);
            }
            let position = p.child(m);
            let key = search_key(&position, left);
            let numbers = self.first_numbers(&position, key, frame, left);
            let won = numbers.proof == 0;
            children.push(Child { position, key, code: P::pack(m), numbers });
            if won && p.side_to_move() == self.attacker {
                break;
            }
        }
        Ok(children)
    }

    fn first_numbers(&self, p: &P, key: Key, parent: &Frame, left: PliesLeft) -> Numbers {
        match left.finish(p) {
            Some(finish) if finish.outcome == Outcome::Win(self.attacker) => return Numbers::WON,
            Some(Finish { reason: Reason::MoveLimit, .. }) => return Numbers::REFUTED_HERE,
            Some(_) => return Numbers::REFUTED,
            None => (),
        }
        if key == parent.key || self.path.contains(&key.0) || self.path.len() >= LONGEST_PROOF_PATH {
            return Numbers::REFUTED_HERE;
        }
        if let Some(slot) = self.slot(key, parent.beyond()) {
            let on_path = slot.path != 0;
            // A proof longer than the plies left proves nothing here.
            if slot.proof > 0 || left.allows(u32::from(slot.plies)) {
                return Numbers { proof: slot.proof, disproof: slot.disproof, plies: slot.plies, on_path };
            }
        }
        let (proof, disproof) = self.policy.difficulty(p, self.attacker);
        Numbers { proof: proof.max(1), disproof: disproof.max(1), plies: 0, on_path: false }
    }

    fn bucket(&self, key: Key) -> usize {
        key.0 as usize & (self.buckets - 1)
    }

    /// Returns the entry of a position that holds on this path.
    fn slot(&self, key: Key, path: u64) -> Option<Slot> {
        let bucket = self.table.get(self.bucket(key))?;
        bucket.iter().copied().find(|slot| slot.key == key.0 && (slot.path == 0 || slot.path == path | 1))
    }

    fn store(&mut self, frame: &Frame, numbers: Numbers, code: u16, work: u64) {
        let path = if numbers.disproof == 0 && numbers.on_path { frame.path | 1 } else { 0 };
        let Numbers { proof, disproof, plies, .. } = numbers;
        let bucket = self.bucket(frame.key);
        let [first, second] = &mut self.table[bucket];
        let slot = if first.key == frame.key.0 || (second.key != frame.key.0 && first.work <= second.work) {
            first
        } else {
            second
        };
        let work = work.min(u64::from(u32::MAX)) as u32;
        let work = if proof == 0 { work.saturating_mul(PROOF_WORTH) } else { work };
        *slot = Slot { key: frame.key.0, path, proof, disproof, work, plies, code };
    }
}

/// Returns the numbers of a node where the attacker moves: the minimum of the children's proof numbers and the sum of
/// their disproof numbers.
fn gather_attack<P>(children: &[Child<P>]) -> Numbers {
    let proof = children.iter().map(|child| child.numbers.proof).min().unwrap_or(PROOF_INFINITE);
    let disproof = sum(children.iter().map(|child| child.numbers.disproof));
    if proof == 0 {
        let won = children.iter().filter(|child| child.numbers.proof == 0);
        let plies = won.map(|child| child.numbers.plies + 1).min().unwrap_or(1);
        return Numbers { plies, ..Numbers::WON };
    }
    if disproof == 0 {
        return Numbers { on_path: children.iter().any(|child| child.numbers.on_path), ..Numbers::REFUTED };
    }
    Numbers { proof, disproof, plies: 0, on_path: false }
}

/// Returns the numbers of a node where the defender moves: the sum of the children's proof numbers and the minimum of
/// their disproof numbers.
fn gather_defence<P>(children: &[Child<P>]) -> Numbers {
    let proof = sum(children.iter().map(|child| child.numbers.proof));
    let disproof = children.iter().map(|child| child.numbers.disproof).min().unwrap_or(PROOF_INFINITE);
    if disproof == 0 {
        let refuted = |child: &Child<P>| child.numbers.disproof == 0 && !child.numbers.on_path;
        return Numbers { on_path: !children.iter().any(refuted), ..Numbers::REFUTED };
    }
    if proof == 0 {
        let plies = children.iter().map(|child| child.numbers.plies + 1).max().unwrap_or(1);
        return Numbers { plies, ..Numbers::WON };
    }
    Numbers { proof, disproof, plies: 0, on_path: false }
}

fn sum(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, |sum: u32, n| sum.saturating_add(n).min(PROOF_INFINITE))
}

/// Returns the child with the smallest proof number, and its limits.
fn select_attack<P>(children: &[Child<P>], node: Numbers, limits: (u32, u32)) -> (usize, (u32, u32)) {
    let (index, second) = two_smallest(children.iter().map(|child| (child.numbers.proof, child.numbers.disproof)));
    let disproof = limits.1.saturating_sub(node.disproof).saturating_add(children[index].numbers.disproof);
    (index, (limits.0.min(beyond(second)), disproof.min(PROOF_INFINITE)))
}

/// Returns the child with the smallest disproof number, and its limits.
fn select_defence<P>(children: &[Child<P>], node: Numbers, limits: (u32, u32)) -> (usize, (u32, u32)) {
    let (index, second) = two_smallest(children.iter().map(|child| (child.numbers.disproof, child.numbers.proof)));
    let proof = limits.0.saturating_sub(node.proof).saturating_add(children[index].numbers.proof);
    (index, (proof.min(PROOF_INFINITE), limits.1.min(beyond(second))))
}

/// Returns a limit slightly above the second-best number, so that the search does not alternate between two children.
/// See [`PROOF_SLACK`].
fn beyond(second: u32) -> u32 {
    second.saturating_add(second / PROOF_SLACK).saturating_add(1).min(PROOF_INFINITE)
}

/// Returns the index of the smallest number and the value of the second smallest. The second component breaks ties.
fn two_smallest(numbers: impl Iterator<Item = (u32, u32)>) -> (usize, u32) {
    let (mut index, mut best, mut second) = (0, (u32::MAX, u32::MAX), PROOF_INFINITE);
    for (i, number) in numbers.enumerate() {
        if number < best {
            second = second.min(best.0);
            (index, best) = (i, number);
        } else {
            second = second.min(number.0);
        }
    }
    (index, second)
}

/// Returns the code of the move to store: the shortest win of a proven position, otherwise the most promising move.
fn best_code<P>(children: &[Child<P>], numbers: Numbers, attacks: bool) -> u16 {
    let best = if attacks && numbers.proof == 0 {
        children.iter().filter(|child| child.numbers.proof == 0).min_by_key(|child| child.numbers.plies)
    } else if attacks {
        children.iter().min_by_key(|child| child.numbers.proof)
    } else {
        children.iter().min_by_key(|child| child.numbers.disproof)
    };
    best.map_or(0, |child| child.code)
}
