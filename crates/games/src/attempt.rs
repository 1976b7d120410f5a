//! Checks of moves that a person tries on a board, with explanations of illegal ones.

use game::{Explain as _, Message, MoveError, message};

use crate::definition::Game;
use crate::scene::Place;

/// Checks a move; see [`AnyRecord::try_path`](crate::any::AnyRecord::try_path).
pub(crate) fn check<P: Game>(p: &P, path: &[Place]) -> Result<(), Message> {
    let ways: Vec<Vec<Place>> = p.movable().into_iter().map(|m| P::path(p, m)).collect();
    if !path.is_empty() && ways.iter().any(|way| way.starts_with(path)) {
        return Ok(());
    }
    let is_one_square = ways.first().is_some_and(|way| way.len() == 1);
    let sign = if is_one_square { ":" } else { "" };
    let names: Option<Vec<String>> = path.iter().map(|&place| name(p, place, sign)).collect();
    match names.as_deref() {
        None | Some([]) => Err(message!("move.no_square", "The board has no such square.")),
        Some([square]) if !is_one_square => Err(cannot_move(p, square)),
        Some(names) => p.read_move(&names.join("-")).map(drop).map_err(|error| error.message()),
    }
}

/// Returns the name of a square; `None` if the square is not on the board. The name is column and row as in `c4` if
/// `sign` is empty, otherwise row, sign and column as in `4:3`.
fn name<P: Game>(p: &P, [row, column]: Place, sign: &str) -> Option<String> {
    let diagram = p.diagram(None);
    let (row, column) = (diagram.row_labels.get(row)?, diagram.column_labels.get(column)?);
    Some(if sign.is_empty() { format!("{column}{row}") } else { format!("{row}{sign}{column}") })
}

/// Returns the reason why no move begins on a square.
fn cannot_move<P: Game>(p: &P, square: &str) -> Message {
    let size = P::size(p);
    let places = (0..size).flat_map(|row| (0..size).map(move |column| [row, column]));
    let reasons = places.filter_map(|to| match p.read_move(&format!("{square}-{}", name(p, to, "")?)) {
        Err(MoveError::Illegal { reason, .. }) => Some(reason.message()),
        _ => None,
    });
    let is_about_the_source =
        |reason: &Message| ["not_yours", "empty_source", "source_empty"].iter().any(|end| reason.code.ends_with(end));
    match reasons.into_iter().find(is_about_the_source) {
        Some(reason) => message!("move.not_movable", "{square} cannot move: {reason}.", square, reason),
        None => message!("move.stuck", "The piece on {square} has no legal move.", square),
    }
}
