//! An editor for positions. The page sends the edits; this module makes the position texts.

use game::{Outcome, Record, Side, Tone};
use serde::Deserialize;

use crate::definition::Game;
use crate::play::{self, SettingError};
use crate::scene::{Place, Scene, because, scene};

/// An edit of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Edit {
    /// Paints a square.
    Paint {
        /// The square.
        place: Place,
        /// Index of the game's brush, from 0.
        brush: usize,
    },
    /// Empties the board. The side to move stays the same.
    Clear,
    /// Sets up the start position.
    Start,
    /// Changes the side to move.
    Turn,
    /// Finishes the edit: changes nothing, and rejects a board on which no game can be played.
    Done,
}

/// Edits the current position. The result is a game that begins there.
pub(crate) fn edit<P: Game>(record: &Record<P>, edit: Edit) -> Result<Scene, SettingError> {
    if P::BRUSHES.is_empty() {
        return Err(SettingError::Edit(format!("{}: there is no editor for this game", P::TITLE)));
    }
    let p = record.position();
    let changed = match edit {
        Edit::Paint { place, brush } => {
            let wrong =
                |what: &str| SettingError::Edit(format!("row {}, column {}: {what}", place[0] + 1, place[1] + 1));
            let name = P::BRUSHES.get(brush).ok_or_else(|| wrong("unknown piece"))?;
            P::paint(p, place, brush).ok_or_else(|| wrong(&format!("no place for `{name}`")))?
        }
        Edit::Clear => {
            let empty = P::empty(P::size(p));
            if empty.side_to_move() == p.side_to_move() { empty } else { P::passed(&empty).unwrap_or(empty) }
        }
        Edit::Start => P::start_on(P::size(p)),
        Edit::Done => match nothing_to_play::<P>(p) {
            Some(why) => return Err(SettingError::Edit(why)),
            None => p.clone(),
        },
        Edit::Turn => {
            let fixed = || SettingError::Edit(format!("{}: the side to move follows from the board", P::TITLE));
            P::passed(p).ok_or_else(fixed)?
        }
    };
    // The text is read again, because a change of one square may leave a position that the game does not accept.
    let changed = changed.to_string().parse()?;
    Ok(scene(&play::anew(record, changed)))
}

/// Returns the reason why no game can be played from this position; `None` if a game can begin here.
fn nothing_to_play<P: Game>(p: &P) -> Option<String> {
    let name = P::side_name;
    let count = |side: Side| {
        let cells = p.diagram(None).cells;
        let tone = [Tone::First, Tone::Second][side.index()];
        cells.iter().flatten().filter(|(_, whose, _)| *whose == tone).count()
    };
    if P::TAKES_OFF {
        match Side::BOTH.map(count) {
            [0, 0] => return Some("There are no pieces on the board.".to_owned()),
            [0, _] => return Some(format!("{} has no pieces.", name(Side::First))),
            [_, 0] => return Some(format!("{} has no pieces.", name(Side::Second))),
            _ => (),
        }
    }
    match p.decided() {
        Some(Outcome::Win(side)) => Some(format!("{} has already won here{}.", name(side), because(p))),
        Some(Outcome::Draw) => Some("The game is already drawn here.".to_owned()),
        None if p.is_stuck() => Some(format!("{} is to move and has no legal move.", name(p.side_to_move()))),
        None => None,
    }
}
