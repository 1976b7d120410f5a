//! Proofs on demand: the winner of a position, and the winning moves against every defence.

use core::time::Duration;
use std::collections::HashMap;

use engine::{Playable, Resources};
use game::{Outcome, PliesLeft, Record, Side, message};
use search::{ForcedWins, Host, ProofSearch, Stop, Verdict};
use serde::Serialize;

use crate::definition::Game;
use crate::known::{Fact, Known, Source};
use crate::play::SettingError;

/// Number of positions that a search visits between two progress reports: initial value and maximum.
const SLICE: (u64, u64) = (50_000, 500_000);
/// Maximum number of positions with the winner to move that are stored for a proof. Further positions are proven again
/// on demand.
const MOST_KEPT: usize = 100_000;
/// Maximum number of positions visited to prove a position again.
const NODES_ANEW: u64 = 300_000;
/// Table size of a search that proves a position again, in MiB.
const TABLE_ANEW_MIB: usize = 16;
/// Limits of the exact search for the shortest win: the length of the win in plies, and the search time.
const SHORT: (u32, Duration) = (9, Duration::from_secs(3));

/// The resource limits of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Maximum number of positions visited by the searches of both sides together.
    pub nodes: u64,
    /// Table size, in MiB. [`AnyRecord::prove`](crate::any::AnyRecord::prove) uses one table of this size for each
    /// side. Other searches use this size for both sides together.
    pub table_mib: usize,
    /// Host with the clock that limits the search for the shortest win.
    pub host: Host,
}

/// The result of an attempt at a proof.
pub enum Attempt {
    /// One side wins.
    Won(Box<dyn Proof>),
    /// Neither side can force a win.
    NoWin(Known),
    /// The search was stopped, or the budget was spent.
    Open,
    /// The game is over.
    Over,
}

/// A proven win that can be explored reply by reply.
pub trait Proof: Send {
    /// Returns the winner, the maximum number of plies until the win, and the winning move.
    fn known(&self) -> Known;

    /// Returns all replies of the losing side after a line from the proven position, sorted by the remaining length of
    /// the win, longest first.
    ///
    /// # Errors
    /// If the line is not legal, or the winner is to move after it.
    fn replies(&mut self, line: &[&str]) -> Result<Vec<Reply>, SettingError>;
}

/// A reply of the losing side, and the winner's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Losing side's move.
    #[serde(rename = "move")]
    pub text: String,
    /// Winner's answer; `None` if the reply has ended the game, or if no answer was found in time.
    pub answer: Option<String>,
    /// Maximum number of plies from the answer to the win, both included; 0 if the reply has ended the game. `None` if
    /// no answer was found in time.
    pub plies: Option<u32>,
    /// `true` if the answer ends the game.
    pub ends: bool,
}

/// Tries to prove that one side wins the current position; see [`AnyRecord::prove`](crate::any::AnyRecord::prove).
pub(crate) fn prove<P: Game>(
    record: &Record<P>,
    resources: &Resources,
    budget: Budget,
    stop: &Stop,
    report: &mut dyn FnMut(u64),
) -> Attempt {
    let root = record.position().clone();
    if record.finish().is_some() || root.is_stuck() {
        return Attempt::Over;
    }
    let policy = P::policy(resources);
    let Some(fact) = P::known(&root, &policy) else { return search::<P>(&root, policy, budget, stop, report) };
    let Some(attacker) = fact.winner else { return Attempt::NoWin(fact.in_words()) };
    let host = budget.host;
    Attempt::Won(Box::new(Won::<P> { root, attacker, fact, policy, kept: HashMap::new(), short: 0, host }))
}

/// Searches for a win for each side in turn, with a slice of the nodes at a time.
fn search<P: Game>(root: &P, policy: P::Policy, budget: Budget, stop: &Stop, report: &mut dyn FnMut(u64)) -> Attempt {
    let sides = [root.side_to_move(), !root.side_to_move()];
    let new = |_| ProofSearch::new(&policy, stop.clone(), budget.table_mib, budget.nodes);
    let mut searches = sides.map(new);
    let mut refuted = [false; 2];
    let mut slice = SLICE.0;
    loop {
        for (i, attacker) in sides.into_iter().enumerate().filter(|&(i, _)| !refuted[i]).collect::<Vec<_>>() {
            let limit = searches[i].nodes() + slice;
            searches[i].set_node_limit(limit);
            match searches[i].solve(root, attacker, PliesLeft::UNLIMITED) {
                Verdict::Win { best, plies } => {
                    let kept = collect(&mut searches[i], root, attacker, stop);
                    drop(searches);
                    let fact = Fact { winner: Some(attacker), plies, best, source: Source::Search };
                    let (root, host) = (root.clone(), budget.host);
                    let mut won = Won::<P> { root, attacker, fact, policy, kept, short: 0, host };
                    won.shorten(stop);
                    return Attempt::Won(Box::new(won));
                }
                Verdict::NoWin => refuted[i] = true,
                Verdict::Unknown => (),
            }
            let nodes = searches.iter().map(ProofSearch::nodes).sum();
            report(nodes);
            if stop.check(0).is_err() || nodes >= budget.nodes {
                return Attempt::Open;
            }
        }
        if refuted == [true; 2] {
            return Attempt::NoWin(Known { winner: None, plies: 0, best: None, source: Source::Search });
        }
        slice = (2 * slice).min(SLICE.1);
    }
}

/// Collects the winner's move in each position that can follow if the winner plays the collected moves. Stops at
/// [`MOST_KEPT`] positions.
fn collect<P: Playable>(
    search: &mut ProofSearch<'_, P, P::Policy>,
    root: &P,
    attacker: Side,
    stop: &Stop,
) -> HashMap<u64, (u16, u16)> {
    let mut kept = HashMap::new();
    let replies = |p: &P| -> Vec<P> {
        let children = p.movable().into_iter().map(|m| p.child(m));
        children.filter(|child| child.outcome().is_none()).collect()
    };
    let mut todo: std::collections::VecDeque<P> =
        if root.side_to_move() == attacker { [root.clone()].into() } else { replies(root).into() };
    while let Some(p) = todo.pop_front() {
        if kept.len() >= MOST_KEPT || stop.check(0).is_err() {
            break;
        }
        if kept.contains_key(&p.key().0) {
            continue;
        }
        if let Some((m, plies)) = search.winning_move(&p, PliesLeft::UNLIMITED) {
            kept.insert(p.key().0, (P::pack(m), plies.min(u32::from(u16::MAX)) as u16));
            let after = p.child(m);
            if after.outcome().is_none() {
                todo.extend(replies(&after));
            }
        }
    }
    kept
}

struct Won<P: Game> {
    root: P,
    attacker: Side,
    fact: Fact<P::Move>,
    policy: P::Policy,
    /// By the key of a position: the winner's move, and the maximum number of plies until the win.
    kept: HashMap<u64, (u16, u16)>,
    /// Length of the shortest win in plies; 0 if the exact search found no win.
    short: u32,
    host: Host,
}

impl<P: Game> Won<P> {
    /// Replaces the win with the shortest win if the exact search finds one. A proof search does not look for the
    /// shortest win.
    fn shorten(&mut self, stop: &Stop) {
        let Some(clock) = self.host.clock.filter(|_| self.root.side_to_move() == self.attacker) else { return };
        let stop = stop.after(clock, SHORT.1);
        let mut exact = ForcedWins::new(&self.policy, stop, TABLE_ANEW_MIB);
        let most = SHORT.0.min(self.fact.plies.saturating_sub(1));
        if let Ok(Some((best, plies))) = exact.shortest_win(&self.root, most, PliesLeft::UNLIMITED) {
            self.fact = Fact { plies, best: Some(best), ..self.fact };
            self.short = plies;
        }
    }

    /// Returns the winner's move and the maximum number of plies until the win.
    fn attack(&self, p: &P) -> Option<(P::Move, u32)> {
        if let Some(fact) = P::known(p, &self.policy).filter(|fact| fact.winner == Some(self.attacker)) {
            return Some((fact.best?, fact.plies));
        }
        let stop = self.host.clock.map_or_else(Stop::new, |clock| Stop::new().after(clock, SHORT.1));
        let most = if self.fact.source == Source::Book { P::short_wins() } else { self.short };
        if most > 0 {
            let mut exact = ForcedWins::new(&self.policy, stop.clone(), TABLE_ANEW_MIB);
            if let Some(win) = exact.shortest_win(p, most, PliesLeft::UNLIMITED).ok()? {
                return Some(win);
            }
        }
        if let Some(&(code, plies)) = self.kept.get(&p.key().0) {
            return Some((p.unpack(code)?, u32::from(plies)));
        }
        let mut anew = ProofSearch::new(&self.policy, stop, TABLE_ANEW_MIB, NODES_ANEW);
        match anew.solve(p, self.attacker, PliesLeft::UNLIMITED) {
            Verdict::Win { best: Some(best), plies } => Some((best, plies)),
            _ => None,
        }
    }
}

impl<P: Game> Proof for Won<P> {
    fn known(&self) -> Known {
        self.fact.in_words()
    }

    fn replies(&mut self, line: &[&str]) -> Result<Vec<Reply>, SettingError> {
        let mut p = self.root.clone();
        for (ply, text) in (1..).zip(line) {
            if p.decided().is_some() && ply > 1 {
                return Err(SettingError::AfterEnd { ply });
            }
            let m = p.read_move(text).map_err(|error| SettingError::Move { ply, error: error.in_words() })?;
            p.play(m);
        }
        if p.side_to_move() == self.attacker {
            return Err(message!("proof.winner_to_move", "The winner is to move here.").into());
        }
        let reply = |m: P::Move| {
            let child = p.child(m);
            let found = if child.outcome().is_some() { None } else { self.attack(&child) };
            let won = |m| child.child(m).outcome() == Some(Outcome::Win(self.attacker));
            Reply {
                text: m.to_string(),
                answer: found.map(|(m, _)| m.to_string()),
                plies: if child.outcome().is_some() { Some(0) } else { found.map(|(_, plies)| plies) },
                ends: found.is_some_and(|(m, _)| won(m)),
            }
        };
        let mut replies: Vec<Reply> =
            if p.decided().is_some() { Vec::new() } else { p.movable().into_iter().map(reply).collect() };
        replies.sort_by_key(|reply| core::cmp::Reverse(reply.plies));
        Ok(replies)
    }
}
