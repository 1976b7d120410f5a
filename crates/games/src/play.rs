//! The setting of a game, and functions that begin a game under a setting and play moves.

use engine::{NoBuild, opening};
use game::{Explain, LimitError, MatchDraws, Message, MoveError, PositionError, Record, message};
use thiserror::Error;

use crate::any::AnyRecord;
use crate::definition::{Game, SizeError};
use crate::registry::GameId;
use crate::rule_set::Rules;
use crate::text::named;

/// The conditions of a game: the game itself, the board size, and the rules for draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Game to play.
    pub game: GameId,
    /// Board size, in squares per side; the game's usual size if unset.
    pub size: Option<usize>,
    /// Move limit: number of moves of both sides, including the opening, after which the game is drawn.
    pub move_limit: u32,
    /// Rule for draws by repetition. If unset, that of the rule set applies, or the game's usual rules for matches.
    pub repetitions: Option<Repetitions>,
    /// Rule set and start.
    pub rules: Rules,
}

impl Setting {
    /// Returns the usual board and rules of a game, with this move limit.
    pub fn new(game: GameId, move_limit: u32) -> Self {
        Self { game, size: None, move_limit, repetitions: None, rules: Rules::default() }
    }
}

/// The rules for draws by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetitions {
    /// A game is drawn when a position, including its side to move, occurs this many times.
    Times(u32),
    /// A game is drawn when a board occurs for the second time, regardless of the side to move, or when the move limit
    /// is reached. A draw takes precedence over a win by the last move. These are the rules of OpenSpiel.
    OpenSpiel,
}

/// An invalid setting, game or player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.terminal_text())]
pub enum SettingError {
    /// The game is not played on this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The start is not a valid position.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A move is not legal.
    Move {
        /// Number of the move, from 1.
        ply: u32,
        /// Reason why the move is not legal.
        error: MoveError,
    },
    /// A move was made after the end of the game.
    AfterEnd {
        /// Number of the move, from 1.
        ply: u32,
    },
    /// The move limit is too low.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The edit is not possible, or the text is not a game.
    #[error(transparent)]
    Edit(#[from] Message),
    /// The position after an opening is decided, or its side to move has no move.
    Decided,
    /// The start has another board size.
    OtherBoard {
        /// Size of the start, in squares per side.
        found: usize,
        /// Size in the setting, in squares per side.
        expected: usize,
    },
    /// The game has no such player.
    NoBuild(GameId, NoBuild),
}

impl SettingError {
    /// Returns the text for terminals and logs.
    fn terminal_text(&self) -> String {
        match self {
            Self::Move { ply, error } => format!("move {ply}: {error}"),
            _ => self.message().text,
        }
    }
}

impl Explain for SettingError {
    fn message(&self) -> Message {
        match self {
            Self::Size(error) => error.message(),
            Self::Start(error) => error.message(),
            Self::Move { ply, error } => message!("game.move", "move {ply}: {error}", ply, error = error.message()),
            Self::AfterEnd { ply } => message!("game.after_end", "move {ply}: the game is over", ply),
            Self::Limit(error) => error.message(),
            Self::Edit(message) => message.clone(),
            Self::Decided => message!("game.decided", "the game is over after this opening"),
            Self::OtherBoard { found, expected } => message!(
                "game.other_board",
                "a board of {found} squares per side found, expected {expected}",
                found,
                expected
            ),
            Self::NoBuild(game, error) => {
                message!(
                    "game.no_build",
                    "{game}: {error}",
                    game = Message::name(game.name()),
                    error = error.to_string()
                )
            }
        }
    }
}

impl Setting {
    /// Begins a game at a position, by default the usual start, and plays moves.
    ///
    /// # Errors
    /// If the start is not a position of this game, or a move is not legal.
    pub fn record(self, start: Option<&str>, moves: &[&str]) -> Result<Box<dyn AnyRecord>, SettingError> {
        self.game.record(self, start, moves)
    }

    /// Begins a game and plays `opening_plies` random moves, which the seed determines. Avoids moves after which a side
    /// can soon force a win; see [`engine::opening`].
    ///
    /// # Errors
    /// If the game is not played on this size.
    pub fn random(self, opening_plies: u32, seed: u64) -> Result<Box<dyn AnyRecord>, SettingError> {
        self.game.random(self, opening_plies, seed)
    }

    /// Returns the start position.
    fn start<P: Game>(self) -> Result<P, SizeError> {
        let usual = P::start(self.size)?;
        let start = self.rules.start.map(|name| P::named_start(name, P::size(&usual)));
        Ok(self.apply(start.unwrap_or(usual)))
    }

    /// Returns the position under the rule set, if one is set.
    fn apply<P: Game>(self, p: P) -> P {
        p.under(self.rules.set)
    }

    /// Returns the rules for draws in a match that begins at this position. A position text may name the rule set.
    fn draws<P: Game>(self, start: &P) -> Option<MatchDraws> {
        let quiet_plies = P::MATCH_DRAWS.map_or(u32::MAX, |draws| draws.quiet_plies);
        match self.repetitions.or(self.rules.set.or_else(|| P::rule_set(start)).and_then(|set| set.repetitions)) {
            Some(Repetitions::Times(repetitions)) => Some(MatchDraws { repetitions, quiet_plies, by_board: false }),
            Some(Repetitions::OpenSpiel) => Some(MatchDraws { repetitions: 2, quiet_plies, by_board: true }),
            None => P::MATCH_DRAWS,
        }
    }
}

/// Begins a game under a setting; see [`Setting::random`].
pub(crate) fn random<P: Game>(setting: Setting, opening_plies: u32, seed: u64) -> Result<Record<P>, SettingError> {
    let start = setting.start::<P>()?;
    let draws = setting.draws(&start);
    Ok(opening(&start, opening_plies, setting.move_limit, seed).with_draws(draws))
}

/// Begins a game under a setting; see [`Setting::record`].
pub(crate) fn record<P: Game>(
    setting: Setting,
    start: Option<&str>,
    moves: &[&str],
) -> Result<Record<P>, SettingError> {
    let start = match start {
        Some(text) => match named(text, setting.size) {
            Some(start) => setting.apply(start?),
            None => setting.apply(text.parse::<P>()?),
        },
        None => setting.start()?,
    };
    let draws = setting.draws(&start);
    let mut record = Record::new(start).with_move_limit(setting.move_limit).with_draws(draws);
    moves.iter().try_for_each(|text| play(&mut record, text))?;
    Ok(record)
}

/// Plays a move.
pub(crate) fn play<P: Game>(record: &mut Record<P>, text: &str) -> Result<(), SettingError> {
    let ply = record.moves_made() + 1;
    if record.finish().is_some() {
        return Err(SettingError::AfterEnd { ply });
    }
    let m = record.position().read_move(text);
    record.play(m.map_err(|error| SettingError::Move { ply, error: error.in_words() })?);
    Ok(())
}

/// Begins a game at another start under the rules of `record`.
pub(crate) fn anew<P: Game>(record: &Record<P>, start: P) -> Record<P> {
    let anew = Record::new(start).with_draws(record.match_draws());
    match record.move_limit() {
        Some(limit) => anew.with_move_limit(limit),
        None => anew,
    }
}

/// Begins a game with the start and the rules of `record`, and plays moves.
pub(crate) fn replayed<P: Game>(record: &Record<P>, moves: &[&str]) -> Result<Record<P>, SettingError> {
    let mut replayed = anew(record, record.start_position().clone());
    moves.iter().try_for_each(|text| play(&mut replayed, text))?;
    Ok(replayed)
}
