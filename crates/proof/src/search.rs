//! Depth-first proof-number search for wins by Black.

use core::hash::{BuildHasherDefault, Hasher};
use core::ops::ControlFlow;
use std::collections::HashSet;

use game::{Position as _, Side};
use loa::{Bitboard, Move, Position, is_connected};
use search::{Stop, Stopped};

use crate::code::Code;
use crate::guess::{Guess, Guesser, Shape};
use crate::numbers::{Adding, INFINITE, Numbers, gather_black, gather_white};
use crate::proof_table::{Entry, ProofTable};
use crate::wins::Wins;

/// Options of the search. The defaults are the best measured ones (`docs/solving.md`), those of the newest version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Method that estimates the initial numbers.
    pub guess: Guess,
    /// Rule that combines the numbers of children.
    pub adding: Adding,
    /// Divisor of the slack of a threshold. A threshold is the second-best number, plus 1/`slack` of it, plus one. With
    /// 0 it is the second-best number plus one.
    pub slack: u32,
    /// `true` to recognise immediate wins when a position is generated, instead of when it is searched.
    pub ahead: bool,
    /// Definition of a win. Unlike the other options, it changes the rules.
    pub wins: Wins,
}

impl Default for Choices {
    fn default() -> Self {
        Self { guess: Guess::default(), adding: Adding::default(), slack: 8, ahead: true, wins: Wins::All }
    }
}

impl Choices {
    /// Returns the options of a version of the search, or `None` if the version does not exist. Jobs of a log can only
    /// be repeated by the version that ran them.
    pub fn of_version(version: u32) -> Option<Self> {
        match version {
            1 => Some(Self { guess: Guess::Terms, slack: 4, ..Self::default() }),
            SEARCH_VERSION => Some(Self::default()),
            _ => None,
        }
    }
}

/// Newest version of the search. It increases whenever the search finds different proofs, so that a log identifies the
/// search that it belongs to.
pub const SEARCH_VERSION: u32 = 2;

/// Maximum length of a path, in plies. Guessed.
const LONGEST: usize = 300;
/// Number of path-dependent refutations at which they are cleared. Guessed: about 140 MB.
const MOST_HERE: usize = 1 << 22;

/// A df-pn search (A. Nagai, "Df-pn algorithm for searching AND/OR trees", 2002) with its table.
///
/// A position that occurred before on the same path counts as not won, because a side that can win need not repeat
/// positions. Therefore a proof never depends on the path. A refutation may depend on it, and is then stored for this
/// path only (the graph-history interaction problem; A. Kishimoto and M. Müller, "A general solution to the graph
/// history interaction problem", 2004). Refutations are approximate: a path of 300 plies counts as a repetition,
/// and paths are identified by 64-bit hashes. Only a certificate proves a refutation.
///
/// Unlike `search::ProofSearch`, this search supports neither other games nor the move limit. In return, its positions
/// fit a [`Code`]: symmetric positions count as one, others never collide, and an entry takes eight bytes.
pub struct Search {
    choices: Choices,
    guesser: Guesser,
    table: ProofTable,
    stop: Stop,
    /// Refutations that hold on one path only, by position and path.
    here: HashSet<(Code, u64), BuildHasherDefault<Mixed>>,
    /// Positions that count as refuted, because a defence has a move for them.
    held: HashSet<Code, BuildHasherDefault<Mixed>>,
    pub(crate) path: Vec<Code>,
    /// Children of all nodes on the path, as a stack.
    children: Vec<Child>,
    expansions: u64,
    limit: u64,
}

/// A hasher for a few numbers that are already nearly random.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = spread(self.0.rotate_left(7) ^ n);
    }
}

/// A child of a node that is being searched.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    code: Code,
    numbers: Numbers,
    /// `true` if the move to it was a capture.
    captured: bool,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Numbers of the position; not settled if the search ended early.
    pub numbers: Numbers,
    /// Moves of the position, most promising first, if the numbers are not settled.
    pub order: Vec<Move>,
}

impl Search {
    /// Creates a search on boards of this size with a table of this many MiB.
    ///
    /// # Panics
    /// Panics on boards larger than [`LARGEST`](crate::code::LARGEST).
    pub fn new(choices: Choices, size: usize, table_mib: usize, stop: Stop) -> Self {
        Self {
            choices,
            guesser: Guesser::new(choices.guess),
            table: ProofTable::new(size, table_mib),
            stop,
            here: HashSet::default(),
            held: HashSet::default(),
            path: Vec::new(),
            children: Vec::new(),
            expansions: 0,
            limit: 0,
        }
    }

    /// Returns the definition of a win.
    pub(crate) fn wins(&self) -> Wins {
        self.choices.wins
    }

    /// Returns the number of expanded positions.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Returns the table with the results.
    pub(crate) fn table(&self) -> &ProofTable {
        &self.table
    }

    /// Counts these positions as refuted in all further searches.
    pub(crate) fn hold(&mut self, positions: impl IntoIterator<Item = Code>) {
        self.held.extend(positions);
    }

    /// Returns the binary logarithm of the work of a position's refutation, or `u8::MAX` if the refutation holds only
    /// on the path that begins with the preceding position. Returns `None` if no refutation is stored.
    pub(crate) fn refutation(&self, before: Code, code: Code) -> Option<u8> {
        match self.table.get(code).filter(|entry| entry.numbers.disproof == 0) {
            Some(entry) => Some(entry.work),
            None => self.here.contains(&(code, spread(before.0))).then_some(u8::MAX),
        }
    }

    /// Searches for a forced win by Black from an undecided position, with at most this many further expansions.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub fn solve(&mut self, p: &Position, expansions: u64) -> Result<Finding, Stopped> {
        self.path.clear();
        self.children.clear();
        self.limit = self.expansions + expansions;
        let code = Code::of(p);
        match self.search(p, code, 0, (INFINITE, INFINITE)) {
            Ok(numbers) => Ok(Finding { numbers, order: Vec::new() }),
            Err(Stopped) if self.expansions > self.limit => Ok(self.unfinished(p)),
            Err(stopped) => Err(stopped),
        }
    }

    /// Returns the finding for a position whose search has reached the limit, from the numbers of its children.
    fn unfinished(&mut self, p: &Position) -> Finding {
        let black = p.side_to_move() == Side::First;
        self.path.clear();
        self.path.push(Code::of(p));
        self.children.clear();
        self.expand(p, spread(Code::of(p).0));
        let numbers = self.gather(0, black);
        let mut moves: Vec<(u32, Move)> = Vec::new();
        let numbers_of = |m| {
            let code = Code::of(&p.child(m));
            let known = self.children.iter().find(|child| child.code == code).map(|child| child.numbers);
            known.unwrap_or(Numbers::REFUTED)
        };
        let _ = p.visit_moves(|m| {
            let n = numbers_of(m);
            moves.push((if black { n.proof } else { n.disproof }, m));
            ControlFlow::<()>::Continue(())
        });
        moves.sort_by_key(|&(n, _)| n);
        Finding { numbers, order: moves.into_iter().map(|(_, m)| m).collect() }
    }

    /// Searches a node until its numbers reach the limits. `path` is a hash of the set of positions before it.
    fn search(&mut self, p: &Position, code: Code, path: u64, limits: (u32, u32)) -> Result<Numbers, Stopped> {
        let black = p.side_to_move() == Side::First;
        let before = self.expansions;
        self.expansions += 1;
        self.stop.check(self.expansions)?;
        if self.expansions > self.limit {
            return Err(Stopped);
        }
        let beyond = path ^ spread(code.0);
        let first = self.children.len();
        self.path.push(code);
        self.expand(p, beyond);
        let found = loop {
            let numbers = self.gather(first, black);
            if numbers.is_settled() || numbers.proof >= limits.0 || numbers.disproof >= limits.1 {
                break Ok(numbers);
            }
            let (index, child_limits) = self.select(first, black, numbers, limits);
            let child = self.children[index];
            match self.search(&child.position, child.code, beyond, child_limits) {
                Ok(numbers) => self.children[index].numbers = numbers,
                Err(stopped) => {
                    let numbers = self.gather(first, black);
                    self.store(code, path, numbers, before);
                    break Err(stopped);
                }
            }
        };
        self.path.pop();
        self.children.truncate(first);
        let numbers = found?;
        self.store(code, path, numbers, before);
        Ok(numbers)
    }

    fn gather(&self, first: usize, black: bool) -> Numbers {
        let numbers = self.children[first..].iter().map(|child| &child.numbers);
        if black { gather_black(numbers, self.choices.adding) } else { gather_white(numbers, self.choices.adding) }
    }

    /// Returns the index of the child to search next, and its limits.
    fn select(&self, first: usize, black: bool, node: Numbers, limits: (u32, u32)) -> (usize, (u32, u32)) {
        let turned = |n: Numbers| if black { (n.proof, n.disproof) } else { (n.disproof, n.proof) };
        let (mut index, mut best, mut second) = (first, (u32::MAX, u32::MAX), INFINITE);
        for (i, child) in self.children[first..].iter().enumerate() {
            let numbers = turned(child.numbers);
            if numbers < best {
                second = second.min(best.0);
                (index, best) = (first + i, numbers);
            } else {
                second = second.min(numbers.0);
            }
        }
        let (node, limit) = (turned(node), if black { limits } else { (limits.1, limits.0) });
        // Slightly above the second best, so that the search does not alternate between two children (the "1 + ε trick"
        // of J. Pawlewicz and Ł. Lew, "Improving depth-first PN-search", 2006).
        let beyond = second.saturating_add(second.checked_div(self.choices.slack).unwrap_or(0)).saturating_add(1);
        let one = limit.0.min(beyond).min(INFINITE);
        let all = match self.choices.adding {
            Adding::Sum => limit.1.saturating_sub(node.1).saturating_add(best.1),
            // Each other open child counts as one: the limit applies once the selected child's number is the largest.
            Adding::Weak => limit.1.saturating_sub(self.open_others(first, index, black)),
        };
        let all = all.clamp(best.1 + 1, INFINITE);
        (index, if black { (one, all) } else { (all, one) })
    }

    /// Returns the number of children besides `index` that must still be refuted, or proven if White is to move.
    fn open_others(&self, first: usize, index: usize, black: bool) -> u32 {
        let open = |child: &Child| if black { child.numbers.disproof > 0 } else { child.numbers.proof > 0 };
        let count = self.children[first..].iter().filter(|child| open(child)).count();
        (count - usize::from(open(&self.children[index]))) as u32
    }

    /// Pushes the children of a node onto the stack, with their initial numbers.
    fn expand(&mut self, p: &Position, beyond: u64) {
        let first = self.children.len();
        let mover = p.side_to_move();
        let shapes = Side::BOTH.map(|side| Shape::of(p.pieces(side)));
        let joints = shapes[mover.index()].joints;
        let (children, wins) = (&mut self.children, self.choices.wins);
        let won = p.visit_moves(|m| {
            let position = p.child(m);
            let captured = p.pieces(!mover).has(m.to);
            let result = wins.result(&position, mover, joints.has(m.to), captured);
            if result == Some(mover) {
                return ControlFlow::Break(());
            }
            let numbers = if result.is_some() { Some(settled(!mover)) } else { None };
            let code = if result.is_some() { Code(0) } else { Code::of(&position) };
            children.push(Child { position, code, numbers: numbers.unwrap_or(UNSEEN), captured });
            ControlFlow::Continue(())
        });
        if won.is_break() || self.children.len() == first {
            // Applies rule 5 to a root without moves. For other nodes, the parent has already applied it.
            let winner = if won.is_break() { mover } else { wins.stuck(mover) };
            self.children.truncate(first);
            self.children.push(Child { position: *p, code: Code(0), numbers: settled(winner), captured: false });
            return;
        }
        // Memory is slow: load all entries first, then read them.
        let touched = self.children[first..].iter().fold(0, |touched, child| touched ^ self.table.touch(child.code));
        core::hint::black_box(touched);
        for i in first..self.children.len() {
            if self.children[i].numbers == UNSEEN {
                self.children[i].numbers = self.first_numbers(&self.children[i], &shapes, beyond);
            }
        }
    }

    #[inline]
    fn first_numbers(&self, child: &Child, parent: &[Shape; 2], beyond: u64) -> Numbers {
        if !self.held.is_empty() && self.held.contains(&child.code) {
            return Numbers::REFUTED;
        }
        let known = self.table.get(child.code);
        if let Some(entry) = known.filter(|entry| entry.numbers.is_settled()) {
            return entry.numbers;
        }
        let repeated = self.path.len() >= LONGEST || self.path.contains(&child.code);
        if repeated || !self.here.is_empty() && self.here.contains(&(child.code, beyond)) {
            return Numbers::REFUTED_HERE;
        }
        if let Some(entry) = known {
            return entry.numbers;
        }
        let p = &child.position;
        let (mover, enemy) = (!p.side_to_move(), p.side_to_move());
        let mut shapes = *parent;
        if child.captured {
            shapes[enemy.index()] = Shape::of(p.pieces(enemy));
        }
        if self.choices.ahead && connects_at_once(p, shapes[enemy.index()].joints, self.choices.wins) {
            return Numbers { plies: 1, ..settled(enemy) };
        }
        shapes[mover.index()] = Shape::of(p.pieces(mover));
        self.guesser.numbers(p, &shapes)
    }

    fn store(&mut self, code: Code, path: u64, numbers: Numbers, before: u64) {
        if numbers.disproof == 0 && numbers.on_path {
            if self.here.len() >= MOST_HERE {
                self.here.clear();
            }
            self.here.insert((code, path));
            return;
        }
        let work = (self.expansions - before).max(1).ilog2().min(31) as u8;
        self.table.put(code, Entry { numbers, work });
    }
}

/// Numbers of a child that has not been looked up yet.
const UNSEEN: Numbers = Numbers::open(0, 0);

/// Returns the numbers of a position that this side has won.
pub(crate) const fn settled(winner: Side) -> Numbers {
    match winner {
        Side::First => Numbers::won(0),
        Side::Second => Numbers::REFUTED,
    }
}

/// Returns `true` if the side to move can connect its pieces immediately, by a move to one of its joints.
#[inline]
fn connects_at_once(p: &Position, joints: Bitboard, wins: Wins) -> bool {
    let side = p.side_to_move();
    p.visit_moves_to(joints, |m| {
        let child = p.child(m);
        let wins = is_connected(child.pieces(side)) && !(p.pieces(!side).has(m.to) && wins.forbids_both(&child, side));
        if wins { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_break()
}

/// Returns a hash of a code. The XOR of several hashes is a hash of their set.
#[inline]
fn spread(code: u64) -> u64 {
    let x = (code ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
