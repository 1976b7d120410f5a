//! A search of one position with a budget, and its result.

use core::time::Duration;

use loa::{Move, Position};
use search::{Clock, Stop, Stopped};
use serde::{Deserialize, Serialize};

use crate::numbers::Numbers;
use crate::search::{Choices, Finding, Search};
use crate::wins::Wins;

/// A finished job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Position text.
    pub position: String,
    /// Its budget, in expansions.
    pub budget: u64,
    /// Size of its table.
    pub mib: usize,
    /// Its result.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Expansions used.
    pub expansions: u64,
    /// How long it took, in milliseconds; 0 if there was no clock. It is for readers; the proof does not need it.
    pub ms: u64,
}

impl Job {
    /// Does a job: searches an undecided position for wins of this kind with at most this many expansions and a table
    /// of so many MiB. The result depends on these alone; a clock adds how long it took. Recursion goes as deep as a
    /// game is long, so the caller's thread needs a large stack.
    ///
    /// # Errors
    /// If it was told to stop.
    ///
    /// # Panics
    /// On boards larger than [`LARGEST`](crate::LARGEST).
    pub fn perform(
        p: &Position,
        wins: Wins,
        budget: u64,
        mib: usize,
        clock: Option<Clock>,
        stop: &Stop,
    ) -> Result<Self, Stopped> {
        let now = || clock.map_or(Duration::ZERO, |clock| clock());
        let began = now();
        let mut search = Search::new(Choices { wins, ..Choices::default() }, p.size(), mib, stop.clone());
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
    /// Black wins.
    Won {
        /// Within this many plies.
        plies: u16,
    },
    /// Black cannot force a win.
    Refuted,
    /// The budget was not enough.
    Open {
        /// Proof number.
        proof: u32,
        /// Disproof number.
        disproof: u32,
        /// The moves, the most promising first.
        order: Vec<String>,
    },
}

impl Outcome {
    /// The result of a search.
    pub fn of(finding: &Finding) -> Self {
        match finding.numbers {
            Numbers { proof: 0, plies, .. } => Self::Won { plies },
            Numbers { disproof: 0, .. } => Self::Refuted,
            Numbers { proof, disproof, .. } => {
                Self::Open { proof, disproof, order: finding.order.iter().map(Move::to_string).collect() }
            }
        }
    }

    /// The numbers that the result gives its position.
    pub fn numbers(&self) -> Numbers {
        match *self {
            Self::Won { plies } => Numbers::won(plies),
            Self::Refuted => Numbers::REFUTED,
            Self::Open { proof, disproof, .. } => Numbers::open(proof.max(1), disproof.max(1)),
        }
    }
}
