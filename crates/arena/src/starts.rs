//! Withdrawal of agents that do not start.

use std::time::Duration;

use game::{Outcome, Side};
use referee::{Ending, Fault, FaultKind, Offence, Played};

use crate::log::GameLog;

/// A record of which agents have started. An agent that could not start in its first two games is withdrawn: it
/// forfeits its remaining games and is not started again. The record depends only on the stored games, so an
/// interrupted tournament resumes with the same withdrawals.
#[derive(Clone, Debug, Default)]
pub struct Starts {
    agents: Vec<AgentStarts>,
}

#[derive(Clone, Debug, Default)]
struct AgentStarts {
    /// Numbers of up to two games in which the agent did not start.
    failed: Vec<u32>,
    /// Set once the agent has started in a game.
    has_started: bool,
}

/// First word of the fault's detail in games forfeited by a withdrawn agent.
const WITHDRAWN: &str = "withdrawn";

/// The withdrawn agents of a game: for each side, the two games in which its agent could not start, or `None` if the
/// agent is not withdrawn.
pub(crate) type Absent = [Option<[u32; 2]>; 2];

impl Starts {
    /// Records a finished game.
    pub(crate) fn record(&mut self, game: &GameLog) {
        // Before a forfeit, the arena has tried to start both agents, unless one was withdrawn.
        let is_tried = game.is_forfeit() && !game.faults.iter().any(|fault| fault.detail.starts_with(WITHDRAWN));
        for (side, agent) in game.planned.agents.into_iter().enumerate() {
            if self.agents.len() <= agent {
                self.agents.resize_with(agent + 1, AgentStarts::default);
            }
            let starts = &mut self.agents[agent];
            starts.has_started |= game.has_moved(side) || (is_tried && !game.failed_to_start(side));
            if starts.failed.len() < 2 && game.failed_to_start(side) {
                starts.failed.push(game.planned.number);
                starts.failed.sort_unstable();
            }
        }
    }

    /// Returns the two games in which an agent could not start; `None` if it is not withdrawn.
    pub fn withdrawn(&self, agent: usize) -> Option<[u32; 2]> {
        let starts = self.agents.get(agent)?;
        starts.failed.first_chunk().copied().filter(|_| !starts.has_started)
    }

    /// Returns the withdrawn agents of a game; `None` if the game must be played. It must also be played if the other
    /// agent has not been tried yet, because an agent that cannot start must not win by forfeit.
    pub(crate) fn absent(&self, agents: [usize; 2]) -> Option<Absent> {
        let is_known = |&agent: &usize| {
            self.withdrawn(agent).is_some() || self.agents.get(agent).is_some_and(|starts| starts.has_started)
        };
        let absent = agents.map(|agent| self.withdrawn(agent));
        (agents.iter().all(is_known) && absent != [None; 2]).then_some(absent)
    }
}

/// Returns the outcome of a game that is not played because at least one of its agents is withdrawn.
pub(crate) fn forfeited(absent: Absent, ply: u32) -> Played {
    let fault = |[one, other]: [u32; 2]| {
        Fault::new(FaultKind::NoStart, format!("{WITHDRAWN}: it could not start in games {one} and {other}"))
    };
    let offences = Side::BOTH.into_iter().zip(absent);
    let offences = offences.filter_map(|(side, games)| Some(Offence { ply, side, fault: fault(games?) }));
    let outcome = match absent {
        [None, _] => Some(Outcome::Win(Side::First)),
        [_, None] => Some(Outcome::Win(Side::Second)),
        _ => None,
    };
    Played {
        outcome,
        ending: Ending::Fault(FaultKind::NoStart),
        plies: Vec::new(),
        offences: offences.collect(),
        stderr: Default::default(),
        cpu: [Some(Duration::ZERO); 2],
    }
}
