use board::Square;
use game::MoveError;

use crate::moves::Move;
use crate::position::Position;
use crate::refusal::Refusal;

/// A move as written: two squares, and whether the text marks it as a capture.
struct Written {
    from: Square,
    to: Square,
    as_capture: bool,
}

impl Written {
    /// Parses two squares with `-`, `x` or nothing between them, and `*` or nothing after them.
    fn parse(text: &str) -> Option<Self> {
        let (squares, star) = text.strip_suffix('*').map_or((text, false), |squares| (squares, true));
        let (from, rest) = squares.split_at_checked(2)?;
        let (to, cross) = match rest.strip_prefix('x') {
            Some(to) => (to, true),
            None => (rest.strip_prefix('-').unwrap_or(rest), false),
        };
        Some(Self { from: Square::parse(from)?, to: Square::parse(to)?, as_capture: star || cross })
    }
}

/// Parses a move and checks it against the rules.
pub(crate) fn parse_move(p: &Position, text: &str) -> Result<Move, MoveError<Refusal>> {
    let Some(Written { from, to, as_capture }) = Written::parse(text) else {
        return Err(MoveError::unreadable(text, "two squares joined by `-`, or by `x` for a capture, as in `a2-a3`"));
    };
    let refused = |reason| MoveError::Illegal { text: text.to_owned(), reason };
    let m = p.check(from, to).map_err(refused)?;
    if as_capture && !m.is_capture() { Err(refused(Refusal::NothingToCapture(to))) } else { Ok(m) }
}
