//! An editor for positions. The page sends edits and receives the new position.

use game::{Explain as _, Message, Outcome, Record, Side, Tone, message};
use serde::Deserialize;

use crate::definition::Game;
use crate::play::{self, SettingError};
use crate::registry::GameId;
use crate::rule_set::RuleSet;
use crate::scene::{Place, Scene, scene};

/// An edit of a position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Edit {
    /// Paints a square.
    Paint {
        /// The square.
        place: Place,
        /// Index of the game's brush, from 0.
        brush: usize,
    },
    /// Moves a piece to another square and removes any piece that stands there.
    Carry {
        /// The square with the piece.
        from: Place,
        /// The new square of the piece.
        to: Place,
    },
    /// Empties the board. The side to move and the rules stay the same.
    Clear,
    /// Sets up the usual start position. The rules stay the same.
    Start,
    /// Changes the side to move.
    Turn,
    /// Changes the rules. The pieces and the side to move stay the same.
    Rules {
        /// Name of a rule set; empty for the usual rules.
        rules: String,
    },
    /// Finishes the edit: leaves the board unchanged, and returns an error if no game can be played from it.
    Done,
}

/// Edits the current position. The result is a game that begins at the new position.
pub(crate) fn edit<P: Game>(record: &Record<P>, edit: Edit) -> Result<Scene, SettingError> {
    if P::BRUSHES.is_empty() {
        let game = Message::name(P::TITLE);
        return Err(SettingError::Edit(message!("edit.none", "{game}: there is no editor for this game", game)));
    }
    let p = record.position();
    let changed = match edit {
        Edit::Paint { place, brush } => paint(p, place, brush)?,
        Edit::Carry { from, to } => carry(p, from, to)?,
        Edit::Clear => {
            let empty = P::empty(P::size(p)).under(P::rule_set(p));
            if empty.side_to_move() == p.side_to_move() { empty } else { P::passed(&empty).unwrap_or(empty) }
        }
        Edit::Start => P::start_on(P::size(p)).under(P::rule_set(p)),
        Edit::Done => match unplayable_reason::<P>(p) {
            Some(reason) => return Err(SettingError::Edit(reason)),
            None => p.clone(),
        },
        Edit::Turn => {
            let game = Message::name(P::TITLE);
            let fixed = || message!("edit.fixed_side", "{game}: the side to move follows from the board", game);
            P::passed(p).ok_or_else(fixed)?
        }
        Edit::Rules { rules } => {
            let set = match rules.as_str() {
                "" => &RuleSet::USUAL,
                name => GameId::of::<P>().rule_set(name, Some(P::size(p))).map_err(|error| error.message())?,
            };
            p.clone().under(Some(set))
        }
    };
    // Parsing the text validates the position: a change to one square may lead to a position that the game rejects.
    let changed = changed.to_string().parse()?;
    Ok(scene(&play::anew(record, changed)))
}

/// Returns the position after painting a square.
fn paint<P: Game>(p: &P, place: Place, brush: usize) -> Result<P, Message> {
    let [row, column] = place.map(|index| index.saturating_add(1));
    let unknown = || message!("edit.unknown_piece", "row {row}, column {column}: unknown piece", row, column);
    let piece = P::BRUSHES.get(brush).ok_or_else(unknown)?;
    let misplaced = || {
        let piece = Message::name(piece);
        message!("edit.no_place", "row {row}, column {column}: no place for `{piece}`", row, column, piece)
    };
    P::paint(p, place, brush).ok_or_else(misplaced)
}

/// Returns the position after moving a piece. Rejects piles of several spots, because one brush stroke paints one spot.
fn carry<P: Game>(p: &P, from: Place, to: Place) -> Result<P, Message> {
    let content = |p: &P| {
        let cells = p.diagram(None).cells;
        cells.get(from[0]).and_then(|row| row.get(from[1])).map(|(text, tone, _)| (text.clone(), *tone))
    };
    let (piece, emptied) = (content(p), paint(p, from, 0)?);
    let makes_piece =
        |&brush: &usize| P::paint(&emptied, from, brush).is_some_and(|painted| content(&painted) == piece);
    let brush = (1..P::BRUSHES.len()).find(makes_piece).unwrap_or(P::BRUSHES.len());
    paint(&emptied, to, brush)
}

/// Returns the reason why no game can be played from this position; `None` if a game can begin here.
fn unplayable_reason<P: Game>(p: &P) -> Option<Message> {
    let name = |side: Side| Message::name(P::side_name(side));
    let no_pieces = |side| message!("edit.no_pieces", "{side} has no pieces.", side = name(side));
    let count = |side: Side| {
        let cells = p.diagram(None).cells;
        let tone = [Tone::First, Tone::Second][side.index()];
        cells.iter().flatten().filter(|(_, owner, _)| *owner == tone).count()
    };
    if P::TAKES_OFF {
        match Side::BOTH.map(count) {
            [0, 0] => return Some(message!("edit.empty", "There are no pieces on the board.")),
            [0, _] => return Some(no_pieces(Side::First)),
            [_, 0] => return Some(no_pieces(Side::Second)),
            _ => (),
        }
    }
    match p.decided() {
        Some(Outcome::Win(side)) => {
            let (winner, reason) = (name(side), P::won_because(p));
            Some(match reason {
                "" => message!("edit.won", "{winner} has already won here.", winner),
                _ => message!(
                    "edit.won_because",
                    "{winner} has already won here: {reason}.",
                    winner,
                    reason = Message::name(reason)
                ),
            })
        }
        Some(Outcome::Draw) => Some(message!("edit.drawn", "The game is already drawn here.")),
        None if p.is_stuck() => {
            Some(message!("edit.stuck", "{side} is to move and has no legal move.", side = name(p.side_to_move())))
        }
        None => None,
    }
}
