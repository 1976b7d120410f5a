//! A game small enough to be solved, for examples and for tests of generic code.

use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;

use thiserror::Error;

use crate::diagram::{Diagram, Tone};
use crate::error::{MoveError, PositionError};
use crate::key::Key;
use crate::message::{Explain, Message};
use crate::outcome::{Outcome, Stuck};
use crate::position::Position;
use crate::quote::excerpt;
use crate::side::Side;
use crate::{message, text};

/// A heap of stones. The players take turns removing one to three stones, and the player who takes the last stone wins.
/// The position text consists of the number of stones and the side to move: `7 a`. With best play, the side to move
/// loses if and only if the number of stones is a multiple of four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nim {
    stones: u8,
    side: Side,
}

/// The number of stones to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take(u8);

/// An invalid number of stones to take. It must be one to three, and at most the size of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct Refusal(u8);

impl Explain for Refusal {
    fn message(&self) -> Message {
        message!("nim.take", "one to three of the {stones} stones are taken", stones = self.0)
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.stones, ["a", "b"][self.side.index()])
    }
}

impl FromStr for Nim {
    type Err = PositionError;
    fn from_str(input: &str) -> Result<Self, PositionError> {
        let (heap, side) = text::split_side(input);
        let stones = heap.parse().map_err(|_| PositionError::Cell {
            row: 1,
            column: 1,
            found: excerpt(heap),
            expected: Box::new(Message::name("a number of stones below 256")),
        })?;
        Ok(Self { stones, side: text::parse_side(side, ["a", "b"], "`a` or `b`")? })
    }
}

impl Position for Nim {
    type Move = Take;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Impossible;
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["Anna", "Bert"];

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Take) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=self.stones.min(3)).map(Take).try_for_each(visit)
    }

    fn refusal(&self, m: Take) -> Option<Refusal> {
        (!(1..=self.stones.min(3)).contains(&m.0)).then_some(Refusal(self.stones))
    }

    fn play(&mut self, m: Take) {
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        self.stones -= m.0;
        self.side = !self.side;
    }

    fn diagram(&self, _: Option<Take>) -> Diagram {
        let heap = (self.stones.to_string(), Tone::Empty, None);
        Diagram { cells: vec![vec![heap]], row_labels: vec!["heap".to_owned()], column_labels: vec![String::new()] }
    }

    fn decided(&self) -> Option<Outcome> {
        (self.stones == 0).then(|| Outcome::Win(!self.side))
    }

    fn key(&self) -> Key {
        Key::mix(u64::from(self.stones) * 2 + self.side.index() as u64)
    }

    fn pack(m: Take) -> u16 {
        u16::from(m.0)
    }

    fn unpack(&self, code: u16) -> Option<Take> {
        u8::try_from(code).ok().map(Take).filter(|&m| self.is_legal(m))
    }

    fn parse_move(&self, text: &str) -> Result<Take, MoveError<Refusal>> {
        let m = text.parse().map(Take).map_err(|_| MoveError::unreadable(text, "1, 2 or 3"))?;
        self.refusal(m).map_or(Ok(m), |reason| Err(MoveError::Illegal { text: text.to_owned(), reason }))
    }
}
