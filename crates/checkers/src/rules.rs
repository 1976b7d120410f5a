use core::ops::ControlFlow;

use game::{Diagram, Key, MatchDraws, MoveError, Outcome, Side, Stuck};

use crate::cell::Cell;
use crate::diagram::diagram;
use crate::moves::{self, Move};
use crate::position::{Piece, Position};
use crate::refusal::Refusal;

/// Row on which the men of each side become towers (rule 5), as bits.
const FAR_ROW: [u32; 2] = [0x0000_000f, 0xf000_0000];

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Loses; // rule 6
    const MAY_LOSE_BY_MOVING: bool = false;
    /// Rule 7.
    const MATCH_DRAWS: Option<MatchDraws> = Some(MatchDraws { repetitions: 3, quiet_plies: 80, by_board: false });
    const SIDE_NAMES: [&'static str; 2] = ["Black", "White"];

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        moves::visit(self, visit)
    }

    fn refusal(&self, m: Move) -> Option<Refusal> {
        self.check(m.from(), m.to()).err()
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        let Some(piece) = self.at_dark(m.from as usize) else {
            panic!("invariant: only legal moves are played: {m}\n{self}")
        };
        self.toggle(m.from as usize, piece);
        if let Some(index) = m.captured()
            && let Some(enemy) = self.at_dark(index)
        {
            self.toggle(index, enemy);
        }
        let tower = piece.tower || FAR_ROW[piece.side.index()] >> m.to & 1 != 0;
        self.toggle(m.to as usize, Piece { tower, ..piece });
        self.pass_turn();
    }

    /// Returns `true` for captures and for moves of men (rule 7).
    fn is_irreversible(&self, m: Move) -> bool {
        m.is_jump() || self.towers().0 >> m.from & 1 == 0
    }

    /// Returns `None`: only rule 6 decides a game, and it depends on the legal moves.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        None
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        // The cells differ, so no move has code 0.
        u16::from(m.from) | u16::from(m.to) << 5
    }

    fn unpack(&self, code: u16) -> Option<Move> {
        let (from, to) = (usize::from(code & 31), usize::from(code >> 5));
        if to > 31 { None } else { self.check(Cell::of_dark(from), Cell::of_dark(to)).ok() }
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        diagram(self, last)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        let cell = |bytes: &[u8]| match bytes {
            [column @ b'A'..=b'H', row @ b'1'..=b'8'] => Cell::new(row - b'1', column - b'A'),
            _ => None,
        };
        let cells = text.split_once('-').and_then(|(from, to)| Some((cell(from.as_bytes())?, cell(to.as_bytes())?)));
        let Some((from, to)) = cells else {
            return Err(MoveError::unreadable(text, "two cells joined by `-`, as in `G6-F5`"));
        };
        self.check(from, to).map_err(|reason| MoveError::Illegal { text: text.to_owned(), reason })
    }
}
