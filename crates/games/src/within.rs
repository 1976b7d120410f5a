//! The length of the shortest forced win, by an exact search of every move and every defence.
//!
//! The answer has no certificate, unlike the answer to a [`WinQuestion`](crate::win::WinQuestion). The search
//! identifies positions by their 64-bit keys and assumes that no two keys collide.

use engine::Resources;
use game::{PliesLeft, Position, Side};
use search::{ForcedWins, LONGEST_FORCED_WIN, Policy, Stop, Stopped};

use crate::definition::Game;
use crate::prove::Budget;
use crate::registry::GameId;
use crate::win::{NoQuestion, sides, undecided};

/// The question of whether a side can force a win within a number of plies.
#[derive(Clone, Copy, Debug)]
pub struct WithinQuestion<'a> {
    /// The game.
    pub game: GameId,
    /// Board size, in squares per side. The game's usual size if unset.
    pub size: Option<usize>,
    /// Position text; the start position if unset.
    pub position: Option<&'a str>,
    /// Name of the side that wins, case-insensitive; either side if unset.
    pub side: Option<&'a str>,
    /// Maximum length of a win, in plies, at most [`MOST_WITHIN`].
    pub plies: u32,
}

/// Maximum value of [`WithinQuestion::plies`], which is the longest win that the exact search supports.
pub const MOST_WITHIN: u32 = LONGEST_FORCED_WIN;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithinAnswer {
    /// Position text.
    pub position: String,
    /// Number of visited positions.
    pub nodes: u64,
    /// Winner, and length of the shortest win in plies, if a win was found.
    pub win: Option<(&'static str, u32)>,
    /// Number of plies within which a win for the side in question (or for either side) is ruled out. Smaller than
    /// [`WithinQuestion::plies`] if there is a win, or if the search ended early.
    pub none_within: u32,
}

/// The progress of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WithinProgress {
    /// Number of plies within which a win for the side in question (or for either side) is ruled out.
    pub none_within: u32,
    /// Number of moves already searched for a win within `none_within + 1` plies, and the total number of moves. If the
    /// question names no side, each move counts twice, once for each side.
    pub moves: (usize, usize),
    /// Number of visited positions.
    pub nodes: u64,
}

impl WithinQuestion<'_> {
    /// Searches for wins of increasing length. Calls `report` after each searched move of the position.
    ///
    /// # Errors
    /// If the question is invalid.
    pub fn answer(
        self,
        budget: Budget,
        stop: &Stop,
        report: &mut dyn FnMut(WithinProgress),
    ) -> Result<WithinAnswer, NoQuestion> {
        self.game.position(self.position, self.size)?.within(&self, budget, stop, report)
    }
}

/// Answers a question about a position.
pub(crate) fn answer<P: Game>(
    root: &P,
    question: &WithinQuestion<'_>,
    budget: Budget,
    stop: &Stop,
    report: &mut dyn FnMut(WithinProgress),
) -> Result<WithinAnswer, NoQuestion> {
    undecided(root)?;
    let sides = sides::<P>(question.side, root.side_to_move())?;
    let policy = P::policy(&Resources::default());
    let mut forced = ForcedWins::new(&policy, stop.clone(), budget.table_mib);
    forced.allow(budget.nodes);
    let (mut win, mut none_within) = (None, 0);
    while win.is_none() && none_within < question.plies.min(MOST_WITHIN) {
        match next_winner(&mut forced, root, &sides, none_within, report) {
            Ok(Some(winner)) => win = Some((P::side_name(winner), none_within + 1)),
            Ok(None) => none_within += 1,
            Err(Stopped) => break,
        }
    }
    Ok(WithinAnswer { position: root.to_string(), nodes: forced.nodes(), win, none_within })
}

/// Returns the first of these sides that can force a win within `none_within + 1` plies.
fn next_winner<P: Position, L: Policy<P>>(
    forced: &mut ForcedWins<'_, P, L>,
    root: &P,
    sides: &[Side],
    none_within: u32,
    report: &mut dyn FnMut(WithinProgress),
) -> Result<Option<Side>, Stopped> {
    let (plies, left, moves) = (none_within + 1, PliesLeft::UNLIMITED, root.movable());
    let all = moves.len() * sides.len();
    for (i, &side) in sides.iter().enumerate() {
        let is_mover = side == root.side_to_move();
        // One winning move proves a win for the side to move. One move that does not lose refutes the other side's win.
        let mut is_settled = false;
        for (j, &m) in moves.iter().enumerate() {
            is_settled = if is_mover {
                forced.wins_after(root, m, plies, left)?.is_some()
            } else {
                !forced.loses_after(root, m, plies, left)?
            };
            report(WithinProgress { none_within, moves: (i * moves.len() + j + 1, all), nodes: forced.nodes() });
            if is_settled {
                break;
            }
        }
        if is_settled == is_mover {
            return Ok(Some(side));
        }
    }
    Ok(None)
}
