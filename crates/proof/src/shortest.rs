//! The length of the shortest win, by an exact search.

use engine::loa::LoaPolicy;
use game::{PliesLeft, Position as _, Side};
use loa::Position;
use search::{ForcedWins, Stop, Stopped};

use crate::plan::after;

/// In how many plies Black wins an undecided position against the longest defence; `None` if that takes more than
/// `plies`, or Black does not win. The search looks at every defence, for one more ply at a time. It knows positions by
/// their 64-bit keys.
///
/// # Errors
/// If it was told to stop.
///
/// ```
/// use search::Stop;
///
/// let start = loa::Position::start(4)?;
/// assert_eq!(proof::shortest_win(&start, 10, 1, &Stop::new())?, Some(3));
/// assert_eq!(proof::shortest_win(&start, 2, 1, &Stop::new())?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shortest_win(p: &Position, plies: u32, table_mib: usize, stop: &Stop) -> Result<Option<u32>, Stopped> {
    let policy = LoaPolicy::default();
    let mut search = ForcedWins::new(&policy, stop.clone(), table_mib);
    let mut open = Vec::new();
    if p.side_to_move() == Side::First {
        open.push(*p);
    } else {
        for m in p.movable() {
            match after(p, m) {
                Some(Side::First) => (),
                Some(Side::Second) => return Ok(None),
                None => open.push(p.child(m)),
            }
        }
    }
    let before = u32::from(p.side_to_move() == Side::Second);
    for n in 1..=plies {
        let mut holds = None;
        for (i, child) in open.iter().enumerate() {
            if n <= before || !search.wins(child, n - before, PliesLeft::UNLIMITED)? {
                holds = Some(i);
                break;
            }
        }
        match holds {
            None => return Ok(Some(n)),
            // What held out this long may hold out longer: it is tried first.
            Some(i) => open.swap(0, i),
        }
    }
    Ok(None)
}
