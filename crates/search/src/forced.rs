use core::ops::ControlFlow;

use game::{Key, Outcome, PliesLeft, Position};

use crate::control::{Stop, Stopped};
use crate::key::search_key;
use crate::memory;
use crate::params::{FORCED_FIRST_ENTRIES, FORCED_GROWTH, LONGEST_FORCED_WIN, USUAL_MOVES};
use crate::policy::Policy;

/// An exact, full-width search for wins that can be forced within a number of plies. It stores its results in a table.
///
/// For increasing n, the search decides whether the side to move can win within n plies against every defence. It is
/// exact: only [`Policy::may_win_within`] and [`Policy::visit_attempts`] prune, and they must be sound. A win within n
/// plies does not depend on the path to the position, so all results can be stored. Near the move limit, the plies left
/// are part of the key.
pub struct ForcedWins<'a, P: Position, L> {
    policy: &'a L,
    stop: Stop,
    /// Table of results. It grows as it fills, so that short searches touch little memory.
    table: Vec<Known>,
    most_entries: usize,
    filled: usize,
    /// Code of the last move that refuted an attack, indexed by the number of plies that the attack had left.
    killers: [u16; LONGEST_FORCED_WIN as usize + 1],
    /// History counters by move code, for ordering. A move that decides a search of n plies adds n to its counter.
    history: Box<[u32]>,
    nodes: u64,
    most_nodes: u64,
    /// Number of calls of [`visit`](Self::visit), which determines how often the stop is checked.
    visits: u64,
    game: core::marker::PhantomData<fn() -> P>,
}

/// The stored results for the side to move in a position, in plies. Zero means unknown.
#[derive(Clone, Copy, Default)]
struct Known {
    key: u64,
    /// Number of plies within which it wins; 0 if no win is known.
    wins_in: u8,
    /// Number of plies within which it does not win.
    no_win_in: u8,
    /// Number of plies within which it loses; 0 if no loss is known.
    loses_in: u8,
    /// Number of plies within which it does not lose.
    no_loss_in: u8,
    /// Code of the move to try first.
    code: u16,
}

/// A move with its code and its rank. A larger rank is better.
type Ranked<M> = (M, u16, i64);

/// The immediate result of a move of the attacker or the defender.
enum Reply<P> {
    /// A win of the side that moved.
    Won,
    /// A loss of the side that moved, or a draw.
    Failed,
    /// An undecided position.
    Open(P),
}

impl<'a, P: Position, L: Policy<P>> ForcedWins<'a, P, L> {
    /// Creates a search with a table of at most this many MiB.
    pub fn new(policy: &'a L, stop: Stop, table_mib: usize) -> Self {
        let entries = ((table_mib << 20) / size_of::<Known>()).max(1);
        Self {
            policy,
            stop,
            table: vec![Known::default(); FORCED_FIRST_ENTRIES.min(1 << entries.ilog2())],
            most_entries: 1 << entries.ilog2(),
            filled: 0,
            killers: [0; LONGEST_FORCED_WIN as usize + 1],
            history: vec![0; 1 << 16].into_boxed_slice(),
            nodes: 0,
            most_nodes: u64::MAX,
            visits: 0,
            game: core::marker::PhantomData,
        }
    }

    /// Replaces the stop signal.
    pub fn set_stop(&mut self, stop: Stop) {
        self.stop = stop;
    }

    /// Sets the remaining node budget. When it is exhausted, calls fail with [`Stopped`].
    pub fn allow(&mut self, nodes: u64) {
        self.most_nodes = self.nodes.saturating_add(nodes);
    }

    /// Returns the number of visited positions.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns `true` if the side to move can force a win within `plies` plies. `left` is the number of plies before
    /// the move limit. The position counts as undecided.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub fn wins(&mut self, p: &P, plies: u32, left: PliesLeft) -> Result<bool, Stopped> {
        for n in win_lengths::<P>(plies) {
            if self.attack(p, n, left)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns `true` if the opponent can force a win after the move `m`, within `plies` plies including `m`.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub fn loses_after(&mut self, p: &P, m: P::Move, plies: u32, left: PliesLeft) -> Result<bool, Stopped> {
        self.nodes += 1;
        match Self::reply(p, m, left) {
            Reply::Won => Ok(false),
            Reply::Failed => Ok(p.child(m).outcome() == Some(Outcome::Win(!p.side_to_move()))),
            Reply::Open(child) => self.wins(&child, plies.saturating_sub(1), left.next()),
        }
    }

    /// Returns the number of plies, including the move `m`, within which the side to move wins after it; `None` if that
    /// takes more than `plies`. If the search is stopped after it has found a win, the number may be one too large.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub fn wins_after(&mut self, p: &P, m: P::Move, plies: u32, left: PliesLeft) -> Result<Option<u32>, Stopped> {
        self.nodes += 1;
        let child = match Self::reply(p, m, left) {
            Reply::Won => return Ok(Some(1)),
            Reply::Failed => return Ok(None),
            Reply::Open(child) => child,
        };
        let left = left.next();
        for n in win_lengths::<P>(plies).filter(|&n| n > 1) {
            if self.defence_fails(&child, n - 1, left)? {
                // If this check is stopped, the longer length is still a win.
                let shorter = P::MAY_LOSE_BY_MOVING && n > 2 && self.defence_fails(&child, n - 2, left) == Ok(true);
                return Ok(Some(n - u32::from(shorter)));
            }
        }
        Ok(None)
    }

    /// Returns best play from a position that is won within `plies` plies: the shortest win against the longest
    /// defence.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub fn principal_variation(&mut self, p: &P, plies: u32, left: PliesLeft) -> Result<Vec<P::Move>, Stopped> {
        let (mut p, mut left) = (p.clone(), left);
        let mut pv = Vec::new();
        while let Some((m, _)) = self.shortest_win(&p, plies, left)? {
            pv.push(m);
            let Reply::Open(next) = Self::reply(&p, m, left) else { break };
            left = left.next();
            let Some(reply) = self.longest_defence(&next, plies, left)? else { break };
            pv.push(reply);
            p = next.child(reply);
            left = left.next();
            if p.decided().is_some() {
                break;
            }
        }
        Ok(pv)
    }

    /// Returns a move that wins within `plies` plies, and the number of plies. The win is the shortest one, unless the
    /// search is stopped after it has found a win.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped before it has found a win.
    pub fn shortest_win(&mut self, p: &P, plies: u32, left: PliesLeft) -> Result<Option<(P::Move, u32)>, Stopped> {
        for n in win_lengths::<P>(plies) {
            if let Some(win) = self.win_of_length(p, n, left)? {
                return Ok(Some(win));
            }
        }
        Ok(None)
    }

    /// Like [`shortest_win`](Self::shortest_win), for a position without a win within `plies - 2` plies.
    pub(crate) fn win_of_length(
        &mut self,
        p: &P,
        plies: u32,
        left: PliesLeft,
    ) -> Result<Option<(P::Move, u32)>, Stopped> {
        let Some(m) = self.winning_move(p, plies, left)? else { return Ok(None) };
        // `win_lengths` skips the even length before this one.
        let shorter = if P::MAY_LOSE_BY_MOVING && plies > 2 { self.winning_move(p, plies - 1, left) } else { Ok(None) };
        Ok(Some(if let Ok(Some(m)) = shorter { (m, plies - 1) } else { (m, plies) }))
    }

    /// Returns a move that wins within `plies` plies. `plies` is at least 1.
    fn winning_move(&mut self, p: &P, plies: u32, left: PliesLeft) -> Result<Option<P::Move>, Stopped> {
        if !self.attack(p, plies, left)? {
            return Ok(None);
        }
        // The search has just stored the move, unless the win is immediate.
        let immediate = p.movable().into_iter().find(|&m| matches!(Self::reply(p, m, left), Reply::Won));
        Ok(immediate.or_else(|| p.unpack(self.known(search_key(p, left)).code)))
    }

    /// Returns the principal variation of a win within `plies` plies; the move alone if the search is stopped.
    pub(crate) fn winning_line(&mut self, p: &P, m: P::Move, plies: u32, left: PliesLeft) -> Vec<P::Move> {
        let line = self.principal_variation(p, plies, left).unwrap_or_default();
        if line.is_empty() { vec![m] } else { line }
    }

    fn longest_defence(&mut self, p: &P, plies: u32, left: PliesLeft) -> Result<Option<P::Move>, Stopped> {
        let mut best: Option<(u32, P::Move)> = None;
        for m in p.movable() {
            let child = p.child(m);
            let n = match child.decided() {
                Some(_) => 0,
                None => self.shortest_win(&child, plies, left.next())?.map_or(plies, |(_, n)| n),
            };
            if best.is_none_or(|(longest, _)| n > longest) {
                best = Some((n, m));
            }
        }
        Ok(best.map(|(_, m)| m))
    }

    /// Returns the result of a move, adjudicated like [`PliesLeft::finish`].
    fn reply(p: &P, m: P::Move, left: PliesLeft) -> Reply<P> {
        let child = p.child(m);
        match left.next().finish(&child) {
            None => Reply::Open(child),
            Some(finish) if finish.outcome == Outcome::Win(p.side_to_move()) => Reply::Won,
            Some(_) => Reply::Failed,
        }
    }

    /// Counts a node.
    fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        self.visits += 1;
        if self.nodes > self.most_nodes {
            return Err(Stopped);
        }
        self.stop.check(self.visits)
    }

    /// Returns `true` if the side to move wins within `plies` plies.
    fn attack(&mut self, p: &P, plies: u32, left: PliesLeft) -> Result<bool, Stopped> {
        self.visit()?;
        let plies = left.at_most(plies);
        if plies == 0 {
            return Ok(false);
        }
        if !self.policy.may_win_within(p, plies) {
            return Ok(false);
        }
        if plies == 1 {
            return Ok(self.wins_at_once(p, left));
        }
        let key = search_key(p, left);
        let known = self.known(key);
        if known.wins_in != 0 && u32::from(known.wins_in) <= plies {
            return Ok(true);
        }
        if u32::from(known.no_win_in) >= plies {
            return Ok(false);
        }
        if known.no_win_in == 0 && self.policy.may_win_within(p, 1) && self.wins_at_once(p, left) {
            self.remember(key, |k| k.wins_in = 1);
            return Ok(true);
        }
        let mut order = Order::new([known.code, 0]);
        while let Some((m, code)) = order.next(p, |hints| self.attempts(p, plies, hints)) {
            // Moves that end the game immediately were checked before.
            if let Reply::Open(child) = Self::reply(p, m, left)
                && self.defence_fails(&child, plies - 1, left.next())?
            {
                self.history[usize::from(code)] += plies;
                self.remember(key, |k| (k.wins_in, k.code) = (plies as u8, code));
                return Ok(true);
            }
        }
        self.remember(key, |k| k.no_win_in = k.no_win_in.max(plies as u8));
        Ok(false)
    }

    fn wins_at_once(&mut self, p: &P, left: PliesLeft) -> bool {
        let mut tried = 0;
        let found = p.visit_moves(|m| {
            tried += 1;
            if matches!(Self::reply(p, m, left), Reply::Won) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        self.nodes += tried;
        found.is_break()
    }

    /// Returns `true` if the side to move loses within `plies` plies, whatever it plays. `plies` is at least 1.
    fn defence_fails(&mut self, p: &P, plies: u32, left: PliesLeft) -> Result<bool, Stopped> {
        self.visit()?;
        let key = search_key(p, left);
        let known = self.known(key);
        if known.loses_in != 0 && u32::from(known.loses_in) <= plies {
            return Ok(true);
        }
        if u32::from(known.no_loss_in) >= plies {
            return Ok(false);
        }
        let mut order = Order::new([known.code, self.killers[plies as usize]]);
        while let Some((m, code)) = order.next(p, |hints| self.replies(p, hints)) {
            let holds = match Self::reply(p, m, left) {
                Reply::Won => true,
                Reply::Failed => p.child(m).outcome() != Some(Outcome::Win(!p.side_to_move())),
                Reply::Open(_) if plies == 1 => true,
                Reply::Open(child) => !self.attack(&child, plies - 1, left.next())?,
            };
            if holds {
                self.killers[plies as usize] = code;
                self.history[usize::from(code)] += plies;
                self.remember(key, |k| (k.no_loss_in, k.code) = (k.no_loss_in.max(plies as u8), code));
                return Ok(false);
            }
        }
        self.remember(key, |k| k.loses_in = plies as u8);
        Ok(true)
    }

    /// Returns the moves that may begin a win, except the hints.
    fn attempts(&self, p: &P, plies: u32, hints: [u16; 2]) -> Vec<Ranked<P::Move>> {
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        self.policy.visit_attempts(p, plies, |m| moves.extend(self.ranked(p, m, hints)));
        moves
    }

    /// Returns all moves except the hints.
    fn replies(&self, p: &P, hints: [u16; 2]) -> Vec<Ranked<P::Move>> {
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        let _ = p.visit_moves(|m| {
            moves.extend(self.ranked(p, m, hints));
            ControlFlow::<()>::Continue(())
        });
        moves
    }

    /// Returns a move with its rank, by history and then by the policy's estimate; `None` if it is one of the hints.
    fn ranked(&self, p: &P, m: P::Move, hints: [u16; 2]) -> Option<Ranked<P::Move>> {
        let code = P::pack(m);
        let rank = || (i64::from(self.history[usize::from(code)]) << 16) + i64::from(self.policy.promise(p, m));
        (!hints.contains(&code)).then(|| (m, code, rank()))
    }

    fn known(&self, key: Key) -> Known {
        let known = self.table[key.0 as usize & (self.table.len() - 1)];
        if known.key == key.0 { known } else { Known::default() }
    }

    /// Enlarges the table and keeps its entries. If the allocation fails, the table stays as it is.
    fn grow(&mut self) {
        let larger = memory::table((FORCED_GROWTH * self.table.len()).min(self.most_entries), Known::default);
        let entries = larger.len();
        if entries <= self.table.len() {
            self.most_entries = self.table.len();
            return;
        }
        let old = core::mem::replace(&mut self.table, larger);
        for known in old.into_iter().filter(|known| known.key != 0) {
            self.table[known.key as usize & (entries - 1)] = known;
        }
    }

    fn remember(&mut self, key: Key, change: impl FnOnce(&mut Known)) {
        if self.filled * 2 > self.table.len() && self.table.len() < self.most_entries {
            self.grow();
        }
        let index = key.0 as usize & (self.table.len() - 1);
        let slot = &mut self.table[index];
        if slot.key != key.0 {
            self.filled += usize::from(slot.key == 0);
            *slot = Known { key: key.0, ..Known::default() };
        }
        change(slot);
    }
}

/// The moves of a position in the order of the search: two hints, then the others by rank. Each move is selected
/// lazily, because one of the first moves decides most positions.
struct Order<M> {
    /// Codes of the moves to try first, 0 for none.
    hints: [u16; 2],
    hints_tried: usize,
    /// Other moves with their codes and ranks, the tried ones first; `None` until the hints have been tried.
    moves: Option<Vec<Ranked<M>>>,
    moves_tried: usize,
}

impl<M: Copy> Order<M> {
    fn new([first, second]: [u16; 2]) -> Self {
        let second = if second == first { 0 } else { second };
        Self { hints: [first, second], hints_tried: 0, moves: None, moves_tried: 0 }
    }

    /// Returns the next move and its code. `rank` generates the moves other than the hints.
    fn next<P: Position<Move = M>>(
        &mut self,
        p: &P,
        rank: impl FnOnce([u16; 2]) -> Vec<Ranked<M>>,
    ) -> Option<(M, u16)> {
        while let Some(&code) = self.hints.get(self.hints_tried) {
            self.hints_tried += 1;
            if let Some(m) = p.unpack(code) {
                return Some((m, code));
            }
        }
        let moves = self.moves.get_or_insert_with(|| rank(self.hints));
        let left = &mut moves[self.moves_tried..];
        let mut best = 0;
        for i in 1..left.len() {
            if left[i].2 > left[best].2 {
                best = i;
            }
        }
        // Rotation keeps the order of the other moves.
        left.get_mut(..=best)?.rotate_right(1);
        self.moves_tried += 1;
        Some((left[0].0, left[0].1))
    }
}

/// Returns the win lengths to search for, so that all wins of up to `most` plies are found. The lengths are odd,
/// because a side wins with its own move. In games in which a move can win for the opponent, a win may also have an
/// even length. Such wins are rare, and the search one ply longer finds them. In these games, `most` is always the last
/// length, even if it is even.
pub(crate) fn win_lengths<P: Position>(most: u32) -> impl Iterator<Item = u32> {
    let most = most.min(LONGEST_FORCED_WIN);
    (1..=most).filter(move |&n| n % 2 == 1 || P::MAY_LOSE_BY_MOVING && n == most)
}
