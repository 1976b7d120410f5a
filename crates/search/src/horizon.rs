//! First steps of a choice: search for forced wins, and removal of moves that lose by force.

use game::{PliesLeft, Position};

use crate::control::Stopped;
use crate::forced::{ForcedWins, win_lengths};
use crate::params::FAR_GROWTH;
use crate::policy::Policy;

/// The range of the exact search, in plies.
pub(crate) struct Reach {
    /// Maximum length of the wins that are found.
    pub(crate) win: u32,
    /// Maximum length of the losses that are avoided. The check for losses of this length costs most, so it is applied
    /// to the chosen move only.
    pub(crate) loss: u32,
    /// Maximum length of the far wins, which are longer than `win`. The search for them visits at most `far_nodes`
    /// nodes.
    pub(crate) far: u32,
    pub(crate) far_nodes: u64,
}

/// The result of the exact search at the root.
pub(crate) enum Horizon<M> {
    /// A forced win: the move and the number of plies.
    Win(M, u32),
    /// A loss after every move: the moves that last longest, and the number of plies.
    Loss(Vec<M>, u32),
    /// Neither a win nor a loss.
    Open(Safe<M>),
}

/// The moves that remain after the horizon search.
pub(crate) struct Safe<M> {
    /// Moves that are not known to lose in fewer than [`Reach::loss`] plies.
    pub(crate) moves: Vec<M>,
    /// Number of plies within which there is no forced win.
    pub(crate) no_win: u32,
}

/// Searches for wins and removes losing moves, in order of increasing length. Results found before a stop are kept.
pub(crate) fn look<P: Position, L: Policy<P>>(
    forced: &mut ForcedWins<'_, P, L>,
    p: &P,
    moves: &[P::Move],
    left: PliesLeft,
    reach: &Reach,
) -> Horizon<P::Move> {
    let mut safe = Safe { moves: moves.to_vec(), no_win: 0 };
    match narrow(forced, p, &mut safe, left, reach) {
        Ok(Some(result)) => result,
        Ok(None) | Err(Stopped) => Horizon::Open(safe),
    }
}

/// Returns the result within the horizon, if there is one. Otherwise `safe` holds the moves that do not lose, and the
/// length up to which wins are ruled out.
fn narrow<P: Position, L: Policy<P>>(
    forced: &mut ForcedWins<'_, P, L>,
    p: &P,
    safe: &mut Safe<P::Move>,
    left: PliesLeft,
    reach: &Reach,
) -> Result<Option<Horizon<P::Move>>, Stopped> {
    for length in 1..=reach.win.max(reach.loss) {
        if win_lengths::<P>(reach.win).any(|n| n == length) {
            if let Some((m, plies)) = forced.win_of_length(p, length, left)? {
                return Ok(Some(Horizon::Win(m, plies)));
            }
            safe.no_win = length;
        }
        if loss_lengths::<P>(reach.loss).any(|n| n == length) {
            let kept = without_losses(forced, p, &safe.moves, (length, left))?;
            if kept.is_empty() {
                return Ok(Some(longest_loss(forced, p, &safe.moves, (length, left))));
            }
            safe.moves = kept;
        }
    }
    let limit = forced.nodes().saturating_add(reach.far_nodes);
    for length in win_lengths::<P>(reach.far).filter(|&length| length > reach.win) {
        let used = forced.nodes();
        if used.saturating_mul(FAR_GROWTH) > limit {
            break;
        }
        forced.allow(limit - used);
        let found = forced.win_of_length(p, length, left);
        forced.allow(u64::MAX);
        if let Some((m, plies)) = found? {
            return Ok(Some(Horizon::Win(m, plies)));
        }
        safe.no_win = length;
    }
    Ok(None)
}

/// Returns the lengths of losses that all moves are checked for. The opponent wins after the player's move, so a loss
/// is one ply longer than a win. It can also be immediate, if the player's move wins for the opponent.
fn loss_lengths<P: Position>(horizon: u32) -> impl Iterator<Item = u32> {
    let at_once = P::MAY_LOSE_BY_MOVING.then_some(1);
    let after_replies = win_lengths::<P>(horizon.saturating_sub(1)).map(|plies| plies + 1);
    at_once.into_iter().chain(after_replies).filter(move |&plies| plies < horizon)
}

/// Returns the moves that do not lose within this many plies.
fn without_losses<P: Position, L: Policy<P>>(
    forced: &mut ForcedWins<'_, P, L>,
    p: &P,
    moves: &[P::Move],
    (plies, left): (u32, PliesLeft),
) -> Result<Vec<P::Move>, Stopped> {
    let mut kept = Vec::new();
    for &m in moves {
        if !forced.loses_after(p, m, plies, left)? {
            kept.push(m);
        }
    }
    Ok(kept)
}

/// Returns [`Horizon::Loss`] with the moves that last longest. All `moves` lose within `plies` plies, none within
/// `plies - 2`.
fn longest_loss<P: Position, L: Policy<P>>(
    forced: &mut ForcedWins<'_, P, L>,
    p: &P,
    moves: &[P::Move],
    (plies, left): (u32, PliesLeft),
) -> Horizon<P::Move> {
    if P::MAY_LOSE_BY_MOVING && plies > 2 {
        match without_losses(forced, p, moves, (plies - 1, left)) {
            Ok(longest) if longest.is_empty() => return Horizon::Loss(moves.to_vec(), plies - 1),
            Ok(longest) => return Horizon::Loss(longest, plies),
            // Some of the moves may lose a ply earlier.
            Err(Stopped) => {}
        }
    }
    Horizon::Loss(moves.to_vec(), plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blind::Blind;
    use crate::control::Stop;
    use crate::win_search::tests::WIN;

    /// Returns the length of the win, or the number of plies within which there is none.
    fn seen(p: &loa::Position, reach: &Reach) -> Result<u32, u32> {
        let mut forced = ForcedWins::new(&Blind, Stop::new(), 1);
        match look(&mut forced, p, &p.movable(), PliesLeft::UNLIMITED, reach) {
            Horizon::Win(_, plies) => Ok(plies),
            Horizon::Loss(..) => unreachable!("the side to move is not lost"),
            Horizon::Open(safe) => Err(safe.no_win),
        }
    }

    #[test]
    fn the_horizon_says_how_far_there_is_no_win() {
        let win: loa::Position = WIN.parse().expect("a position");
        let start = loa::Position::start(8).expect("a size");
        let reach = |win, far, far_nodes| Reach { win, loss: 2, far, far_nodes };
        assert_eq!(seen(&win, &reach(3, 0, 0)), Err(3));
        assert_eq!(seen(&win, &reach(3, 5, 1_000_000)), Ok(5));
        assert_eq!(seen(&start, &reach(3, 5, 1_000_000)), Err(5));
        assert_eq!(seen(&start, &reach(3, 5, 1)), Err(3), "the nodes did not last");
    }
}
