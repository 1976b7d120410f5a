//! Exact search of Jump61 on boards up to 4×4.
//!
//! Every move adds a spot, so no position occurs twice in a game, and no result depends on the path to a position.
//! Therefore a plain depth-first search that stores every result is exact. Its speed depends on the move ordering.

use core::cmp::Reverse;
use core::ops::ControlFlow;

use game::{Outcome, Position as _, Side};
use jump61::player::Jump61Policy;
use jump61::{Move, Position};
use search::{Policy as _, Stop, Stopped};

/// Number of entries per bucket. Derived: a cache line of 64 bytes.
const WAYS: usize = 8;
/// Bits of an entry that no code uses. One gives the winner; the others hold the class of the work, which is at least
/// 1, so that no entry is zero.
const MOVER_WINS: u64 = 1 << 61;
const CLASS: [u64; 3] = [1 << 1, 1 << 13, 1 << 49];
const CODE: u64 = !(MOVER_WINS | CLASS[0] | CLASS[1] | CLASS[2]);

/// Cost of each move of the opponent in the move ordering, in hundredths of a piece. Tuned on three 4×4 positions with
/// the values 10, 30 and 100.
const MOVE: i32 = 30;

/// An exact solver of Jump61 on boards up to 4×4. Symmetric positions count as one, and an entry of the table contains
/// the whole code, so that two positions never collide.
pub struct ExactSearch {
    stop: Stop,
    limit: u64,
    nodes: u64,
    /// Board size of the table's positions, in squares per side. Codes are unique only within one board size.
    size: usize,
    /// Attacker, and the total number of spots at which it must have won.
    horizon: Option<(Side, u32)>,
    buckets: Box<[[u64; WAYS]]>,
}

/// A position after a move that neither ends the game nor lets the opponent win immediately.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    code: u64,
    promise: i32,
    m: Move,
}

/// A stored result.
#[derive(Clone, Copy)]
struct Known {
    mover_wins: bool,
    /// Class of the work: a logarithm of the number of visited positions.
    class: u32,
}

impl ExactSearch {
    /// Creates a search with a table of at most this many MiB that visits at most `limit` positions.
    pub fn new(stop: Stop, table_mib: usize, limit: u64) -> Self {
        let most = ((table_mib << 20) / size_of::<[u64; WAYS]>()).max(1).ilog2();
        let needed = limit.max(1).ilog2();
        Self {
            stop,
            limit,
            nodes: 0,
            size: 0,
            horizon: None,
            buckets: vec![[0; WAYS]; 1 << most.min(needed)].into_boxed_slice(),
        }
    }

    /// Returns `true` if the search supports the position: the board has at most 4×4 squares and is not won.
    pub fn takes(p: &Position) -> bool {
        p.decided().is_none() && p.folded_code().is_some()
    }

    /// Returns the number of visited positions.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets the maximum number of visited positions, summed over all calls.
    pub fn set_limit(&mut self, nodes: u64) {
        self.limit = nodes;
    }

    /// Sets a horizon: `attacker` must win within this many plies from this position, or its opponent counts as the
    /// winner. Clears the table.
    pub fn set_horizon(&mut self, p: &Position, attacker: Side, plies: u32) {
        // The attacker makes the last move.
        let is_last = (p.side_to_move() == attacker) == (plies % 2 == 1);
        let spots = p.total_spots() + if is_last { plies } else { plies.saturating_sub(1) };
        self.horizon = Some((attacker, spots));
        self.size = 0;
    }

    /// Clears the table if the board size has changed.
    fn fit(&mut self, p: &Position) {
        if p.size() != self.size {
            self.size = p.size();
            self.buckets.fill([0; WAYS]);
        }
    }

    /// Returns the winner. Results stay in the table, so that a later call continues where an earlier one was stopped.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped or reaches its limit.
    ///
    /// # Panics
    /// Panics if the position is not [supported](Self::takes).
    pub fn winner(&mut self, p: &Position) -> Result<Side, Stopped> {
        self.fit(p);
        let mover_wins = wins_at_once(p).is_some() || self.mover_wins(p, code(p))?;
        Ok(if mover_wins { p.side_to_move() } else { !p.side_to_move() })
    }

    /// Returns the winning moves that are in the table, those that were proven with the least work first. If there are
    /// none, searches until it finds a winning move and returns it. If a move wins immediately, returns only this move.
    /// If the side to move does not win, returns no moves.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped or reaches its limit.
    pub fn winning_moves(&mut self, p: &Position) -> Result<Vec<Move>, Stopped> {
        self.fit(p);
        if let Some(m) = wins_at_once(p) {
            return Ok(vec![m]);
        }
        let class = |m: &Move| {
            let child = p.child(*m);
            let known = if wins_at_once(&child).is_some() { None } else { self.known(code(&child)) };
            known.filter(|known| !known.mover_wins).map(|known| known.class)
        };
        let mut moves: Vec<(u32, Move)> = p.movable().into_iter().filter_map(|m| Some((class(&m)?, m))).collect();
        moves.sort_by_key(|&(class, _)| class);
        if moves.is_empty() {
            for child in self.children(p)? {
                if self.winner(&child.position)? == p.side_to_move() {
                    return Ok(vec![child.m]);
                }
            }
        }
        Ok(moves.into_iter().map(|(_, m)| m).collect())
    }

    /// Returns `true` if the side to move wins. The position must have no immediate win.
    fn mover_wins(&mut self, p: &Position, code: u64) -> Result<bool, Stopped> {
        if self.horizon.is_some_and(|(attacker, spots)| attacker != p.side_to_move() && p.total_spots() >= spots) {
            return Ok(true);
        }
        let before = self.nodes;
        let mut wins = false;
        for child in self.children(p)? {
            let child_wins = match self.known(child.code) {
                Some(known) => known.mover_wins,
                None => self.mover_wins(&child.position, child.code)?,
            };
            if !child_wins {
                wins = true;
                break;
            }
        }
        self.store(code, wins, self.nodes - before);
        Ok(wins)
    }

    /// Returns the positions after the moves that may win, most promising first. If a move is known to win, returns
    /// only the position after this move. Symmetric positions are returned once.
    fn children(&mut self, p: &Position) -> Result<Vec<Child>, Stopped> {
        let mut children: Vec<Child> = Vec::with_capacity(16);
        let known = p.visit_moves(|m| {
            self.nodes += 1;
            if let Err(stopped) = self.stop.check(self.nodes) {
                return ControlFlow::Break(Err(stopped));
            }
            let position = p.child(m);
            let code = code(&position);
            if children.iter().any(|child| child.code == code) {
                return ControlFlow::Continue(());
            }
            let promise = promise(&position);
            match self.known(code) {
                Some(Known { mover_wins: false, .. }) => {
                    return ControlFlow::Break(Ok(Child { position, code, promise, m }));
                }
                Some(_) => return ControlFlow::Continue(()),
                None => (),
            }
            if wins_at_once(&position).is_none() {
                children.push(Child { position, code, promise, m });
            }
            ControlFlow::Continue(())
        });
        if self.nodes > self.limit {
            return Err(Stopped);
        }
        match known {
            ControlFlow::Break(child) => Ok(vec![child?]),
            ControlFlow::Continue(()) => {
                children.sort_by_key(|child| (Reverse(child.promise), child.m.0));
                Ok(children)
            }
        }
    }

    fn bucket(&self, code: u64) -> usize {
        game::Key::mix(code).0 as usize & (self.buckets.len() - 1)
    }

    fn known(&self, code: u64) -> Option<Known> {
        let found = self.buckets[self.bucket(code)].iter().find(|&&entry| entry & CODE == code && entry != 0)?;
        Some(Known { mover_wins: found & MOVER_WINS != 0, class: class(*found) })
    }

    /// Stores a result. In a full bucket, replaces a result with the least work.
    fn store(&mut self, code: u64, mover_wins: bool, work: u64) {
        let bits = (1 + work.max(1).ilog2() / 3).min(7);
        let marks = (0..).zip(CLASS).filter(|(i, _)| bits >> i & 1 == 1).map(|(_, bit)| bit).sum::<u64>();
        let entry = code | marks | if mover_wins { MOVER_WINS } else { 0 };
        let bucket = self.bucket(code);
        let bucket = &mut self.buckets[bucket];
        let cost = |old: u64| if old != 0 && old & CODE == code { 0 } else { class(old) };
        if let Some(place) = bucket.iter_mut().min_by_key(|old| cost(**old)) {
            *place = entry;
        }
    }
}

/// Returns the class of an entry's work; 0 for an empty entry.
fn class(entry: u64) -> u32 {
    (0..).zip(CLASS).map(|(i, bit)| u32::from(entry & bit != 0) << i).sum()
}

fn code(p: &Position) -> u64 {
    p.folded_code().expect("invariant: the board is small and not won")
}

/// Returns a move that wins immediately, if there is one.
fn wins_at_once(p: &Position) -> Option<Move> {
    if !Jump61Policy::terms().may_win_within(p, 1) {
        return None;
    }
    let won = Some(Outcome::Win(p.side_to_move()));
    let found =
        p.visit_moves(|m| if p.child(m).decided() == won { ControlFlow::Break(m) } else { ControlFlow::Continue(()) });
    found.break_value()
}

/// Returns an estimate for the side that has just moved: the evaluation for play, less a cost for each move of the
/// opponent.
fn promise(p: &Position) -> i32 {
    let open = p.board().count() - p.pieces(!p.side_to_move()).count();
    -Jump61Policy::terms().evaluate(p) - MOVE * open as i32
}
