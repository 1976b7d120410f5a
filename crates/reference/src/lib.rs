//! Reference implementations of the rules of all games, simple and slow, for checking the other crates.
//!
//! This crate implements [Lines of Action](loa), the Melbourne variant of [checkers], [Jump61](jump61) and
//! [Breakthrough](breakthrough) from the same rule pages as the other rules crates, but shares no code with them.
//! Except for Breakthrough, it was written without looking at them. A position is a plain list of rows, moves are
//! generated square by square, and no data is kept from one position to the next. If a rules crate and this
//! crate differ, one of the two is wrong.
//!
//! # Limits
//!
//! * It is too slow for playing: no part of it is optimised.
//! * It models positions, not games: the move limit of Lines of Action, the `set` commands and the draws of the arena
//!   belong to the referee of a game.
//! * It has no error messages: invalid texts and illegal moves give [`None`].
//!
//! # Example
//!
//! The first moves of Lines of Action on 4×4, and the number of ways to play two moves:
//!
//! ```
//! use reference::loa::Loa;
//! use reference::{Model, Side, perft};
//!
//! let start = Loa::start(4);
//! assert_eq!(start.text(), "-bb-/w--w/w--w/-bb- b");
//! assert_eq!(start.moves()[..3], ["b1-b3", "b1-d1", "b1-d3"]);
//! assert_eq!(perft(&start, 2), 120);
//!
//! let next = start.play("b1-b3").expect("it is one of the moves");
//! assert_eq!(next.text(), "-bb-/wb-w/w--w/--b- w");
//! assert_eq!(next.to_move(), Side::Second);
//! assert_eq!(next.winner(), None);
//! assert_eq!(next.play("b1-b3"), None, "nothing is left on b1, and it is White's turn");
//! ```

pub mod breakthrough;
pub mod checkers;
pub mod jump61;
pub mod loa;

/// One of the two sides, named by the order of their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side with the first move: Black in Lines of Action and in checkers, Red in Jump61, White in Breakthrough.
    First,
    /// The side with the second move: White in Lines of Action and in checkers, Blue in Jump61, Black in Breakthrough.
    Second,
}

impl Side {
    /// Returns the other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// A game position in the reference implementation.
///
/// Positions compare equal when they have the same text: a position keeps no history of the game.
pub trait Model: Clone + PartialEq + core::fmt::Debug + Sized {
    /// Returns the start position on `size` times `size` squares. Checkers has one size only and ignores it.
    ///
    /// # Panics
    ///
    /// Panics if the game does not support the size: 4 to 8 in Lines of Action and Breakthrough, 2 to 10 in Jump61.
    fn start(size: usize) -> Self;

    /// Parses a position text: the rows from the top joined by `/`, then one blank and the side to move, which Jump61
    /// omits. Returns [`None`] for any other text, including one with extra blanks.
    fn parse(text: &str) -> Option<Self>;

    /// Returns the position text in the format of [`Model::parse`].
    fn text(&self) -> String;

    /// Returns the side to move, even if the game is over.
    fn to_move(&self) -> Side;

    /// Returns all moves that the movement rules allow, sorted bytewise, whether or not the game is decided.
    fn moves(&self) -> Vec<String>;

    /// Returns the position after `mv`, or [`None`] if `mv` is not one of [`Model::moves`].
    fn play(&self, mv: &str) -> Option<Self>;

    /// Returns all [moves](Model::moves) with the positions that they lead to.
    ///
    /// # Panics
    ///
    /// Panics if [`Model::play`] rejects a move that [`Model::moves`] lists.
    fn children(&self) -> Vec<(String, Self)> {
        let moves = self.moves().into_iter();
        moves.map(|mv| (mv.clone(), self.play(&mv).expect("a listed move can be played"))).collect()
    }

    /// Returns the side that has won, by the board or because the side to move is stuck; [`None`] while the game is
    /// undecided.
    fn winner(&self) -> Option<Side>;

    /// Returns `true` if the game is drawn. By default it never is.
    fn drawn(&self) -> bool {
        false
    }
}

/// Returns the number of move sequences of exactly `depth` moves from `position`; 1 if `depth` is 0.
///
/// A finished position, which is one with a [winner](Model::winner) or a [draw](Model::drawn), is not expanded, even if
/// it is the first.
///
/// # Panics
///
/// Panics if [`Model::play`] rejects a move that [`Model::moves`] lists.
pub fn perft<M: Model>(position: &M, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.winner().is_some() || position.drawn() {
        return 0;
    }
    let mut count = 0;
    for name in position.moves() {
        let next = position.play(&name).expect("a listed move can be played");
        count += perft(&next, depth - 1);
    }
    count
}

/// A square as (row, column), both from 0, row 0 on top.
type Square = (usize, usize);

/// A direction as (rows down, columns to the right).
type Direction = (isize, isize);

/// Returns the square one step away, or [`None`] beyond the edge of a board of `size` times `size` squares.
fn step(size: usize, (row, column): Square, (down, right): Direction) -> Option<Square> {
    let row = row.checked_add_signed(down)?;
    let column = column.checked_add_signed(right)?;
    (row < size && column < size).then_some((row, column))
}

/// Returns all squares of a board of `size` times `size` squares, row by row from the top.
fn squares(size: usize) -> Vec<Square> {
    let mut all = Vec::new();
    for row in 0..size {
        for column in 0..size {
            all.push((row, column));
        }
    }
    all
}
