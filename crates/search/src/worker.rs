use core::cmp::Reverse;

use game::{Key, Outcome, Position};

use crate::forced::search_key;
use crate::table::Entry;
use crate::{Bound, Policy, Score, Stop, Stopped, Table};

/// How many plies a search looks ahead at the most.
pub(crate) const MAX_DEPTH: u32 = 100;

/// One thread's principal variation search over a table that threads may share.
pub(crate) struct Worker<'a, P: Position, L> {
    policy: &'a L,
    table: &'a Table,
    stop: Stop,
    node_limit: u64,
    pub(crate) nodes: u64,
    /// Moves left to the move limit at the root.
    left: Option<u32>,
    /// Added to evaluations, hashed from the position: makes seeds differ. In hundredths of a piece.
    noise: i32,
    seed: u64,
    killers: Vec<[u16; 2]>,
    history: Vec<i32>,
    /// Best line found from each ply of the current path.
    lines: Vec<Vec<P::Move>>,
}

/// A root move with its last value and line.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) m: M,
    /// Whether it leads back to a position of the game, which counts as a draw.
    pub(crate) repeats: bool,
    pub(crate) score: Score,
    pub(crate) line: Vec<M>,
}

/// What a worker needs to be told.
pub(crate) struct Task<'a, L> {
    pub(crate) policy: &'a L,
    pub(crate) table: &'a Table,
    pub(crate) stop: Stop,
    pub(crate) node_limit: u64,
    pub(crate) left: Option<u32>,
    pub(crate) noise: i32,
    pub(crate) seed: u64,
}

impl<'a, P: Position, L: Policy<P>> Worker<'a, P, L> {
    pub(crate) fn new(task: Task<'a, L>) -> Self {
        Self {
            policy: task.policy,
            table: task.table,
            stop: task.stop,
            node_limit: task.node_limit,
            nodes: 0,
            left: task.left,
            noise: task.noise,
            seed: task.seed,
            killers: vec![[0; 2]; MAX_DEPTH as usize + 2],
            history: vec![0; L::SLOTS],
            lines: vec![Vec::new(); MAX_DEPTH as usize + 2],
        }
    }

    /// One iteration over the root moves, the best of the last one first. On return the moves are sorted, best first; the
    /// scores of the others are bounds.
    ///
    /// # Errors
    /// If it was stopped; the moves are then as before.
    pub(crate) fn iterate(&mut self, root: &P, moves: &mut [RootMove<P::Move>], depth: u32) -> Result<(), Stopped> {
        let mut alpha = -Score::INFINITE;
        let mut found = moves.to_vec();
        for (index, root_move) in found.iter_mut().enumerate() {
            let score = if root_move.repeats {
                self.lines[1].clear();
                Score::DRAW
            } else {
                self.step(&root.child(root_move.m), depth, alpha, Score::INFINITE, 1, index == 0)?
            };
            root_move.score = if index == 0 || score > alpha { score } else { -Score::INFINITE };
            if root_move.score > -Score::INFINITE {
                root_move.line.clear();
                root_move.line.push(root_move.m);
                root_move.line.extend_from_slice(&self.lines[1]);
            }
            alpha = alpha.max(score);
        }
        // Stable: moves that were not better keep the order of the last iteration.
        found.sort_by_key(|root_move| Reverse(root_move.score));
        moves.clone_from_slice(&found);
        Ok(())
    }

    /// Principal variation search of a child: the first with the full window, the others first with a null one.
    fn step(
        &mut self,
        child: &P,
        depth: u32,
        alpha: Score,
        beta: Score,
        ply: u32,
        first: bool,
    ) -> Result<Score, Stopped> {
        if !first {
            let score = -self.value(child, depth - 1, -alpha.next(), -alpha, ply)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        Ok(-self.value(child, depth - 1, -beta, -alpha, ply)?)
    }

    fn value(&mut self, p: &P, depth: u32, alpha: Score, beta: Score, ply: u32) -> Result<Score, Stopped> {
        self.nodes += 1;
        self.stop.check(self.nodes)?;
        if self.nodes > self.node_limit {
            return Err(Stopped);
        }
        self.lines[ply as usize].clear();
        let us = p.side_to_move();
        if let Some(outcome) = p.decided() {
            return Ok(Score::of_outcome(outcome, us, ply));
        }
        let left = self.left.map(|n| n - ply);
        if left == Some(0) {
            return Ok(Score::of_outcome(Outcome::Draw, us, ply));
        }
        if depth == 0 || ply >= MAX_DEPTH {
            let stuck = || Score::of_outcome(P::STUCK.outcome(us), us, ply);
            return Ok(if p.is_stuck() { stuck() } else { self.evaluate(p) });
        }
        let key = search_key(p, left);
        let known = self.table.get(key);
        if let Some(score) = known.and_then(|entry| cutoff(entry, depth, alpha, beta, ply)) {
            return Ok(score);
        }
        self.expand(p, depth, (alpha, beta), ply, key, known.map_or(0, |entry| entry.code))
    }

    /// Searches the children of a position that the table does not settle.
    fn expand(
        &mut self,
        p: &P,
        depth: u32,
        (mut alpha, beta): (Score, Score),
        ply: u32,
        key: Key,
        table_code: u16,
    ) -> Result<Score, Stopped> {
        let us = p.side_to_move();
        let floor = alpha;
        let moves = self.ordered(p, table_code, ply);
        if moves.is_empty() {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        let (mut best, mut best_code) = (-Score::INFINITE, 0);
        for (index, &(m, code)) in moves.iter().enumerate() {
            let score = self.step(&p.child(m), depth, alpha, beta, ply + 1, index == 0)?;
            if score > best {
                (best, best_code) = (score, code);
            }
            if score > alpha {
                alpha = score;
                let (line, below) = self.lines.split_at_mut(ply as usize + 1);
                line[ply as usize].clear();
                line[ply as usize].push(m);
                line[ply as usize].extend_from_slice(&below[0]);
            }
            if score >= beta {
                self.reward(p, m, code, depth, ply);
                break;
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.put(key, Entry { code: best_code, score: best.to_table(ply), bound, depth: depth as u8 });
        Ok(best)
    }

    fn evaluate(&self, p: &P) -> Score {
        let mut units = self.policy.evaluate(p);
        if self.noise > 0 {
            // From the side to move's view; the same for a position wherever it occurs.
            let hash = Key::mix(p.key().0 ^ self.seed).0;
            units += (hash % (2 * self.noise as u64 + 1)) as i32 - self.noise;
        }
        Score::units(units)
    }

    fn ordered(&self, p: &P, table_code: u16, ply: u32) -> Vec<(P::Move, u16)> {
        let killers = self.killers[ply as usize];
        let mut moves: Vec<(i64, P::Move, u16)> = Vec::with_capacity(48);
        let _ = p.visit_moves(|m| {
            let code = P::pack(m);
            let rank = if code == table_code {
                i64::MAX
            } else if code == killers[0] {
                i64::MAX - 1
            } else if code == killers[1] {
                i64::MAX - 2
            } else {
                (i64::from(self.history[self.policy.slot(p, m)]) << 8) + i64::from(self.policy.promise(p, m))
            };
            moves.push((rank, m, code));
            core::ops::ControlFlow::<()>::Continue(())
        });
        moves.sort_by_key(|&(rank, ..)| Reverse(rank));
        moves.into_iter().map(|(_, m, code)| (m, code)).collect()
    }

    fn reward(&mut self, p: &P, m: P::Move, code: u16, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let slot = &mut self.history[self.policy.slot(p, m)];
        *slot = slot.saturating_add((depth * depth) as i32);
        if *slot > 1 << 24 {
            self.history.iter_mut().for_each(|value| *value /= 2);
        }
    }
}

/// The score of a node, if what is known of it settles the window. Scores of another depth are not used, so that the value of
/// a search is that of plain minimax; proven wins and losses within the depth are. Inside the window exact scores are searched
/// again, so that the principal variation is whole.
fn cutoff(entry: Entry, depth: u32, alpha: Score, beta: Score, ply: u32) -> Option<Score> {
    if u32::from(entry.depth) != depth && !is_proven_within(entry, depth) {
        return None;
    }
    let score = entry.score.at_ply(ply);
    let settled = match entry.bound {
        Bound::Exact => score <= alpha || score >= beta,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    settled.then_some(score)
}

/// Whether the entry holds a win or a loss that plain minimax of this depth would see.
fn is_proven_within(entry: Entry, depth: u32) -> bool {
    let (win, loss) = (entry.score.win_distance(), entry.score.loss_distance());
    let distance = match entry.bound {
        Bound::Exact => win.or(loss),
        Bound::Lower => win,
        Bound::Upper => loss,
    };
    distance.is_some_and(|plies| plies <= depth)
}
