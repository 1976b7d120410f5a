//! Games and players for a referee, who knows neither by name.

use core::time::Duration;
use std::time::Instant;

use engine::{PlayerOptions, opening};
use game::{MatchDraws, MoveError, Position, PositionError, Record, Side};
use protocol::dialects::Format;
use referee::{Clock, Diagram, Farewell, Fault, FaultKind, Game, Player, Turn};
use search::{Control, Engine, Limits};
use thiserror::Error;

use crate::{Entry, GameId, SizeError, Task, dispatch};

/// What is played: a game, the size of its board, and when a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The game.
    pub game: GameId,
    /// Squares a side; the usual ones if none is given.
    pub size: Option<usize>,
    /// Moves of both sides together, an opening's included, after which a game is drawn.
    pub move_limit: u32,
    /// A tie when a position stands for the so many-th time; what the game's matches have if none is given.
    pub repetitions: Option<u32>,
}

/// A setting or a player that there is not.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// The game is not played on this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A start that is no position.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A move that is not legal.
    #[error("move {ply}: {error}")]
    Move {
        /// From 1.
        ply: u32,
        /// Why not.
        error: MoveError,
    },
    /// A move after the end of the game.
    #[error("move {ply}: the game is over")]
    AfterEnd {
        /// From 1.
        ply: u32,
    },
    /// The game has no such player.
    #[error("{0} has no player `build={1}`")]
    NoBuild(GameId, String),
}

impl Setting {
    /// A game that begins with so many random moves, fixed by the seed, to a position in which nobody wins at once.
    ///
    /// # Errors
    /// If the game is not played on this size.
    pub fn game(self, opening_plies: u32, seed: u64) -> Result<Box<dyn Game>, SettingError> {
        dispatch(self.game, Start { setting: self, opening_plies, seed })
    }

    /// A game from a position text with moves.
    ///
    /// # Errors
    /// If it is no position of this game, or a move is not legal.
    pub fn replay(self, start: &str, moves: &[&str]) -> Result<Box<dyn Game>, SettingError> {
        dispatch(self.game, Replay { setting: self, start, moves })
    }

    /// The boards of such a game, the start first, each with its last move marked.
    ///
    /// # Errors
    /// If it is no position of this game, or a move is not legal.
    pub fn boards(self, start: &str, moves: &[&str]) -> Result<Vec<Diagram>, SettingError> {
        dispatch(self.game, Boards(Replay { setting: self, start, moves }))
    }

    /// An engine of the house as a player, put together by options.
    ///
    /// # Errors
    /// If the game is not played on this size, or has no such player.
    pub fn builtin(self, options: &PlayerOptions) -> Result<Box<dyn Player>, SettingError> {
        dispatch(self.game, Seat { setting: self, options })
    }

    /// When a game that gets nowhere is a tie.
    fn draws<P: Position>(self) -> Option<MatchDraws> {
        let quiet_plies = P::MATCH_DRAWS.map_or(u32::MAX, |draws| draws.quiet_plies);
        self.repetitions.map(|repetitions| MatchDraws { repetitions, quiet_plies }).or(P::MATCH_DRAWS)
    }

    /// How the first and the second side are called.
    pub fn side_names(self) -> [&'static str; 2] {
        dispatch(self.game, SideNames)
    }

    /// As dialects know it.
    ///
    /// # Errors
    /// If the game is not played on this size.
    pub fn format(self) -> Result<Format, SettingError> {
        let size = dispatch(self.game, Size(self))?;
        Ok(match self.game {
            GameId::Loa => Format::Loa { size },
            GameId::Checkers => Format::Checkers,
            GameId::Jump61 => Format::Jump61 { size },
        })
    }
}

struct Start {
    setting: Setting,
    opening_plies: u32,
    seed: u64,
}

impl Task for Start {
    type Output = Result<Box<dyn Game>, SettingError>;

    fn run<E: Entry>(self) -> Self::Output {
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
            let m = record.position().parse_move(text).map_err(|error| SettingError::Move { ply, error })?;
            if record.finish().is_some() {
                return Err(SettingError::AfterEnd { ply });
            }
            record.play(m);
            see(&record);
        }
        Ok(record)
    }
}

impl Task for Replay<'_> {
    type Output = Result<Box<dyn Game>, SettingError>;

    fn run<E: Entry>(self) -> Self::Output {
        Ok(Box::new(self.follow::<E::Position>(|_| ())?))
    }
}

struct Boards<'a>(Replay<'a>);

impl Task for Boards<'_> {
    type Output = Result<Vec<Diagram>, SettingError>;

    fn run<E: Entry>(self) -> Self::Output {
        let mut boards = Vec::new();
        self.0.follow::<E::Position>(|record| boards.push(E::diagram(record)))?;
        Ok(boards)
    }
}

struct SideNames;

impl Task for SideNames {
    type Output = [&'static str; 2];

    fn run<E: Entry>(self) -> Self::Output {
        E::Position::SIDE_NAMES
    }
}

struct Size(Setting);

impl Task for Size {
    type Output = Result<usize, SettingError>;

    fn run<E: Entry>(self) -> Self::Output {
        Ok(E::size(&E::start(self.0.size)?))
    }
}

impl Setting {
    /// The record of a game from a start, which is the usual one if none is given.
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

struct Seat<'a> {
    setting: Setting,
    options: &'a PlayerOptions,
}

impl Task for Seat<'_> {
    type Output = Result<Box<dyn Player>, SettingError>;

    fn run<E: Entry>(self) -> Self::Output {
        let size = E::size(&E::start(self.setting.size)?);
        let (engine, limits) =
            E::build(self.options, size).ok_or_else(|| SettingError::NoBuild(E::ID, self.options.build.to_string()))?;
        let default_nodes = self.options.apply(&E::profile(size)).default_nodes;
        Ok(Box::new(Builtin { engine, limits, default_nodes, record: None, cpu: Some(Duration::ZERO) }))
    }
}

/// An engine of the house at a referee's table.
struct Builtin<P: Position> {
    engine: Box<dyn Engine<P>>,
    limits: Limits,
    default_nodes: u64,
    /// The game as far as it has been followed.
    record: Option<Record<P>>,
    cpu: Option<Duration>,
}

/// With so much time for a move the budget in nodes is reached first, which keeps the play reproducible.
const PLENTY: Duration = Duration::from_secs(2);
/// A game's time is divided by so many moves.
const MOVES_TO_COME: u32 = 25;

impl<P: Position> Builtin<P> {
    /// Follows the game and returns it with its types.
    fn follow(&mut self, game: &dyn Game) -> &Record<P> {
        let moves = game.moves();
        let known = self.record.take().filter(|record| {
            record.steps()[0].position.to_string() == game.start()
                && record.moves_made() as usize <= moves.len()
                && record.moves().zip(&moves).all(|(m, text)| m.to_string() == *text)
        });
        let mut record = known.unwrap_or_else(|| {
            let start = game.start().parse().expect("invariant: the player is given its own game");
            // What is a tie by repetition the referee knows.
            Record::new(start).with_move_limit(game.move_limit().unwrap_or(u32::MAX))
        });
        for text in &moves[record.moves_made() as usize..] {
            let m = record.position().parse_move(text).expect("invariant: a referee plays legal moves");
            record.play(m);
        }
        self.record.insert(record)
    }

    fn limits(&self, side: Side, clock: &Clock) -> Limits {
        let share = clock.left[side.index()].map(|left| left / MOVES_TO_COME + clock.increment * 4 / 5);
        let most = clock.limit.map(|limit| limit * 9 / 10);
        let Some(time) = [share, most].into_iter().flatten().min().filter(|&time| time < PLENTY) else {
            return self.limits;
        };
        let own = self.limits;
        let nodes = own.nodes.or((own.depth.is_none() && own.movetime.is_none()).then_some(self.default_nodes));
        Limits { nodes, movetime: Some(own.movetime.map_or(time, |own| own.min(time))), ..own }
    }
}

impl<P: Position> Player for Builtin<P> {
    fn begin(&mut self, game: &dyn Game, _: Side, seed: u64, _: Duration) -> Result<(), Fault> {
        self.engine.new_game(seed);
        self.cpu = Some(Duration::ZERO);
        self.follow(game);
        Ok(())
    }

    fn choose(&mut self, game: &dyn Game, clock: &Clock) -> Turn {
        let (began, before) = (Instant::now(), referee::cpu_of_this_thread());
        let limits = self.limits(game.side_to_move(), clock);
        let record = self.follow(game).clone();
        let choice = self.engine.choose(&record, &limits, &mut Control::unattended());
        let answer = choice.map(|choice| choice.best.to_string());
        let answer = answer.ok_or_else(|| Fault::new(FaultKind::Unreadable, "the engine found no move"));
        let cpu = referee::cpu_of_this_thread().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.cpu = self.cpu.zip(cpu).map(|(sum, more)| sum + more);
        Turn { answer, claim: None, wall: began.elapsed(), cpu }
    }

    fn end(&mut self, _: &dyn Game) -> Farewell {
        Farewell { cpu: self.cpu, ..Farewell::default() }
    }

    fn can_be_replaced(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ops::ControlFlow;
    use referee::{AfterFault, Referee, TimeControl};

    #[test]
    fn engines_play_whole_games_at_a_referees_table() {
        for game in GameId::ALL {
            let setting = Setting { game, size: None, move_limit: 300, repetitions: None };
            let options: PlayerOptions = "level=1".parse().expect("a player");
            let mut players = [0, 1].map(|_| setting.builtin(&options).expect("a player"));
            let [first, second] = &mut players;
            let mut board = setting.game(4, 7).expect("a game");
            let referee = Referee { time: TimeControl::default(), after_fault: AfterFault::Lose };
            let go_on = &mut |_: &dyn Game, _: &referee::Ply| ControlFlow::Continue(());
            let played = referee.play(&mut *board, [&mut **first, &mut **second], 3, go_on).expect("not broken off");
            assert!(played.offences.is_empty() && matches!(played.ending, referee::Ending::Rules(_)), "{played:?}");
            assert_eq!(played.plies.len() + 4, board.moves().len());
        }
    }

    #[test]
    fn formats_have_their_sizes() {
        let format = |game, size| Setting { game, size, move_limit: 9, repetitions: None }.format();
        assert_eq!(format(GameId::Loa, Some(6)), Ok(Format::Loa { size: 6 }));
        assert_eq!(format(GameId::Jump61, None), Ok(Format::Jump61 { size: 6 }));
        assert_eq!(format(GameId::Jump61, Some(10)), Ok(Format::Jump61 { size: 10 }));
        assert!(format(GameId::Checkers, Some(6)).is_err());
    }

    #[test]
    fn a_tournament_may_call_a_repetition_a_tie() {
        let setting = Setting { game: GameId::Loa, size: Some(6), move_limit: 99, repetitions: Some(2) };
        let start = setting.game(0, 0).expect("a game");
        let back = |text: &str| text.split_once('-').map(|(from, to)| format!("{to}-{from}")).unwrap_or_default();
        // Somewhere both sides can go there and back.
        let there_and_back = start.legal_moves().into_iter().find_map(|one| {
            let mut game = start.fork();
            game.play(&one).ok()?;
            let other = game.legal_moves().into_iter().find(|other| {
                let mut game = game.fork();
                [other.clone(), back(&one), back(other)].iter().all(|text| game.play(text).is_ok())
            })?;
            Some([one.clone(), other.clone(), back(&one), back(&other)])
        });
        let moves = there_and_back.expect("a circle");
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let finish = |setting: Setting| setting.replay(&start.start(), &moves).expect("legal").finish();
        assert_eq!(finish(setting).map(|finish| finish.reason), Some(game::Reason::Repetition));
        assert_eq!(finish(Setting { repetitions: None, ..setting }), None);
    }

    #[test]
    fn little_time_limits_an_engine_and_plenty_does_not() {
        let setting = Setting { game: GameId::Loa, size: None, move_limit: 300, repetitions: None };
        let mut player = setting.builtin(&"".parse().expect("a player")).expect("a player");
        let game = setting.game(6, 1).expect("a game");
        player.begin(&*game, Side::First, 1, Duration::ZERO).expect("ready");
        let short = Clock { limit: Some(Duration::from_millis(30)), left: [None; 2], increment: Duration::ZERO };
        assert!(player.choose(&*game, &short).answer.is_ok());
        let long = Clock { limit: Some(Duration::from_mins(5)), ..short };
        let answers = [0, 1].map(|_| player.choose(&*game, &long).answer);
        assert_eq!(answers[0], answers[1]);
    }
}
