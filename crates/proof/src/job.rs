//! Searches of one position with a budget, and their results.

use core::time::Duration;

use loa::{Move, Position};
use search::{Clock, Stop, Stopped};
use serde::{Deserialize, Serialize};

use crate::numbers::Numbers;
use crate::search::{Choices, Finding, Search};

/// A finished job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Text of the position.
    pub position: String,
    /// Budget, in expansions.
    pub budget: u64,
    /// Size of the table, in MiB.
    pub mib: usize,
    /// Result of the search.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Number of expansions used.
    pub expansions: u64,
    /// Duration in milliseconds; 0 without a clock. It is informational and not used by the proof.
    pub ms: u64,
}

impl Job {
    /// Runs a job: searches an undecided position with these options, at most `budget` expansions and a table of `mib`
    /// MiB. The result depends on these parameters alone; a clock only adds the duration. The recursion is as
    /// deep as a game is long, so the caller's thread needs a large stack.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    ///
    /// # Panics
    /// Panics on boards larger than [`LARGEST`](crate::code::LARGEST).
    pub fn perform(
        p: &Position,
        choices: Choices,
        budget: u64,
        mib: usize,
        clock: Option<Clock>,
        stop: &Stop,
    ) -> Result<Self, Stopped> {
        let now = || clock.map_or(Duration::ZERO, |clock| clock());
        let began = now();
        let mut search = Search::new(choices, p.size(), mib, stop.clone());
        let finding = search.solve(p, budget)?;
        let ms = now().saturating_sub(began).as_millis() as u64;
        let (outcome, expansions) = (Outcome::of(&finding), search.expansions());
        Ok(Self { position: p.to_string(), budget, mib, outcome, expansions, ms })
    }
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Outcome {
    /// A win for Black.
    Won {
        /// Maximum length of the win, in plies.
        plies: u16,
    },
    /// No forced win for Black.
    Refuted,
    /// No result within the budget.
    Open {
        /// Proof number.
        proof: u32,
        /// Disproof number.
        disproof: u32,
        /// Moves, most promising first.
        order: Vec<String>,
    },
}

impl Outcome {
    /// Returns the outcome of a search.
    pub fn of(finding: &Finding) -> Self {
        match finding.numbers {
            Numbers { proof: 0, plies, .. } => Self::Won { plies },
            Numbers { disproof: 0, .. } => Self::Refuted,
            Numbers { proof, disproof, .. } => {
                Self::Open { proof, disproof, order: finding.order.iter().map(Move::to_string).collect() }
            }
        }
    }

    /// Returns the proof and disproof numbers of the position.
    pub fn numbers(&self) -> Numbers {
        match *self {
            Self::Won { plies } => Numbers::won(plies),
            Self::Refuted => Numbers::REFUTED,
            Self::Open { proof, disproof, .. } => Numbers::open(proof.max(1), disproof.max(1)),
        }
    }
}
