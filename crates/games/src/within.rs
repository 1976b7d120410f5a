//! The length of the shortest forced win, by an exact search of every move and every defence.
//!
//! The answer has no certificate, unlike that of [`WinQuestion`](crate::win::WinQuestion). The search identifies
//! positions by their 64-bit keys and assumes that no two keys collide.

use engine::Resources;
use game::{PliesLeft, Position, Side};
use search::{ForcedWins, LONGEST_FORCED_WIN, Policy, Stop, Stopped};

use crate::definition::Game;
use crate::prove::Budget;
use crate::registry::GameId;
use crate::win::{NoQuestion, sides, undecided};

/// A question whether a side can force a win within a number of plies.
#[derive(Clone, Copy, Debug)]
pub struct WithinQuestion<'a> {
    /// The game.
    pub game: GameId,
    /// Board size, in squares a side, if there is no position text.
    pub size: Option<usize>,
    /// Position text; the start position if unset.
    pub position: Option<&'a str>,
    /// Name of the side that wins, case-insensitive; either side if unset.
    pub side: Option<&'a str>,
    /// Maximum length of a win, in plies, at most [`MOST_WITHIN`].
    pub plies: u32,
}

/// Maximum length of a win in a question, in plies: the longest that the exact search supports.
pub const MOST_WITHIN: u32 = LONGEST_FORCED_WIN;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithinAnswer {
    /// Position text.
    pub position: String,
    /// Number of visited positions.
    pub nodes: u64,
    /// Winner and length of the shortest win in plies, if there is one.
    pub win: Option<(&'static str, u32)>,
    /// Number of plies within which no side of the question can force a win. It is smaller than the question's number
    /// if there is a win, or if the search ended early.
    pub none_within: u32,
}

/// The progress of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WithinProgress {
    /// Number of plies within which no side of the question can force a win.
    pub none_within: u32,
    /// Moves of the position that were searched for the next length, and their total. With two sides, each move counts
    /// once for each side.
    pub moves: (usize, usize),
    /// Number of visited positions.
    pub nodes: u64,
}

impl WithinQuestion<'_> {
    /// Searches for ever longer wins. Calls `tell` after each move that was searched.
    ///
    /// # Errors
    /// If the question is invalid.
    pub fn answer(
        self,
        budget: Budget,
        stop: &Stop,
        tell: &mut dyn FnMut(WithinProgress),
    ) -> Result<WithinAnswer, NoQuestion> {
        self.game.position(self.position, self.size)?.within(&self, budget, stop, tell)
    }
}

/// Answers a question about a position.
pub(crate) fn answer<P: Game>(
    root: &P,
    question: &WithinQuestion<'_>,
    budget: Budget,
    stop: &Stop,
    tell: &mut dyn FnMut(WithinProgress),
) -> Result<WithinAnswer, NoQuestion> {
    undecided(root)?;
    let sides = sides::<P>(question.side, root.side_to_move())?;
    let policy = P::policy(&Resources::default());
    let mut forced = ForcedWins::new(&policy, stop.clone(), budget.table_mib);
    forced.allow(budget.nodes);
    let (mut win, mut none_within) = (None, 0);
    while win.is_none() && none_within < question.plies.min(MOST_WITHIN) {
        match next_winner(&mut forced, root, &sides, none_within, tell) {
            Ok(Some(winner)) => win = Some((P::side_name(winner), none_within + 1)),
            Ok(None) => none_within += 1,
            Err(Stopped) => break,
        }
    }
    Ok(WithinAnswer { position: root.to_string(), nodes: forced.nodes(), win, none_within })
}

/// Returns the first of these sides that can force a win one ply longer than `none_within`.
fn next_winner<P: Position, L: Policy<P>>(
    forced: &mut ForcedWins<'_, P, L>,
    root: &P,
    sides: &[Side],
    none_within: u32,
    tell: &mut dyn FnMut(WithinProgress),
) -> Result<Option<Side>, Stopped> {
    let (plies, left, moves) = (none_within + 1, PliesLeft::UNLIMITED, root.movable());
    let all = moves.len() * sides.len();
    for (i, &side) in sides.iter().enumerate() {
        let is_mover = side == root.side_to_move();
        // For the side to move, one winning move settles the question; for the other side, one move that does not lose.
        let mut is_settled = false;
        for (j, &m) in moves.iter().enumerate() {
            is_settled = if is_mover {
                forced.wins_after(root, m, plies, left)?.is_some()
            } else {
                !forced.loses_after(root, m, plies, left)?
            };
            tell(WithinProgress { none_within, moves: (i * moves.len() + j + 1, all), nodes: forced.nodes() });
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
