//! The thread of a tournament that hands out games to workers, while other threads play games here.

use std::sync::mpsc::SyncSender;

use crate::agenda::{Arbiter, Guard};
use crate::job::GameJob;
use crate::live::Showcase;
use crate::log::GameLog;
use crate::planned::Planned;
use crate::play::Finished;
use crate::remote::{RemoteEnd, RemoteGames, Unplayed};
use crate::spec::Spec;

/// A game that has ended, here or on a worker.
pub(crate) enum Ended {
    Here(Box<Finished>),
    Away(Box<GameLog>),
}

impl Ended {
    pub(crate) fn here(finished: Finished) -> Self {
        Self::Here(Box::new(finished))
    }
}

/// A tournament whose games are handed out.
pub(crate) struct Outsourced<'a> {
    pub(crate) spec: &'a Spec,
    /// Number of the tournament in the store.
    pub(crate) tournament: i64,
    pub(crate) arbiter: &'a Arbiter,
    pub(crate) showcase: &'a Showcase,
    /// Returns `true` once the games are cancelled.
    pub(crate) is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Set if this machine plays games, too. It then also plays those that the workers do not play.
    pub(crate) has_own: bool,
    pub(crate) sender: SyncSender<Result<Ended, String>>,
}

impl Outsourced<'_> {
    /// Hands out games until the tournament ends.
    pub(crate) fn hand_out(&self, remote: &mut RemoteGames<'_>) {
        let _guard = Guard(self.arbiter);
        // Games to offer again.
        let mut again = Vec::new();
        while !self.arbiter.is_over() {
            if (self.is_stopped)() {
                self.arbiter.stop();
                break;
            }
            let turn = remote.turn(self.showcase);
            let is_open = turn.ended.into_iter().all(|end| self.take(end, &mut again));
            if !is_open || !self.offer(remote, turn.room, &mut again) {
                break;
            }
        }
        remote.close(self.showcase);
    }

    /// Takes a game from the workers. Returns `false` if the tournament has ended.
    fn take(&self, RemoteEnd { planned, result, .. }: RemoteEnd, again: &mut Vec<Planned>) -> bool {
        match result {
            // A program that does not start on workers may lack an interpreter there.
            Ok(log) if log.is_forfeit() && self.has_own => self.arbiter.give_back(planned),
            Ok(log) => return self.send(Ok(Ended::Away(Box::new(log)))),
            Err(_) if self.has_own => self.arbiter.give_back(planned),
            Err(Unplayed::Unreachable(_)) => again.push(planned),
            Err(Unplayed::Failed(why)) => {
                return self.send(Err(format!("game {}: no worker could play it: {why}", planned.number)));
            }
        }
        true
    }

    /// Offers at most `room` games. Returns `false` if the tournament has ended.
    fn offer(&self, remote: &mut RemoteGames<'_>, room: usize, again: &mut Vec<Planned>) -> bool {
        for _ in 0..room {
            let Some(planned) = again.pop().or_else(|| self.arbiter.try_next()) else { break };
            if let Some(absent) = self.arbiter.absent(&planned) {
                if !self.send(Finished::forfeit(self.spec, planned, absent).map(Ended::here)) {
                    return false;
                }
            } else {
                remote.offer(self.tournament, GameJob { planned, players: Vec::new() });
            }
        }
        true
    }

    fn send(&self, ended: Result<Ended, String>) -> bool {
        self.sender.send(ended).is_ok()
    }
}
