use board::{Bitboard, Square};

/// One of the eight directions of a move, clockwise from north (towards higher ranks).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // the names are self-explanatory
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All eight directions, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// Returns the change in file and the change in rank for one step.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::NorthEast => (1, 1),
            Self::East => (1, 0),
            Self::SouthEast => (1, -1),
            Self::South => (0, -1),
            Self::SouthWest => (-1, -1),
            Self::West => (-1, 0),
            Self::NorthWest => (-1, 1),
        }
    }

    /// Returns the direction and the distance from one square to another, if they are on a common line.
    pub fn between(from: Square, to: Square) -> Option<(Self, u32)> {
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let on_a_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let direction = match (files.signum(), ranks.signum()) {
            (0, 1) => Self::North,
            (1, 1) => Self::NorthEast,
            (1, 0) => Self::East,
            (1, -1) => Self::SouthEast,
            (0, -1) => Self::South,
            (-1, -1) => Self::SouthWest,
            (-1, 0) => Self::West,
            (-1, 1) => Self::NorthWest,
            _ => return None,
        };
        on_a_line.then(|| (direction, u32::from(files.unsigned_abs().max(ranks.unsigned_abs()))))
    }

    /// Returns the name of the line of action in this direction.
    pub const fn line_name(self) -> &'static str {
        match self {
            Self::North | Self::South => "file",
            Self::East | Self::West => "rank",
            _ => "diagonal",
        }
    }
}

/// Returns the whole line through a square in a direction, including the square.
#[inline]
pub(crate) fn line(square: Square, direction: Direction) -> Bitboard {
    Bitboard(LINES[square.index()][direction as usize & 3])
}

/// Returns the squares from `square` to the edge of the 8×8 board, without `square` itself.
#[inline]
pub(crate) fn ray(square: Square, direction: Direction) -> Bitboard {
    Bitboard(RAYS[square.index()][direction as usize])
}

/// Lines through each square in the directions North, `NorthEast`, East and `SouthEast`. The opposite directions share
/// them.
pub(crate) static LINES: [[u64; 4]; 64] = lines();
/// Squares from each square to the edge, in each direction.
pub(crate) static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 8 {
            let (files, ranks) = Direction::ALL[d].step();
            let mut file = (square & 7) as i8 + files;
            let mut rank = (square >> 3) as i8 + ranks;
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square][d] |= 1 << (8 * rank + file);
                file += files;
                rank += ranks;
            }
            d += 1;
        }
        square += 1;
    }
    table
}

const fn lines() -> [[u64; 4]; 64] {
    let rays = rays();
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            table[square][d] = rays[square][d] | rays[square][d + 4] | 1 << square;
            d += 1;
        }
        square += 1;
    }
    table
}
