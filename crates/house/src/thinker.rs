//! Performs the tasks of a house, one at a time. Each thinker needs a thread of its own.

use games::Proof;
use room::desk::refused;
use room::messages::Answer;
use room::proving::{self, Limit};
use room::thinking::{self, LOOKS, Place};

use crate::effect::{Said, Task};

/// Limit of a proof search. The table is smaller than on a server, because a browser has less memory.
const LIMIT: Limit = Limit { nodes: 400_000_000, table_mib: 64 };

/// Performs tasks, and keeps the last proof.
#[derive(Default)]
pub struct Thinker {
    proof: Option<Box<dyn Proof>>,
}

impl Thinker {
    /// Performs a task and returns when it has ended. `tell` receives each result immediately.
    pub fn carry_out(&mut self, task: &Task, place: &Place, tell: &mut dyn FnMut(Said)) {
        let mut answer = |answer| tell(Said::Answer(Box::new(answer)));
        match task {
            Task::Move { turn, seed } => {
                let thought = thinking::turn(turn, *seed, place);
                let text = thought.and_then(|thought| thought.lines.into_iter().next()?.moves.into_iter().next());
                tell(Said::Move(text));
            }
            Task::Hint { ply, turn } => answer(Answer::Hint { ply: *ply, thought: thinking::turn(turn, 1, place) }),
            Task::Analyse { analysis } => {
                for (look, ms) in LOOKS.into_iter().enumerate() {
                    let Some((found, is_last)) = analysis.look(look, ms, place, &mut answer) else { return };
                    answer(found);
                    if is_last {
                        return;
                    }
                }
            }
            Task::Judge { id, game } => {
                let seconds = place.timer();
                for ply in (0..=game.moves.len()).rev() {
                    let Some(found) = thinking::judge(*id, game, ply, &seconds, place) else { return };
                    answer(found);
                }
            }
            Task::Prove { attempted } => {
                self.proof = None;
                if let Some((report, proof)) = attempted.run(LIMIT, place, &mut answer) {
                    self.proof = proof;
                    answer(report);
                }
            }
        }
    }

    /// Returns the losing side's replies after a line from the position of the last proof.
    pub fn replies(&mut self, id: u32, line: &[String]) -> Answer {
        let proof = self.proof.as_mut().ok_or_else(|| "Nothing is proven yet.".to_owned());
        let found = proof.and_then(|proof| proving::replies(&mut **proof, id, line));
        found.unwrap_or_else(|text| refused(Some(id), text))
    }
}
