//! Games for a referee, which works with any game through [`TextGame`].

use engine::{NoBuild, opening};
use game::{Diagram, LimitError, MatchDraws, MoveError, Position, PositionError, Record, TextGame};
use thiserror::Error;

use crate::{Entry, GameId, SizeError, Visitor, dispatch};

/// What is played: a game, the size of its board, and when a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The game.
    pub game: GameId,
    /// Squares a side; the game's usual size if unset.
    pub size: Option<usize>,
    /// Moves of both sides together, an opening's included, after which a game is drawn.
    pub move_limit: u32,
    /// When a repeated position draws a game. If unset, the rule of the game's matches applies.
    pub repetitions: Option<Repetitions>,
}

/// When a repeated position draws a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetitions {
    /// When a position, with its side to move, occurs this many times.
    Times(u32),
    /// When a board occurs for the second time, whoever is to move. The last move of the move limit then draws the game
    /// even if it wins. These are the rules of OpenSpiel; see [`Entry::OPENSPIEL_SIZE`].
    OpenSpiel,
}

/// An invalid setting, game or player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// The game is not played on this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The start is not a valid position.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A move is not legal.
    #[error("move {ply}: {error}")]
    Move {
        /// The number of the move, from 1.
        ply: u32,
        /// Why it is not legal.
        error: MoveError,
    },
    /// A move follows the end of the game.
    #[error("move {ply}: the game is over")]
    AfterEnd {
        /// The number of the move, from 1.
        ply: u32,
    },
    /// The move limit is too low.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A change by hand is not possible; the text says why.
    #[error("{0}")]
    Edit(String),
    /// The position after an opening is decided, or its side to move has no move.
    #[error("the game is over after this opening")]
    Decided,
    /// The start has another board.
    #[error("a board of {found} squares a side found, expected {expected}")]
    OtherBoard {
        /// The start's squares a side.
        found: usize,
        /// The setting's.
        expected: usize,
    },
    /// The game has no such player.
    #[error("{0}: {1}")]
    NoBuild(GameId, NoBuild),
}

impl Setting {
    /// A game that begins with `opening_plies` random moves, fixed by the seed. Neither side can win soon after them;
    /// see `engine::opening`.
    ///
    /// # Errors
    /// If the game is not played on this size.
    pub fn game(self, opening_plies: u32, seed: u64) -> Result<Box<dyn TextGame>, SettingError> {
        dispatch(self.game, Start { setting: self, opening_plies, seed })
    }

    /// A game from a position text and moves.
    ///
    /// # Errors
    /// If the start is not a position of this game, or a move is not legal.
    pub fn replay(self, start: &str, moves: &[&str]) -> Result<Box<dyn TextGame>, SettingError> {
        dispatch(self.game, Replay { setting: self, start, moves })
    }

    /// The boards of a game from a position text and moves, the start first, each with its last move marked.
    ///
    /// # Errors
    /// If the start is not a position of this game, or a move is not legal.
    pub fn boards(self, start: &str, moves: &[&str]) -> Result<Vec<Diagram>, SettingError> {
        dispatch(self.game, Boards(Replay { setting: self, start, moves }))
    }

    /// When a game without progress is a draw.
    pub(crate) fn draws<P: Position>(self) -> Option<MatchDraws> {
        let quiet_plies = P::MATCH_DRAWS.map_or(u32::MAX, |draws| draws.quiet_plies);
        match self.repetitions {
            Some(Repetitions::Times(repetitions)) => Some(MatchDraws { repetitions, quiet_plies, by_board: false }),
            Some(Repetitions::OpenSpiel) => Some(MatchDraws { repetitions: 2, quiet_plies, by_board: true }),
            None => P::MATCH_DRAWS,
        }
    }

    /// The squares a side on which OpenSpiel plays this game by rules of its own.
    pub fn openspiel_size(self) -> Option<usize> {
        dispatch(self.game, OpenSpielSize)
    }

    /// Squares a side; the game's usual size if unset.
    ///
    /// # Errors
    /// If the game is not played on this size.
    pub fn board_size(self) -> Result<usize, SettingError> {
        dispatch(self.game, BoardSize(self))
    }

    /// The names of the first and the second side.
    pub fn side_names(self) -> [&'static str; 2] {
        dispatch(self.game, SideNames)
    }
}

struct Start {
    setting: Setting,
    opening_plies: u32,
    seed: u64,
}

impl Visitor for Start {
    type Output = Result<Box<dyn TextGame>, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        let start = E::start(self.setting.size)?;
        let game = opening(&start, self.opening_plies, self.setting.move_limit, self.seed);
        Ok(Box::new(game.with_draws(self.setting.draws::<E::Position>())))
    }
}

struct Replay<'a> {
    setting: Setting,
    start: &'a str,
    moves: &'a [&'a str],
}

impl Replay<'_> {
    /// The game after each of its moves.
    fn follow<P: Position>(&self, mut see: impl FnMut(&Record<P>)) -> Result<Record<P>, SettingError> {
        let start: P = self.start.parse()?;
        let setting = self.setting;
        let mut record = Record::new(start).with_move_limit(setting.move_limit).with_draws(setting.draws::<P>());
        see(&record);
        for (ply, text) in (1..).zip(self.moves) {
            let m = record
                .position()
                .read_move(text)
                .map_err(|error| SettingError::Move { ply, error: error.in_words() })?;
            if record.finish().is_some() {
                return Err(SettingError::AfterEnd { ply });
            }
            record.play(m);
            see(&record);
        }
        Ok(record)
    }
}

impl Visitor for Replay<'_> {
    type Output = Result<Box<dyn TextGame>, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        Ok(Box::new(self.follow::<E::Position>(|_| ())?))
    }
}

struct Boards<'a>(Replay<'a>);

impl Visitor for Boards<'_> {
    type Output = Result<Vec<Diagram>, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        let mut boards = Vec::new();
        self.0.follow::<E::Position>(|record| boards.push(record.diagram()))?;
        Ok(boards)
    }
}

struct OpenSpielSize;

impl Visitor for OpenSpielSize {
    type Output = Option<usize>;

    fn visit<E: Entry>(self) -> Self::Output {
        E::OPENSPIEL_SIZE
    }
}

struct SideNames;

impl Visitor for SideNames {
    type Output = [&'static str; 2];

    fn visit<E: Entry>(self) -> Self::Output {
        E::Position::SIDE_NAMES
    }
}

struct BoardSize(Setting);

impl Visitor for BoardSize {
    type Output = Result<usize, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        Ok(E::size(&E::start(self.0.size)?))
    }
}

impl Setting {
    /// The record of a game; it begins with the usual start if none is given.
    pub(crate) fn record<E: Entry>(
        self,
        start: Option<&str>,
        moves: &[&str],
    ) -> Result<Record<E::Position>, SettingError> {
        let start = match start {
            Some(text) => text.to_owned(),
            None => E::start(self.size)?.to_string(),
        };
        Replay { setting: self, start: &start, moves }.follow(|_| ())
    }
}
