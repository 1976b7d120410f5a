use core::fmt;
use core::ops::ControlFlow;

use game::{Diagram, Explain, Key, MatchDraws, Message, MoveError, Outcome, Side, Stuck, message};
use thiserror::Error;

use crate::cell::{OUTSIDE, REACH};
use crate::{Cell, Cells, Direction};

/// A position: bitboards of the 32 dark cells (bit 0 is B1, row-major) and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Men and towers of Black and of White.
    sides: [u32; 2],
    /// Towers of both sides.
    towers: u32,
    side: Side,
    /// Hash of all other fields. Only [`Position::toggle`] and [`Position::pass_turn`] update it.
    key: Key,
}

/// A man or a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Side that owns the piece.
    pub side: Side,
    /// `true` for a tower, `false` for a man.
    pub tower: bool,
}

/// A move or a jump from one dark cell to another, written `G6-F5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

/// The error of an illegal action. The course has six errors: these four, and a source or a target outside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Refusal {
    /// The source cell is empty.
    SourceEmpty,
    /// The target cell is not empty.
    TargetOccupied,
    /// The piece belongs to the opponent.
    OpponentsPiece,
    /// The piece has no such move or jump.
    Illegal,
}

impl Explain for Refusal {
    fn message(&self) -> Message {
        match self {
            Self::SourceEmpty => message!("checkers.source_empty", "source cell is empty"),
            Self::TargetOccupied => message!("checkers.target_occupied", "target cell is not empty"),
            Self::OpponentsPiece => message!("checkers.not_yours", "source cell holds opponent's piece/tower"),
            Self::Illegal => message!("checkers.illegal", "illegal action"),
        }
    }
}

/// The error of an invalid change of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The cell is a light cell.
    #[error("{0} is a light cell: pieces stand on dark ones")]
    LightCell(Cell),
}

impl Move {
    /// Returns the source cell.
    pub const fn from(self) -> Cell {
        Cell::of_dark(self.from as usize)
    }

    /// Returns the target cell.
    pub const fn to(self) -> Cell {
        Cell::of_dark(self.to as usize)
    }

    /// Returns `true` for a jump over an enemy.
    pub const fn is_jump(self) -> bool {
        self.from().row().abs_diff(self.to().row()) == 2
    }

    /// Returns the index of the cell in the middle of a jump; `None` for a move.
    fn captured(self) -> Option<usize> {
        let (from, to) = (self.from(), self.to());
        let middle = Cell::new(u8::midpoint(from.row(), to.row()), u8::midpoint(from.column(), to.column()));
        middle.filter(|_| self.is_jump()).and_then(Cell::dark)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from(), self.to())
    }
}

/// Row on which the men of each side become towers (rule 5), as bits.
const FAR_ROW: [u32; 2] = [0x0000_000f, 0xf000_0000];

impl Position {
    /// Returns the start position (rule 1).
    pub fn start() -> Self {
        let mut start = Self::empty();
        for index in 0..12 {
            start.toggle(index, Piece { side: Side::Second, tower: false });
            start.toggle(31 - index, Piece { side: Side::First, tower: false });
        }
        start
    }

    /// Returns a board without pieces and with Black to move.
    pub const fn empty() -> Self {
        Self { sides: [0; 2], towers: 0, side: Side::First, key: Key::mix(0xc4ec) }
    }

    /// Returns the position with these pieces: Black's and White's, and the towers among them. Black is to move.
    ///
    /// # Panics
    /// If both sides have a piece on one cell, or a tower is on a cell without a piece.
    pub fn of_pieces(sides: [Cells; 2], towers: Cells) -> Self {
        let [black, white] = sides;
        assert!((black & white).is_empty() && (towers & !(black | white)).is_empty(), "invariant: one piece on a cell");
        let mut p = Self::empty();
        for side in Side::BOTH {
            for index in sides[side.index()].indices() {
                p.toggle(index, Piece { side, tower: towers.0 >> index & 1 != 0 });
            }
        }
        p
    }

    /// Returns the position with another content of one cell: a piece or nothing.
    ///
    /// # Errors
    /// If the cell is a light cell.
    pub fn with(&self, cell: Cell, content: Option<Piece>) -> Result<Self, SetupError> {
        let index = cell.dark().ok_or(SetupError::LightCell(cell))?;
        let mut changed = *self;
        for piece in [self.at_dark(index), content].into_iter().flatten() {
            changed.toggle(index, piece);
        }
        Ok(changed)
    }

    /// Returns the board with this side to move.
    #[must_use]
    pub fn with_turn(&self, side: Side) -> Self {
        if self.side == side { *self } else { self.passed() }
    }

    /// Returns the piece on a cell; `None` if the cell is empty or light.
    pub fn at(&self, cell: Cell) -> Option<Piece> {
        self.at_dark(cell.dark()?)
    }

    #[inline]
    fn at_dark(&self, index: usize) -> Option<Piece> {
        let side = Side::BOTH.into_iter().find(|side| self.sides[side.index()] >> index & 1 != 0)?;
        Some(Piece { side, tower: self.towers >> index & 1 != 0 })
    }

    /// Returns the numbers of men and of towers of a side.
    pub const fn count(&self, side: Side) -> (u32, u32) {
        let all = self.sides[side.index()];
        ((all & !self.towers).count_ones(), (all & self.towers).count_ones())
    }

    /// Returns the men and towers of one side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Cells {
        Cells(self.sides[side.index()])
    }

    /// Returns the towers of both sides.
    #[inline]
    pub const fn towers(&self) -> Cells {
        Cells(self.towers)
    }

    /// Returns the board with the turn passed. This is not an action of the game, but searches use it.
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut passed = *self;
        passed.pass_turn();
        passed
    }

    /// Returns the course's cost of a board, b + 3B − w − 3W: Black's lead, in men.
    #[inline]
    pub const fn cost(&self) -> i32 {
        let [black, white] = self.sides;
        let men = black.count_ones() as i32 - white.count_ones() as i32;
        let towers = (black & self.towers).count_ones() as i32 - (white & self.towers).count_ones() as i32;
        men + 2 * towers
    }

    /// Returns the move from one cell to another, if it is legal.
    ///
    /// # Errors
    /// If it is illegal. The error is the first rule that the move breaks, in the course's order.
    pub fn check(&self, from: Cell, to: Cell) -> Result<Move, Refusal> {
        let piece = self.at(from).ok_or(Refusal::SourceEmpty)?;
        if self.at(to).is_some() {
            return Err(Refusal::TargetOccupied);
        }
        if piece.side != self.side {
            return Err(Refusal::OpponentsPiece);
        }
        let (Some(source), Some(target)) = (from.dark(), to.dark()) else {
            return Err(Refusal::Illegal);
        };
        let reached = Direction::ALL.into_iter().filter_map(|d| self.target(source, d, piece.tower));
        let m = Move { from: source as u8, to: target as u8 };
        reached.into_iter().find(|&to| to == m.to).map(|_| m).ok_or(Refusal::Illegal)
    }

    /// Applies rules 2 to 4: returns the only possible target of a piece of the side to move in a direction.
    #[inline]
    fn target(&self, from: usize, direction: Direction, tower: bool) -> Option<u8> {
        if !tower && direction.is_north() != (self.side == Side::First) {
            return None;
        }
        let reach = REACH[from][direction as usize];
        let empty = !(self.sides[0] | self.sides[1]);
        if reach.step == OUTSIDE {
            None
        } else if empty >> reach.step & 1 != 0 {
            Some(reach.step)
        } else if reach.jump != OUTSIDE && self.sides[(!self.side).index()] >> reach.step & empty >> reach.jump & 1 != 0
        {
            Some(reach.jump)
        } else {
            None
        }
    }

    /// Adds a piece on an empty cell or removes it. Only this function changes pieces, so the key is always updated.
    #[inline]
    pub(crate) fn toggle(&mut self, index: usize, piece: Piece) {
        self.sides[piece.side.index()] ^= 1 << index;
        self.towers ^= u32::from(piece.tower) << index;
        self.key ^= PIECE_KEYS[usize::from(piece.tower)][piece.side.index()][index];
    }

    /// Passes the turn. Only this function changes the side to move.
    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= WHITE_TO_MOVE;
    }
}

static PIECE_KEYS: [[[Key; 32]; 2]; 2] = {
    let mut keys = [[[Key(0); 32]; 2]; 2];
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i / 32 % 2][i % 32] = Key::mix(0xc4ec_0000 + i as u64);
        i += 1;
    }
    keys
};
const WHITE_TO_MOVE: Key = Key::mix(0xc4ec_1000);

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

    /// Visits the moves in the course's order: sources row by row from A1, directions clockwise from the north-east.
    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut sources = self.sides[self.side.index()];
        while sources != 0 {
            let from = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let tower = self.towers >> from & 1 != 0;
            for direction in Direction::ALL {
                if let Some(to) = self.target(from, direction, tower) {
                    visit(Move { from: from as u8, to })?;
                }
            }
        }
        ControlFlow::Continue(())
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
        m.is_jump() || self.towers >> m.from & 1 == 0
    }

    /// Returns `None`: the board alone decides nothing, because rule 6 depends on the moves.
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
        // From and to differ, so no move has code 0.
        u16::from(m.from) | u16::from(m.to) << 5
    }

    fn unpack(&self, code: u16) -> Option<Move> {
        let (from, to) = (usize::from(code & 31), usize::from(code >> 5));
        if to > 31 { None } else { self.check(Cell::of_dark(from), Cell::of_dark(to)).ok() }
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        crate::diagram::diagram(self, last)
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
