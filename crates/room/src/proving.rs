//! Proofs for pages: the winner of a game, and the losing side's replies.

use games::{Attempt, Budget, Known, Proof};
use serde::{Deserialize, Serialize};

use crate::messages::{Answer, Game, ProofState};
use crate::room::{record, texts};
use crate::thinking::Place;

/// The limits of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Maximum number of visited positions.
    pub nodes: u64,
    /// Memory of each side's table, in MiB.
    pub table_mib: usize,
}

/// A request for a proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempted {
    /// Id of the request.
    pub id: u32,
    /// The game.
    pub game: Game,
}

impl Attempted {
    /// Creates a report on the search.
    pub fn report(&self, nodes: u64, seconds: f64, state: ProofState, known: Option<Known>) -> Answer {
        Answer::Proof { id: self.id, nodes, seconds, state, known }
    }

    /// Tries to prove the winner, and passes progress reports to `tell`. Returns the last report, with the proof if one
    /// side wins. Returns `None` if the search was stopped.
    pub fn run(
        &self,
        limit: Limit,
        place: &Place,
        tell: &mut dyn FnMut(Answer),
    ) -> Option<(Answer, Option<Box<dyn Proof>>)> {
        let seconds = place.timer();
        let mut visited = 0;
        let mut hear = |nodes| {
            visited = nodes;
            tell(self.report(nodes, seconds(), ProofState::Searching, None));
        };
        hear(0);
        let budget = Budget { nodes: limit.nodes, table_mib: limit.table_mib, host: place.host };
        let record = record(&self.game);
        let attempt = record.map(|game| game.prove(&place.resources, budget, place.stop.clone(), &mut hear));
        if place.stop.check(0).is_err() {
            return None;
        }
        let (state, known, proof) = match attempt {
            Ok(Attempt::Won(proof)) => (ProofState::Won, Some(proof.known()), Some(proof)),
            Ok(Attempt::NoWin(known)) => (ProofState::Drawn, Some(known), None),
            Ok(Attempt::Open | Attempt::Over) | Err(_) => (ProofState::Open, None, None),
        };
        Some((self.report(visited, seconds(), state, known), proof))
    }
}

/// Returns the losing side's replies after a line from a proven position. Missing parts of the proof are searched
/// again, which may take seconds.
///
/// # Errors
/// If the line is illegal, or the losing side is not to move after it.
pub fn replies(proof: &mut dyn Proof, id: u32, line: &[String]) -> Result<Answer, String> {
    let replies = proof.replies(&texts(line)).map_err(|error| error.to_string())?;
    Ok(Answer::Replies { id, replies })
}
