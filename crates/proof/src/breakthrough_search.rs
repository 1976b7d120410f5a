//! Proof-number search of Breakthrough on boards up to 6×6.

use core::ops::ControlFlow;

use breakthrough::{Bitboard, Move, Position};
use game::{Key, Position as _, Side};
use search::{Stop, Stopped};

use crate::code::{LARGEST, mirrored, plain};
use crate::numbers::{Adding, INFINITE, Numbers, gather_black};

/// Number of entries per bucket. Derived: a cache line of 64 bytes.
const WAYS: usize = 4;
/// Number of bits of each of the two numbers of an entry.
const NUMBER: u32 = 28;
/// Maximum number of an open position; larger ones are clamped.
const MOST: u32 = (1 << NUMBER) - 1;
/// Number of bits of a key that hold the plies left.
const PLIES: u32 = 6;
/// Divisor of the slack of a threshold. A threshold is the second-best number, plus a quarter of it, plus one. 2 and 8
/// are worse.
const SLACK: u32 = 4;
/// Binary logarithms of the initial numbers with equal material, and of their factor for each piece more or less. On
/// 5×5 these need fewer positions than 5 and 1, and than the number of moves.
const INITIAL: (u32, u32) = (6, 2);

/// A df-pn search (A. Nagai, "Df-pn algorithm for searching AND/OR trees", 2002) of Breakthrough on boards up to 6×6.
///
/// Every move brings a piece forward, so no position occurs twice in a game, and the winner does not depend on the path
/// to a position. There are no draws, so one search serves both sides. Positions are stored from the point of view of
/// the side to move: a position, its mirror image, and the same positions with the colours exchanged are one entry. The
/// entry contains the whole code, so that two positions never collide.
///
/// A search with a horizon decides whether a side wins within a number of plies. The plies left are a part of the key.
pub struct BreakthroughSearch {
    stop: Stop,
    limit: u64,
    nodes: u64,
    /// Board size of the table's positions, in squares per side. Codes are unique only within one board size.
    size: usize,
    buckets: Box<[[Entry; WAYS]]>,
    /// Children of all nodes on the path, as a stack.
    children: Vec<Child>,
}

/// A child of a node that is being searched. Refuted children are left out.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    key: u64,
    /// Numbers for the side that moved to the position. A proof shows that this side wins.
    numbers: Numbers,
}

/// An entry of the table. Key 0 marks an empty entry.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    /// Proof number, disproof number and binary logarithm of the work, from the highest bits.
    data: u64,
}

impl Entry {
    fn new(key: u64, numbers: Numbers, work: u64) -> Self {
        let (proof, disproof) = (numbers.proof.min(MOST), numbers.disproof.min(MOST));
        let work = u64::from(work.max(1).ilog2());
        Self { key, data: u64::from(proof) << (64 - NUMBER) | u64::from(disproof) << (64 - 2 * NUMBER) | work }
    }

    fn numbers(self) -> Numbers {
        let (proof, disproof) = ((self.data >> (64 - NUMBER)) as u32, (self.data >> (64 - 2 * NUMBER)) as u32 & MOST);
        match (proof, disproof) {
            (0, _) => settled(true),
            (_, 0) => settled(false),
            _ => Numbers::open(proof, disproof),
        }
    }

    fn work(self) -> u64 {
        self.data & ((1 << (64 - 2 * NUMBER)) - 1)
    }
}

impl BreakthroughSearch {
    /// Maximum number of plies of a horizon.
    pub const LONGEST: u32 = (1 << PLIES) - 1;

    /// Creates a search with a table of at most this many MiB that visits at most `limit` positions.
    pub fn new(stop: Stop, table_mib: usize, limit: u64) -> Self {
        let most = ((table_mib << 20) / size_of::<[Entry; WAYS]>()).max(1).ilog2();
        let needed = limit.max(1).ilog2();
        Self {
            stop,
            limit,
            nodes: 0,
            size: 0,
            buckets: vec![[Entry::default(); WAYS]; 1 << most.min(needed)].into_boxed_slice(),
            children: Vec::new(),
        }
    }

    /// Returns `true` if the search supports the position: the board has at most 6×6 squares and is not won.
    pub fn takes(p: &Position) -> bool {
        p.size() <= LARGEST && p.decided().is_none()
    }

    /// Returns the number of visited positions.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets the maximum number of visited positions, summed over all calls.
    pub fn set_limit(&mut self, nodes: u64) {
        self.limit = nodes;
    }

    /// Returns the winner of a [supported](Self::takes) position. Results stay in the table, so that a later call
    /// continues where an earlier one was stopped.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped or reaches its limit.
    pub fn winner(&mut self, p: &Position) -> Result<Side, Stopped> {
        let mover = p.side_to_move();
        Ok(if self.mover_wins(p, None)? { mover } else { !mover })
    }

    /// Returns `true` if `attacker` can force a win of a [supported](Self::takes) position within this many plies, at
    /// most [`LONGEST`](Self::LONGEST).
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped or reaches its limit.
    pub fn wins_within(&mut self, p: &Position, attacker: Side, plies: u32) -> Result<bool, Stopped> {
        // The attacker makes the last move, so the parity of the plies left gives the attacker.
        let attacks = p.side_to_move() == attacker;
        let plies = plies.min(Self::LONGEST);
        let plies = if attacks == (plies % 2 == 1) { plies } else { plies.saturating_sub(1) };
        Ok(plies > 0 && self.mover_wins(p, Some(plies))? == attacks)
    }

    /// Returns a move of the side to move that wins in the smallest number of plies for which the table has a proof.
    /// If the table has none, searches for the shortest win of at most [`LONGEST`](Self::LONGEST) plies, and then for
    /// any win. Returns `None` if the side to move does not win.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped or reaches its limit.
    pub fn winning_move(&mut self, p: &Position) -> Result<Option<Move>, Stopped> {
        self.fit(p);
        let moves: Vec<(Move, Judged)> = p.movable().into_iter().map(|m| (m, Judged::of(&p.child(m)))).collect();
        let known = |search: &Self, left: Option<u32>| {
            let loses = |child: &Judged| search.numbers(child, earlier(left)).is_some_and(|n| n.disproof == 0);
            moves.iter().find(|(_, child)| loses(child)).map(|&(m, _)| m)
        };
        let lengths = || (1..=Self::LONGEST).step_by(2).map(Some);
        if let Some(m) = lengths().find_map(|left| known(self, left)) {
            return Ok(Some(m));
        }
        if !self.mover_wins(p, None)? {
            return Ok(None);
        }
        for left in lengths().chain([None]) {
            if self.mover_wins(p, left)? {
                if let Some(m) = known(self, left) {
                    return Ok(Some(m));
                }
                // The table has lost the proof.
                for &(m, _) in &moves {
                    if !self.mover_wins(&p.child(m), earlier(left))? {
                        return Ok(Some(m));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Clears the table if the board size has changed.
    fn fit(&mut self, p: &Position) {
        if p.size() != self.size {
            self.size = p.size();
            self.buckets.fill([Entry::default(); WAYS]);
        }
    }

    /// Returns `true` if the side to move wins. `left` is the number of plies within which the attacker must win, or
    /// its opponent counts as the winner; the attacker is to move if it is odd.
    fn mover_wins(&mut self, p: &Position, left: Option<u32>) -> Result<bool, Stopped> {
        self.fit(p);
        self.children.clear();
        let judged = Judged::of(p);
        let known = self.numbers(&judged, left).filter(|numbers| numbers.is_settled());
        let numbers = match known {
            Some(numbers) => numbers,
            None => self.search(p, judged.key(left), left, (INFINITE, INFINITE))?,
        };
        Ok(numbers.proof == 0)
    }

    /// Searches a node until its proof or disproof number reaches its limit. A proof shows that the side to move wins.
    fn search(&mut self, p: &Position, key: u64, left: Option<u32>, limits: (u32, u32)) -> Result<Numbers, Stopped> {
        let before = self.nodes;
        let first = self.children.len();
        self.expand(p, left)?;
        let mut stopped = false;
        let numbers = loop {
            let numbers = self.gather(first);
            if stopped || numbers.is_settled() || numbers.proof >= limits.0 || numbers.disproof >= limits.1 {
                break numbers;
            }
            let (index, (proof, disproof)) = self.select(first, numbers, limits);
            let child = self.children[index];
            match self.search(&child.position, child.key, earlier(left), (disproof, proof)) {
                Ok(numbers) => self.children[index].numbers = turned(numbers),
                Err(Stopped) => stopped = true,
            }
        };
        self.children.truncate(first);
        self.store(Entry::new(key, numbers, self.nodes - before));
        if stopped { Err(Stopped) } else { Ok(numbers) }
    }

    /// Returns the numbers of a node from its children.
    fn gather(&self, first: usize) -> Numbers {
        let numbers = gather_black(self.children[first..].iter().map(|child| &child.numbers), Adding::Sum);
        if numbers.is_settled() { numbers } else { Numbers::open(numbers.proof.min(MOST), numbers.disproof.min(MOST)) }
    }

    /// Returns the index of the child with the smallest proof number, and its limits.
    fn select(&self, first: usize, node: Numbers, limits: (u32, u32)) -> (usize, (u32, u32)) {
        let (mut index, mut best, mut second) = (first, (u32::MAX, u32::MAX), INFINITE);
        for (i, Child { numbers, .. }) in self.children[first..].iter().enumerate() {
            if (numbers.proof, numbers.disproof) < best {
                second = second.min(best.0);
                (index, best) = (first + i, (numbers.proof, numbers.disproof));
            } else {
                second = second.min(numbers.proof);
            }
        }
        // Slightly above the second best, so that the search does not alternate between two children (the "1 + ε trick"
        // of J. Pawlewicz and Ł. Lew, "Improving depth-first PN-search", 2006).
        let proof = limits.0.min(second.saturating_add(second / SLACK).saturating_add(1)).min(INFINITE);
        let disproof = limits.1.saturating_sub(node.disproof).saturating_add(best.1).clamp(best.1 + 1, INFINITE);
        (index, (proof, disproof))
    }

    /// Pushes the children of a node onto the stack, without those that are refuted. If a move is known to win, pushes
    /// only the position after this move. Symmetric positions are pushed once.
    fn expand(&mut self, p: &Position, left: Option<u32>) -> Result<(), Stopped> {
        let first = self.children.len();
        let left = earlier(left);
        let stopped = p.visit_moves(|m| {
            self.nodes += 1;
            if self.stop.check(self.nodes).is_err() {
                return ControlFlow::Break(true);
            }
            let position = p.child(m);
            let judged = Judged::of(&position);
            let key = judged.key(left);
            let numbers = self.numbers(&judged, left).map_or_else(|| judged.view.initial(), turned);
            if numbers.proof == 0 {
                self.children.truncate(first);
                self.children.push(Child { position, key, numbers });
                return ControlFlow::Break(false);
            }
            if numbers.disproof > 0 && self.children[first..].iter().all(|child| child.key != key) {
                self.children.push(Child { position, key, numbers });
            }
            ControlFlow::Continue(())
        });
        if self.nodes > self.limit || stopped == ControlFlow::Break(true) {
            self.children.truncate(first);
            return Err(Stopped);
        }
        Ok(())
    }

    /// Returns the known numbers of a position for the side to move: those of a decided position, of a pattern, or of
    /// the table.
    fn numbers(&self, judged: &Judged, left: Option<u32>) -> Option<Numbers> {
        judged.winner(left).map(settled).or_else(|| {
            let key = judged.key(left);
            let found = self.buckets[self.bucket(key)].iter().find(|entry| entry.key == key)?;
            Some(found.numbers())
        })
    }

    fn bucket(&self, key: u64) -> usize {
        Key::mix(key).0 as usize & (self.buckets.len() - 1)
    }

    /// Stores an entry. In a full bucket, replaces an entry with the least work.
    fn store(&mut self, entry: Entry) {
        let bucket = self.bucket(entry.key);
        let cost = |old: &Entry| if old.key == entry.key || old.key == 0 { 0 } else { 1 + old.work() };
        let bucket = &mut self.buckets[bucket];
        let same = bucket.iter().position(|old| old.key == entry.key);
        let place = same.or_else(|| (0..WAYS).min_by_key(|&i| cost(&bucket[i])));
        if let Some(place) = place {
            bucket[place] = entry;
        }
    }
}

/// Returns the plies left after a move.
fn earlier(left: Option<u32>) -> Option<u32> {
    left.map(|plies| plies.saturating_sub(1))
}

/// Returns the numbers of a decided position.
fn settled(wins: bool) -> Numbers {
    if wins { Numbers::won(0) } else { Numbers::REFUTED }
}

/// Returns the numbers for the other side.
fn turned(numbers: Numbers) -> Numbers {
    Numbers { proof: numbers.disproof, disproof: numbers.proof, ..numbers }
}

/// A position with its code and the winner of a finished game.
struct Judged {
    view: View,
    code: u64,
    /// `true` if the side to move has won, `false` if it has lost; `None` if the position is undecided.
    won: Option<bool>,
}

impl Judged {
    fn of(p: &Position) -> Self {
        let view = View::of(p);
        let won = p.has_won(!p.side_to_move()).then_some(false);
        let won = won.or_else(|| p.has_won(p.side_to_move()).then_some(true));
        Self { view, code: view.code(), won }
    }

    /// Returns the key of the position with these plies left. The code of 6×6 has 58 bits.
    fn key(&self, left: Option<u32>) -> u64 {
        self.code << PLIES | u64::from(left.unwrap_or(0))
    }

    /// Returns `true` if the side to move is known to win without a search, `false` if it is known to lose. With no
    /// plies left, the attacker has moved last and has not won.
    fn winner(&self, left: Option<u32>) -> Option<bool> {
        let exhausted = (left == Some(0)).then_some(true);
        self.won.or(exhausted).or_else(|| self.view.winner(left))
    }
}

/// The pieces of an undecided position from the point of view of the side to move, which moves up the board.
#[derive(Clone, Copy)]
struct View {
    own: u64,
    enemy: u64,
    size: usize,
}

impl View {
    fn of(p: &Position) -> Self {
        let (mover, size) = (p.side_to_move(), p.size());
        let up = |side| match mover {
            Side::First => p.pieces(side).0,
            Side::Second => p.pieces(side).0.swap_bytes() >> (8 * (8 - size)),
        };
        Self { own: up(mover), enemy: up(!mover), size }
    }

    /// Returns the code that the position shares with its mirror image and with no other position of this board size.
    fn code(&self) -> u64 {
        let off = 8 - self.size;
        let image = (mirrored(self.own) >> off, mirrored(self.enemy) >> off);
        let (own, enemy) = (self.own, self.enemy).min(image);
        plain(own, enemy, self.size)
    }

    fn rank(rank: usize) -> u64 {
        0xff << (8 * rank)
    }

    /// Returns `true` if the side to move is known to win without a search, `false` if it is known to lose, with these
    /// plies left.
    fn winner(&self, left: Option<u32>) -> Option<bool> {
        let pattern = self.pattern();
        let Some(left) = left else { return pattern.map(|(wins, _)| wins) };
        let attacks = left % 2 == 1;
        match pattern {
            Some((wins, plies)) if wins != attacks || plies <= left => Some(wins),
            _ => self.is_too_late(attacks, left).then_some(!attacks),
        }
    }

    /// Returns `true` if the attacker cannot win with the plies left: every move is at most one step towards the far
    /// rank, or captures one piece.
    fn is_too_late(&self, attacks: bool, left: u32) -> bool {
        let foremost = |pieces: u64| pieces.checked_ilog2().unwrap_or(0) / 8;
        let (ranks, enemies) = if attacks {
            (self.size as u32 - 1 - foremost(self.own), self.enemy.count_ones())
        } else {
            (self.enemy.trailing_zeros() / 8, self.own.count_ones())
        };
        ranks.min(enemies) > left.div_ceil(2)
    }

    /// Detects wins and losses within three plies. Returns `true` with the number of plies if the side to move wins,
    /// `false` if it loses.
    ///
    /// A piece on the rank before the far rank wins with its next move, because a square diagonally ahead is always on
    /// the board and never holds a piece of its own side. So a side loses if it cannot capture such a piece of the
    /// enemy, and it wins if it can bring a piece to this rank that the enemy cannot capture.
    fn pattern(&self) -> Option<(bool, u32)> {
        let (own, enemy, size) = (self.own, self.enemy, self.size);
        if own & Self::rank(size - 2) != 0 {
            return Some((true, 1));
        }
        let threats = enemy & Self::rank(1);
        if threats != 0 {
            let capturable = threats & diagonally_up(own);
            let wins_by_last_capture = capturable == enemy && enemy.is_power_of_two();
            return match threats.count_ones() {
                1 if wins_by_last_capture => Some((true, 1)),
                1 if capturable != 0 => None,
                _ => Some((false, 2)),
            };
        }
        let runners = own & Self::rank(size - 3);
        let steps = diagonally_up(runners) | (runners << 8 & !enemy);
        let safe = steps & Bitboard::board(size).0 & !diagonally_down(enemy);
        (safe != 0).then_some((true, 3))
    }

    /// Returns the initial numbers of the position for the side that has just moved, from the difference in material.
    fn initial(&self) -> Numbers {
        let (own, enemy) = (self.own.count_ones(), self.enemy.count_ones());
        let (base, step) = INITIAL;
        let more = |surplus: u32| 1 << (base + step * surplus).min(NUMBER - 1);
        let fewer = |surplus: u32| 1 << base.saturating_sub(step * surplus);
        if own > enemy {
            Numbers::open(more(own - enemy), fewer(own - enemy))
        } else {
            Numbers::open(fewer(enemy - own), more(enemy - own))
        }
    }
}

/// Returns the squares diagonally ahead of pieces that move up. Some of them may be outside the board.
fn diagonally_up(pieces: u64) -> u64 {
    (pieces & !Bitboard::FILE_A.0) << 7 | (pieces & !Bitboard::FILE_H.0) << 9
}

/// Returns the squares diagonally ahead of pieces that move down. Some of them may be outside the board.
fn diagonally_down(pieces: u64) -> u64 {
    (pieces & !Bitboard::FILE_A.0) >> 9 | (pieces & !Bitboard::FILE_H.0) >> 7
}
